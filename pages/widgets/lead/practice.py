"""Practice: the conversations to choose from, gold units with an expert's labels, and calibration rounds."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlencode

import streamlit as st

from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.work import calibration, certification
from data.work import plan as plans
from data.work.calibration import CalibrationRound
from data.work.certification import GoldLabel
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.calibration_rounds import begin_round, show_rounds
from pages.widgets.lead.unit_choice import UnitChoice, choose_units
from pages.widgets.opening_line import open_line
from reports.refusals import word_reason
from words.plurals import count

GOLD_LISTED = 6  # the others are behind a line that opens


def show(study: Study) -> None:
    """Show gold units and calibration rounds, and the forms that add some; without a plan of work only a
    notice and a link to the plan.
    """
    with reader_session.store().reading() as connection:
        gold = certification.gold_labels(connection, study)
        rounds = calibration.rounds(connection, study.id)
        planned = plans.current(connection, study.id) is not None
    untrusted_text.heading(_answer(study, gold, rounds), 1)
    untrusted_text.paragraph(
        f"Practice {study.noun.plural} are never rated as real work, and no number about the judge includes "
        "them.",
        small=True,
    )
    if not planned:
        st.info(word_reason("save_plan_first"))
        address = urlencode({"study": study.key, "reader": reader_session.LEAD, "part": "Plan"})
        untrusted_text.link("Plan of the work", f"lead?{address}")
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        chosen = choose_units(study)
        _label_as_gold(study, chosen)
        begin_round(study, chosen)
    with right:
        _gold(study, gold)
        show_rounds(study, rounds)


def _answer(study: Study, gold: dict[int, dict[str, GoldLabel]], rounds: list[CalibrationRound]) -> str:
    how_many = study.noun.count(len(gold)) if gold else f"No {study.noun.singular}"
    units_words = f"{how_many} with an expert's labels{'' if gold else ' yet'}"
    under_way = sum(calibration_round.step != "closed" for calibration_round in rounds)
    if not rounds:
        return f"{units_words}, and no calibration round."
    rounds_words = (
        f"{count(under_way, 'calibration round', 'calibration rounds')} under way"
        if under_way
        else f"{count(len(rounds), 'calibration round', 'calibration rounds')}, all closed"
    )
    return f"{units_words}, and {rounds_words}."


def _label_as_gold(study: Study, chosen: UnitChoice) -> None:
    """Let the lead open one unit next to the criteria."""
    with st.container(horizontal=True, vertical_alignment="center"):
        pressed = st.button(
            "Set the expert's labels",
            type="primary",
            key="gold-open",
            disabled=chosen.single is None,
            help=f"Choose one {study.noun.singular}. It opens next to the criteria, with the keys of "
            "the rating page.",
        )
        untrusted_text.paragraph(f"Chosen: {chosen.wanted or 'none'}", small=True)
    if pressed:
        st.switch_page(
            st.session_state["page_gold"],
            query_params={"study": study.key, "reader": reader_session.LEAD, "unit": str(chosen.single)},
        )


def _gold(study: Study, gold: dict[int, dict[str, GoldLabel]]) -> None:
    untrusted_text.heading("With an expert's labels", 2)
    if not gold:
        untrusted_text.paragraph(f"Choose a {study.noun.singular}, and label it.", small=True)
        return
    with reader_session.store().reading() as connection:
        gold_units = units.by_ids(connection, list(gold))
    _gold_table(study, gold_units[:GOLD_LISTED], gold)
    if len(gold_units) > GOLD_LISTED:
        more = f"{len(gold_units) - GOLD_LISTED:,} more"
        open_line(more, "gold-units", partial(_gold_table, study, gold_units[GOLD_LISTED:], gold))


def _gold_table(study: Study, gold_units: list[Unit], gold: dict[int, dict[str, GoldLabel]]) -> None:
    untrusted_text.table(
        "",
        [study.noun.heading, "Labels", "By"],
        [
            [
                untrusted_text.Link(
                    study.unit_name(unit.position).replace(" ", "\u00a0"),
                    f"gold?{urlencode({'study': study.key, 'reader': 'lead', 'unit': unit.position})}",
                ),
                f"{len(gold[unit.id]):,}",
                next(iter(gold[unit.id].values())).said_by,
            ]
            for unit in gold_units
        ],
        numeric=(1,),
    )
