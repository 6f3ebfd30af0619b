"""Calibration rounds: how far raters agreed before the discussion and after it."""

from __future__ import annotations

from runs.agreement.document import Table
from runs.agreement.words import CANNOT, listed
from runs.drift.raters import Calibrated, RaterDrift
from scoring.agreement.rounds import Share
from scoring.drift.recalibrate import NEAR
from scoring.figures import percent


def rounds_table(found: RaterDrift) -> Table | None:
    """The newest first; None where there was none. For a rater how they agreed with the others, for a lead
    how all did, and who lies below.
    """
    if not found.rounds:
        return None
    threshold = found.source.threshold
    rows: list[tuple[str, ...]] = []
    for one in found.rounds:
        if found.own:
            mine = one.of(next(iter(found.names)))
            rows.append(
                (
                    one.title,
                    one.at[:10],
                    "after" if mine.again else "before",
                    _share(mine.share),
                    percent(threshold),
                    _below(mine.share, threshold),
                )
            )
        else:
            before, after = one.shares
            last = after if after.pairs else before
            rows.append(
                (
                    one.title,
                    one.at[:10],
                    _share(before),
                    _share(after) if after.pairs else "not rated again yet",
                    percent(threshold),
                    _below(last, threshold),
                    listed(_below_of(found, one), 20) or "nobody",
                )
            )
    header = (
        ("Round", "Begun (UTC)", "Discussion", "You and the others: same label", "Threshold now", "")
        if found.own
        else (
            "Round",
            "Begun (UTC)",
            "Before the discussion",
            "After it",
            "Threshold now",
            "All together",
            "Raters below it",
        )
    )
    return Table("calibration", "Calibration rounds: pairs of raters with the same label", header, rows, (4,))


def _below_of(found: RaterDrift, one: Calibrated) -> list[str]:
    shares = {rater: one.of(rater).share for rater in one.raters if rater in found.names}
    return [
        found.names[rater]
        for rater, share in shares.items()
        if share.value is not None and share.value < found.source.threshold - NEAR
    ]


def _share(one: Share) -> str:
    if one.value is None:
        return f"{CANNOT}: {one.undefined}"
    between = (
        f" ({percent(one.low)} to {percent(one.high)})"
        if one.low is not None and one.high is not None
        else f" (no interval: {one.undefined})"
    )
    return f"{one.same:,} of {one.pairs:,}, {percent(one.value)}{between}"


def _below(one: Share, threshold: float) -> str:
    return "" if one.value is None else "below" if one.value < threshold - NEAR else "not below"
