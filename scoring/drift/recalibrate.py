"""When a rater should be calibrated again: by rule, with its reasons. Nothing follows by itself; a study lead
decides. The words for it: reports/drift/rater_words.py.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.people.rounds import AgreementShare
from scoring.drift.rater_habits import RepeatShare
from scoring.drift.rater_movement import Movement

ROUNDING_ERROR = 1e-9  # what rounding takes from a share that is exactly the threshold


@dataclass(frozen=True)
class RoundAgreement:
    """How one rater agreed with the others in a calibration round. `again`: after the discussion; False where
    nothing was rated again yet.
    """

    title: str
    again: bool
    share: AgreementShare


@dataclass(frozen=True)
class RecalibrationReasons:
    """What speaks for calibrating one rater again; None where something does not.

    `movement`: the levels moved beside the others', p below .05 after Holm over the raters. `repeats`: the
    whole 95 % interval of the same label again on hidden repeats lies below the threshold. `last_round`: of
    the last calibration round, the agreement with the others lies below it.
    """

    movement: Movement | None = None
    repeats: RepeatShare | None = None
    last_round: RoundAgreement | None = None

    def __bool__(self) -> bool:
        return (self.movement, self.repeats, self.last_round) != (None, None, None)


def recalibration_reasons(
    movement: Movement | None,
    repeats: RepeatShare | None,
    last_round: RoundAgreement | None,
    threshold: float,
) -> RecalibrationReasons:
    """Return which of three facts speak for calibrating a rater again; the others are None.

    The movement counts if it has a verdict, the repeats if `repeats_below`, and the round if `share_below`.
    An argument that is None is unknown and never counts.

    Args:
        movement: the rater's movement.
        repeats: how often the rater gave the same label again.
        last_round: agreement in the rater's last calibration round.
        threshold: share from 0 to 1.
    """
    return RecalibrationReasons(
        movement if movement is not None and movement.verdict and movement.adjusted is not None else None,
        repeats if repeats is not None and repeats_below(repeats, threshold) else None,
        last_round if last_round is not None and share_below(last_round.share, threshold) else None,
    )


def repeats_below(repeats: RepeatShare, threshold: float) -> bool:
    """Tell whether the whole interval lies below `threshold`; False where there is no interval."""
    share = repeats.share
    return share.low is not None and share.high is not None and share.high < threshold - ROUNDING_ERROR


def share_below(share: AgreementShare, threshold: float) -> bool:
    """Tell whether the share lies below `threshold` by more than rounding; False where there are no pairs."""
    return share.value is not None and share.value < threshold - ROUNDING_ERROR
