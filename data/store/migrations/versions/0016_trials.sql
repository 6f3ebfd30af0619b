-- Conversations that are trials of others (data/schema/trials.py), as it was when this step was made. Frozen.

CREATE TABLE trial (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    conversation_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL,
    request_attempt_id INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    number INTEGER NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT turns_and_trials_count_from_1 CHECK (turn >= 1 AND number >= 1),
    UNIQUE (conversation_id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(source_id) REFERENCES conversation (id),
    FOREIGN KEY(request_attempt_id) REFERENCES request_attempt (id)
);

CREATE INDEX trial_of_source ON trial (source_id);
