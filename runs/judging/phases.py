"""What a run asks, phase by phase: the units of the study and what of them is drawn to be asked again, or a round of the anchors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data import anchors, units
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


def whole(store: Store, study_id: int) -> list[int]:
    with store.reading() as connection:
        return units.ids(connection, study_id)


def first_phases(store: Store, study_id: int, caller: Caller, options: Options) -> list[Phase]:
    """Without what is drawn to be asked again, which needs the first answers. Of the anchors only what is settled is asked."""
    if options.anchor_round is None:
        return [Phase(whole(store, study_id)[:options.limit], [0])]
    with store.reading() as connection:
        found = anchors.newest(connection, study_id)
    labels = found.labels if found else {}
    unit_ids = found.unit_ids if found else []
    return [Phase(unit_ids, replicates_of(options.anchor_round), lambda unit: [c for c in caller.asked(unit) if (unit.id, c.id) in labels])]
