"""A calibration round: who said what and why, unit by unit, and agreement before and after. Nothing of the
judge.
"""

from __future__ import annotations

import streamlit as st

from data import unit_labels, units
from data.studies import Study
from data.unit_labels import Said
from data.work import calibration
from data.work.calibration import Round
from pages.widgets import foreign, place
from pages.widgets.arrival import arrive
from pages.widgets.criterion_names import criterion_names
from pages.widgets.place import Reader
from pages.widgets.settle_card import names_of
from pages.widgets.unit_report import more, transcript
from scoring.agreement import rounds as agreement
from scoring.agreement.rounds import Share
from scoring.figures import decimal, percent


def render() -> None:
    arrived = arrive(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    foreign.heading(f"Calibration: {study.title}", 1)
    found = _wanted(study, reader)
    if found is None:
        return
    foreign.heading(found.title, 2)
    with place.store().reading() as connection:
        second = calibration.second_shown(
            connection, found, reader.rater.id if reader.rater is not None else None
        )
    if found.step == "again" and not second:
        st.info(
            "What was said the second time is shown here when you have rated the whole set again, or when "
            "the round is closed."
        )
    _agreement(study, found, second)
    _units(study, found, second)


def _wanted(study: Study, reader: Reader) -> Round | None:
    """The round of the address, where this reader may see it: a lead, or one of its raters who has rated the
    whole set.
    """
    with place.store().reading() as connection:
        rounds = calibration.rounds(connection, study.id)
        if reader.rater is not None:
            rounds = [one for one in rounds if reader.rater.id in one.raters]
        found = next(
            (one for one in rounds if str(one.id) == st.query_params.get("round")),
            rounds[0] if rounds else None,
        )
        done = found is not None and (
            reader.rater is None or reader.rater.id in calibration.finished(connection, found)
        )
    if found is None:
        st.info(
            "There is no calibration round here. A study lead begins one on the Lead page, under Practice."
        )
        return None
    if not done:
        st.info("What the others said is shown here when you have rated the whole set.")
        return None
    if found.step == "":
        st.info(
            "The set is still being rated blind. The study lead lays the labels beside each other when "
            "everybody is done."
        )
        return None
    return found


def _agreement(study: Study, of: Round, second: bool) -> None:
    with place.store().reading() as connection:
        before = [agreement.Label(*row) for row in calibration.labels(connection, of, again=False)]
        after = (
            [agreement.Label(*row) for row in calibration.labels(connection, of, again=True)]
            if second
            else None
        )
        names = criterion_names(study, units.by_ids(connection, list(of.units)))
    rows = [_row("All criteria", before, after)]
    for criterion in dict.fromkeys(one.criterion for one in before):
        first = [one for one in before if one.criterion == criterion]
        again = None if after is None else [one for one in after if one.criterion == criterion]
        rows.append(_row(names.get(criterion, criterion), first, again))
    foreign.table("Pairs of raters who gave the same label", ["Criterion", "Before", "After", "Change"], rows)
    foreign.paragraph(
        "In brackets the plausible range (95%), with conversations as the unit. A few conversations tell "
        "little.",
        small=True,
    )


def _row(name: str, before: list[agreement.Label], after: list[agreement.Label] | None) -> list[str]:
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


def _share(found: Share) -> str:
    if found.value is None:
        return f"cannot be estimated: {found.undefined}"
    between = (
        f" ({percent(found.low)} to {percent(found.high)})"
        if found.low is not None and found.high is not None
        else f" ({found.undefined})"
    )
    return f"{found.same:,} of {found.pairs:,}, {percent(found.value)}{between}"


def _change(found: Share) -> str:
    if found.value is None:
        return f"cannot be estimated: {found.undefined}"
    between = (
        "" if found.low is None or found.high is None else f" ({_points(found.low)} to {_points(found.high)})"
    )
    return f"{_points(found.value)} points{between}"


def _points(value: float) -> str:
    said = decimal(100 * value, 0)
    return said if value < 0 or said == "0" else f"+{said}"


def _units(study: Study, of: Round, second: bool) -> None:
    with place.store().reading() as connection:
        found = units.by_ids(connection, list(of.units))
    number = st.selectbox(
        "Unit", range(len(found)), format_func=lambda n: f"{n + 1} of {len(found)}", key="calibration-unit"
    )
    unit = found[number]
    with place.store().reading() as connection:
        twins = calibration.twins_of(connection, of)
        messages = units.transcript(connection, unit)
        first = unit_labels.of_people(connection, unit, calibration.finished(connection, of))
        later = (
            unit_labels.of_people(
                connection,
                units.get(connection, twins[unit.id]),
                calibration.finished(connection, of, again=True),
            )
            if second and unit.id in twins
            else []
        )
    left, right = st.columns([3, 2], gap="large")
    with left:
        transcript(study, messages, with_instructions=False)
    with right:
        for criterion in unit.criteria(study):
            names = names_of(study, criterion)

            def said(one: Said | None, names: dict[str, str] = names) -> str:
                return (
                    ""
                    if one is None
                    else "cannot rate"
                    if one.label is None
                    else names.get(one.label, one.label)
                )

            again = {one.who: one for one in later if one.criterion == criterion.id}
            rows = [
                [one.who, said(one), said(again.get(one.who)), more(one, names, messages)]
                for one in first
                if one.criterion == criterion.id and not one.by_rule
            ]
            if rows:
                foreign.table(criterion.name, ["Who", "Before", "After", "Why"], rows)


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "calibration"})
