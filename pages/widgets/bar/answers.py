"""Data that the bar gets after the page is drawn, so that no page waits for it: the number of labels left to
settle, and search results. It is a component in a fragment, so that a search reruns no page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from data.access.permissions import Person
from data.record.studies import Study
from data.store.errors import StoreError
from pages.widgets import reader_session
from pages.widgets.bar.contents import address
from pages.widgets.reader_session import LEAD
from pages.widgets.scripts.modules import assemble
from reports.refusals import word_error
from services.search import HitGroup, SearchHit, find_place_to_rate, search_study
from services.search_scope import SearchScope, find_scope

FOLDER = Path(__file__).parent
SCRIPT = assemble(FOLDER / "answers.js")
_COMPONENT = st.components.v2.component("second_reader_answers", html="<span></span>", js=SCRIPT)
KEY = "answers"
TITLES = {"criterion": "Criteria", "person": "People", "unit": "Conversations"}


@dataclass(frozen=True)
class SearchQuestion:
    """`number` counts the questions of the page."""

    number: int
    words: str


@dataclass(frozen=True)
class HitLink:
    """A search result, as the bar shows it."""

    text: str
    about: str
    address: str


@dataclass(frozen=True)
class HitLinkGroup:
    title: str
    hits: list[HitLink]


@dataclass(frozen=True)
class SearchAnswer:
    """`number`: the question's. `trouble`: why the search failed."""

    number: int
    groups: list[HitLinkGroup]
    note: str
    trouble: str = ""


@dataclass(frozen=True)
class LinkCount:
    """How much is left to do on the page of an address in the bar."""

    address: str
    count: int


@st.fragment
def show_answers(study: Study | None, reader: Person | None, left: LinkCount | None, rates: bool) -> None:
    """Answer the question that the bar sent, if there is one.

    `rates`: on the Rate page, where a found criterion is one of the unit on the screen.
    """
    question = read_question(st.session_state.get(KEY, {}).get("ask"))
    unit = st.query_params.get("unit", "") if rates else ""
    answer = answer_or_trouble(study, reader, question, unit) if question is not None else None
    data = {"answer": asdict(answer) if answer else None, "left": asdict(left) if left else None}
    _COMPONENT(key=KEY, data=data, on_ask_change=_nothing)


def read_question(ask: Any) -> SearchQuestion | None:
    """Return what the browser sent as a question; None if it isn't one."""
    if not isinstance(ask, dict):
        return None
    number, words = ask.get("number"), ask.get("words")
    if not isinstance(number, int) or isinstance(number, bool) or not isinstance(words, str):
        return None
    return SearchQuestion(number, words)


def answer_or_trouble(
    study: Study | None, reader: Person | None, question: SearchQuestion, unit: str = ""
) -> SearchAnswer:
    """Return the answer, or one that says the store can't be read.

    An exception would cover the page and end the search.
    """
    try:
        return find_answer(study, reader, question, unit)
    except StoreError as error:
        return SearchAnswer(question.number, [], "", word_error(error))


def find_answer(
    study: Study | None, reader: Person | None, question: SearchQuestion, unit: str = ""
) -> SearchAnswer:
    """Return the answer to the question; without results if there is no study or person.

    `unit`: the one on the person's screen, "" for none.
    """
    if study is None or reader is None:
        return SearchAnswer(question.number, [], "")
    with reader_session.store().reading() as connection:
        scope = find_scope(connection, study, reader)
        groups = search_study(
            connection,
            study,
            scope,
            question.words,
            with_excerpts=not study.content_note
            or bool(st.session_state.get(reader_session.note_key(study))),
        )
        place = unit or str(find_place_to_rate(scope))
    return SearchAnswer(
        question.number,
        [_group(study, scope, group, place) for group in groups if group.hits],
        _note(scope, groups),
    )


def _note(scope: SearchScope, groups: Sequence[HitGroup]) -> str:
    if not scope.words:
        return "Until you have rated everything, you can find conversations only by their number."
    return "" if all(group.hits for group in groups) else "Too many conversations contain these letters."


def _group(study: Study, scope: SearchScope, group: HitGroup, place: str) -> HitLinkGroup:
    title, shown = TITLES[group.kind], len(group.hits)
    if group.kind == "unit" and study.instrument.unit != "conversation":
        title = study.noun.plural.capitalize()
    if group.more is None:
        title = f"{title}: the first {shown}"
    elif group.more:
        title = f"{title}: {shown} of {shown + group.more:,}"
    return HitLinkGroup(
        title, [HitLink(hit.name, hit.about, _address(study, scope, hit, place)) for hit in group.hits]
    )


def _address(study: Study, scope: SearchScope, hit: SearchHit, place: str) -> str:
    """`place`: the unit on which a blind rater sees the criterion."""
    reader = LEAD if scope.rater_id is None else str(scope.rater_id)
    if hit.kind == "person":
        return address("lead", study.key, reader, part="How it stands", rater=hit.target)
    if hit.kind == "imported_rater":
        return address("agreement", study.key, reader, rater=hit.target)
    if hit.kind == "unit":
        return address("review", study.key, reader, unit=hit.target)
    if scope.results:
        return address("agreement", study.key, reader, row=hit.target)
    return address("review", study.key, reader, unit=place, criterion=hit.target)


def _nothing() -> None:
    """Streamlit sends a value only if its callback is named."""
