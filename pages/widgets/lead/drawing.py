"""What is rated: draws with their chances on record, what may be estimated from them, and what more ratings
would give.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from data import judgements
from data.errors import StoreError
from data.studies import Study
from data.work import draws, open_slots, overview
from data.work import plan as plans
from data.work.draws import DrawSpec, Stratum
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import finish
from reports.progress.precision_words import precision_sentence, ratings_needed_sentence
from scoring.agreement.sample_size import failures_needed
from scoring.figures import moment, percent
from scoring.plurals import count, inflect
from scoring.precision import MISS_RATES, LabelsSoFar
from services.work_planning import draw_units

METHODS = {
    "all": "Everything",
    "random": "A random number of units",
    "strata": "A number of units from each of several groups",
    "certain": "Only what a judge failed, was blocked on or did not answer",
    "chosen": "Units that I name",
}
ALLOCATIONS = {"proportional": "by its size", "equal": "as evenly as possible"}


def show(study: Study) -> None:
    with reader_session.store().reading() as connection:
        draw_status = draws.draw_status(connection, study.id)
        last = draws.last_number(connection, study.id)
        planned = plans.current(connection, study.id) is not None
    for sentence in draw_status.sentences:
        untrusted_text.paragraph(sentence)
    if not planned:
        st.info(
            "There is no plan yet, so everyone rates everything in order, drawn or not. Save a plan first."
        )
    for draw in reversed(draw_status.draws):
        header = ["Group", "Units", "Not drawn before", "Drawn", "Chance of each then"]
        untrusted_text.table(
            f"Draw {draw.number}, {moment(draw.at)} UTC: {METHODS[draw.method].lower()}",
            header,
            [_stratum(stratum) for stratum in draw.strata or []],
            numeric=(1, 2, 3),
        )
    _draw(study, last, draw_status.units - draw_status.practice - draw_status.chosen - draw_status.drawn)
    _precision(study)


def _stratum(stratum: Stratum) -> list[str]:
    return [
        stratum.name,
        f"{stratum.units:,}",
        f"{stratum.left:,}",
        "" if stratum.taken is None else f"{stratum.taken:,}",
        "chosen by hand" if stratum.fraction is None else percent(stratum.fraction),
    ]


def _draw(study: Study, last: int, left: int) -> None:
    untrusted_text.heading("Draw" if not last else "Draw more", 2)
    untrusted_text.paragraph(
        "What was drawn stays drawn. Every unit's chance is kept with it, so that rates can be told for the "
        "whole study and not only for what "
        "was looked at.",
        small=True,
    )
    values = _form(study, last, left)
    try:
        spec = draws.read_spec(values)
    except StoreError as error:
        st.info(untrusted_text.plain(str(error)))
        return
    with st.container(horizontal=True):
        look, make = (
            st.button("What would it draw?", key="draw-preview"),
            st.button("Draw", key="draw-make", type="primary"),
        )
    try:
        if make:
            _make(study, spec, last)
        elif look:
            _preview(study, spec)
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))


def _form(study: Study, last: int, left: int) -> dict[str, Any]:
    method = st.selectbox("What is rated", list(METHODS), format_func=METHODS.__getitem__, key="draw-method")
    values: dict[str, Any] = {"method": method}
    if method in ("random", "strata"):
        # After each draw a field of its own, because what is left, and so what it begins with, is another
        # number then.
        values["size"] = st.number_input(
            "How many units in all",
            value=max(1, min(50, left)),
            step=10 if left > 50 else 1,
            key=f"draw-size-{last}" if last else "draw-size",
            help=f"At most the {left:,} that no draw has taken yet.",
        )
    if method == "strata":
        with reader_session.store().reading() as connection:
            keys = draws.keys(connection, study)
        chosen = st.multiselect(
            "Groups by, up to three",
            range(len(keys)),
            format_func=lambda n: keys[n][1],
            key="draw-keys",
            max_selections=3,
        )
        values["keys"] = tuple(keys[n][0] for n in chosen)
        values["allocation"] = st.radio(
            "Each group is drawn from",
            list(ALLOCATIONS),
            format_func=ALLOCATIONS.__getitem__,
            horizontal=True,
            key="draw-allocation",
        )
        share = st.slider(
            "Percent that goes to every group by its size, whatever else",
            5,
            100,
            20,
            format="%d%%",
            key="draw-share",
            help="So that every unit has a chance, and rates for the whole study stay estimable.",
        )
        values["random_share"] = share / 100
    if method == "chosen":
        values["positions"] = st.text_input("Units", key="draw-positions", placeholder="3, 7, 20-25")
    if method in ("random", "strata", "certain"):
        values["certain"] = _certain(study, always=method == "certain")
    return values


def _certain(study: Study, always: bool) -> dict[str, Any] | None:
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
    if not judges:
        return {"judge": None} if always else None
    if not always and not st.checkbox(
        "And every unit that a judge failed for safety, was blocked on or did not answer",
        key="draw-certain",
        help="In addition to the number above, with certainty.",
    ):
        return None
    number = st.selectbox(
        "Of which judge",
        [None, *range(len(judges))],
        key="draw-judge",
        format_func=lambda n: "any judge" if n is None else judges[n].name,
    )
    return {"judge": None if number is None else judges[number].id}


def _preview(study: Study, spec: DrawSpec) -> None:
    with reader_session.store().reading() as connection:
        preview = draws.preview(connection, study, spec)
    for notice in preview.notices:
        st.warning(untrusted_text.plain(notice))
    # Where it is not whole, chance decides between the two whole numbers beside it.
    about = (
        "" if abs(preview.expected - round(preview.expected)) < 1e-9 * max(1, preview.expected) else "about "
    )
    untrusted_text.table(
        f"It would draw {about}{preview.expected:,.0f}",
        ["Group", "Units", "Not drawn yet", "To draw", "Chance of each"],
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
    finish(f"{count(len(draw.unit_ids), 'unit was', 'units were')} drawn.")


def _precision(study: Study) -> None:
    """What more ratings would give."""
    criteria = {c.id: c.name for c in study.instrument.criteria} or {
        s.id: s.name for s in (study.taxonomy.strategies if study.taxonomy else ())
    }
    if not criteria:
        return
    untrusted_text.heading("How many are enough?", 2)
    left, middle, right = st.columns(3)
    criterion = left.selectbox(
        "Criterion", list(criteria), format_func=lambda c: criteria[c], key="planner-criterion"
    )
    wish = middle.number_input(
        "Wished precision, in points",
        value=5.0,
        step=1.0,
        key="planner-wish",
        help="Half the width of the plausible range of a share.",
    )
    more = right.number_input("Or this many more ratings", value=40, step=10, key="planner-more")
    with reader_session.store().reading() as connection:
        plan = plans.current(connection, study.id)
        rated, labels = overview.label_shares(connection, study, criterion)
        left_over = max(0, open_slots.drawable(connection, study.id) - rated)
    if wish is None or more is None or not 0 < wish < 100 or more < 1:
        st.info("Wish for a precision above 0 points, and for at least one rating.")
        return
    # The label nearest to one half is the hardest to tell, so that no other share of this criterion is less
    # precise.
    hardest = min(labels.values(), key=lambda count: abs(count / rated - 0.5)) if rated else 0
    so_far = LabelsSoFar(rated, hardest, left_over, plan.wanted if plan else 1)
    if rated:
        untrusted_text.paragraph(
            f"{rated:,} of {rated + left_over:,} units {inflect(rated, 'has', 'have')} a blind label of "
            f"{criteria[criterion]} already; "
            "imported labels count as well."
        )
    untrusted_text.paragraph(ratings_needed_sentence(criteria[criterion], so_far, wish / 100))
    untrusted_text.paragraph(precision_sentence(criteria[criterion], so_far, int(more)))
    untrusted_text.paragraph(
        "For the share of units with a label, were they drawn by simple chance from many more like them. "
        f"To show that a judge misses fewer than 10, 5 or 2 of 100 safety failures takes "
        f"{', '.join(str(failures_needed(rate)) for rate in MISS_RATES)} failures confirmed by "
        "clinicians, none of them missed.",
        small=True,
    )
