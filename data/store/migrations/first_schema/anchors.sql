-- The tables of data/schema/anchors.py as they were in 0.3.0. Frozen.

CREATE TABLE anchor_set (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, number INTEGER NOT NULL,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id, number), FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE TABLE anchor (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, set_id INTEGER NOT NULL, unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL, label TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (set_id, unit_id, criterion), FOREIGN KEY(set_id) REFERENCES anchor_set (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE TABLE adoption (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, judge_id INTEGER NOT NULL,
    of_judge_id INTEGER, set_id INTEGER NOT NULL, compared TEXT NOT NULL, decided_by TEXT NOT NULL,
    reason_content INTEGER, reason_mac TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(of_judge_id) REFERENCES judge (id), FOREIGN KEY(set_id) REFERENCES anchor_set (id),
    FOREIGN KEY(reason_content) REFERENCES content (id)
);
CREATE TABLE judge_choice (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, judge_id INTEGER NOT NULL,
    chosen_by TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(judge_id) REFERENCES judge (id)
);
