"""How far the raters of a calibration round agreed, before the discussion and after it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.record import units
from data.record.studies import Study
from data.store.store import Connection
from data.work import calibration
from data.work.calibration import CalibrationRound
from reports.criterion_names import criterion_names
from reports.document import Block, Paragraph, Table
from reports.wording import agreement_change, agreement_share
from scoring.agreement.people.rounds import RoundLabel, change, pairwise

STILL_BLIND = "The set is still being rated blind. The study lead compares the labels when everybody is done."


def still_blind(calibration_round: CalibrationRound) -> bool:
    """Tell whether the first rating is under way, so that nothing of the round may be shown."""
    return calibration_round.step == ""


def round_agreement(
    connection: Connection, study: Study, calibration_round: CalibrationRound, second: bool
) -> Iterator[Block]:
    """Yield how far raters agree in a round, before and after the discussion.

    `second`: whether this reader may see the second answers. A round that is still blind shows only that.
    """
    if still_blind(calibration_round):
        yield Paragraph(STILL_BLIND)
        return
    before = _labels(connection, calibration_round, again=False)
    after = _labels(connection, calibration_round, again=True) if second else None
    names = criterion_names(study, units.by_ids(connection, list(calibration_round.units)))
    rows = [_row("All criteria", before, after)]
    for criterion in dict.fromkeys(label.criterion for label in before):
        rows.append(
            _row(
                names.get(criterion, criterion),
                [label for label in before if label.criterion == criterion],
                None if after is None else [label for label in after if label.criterion == criterion],
            )
        )
    yield Table(
        f"round_{calibration_round.id}",
        "Pairs of raters who gave the same label",
        ("Criterion", "Before", "After", "Change"),
        rows,
    )
    yield Paragraph(
        "The plausible range (95%, over conversations) is in brackets. A few conversations show little.",
        "small",
    )


def _labels(connection: Connection, calibration_round: CalibrationRound, again: bool) -> list[RoundLabel]:
    return [RoundLabel(*row) for row in calibration.labels(connection, calibration_round, again=again)]


def _row(
    name: str, before: Sequence[RoundLabel], after: Sequence[RoundLabel] | None
) -> tuple[str, str, str, str]:
    """`after`: None where it may not be shown, empty where nobody rated again yet."""
    share = agreement_share(pairwise(before))
    if not after:
        return name, share, "not shown yet" if after is None else "not rated again yet", ""
    return name, share, agreement_share(pairwise(after)), agreement_change(change(before, after))
