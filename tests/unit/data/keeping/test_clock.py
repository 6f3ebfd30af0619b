"""Times that run backwards are told, with how far, and are no reason to call a store altered."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.keeping.clock import Clock
from data.keeping.verify import verify
from data.store import trail
from tests.studies.small_study import Small

Tell = Callable[[str], None]


@pytest.fixture
def tell(small: Small, monkeypatch: pytest.MonkeyPatch) -> Tell:
    """Save something at a time of the machine's clock."""
    desk = small.desk()

    def save(moment: str) -> None:
        monkeypatch.setattr(trail, "now", lambda: moment)
        desk.draft(2, "warm")

    return save


def remarks(small: Small) -> list[str]:
    with small.store.reading() as connection:
        check = verify(connection)
    assert check.problems == []
    return check.remarks


def test_a_clock_that_goes_on_is_no_remark(small: Small, tell: Tell) -> None:
    for moment in (
        "2026-12-01T10:00:00.000+00:00",
        "2026-12-01T10:00:00.000+00:00",
        "2026-12-01T10:00:00.001+00:00",
    ):
        tell(moment)
    assert remarks(small) == []


@pytest.mark.parametrize(
    ("moment", "far"),
    [
        ("2026-12-01T09:59:59.750+00:00", "0.250 seconds"),
        ("2026-12-01T09:59:00.000+00:00", "60.000 seconds"),
        ("2026-12-01T09:30:00.000+00:00", "30.0 minutes"),
        ("2026-12-01T06:30:00.000+00:00", "3.5 hours"),
        ("2025-12-01T10:00:00.000+00:00", "365.0 days"),
    ],
)
def test_a_clock_that_was_set_back_is_told_with_how_far(
    small: Small, tell: Tell, moment: str, far: str
) -> None:
    tell("2026-12-01T10:00:00.000+00:00")
    tell(moment)
    with small.store.reading() as connection:
        entry = verify(connection).entries
    assert remarks(small)[0] == (
        f"entry {entry} is dated {far} before the entry that it follows ({moment} after 2026-12-01T10:00:00.000+00:00)"
    )


def test_each_time_it_was_set_back_is_told_and_not_what_followed(small: Small, tell: Tell) -> None:
    for hour in (12, 10, 11, 9, 10):
        tell(f"2026-12-01T{hour:02}:00:00.000+00:00")
    assert [told.split(" is dated ")[1].split(" before")[0] for told in remarks(small)[:-1]] == [
        "2.0 hours",
        "2.0 hours",
    ]


def test_of_many_the_first_are_named_and_the_rest_counted() -> None:
    clock = Clock()
    for entry in range(30):
        clock.went_back(entry, "2026-12-01T10:00:00.000+00:00", "2026-12-01T09:00:00.000+00:00")
    assert len(clock.remarks()) == 22
    assert clock.remarks()[20] == "10 more entries are dated before the one that they follow"


def test_a_time_that_is_none_is_told_without_how_far() -> None:
    clock = Clock()
    clock.went_back(2, "yesterday", "last week")
    assert clock.remarks()[0].startswith("entry 2 is dated some time before")
