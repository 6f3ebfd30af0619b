-- The tables of data/schema/rating.py as they were in 0.3.0. Frozen.

CREATE TABLE draft (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, criterion TEXT NOT NULL, label TEXT, cannot_rate TEXT, also TEXT NOT NULL,
    confidence INTEGER, evidence TEXT NOT NULL, note_content INTEGER, note_mac TEXT, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (event), FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(note_content) REFERENCES content (id)
);
CREATE INDEX draft_by_unit ON draft (rater_id, unit_id, criterion);
CREATE TABLE unit_commit (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, ordinal INTEGER NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (rater_id, unit_id), UNIQUE (event), FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE INDEX commit_by_rater ON unit_commit (rater_id, ordinal);
CREATE TABLE rating (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, study_id INTEGER NOT NULL,
    rater_id INTEGER NOT NULL, unit_id INTEGER NOT NULL, criterion TEXT NOT NULL, label TEXT,
    cannot_rate TEXT, source TEXT NOT NULL, exposure TEXT NOT NULL, reveals_before INTEGER NOT NULL,
    also TEXT NOT NULL, confidence INTEGER, evidence TEXT NOT NULL, note_content INTEGER, note_mac TEXT,
    replaces INTEGER, reason_content INTEGER, reason_mac TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT source_known CHECK (source IN ('given', 'rule', 'imported')),
    CONSTRAINT exposure_known CHECK (exposure IN ('blind', 'revealed', 'open', 'page', 'judge_visible', 'unknown')),
    CONSTRAINT cannot_rate_is_not_a_label CHECK (label IS NULL OR cannot_rate IS NULL), UNIQUE (event),
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id), FOREIGN KEY(note_content) REFERENCES content (id),
    FOREIGN KEY(replaces) REFERENCES rating (id), FOREIGN KEY(reason_content) REFERENCES content (id)
);
CREATE INDEX rating_by_unit ON rating (rater_id, unit_id, criterion);
CREATE INDEX rating_for_agreement ON rating (study_id, criterion, exposure, unit_id, rater_id, label, source);
CREATE INDEX rating_replaced ON rating (replaces);
CREATE TABLE exposure (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rater_id INTEGER NOT NULL, unit_id INTEGER,
    judge_id INTEGER, kind TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('reveal', 'open', 'page')),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id)
);
CREATE INDEX exposure_by_rater ON exposure (rater_id, unit_id, kind);
CREATE TABLE response (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, judge_id INTEGER NOT NULL, criterion TEXT NOT NULL, kind TEXT NOT NULL,
    value TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('keep', 'change', 'reasoning')), UNIQUE (event),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id)
);
CREATE INDEX response_by_unit ON response (rater_id, unit_id);
CREATE TABLE reasoning_comment (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, judge_id INTEGER NOT NULL, criterion TEXT NOT NULL, comment_content INTEGER,
    comment_mac TEXT, replaces INTEGER, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (event), FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id), FOREIGN KEY(comment_content) REFERENCES content (id),
    FOREIGN KEY(replaces) REFERENCES reasoning_comment (id)
);
CREATE INDEX reasoning_comment_by_judge ON reasoning_comment (judge_id, unit_id);
CREATE INDEX reasoning_comment_by_rater ON reasoning_comment (rater_id, unit_id);
CREATE TABLE progress (
    rater_id INTEGER NOT NULL, unit_id INTEGER NOT NULL, position INTEGER NOT NULL, state TEXT NOT NULL,
    UNIQUE (rater_id, unit_id),
    CONSTRAINT state_known CHECK (state IN ('begun', 'skipped', 'committed', 'compared')),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE INDEX progress_by_position ON progress (rater_id, position, state);
CREATE INDEX progress_by_state ON progress (rater_id, state, position);
CREATE TABLE rater_progress (
    rater_id INTEGER NOT NULL, frontier INTEGER NOT NULL, committed INTEGER NOT NULL,
    reveals INTEGER NOT NULL,
    PRIMARY KEY (rater_id), FOREIGN KEY(rater_id) REFERENCES rater (id)
);
