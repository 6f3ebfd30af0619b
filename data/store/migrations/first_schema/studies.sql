-- The tables of data/schema/studies.py as they were in 0.3.0. Frozen.

CREATE TABLE instrument (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "key" TEXT NOT NULL, version TEXT NOT NULL,
    body TEXT NOT NULL, sha256 TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE ("key", version)
);
CREATE TABLE taxonomy (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "key" TEXT NOT NULL, version TEXT NOT NULL,
    body TEXT NOT NULL, sha256 TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE ("key", version)
);
CREATE TABLE study (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "key" TEXT NOT NULL, title TEXT NOT NULL,
    description TEXT NOT NULL, data_class TEXT NOT NULL, review TEXT NOT NULL, reveal TEXT NOT NULL,
    batch_size INTEGER NOT NULL, content_note TEXT NOT NULL, provenance TEXT NOT NULL,
    role_names TEXT NOT NULL, instrument_id INTEGER NOT NULL, taxonomy_id INTEGER, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT data_class_known CHECK (data_class IN ('synthetic', 'deidentified', 'phi')),
    CONSTRAINT review_known CHECK (review IN ('blind', 'open')),
    CONSTRAINT reveal_known CHECK (reveal IN ('after_batch', 'after_unit', 'never')), UNIQUE ("key"),
    FOREIGN KEY(instrument_id) REFERENCES instrument (id), FOREIGN KEY(taxonomy_id) REFERENCES taxonomy (id)
);
CREATE TABLE rater (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, name TEXT NOT NULL,
    kind TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id, name), CONSTRAINT kind_known CHECK (kind IN ('person', 'imported')),
    FOREIGN KEY(study_id) REFERENCES study (id)
);
CREATE TABLE rater_identity (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, rater_id INTEGER NOT NULL, person_id INTEGER NOT NULL,
    confirmed_by TEXT NOT NULL, source_content INTEGER, source_mac TEXT, at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (rater_id), FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(person_id) REFERENCES rater (id), FOREIGN KEY(source_content) REFERENCES content (id)
);
CREATE TABLE conversation (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, "key" TEXT NOT NULL,
    position INTEGER NOT NULL, messages INTEGER NOT NULL, turns INTEGER NOT NULL, facts_content INTEGER,
    facts_mac TEXT, transcript_content INTEGER, transcript_mac TEXT, trail INTEGER NOT NULL,
    UNIQUE (study_id, "key"), FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(facts_content) REFERENCES content (id),
    FOREIGN KEY(transcript_content) REFERENCES content (id)
);
CREATE TABLE unit (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL, message INTEGER, kind TEXT NOT NULL, position INTEGER NOT NULL,
    criteria TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (study_id, position), CONSTRAINT kind_known CHECK (kind IN ('listed', 'repeat')),
    CONSTRAINT what_is_listed_has_a_place_in_the_list CHECK ((kind = 'listed') = (position > 0)),
    FOREIGN KEY(study_id) REFERENCES study (id), FOREIGN KEY(conversation_id) REFERENCES conversation (id)
);
CREATE INDEX unit_by_conversation ON unit (conversation_id, message);
