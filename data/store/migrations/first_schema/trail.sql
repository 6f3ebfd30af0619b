-- The tables of data/schema/trail.py as they were in 0.3.0. Frozen.

CREATE TABLE content (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, conversation_id INTEGER, salt BLOB, text TEXT,
    CONSTRAINT of_a_conversation FOREIGN KEY(conversation_id) REFERENCES conversation (id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX content_of_conversation ON content (conversation_id) WHERE conversation_id IS NOT NULL;
CREATE TABLE trail (
    seq INTEGER NOT NULL, at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL, study INTEGER,
    detail TEXT NOT NULL, digest TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL,
    PRIMARY KEY (seq)
);
CREATE TABLE erasure (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, content_id INTEGER NOT NULL, reason_content INTEGER,
    reason_mac TEXT, at TEXT NOT NULL, trail INTEGER NOT NULL,
    FOREIGN KEY(content_id) REFERENCES content (id), FOREIGN KEY(reason_content) REFERENCES content (id)
);
