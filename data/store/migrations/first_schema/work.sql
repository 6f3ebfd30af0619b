-- The tables of data/schema/work.py as they were in 0.3.0. Frozen.

CREATE TABLE work_plan (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, version INTEGER NOT NULL,
    body TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id, version), FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE TABLE draw (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, number INTEGER NOT NULL,
    method TEXT NOT NULL, seed TEXT NOT NULL, frame TEXT NOT NULL, strata TEXT NOT NULL, body_content INTEGER,
    body_mac TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id, number), FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(body_content) REFERENCES content (id)
);
CREATE TABLE drawn (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, draw_id INTEGER NOT NULL, unit_id INTEGER NOT NULL,
    stratum INTEGER, why TEXT NOT NULL, chance FLOAT, fresh INTEGER NOT NULL, place INTEGER NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (draw_id, unit_id),
    CONSTRAINT why_known CHECK (why IN ('all', 'random', 'stratum', 'certain', 'chosen')),
    CONSTRAINT a_chance_unless_chosen CHECK ((chance IS NULL) = (why = 'chosen')),
    FOREIGN KEY(draw_id) REFERENCES draw (id), FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE INDEX drawn_by_unit ON drawn (unit_id, id);
CREATE TABLE repeat (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, unit_id INTEGER NOT NULL, of_unit_id INTEGER NOT NULL,
    why TEXT NOT NULL, calibration_id INTEGER, trail INTEGER NOT NULL,
    UNIQUE (unit_id), UNIQUE (of_unit_id, why, calibration_id),
    CONSTRAINT why_known CHECK (why IN ('repeat', 'discussed')), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(of_unit_id) REFERENCES unit (id), FOREIGN KEY(calibration_id) REFERENCES calibration (id)
);
CREATE TABLE assignment (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rater_id INTEGER NOT NULL, unit_id INTEGER NOT NULL,
    purpose TEXT NOT NULL, place INTEGER NOT NULL, hold TEXT NOT NULL, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (rater_id, place), UNIQUE (rater_id, unit_id),
    CONSTRAINT purpose_known CHECK (purpose IN ('real', 'repeat', 'gold', 'calibration', 'discussed')),
    CONSTRAINT hold_known CHECK (hold IN ('', 'repeat', 'decoy')),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE INDEX assignment_by_unit ON assignment (unit_id, rater_id);
CREATE INDEX assignment_repeated ON assignment (rater_id, place) WHERE hold = 'repeat';
CREATE TABLE assignment_event (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, assignment_id INTEGER NOT NULL, kind TEXT NOT NULL,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('committed', 'skipped', 'ran_out', 'freed', 'taken_again')),
    FOREIGN KEY(assignment_id) REFERENCES assignment (id)
);
CREATE INDEX event_of_assignment ON assignment_event (assignment_id, id);
CREATE TABLE gold_label (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, unit_id INTEGER NOT NULL, criterion TEXT NOT NULL,
    label TEXT NOT NULL, said_by TEXT NOT NULL, reason_content INTEGER, reason_mac TEXT, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    FOREIGN KEY(unit_id) REFERENCES unit (id), FOREIGN KEY(reason_content) REFERENCES content (id)
);
CREATE INDEX gold_by_unit ON gold_label (unit_id, criterion);
CREATE TABLE certification (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rater_id INTEGER NOT NULL, result TEXT NOT NULL,
    same INTEGER, labels INTEGER, reason_content INTEGER, reason_mac TEXT, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT result_known CHECK (result IN ('passed', 'failed', 'granted')),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(reason_content) REFERENCES content (id)
);
CREATE INDEX certification_by_rater ON certification (rater_id, id);
CREATE TABLE "conflict" (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rater_id INTEGER NOT NULL, conversation_id INTEGER,
    fact TEXT, value_content INTEGER, value_mac TEXT, kind TEXT NOT NULL, lifted INTEGER NOT NULL,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT a_conversation_or_a_fact CHECK ((conversation_id IS NULL) = (fact IS NOT NULL)),
    CONSTRAINT kind_known CHECK (kind IN ('stated', 'opened')), FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(value_content) REFERENCES content (id)
);
CREATE INDEX conflict_by_rater ON "conflict" (rater_id);
CREATE TABLE calibration (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, title TEXT NOT NULL,
    raters TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE TABLE calibration_unit (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, calibration_id INTEGER NOT NULL, unit_id INTEGER NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (calibration_id, unit_id), FOREIGN KEY(calibration_id) REFERENCES calibration (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE TABLE calibration_step (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, calibration_id INTEGER NOT NULL, step TEXT NOT NULL,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT step_known CHECK (step IN ('discussed', 'again', 'closed')),
    FOREIGN KEY(calibration_id) REFERENCES calibration (id)
);
CREATE TABLE escalation (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, criterion TEXT, kind TEXT NOT NULL, note_content INTEGER, note_mac TEXT,
    answers INTEGER, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('risk', 'identifier', 'question', 'answered')), UNIQUE (event),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(note_content) REFERENCES content (id), FOREIGN KEY(answers) REFERENCES escalation (id)
);
CREATE INDEX escalation_by_unit ON escalation (unit_id);
CREATE TABLE adjudication (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, study_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, criterion TEXT NOT NULL, "trigger" TEXT NOT NULL, label TEXT,
    cause TEXT NOT NULL, judge_seen INTEGER NOT NULL, rater_id INTEGER NOT NULL, reason_content INTEGER,
    reason_mac TEXT, rubric_note_content INTEGER, rubric_note_mac TEXT, replaces INTEGER, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT trigger_known CHECK (trigger IN ('human_human', 'human_judge', 'escalation')),
    CONSTRAINT cause_known CHECK (cause IN ('confirmed', 'judge_error', 'rater_slip', 'rubric_ambiguous', 'context_missing', 'legitimate_difference')),
    CONSTRAINT a_label_unless_both_stand CHECK (label IS NOT NULL OR cause = 'legitimate_difference'),
    UNIQUE (event), FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(reason_content) REFERENCES content (id),
    FOREIGN KEY(rubric_note_content) REFERENCES content (id),
    FOREIGN KEY(replaces) REFERENCES adjudication (id)
);
CREATE INDEX adjudication_by_unit ON adjudication (unit_id, criterion);
CREATE TABLE study_role (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rater_id INTEGER NOT NULL, role TEXT NOT NULL,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT role_known CHECK (role IN ('rater', 'settler')), FOREIGN KEY(rater_id) REFERENCES rater (id)
);
CREATE INDEX role_by_rater ON study_role (rater_id);
CREATE TABLE set_aside (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rater_id INTEGER NOT NULL, back INTEGER NOT NULL,
    decided_by TEXT NOT NULL, reason_content INTEGER, reason_mac TEXT, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(reason_content) REFERENCES content (id)
);
CREATE INDEX set_aside_by_rater ON set_aside (rater_id);
CREATE TABLE successor (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, of_study_id INTEGER NOT NULL,
    reason_content INTEGER, reason_mac TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id), FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(of_study_id) REFERENCES study (id), FOREIGN KEY(reason_content) REFERENCES content (id)
);
CREATE TABLE slot (
    unit_id INTEGER NOT NULL, study_id INTEGER NOT NULL, place INTEGER NOT NULL, wanted INTEGER NOT NULL,
    taken INTEGER NOT NULL,
    PRIMARY KEY (unit_id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE INDEX slot_free ON slot (study_id, place) WHERE taken < wanted;
CREATE TABLE reservation (
    assignment_id INTEGER NOT NULL, study_id INTEGER NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, until TEXT NOT NULL,
    PRIMARY KEY (assignment_id), FOREIGN KEY(assignment_id) REFERENCES assignment (id),
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE INDEX reservation_by_rater ON reservation (rater_id);
CREATE INDEX reservation_until ON reservation (study_id, until);
CREATE TABLE rater_cursor (
    rater_id INTEGER NOT NULL, place INTEGER NOT NULL,
    PRIMARY KEY (rater_id), FOREIGN KEY(rater_id) REFERENCES rater (id)
);
