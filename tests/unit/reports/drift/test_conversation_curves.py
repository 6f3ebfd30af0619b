"""What is said of curves by condition."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from data.record.curves import CurveTable
from reports.document import Paragraph, Table, UnitLink
from reports.drift.conversation_curves import ALL, UNKNOWN, ConversationDrift
from reports.drift.turn_words import (
    blocks,
    by_turn_table,
    furthest_first,
    leaving_table,
    title,
    title_of_one,
    where_it_leaves,
)
from words.unit_nouns import REPLY

NAN = np.nan


def made(
    conditions: Sequence[str | None],
    slopes: list[float],
    turns: int = 8,
    noise: float = 0.01,
    local: bool = True,
    part: list[int] | None = None,
) -> CurveTable:
    rng, count = np.random.default_rng(2), len(conditions)
    values = 0.5 + np.array(slopes)[:, None] * np.arange(turns) + rng.normal(0, noise, (count, turns))
    own = 0.4 + np.array(slopes)[:, None] * np.arange(turns) + rng.normal(0, noise / 10, (count, turns))
    still = np.flatnonzero(np.array(slopes) == 0)  # each leaves the plan at one turn
    own[still, still % turns] = 0.1
    ids = np.arange(1, count + 1)
    return CurveTable(
        ids,
        tuple(f"talk-{i}" for i in ids),
        ids,
        np.full(count, turns),
        np.array(part if part is not None else range(count)),
        values,
        own if local else np.zeros((count, 0)),
        values[:, -1],
        np.full(count, ""),
        {"model": tuple(conditions)},
    )


def tables(found: ConversationDrift) -> dict[str, Table]:
    return {
        block.key: block for block in (*blocks(found), *where_it_leaves(found)) if isinstance(block, Table)
    }


def test_the_title_says_which_condition_moves_and_which_cannot_be_told() -> None:
    conversation_drift = ConversationDrift(
        made(["a"] * 12 + ["b"] * 12 + ["c"], [-0.03] * 12 + [0.0] * 12 + [0.05]), "model", "Goal alignment"
    )
    assert (
        title(conversation_drift)
        == "Goal alignment falls with a; shows no clear change with b; cannot be tested yet with c"
    )
    assert [row[-1] for row in tables(conversation_drift)["slopes"].rows] == [
        "falls",
        "shows no clear change",
        "cannot be tested yet",
    ]


def test_undivided_it_is_of_all_conversations() -> None:
    found = ConversationDrift(made(["a"] * 5 + ["b"] * 5, [0.02] * 10), None, "Goal alignment")
    assert title(found) == "Goal alignment rises over the turns"
    assert [one.name for one in found.conditions] == [ALL] and "differences" not in tables(found)


def test_numbers_are_in_the_order_of_numbers_and_the_unknown_last() -> None:
    found = ConversationDrift(made(["10", "2", None, "1.5", "x", None, "2"], [0.0] * 7), "model", "It")
    assert [one.name for one in found.conditions] == ["1.5", "2", "10", "x", UNKNOWN]
    assert (
        len(tables(found)["differences"].rows) == 5
        and tables(found)["differences"].rows[0][0] == "1.5 minus all others"
    )


def test_a_difference_is_of_levels_and_of_slopes() -> None:
    found = ConversationDrift(made(["a"] * 12 + ["b"] * 12, [-0.03] * 12 + [0.0] * 12), "model", "It")
    (row,) = tables(found)["differences"].rows
    assert row[0] == "a minus b" and float(str(row[3])) == pytest.approx(-0.03, abs=0.02)


def test_each_turn_alone_leads_and_everything_so_far_comes_second() -> None:
    """The running mean rises where only the first turns lay low, while no turn moves by itself."""
    table = made(["a"] * 12, [-0.03] * 12)
    running = replace(table, values=0.3 + 0.01 * np.arange(table.values.shape[1]) + 0 * table.values)
    curves = ConversationDrift(running, None, "Goal alignment")
    assert [change.direction for change in curves.changes] == [-1]
    [condition] = curves.conditions
    assert condition.slope.value == pytest.approx(-0.03, abs=0.003)
    assert condition.cumulative_slope.value == pytest.approx(0.01)
    [row] = tables(curves)["slopes"].rows
    assert str(row[3]).startswith("-0.0") and row[5] == "0.0100"
    without = ConversationDrift(made(["a"] * 12, [0.02] * 12, local=False), None, "Recall")
    assert [change.direction for change in without.changes] == [1]


def test_a_person_counts_once_however_many_conversations_they_have() -> None:
    """One person with ten falling conversations among eleven whose conversations rise."""
    table = made(["a"] * 21, [-0.03] * 10 + [0.03] * 11, part=[0] * 10 + list(range(1, 12)))
    [condition] = ConversationDrift(table, None, "Goal alignment").conditions
    assert condition.slope.value == pytest.approx((11 * 0.03 - 0.03) / 12, abs=0.002)
    assert condition.slope.conversations == 12


def test_persons_with_several_conversations_are_named_in_the_words() -> None:
    one_each, several = (
        ConversationDrift(made(["a"] * 6, [0.0] * 6, part=part), None, "It")
        for part in (None, [0, 0, 1, 1, 2, 2])
    )
    said = [
        " ".join(block.text for block in blocks(one) if isinstance(block, Paragraph))
        for one in (one_each, several)
    ]
    assert "person" not in said[0] and "one person with several" in said[1]


def test_where_care_is_furthest_leads_to_the_turn() -> None:
    found = ConversationDrift(made(["a"] * 3, [0.0] * 3, local=True), None, "It")
    rows = leaving_table(found).rows
    assert [row[0] for row in rows] == [UnitLink(1, turn=1), UnitLink(2, turn=2), UnitLink(3, turn=3)] and [
        row[2] for row in rows
    ] == ["1", "2", "3"]
    assert "1 of 3 conversations listed" in leaving_table(found, 1).caption
    assert title_of_one(found, 1).startswith("Conversation 2 is least similar to its plan at turn 2 (0.10)")


def test_a_conversation_whose_replies_are_rated_is_no_reply() -> None:
    of_replies = ConversationDrift(made(["a"] * 3, [0.0] * 3, local=True), None, "It", noun=REPLY)
    assert title_of_one(of_replies, 1).startswith(
        "Conversation of reply 2 is least similar to its plan at turn 2"
    )


def test_without_local_alignment_nothing_is_said_of_leaving() -> None:
    found = ConversationDrift(made(["a"] * 3, [0.0] * 3, local=False), None, "Entities")
    assert (
        list(where_it_leaves(found)) == []
        and not found.has_local
        and sorted(furthest_first(found)) == [0, 1, 2]
    )
    assert len(by_turn_table(found).header) == 5


@pytest.mark.parametrize(
    "values", [np.full((3, 4), NAN), np.array([[0.5, NAN, NAN, NAN]] * 3), np.zeros((3, 0))]
)
def test_gaps_alone_make_no_number(values: np.ndarray) -> None:
    ids = np.arange(1, 4)
    conversation_drift = ConversationDrift(
        CurveTable(
            ids,
            ("a", "b", "c"),
            ids,
            np.full(3, 4),
            ids - 1,
            values,
            np.full(values.shape, NAN),
            np.full(3, NAN),
            np.full(3, ""),
            {},
        ),
        None,
        "It",
    )
    report_text = str(
        [
            *blocks(conversation_drift),
            *where_it_leaves(conversation_drift),
            by_turn_table(conversation_drift),
            title(conversation_drift),
        ]
    )
    assert "nan" not in report_text.lower().replace("dominan", "") and "cannot be tested yet" in report_text
