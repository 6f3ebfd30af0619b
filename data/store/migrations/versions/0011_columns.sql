-- Facts that stood inside other columns get columns of their own: the kind of a unit, the origin, run and
-- round of a judgement, whether a try was batched or replayed and in which currency it was paid, the kind of
-- every conflict. Rows sealed before keep their digest (data/schema/earlier_forms.py). Four projections and
-- the table of repeats get the names that the program calls them. Frozen.

CREATE TABLE unit_anew (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    conversation_id INTEGER NOT NULL,
    message INTEGER,
    kind TEXT NOT NULL,
    position INTEGER NOT NULL,
    criteria TEXT NOT NULL,
    trail INTEGER NOT NULL,
    UNIQUE (study_id, position),
    CONSTRAINT kind_known CHECK (kind IN ('listed', 'repeat')),
    CONSTRAINT what_is_listed_has_a_place_in_the_list CHECK ((kind = 'listed') = (position > 0)),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id)
);
INSERT INTO unit_anew (
    id, study_id, conversation_id, message, kind, position, criteria, trail
)
SELECT
    id,
    study_id,
    conversation_id,
    message,
    CASE WHEN position > 0 THEN 'listed' ELSE 'repeat' END,
    position,
    criteria,
    trail
FROM unit AS earlier
ORDER BY id;
DROP TABLE unit;
ALTER TABLE unit_anew RENAME TO unit;
CREATE INDEX unit_by_conversation ON unit (conversation_id, message);
CREATE TABLE judgement_anew (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    study_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    status TEXT NOT NULL,
    label TEXT,
    cited TEXT NOT NULL,
    anchor_round INTEGER NOT NULL,
    replicate INTEGER NOT NULL,
    reasoning_content INTEGER,
    reasoning_mac TEXT,
    origin TEXT NOT NULL,
    run_id INTEGER,
    file TEXT,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT a_failure_has_no_label CHECK ((status = 'ok') = (label IS NOT NULL)),
    CONSTRAINT rounds_and_replicates_count_from_0 CHECK (anchor_round >= 0 AND replicate >= 0),
    CONSTRAINT origin_known CHECK (origin IN ('run', 'ledger', 'import')),
    CONSTRAINT of_a_run_or_of_a_file
        CHECK ((origin = 'import') = (run_id IS NULL) AND (origin = 'import') = (file IS NOT NULL)),
    FOREIGN KEY(study_id) REFERENCES study (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(reasoning_content) REFERENCES content (id),
    FOREIGN KEY(run_id) REFERENCES judge_run (id)
);
INSERT INTO judgement_anew (
    id, study_id, unit_id, judge_id, criterion, status, label, cited, anchor_round, replicate,
    reasoning_content, reasoning_mac, origin, run_id, file, at, trail
)
SELECT
    earlier.id,
    earlier.study_id,
    earlier.unit_id,
    earlier.judge_id,
    earlier.criterion,
    earlier.status,
    earlier.label,
    earlier.cited,
    CASE WHEN earlier.replicate >= 2000000 THEN (earlier.replicate - 2000000) / 3 + 1 ELSE 0 END,
    CASE WHEN earlier.replicate >= 2000000 THEN (earlier.replicate - 2000000) % 3 ELSE earlier.replicate END,
    earlier.reasoning_content,
    earlier.reasoning_mac,
    CASE
        WHEN run_of.id IS NULL THEN 'import'
        WHEN earlier.source GLOB '*, answered before' THEN 'ledger'
        ELSE 'run'
    END,
    run_of.id,
    CASE WHEN run_of.id IS NULL THEN earlier.source END,
    earlier.at,
    earlier.trail
FROM judgement AS earlier
LEFT JOIN (
    -- A file may be called "run 3" too: of a run is what a judge said with whom that run was started.
    SELECT DISTINCT run_id AS id, judge_id, 'run ' || run_id AS source FROM run_event
    WHERE judge_id IS NOT NULL
) AS run_of
    ON earlier.source IN (run_of.source, run_of.source || ', answered before') AND run_of.judge_id = earlier.judge_id
ORDER BY earlier.id;
DROP TABLE judgement;
ALTER TABLE judgement_anew RENAME TO judgement;
CREATE INDEX judgement_by_judge
    ON judgement (study_id, judge_id, criterion, status, anchor_round, replicate, unit_id, label);
CREATE INDEX judgement_by_unit ON judgement (unit_id, judge_id, criterion, anchor_round, replicate);
CREATE UNIQUE INDEX one_label
    ON judgement (unit_id, judge_id, criterion, anchor_round, replicate) WHERE status = 'ok';
CREATE TABLE judge_attempt_anew (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    run_id INTEGER NOT NULL,
    judge_id INTEGER NOT NULL,
    unit_id INTEGER NOT NULL,
    criterion TEXT NOT NULL,
    anchor_round INTEGER NOT NULL,
    replicate INTEGER NOT NULL,
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
    CONSTRAINT rounds_and_replicates_count_from_0 CHECK (anchor_round >= 0 AND replicate >= 0),
    CONSTRAINT a_currency_of_a_price_list CHECK (currency IS NULL OR price_date IS NOT NULL),
    CONSTRAINT batched_and_replayed_are_flags CHECK (batched IN (0, 1) AND replayed IN (0, 1)),
    FOREIGN KEY(run_id) REFERENCES judge_run (id),
    FOREIGN KEY(judge_id) REFERENCES judge (id),
    FOREIGN KEY(unit_id) REFERENCES unit (id),
    FOREIGN KEY(reply_content) REFERENCES content (id)
);
INSERT INTO judge_attempt_anew (
    id, run_id, judge_id, unit_id, criterion, anchor_round, replicate, "key", tried, repair, status,
    detail, http, finish, served, response_id, safety, tokens_in, tokens_out, tokens_thought,
    tokens_cached, cost_nano, price_date, currency, latency_ms, adapter, batched, replayed,
    prompt_sha256, reply_content, reply_mac, at, trail
)
SELECT
    id,
    run_id,
    judge_id,
    unit_id,
    criterion,
    CASE WHEN replicate >= 2000000 THEN (replicate - 2000000) / 3 + 1 ELSE 0 END,
    CASE WHEN replicate >= 2000000 THEN (replicate - 2000000) % 3 ELSE replicate END,
    "key",
    tried,
    repair,
    status,
    detail,
    http,
    finish,
    served,
    response_id,
    safety,
    tokens_in,
    tokens_out,
    tokens_thought,
    tokens_cached,
    cost_nano,
    CASE
        WHEN price_of GLOB '* [A-Z][A-Z][A-Z]' THEN substr(price_of, 1, length(price_of) - 4)
        ELSE price_of
    END,
    CASE WHEN price_of GLOB '* [A-Z][A-Z][A-Z]' THEN substr(price_of, -3) END,
    latency_ms,
    CASE
        WHEN substr(adapter, -16) = ', in a batch job' THEN substr(adapter, 1, length(adapter) - 16)
        ELSE adapter
    END,
    substr(adapter, -16) = ', in a batch job',
    adapter GLOB 'replay *',
    prompt_sha256,
    reply_content,
    reply_mac,
    at,
    trail
FROM judge_attempt AS earlier
ORDER BY id;
DROP TABLE judge_attempt;
ALTER TABLE judge_attempt_anew RENAME TO judge_attempt;
CREATE INDEX attempt_by_key ON judge_attempt (judge_id, "key", status);
CREATE INDEX attempt_by_run ON judge_attempt (run_id, status);
CREATE INDEX attempt_by_unit ON judge_attempt (unit_id, judge_id, criterion, anchor_round, replicate);
CREATE TABLE conflict_anew (
    id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    rater_id INTEGER NOT NULL,
    conversation_id INTEGER,
    fact TEXT,
    value_content INTEGER,
    value_mac TEXT,
    kind TEXT NOT NULL,
    lifted INTEGER NOT NULL,
    at TEXT NOT NULL,
    trail INTEGER NOT NULL,
    CONSTRAINT a_conversation_or_a_fact CHECK ((conversation_id IS NULL) = (fact IS NOT NULL)),
    CONSTRAINT kind_known CHECK (kind IN ('stated', 'opened')),
    FOREIGN KEY(rater_id) REFERENCES rater (id),
    FOREIGN KEY(conversation_id) REFERENCES conversation (id),
    FOREIGN KEY(value_content) REFERENCES content (id)
);
INSERT INTO conflict_anew (
    id, rater_id, conversation_id, fact, value_content, value_mac, kind, lifted, at, trail
)
SELECT
    id,
    rater_id,
    conversation_id,
    fact,
    value_content,
    value_mac,
    coalesce(kind, 'stated'),
    lifted,
    at,
    trail
FROM conflict AS earlier
ORDER BY id;
DROP TABLE conflict;
ALTER TABLE conflict_anew RENAME TO conflict;
CREATE INDEX conflict_by_rater ON conflict (rater_id);
DROP TRIGGER IF EXISTS twin_no_update;
DROP TRIGGER IF EXISTS twin_no_delete;
ALTER TABLE twin RENAME TO repeat;
ALTER TABLE seat RENAME TO rater_progress;
ALTER TABLE walk RENAME TO rater_cursor;
DROP INDEX holding_until;
DROP INDEX holding_by_rater;
ALTER TABLE holding RENAME TO reservation;
CREATE INDEX reservation_by_rater ON reservation (rater_id);
CREATE INDEX reservation_until ON reservation (study_id, until);
DROP INDEX opening_free;
ALTER TABLE opening RENAME TO slot;
CREATE INDEX slot_free ON slot (study_id, place) WHERE taken < wanted;
