-- Imported raters of whom a study lead confirmed that they are a rater of the study (data/schema/rating.py), as it was when this step was made. Frozen.

CREATE TABLE rater_identity (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    rater_id INTEGER NOT NULL,
    person_id INTEGER NOT NULL,
    confirmed_by TEXT NOT NULL,
    source_content INTEGER,
    source_mac TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (rater_id),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(person_id) REFERENCES rater (id),
    FOREIGN KEY(source_content) REFERENCES content (id)
);
