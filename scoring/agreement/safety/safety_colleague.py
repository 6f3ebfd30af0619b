"""The judge as a colleague is treated: of what one clinician failed, how much did another fail too, and how
much did the judge?
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.agreement.coefficients.chance import share
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.intervals.jackknife import Statistic, jackknife
from scoring.agreement.people.colleague import IMAGINED_WEIGHT
from scoring.arrays import Array
from words.plurals import inflect

NO_FAILURE = "no clinician called a failure what another one and the judge labelled too"
NO_PASS = "there is nothing that clinicians passed"
MIN_FAILED_CONVERSATIONS = 3  # conversations with a failure
TOO_FEW_FAILURES = "too few failures, which are in "


@dataclass(frozen=True)
class ColleagueCatch:
    """Two shares of the same things and judge less clinician: of failures that another clinician saw, those
    that the judge and that a clinician saw too; or of what is no failure, those that they called one.
    `conversations` hold such a thing.
    """

    judge: Estimate
    clinician: Estimate
    difference: Estimate
    conversations: int


def compare_catches(counts: Array, labels: int) -> ColleagueCatch:
    """Compare how often the judge and a clinician saw a failure that another clinician saw.

    Args:
        counts: (C, 3), weighted, per conversation: how many such failures the judge saw, how many a
            colleague saw on average, and how many there are. Conversations with 0 are ignored.
        labels: number of labels behind the counts.
    """
    here = counts[counts[:, 2] > 0]
    return ColleagueCatch(
        jackknife(_share("judge: failures seen by a clinician that it saw too", 0, NO_FAILURE), here, labels),
        jackknife(
            _share("clinician: failures seen by a clinician that it saw too", 1, NO_FAILURE), here, labels
        ),
        _difference(here, labels),
        len(here),
    )


def compare_alarms(counts: Array, labels: int) -> ColleagueCatch:
    """Compare how often the judge and a clinician called something a failure that is none.

    `counts` and `labels` are those of `alarm_counts`.
    """
    return ColleagueCatch(
        jackknife(_share("judge: false alarms", 0, NO_PASS), counts, labels),
        jackknife(_share("clinician: false alarms", 1, NO_PASS), counts, labels),
        jackknife(_MORE_ALARMS, counts, labels),
        len(counts),
    )


def _share(name: str, column: int, nothing: str) -> Statistic:
    return Statistic(
        name,
        lambda sums: share(sums[..., column], sums[..., 2]),
        lambda _: nothing,
        low=0.0,
        kind="share",
    )


def _judge_less_clinician(name: str, nothing: str) -> Statistic:
    return Statistic(
        name,
        lambda sums: share(sums[..., 0] - sums[..., 1], sums[..., 2]),
        lambda _: nothing,
        all_agree=None,
        kind="amount",
    )


_DIFFERENCE = _judge_less_clinician("difference of failures seen too", NO_FAILURE)
_MORE_ALARMS = _judge_less_clinician("difference of false alarms", NO_PASS)


def _difference(counts: Array, labels: int) -> Estimate:
    """With two conversations imagined beside the others, each counted two thirds: in one only the clinicians
    see the failure, in the other only the judge does (colleague.py says why).
    """
    plain = jackknife(_DIFFERENCE, counts, labels)
    if plain.value is None or len(counts) < MIN_FAILED_CONVERSATIONS:
        reason = TOO_FEW_FAILURES + inflect(len(counts), "one conversation", f"{len(counts)} conversations")
        return (
            plain
            if plain.value is None
            else replace(
                plain,
                low=None,
                high=None,
                error=None,
                influential_part=None,
                influence=None,
                no_interval=reason,
            )
        )
    size = IMAGINED_WEIGHT * counts[:, 2].mean()
    wider = jackknife(_DIFFERENCE, np.concatenate([counts, [[0.0, size, size], [size, 0.0, size]]]), labels)
    assert (
        wider.low is not None and wider.high is not None and wider.error is not None
    )  # the two differ from each other
    return Estimate(
        plain.value,
        labels,
        plain.method,
        low=min(plain.value, wider.low),
        high=max(plain.value, wider.high),
        conversations=len(counts),
        error=wider.error,
    )
