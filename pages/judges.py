"""The judges of a study, one line each. Behind a line: the judge's identity, what it was asked, where it
failed, whether it repeats itself, and what it cost.
"""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Person
from data.record import judgements
from data.record.adoptions import NAME_LIMIT, active_judge, judge_in_use
from data.record.judgements import Judge
from data.record.studies import Study
from data.store import actors
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.evidence.component import chosen_row, draw_evidence
from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.guard import JUDGES_SHOWN_LATER, labels_permitted
from pages.widgets.lead import flash_message
from pages.widgets.memo import memoize, study_head
from pages.widgets.opening_line import opening_line
from pages.widgets.page_context import page_context
from pages.widgets.two_judges import compare_two
from reports.judges import all_judges
from reports.judges.judge_card import AGREEMENT, judge_card
from reports.judges.judge_rows import gather_judge_rows, headline, judges_evidence
from reports.judges.report import NO_JUDGES
from services.judge_in_use import use_judge

TABLE = "evidence-judges"


def render() -> None:
    """Draw the Judges page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    with st.container(key="answer-page", gap="small"):
        title = st.container()
        judges = _permitted_judges(study, reader)
        if not judges:
            with title:
                untrusted_text.heading("Judges", 1)
            return
        _show(study, judges, lead=reader.leads)


def _way_to_runs(study: Study) -> None:
    reader = st.query_params.get("reader", "")
    untrusted_text.link("Ask a judge", f"runs?study={study.key}&reader={reader}")


def _permitted_judges(study: Study, reader: Person) -> list[Judge]:
    """Return the judges that this person may see. If there are none, show why."""
    if not labels_permitted(study, reader, JUDGES_SHOWN_LATER):
        return []
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
    if not judges:
        st.info(NO_JUDGES)
        _way_to_runs(study)
    return judges


def _show(study: Study, judges: list[Judge], lead: bool) -> None:
    """Show one line per judge, the card of the open one, and comparisons behind an expander."""
    with reader_session.store().reading() as connection:
        rows = memoize(
            "judge-rows",
            (study.id, tuple(judge.id for judge in judges)),
            study_head(connection, study),
            lambda: gather_judge_rows(connection, study, judges),
        )
    untrusted_text.heading(headline(rows), 1)
    flash_message.show()
    chosen = chosen_row(TABLE)
    asked = st.query_params.get("judge", "") if chosen is None else chosen
    opened = next((judge for judge in judges if str(judge.id) == asked), None)
    draw_evidence(
        TABLE,
        evidence_data(judges_evidence(rows), {}, {}, str(opened.id) if opened else "", opens_below=True),
    )
    _way_to_runs(study)
    if opened is not None:
        _card(study, opened, lead)
    if len(judges) > 1:
        line = opening_line(f"Compare judges on the same {study.noun.plural}", "comparisons")
        if line.open:
            with line:
                compare_two(study, judges)
                _compare_all(study, judges)


def _card(study: Study, judge: Judge, lead: bool) -> None:
    with reader_session.store().reading() as connection:
        card = judge_card(connection, study, judge, names_models=lead)
    untrusted_text.heading(card.title, 2)
    if card.use:
        untrusted_text.paragraph(card.use)
    if lead:
        _use(study, judge)
    if card.caution:
        st.warning(untrusted_text.plain(card.caution))
    if card.recorded:
        st.info(card.recorded)
    show_blocks(study, card.identity)
    for part in card.parts:
        untrusted_text.heading(part.title, 3)
        show_blocks(study, part.blocks)
        if part.key == AGREEMENT:
            untrusted_text.link(
                "Criterion by criterion, on the Agreement page",
                f"agreement?study={study.key}&reader={st.query_params.get('reader', '')}",
            )


def _use(study: Study, judge: Judge) -> None:
    """Show the button that puts this judge in use, unless it is in use already."""
    with reader_session.store().reading() as connection:
        in_use = judge_in_use(connection, study.id)
        by_anchors = active_judge(connection, study.id) is not None
    if in_use == judge.id or by_anchors:
        return
    key = f"judge-in-use-seen-{study.id}-{judge.id}"
    seen = st.session_state.get(key, in_use)  # the judge in use when the page was drawn
    st.session_state[key] = in_use
    form = st.form(f"use-judge-{judge.id}", border=False)
    with form, st.container(horizontal=True, vertical_alignment="bottom"):
        actor = reader_session.actor(study)
        by = st.text_input(
            "Your name",
            value="" if actor == actors.LEAD else actor,
            max_chars=NAME_LIMIT,
            key=f"use-judge-by-{judge.id}",
        )
        pressed = st.form_submit_button("Use this judge", type="primary", key=f"use-judge-now-{judge.id}")
    if not pressed:
        return
    try:
        use_judge(reader_session.store(), actor, study, judge.id, by or "", seen)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    flash_message.finish(f"{judge.name} is now the judge in use: headlines show its numbers.")


def _compare_all(study: Study, judges: list[Judge]) -> None:
    with reader_session.store().reading() as connection:
        blocks = list(all_judges.compare_all(connection, study, judges))
    if blocks:
        untrusted_text.heading(all_judges.TITLE, 2)
        show_blocks(study, blocks)
