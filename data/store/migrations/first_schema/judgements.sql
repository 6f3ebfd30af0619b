-- The tables of data/schema/judgements.py as they were in 0.3.0. Frozen.

CREATE TABLE judge (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    name TEXT NOT NULL, identity TEXT NOT NULL, sha256 TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id, sha256), FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE TABLE judgement (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, unit_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL, criterion TEXT NOT NULL, status TEXT NOT NULL, label TEXT, cited TEXT NOT NULL,
    anchor_round INTEGER NOT NULL, replicate INTEGER NOT NULL, reasoning_content INTEGER, reasoning_mac TEXT,
    origin TEXT NOT NULL, run_id INTEGER, file TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT a_failure_has_no_label CHECK ((status = 'ok') = (label IS NOT NULL)),
    CONSTRAINT rounds_and_replicates_count_from_0 CHECK (anchor_round >= 0 AND replicate >= 0),
    CONSTRAINT origin_known CHECK (origin IN ('run', 'ledger', 'import')),
    CONSTRAINT of_a_run_or_of_a_file CHECK ((origin = 'import') = (run_id IS NULL) AND (origin = 'import') = (file IS NOT NULL)),
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id), FOREIGN KEY(reasoning_content) REFERENCES content (id),
    FOREIGN KEY(run_id) REFERENCES judge_run (id)
);
CREATE INDEX judgement_by_judge ON judgement (study_id, judge_id, criterion, status, anchor_round, replicate, unit_id, label);
CREATE INDEX judgement_by_unit ON judgement (unit_id, judge_id, criterion, anchor_round, replicate);
CREATE UNIQUE INDEX one_label ON judgement (unit_id, judge_id, criterion, anchor_round, replicate) WHERE status = 'ok';
CREATE TABLE quotation_count (
    judgement_id INTEGER NOT NULL, rule INTEGER NOT NULL, unicode TEXT NOT NULL, quotations INTEGER NOT NULL,
    missing TEXT NOT NULL,
    PRIMARY KEY (judgement_id), CONSTRAINT no_fewer_than_none CHECK (quotations >= 0),
    FOREIGN KEY(judgement_id) REFERENCES judgement (id)
);
