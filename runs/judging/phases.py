"""A phase of a run: which units, which askings of each, which of their criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data import anchors
from data.judge_runs import Options
from data.store import Store
from runs.judging.calls import Caller
from runs.judging.pending import Pending, Wanted
from scoring.drift.on_anchors import replicates_of


@dataclass(frozen=True)
class Phase:
    """`wanted` None: every criterion of a unit."""

    unit_ids: Sequence[int]
    replicates: Sequence[int]
    wanted: Wanted | None = None

    def pending(self, store: Store, caller: Caller, judge_id: int, retry_failures: bool) -> Pending:
        return Pending(store, caller, judge_id, self.unit_ids, self.replicates, retry_failures, self.wanted)


def first_phase(
    store: Store, study_id: int, unit_ids: Sequence[int], caller: Caller, options: Options
) -> Phase:
    """What is asked before anything is drawn to be asked again: `unit_ids` of the study, or of its newest
    anchors only what is settled.
    """
    if options.anchor_round is None:
        return Phase(unit_ids, [0])
    with store.reading() as connection:
        found = anchors.newest(connection, study_id)
    labels, frozen = (found.labels, found.unit_ids) if found else ({}, [])
    return Phase(
        frozen,
        replicates_of(options.anchor_round),
        lambda unit: [c for c in caller.asked(unit) if (unit.id, c.id) in labels],
    )
