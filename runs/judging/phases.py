"""A phase of a run: which units, which repetitions, and which criteria."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from data.record import anchors
from data.record.judge_runs import JudgeRunOptions
from data.store.store import Store
from runs.judging.calls import CallBuilder
from runs.judging.pending import PendingCalls, Wanted
from scoring.drift.anchor_answers import ANSWERS


@dataclass(frozen=True)
class RunPhase:
    """`wanted`: which criteria of a unit; None means all. `anchor_round`: from 1; 0 for questions of the
    study.
    """

    unit_ids: Sequence[int]
    replicates: Sequence[int]
    wanted: Wanted | None = None
    anchor_round: int = 0

    def in_rounds(self, caller: CallBuilder) -> bool:
        """Tell whether questions depend on answers, so that each round asks what follows from the one before.

        Failures are not asked again in a later round, so each round answers something new or is the last.
        """
        return caller.study.instrument.conditional and self.anchor_round == 0

    def pending(
        self,
        store: Store,
        caller: CallBuilder,
        judge_id: int,
        retry_failures: bool,
        whole_form: bool = False,
    ) -> PendingCalls:
        """Return the calls of this phase that are still to be made."""
        return PendingCalls(
            store,
            caller,
            judge_id,
            self.unit_ids,
            self.replicates,
            retry_failures,
            self.wanted,
            self.anchor_round,
            whole_form,
        )


def first_phase(
    store: Store, study_id: int, unit_ids: Sequence[int], caller: CallBuilder, options: JudgeRunOptions
) -> RunPhase:
    """Return what is asked before anything is drawn for repetition: `unit_ids` of the study; of its newest
    anchors only what is settled.
    """
    if options.anchor_round is None:
        return RunPhase(unit_ids, [0])
    with store.reading() as connection:
        anchor_set = anchors.newest(connection, study_id)
    labels, frozen = (anchor_set.labels, anchor_set.unit_ids) if anchor_set else ({}, [])
    return RunPhase(
        frozen,
        range(ANSWERS),
        lambda unit: [c for c in caller.asked(unit) if (unit.id, c.id) in labels],
        options.anchor_round,
    )
