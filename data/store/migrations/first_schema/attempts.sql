-- The tables of data/schema/attempts.py as they were in 0.3.0. Frozen.

CREATE TABLE asked_model (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, identity TEXT NOT NULL,
    sha256 TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (sha256)
);
CREATE TABLE attempt (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL, purpose TEXT NOT NULL, run_id INTEGER, judge_id INTEGER,
    unit_id INTEGER, criterion TEXT, anchor_round INTEGER, replicate INTEGER, asked_model_id INTEGER,
    answer TEXT, "key" TEXT NOT NULL, tried INTEGER NOT NULL, repair INTEGER NOT NULL, status TEXT NOT NULL,
    detail TEXT NOT NULL, http INTEGER, finish TEXT, served TEXT, response_id TEXT, safety TEXT NOT NULL,
    tokens_in INTEGER, tokens_out INTEGER, tokens_thought INTEGER, tokens_cached INTEGER, cost_nano INTEGER,
    price_date TEXT, currency TEXT, latency_ms INTEGER NOT NULL, adapter TEXT NOT NULL,
    batched INTEGER NOT NULL, replayed INTEGER NOT NULL, prompt_sha256 TEXT NOT NULL, reply_content INTEGER,
    reply_mac TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT purpose_known CHECK (purpose IN ('judgement', 'entailment', 'trial')),
    CONSTRAINT of_a_judge_or_of_a_model CHECK ((purpose = 'judgement') = (run_id IS NOT NULL) AND (purpose = 'judgement') = (judge_id IS NOT NULL) AND (purpose = 'judgement') = (unit_id IS NOT NULL) AND (purpose = 'judgement') = (criterion IS NOT NULL) AND (purpose = 'judgement') = (anchor_round IS NOT NULL) AND (purpose = 'judgement') = (replicate IS NOT NULL) AND (purpose = 'judgement') = (asked_model_id IS NULL)),
    CONSTRAINT rounds_and_replicates_count_from_0 CHECK (anchor_round >= 0 AND replicate >= 0),
    CONSTRAINT only_entailment_has_an_answer CHECK ((answer IS NOT NULL) = (purpose = 'entailment' AND status = 'ok')),
    CONSTRAINT answer_known CHECK (answer IS NULL OR answer IN ('entailment', 'neutral', 'contradiction')),
    CONSTRAINT a_currency_of_a_price_list CHECK (currency IS NULL OR price_date IS NOT NULL),
    CONSTRAINT batched_and_replayed_are_flags CHECK (batched IN (0, 1) AND replayed IN (0, 1)),
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(run_id) REFERENCES judge_run (id), FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id), FOREIGN KEY(asked_model_id) REFERENCES asked_model (id),
    FOREIGN KEY(reply_content) REFERENCES content (id)
);
CREATE INDEX attempt_by_key ON attempt (judge_id, "key", status) WHERE judge_id IS NOT NULL;
CREATE INDEX attempt_by_run ON attempt (run_id, status) WHERE run_id IS NOT NULL;
CREATE INDEX attempt_by_unit ON attempt (unit_id, judge_id, criterion, anchor_round, replicate) WHERE unit_id IS NOT NULL;
CREATE INDEX request_by_key ON attempt (asked_model_id, "key", status) WHERE asked_model_id IS NOT NULL;
