"""What may stand as the truth: what all said blind, and what was settled between people who had not seen the
judge.
"""

from __future__ import annotations

from typing import Any

import pytest

from scoring import arrays
from scoring.agreement.judges.reference import SettledLabels, beside_reference, reference_labels
from tests.unit.scoring.agreement.materials import column, material, number, verdicts

WARM = number("warm")


def labels(**more: Any) -> dict[int, str]:
    found = reference_labels(
        material(column("warm", {1: "YNYN", 2: "YNN.", 3: "Y.N."}), verdicts("warm", "YYYY"), **more), WARM
    )
    return {int(unit): found.domain[code] for unit, code in zip(found.unit, found.code, strict=True)}


def test_two_or_more_who_say_the_same_make_a_reference_and_one_alone_does_not() -> None:
    assert labels() == {1: "YES", 2: "NO"}


def test_what_people_settled_without_the_judge_is_the_reference() -> None:
    assert labels(settled=[("warm", 3, "NO", True)]) == {1: "YES", 2: "NO", 3: "NO"}


def test_what_was_settled_with_the_judge_in_view_or_because_of_it_never_becomes_one() -> None:
    assert labels(settled=[("warm", 3, "YES", False), ("warm", 1, "NO", False)]) == {1: "YES", 2: "NO"}


def test_where_both_readings_stand_there_is_none() -> None:
    assert labels(settled=[("warm", 3, None, False)]) == {1: "YES", 2: "NO"}
    assert labels(settled=[("warm", 1, None, True)]) == {2: "NO"}


def test_a_settled_label_of_another_question_or_unit_changes_nothing() -> None:
    assert labels(settled=[("crisis", 3, "NO", True), ("warm", 9, "NO", True)], units=9) == {
        1: "YES",
        2: "NO",
    }


def test_labels_under_the_judges_eyes_make_no_reference() -> None:
    assert labels(shown=column("warm", {1: "...Y", 2: "...Y"})) == {1: "YES", 2: "NO"}


def test_the_judge_is_right_on_so_many_of_them() -> None:
    found = material(
        [*column("warm", {1: "YNY", 2: "YNN"}), *column("kind", {1: "02", 2: "02"})],
        [*verdicts("warm", "YYY"), *verdicts("kind", "0.")],
        settled=[("warm", 3, "YES", True)],
    )
    made = beside_reference(found)
    assert (made.same, made.pairs) == (3, 4)
    assert beside_reference(material()).pairs == 0


@pytest.mark.parametrize("many", [1, arrays.MANY], ids=["in few bytes", "as they are"])
def test_settled_labels_are_found_by_unit_and_criterion(monkeypatch: pytest.MonkeyPatch, many: int) -> None:
    labelled = material(
        [*column("warm", {1: "YNY", 2: "YNN"}), *column("kind", {1: "02", 2: "02"})],
        [],
        settled=[("warm", 3, "NO", True)],
    )
    expected = {(1, "warm"): "YES", (2, "warm"): "NO", (3, "warm"): "NO", (1, "kind"): "0", (2, "kind"): "2"}
    monkeypatch.setattr(arrays, "MANY", many)
    settled = SettledLabels(labelled)
    assert {key: settled[key] for key in expected} == expected
    assert settled == expected and dict(settled.items()) == expected and len(settled) == 5
    assert list(settled) == [key for key, _ in settled.items()]
    for key in ((0, "warm"), (4, "warm"), (3, "kind"), (1, "no criterion")):
        assert key not in settled and settled.get(key) is None
