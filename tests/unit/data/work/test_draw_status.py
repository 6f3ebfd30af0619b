"""What may be estimated from the draws of a study, in words."""

from __future__ import annotations

import pytest

from reports.progress.draw_words import word_draw_status
from tests.unit.data.bench import Bench
from words.unit_nouns import CONVERSATION

WHOLE = "Every conversation had a chance: rates for the whole study can be estimated, weighted."


def words(bench: Bench) -> list[str]:
    return word_draw_status(bench.standing(), CONVERSATION)


def test_before_the_first_draw(sites: Bench) -> None:
    found = sites.standing()
    assert (found.draws, found.units, found.drawn) == ([], 40, 0)
    assert words(sites) == ["Nothing has been selected yet."]


def test_every_unit_had_a_chance(sites: Bench) -> None:
    sites.draw(method="strata", size=20, keys=[{"kind": "fact", "name": "site"}])
    found = sites.standing()
    assert words(sites) == [WHOLE]
    assert (found.drawn, found.unreachable) == (20, 0)
    assert [(one.name, one.units, one.taken) for one in found.draws[0].strata or []] == [
        ("site: north", 24, 12),
        ("site: south", 12, 6),
        ("site: west", 4, 2),
    ]


def test_everything_was_drawn(sites: Bench) -> None:
    sites.draw(method="random", size=3)
    sites.draw(method="all")
    assert words(sites) == ["Every conversation was selected, so none has to be weighted."]


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            12,
            "12 conversations came after the selection and had no chance: rates speak of the other 40 until they "
            "are selected.",
        ),
        (
            1,
            "1 conversation came after the selection and had no chance: rates speak of the other 40 until it "
            "is selected.",
        ),
    ],
)
def test_units_came_after_the_draw(sites: Bench, more: int, said: str) -> None:
    sites.draw(method="random", size=10)
    sites.arrive([{}] * more)
    assert words(sites) == [said]
    assert sites.standing().unreachable == more
    sites.draw(method="random", size=10)
    assert words(sites) == [WHOLE]


def test_units_came_after_the_draw_and_another_was_chosen_by_hand_then(sites: Bench) -> None:
    sites.draw(method="random", size=10)
    sites.arrive([{}] * 12)
    sites.draw(method="chosen", positions="41")
    found = sites.standing()
    assert (found.came_after, found.passed_over, found.chosen) == (11, 0, 1)
    assert words(sites)[0].startswith("11 conversations came after the selection")


def test_only_what_was_certain_had_a_chance(sites: Bench) -> None:
    sites.draw(method="certain", certain={"judge": sites.judges["Judge A"]})
    assert words(sites) == [
        "31 conversations had no chance in any selection: rates speak of the other 9 only."
    ]


def test_what_was_chosen_by_hand_counts_in_no_rate(sites: Bench) -> None:
    sites.draw(method="chosen", positions="1-5")
    assert words(sites) == [
        "Nothing was selected at random: no rate for the whole study can be estimated.",
        "5 conversations were chosen by hand; they count in no rate.",
    ]
    sites.draw(method="random", size=10)
    assert words(sites) == [
        "Every conversation that is not chosen by hand had a chance: rates for these can be estimated, weighted.",
        "5 conversations were chosen by hand; they count in no rate.",
    ]


def test_choosing_by_hand_after_a_draw_is_said(sites: Bench) -> None:
    drawn = sites.positions(sites.draw(method="random", size=10))
    other = next(position for position in range(1, 41) if position not in drawn)
    assert sites.preview(method="chosen", positions=str(other)).notices
    sites.draw(method="chosen", positions=str(other))
    assert words(sites)[-1].startswith("After a selection, some were chosen by hand.")


def test_practice_counts_in_no_rate(sites: Bench) -> None:
    sites.gold(1)
    sites.repeat(2)
    sites.draw(method="random", size=10)
    found = sites.standing()
    assert words(sites) == [
        "Every conversation that is not for practice had a chance: rates for these can be estimated, weighted.",
        "1 conversation is for practice; it counts in no rate.",
    ]
    assert (found.units, found.practice) == (40, 1)


def test_a_unit_that_became_practice_after_it_was_drawn_is_counted_once(sites: Bench) -> None:
    sites.draw(method="all")
    sites.gold(1)
    found = sites.standing()
    assert (found.drawn, found.practice) == (39, 1)
    assert (
        words(sites)[0]
        == "Every conversation that is not for practice was selected, so none has to be weighted."
    )
