-- The tables of data/schema/step_pairs.py as they were in 0.3.0. Frozen.

CREATE TABLE step_pair_rating (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, inputs TEXT NOT NULL, model_step INTEGER NOT NULL, gold_step INTEGER NOT NULL,
    shared INTEGER NOT NULL, words INTEGER NOT NULL, verdict TEXT NOT NULL, replaces INTEGER,
    at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT verdict_known CHECK (verdict IN ('right', 'partly', 'wrong')),
    CONSTRAINT shared_words_are_words_of_both CHECK (shared >= 0 AND 2 * shared <= words), UNIQUE (event),
    FOREIGN KEY(rater_id) REFERENCES rater (id), FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(replaces) REFERENCES step_pair_rating (id)
);
CREATE INDEX step_pair_rating_by_rater ON step_pair_rating (rater_id, unit_id);
CREATE INDEX step_pair_rating_by_unit ON step_pair_rating (unit_id);
CREATE TABLE step_exposure (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, event TEXT NOT NULL, rater_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL, inputs TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    UNIQUE (rater_id, unit_id, inputs), UNIQUE (event), FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id)
);
