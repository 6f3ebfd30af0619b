"""Runs of an experiment in numbers: what a run table or a run folder says of each run, and average curves of
a model.

A run is known by its name. A later table may tell more of it (the depth of its slice beside its temperature),
and then a new version holds both; it may not tell otherwise. What a table leaves blank is None, never 0.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from sqlalchemy import Connection, func, select

from data import schema
from data.record.studies import Study
from data.store.trail import TrailEntry

Source = Literal["table", "folder", "curve"]
FACTS = ("model", "vignette", "temperature", "slice", "n_messages", "n_trials", "mode", "tier")
CLOSE = 1e-9  # two spellings of one number


@dataclass(frozen=True)
class RunCurve:
    """An average curve, one entry a turn, None for a turn without a value. `cases`: over how many it was
    averaged, None where untold.
    """

    values: tuple[float | None, ...]
    cases: int | None = None


@dataclass(frozen=True)
class RunSummary:
    """`numbers` by name, those that are known: jaccard_all, alignment_mean and the like, n_<strategy> and
    align_<strategy>.

    `source`: a table, a folder that was imported into the study (its numbers are computed from the study), or
    a curve, where `run` is the name of the model. `slice`: which cut of the dialogue, `n_messages`: how many
    messages stood before the reply.
    """

    run: str
    source: Source
    model: str | None = None
    vignette: str | None = None
    temperature: float | None = None
    slice: int | None = None
    n_messages: int | None = None
    n_trials: int | None = None
    mode: str | None = None
    tier: str | None = None
    numbers: Mapping[str, float] = field(default_factory=dict)
    curve: RunCurve | None = None


class ConflictingValue(Exception):
    """Another value stands for this run. `name`: of what; `there`, `now`: both values."""

    def __init__(self, name: str, there: object, now: object) -> None:
        super().__init__(f"{name} of this run is {there} in the study and {now} here")
        self.name, self.there, self.now = name, there, now


class RunSummaryTable:
    """The run summaries of a study as they are; `put` what is told, then `write` what is new of it."""

    def __init__(self, connection: Connection, study: Study) -> None:
        self._study = study
        self._there = _present(connection, study.id)
        self._new: dict[tuple[str, str], RunSummary] = {}

    def put(self, run_summary: RunSummary) -> bool:
        """Add what is stated about a run; return False if nothing of it is new.

        Raise ConflictingValue if another value is stored.
        """
        key = (run_summary.source, run_summary.run)
        before = self._new.get(key) or (self._there[key][1] if key in self._there else None)
        both = run_summary if before is None else _together(before, run_summary)
        if both == before:
            return False
        self._new[key] = both
        return True

    def write(self, entry: TrailEntry, file: str) -> None:
        """Write what was added since the last write, as coming from `file`."""
        entry.write_many(
            schema.run_summary, [self._row(key, run_summary, file) for key, run_summary in self._new.items()]
        )
        self._new = {}

    def _row(self, key: tuple[str, str], run_summary: RunSummary, file: str) -> dict[str, Any]:
        curve = (
            None
            if run_summary.curve is None
            else json.dumps({"values": run_summary.curve.values, "cases": run_summary.curve.cases})
        )
        return {
            "study_id": self._study.id,
            "run": run_summary.run,
            "source": run_summary.source,
            "version": self._there[key][0] + 1 if key in self._there else 1,
            **{name: getattr(run_summary, name) for name in FACTS},
            "numbers": json.dumps(dict(run_summary.numbers), sort_keys=True),
            "curve": curve,
            "file": file,
        }


def listing(connection: Connection, study_id: int) -> list[RunSummary]:
    """Return what is known of every run, in the order first stored."""
    return [run_summary for _, run_summary in _present(connection, study_id).values()]


def _present(connection: Connection, study_id: int) -> dict[tuple[str, str], tuple[int, RunSummary]]:
    table = schema.run_summary
    newest = (
        select(func.max(table.c.id)).where(table.c.study_id == study_id).group_by(table.c.source, table.c.run)
    )
    summaries = {}
    for row in connection.execute(select(table).where(table.c.id.in_(newest)).order_by(table.c.id)):
        curve_fields = json.loads(row.curve) if row.curve else None
        curve = RunCurve(tuple(curve_fields["values"]), curve_fields["cases"]) if curve_fields else None
        facts = {name: getattr(row, name) for name in FACTS}
        summaries[row.source, row.run] = (
            row.version,
            RunSummary(row.run, row.source, **facts, numbers=json.loads(row.numbers), curve=curve),
        )
    return summaries


def _together(before: RunSummary, run_summary: RunSummary) -> RunSummary:
    """Both in one, where they do not contradict each other."""
    earlier = {
        field.name: getattr(before, field.name) for field in fields(RunSummary) if field.name != "numbers"
    }
    more: dict[str, Any] = {}
    for name, earlier_value in earlier.items():
        more[name] = _one(name, earlier_value, getattr(run_summary, name))
    numbers = {
        name: _one(name, before.numbers.get(name), run_summary.numbers.get(name))
        for name in [*before.numbers, *run_summary.numbers]
    }
    return replace(before, **more, numbers=numbers)


def _one(name: str, there: Any, now: Any) -> Any:
    if there is None or now is None:
        return now if there is None else there
    if not _same(there, now):
        raise ConflictingValue(name, there, now)
    return there


def _same(there: Any, now: Any) -> bool:
    if isinstance(there, RunCurve) and isinstance(now, RunCurve):
        return (
            len(there.values) == len(now.values)
            and _same(there.cases, now.cases)
            and all(map(_same, there.values, now.values))
        )
    if isinstance(there, int | float) and isinstance(now, int | float):
        return math.isclose(there, now, rel_tol=0, abs_tol=CLOSE)
    return bool(there == now)
