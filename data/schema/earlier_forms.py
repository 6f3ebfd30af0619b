"""How rows were sealed by earlier programs: the digest of a row covers the columns that its table had then,
and a row is never sealed anew.

A table whose columns changed says for each earlier form how the row of then is spelled from the columns of
now, in SQL, so that the trail is checked as it was written (data/keeping/sealed_rows.py), and what the
columns of now have to be, given the row of then, so that no column escapes the check
(data/keeping/earlier_rows.py). The migration that changed the form notes in the trail up
to which entry rows have the earlier one (data/store/trail.py).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Table


@dataclass(frozen=True)
class EarlierForm:
    """The form that rows of a table had before the step `before`.

    `table`: the table's name then. `columns`: each column of then, in its order, with the SQL expression over
    the columns of now that gives its value. `named`: columns that came to a table without a new form and were
    sealed behind the others by name, where they had a value. `derived`: for each column of now that is not
    simply one of then, the SQL expression that gives its value from the row of then, which is called
    `earlier`.
    """

    before: str
    table: str
    columns: Mapping[str, str]
    named: Sequence[str] = ()
    derived: Mapping[str, str] = field(default_factory=dict)


def unchanged(*names: str) -> dict[str, str]:
    """Columns that are now what they were."""
    return {name: name for name in names}


def earlier_forms(table: Table) -> Sequence[EarlierForm]:
    """The oldest first."""
    forms: Sequence[EarlierForm] = table.info.get("earlier_forms", ())
    return forms


_FIRST_ANCHOR_ANSWER, _ANSWERS = 2_000_000, 3  # of a round of anchors, as replicates were numbered
_NUMBERED_REPLICATE = (
    f"CASE WHEN anchor_round > 0 THEN {_FIRST_ANCHOR_ANSWER} + (anchor_round - 1) * {_ANSWERS} + replicate "
    "ELSE replicate END"
)
_ROUND = (
    f"CASE WHEN replicate >= {_FIRST_ANCHOR_ANSWER} "
    f"THEN (replicate - {_FIRST_ANCHOR_ANSWER}) / {_ANSWERS} + 1 ELSE 0 END"
)
_REPLICATE = (
    f"CASE WHEN replicate >= {_FIRST_ANCHOR_ANSWER} "
    f"THEN (replicate - {_FIRST_ANCHOR_ANSWER}) % {_ANSWERS} ELSE replicate END"
)
_BATCH_MARK = ", in a batch job"  # at the end of the adapter
_IN_BATCH = f"substr(adapter, -{len(_BATCH_MARK)}) = '{_BATCH_MARK}'"
_HAS_CURRENCY = "price_of GLOB '* [A-Z][A-Z][A-Z]'"
_LEDGER_MARK = ", answered before"  # at the end of the source
# The run of a judgement, and not a file that is called so: it was started with this judge.
_RUN = (
    "(SELECT event.run_id FROM run_event AS event WHERE event.run_id = CAST(substr(earlier.source, 5) AS "
    "INTEGER) "
    "AND event.judge_id = earlier.judge_id AND earlier.source IN "
    f"('run ' || event.run_id, 'run ' || event.run_id || '{_LEDGER_MARK}'))"
)

UNIT = EarlierForm(
    "0011",
    "unit",
    unchanged("id", "study_id", "conversation_id", "message", "position", "criteria", "trail"),
    derived={"kind": "CASE WHEN position > 0 THEN 'listed' ELSE 'repeat' END"},
)
JUDGEMENT = EarlierForm(
    "0011",
    "judgement",
    {
        **unchanged("id", "study_id", "unit_id", "judge_id", "criterion", "status", "label", "cited"),
        "replicate": _NUMBERED_REPLICATE,
        **unchanged("reasoning_content", "reasoning_mac"),
        "source": "CASE origin WHEN 'run' THEN 'run ' || run_id "
        f"WHEN 'ledger' THEN 'run ' || run_id || '{_LEDGER_MARK}' ELSE file END",
        **unchanged("at", "trail"),
    },
    derived={
        "anchor_round": _ROUND,
        "replicate": _REPLICATE,
        "origin": f"CASE WHEN {_RUN} IS NULL THEN 'import' "
        f"WHEN source GLOB '*{_LEDGER_MARK}' THEN 'ledger' ELSE 'run' END",
        "run_id": _RUN,
        "file": f"CASE WHEN {_RUN} IS NULL THEN source END",
    },
)
JUDGE_ATTEMPT = EarlierForm(
    "0011",
    "judge_attempt",
    {
        **unchanged("id", "run_id", "judge_id", "unit_id", "criterion"),
        "replicate": _NUMBERED_REPLICATE,
        **unchanged("key", "tried", "repair", "status", "detail", "http", "finish", "served", "response_id"),
        **unchanged("safety", "tokens_in", "tokens_out", "tokens_thought", "tokens_cached", "cost_nano"),
        "price_of": "price_date || coalesce(' ' || currency, '')",
        "latency_ms": "latency_ms",
        "adapter": f"adapter || CASE WHEN batched = 1 THEN '{_BATCH_MARK}' ELSE '' END",
        **unchanged("prompt_sha256", "reply_content", "reply_mac", "at", "trail"),
    },
    derived={
        "anchor_round": _ROUND,
        "replicate": _REPLICATE,
        "price_date": f"CASE WHEN {_HAS_CURRENCY} THEN substr(price_of, 1, length(price_of) - 4) "
        "ELSE price_of END",
        "currency": f"CASE WHEN {_HAS_CURRENCY} THEN substr(price_of, -3) END",
        "adapter": f"CASE WHEN {_IN_BATCH} THEN substr(adapter, 1, length(adapter) - {len(_BATCH_MARK)}) "
        "ELSE adapter END",
        "batched": _IN_BATCH,
        "replayed": "adapter GLOB 'replay *'",
    },
)
REPEAT = EarlierForm(
    "0011", "twin", unchanged("id", "unit_id", "of_unit_id", "why", "calibration_id", "trail")
)
_CONFLICT_COLUMNS = unchanged(
    *("id", "rater_id", "conversation_id", "fact", "value_content", "value_mac", "lifted", "at", "trail")
)
# The kind of a conflict came with step 0007, first as a column that was sealed by its name.
CONFLICT = (
    EarlierForm("0007", "conflict", _CONFLICT_COLUMNS, derived={"kind": "'stated'"}),
    EarlierForm("0011", "conflict", _CONFLICT_COLUMNS, named=("kind",)),
)
