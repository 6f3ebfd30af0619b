"""The choice of two judges, and their comparison."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from data.record.judgements import Judge
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import Links, positions_of, show_block
from pages.widgets.unit_names import name_units
from pages.widgets.untrusted_text import Link
from reports.document import Block
from reports.judges.identity_table import numbered_title
from reports.judges.judge_pair import TITLE, compare_pair, latest_pair

MAX_ROWS_LISTED = 200


def compare_two(study: Study, judges: Sequence[Judge]) -> None:
    """Ask for two judges, and show how their labels differ."""
    untrusted_text.heading(TITLE, 2)
    from_place, to_place = latest_pair(judges)
    left, right = st.columns(2)
    with left:
        first = _choose_judge("From", judges, from_place, "judges-from")
    with right:
        second = _choose_judge("to", judges, to_place, "judges-to")
    if first.id == second.id:
        st.info("Choose two judges.")
        return
    with reader_session.store().reading() as connection:
        blocks = list(compare_pair(connection, study, first, second, MAX_ROWS_LISTED))
    links = _call_links(study, second, blocks)
    for block in blocks:
        show_block(block, links)


def _choose_judge(label: str, judges: Sequence[Judge], place: int, key: str) -> Judge:
    names = [numbered_title(judge) for judge in judges]
    return judges[
        st.selectbox(label, range(len(judges)), index=place, format_func=names.__getitem__, key=key)
    ]


def _call_links(study: Study, judge: Judge, blocks: Sequence[Block]) -> Links:
    """Return links to the judge's calls about each unit, because a person who wonders why a label changed
    needs the prompt and the reply.
    """
    address = f"calls?study={study.key}&reader={st.query_params.get('reader', '')}"
    names = name_units(study, reader_session.reader(study), positions_of(blocks))
    return {
        position: Link(name, f"{address}&unit={position}&judge={judge.id}")
        for position, name in names.items()
    }
