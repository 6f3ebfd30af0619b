-- The tables of data/schema/judging.py as they were in 0.3.0. Frozen.

CREATE TABLE judge_prompt (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "key" TEXT NOT NULL, version TEXT NOT NULL,
    body TEXT NOT NULL, sha256 TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (sha256)
);
CREATE TABLE judge_run (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, judge_name TEXT NOT NULL,
    asked_from TEXT NOT NULL, options TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE TABLE run_event (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, run_id INTEGER NOT NULL, judge_id INTEGER,
    kind TEXT NOT NULL, detail TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('started', 'served', 'cancel', 'batch', 'batch_name', 'batch_ended', 'ended')),
    FOREIGN KEY(run_id) REFERENCES judge_run (id), FOREIGN KEY(judge_id) REFERENCES judge (id)
);
CREATE INDEX event_of_run ON run_event (run_id, kind);
CREATE TABLE replicated (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, judge_id INTEGER NOT NULL, unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL, arm TEXT NOT NULL, times INTEGER NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT arm_known CHECK (arm IN ('random', 'safety')), UNIQUE (judge_id, unit_id, criterion, arm),
    FOREIGN KEY(judge_id) REFERENCES judge (id), FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE TABLE run_progress (
    run_id INTEGER NOT NULL, pid INTEGER NOT NULL, beat TEXT NOT NULL, done INTEGER NOT NULL,
    total INTEGER NOT NULL, in_flight INTEGER NOT NULL, at_once INTEGER NOT NULL, note TEXT NOT NULL,
    PRIMARY KEY (run_id), FOREIGN KEY(run_id) REFERENCES judge_run (id)
);
CREATE TABLE worker_beat (
    id INTEGER NOT NULL, pid INTEGER NOT NULL, beat TEXT NOT NULL,
    PRIMARY KEY (id)
);
