"""Ways to a unit on the review page, for whoever sits here: a rater with a plan finds it at a place of their
own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import quote

import streamlit as st

from data.studies import Study
from data.work.worklist import open_worklist
from pages.widgets import reader_session
from pages.widgets.untrusted_text import Link

_back: ContextVar[str] = ContextVar("back", default="")


@contextmanager
def coming_from(way: str) -> Iterator[None]:
    """What a study lead opens from here knows the way back."""
    before = _back.set(way)
    try:
        yield
    finally:
        _back.reset(before)


def unit_links(study: Study, positions: Iterable[int], criterion: str = "") -> dict[int, str | Link]:
    """Position in the study -> a link, or a name where the unit is not in this rater's list."""
    reader = reader_session.reader(study)
    places: dict[int, int] | None = None
    if reader is not None and reader.rater is not None:
        with reader_session.store().reading() as connection:
            places = open_worklist(connection, study, reader.rater.id).places
    address = f"review?study={study.key}&reader={st.query_params.get('reader', '')}&unit="
    end = (
        f"&back={quote(_back.get(), safe='')}"
        if _back.get() and reader is not None and reader.rater is None
        else ""
    )
    end += f"&criterion={criterion}" if criterion else ""
    links: dict[int, str | Link] = {}
    for position in positions:
        number = position if places is None else places.get(position)
        links[position] = (
            Link(study.unit_name(number), f"{address}{number}{end}")
            if number is not None
            else f"a {study.noun.singular} that is not in your list"
        )
    return links
