"""Two judges on the same questions: counts that add up, and a test that counts conversations."""

from __future__ import annotations

import itertools
import math

import pytest

from scoring.agreement.judges.changes import changes

YES_NO = {"YES": 1, "NO": 0, "NA": None}
DEGREES = {"0": 0, "1": 1, "2": 2}


def test_every_change_is_counted_once() -> None:
    pairs = [(n, first, second) for n, (first, second) in enumerate(itertools.product(YES_NO, YES_NO))]
    found = changes(pairs, YES_NO)
    assert (found.both, found.same, found.up, found.down, found.applicable) == (9, 3, 1, 1, 4)
    assert found.same + found.up + found.down + found.applicable == found.both


@pytest.mark.parametrize(("up", "down"), [(5, 0), (0, 5), (7, 2), (3, 3), (1, 0), (40, 12)])
def test_with_one_label_a_conversation_it_is_mcnemars_exact_test(up: int, down: int) -> None:
    pairs = (
        [(n, "NO", "YES") for n in range(up)]
        + [(100 + n, "YES", "NO") for n in range(down)]
        + [(200, "YES", "YES")]
    )
    n = up + down
    expected = min(1.0, 2 * sum(math.comb(n, k) for k in range(min(up, down) + 1)) / 2**n)
    assert changes(pairs, YES_NO).p == pytest.approx(expected)


def test_ten_labels_of_one_conversation_are_one_conversation() -> None:
    """Counted as ten they would give p = 0.002, from one conversation alone."""
    found = changes([(1, "0", "2")] * 10, DEGREES)
    assert (found.up, found.risen, found.fallen, found.p) == (10, 1, 0, 1.0)


def test_a_conversation_with_as_many_up_as_down_has_no_direction() -> None:
    found = changes([(1, "0", "2"), (1, "1", "0"), (2, "1", "2")], DEGREES)
    assert (found.up, found.down, found.risen, found.fallen) == (2, 1, 1, 0)


def test_nothing_that_changed_or_only_what_applies_makes_no_test() -> None:
    assert changes([(1, "YES", "YES"), (2, "NA", "NO")], YES_NO).p is None
    assert changes([], YES_NO) == changes([], YES_NO) and changes([], YES_NO).both == 0


def test_the_other_way_round_is_the_same_test_with_up_and_down_exchanged() -> None:
    pairs = [(n, "0", "2") for n in range(6)] + [(n, "2", "1") for n in range(6, 8)]
    there, back = (
        changes(pairs, DEGREES),
        changes([(n, second, first) for n, first, second in pairs], DEGREES),
    )
    assert (there.up, there.down, there.p) == (back.down, back.up, back.p)


def test_a_label_that_is_not_of_the_scale_is_an_error_and_no_change() -> None:
    with pytest.raises(KeyError):
        changes([(1, "YES", "MAYBE")], YES_NO)
