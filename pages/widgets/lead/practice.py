"""Practice: gold units with an expert's labels, and calibration rounds."""

from __future__ import annotations

import streamlit as st

from data import ratings, studies, units
from data.errors import Refused, StoreError
from data.studies import Study
from data.units import Unit
from data.work import calibration, certification
from data.work.calibration import Round
from data.work.draw_spec import positions
from pages.widgets import foreign, place
from pages.widgets.lead.done import done, key

NEXT = {
    "": ("discussed", "Lay the labels beside each other"),
    "discussed": ("again", "Have it rated again"),
    "again": ("closed", "Close the round"),
}
STEP_WORDS = {
    "": "is being rated blind",
    "discussed": "is being talked over",
    "again": "is being rated again",
    "closed": "is closed",
}


def show(study: Study) -> None:
    foreign.paragraph(
        "Units for practice are given to nobody for real, and their labels are in no number about the judge.",
        small=True,
    )
    _gold(study)
    _calibration(study)


def _gold(study: Study) -> None:
    foreign.heading("Gold units", 2)
    with place.store().reading() as connection:
        found = certification.gold(connection, study.id)
        where = {unit.id: unit.position for unit in units.by_ids(connection, list(found))}
    if found:
        foreign.table(
            f"{len(found)} with an expert's labels",
            ["Unit", "Labels", "By", "Why"],
            [
                [
                    foreign.Link(
                        f"Unit {where[unit_id]}",
                        f"review?study={study.key}&reader=lead&unit={where[unit_id]}",
                    ),
                    ", ".join(f"{one.criterion} {one.label}" for one in labels.values()),
                    next(iter(labels.values())).said_by,
                    " ".join(dict.fromkeys(one.reason for one in labels.values() if one.reason)),
                ]
                for unit_id, labels in found.items()
            ],
        )
    number = st.number_input(
        "Unit", value=None, step=1, key=key("gold", "gold-unit"), placeholder="its number"
    )
    if number is None:
        return
    with place.store().reading() as connection:
        unit = units.at_position(connection, study.id, int(number)) if 0 < number < 10**9 else None
        people = studies.raters(connection, study.id)
    if unit is None:
        st.info("There is no such unit.")
        return
    copied = st.selectbox(
        "Take over the labels of",
        [None, *range(len(people))],
        key="gold-from",
        format_func=lambda n: "nobody: I give them here" if n is None else people[n].name,
    )
    given: dict[str, str] = {}
    if copied is not None:
        with place.store().reading() as connection:
            current = ratings.current(connection, people[copied].id, unit.id)
        given = {
            criterion: one.answer.label for criterion, one in current.items() if one.answer.label is not None
        }
        if not given:
            st.info("There is no label of theirs for this unit.")
    _gold_form(study, unit, given, people[copied].name if copied is not None else "")


def _gold_form(study: Study, unit: Unit, given: dict[str, str], said_by: str) -> None:
    with st.form(f"gold-{unit.id}-{said_by}", border=False):
        chosen: dict[str, str | None] = {}
        columns = st.columns(3)
        open_to = [
            c for c in unit.criteria(study) if study.instrument.forced_not_applicable(c, unit.turns) is None
        ]
        for number, criterion in enumerate(open_to):
            options = [None, *[level.id for level in study.instrument.permitted(criterion)]]
            start = options.index(given.get(criterion.id)) if given.get(criterion.id) in options else 0
            chosen[criterion.id] = columns[number % 3].selectbox(
                foreign.plain(criterion.name),
                options,
                index=start,
                key=f"gold-{unit.id}-{criterion.id}-{said_by}",
                format_func=lambda one: "no gold label" if one is None else str(one),
            )
        expert = st.text_input("Whose labels are these?", value=said_by, key=f"gold-by-{unit.id}-{said_by}")
        reason = st.text_area("Why, for the raters to learn from", key=f"gold-why-{unit.id}", height=80)
        if not st.form_submit_button("Make it a gold unit", key="gold-save"):
            return
    try:
        with place.store().writing(place.actor(study), "gold labels", study.id) as (connection, entry):
            certification.put_gold(
                connection,
                entry,
                study,
                unit,
                {c: label for c, label in chosen.items() if label is not None},
                expert,
                reason,
            )
    except StoreError as error:
        st.error(foreign.plain(str(error)))
        return
    done(f"Unit {unit.position} is a gold unit now.", "gold")


def _calibration(study: Study) -> None:
    foreign.heading("Calibration", 2)
    foreign.paragraph(
        "A set is rated blind by all, then talked over with who said what and why, then rated again.",
        small=True,
    )
    with place.store().reading() as connection:
        rounds = calibration.rounds(connection, study.id)
        finished = {
            one.id: (
                len(calibration.finished(connection, one)),
                len(calibration.finished(connection, one, again=True)),
            )
            for one in rounds
        }
        people = {
            rater.id: rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"
        }
    for one in rounds:
        _round(study, one, *finished[one.id])
    with st.form(key("calibration", "calibration"), border=False):
        title = st.text_input("Title of a new round", key=key("calibration", "calibration-title"))
        chosen = st.multiselect(
            "Raters",
            list(people),
            format_func=lambda rater: people[rater],
            key=key("calibration", "calibration-raters"),
        )
        wanted = st.text_input(
            "Units", key=key("calibration", "calibration-units"), placeholder="3, 7, 20-25"
        )
        if not st.form_submit_button("Begin the round", key=key("calibration", "calibration-begin")):
            return
    try:
        with place.store().writing(place.actor(study), "begin a calibration round", study.id) as (
            connection,
            entry,
        ):
            ids = units.ids(connection, study.id)
            if not wanted.strip():
                raise Refused("Name the units of the round by their numbers, such as 3, 7, 20-25.")
            calibration.begin(
                connection,
                entry,
                study,
                title,
                chosen,
                [ids[position - 1] for position in positions(wanted, len(ids))],
            )
    except StoreError as error:
        st.error(foreign.plain(str(error)))
        return
    done(f"The round {title.strip()} was begun.", "calibration")


def _round(study: Study, one: Round, first: int, second: int) -> None:
    again = f", {second} rated it again" if one.step in ("again", "closed") else ""
    foreign.paragraph(
        f"{one.title}: {len(one.units)} units, {STEP_WORDS[one.step]}. {first} of {len(one.raters)} raters "
        f"have rated the whole set{again}."
    )
    with st.container(horizontal=True):
        if one.step:
            foreign.link(
                "Who said what, and why", f"calibration?study={study.key}&reader=lead&round={one.id}"
            )
        if one.step in NEXT and st.button(NEXT[one.step][1], key=f"calibration-{one.id}"):
            try:
                with place.store().writing(place.actor(study), "move a calibration round on", study.id) as (
                    connection,
                    entry,
                ):
                    calibration.move_on(connection, entry, study, one.id, NEXT[one.step][0])
            except StoreError as error:
                st.error(foreign.plain(str(error)))
                return
            done(f"The round {one.title} {STEP_WORDS[NEXT[one.step][0]]} now.")
