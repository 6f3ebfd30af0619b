"""Judge cards: who each judge is, what it was asked, where it failed, whether it repeats itself, and what it
cost.
"""

from __future__ import annotations

import streamlit as st

from data import adoptions, judgements
from data.judgements import Judge
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.guard import judges_permitted
from pages.widgets.page_context import page_context
from pages.widgets.two_judges import compare_two
from reports.judges import all_judges
from reports.judges.identity_table import judge_title
from reports.judges.judge_card import AGREEMENT, judge_card
from reports.judges.report import NO_JUDGES


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading(f"Judges: {study.title}", 1)
    if not judges_permitted(study, reader):
        return
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        first = adoptions.default_judge(connection, study.id, judges)
    if not judges:
        st.info(NO_JUDGES)
        return
    chosen = st.selectbox(
        "Judge",
        range(len(judges)),
        index=first,
        format_func=lambda number: judge_title(judges[number]),
        key="judges-chosen",
    )
    _card(study, judges[chosen], lead=reader.rater is None)
    if len(judges) > 1:
        compare_two(study, judges)
        _compare_all(study, judges)


def _card(study: Study, judge: Judge, lead: bool) -> None:
    with reader_session.store().reading() as connection:
        card = judge_card(connection, study, judge, names_models=lead)
    untrusted_text.heading(card.title, 2)
    if card.use:
        untrusted_text.paragraph(card.use)
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


def _compare_all(study: Study, judges: list[Judge]) -> None:
    with reader_session.store().reading() as connection:
        blocks = list(all_judges.compare_all(connection, study, judges))
    if blocks:
        untrusted_text.heading(all_judges.TITLE, 2)
        show_blocks(study, blocks)
