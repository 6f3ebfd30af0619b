-- The tables of data/schema/trials.py as they were in 0.3.0. Frozen.

CREATE TABLE trial (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER NOT NULL,
    source_id INTEGER NOT NULL, attempt_id INTEGER NOT NULL, turn INTEGER NOT NULL, number INTEGER NOT NULL,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT turns_and_trials_count_from_1 CHECK (turn >= 1 AND number >= 1), UNIQUE (conversation_id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(source_id) REFERENCES conversation (id), FOREIGN KEY(attempt_id) REFERENCES attempt (id)
);
CREATE INDEX trial_of_source ON trial (source_id);
