"""Several names of raters in one field."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from data.record.rater_names import MAX_NAMES, refuse_unusable_names, split_names
from data.store.errors import Refused
from data.store.store import Store
from services.raters import add_raters
from tests.studies.small_study import Small


@pytest.mark.parametrize(
    "typed", ["Dr A, Dr B; Dr C", "Dr A;Dr B;Dr C", "Dr  A\nDr B\r\n Dr C\n", ", Dr A,; Dr B, Dr C, Dr A"]
)
def test_commas_semicolons_and_line_ends_part_names(typed: str) -> None:
    assert split_names(typed) == ("Dr A", "Dr B", "Dr C")


@pytest.mark.parametrize("second", ["dr a", "DrA", "Dr a"])
def test_two_spellings_of_a_name_are_refused(second: str) -> None:
    with pytest.raises(Refused, match="names_alike"):
        refuse_unusable_names(["Dr A", "Dr B", second])


def test_different_names_and_the_same_name_again_pass() -> None:
    refuse_unusable_names(["Dr A", "Dr B", "Dr A"])


def test_more_names_than_a_study_has_raters_are_refused() -> None:
    names = [f"Rater {number}" for number in range(MAX_NAMES + 1)]
    refuse_unusable_names(names[1:])
    with pytest.raises(Refused, match="too_many_names"):
        refuse_unusable_names(names)


def test_raters_are_looked_up_once_however_many_are_added(store: Store, small: Small) -> None:
    read: list[str] = []
    with store.reading() as connection:
        sa.event.listen(
            connection.engine,
            "before_cursor_execute",
            lambda *call: read.append(str(call[2])) if "rater.name" in str(call[2]) else None,
        )
    for least, most in ((0, 5), (0, 1_000)):  # the first five are there again
        names = [(line, f"Rater {line}") for line in range(least, most)]
        add_raters(store, "tests", small.study, names)
        assert len(read) == 1
        read.clear()
