-- Raters whose labels a study lead leaves out of the headline (data/schema/work.py), as it was when this step was made. Frozen.

CREATE TABLE set_aside (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    rater_id INTEGER NOT NULL,
    back INTEGER NOT NULL,
    decided_by TEXT NOT NULL,
    reason_content INTEGER,
    reason_mac TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(reason_content) REFERENCES content (id)
);

CREATE INDEX set_aside_by_rater ON set_aside (rater_id);
