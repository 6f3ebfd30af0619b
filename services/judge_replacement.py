"""Replacing the judge in use: both judges compared on the anchors, and the decision."""

from __future__ import annotations

from dataclasses import dataclass

from data.record.adoptions import AdoptionEvidence, adopt
from data.store.errors import Refused
from data.store.store import Store
from scoring.drift.anchor_answers import RoundDifference, difference, share_right
from scoring.drift.judge_replacement import ReplacementComparison, compare_answers
from services.anchors import AnchorDrift, on_anchors


@dataclass(frozen=True)
class JudgeReplacement:
    """The last rounds of both judges on the newest anchors. `judge_in_use`: None if there is none yet."""

    anchors: AnchorDrift
    judge_in_use: int | None
    new_judge: int
    comparison: ReplacementComparison
    difference: RoundDifference

    @property
    def has_answered(self) -> bool:
        """Tell whether the new judge was asked about the anchors."""
        return bool(self.anchors.latest(self.new_judge))

    @property
    def evidence(self) -> AdoptionEvidence:
        """Return what the page shows, as it is recorded with a decision."""
        drift, both = self.anchors, self.difference
        untried = bool(drift.failure) and not self.comparison.failures
        if self.judge_in_use is None:
            alone = share_right(drift.latest(self.new_judge))
            return AdoptionEvidence(
                unclear=sum(failure.now == "unclear" for failure in self.comparison.failures),
                untried=untried,
                labels=alone.n,
                right=alone.value,
            )
        return AdoptionEvidence(
            len(self.comparison.missed),
            len(self.comparison.caught),
            len(self.comparison.unclear),
            untried,
            both.labels,
            both.first.value,
            both.second.value,
        )


def compare_replacement(drift: AnchorDrift, new_judge: int) -> JudgeReplacement:
    """Compare the new judge with the one in use, or show it alone. `new_judge`: its id."""
    old = drift.latest(drift.judge_in_use) if drift.judge_in_use is not None else []
    new = drift.latest(new_judge)
    answered = {answer.key for answer in new}
    labels = drift.newest.labels if drift.newest else {}
    unasked = [
        (drift.position[unit], criterion, label)
        for (unit, criterion), label in labels.items()
        if unit in drift.readable and (drift.position[unit], criterion) not in answered
    ]
    return JudgeReplacement(
        drift,
        drift.judge_in_use,
        new_judge,
        compare_answers(old, new, drift.is_failure, unasked),
        difference(old, new),
    )


def adopt_judge(store: Store, actor: str, seen: JudgeReplacement, by: str, reason: str) -> None:
    """Use the new judge from now on.

    Raise Refused as `adopt` does, and if answers since `seen` change the comparison.
    """
    study = seen.anchors.study
    with store.writing(actor, "decide on a judge", study.id) as (connection, entry):
        now = compare_replacement(on_anchors(connection, study), seen.new_judge)
        if (now.judge_in_use, now.comparison, now.evidence, now.difference) != (
            seen.judge_in_use,
            seen.comparison,
            seen.evidence,
            seen.difference,
        ):
            raise Refused("comparison_changed_meanwhile")
        adopt(connection, entry, study, seen.new_judge, seen.evidence, by, reason, seen.judge_in_use)
