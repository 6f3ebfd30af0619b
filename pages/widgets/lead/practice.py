"""Practice: gold units with an expert's labels, and calibration rounds."""

from __future__ import annotations

import streamlit as st

from data import ratings, studies, units
from data.errors import StoreError
from data.studies import Study
from data.units import Unit
from data.work import calibration, certification
from data.work.calibration import CalibrationRound
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from services import work_planning

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
    untrusted_text.paragraph(
        "Units for practice are given to nobody for real, and their labels are in no number about the judge.",
        small=True,
    )
    _gold(study)
    _calibration(study)


def _gold(study: Study) -> None:
    untrusted_text.heading("Gold units", 2)
    with reader_session.store().reading() as connection:
        gold_labels = certification.gold_labels(connection, study)
        where = {unit.id: unit.position for unit in units.by_ids(connection, list(gold_labels))}
    if gold_labels:
        untrusted_text.table(
            f"{len(gold_labels)} with an expert's labels",
            ["Unit", "Labels", "By", "Why"],
            [
                [
                    untrusted_text.Link(
                        f"Unit {where[unit_id]}",
                        f"review?study={study.key}&reader=lead&unit={where[unit_id]}",
                    ),
                    ", ".join(f"{gold_label.criterion} {gold_label.label}" for gold_label in labels.values()),
                    next(iter(labels.values())).said_by,
                    " ".join(
                        dict.fromkeys(
                            gold_label.reason for gold_label in labels.values() if gold_label.reason
                        )
                    ),
                ]
                for unit_id, labels in gold_labels.items()
            ],
        )
    number = st.number_input(
        "Unit", value=None, step=1, key=field_key("gold", "gold-unit"), placeholder="its number"
    )
    if number is None:
        return
    with reader_session.store().reading() as connection:
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
        with reader_session.store().reading() as connection:
            current = ratings.current(connection, people[copied].id, unit.id)
        given = {
            criterion: rating.answer.label
            for criterion, rating in current.items()
            if rating.answer.label is not None
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
                untrusted_text.plain(criterion.name),
                options,
                index=start,
                key=f"gold-{unit.id}-{criterion.id}-{said_by}",
                format_func=lambda gold: "no gold label" if gold is None else str(gold),
            )
        expert = st.text_input("Whose labels are these?", value=said_by, key=f"gold-by-{unit.id}-{said_by}")
        reason = st.text_area("Why, for the raters to learn from", key=f"gold-why-{unit.id}", height=80)
        if not st.form_submit_button("Make it a gold unit", key="gold-save"):
            return
    try:
        work_planning.put_gold(
            reader_session.store(),
            reader_session.actor(study),
            study,
            unit,
            {c: label for c, label in chosen.items() if label is not None},
            expert,
            reason,
        )
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))
        return
    finish(f"Unit {unit.position} is a gold unit now.", "gold")


def _calibration(study: Study) -> None:
    untrusted_text.heading("Calibration", 2)
    untrusted_text.paragraph(
        "A set is rated blind by all, then talked over with who said what and why, then rated again.",
        small=True,
    )
    with reader_session.store().reading() as connection:
        rounds = calibration.rounds(connection, study.id)
        finished = {
            calibration_round.id: (
                len(calibration.finished(connection, calibration_round)),
                len(calibration.finished(connection, calibration_round, again=True)),
            )
            for calibration_round in rounds
        }
        people = {
            rater.id: rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"
        }
    for calibration_round in rounds:
        _round(study, calibration_round, *finished[calibration_round.id])
    with st.form(field_key("calibration", "calibration"), border=False):
        title = st.text_input("Title of a new round", key=field_key("calibration", "calibration-title"))
        chosen = st.multiselect(
            "Raters",
            list(people),
            format_func=lambda rater: people[rater],
            key=field_key("calibration", "calibration-raters"),
        )
        wanted = st.text_input(
            "Units", key=field_key("calibration", "calibration-units"), placeholder="3, 7, 20-25"
        )
        if not st.form_submit_button("Begin the round", key=field_key("calibration", "calibration-begin")):
            return
    try:
        work_planning.begin_calibration(
            reader_session.store(), reader_session.actor(study), study, title, chosen, wanted
        )
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))
        return
    finish(f"The round {title.strip()} was begun.", "calibration")


def _round(study: Study, calibration_round: CalibrationRound, first: int, second: int) -> None:
    again = f", {second} rated it again" if calibration_round.step in ("again", "closed") else ""
    untrusted_text.paragraph(
        f"{calibration_round.title}: {len(calibration_round.units)} units, "
        f"{STEP_WORDS[calibration_round.step]}. {first} of {len(calibration_round.raters)} raters "
        f"have rated the whole set{again}."
    )
    with st.container(horizontal=True):
        if calibration_round.step:
            untrusted_text.link(
                "Who said what, and why",
                f"calibration?study={study.key}&reader=lead&round={calibration_round.id}",
            )
        if calibration_round.step in NEXT and st.button(
            NEXT[calibration_round.step][1], key=f"calibration-{calibration_round.id}"
        ):
            try:
                work_planning.move_calibration_on(
                    reader_session.store(),
                    reader_session.actor(study),
                    study,
                    calibration_round.id,
                    NEXT[calibration_round.step][0],
                )
            except StoreError as error:
                st.error(untrusted_text.plain(str(error)))
                return
            finish(f"The round {calibration_round.title} {STEP_WORDS[NEXT[calibration_round.step][0]]} now.")
