"""Declared plans, and the alignment of a trial: an unscored strategy is not a 0."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from configs.files.yaml_files import read_model
from configs.settings import ROOT
from scoring.instruments import Taxonomy
from scoring.plan_alignment import parse_plan, trial_alignment

TAXONOMY = read_model(ROOT / "taxonomies" / "dream_code_7.yaml", Taxonomy)[0]
labelled = st.dictionaries(st.sampled_from("abcde"), st.integers(0, 2), min_size=1)


def test_strategies_are_declared_in_the_order_of_the_plan() -> None:
    assert parse_plan("<plan>safety / confrontation</plan>\n\nA wall.", TAXONOMY).declared == (
        "safety",
        "confrontation",
    )


def test_only_the_first_line_of_the_block_is_the_plan() -> None:
    found = parse_plan("<plan>safety\nconfrontation</plan>\nA wall.", TAXONOMY)
    assert (found.text, found.declared, found.response) == ("safety", ("safety",), "A wall.")


def test_an_unclosed_plan_reaches_to_the_blank_line_and_says_so() -> None:
    found = parse_plan("<plan>safety\n\nA wall.", TAXONOMY)
    assert (found.declared, found.response, found.closed) == (("safety",), "A wall.", False)


def test_an_unclosed_plan_without_a_blank_line_leaves_no_response() -> None:
    assert parse_plan("<plan>safety\nA wall.", TAXONOMY).response == ""


def test_without_a_plan_everything_is_response() -> None:
    found = parse_plan("  A wall.  ", TAXONOMY)
    assert (found.text, found.declared, found.response) == ("", (), "A wall.")


@pytest.mark.parametrize("block", ["<plan></plan>", "<plan>  \n </plan>", "<plan> / / </plan>"])
def test_an_empty_plan_declares_nothing(block: str) -> None:
    found = parse_plan(f"{block}A wall.", TAXONOMY)
    assert (found.declared, found.unknown, found.response) == ((), (), "A wall.")


def test_what_the_taxonomy_lacks_is_kept_apart() -> None:
    found = parse_plan("<plan>safety, confrontation / Hope</plan>A wall.", TAXONOMY)
    assert (found.declared, found.unknown) == ((), ("safety, confrontation", "hope"))


@given(st.text(max_size=300))
def test_any_text_can_be_split(text: str) -> None:
    found = parse_plan(text, TAXONOMY)
    assert found.response in text
    assert found.text in text


@given(labelled)
def test_alignment_is_the_mean_over_twice_the_number_of_strategies(labels: dict[str, int]) -> None:
    assert trial_alignment(list(labels), labels) == Fraction(sum(labels.values()), 2 * len(labels))


@given(labelled)
def test_one_strategy_without_a_label_leaves_no_alignment(labels: dict[str, int]) -> None:
    assert trial_alignment([*labels, "unscored"], labels) is None
    assert trial_alignment([*labels, "unscored"], {**labels, "unscored": None}) is None


def test_a_label_of_0_is_a_label() -> None:
    assert trial_alignment(["safety"], {"safety": 0}) == 0


def test_nothing_declared_is_none_and_not_0() -> None:
    assert trial_alignment([], {"safety": 2}) is None


def test_labels_of_undeclared_strategies_do_not_count() -> None:
    assert trial_alignment(["safety"], {"safety": 2, "confrontation": 0}) == 1
