-- The tables of data/schema/metrics.py as they were in 0.3.0. Frozen.

CREATE TABLE reference (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, kind TEXT NOT NULL,
    scope TEXT NOT NULL, conversation_id INTEGER, version INTEGER NOT NULL, body_content INTEGER,
    body_mac TEXT, source TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('gold_steps', 'target_plan', 'critical_entities')),
    UNIQUE (study_id, kind, scope, version), FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(body_content) REFERENCES content (id)
);
CREATE TABLE run_output (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, case_key TEXT NOT NULL,
    mode TEXT NOT NULL, model TEXT NOT NULL, status TEXT NOT NULL, facts_content INTEGER, facts_mac TEXT,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id, case_key, mode, model), FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(facts_content) REFERENCES content (id)
);
CREATE TABLE metric_value (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, subject TEXT NOT NULL,
    conversation_id INTEGER, unit_id INTEGER, judge_id INTEGER, metric TEXT NOT NULL, variant TEXT NOT NULL,
    version TEXT NOT NULL, value FLOAT, undefined TEXT, detail TEXT NOT NULL, inputs TEXT NOT NULL,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT a_number_or_a_reason CHECK ((value IS NULL) = (undefined IS NOT NULL)),
    UNIQUE (study_id, subject, metric, variant, inputs), FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id)
);
CREATE INDEX metric_by_conversation ON metric_value (conversation_id, metric, variant);
