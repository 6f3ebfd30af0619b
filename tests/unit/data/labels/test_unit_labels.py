"""Everything that was said of one unit, for those who do not rate."""

from __future__ import annotations

from data.labels import unit_labels
from data.labels.unit_labels import UnitLabel
from tests.studies.small_study import REASONED, Desk, Small


def said(desk: Desk, position: int) -> list[UnitLabel]:
    unit = desk.unit(position)
    with desk.store.reading() as connection:
        return unit_labels.of_unit(connection, unit)


def test_people_come_first_with_what_holds_now_then_the_judges(small: Small) -> None:
    ann, ben = small.desk(0), small.desk(1)
    ann.rate(2)
    ann.change(2, "warm", "NO", note="cold")
    ben.rate(2, "NO")
    warm = [label for label in said(ann, 2) if label.criterion == "warm"]
    assert [(label.who, label.by_judge, label.label, label.text) for label in warm] == [
        ("Ann", False, "NO", "cold"),
        ("Ben", False, "NO", None),
        ("Judge A", True, "YES", f"{REASONED} 2 warm"),
        ("Judge B", True, "YES", f"{REASONED} 2 warm"),
    ]


def test_a_failure_and_cannot_rate_have_no_label_and_say_what_they_are(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "safe", None, cannot_rate="distressing")
    desk.commit(2)
    found = {one.who: (one.label, one.status) for one in said(desk, 2) if one.criterion == "safe"}
    assert found == {"Ann": (None, "distressing"), "Judge A": ("YES", "ok"), "Judge B": (None, "truncated")}


def test_what_the_rater_had_been_shown_stands_beside_the_label(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    shown = {label.criterion: label.shown for label in said(desk, 2) if not label.by_judge}
    assert shown == {"warm": "revealed", "safe": "blind", "deep": "blind"}
    changed = [label for label in said(desk, 2) if label.is_changed]
    assert [(label.criterion, label.label, label.blind_answer) for label in changed] == [
        ("warm", "NO", ("YES", "given"))
    ]


def test_what_was_given_blind_stands_beside_a_label_that_was_given_after(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.change(2, "deep", "NO")  # still blind
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    blind = {label.criterion: label.blind_answer for label in said(desk, 2) if not label.by_judge}
    assert blind == {"warm": ("YES", "given"), "safe": None, "deep": None}


def test_the_same_answer_after_the_reveal_changed_nothing(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    desk.change(2, "warm", "YES")
    (warm,) = [label for label in said(desk, 2) if label.criterion == "warm" and not label.by_judge]
    assert (warm.label, warm.shown, warm.blind_answer) == ("YES", "revealed", ("YES", "given"))
    assert not warm.is_changed


def test_of_other_units_nothing_is_said(small: Small) -> None:
    small.desk().rate(3)
    assert {one.who for one in said(small.desk(), 2)} == {"Judge A", "Judge B"}
