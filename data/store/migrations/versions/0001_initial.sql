-- The first form of the store. Frozen: a change is a new step beside it.

CREATE TABLE content (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    salt BLOB,
    text TEXT
);

CREATE TABLE instrument (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE ("key", version)
);

CREATE TABLE taxonomy (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    version TEXT NOT NULL,
    body TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE ("key", version)
);

CREATE TABLE trail (
    seq INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    study INTEGER,
    detail TEXT NOT NULL,
    digest TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (seq)
);

CREATE TABLE erasure (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    content_id INTEGER NOT NULL,
    reason_content INTEGER,
    reason_mac TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    FOREIGN KEY(content_id) REFERENCES content (id),
    FOREIGN KEY(reason_content) REFERENCES content (id)
);

CREATE TABLE study (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    "key" TEXT NOT NULL,
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    data_class TEXT NOT NULL,
    review TEXT NOT NULL,
    reveal TEXT NOT NULL,
    batch_size INTEGER NOT NULL,
    content_note TEXT NOT NULL,
    provenance TEXT NOT NULL,
    role_names TEXT NOT NULL,
    instrument_id INTEGER NOT NULL,
    taxonomy_id INTEGER,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT data_class_known CHECK (data_class IN ('synthetic', 'deidentified', 'phi')),
    CONSTRAINT review_known CHECK (review IN ('blind', 'open')),
    CONSTRAINT reveal_known CHECK (reveal IN ('after_batch', 'after_unit', 'never')),
    UNIQUE ("key"),
    FOREIGN KEY(instrument_id) REFERENCES instrument (id),
    FOREIGN KEY(taxonomy_id) REFERENCES taxonomy (id)
);

CREATE TABLE conversation (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    position INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    facts_content INTEGER,
    facts_mac TEXT,
    transcript_content INTEGER,
    transcript_mac TEXT,
    trail INTEGER NOT NULL,
    UNIQUE (study_id, "key"),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(facts_content) REFERENCES content (id),
    FOREIGN KEY(transcript_content) REFERENCES content (id)
);

CREATE TABLE judge (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    name TEXT NOT NULL,
    identity TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (study_id, sha256),
    FOREIGN KEY(study_id) REFERENCES study (id)
);

CREATE TABLE rater (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (study_id, name),
    CONSTRAINT kind_known CHECK (kind IN ('person', 'imported')),
    FOREIGN KEY(study_id) REFERENCES study (id)
);

CREATE TABLE seat (
    rater_id INTEGER NOT NULL,
    frontier INTEGER NOT NULL,
    committed INTEGER NOT NULL,
    reveals INTEGER NOT NULL,
    PRIMARY KEY (rater_id),
    FOREIGN KEY(rater_id) REFERENCES rater (id)
);

CREATE TABLE unit (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL,
    message INTEGER,
    position INTEGER NOT NULL,
    criteria TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (study_id, position),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id)
);

CREATE INDEX unit_by_conversation ON unit (conversation_id, message);

CREATE TABLE draft (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    label TEXT,
    cannot_rate TEXT,
    also TEXT NOT NULL,
    confidence INTEGER,
    evidence TEXT NOT NULL,
    note_content INTEGER,
    note_mac TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (event),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(note_content) REFERENCES content (id)
);

CREATE INDEX draft_by_unit ON draft (rater_id, unit_id, criterion);

CREATE TABLE exposure (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    rater_id INTEGER NOT NULL,
    unit_id INTEGER,
    judge_id INTEGER,
    kind TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('reveal', 'open', 'page')),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id)
);

CREATE INDEX exposure_by_rater ON exposure (rater_id, unit_id, kind);

CREATE TABLE judgement (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    status TEXT NOT NULL,
    label TEXT,
    cited TEXT NOT NULL,
    replicate INTEGER NOT NULL,
    reasoning_content INTEGER,
    reasoning_mac TEXT,
    source TEXT NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (unit_id, judge_id, criterion, replicate),
    CONSTRAINT a_failure_has_no_label CHECK ((status = 'ok') = (label IS NOT NULL)),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(reasoning_content) REFERENCES content (id)
);

CREATE INDEX judgement_by_judge ON judgement (study_id, judge_id, criterion, status, replicate, unit_id, label);

CREATE TABLE progress (
    rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    position INTEGER NOT NULL,
    state TEXT NOT NULL,
    UNIQUE (rater_id, unit_id),
    CONSTRAINT state_known CHECK (state IN ('begun', 'skipped', 'committed', 'compared')),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);

CREATE INDEX progress_by_position ON progress (rater_id, position, state);

CREATE INDEX progress_by_state ON progress (rater_id, state, position);

CREATE TABLE rating (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    study_id INTEGER NOT NULL,
    rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    label TEXT,
    cannot_rate TEXT,
    source TEXT NOT NULL,
    exposure TEXT NOT NULL,
    reveals_before INTEGER NOT NULL,
    also TEXT NOT NULL,
    confidence INTEGER,
    evidence TEXT NOT NULL,
    note_content INTEGER,
    note_mac TEXT,
    replaces INTEGER,
    reason_content INTEGER,
    reason_mac TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT source_known CHECK (source IN ('given', 'rule', 'imported')),
    CONSTRAINT exposure_known CHECK (exposure IN ('blind', 'revealed', 'open', 'page', 'judge_visible', 'unknown')),
    CONSTRAINT cannot_rate_is_not_a_label CHECK (label IS NULL OR cannot_rate IS NULL),
    UNIQUE (event),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(note_content) REFERENCES content (id),
    FOREIGN KEY(replaces) REFERENCES rating (id),
    FOREIGN KEY(reason_content) REFERENCES content (id)
);

CREATE INDEX rating_by_unit ON rating (rater_id, unit_id, criterion);

CREATE INDEX rating_for_agreement ON rating (study_id, criterion, exposure, unit_id, rater_id, label, source);

CREATE INDEX rating_replaced ON rating (replaces);

CREATE TABLE response (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    kind TEXT NOT NULL,
    value TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT kind_known CHECK (kind IN ('keep', 'change', 'reasoning')),
    UNIQUE (event),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id)
);

CREATE INDEX response_by_unit ON response (rater_id, unit_id);

CREATE TABLE unit_commit (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (rater_id, unit_id),
    UNIQUE (event),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);
