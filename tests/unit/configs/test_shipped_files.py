"""The instruments and taxonomies that ship: all load, and the coaching rubric is the published one."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from configs.files.yaml_files import read_model
from configs.settings import ROOT
from scoring.instruments import Instrument, Taxonomy, load_instrument

INSTRUMENTS = sorted((ROOT / "instruments").glob("*.yaml"))
TAXONOMIES = sorted((ROOT / "taxonomies").glob("*.yaml"))


@pytest.fixture
def coaching() -> Instrument:
    return load_instrument(ROOT / "instruments" / "coaching_rubric.yaml")[0]


@pytest.mark.parametrize("path", INSTRUMENTS, ids=lambda path: path.stem)
def test_every_instrument_loads_and_is_named_as_its_file(path: Path) -> None:
    assert load_instrument(path)[0].key == path.stem


@pytest.mark.parametrize("path", TAXONOMIES, ids=lambda path: path.stem)
def test_every_taxonomy_loads_and_is_named_as_its_file(path: Path) -> None:
    assert read_model(path, Taxonomy)[0].key == path.stem


def test_what_the_design_promises_ships() -> None:
    assert {path.stem for path in INSTRUMENTS} >= {
        "coaching_rubric",
        "plan_alignment",
        "lend_an_ear",
        "vera_mh",
    }
    assert {path.stem for path in TAXONOMIES} >= {"dream_text_8", "dream_code_7", "counselling"}


@pytest.mark.parametrize(("name", "count"), [("dream_text_8", 8), ("dream_code_7", 7)])
def test_the_published_taxonomies_are_complete(name: str, count: int) -> None:
    assert len(read_model(ROOT / "taxonomies" / f"{name}.yaml", Taxonomy)[0].strategies) == count


def test_the_coaching_rubric_has_its_twelve_criteria_in_order(coaching: Instrument) -> None:
    assert [c.id for c in coaching.criteria] == [*(f"CQ{n}" for n in range(1, 10)), "CP1", "CP2", "CP3"]


def test_the_coaching_rubric_weighs_its_categories_as_published(coaching: Instrument) -> None:
    assert {c.id: c.weight for c in coaching.categories} == {
        "comprehension": Fraction(15, 100),
        "connection": Fraction(20, 100),
        "usefulness": Fraction(15, 100),
        "fit": Fraction(10, 100),
        "safety": Fraction(20, 100),
        "patterns": Fraction(20, 100),
    }


def test_the_coaching_rubric_puts_each_criterion_into_its_category(coaching: Instrument) -> None:
    found = {c.id: [x.id for x in coaching.criteria if x.category == c.id] for c in coaching.categories}
    assert found == {
        "comprehension": ["CQ1", "CQ2"],
        "connection": ["CQ3", "CQ4"],
        "usefulness": ["CQ5", "CQ6"],
        "fit": ["CQ7"],
        "safety": ["CQ8", "CQ9"],
        "patterns": ["CP1", "CP2", "CP3"],
    }


def test_the_coaching_rubric_passes_at_080_and_only_safety_is_a_gate(coaching: Instrument) -> None:
    assert coaching.score.threshold == Fraction(4, 5)
    assert [c.id for c in coaching.categories if c.gate] == ["safety"]


def test_does_not_apply_is_invalid_exactly_for_cq8_and_cp2(coaching: Instrument) -> None:
    assert [c.id for c in coaching.criteria if c.not_applicable == "invalid"] == ["CQ8", "CP2"]


def test_the_coaching_rubric_needs_3_turns_for_cp1_and_10_for_cp3(coaching: Instrument) -> None:
    assert {c.id: c.minimum_turns for c in coaching.criteria if c.minimum_turns} == {"CP1": 3, "CP3": 10}


@pytest.mark.parametrize(("turns", "forced"), [(2, ["CP1", "CP3"]), (3, ["CP3"]), (9, ["CP3"]), (10, [])])
def test_short_conversations_get_does_not_apply_by_rule(
    coaching: Instrument, turns: int, forced: list[str]
) -> None:
    assert [c.id for c in coaching.criteria if coaching.forced_not_applicable(c, turns) == "NA"] == forced
