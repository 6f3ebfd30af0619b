"""Calibration rounds: how far raters agreed before the discussion and after it."""

from __future__ import annotations

from reports.document import Table
from reports.drift.raters import CalibrationResult, RaterDrift
from reports.wording import agreement_share, listed
from scoring.agreement.people.rounds import AgreementShare
from scoring.drift.recalibrate import share_below
from words.figures import percent


def rounds_table(drift: RaterDrift) -> Table | None:
    """The newest first; None where there was none. For a rater how they agreed with the others, for a lead
    how all did, and who lies below.
    """
    if not drift.rounds:
        return None
    threshold = drift.source.threshold
    rows: list[tuple[str, ...]] = []
    for result in drift.rounds:
        if drift.own:
            mine = result.of(next(iter(drift.names)))
            rows.append(
                (
                    result.title,
                    result.at[:10],
                    "after" if mine.again else "before",
                    agreement_share(mine.share),
                    percent(threshold),
                    _below(mine.share, threshold),
                )
            )
        else:
            before, after = result.shares
            last = after if after.pairs else before
            rows.append(
                (
                    result.title,
                    result.at[:10],
                    agreement_share(before),
                    agreement_share(after) if after.pairs else "not rated again yet",
                    percent(threshold),
                    _below(last, threshold),
                    listed(_below_of(drift, result), 20) or "nobody",
                )
            )
    header = (
        ("Round", "Begun (UTC)", "Discussion", "You and the others: same label", "Threshold now", "")
        if drift.own
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


def _below_of(drift: RaterDrift, result: CalibrationResult) -> list[str]:
    shares = {rater: result.of(rater).share for rater in drift.names if rater in result.raters}
    return [
        drift.names[rater] for rater, share in shares.items() if share_below(share, drift.source.threshold)
    ]


def _below(share: AgreementShare, threshold: float) -> str:
    return "" if share.value is None else "below" if share_below(share, threshold) else "not below"
