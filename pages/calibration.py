"""A calibration round: who said what and why, unit by unit, and agreement before and after. Nothing of the
judge.
"""

from __future__ import annotations

import streamlit as st

from data import unit_labels, units
from data.studies import Study
from data.unit_labels import UnitLabel
from data.work import calibration
from data.work.calibration import CalibrationRound
from pages.widgets import reader_session, untrusted_text
from pages.widgets.criterion_names import criterion_names
from pages.widgets.page_context import page_context
from pages.widgets.reader_session import Reader
from pages.widgets.settle_card import names_of
from pages.widgets.unit_report import more, transcript
from scoring.agreement import rounds as agreement
from scoring.agreement.rounds import AgreementShare
from scoring.figures import decimal, percent


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading(f"Calibration: {study.title}", 1)
    calibration_round = _wanted(study, reader)
    if calibration_round is None:
        return
    untrusted_text.heading(calibration_round.title, 2)
    with reader_session.store().reading() as connection:
        second = calibration.repeats_shown(
            connection, calibration_round, reader.rater.id if reader.rater is not None else None
        )
    if calibration_round.step == "again" and not second:
        st.info(
            "What was said the second time is shown here when you have rated the whole set again, or when "
            "the round is closed."
        )
    _agreement(study, calibration_round, second)
    _units(study, calibration_round, second)


def _wanted(study: Study, reader: Reader) -> CalibrationRound | None:
    """The round of the address, where this reader may see it: a lead, or one of its raters who has rated the
    whole set.
    """
    with reader_session.store().reading() as connection:
        rounds = calibration.rounds(connection, study.id)
        if reader.rater is not None:
            rounds = [
                calibration_round
                for calibration_round in rounds
                if reader.rater.id in calibration_round.raters
            ]
        calibration_round = next(
            (
                calibration_round
                for calibration_round in rounds
                if str(calibration_round.id) == st.query_params.get("round")
            ),
            rounds[0] if rounds else None,
        )
        whole_set_rated = calibration_round is not None and (
            reader.rater is None or reader.rater.id in calibration.finished(connection, calibration_round)
        )
    if calibration_round is None:
        st.info(
            "There is no calibration round here. A study lead begins one on the Lead page, under Practice."
        )
        return None
    if not whole_set_rated:
        st.info("What the others said is shown here when you have rated the whole set.")
        return None
    if calibration_round.step == "":
        st.info(
            "The set is still being rated blind. The study lead lays the labels beside each other when "
            "everybody is done."
        )
        return None
    return calibration_round


def _agreement(study: Study, of: CalibrationRound, second: bool) -> None:
    with reader_session.store().reading() as connection:
        before = [agreement.RoundLabel(*row) for row in calibration.labels(connection, of, again=False)]
        after = (
            [agreement.RoundLabel(*row) for row in calibration.labels(connection, of, again=True)]
            if second
            else None
        )
        names = criterion_names(study, units.by_ids(connection, list(of.units)))
    rows = [_row("All criteria", before, after)]
    for criterion in dict.fromkeys(label.criterion for label in before):
        first = [label for label in before if label.criterion == criterion]
        again = None if after is None else [label for label in after if label.criterion == criterion]
        rows.append(_row(names.get(criterion, criterion), first, again))
    untrusted_text.table(
        "Pairs of raters who gave the same label", ["Criterion", "Before", "After", "Change"], rows
    )
    untrusted_text.paragraph(
        "In brackets the plausible range (95%), with conversations as the unit. A few conversations tell "
        "little.",
        small=True,
    )


def _row(
    name: str, before: list[agreement.RoundLabel], after: list[agreement.RoundLabel] | None
) -> list[str]:
    if not after:
        return [
            name,
            _share(agreement.pairwise(before)),
            "not shown yet" if after is None else "not rated again yet",
            "",
        ]
    return [
        name,
        _share(agreement.pairwise(before)),
        _share(agreement.pairwise(after)),
        _change(agreement.change(before, after)),
    ]


def _share(share: AgreementShare) -> str:
    if share.value is None:
        return f"cannot be estimated: {share.undefined}"
    between = (
        f" ({percent(share.low)} to {percent(share.high)})"
        if share.low is not None and share.high is not None
        else f" ({share.undefined})"
    )
    return f"{share.same:,} of {share.pairs:,}, {percent(share.value)}{between}"


def _change(share: AgreementShare) -> str:
    if share.value is None:
        return f"cannot be estimated: {share.undefined}"
    between = (
        "" if share.low is None or share.high is None else f" ({_points(share.low)} to {_points(share.high)})"
    )
    return f"{_points(share.value)} points{between}"


def _points(value: float) -> str:
    said = decimal(100 * value, 0)
    return said if value < 0 or said == "0" else f"+{said}"


def _units(study: Study, of: CalibrationRound, second: bool) -> None:
    with reader_session.store().reading() as connection:
        round_units = units.by_ids(connection, list(of.units))
    number = st.selectbox(
        "Unit",
        range(len(round_units)),
        format_func=lambda n: f"{n + 1} of {len(round_units)}",
        key="calibration-unit",
    )
    unit = round_units[number]
    with reader_session.store().reading() as connection:
        repeat_ids = calibration.repeats_of(connection, of)
        messages = units.transcript(connection, unit)
        first = unit_labels.of_people(connection, unit, calibration.finished(connection, of))
        later = (
            unit_labels.of_people(
                connection,
                units.get(connection, repeat_ids[unit.id]),
                calibration.finished(connection, of, again=True),
            )
            if second and unit.id in repeat_ids
            else []
        )
    left, right = st.columns([3, 2], gap="large")
    with left:
        transcript(study, messages, with_instructions=False)
    with right:
        for criterion in unit.criteria(study):
            names = names_of(study, criterion)

            def label_name(label: UnitLabel | None, names: dict[str, str] = names) -> str:
                return (
                    ""
                    if label is None
                    else "cannot rate"
                    if label.label is None
                    else names.get(label.label, label.label)
                )

            again = {label.who: label for label in later if label.criterion == criterion.id}
            rows = [
                [label.who, label_name(label), label_name(again.get(label.who)), more(label, names, messages)]
                for label in first
                if label.criterion == criterion.id and not label.by_rule
            ]
            if rows:
                untrusted_text.table(criterion.name, ["Who", "Before", "After", "Why"], rows)


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "calibration"})
