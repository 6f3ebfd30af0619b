-- What models are asked beside the judgements of units (data/schema/requests.py), as it was when this step was made. Frozen.

CREATE TABLE asked_model (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    identity TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (sha256)
);

CREATE TABLE request_attempt (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL,
    asked_model_id INTEGER NOT NULL,
    purpose TEXT NOT NULL,
    answer TEXT,
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
    price_date TEXT,
    currency TEXT,
    latency_ms INTEGER NOT NULL,
    adapter TEXT NOT NULL,
    batched INTEGER NOT NULL,
    replayed INTEGER NOT NULL,
    prompt_sha256 TEXT NOT NULL,
    reply_content INTEGER,
    reply_mac TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT purpose_known CHECK (purpose IN ('entailment', 'trial')),
    CONSTRAINT only_entailment_has_an_answer CHECK ((answer IS NOT NULL) = (purpose = 'entailment' AND status = 'ok')),
    CONSTRAINT answer_known CHECK (answer IS NULL OR answer IN ('entailment', 'neutral', 'contradiction')),
    CONSTRAINT a_currency_of_a_price_list CHECK (currency IS NULL OR price_date IS NOT NULL),
    CONSTRAINT batched_and_replayed_are_flags CHECK (batched IN (0, 1) AND replayed IN (0, 1)),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(asked_model_id) REFERENCES asked_model (id),
    FOREIGN KEY(reply_content) REFERENCES content (id)
);

CREATE INDEX request_by_key ON request_attempt (asked_model_id, "key", status);

CREATE INDEX request_of_conversation ON request_attempt (conversation_id);
