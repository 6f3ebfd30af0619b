"""Two judges against one reference."""

from __future__ import annotations

import pytest

from scoring.agreement.judges.right_or_wrong import right_or_wrong
from scoring.agreement.significance_tests.mcnemar import mcnemar


def test_units_are_counted_once_and_conversations_decide() -> None:
    found = right_or_wrong(
        [(1, "NO", "NO", "YES")] * 10
        + [(2, "YES", "YES", "YES"), (3, "NO", "NA", "NO"), (4, "NO", "YES", "NA")]
    )
    assert found.table == [[1, 10], [1, 1]]
    assert (found.first_ahead, found.second_ahead, found.p) == (1, 1, 1.0)


def test_with_one_unit_a_conversation_it_is_mcnemars_exact_test() -> None:
    found = right_or_wrong(
        [(n, "NO", "NO", "YES") for n in range(9)]
        + [(20 + n, "NO", "YES", "NO") for n in range(2)]
        + [(30, "NO", "NO", "NO")]
    )
    assert found.p == mcnemar(found.table).exact.p == pytest.approx(0.0654296875)


def test_a_conversation_in_which_each_was_right_once_has_nobody_ahead() -> None:
    assert right_or_wrong([(1, "NO", "NO", "YES"), (1, "YES", "NO", "YES")]).p is None
    assert right_or_wrong([]).p is None
