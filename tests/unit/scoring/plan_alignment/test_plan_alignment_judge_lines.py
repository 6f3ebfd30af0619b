"""Replies of a judge in lines: read, or left out, never a 0."""

from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.bad_input import BadInput
from scoring.plan_alignment import parse_judge_lines

IDS = ["mastery", "safety"]
lines = st.lists(
    st.sampled_from(
        [
            "safety: because | score: 2",
            "mastery: x | score: 0",
            "- **safety**: y | score: 1",
            "other: z | score: 2",
            "strategy_id: w | score: 1",
            "safety: no score",
            "<think>",
            "</think>",
            "",
            "safety: x | score: 3",
        ]
    )
    | st.text(max_size=20),
    max_size=8,
).map("\n".join)


@pytest.mark.parametrize("parser", ["strict", "lenient"])
@given(reply=lines)
def test_whatever_the_reply_only_declared_strategies_have_scores_from_0_to_2_each_with_reasoning(
    parser: Any, reply: str
) -> None:
    found = parse_judge_lines(reply, IDS, parser)
    assert set(found.scores) == set(found.reasoning) <= set(IDS)
    assert set(found.scores.values()) <= {0, 1, 2}
    assert set(found.undeclared).isdisjoint(IDS)


@given(lines, st.permutations(IDS))
def test_the_order_of_the_declared_strategies_does_not_matter(reply: str, order: list[str]) -> None:
    assert parse_judge_lines(reply, order) == parse_judge_lines(reply, IDS)


@pytest.mark.parametrize(
    "line",
    [
        "safety: because | score: 3",
        "safety: because | score: -1",
        "safety: because | score: 1.5",
        "safety: because",
        "score: 2",
        "safety: | score: 2x",
        "safety: because | score: 2.",
        "safety: because | score: two",
        "",
        "\ud800",
        None,
    ],
)
def test_a_line_without_a_score_leaves_the_strategy_out(line: str | None) -> None:
    for parser in ("strict", "lenient"):
        assert parse_judge_lines(line, ["safety"], parser).scores == {}  # type: ignore[arg-type]


def test_bold_type_bullets_and_thoughts_are_no_hindrance_to_the_lenient_parser_only() -> None:
    reply = "<think>safety: no | score: 0</think>\n - **safety**: because | score: 2"
    assert parse_judge_lines(reply, ["safety"]).scores == {"safety": 2}
    assert parse_judge_lines(reply, ["safety"], "strict").scores == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    "reply",
    [
        "safety: " + "a " * 500_000,
        "safety:" + " " * 1_000_000,
        "a" * 1_000_000,
        "*" * 1_000_000,
        "\n" * 1_000_000,
        "**a" * 300_000,
        "safety: x | score: 1\n" * 45_000,
        "safety: x | " * 80_000,
        "a:" * 500_000,
        "<think>" * 140_000,
        " \t" * 500_000 + "x",
        ("- " * 90 + "\n") * 5_500,
        "safety: x | score: 1" + (" " * 199 + "x") * 5_000,
        ("a: x |" + " " * 150) * 6_000,
    ],
)
@pytest.mark.parametrize("parser", ["strict", "lenient"])
def test_a_megabyte_takes_time_in_proportion(reply: str, parser: Any) -> None:
    began = time.process_time()
    parse_judge_lines(reply, IDS, parser)
    assert time.process_time() - began < 6  # seconds; with the square of the length it would be many minutes


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ((3, IDS), "reply"),
        ((b"x", IDS), "reply"),
        ((float("nan"), IDS), "reply"),
        (("", "safety"), "declared"),
        (("", [1]), "declared"),
        (("", None), "declared"),
        (("", ["a", 1]), "declared"),
        (("", IDS, "loose"), "parser"),
        (("", 3), "declared"),
        (("", [None, "a"]), "declared"),
    ],
)
def test_arguments_of_a_wrong_kind_are_refused_by_name(arguments: Any, name: str) -> None:
    with pytest.raises(BadInput, match=f"^{name}.*: expected"):
        parse_judge_lines(*arguments)
