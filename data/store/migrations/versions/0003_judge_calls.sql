-- The ledger of judge calls. `judgement` is made anew without the rule that a failure is the last word. Frozen.

CREATE TABLE judgement_anew (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    status TEXT NOT NULL,
    label TEXT,
    cited TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    reasoning_content INTEGER,
    reasoning_mac TEXT,
    source TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT a_failure_has_no_label CHECK ((status = 'ok') = (label IS NOT NULL)),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(reasoning_content) REFERENCES content (id)
);
INSERT INTO judgement_anew (id, study_id, unit_id, judge_id, criterion, status, label, cited, replicate, reasoning_content, reasoning_mac, source, at, trail) SELECT id, study_id, unit_id, judge_id, criterion, status, label, cited, replicate, reasoning_content, reasoning_mac, source, at, trail FROM judgement ORDER BY id;
DROP TABLE judgement;
ALTER TABLE judgement_anew RENAME TO judgement;
CREATE INDEX judgement_by_judge ON judgement (study_id, judge_id, criterion, status, replicate, unit_id, label);
CREATE INDEX judgement_by_unit ON judgement (unit_id, judge_id, criterion, replicate);
CREATE UNIQUE INDEX one_label ON judgement (unit_id, judge_id, criterion, replicate) WHERE status = 'ok';
CREATE TABLE judge_prompt (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (sha256)
);
CREATE TABLE judge_run (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    judge_name TEXT NOT NULL,
    asked_from TEXT NOT NULL,
    options TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE TABLE run_event (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL,
    judge_id INTEGER,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('started', 'served', 'cancel', 'batch', 'batch_name', 'batch_ended', 'ended')),
    FOREIGN KEY(run_id) REFERENCES judge_run (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id)
);
CREATE INDEX event_of_run ON run_event (run_id, kind);
CREATE TABLE judge_attempt (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    tried INTEGER NOT NULL,
    repair INTEGER NOT NULL,
    status TEXT NOT NULL,
    detail TEXT NOT NULL,
    http INTEGER,
    finish TEXT,
    served TEXT,
    response_id TEXT,
    safety TEXT NOT NULL,
    tokens_in INTEGER,
    tokens_out INTEGER,
    tokens_thought INTEGER,
    tokens_cached INTEGER,
    cost_nano INTEGER,
    price_of TEXT,
    latency_ms INTEGER NOT NULL,
    adapter TEXT NOT NULL,
    prompt_sha256 TEXT NOT NULL,
    reply_content INTEGER,
    reply_mac TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    FOREIGN KEY(run_id) REFERENCES judge_run (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(reply_content) REFERENCES content (id)
);
CREATE INDEX attempt_by_key ON judge_attempt (judge_id, "key", status);
CREATE INDEX attempt_by_run ON judge_attempt (run_id, status);
CREATE INDEX attempt_by_unit ON judge_attempt (unit_id, judge_id, criterion, replicate);
CREATE TABLE replicated (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    judge_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    arm TEXT NOT NULL,
    times INTEGER NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT arm_known CHECK (arm IN ('random', 'safety')),
    UNIQUE (judge_id, unit_id, criterion, arm),
    FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);
CREATE TABLE run_progress (
    run_id INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    beat TEXT NOT NULL,
    done INTEGER NOT NULL,
    total INTEGER NOT NULL,
    in_flight INTEGER NOT NULL,
    at_once INTEGER NOT NULL,
    note TEXT NOT NULL,
    PRIMARY KEY (run_id),
    FOREIGN KEY(run_id) REFERENCES judge_run (id)
);
CREATE TABLE worker_beat (
    id INTEGER NOT NULL,
    pid INTEGER NOT NULL,
    beat TEXT NOT NULL,
    PRIMARY KEY (id)
);
