"""The rows of the list: a page of a queue, read once per state of the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import streamlit as st

from data.access.permissions import Person
from data.labels import disagreements
from data.labels.disagreements import Queue
from data.labels.queue_parts import FIRST_PART, Disagreement, DisagreementList, QueuePart
from data.record.studies import Study
from data.record.units import Unit
from data.settling.queue_labels import RowLabels, row_labels
from data.store.store import Connection
from pages.widgets import reader_session
from pages.widgets.memo import memoize, study_head
from pages.widgets.reader_session import LEAD
from pages.widgets.settle_list.contract import LabelList, SettleRow
from pages.widgets.unit_names import name_units

PAGE = 100  # rows of the list
IN_A_ROW = 6  # labels listed one by one; more are counted
HIDDEN = "Shown when you open it"
EMPTY = "Nothing is left to settle here."
EMPTY_FOR_RATER = f"{EMPTY} What you rate yourself is settled by somebody else."


@dataclass(frozen=True)
class ListPage:
    """A page of a queue as one person sees it. `labels[i]` are of item i; None while hidden."""

    queue: Queue
    listed: DisagreementList
    labels: list[RowLabels | None]

    def hides_item(self, number: int) -> bool:
        """Tell whether the unit and criterion of an item stay hidden. They would reveal that a judge differs
        to a person who settles a disagreement between people in that unit.
        """
        return self.queue == "human_judge" and self.labels[number] is None

    def keys(self) -> list[str]:
        """Return the browser's key of each row; a hidden label has its place as its key."""
        return [
            f"hidden {self.listed.after + number}"
            if self.hides_item(number)
            else f"{item.position}/{item.criterion}"
            for number, item in enumerate(self.listed.items)
        ]

    def number_of(self, unit_id: int, criterion: str) -> int | None:
        """Return the row number of an item; None if it isn't on this page."""
        places = [(item.unit_id, item.criterion) for item in self.listed.items]
        return places.index((unit_id, criterion)) if (unit_id, criterion) in places else None

    def number_told(self, unit_id: int, criterion: str) -> int | None:
        """Return the row number; None also for a hidden label, because an address must not reveal that it is
        in the list.
        """
        number = self.number_of(unit_id, criterion)
        return None if number is not None and self.hides_item(number) else number


def read_page(study: Study, queue: Queue, person: Person, part: QueuePart) -> ListPage:
    """Return a page of a queue as this person sees it, computed once per state of the study."""
    with reader_session.store().reading() as connection:

        def read() -> ListPage:
            listed = _read_queue(connection, study, queue, person.rater_id, PAGE, part)
            return ListPage(queue, listed, row_labels(connection, study, queue, listed.items, person))

        return memoize("settle-list", (study.id, queue, person, part), study_head(connection, study), read)


def count_queue(study: Study, queue: Queue, person: Person) -> int:
    """Return how many labels the queue has for this person."""
    with reader_session.store().reading() as connection:

        def count() -> int:
            return _read_queue(connection, study, queue, person.rater_id, 1, FIRST_PART).total

        return memoize("settle-count", (study.id, queue, person), study_head(connection, study), count)


def waiting_in(study: Study, queue: Queue, rater_id: int, unit: Unit) -> list[Disagreement]:
    """Return everything to settle in one unit of a queue, as this person may see it."""
    with reader_session.store().reading() as connection:

        def read() -> list[Disagreement]:
            ask = disagreements.between_people if queue == "human_human" else disagreements.with_judges
            return ask(connection, study, unit=unit, rater_id=rater_id).items

        key = (study.id, queue, rater_id, unit.id)
        return memoize("settle-unit", key, study_head(connection, study), read)


def _read_queue(
    connection: Connection, study: Study, queue: Queue, rater_id: int | None, at_most: int, part: QueuePart
) -> DisagreementList:
    ask = disagreements.between_people if queue == "human_human" else disagreements.with_judges
    return ask(connection, study, at_most, rater_id=rater_id, part=part)


def list_data(
    study: Study, page: ListPage, title: str, current: str, passed: Sequence[str], leads: bool
) -> LabelList:
    """Return the list's data. `current`: the key of the open row; `passed`: those put off. `leads`: rows link
    to the units, for a study lead.
    """
    names = name_units(study, Person(None) if leads else None, [item.position for item in page.listed.items])
    return LabelList(
        title=title,
        rows=[
            _row(study, page, number, key, key in passed, leads, names)
            for number, key in enumerate(page.keys())
        ],
        after=page.listed.after,
        total=page.listed.total,
        page_size=PAGE,
        current=current,
        empty=EMPTY if leads else EMPTY_FOR_RATER,
        leaves=leads,
    )


def _row(
    study: Study,
    page: ListPage,
    number: int,
    key: str,
    is_passed: bool,
    leads: bool,
    names: Mapping[int, str],
) -> SettleRow:
    item, labels, hidden = page.listed.items[number], page.labels[number], page.hides_item(number)
    later = ["later"] if is_passed else []
    if hidden:
        address = _address(study, page.queue, {}, leads)
        return SettleRow(key=key, name=HIDDEN, about="", labels=[], judge=[], marks=later, address=address)
    place = {"unit": str(item.position), "criterion": item.criterion}
    return SettleRow(
        key=key,
        name=names[item.position],
        about=study.criterion_names().get(item.criterion, item.criterion),
        labels=_label_words(study, item, labels.people) if labels else [],
        judge=_label_words(study, item, labels.judges) if labels else [],
        marks=[
            *([_distance(study, item)] if labels and _distance(study, item) else []),
            *(["safety"] if item.gate else []),
            *(["one rater"] if page.queue == "human_judge" and item.raters == 1 else []),
            *(["new labels"] if item.reopened else []),
            *later,
        ],
        address=_address(study, page.queue, place, leads),
    )


def _address(study: Study, queue: Queue, place: Mapping[str, str], leads: bool) -> str:
    if leads:
        return f"review?{urlencode({'study': study.key, 'reader': LEAD, **place})}"
    reader = st.query_params.get("reader", "")
    return f"adjudication?{urlencode({'study': study.key, 'reader': reader, 'queue': queue, **place})}"


def _label_words(study: Study, item: Disagreement, labels: Sequence[str | None]) -> list[str]:
    """Return numbers as they are and other labels by name. Many labels are counted, the lowest first."""
    scale = study.instrument.scale_for(item.criterion)
    names = {label.id: label.id if label.id.isdigit() else label.name for label in scale.labels()}
    words = ["cannot rate" if label is None else names.get(label, label) for label in labels]
    if len(words) <= IN_A_ROW:
        return words
    order = [*names.values(), *sorted(set(words) - set(names.values()))]
    counts = Counter(words)
    return [f"{counts[word]} × {word}" for word in order if counts[word]]


def _distance(study: Study, item: Disagreement) -> str:
    """Return the distance in levels of an ordered scale; "" for labels without an order."""
    scale = study.instrument.scale_for(item.criterion)
    low, high = scale.bounds()
    return f"{round(item.distance * (high - low))} apart" if scale.kind == "ordinal" else ""
