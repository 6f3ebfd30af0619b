"""Parts of a queue: pages, the page of an entry, and what it is narrowed down to."""

from __future__ import annotations

import pytest

from data.labels import disagreements
from data.labels.queue_parts import DisagreementList, QueuePart
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow


def dispute_all(small: Small) -> None:
    """Units 1 to 3: all criteria differ, but for "safe" of unit 2."""
    for number, label in ((0, "YES"), (1, "NO")):
        for position in (1, 2, 3):
            desk = small.desk(number)
            desk.draft_all(position, label)
            if position == 2:
                desk.draft(position, "safe", "YES")
            desk.commit(position)


def part_of(small: Small, at_most: int = 3, **asked: object) -> DisagreementList:
    with small.store.reading() as connection:
        part = QueuePart(**asked)  # type: ignore[arg-type]
        return disagreements.between_people(connection, small.study, at_most, part=part)


def places(listed: DisagreementList) -> list[tuple[int, str]]:
    return [(item.position, item.criterion) for item in listed.items]


def test_pages_one_after_the_other_are_the_whole_queue(planned: Small) -> None:
    dispute_all(planned)
    whole = part_of(planned, 200)
    pages = [part_of(planned, after=after) for after in (0, 3, 6)]
    assert whole.total == len(whole.items) == 7
    assert [place for page in pages for place in places(page)] == places(whole)
    assert [(page.after, page.total) for page in pages] == [(0, 7), (3, 7), (6, 7)]


def test_the_page_of_an_entry(planned: Small) -> None:
    dispute_all(planned)
    whole = part_of(planned, 200)
    for number, item in enumerate(whole.items):
        page = part_of(planned, beside=(item.unit_id, item.criterion))
        assert page.after == number // 3 * 3 and item in page.items


def test_an_entry_that_is_not_in_the_queue_leaves_the_page_as_it_was(planned: Small) -> None:
    dispute_all(planned)
    agreed = planned.desk().unit(2).id
    assert part_of(planned, after=3, beside=(agreed, "safe")) == part_of(planned, after=3)


def test_behind_the_end_the_queue_begins_anew(planned: Small) -> None:
    dispute_all(planned)
    assert part_of(planned, after=30) == part_of(planned)


def test_an_empty_queue_has_no_page(planned: Small) -> None:
    assert part_of(planned, after=3) == DisagreementList([], 0)


def test_of_one_criterion_only(planned: Small) -> None:
    dispute_all(planned)
    safe = part_of(planned, 200, criterion="safe")
    assert (places(safe), safe.total) == ([(1, "safe"), (3, "safe")], 2)
    item = safe.items[1]
    assert part_of(planned, 1, criterion="safe", beside=(item.unit_id, "safe")).after == 1


def test_a_scale_without_an_order_has_no_levels_apart(planned: Small) -> None:
    dispute_all(planned)
    assert part_of(planned, levels=1).total == 0


def test_only_what_is_so_many_levels_apart(mixed: Small) -> None:
    given = {2: ("0", "4"), 3: ("1", "2"), 4: ("0", "NA")}
    for position, labels in given.items():
        for number, label in enumerate(labels):
            desk = mixed.desk(number)
            answers = {"kind": label, "clear": "YES" if number else "NO", "safe": "YES"}
            for criterion, answer in answers.items():
                desk.draft(position, criterion, answer)
            desk.commit(position)
    assert part_of(mixed, 200).total == 6
    assert places(part_of(mixed, 200, levels=1)) == [(2, "kind"), (4, "kind"), (3, "kind")]
    assert places(part_of(mixed, 200, levels=2)) == [(2, "kind"), (4, "kind")], "NA is as far as can be"
    assert part_of(mixed, 200, levels=5).total == 0
