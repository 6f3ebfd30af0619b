"""What is rated: how much is given out, what can be estimated from it, and the next draw."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.record import judgements
from data.record.studies import Study
from data.store.errors import StoreError
from data.work import draws
from data.work import plan as plans
from data.work.draw_status import DrawStatus
from data.work.draws import DrawSpec, Stratum
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead import precision
from pages.widgets.lead.flash_message import finish
from pages.widgets.opening_line import open_line
from reports.progress.draw_words import word_draw_status
from reports.refusals import word_error, word_notice
from services.work_planning import draw_units
from words.figures import moment, percent
from words.plurals import inflect

METHODS = {
    "all": "Everything",
    "random": "A number, at random",
    "strata": "A number from each group",
    "certain": "Only what a judge failed, was blocked on or did not answer",
    "chosen": "By number",
}
ALLOCATIONS = {"proportional": "in proportion to its size", "equal": "as evenly as possible"}


def show(study: Study) -> None:
    """Show what was drawn, and the form for the next draw."""
    with reader_session.store().reading() as connection:
        draw_status = draws.draw_status(connection, study.id)
        last = draws.last_number(connection, study.id)
        planned = plans.current(connection, study.id) is not None
    untrusted_text.heading(_answer(study, draw_status), 1)
    if draw_status.draws:
        untrusted_text.paragraph(" ".join(word_draw_status(draw_status, study.noun)), small=True)
    if not planned:
        st.info(
            "There is no plan yet, so everyone rates everything, whatever is selected here. Save a plan "
            "first."
        )
    form, outcome = st.columns(2, gap="large")
    with form:
        _draw(
            study,
            last,
            draw_status.units - draw_status.practice - draw_status.chosen - draw_status.drawn,
            outcome,
        )
    with outcome:
        if draw_status.draws:
            open_line(
                "All selections so far, with their chances", "draws", partial(_past, study, draw_status)
            )
        open_line("How many are enough?", "precision", partial(precision.show, study))


def _answer(study: Study, draw_status: DrawStatus) -> str:
    if not draw_status.draws:
        return "Nothing has been selected yet."
    given = draw_status.drawn + draw_status.chosen
    if given == draw_status.units:
        return f"All {study.noun.count(given)} {inflect(given, 'is', 'are')} given out."
    of = draw_status.units
    return f"{given:,} of {study.noun.count(of)} {inflect(of, 'is', 'are')} given out."


def _past(study: Study, draw_status: DrawStatus) -> None:
    for draw in reversed(draw_status.draws):
        header = [
            "Group",
            study.noun.plural.capitalize(),
            "Not selected before",
            "Selected",
            "Chance of each at that time",
        ]
        untrusted_text.table(
            f"Selection {draw.number}, {moment(draw.at)} UTC: {METHODS[draw.method].lower()}",
            header,
            [_stratum(stratum) for stratum in draw.strata or []],
            numeric=(1, 2, 3),
        )


def _stratum(stratum: Stratum) -> list[str]:
    return [
        stratum.name,
        f"{stratum.units:,}",
        f"{stratum.left:,}",
        "" if stratum.taken is None else f"{stratum.taken:,}",
        "chosen by hand" if stratum.fraction is None else percent(stratum.fraction),
    ]


def _draw(study: Study, last: int, left: int, outcome: DeltaGenerator) -> None:
    """Show the form that draws; `outcome` shows the result of a press."""
    values = _form(study, last, left)
    try:
        spec = draws.read_spec(values)
    except StoreError as error:
        st.info(untrusted_text.plain(word_error(error)))
        return
    with st.container(horizontal=True):
        look, make = (
            st.button("Preview the selection", key="draw-preview"),
            st.button(
                "Select",
                key="draw-make",
                type="primary",
                help="This can't be undone. The chance of each to be selected is kept, so that rates can be "
                "estimated for the whole study, not only for what was rated.",
            ),
        )
    try:
        if make:
            _make(study, spec, last)
        elif look:
            with outcome:
                _preview(study, spec)
    except StoreError as error:
        untrusted_text.show_error(error)


def _form(study: Study, last: int, left: int) -> dict[str, Any]:
    method = st.selectbox(
        "What to select" if last else "What is rated",
        list(METHODS),
        format_func=METHODS.__getitem__,
        key="draw-method",
    )
    values: dict[str, Any] = {"method": method}
    if method in ("random", "strata"):
        # A new field after each draw, because the number that is left, its default, has changed.
        values["size"] = st.number_input(
            f"How many {study.noun.plural} in all",
            value=max(1, min(50, left)),
            step=10 if left > 50 else 1,
            key=f"draw-size-{last}" if last else "draw-size",
            help=f"At most the {left:,} that have not been selected yet.",
        )
    if method == "strata":
        with reader_session.store().reading() as connection:
            keys = draws.keys(connection, study)
        chosen = st.multiselect(
            "Group by (up to three)",
            range(len(keys)),
            format_func=lambda n: keys[n][1],
            key="draw-keys",
            max_selections=3,
        )
        values["keys"] = tuple(keys[n][0] for n in chosen)
        values["allocation"] = st.radio(
            "Select from each group",
            list(ALLOCATIONS),
            format_func=ALLOCATIONS.__getitem__,
            horizontal=True,
            key="draw-allocation",
        )
        share = st.slider(
            "Percent always selected in proportion to group size",
            5,
            100,
            20,
            format="%d%%",
            key="draw-share",
            help="This gives each one a chance, so that rates for the whole study can be estimated.",
        )
        values["random_share"] = share / 100
    if method == "chosen":
        values["positions"] = st.text_input(
            study.noun.plural.capitalize(), key="draw-positions", placeholder="3, 7, 20-25"
        )
    if method in ("random", "strata", "certain"):
        values["certain"] = _certain(study, always=method == "certain")
    return values


def _certain(study: Study, always: bool) -> dict[str, Any] | None:
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
    if not judges:
        return {"judge": None} if always else None
    if not always and not st.checkbox(
        f"And every {study.noun.singular} that a judge failed for safety, was blocked on or did not answer",
        key="draw-certain",
        help="In addition to the number above; all of them.",
    ):
        return None
    number = st.selectbox(
        "Judge",
        [None, *range(len(judges))],
        key="draw-judge",
        format_func=lambda n: "any judge" if n is None else judges[n].name,
    )
    return {"judge": None if number is None else judges[number].id}


def _preview(study: Study, spec: DrawSpec) -> None:
    with reader_session.store().reading() as connection:
        preview = draws.preview(connection, study, spec)
    for notice in preview.notices:
        st.warning(untrusted_text.plain(word_notice(notice)))
    # If it isn't whole, chance decides between the two nearest whole numbers.
    about = (
        "" if abs(preview.expected - round(preview.expected)) < 1e-9 * max(1, preview.expected) else "about "
    )
    untrusted_text.table(
        f"This would select {about}{preview.expected:,.0f}",
        ["Group", study.noun.plural.capitalize(), "Not selected yet", "To select", "Chance of each"],
        [
            [
                stratum.name,
                f"{stratum.units:,}",
                f"{stratum.left:,}",
                f"{stratum.wanted:,.1f}".removesuffix(".0"),
                "by hand" if stratum.fraction is None else percent(stratum.fraction),
            ]
            for stratum in preview.strata
        ],
        numeric=(1, 2, 3),
    )


def _make(study: Study, spec: DrawSpec, last: int) -> None:
    draw = draw_units(reader_session.store(), reader_session.actor(study), study, spec, last)
    drawn = len(draw.unit_ids)
    finish(f"{study.noun.count(drawn)} {inflect(drawn, 'was', 'were')} selected.")
