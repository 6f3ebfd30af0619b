"""The bar of a page: shown before the page runs. A press takes effect at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import streamlit as st

from data.access.permissions import Action, Person, may
from data.record import studies
from data.record.studies import Study
from data.store.errors import StoreError
from pages.widgets import reader_session, remembered_person
from pages.widgets.bar import component, contents
from pages.widgets.bar.answers import LinkCount, show_answers
from pages.widgets.bar.component import Press
from pages.widgets.bar.contents import BarContents, BarLink, Entry, Menu, Permission
from pages.widgets.help import topics
from pages.widgets.reader_session import LEAD
from pages.widgets.settle_list.rows import count_queue

# Pages that others link to and that the bar doesn't list.
UNDER = {"calls": "judges", "calibration": "my_work", "gold": "lead"}


@contextmanager
def bar(page: str) -> Iterator[None]:
    """Draw the bar around the page of this name. The place for later answers comes before the page."""
    study = _study_of(page)
    reader = reader_session.reader(study) if study is not None else None
    entries = contents.OUTSIDE if study is None else _entries(study, reader)
    pressed = component.mount(_contents(page, study, reader, entries))
    if pressed is not None:
        _follow(pressed, page, study)
    place = st.container(key="answers-place")
    yield
    left = _left_to_settle(page, study, reader, entries) if study is not None else None
    with place:
        show_answers(study, reader, left, rates=page == "review")


def _left_to_settle(
    page: str, study: Study, reader: Person | None, entries: Sequence[Entry | Menu]
) -> LinkCount | None:
    """Count labels to settle as the Settle page does; None on the rating page, to keep commits fast."""
    if reader is None or page == "review" or contents.SETTLE not in entries:
        return None
    try:
        count = count_queue(study, "human_human", reader)
    except StoreError:  # the page shows the error
        return None
    target = contents.address(contents.SETTLE.page, study.key, st.query_params.get("reader", ""))
    return LinkCount(target, count)


def _study_of(page: str) -> Study | None:
    """Return the study of the page. The list of studies has none; imports may have one."""
    in_no_study = page in (contents.IMPORT, contents.HELP) and not st.query_params.get("study")
    if page == contents.HOME or in_no_study:
        reader_session.leave_study()
        return None
    return reader_session.study()


def _entries(study: Study, reader: Person | None) -> Sequence[Entry | Menu]:
    """Return the pages that this person may open, without asking for a name."""
    if reader is None:
        return ()
    with reader_session.store().reading() as connection:
        if may(connection, reader, Action.LEAD, study):
            return contents.FOR_LEAD
        permission = Permission(
            settle=bool(may(connection, reader, Action.SETTLE, study)),
            own_agreement=study.shows_judge,
            whole_study=bool(may(connection, reader, Action.SEE_LABELS, study)),
        )
    return contents.for_rater(permission)


def _contents(
    page: str, study: Study | None, reader: Person | None, entries: Sequence[Entry | Menu]
) -> BarContents:
    key = study.key if study is not None else ""
    with reader_session.store().reading() as connection:
        titles = studies.titles(connection)
    remembered = reader_session.person()
    person, role = remembered.name, "lead" if remembered.leads and not remembered.name else ""
    if reader is not None:
        person, role = (reader.rater.name, "") if reader.rater is not None else (reader.name, "lead")
    chosen_reader = st.query_params.get("reader", "") if reader is not None else ""
    current = UNDER.get(page, page)
    if page == "calibration" and reader is not None and reader.leads:
        current = "lead"
    return BarContents(
        study=study.title if study is not None else "",
        studies=contents.study_links(titles, page if study is not None else "review", key),
        pages=contents.links(entries, current, key, chosen_reader),
        home=BarLink("Second Reader", contents.HOME, "", contents.address(contents.HOME, "", ""), "h", False),
        help=contents.help_link(page, key, chosen_reader),
        person=person or ("Study lead" if role else ""),
        role=role,
        letters=page not in contents.PAGES_WITH_LABEL_KEYS,
        cookie=remembered_person.cookie_value(remembered),
        change=remembered.change,
    )


def _follow(pressed: Press, page: str, study: Study | None) -> None:
    if pressed.forgets:
        reader_session.forget_person()
        _switch(page, study, "")
    wanted = st.session_state.get(f"page_{pressed.page}")
    if pressed.page == contents.HELP:
        _switch(pressed.page, study, st.query_params.get("reader", ""), **topics.section_for(page).query())
    with reader_session.store().reading() as connection:
        target = studies.find(connection, pressed.study) if pressed.study else None
    if wanted is None or (target is None and pressed.page not in contents.pages_of(contents.OUTSIDE)):
        return
    if target is None:
        reader_session.leave_study()
        _switch(pressed.page, None, "")
        return
    same = study is not None and study.key == target.key
    reader = st.query_params.get("reader", "") if same else reader_session.choice(target) or ""
    _switch(pressed.page if same else _fitting(pressed.page, target, reader), target, reader)


def _fitting(page: str, study: Study, reader: str) -> str:
    """Return the current page, or the start page of a study in which this person may not open it."""
    page = UNDER.get(page, page)
    if not reader:
        return page
    if reader == LEAD:
        return page if page in contents.pages_of(contents.FOR_LEAD) else "overview"
    with reader_session.store().reading() as connection:
        rater = Person(studies.rater(connection, int(reader)))
    return page if page in contents.pages_of(_entries(study, rater)) else "my_work"


def _switch(page: str, study: Study | None, reader: str, **more: str) -> None:
    query = {**({"study": study.key, "reader": reader} if study is not None else {}), **more}
    st.switch_page(
        st.session_state[f"page_{page}"],
        query_params={name: value for name, value in query.items() if value},
    )
