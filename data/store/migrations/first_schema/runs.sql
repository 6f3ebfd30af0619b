-- The tables of data/schema/runs.py as they were in 0.3.0. Frozen.

CREATE TABLE run_summary (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, run TEXT NOT NULL,
    source TEXT NOT NULL, version INTEGER NOT NULL, model TEXT, vignette TEXT, temperature FLOAT,
    slice INTEGER, n_messages INTEGER, n_trials INTEGER, mode TEXT, tier TEXT, numbers TEXT NOT NULL,
    curve TEXT, file TEXT NOT NULL, at TEXT NOT NULL, trail INTEGER NOT NULL,
    CONSTRAINT source_known CHECK (source IN ('table', 'folder', 'curve')),
    CONSTRAINT only_a_curve_has_one CHECK ((source = 'curve') = (curve IS NOT NULL)),
    UNIQUE (study_id, source, run, version), FOREIGN KEY(study_id) REFERENCES study (id)
);
