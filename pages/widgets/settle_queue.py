"""Settling labels one after another: the list, the open label, and which one comes next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import shorten
from typing import Any

import streamlit as st

from data.access.permissions import Action, Person, may
from data.labels import disagreements
from data.labels.disagreements import Queue
from data.labels.queue_parts import Disagreement, QueuePart
from data.record import units
from data.record.studies import Rater, Study, unit_count
from data.record.units import Unit
from data.settling import unit_openings
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.address_number import number_in_address
from pages.widgets.hints import SETTLE, show_hint
from pages.widgets.settle_card import WayOn, settle_card
from pages.widgets.settle_list import component
from pages.widgets.settle_list.choices import ONLY_PUT_OFF, SHOW_AGAIN, SettleChoices
from pages.widgets.settle_list.component import ListPress
from pages.widgets.settle_list.rows import (
    EMPTY_FOR_RATER,
    PAGE,
    ListPage,
    list_data,
    read_page,
    waiting_in,
)
from pages.widgets.write_address import write_address
from reports.refusals import word_error
from services import settling

PANES = (2, 7)
NAME_SHOWN = 30  # characters of a criterion's name, so that one line holds it
Place = tuple[int, str]  # a unit's id and a criterion


@dataclass(frozen=True)
class Following:
    """The next label to settle, and its place in the list. `place` is None for a label of the open unit; the
    list then stays where it was.
    """

    item: Disagreement
    place: int | None


class SettleQueue:
    """A list as one person goes through it. The tab keeps what they put off, the list's page and the form's
    choices.
    """

    def __init__(self, study: Study, rater: Rater, queue: Queue, choices: SettleChoices) -> None:
        self.study, self.rater, self.queue, self.choices = study, rater, queue, choices
        self.session: dict[str, Any] = st.session_state.setdefault(
            f"settling-{study.id}-{rater.id}", {"passed": set(), "held": {}, "again": False}
        )
        if self.session.get("choices") != choices:
            self.session.update(choices=choices, place=0, after=0, placed=None)
        self.unit, self.criterion_id = self._asked()
        self.page = self._page()

    def _asked(self) -> tuple[Unit | None, str]:
        """Return the label that the address names, open or not."""
        position, criterion = number_in_address("unit"), st.query_params.get("criterion", "")
        if position is None:
            return None, ""
        with reader_session.store().reading() as connection:
            unit = units.at_position(connection, self.study.id, position)
        if unit is None or criterion not in {c.id for c in unit.criteria(self.study)}:
            return None, ""
        return unit, criterion

    def _page(self) -> ListPage:
        """Return the list's current page, or the page with the label that the address asks for."""
        page = self._read(self.session["after"])
        entry = (self.unit.id, self.criterion_id) if self.unit else None
        if entry != self.session["placed"]:
            number = page.number_told(*entry) if entry else None
            if entry and number is None:
                own_page = self._read(self.session["after"], entry)
                number = own_page.number_told(*entry)
                if number is not None:
                    page = own_page
                elif own_page.number_of(*entry) is not None:
                    return page  # it is hidden: the list turns to it once its labels are shown
            if self.session["placed"] is None and number is not None:
                self.session["place"] = page.listed.after + number
            self.session["placed"] = entry
        self.session["after"] = page.listed.after
        return page

    def _read(self, after: int, beside: Place | None = None) -> ListPage:
        part = QueuePart(after, beside, self.choices.criterion, self.choices.levels)
        return read_page(self.study, self.queue, Person(self.rater), part)

    @property
    def total(self) -> int:
        """Return the length of the filtered list."""
        return self.page.listed.total

    def show(self) -> None:
        """Show the list, and next to it the label to settle."""
        here = self._open_entry()
        following = self._following(here)
        if trouble := self.session.pop("trouble", None):
            st.warning(untrusted_text.plain(trouble))
        if here is None and not self.page.listed.total:
            untrusted_text.paragraph(EMPTY_FOR_RATER)
            return
        with st.container(key="settle-panes"):
            left, right = st.columns(PANES, gap="medium")
        with left:
            pressed = component.mount(self._list(here))
        if pressed is not None:
            self._follow(pressed)
        with right:
            if here is None:
                self._before_opening(following)
            else:
                self._card(*here, following)

    def _list(self, here: tuple[Unit, str] | None) -> Any:
        keys, items = self.page.keys(), self.page.listed.items
        number = self.page.number_of(here[0].id, here[1]) if here else None
        passed = [key for key, item in zip(keys, items, strict=True) if self._is_passed(item)]
        return list_data(
            self.study,
            self.page,
            "Labels to settle",
            keys[number] if number is not None else "",
            passed,
            leads=False,
        )

    def _follow(self, pressed: ListPress) -> None:
        if pressed.after is not None:
            self.session["after"] = pressed.after
            st.rerun()
        keys = self.page.keys()
        if pressed.key in keys:
            number = keys.index(pressed.key)
            item = self.page.listed.items[number]
            self.session["passed"].discard(self._mark(item))
            self._go(Following(item, self.page.listed.after + number))
            st.rerun()

    def _open_entry(self) -> tuple[Unit, str] | None:
        """Return the unit and criterion of the address if this person has opened it and may settle it here,
        or is about to.
        """
        unit, criterion = self.unit, self.criterion_id
        if unit is None:
            return None
        with reader_session.store().reading() as connection:
            permitted = may(connection, Person(self.rater), Action.SETTLE_UNIT, self.study, unit)
            if not (permitted and unit_openings.has_opened(connection, unit, self.rater.id)):
                return None
            asked_before = self.session["held"].get("asked") == (self.queue, unit.id, criterion)
            differs = disagreements.differ(connection, self.study, unit).get(criterion)
            return (unit, criterion) if differs == self.queue or asked_before else None

    def _following(self, here: tuple[Unit, str] | None) -> Following | None:
        """Return the next label. Other criteria of the same unit come first, because its conversation is
        known and its judge is shown once all are settled. Then the list continues.
        """

        def comes(item: Disagreement) -> bool:
            is_here = here is not None and (item.unit_id, item.criterion) == (here[0].id, here[1])
            return not is_here and not self._is_passed(item)

        if here is not None:
            for item in waiting_in(self.study, self.queue, self.rater.id, here[0]):
                if comes(item) and self.choices.criterion in ("", item.criterion):
                    return Following(item, None)
        start = self.session["place"]
        if here is None and self.unit is not None:  # the address asks for one that isn't open yet
            number = self.page.number_told(self.unit.id, self.criterion_id)
            start = start if number is None else self.page.listed.after + number
        for first in dict.fromkeys((start, 0)):
            for place, item in self._from(first):
                if comes(item):
                    return Following(item, place)
        return None

    def _from(self, first: int) -> Iterator[tuple[int, Disagreement]]:
        """Read the list from a place on."""
        after = first // PAGE * PAGE
        while after < self.page.listed.total:
            page = self.page if after == self.page.listed.after else self._read(after)
            for number, item in enumerate(page.listed.items, start=page.listed.after):
                if number >= first:
                    yield number, item
            after += PAGE

    def _mark(self, item: Disagreement) -> tuple[str, int, str]:
        return self.queue, item.unit_id, item.criterion

    def _is_passed(self, item: Disagreement) -> bool:
        return self._mark(item) in self.session["passed"]

    def _before_opening(self, following: Following | None) -> None:
        if following is None:
            if self.page.listed.total:
                untrusted_text.paragraph(ONLY_PUT_OFF)
                st.button(SHOW_AGAIN, key="passed-again", on_click=self.session["passed"].clear)
            return
        show_hint(SETTLE)
        untrusted_text.paragraph(
            "You will see colleagues' labels"
            + (" and the judge's" if self.queue == "human_judge" else "")
            + f" for a {self.study.noun.singular} that you have not rated. This is recorded, and you "
            "will never get it to rate."
        )
        st.button(
            "Open the first one" if following.place == 0 else "Open it",
            key="open-next",
            type="primary",
            on_click=self._go,
            args=(following,),
        )

    def _card(self, unit: Unit, criterion_id: str, following: Following | None) -> None:
        waiting = waiting_in(self.study, self.queue, self.rater.id, unit)
        waits = any(item.criterion == criterion_id for item in waiting)
        name = self.study.unit_name(unit.position)
        with reader_session.store().reading() as connection:
            total = unit_count(connection, self.study.id)

        def head() -> None:
            self._settled_before(unit, criterion_id)
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                untrusted_text.paragraph(f"{name} of {total:,}", small=True)
                if waits:
                    st.button(
                        "Later",
                        key="pass",
                        type="tertiary",
                        shortcut="Q",
                        on_click=self._pass,
                        args=((self.queue, unit.id, criterion_id), following),
                    )

        def end() -> None:
            with st.container(horizontal=True):
                if following is not None:
                    st.button(
                        "Open the next one",
                        key="open-next",
                        type="primary",
                        on_click=self._go,
                        args=(following,),
                    )
                else:
                    untrusted_text.paragraph("That was the last one.")
                st.button(
                    "Settle this label again",
                    key="settle-again",
                    on_click=self.session.update,
                    args=({"again": True},),
                )

        def settled() -> None:
            self.session["again"] = False
            number = self.page.number_of(unit.id, criterion_id)
            if number is not None and self.page.listed.after + number < self.session["place"]:
                self.session["place"] -= 1  # the list before it is now shorter by one
            if following is not None:
                self._go(following)
                self.session["settled"] = (unit.position, criterion_id)

        words = "Settle and next" if following is not None else "Settle"
        criterion = next(c for c in unit.criteria(self.study) if c.id == criterion_id)
        settle_card(
            self.study,
            unit,
            self.rater,
            criterion,
            self.queue,
            self.session["again"],
            self.session["held"],
            WayOn(head, end, words, settled),
        )

    def _settled_before(self, unit: Unit, criterion_id: str) -> None:
        """Show what was just settled, with a link back to it. There the judge is shown once it may be."""
        settled = self.session.get("settled")
        if settled is None or settled == (unit.position, criterion_id):
            return
        position, criterion = settled
        names = self.study.criterion_names()
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            name = shorten(names.get(criterion, criterion), NAME_SHOWN, placeholder="…")
            untrusted_text.paragraph(f"Settled: {self.study.unit_name(position)}, {name}.", small=True)
            st.button(
                "View",
                key="look-back",
                type="tertiary",
                on_click=self._look_back,
                args=(str(position), criterion),
            )

    def _look_back(self, position: str, criterion: str) -> None:
        self.session["again"] = False
        write_address(unit=position, criterion=criterion)

    def _go(self, following: Following) -> None:
        """Record that the unit is opened, then open it."""
        item = following.item
        self.session["again"] = False
        self.session.pop("settled", None)
        try:
            with reader_session.store().reading() as connection:
                unit = units.get(connection, item.unit_id)
            settling.open_disagreement(reader_session.store(), self.study, unit, self.rater)
        except StoreError as error:
            self.session["trouble"] = word_error(error)
            self.session["passed"].add(self._mark(item))
            return
        if following.place is not None:
            self.session["place"] = following.place
        else:  # the list stays where it was, wherever it has the same unit's other criterion
            self.session["placed"] = (item.unit_id, item.criterion)
        write_address(unit=str(item.position), criterion=item.criterion)

    def _pass(self, mark: tuple[str, int, str], following: Following | None) -> None:
        self.session["passed"].add(mark)
        if following is None:
            write_address(unit="", criterion="")
        else:
            self._go(following)
