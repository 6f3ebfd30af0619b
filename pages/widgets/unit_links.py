"""Links to units on the review page. With a plan, a unit has its own place in each rater's list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from urllib.parse import quote

import streamlit as st

from data.record.studies import Study
from data.work.worklist import open_worklist
from pages.widgets import reader_session
from pages.widgets.address_number import read_number
from pages.widgets.unit_names import name_units
from pages.widgets.untrusted_text import Link

AMONG, MOST_IN_TURN = "among", 40  # in the address of a unit: the units to read in turn
_back: ContextVar[str] = ContextVar("back", default="")


def units_beside(position: int, total: int) -> tuple[int | None, int | None]:
    """Return the units before and after one, among those in the address or else in the study."""
    named = st.query_params.get(AMONG, "").split(".", MOST_IN_TURN)[:MOST_IN_TURN]
    units = [unit for part in named if (unit := read_number(part)) is not None and 1 <= unit <= total]
    if position not in units:
        return position - 1 or None, position + 1 if position < total else None
    at = units.index(position)
    return units[at - 1] if at else None, units[at + 1] if at + 1 < len(units) else None


@contextmanager
def coming_from(way: str) -> Iterator[None]:
    """Make pages that a study lead opens from within the block link back to `way`."""
    before = _back.set(way)
    try:
        yield
    finally:
        _back.reset(before)


def unit_links(
    study: Study, positions: Iterable[int], criterion: str = "", in_turn: bool = False
) -> dict[int, str | Link]:
    """Return position in the study -> a link to the unit, or its name if it is not in this rater's list.

    `criterion`: opened with the unit, "" for none. `in_turn`: a lead's page of each unit links to the next.
    """
    positions = list(dict.fromkeys(positions))
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
    if in_turn and end and 1 < len(positions) <= MOST_IN_TURN:
        end += f"&{AMONG}={'.'.join(map(str, positions))}"
    names = name_units(study, reader, positions)
    links: dict[int, str | Link] = {}
    for position in positions:
        number = position if places is None else places.get(position)
        links[position] = (
            Link(names[position] if places is None else study.unit_name(number), f"{address}{number}{end}")
            if number is not None
            else f"a {study.noun.singular} that is not in your list"
        )
    return links
