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
        "safety: " + "a " * 5_000_000,
        "safety:" + " " * 10_000_000,
        "a" * 10_000_000,
        "*" * 10_000_000,
        "\n" * 10_000_000,
        "**a" * 3_000_000,
        "safety: x | score: 1\n" * 450_000,
        "safety: x | " * 800_000,
        "a:" * 5_000_000,
        "<think>" * 1_400_000,
        " \t" * 5_000_000 + "x",
        ("- " * 90 + "\n") * 55_000,
        "safety: x | score: 1" + (" " * 199 + "x") * 50_000,
        ("a: x |" + " " * 150) * 60_000,
    ],
)
@pytest.mark.parametrize("parser", ["strict", "lenient"])
def test_ten_megabytes_take_no_hours(reply: str, parser: Any) -> None:
    began = time.perf_counter()
    parse_judge_lines(reply, IDS, parser)
    assert time.perf_counter() - began < 60


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
