-- What a person does in a study, which judge its headlines show, and one cause more of a settlement
-- (data/schema/work.py, anchors.py), as they were when this step was made. Frozen.

CREATE TABLE study_role (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    rater_id INTEGER NOT NULL,
    role TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT role_known CHECK (role IN ('rater', 'settler')),
    FOREIGN KEY(rater_id) REFERENCES rater (id)
);
CREATE INDEX role_by_rater ON study_role (rater_id);
CREATE TABLE judge_choice (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    chosen_by TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id)
);
CREATE TABLE adjudication_anew (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    study_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    label TEXT,
    cause TEXT NOT NULL,
    judge_seen INTEGER NOT NULL,
    rater_id INTEGER NOT NULL,
    reason_content INTEGER,
    reason_mac TEXT,
    rubric_note_content INTEGER,
    rubric_note_mac TEXT,
    replaces INTEGER,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT trigger_known CHECK (trigger IN ('human_human', 'human_judge', 'escalation')),
    CONSTRAINT cause_known CHECK (cause IN ('confirmed', 'judge_error', 'rater_slip', 'rubric_ambiguous', 'context_missing', 'legitimate_difference')),
    CONSTRAINT a_label_unless_both_stand CHECK (label IS NOT NULL OR cause = 'legitimate_difference'),
    UNIQUE (event),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(reason_content) REFERENCES content (id),
    FOREIGN KEY(rubric_note_content) REFERENCES content (id),
    FOREIGN KEY(replaces) REFERENCES adjudication (id)
);

INSERT INTO adjudication_anew (
    id, event, study_id, unit_id, criterion, "trigger", label, cause, judge_seen, rater_id, reason_content, reason_mac,
    rubric_note_content, rubric_note_mac, replaces, at, trail
)
SELECT
    id, event, study_id, unit_id, criterion, "trigger", label, cause, judge_seen, rater_id, reason_content, reason_mac,
    rubric_note_content, rubric_note_mac, replaces, at, trail
FROM adjudication AS earlier
ORDER BY id;
DROP TABLE adjudication;
ALTER TABLE adjudication_anew RENAME TO adjudication;
CREATE INDEX adjudication_by_unit ON adjudication (unit_id, criterion);
