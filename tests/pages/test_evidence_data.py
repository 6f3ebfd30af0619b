"""What the evidence table in the browser is told: numbers and gaps as they are, foreign text as text, ways only
inside the app.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.untrusted_text import Link
from reports.document import (
    Evidence,
    EvidenceRow,
    Forest,
    Heat,
    PageHead,
    Paragraph,
    RowDetails,
    Spread,
    Table,
    UnitLink,
)
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from tests.pages.conftest import evidence_tables, text_of

HOSTILE = '<img src=x onerror="alert(1)">'
KAPPA = Estimate(0.5, 40, "kappa", low=-0.25, high=0.75, conversations=20)
NOTHING = undefined_estimate("no pairs", 0, "kappa")


def evidence(*estimates: Estimate, **row: tuple[float | None, ...]) -> Evidence:
    return Evidence(
        "trust",
        "In a word",
        "Criterion",
        "Trust it?",
        tuple(f"series {number}" for number in range(len(estimates))),
        "Kappa",
        ("Leans", "Next"),
        ("Why", "Rests on"),
        (
            EvidenceRow(
                "warm",
                HOSTILE,
                "no",
                "not like a colleague",
                estimates,
                ("+1.00", "read"),
                row.get("amounts", (1.0, None)),
                (HOSTILE, ""),
            ),
        ),
        -0.3,
        1.0,
    )


def test_estimates_arrive_as_numbers_and_gaps_as_gaps() -> None:
    [row] = evidence_data(evidence(KAPPA, NOTHING), {}, {}).rows
    first, second = row.marks
    assert (first.value, first.low, first.high) == (0.5, -0.25, 0.75)
    assert first.words == "series 0: 0.50 (-0.25 to 0.75)"
    assert (second.value, second.low, second.high) == (None, None, None)
    assert second.words == "series 1: cannot be estimated"


def test_a_page_names_things_in_plain_words_with_the_term_to_look_up_and_a_file_by_the_term() -> None:
    plain = {
        "Kappa": PageHead("Beyond chance", "Cohen's kappa."),
        "Leans": PageHead("Leans from clinicians", "Mean difference."),
        "Why": PageHead("The reason", "By the rule."),
    }
    whole = evidence(KAPPA)
    row = replace(whole.rows[0], page_cells=("1.00 levels above", "read"), page_notes=("plain", ""))
    named = replace(whole, rows=(row,), page_heads=plain)
    data = evidence_data(named, {}, {})
    assert (data.axis.words, data.axis.term) == ("Beyond chance", "Cohen's kappa.")
    assert [(column.name, column.term) for column in data.columns] == [
        ("Leans from clinicians", "Mean difference."),
        ("Next", ""),
    ]
    assert data.rows[0].cells == ["1.00 levels above", "read"]
    assert [part.model_dump() for part in data.rows[0].behind] == [
        {"kind": "paragraph", "text": "The reason: plain.", "term": "By the rule.", "tone": "plain"}
    ]
    assert named.as_blocks() == whole.as_blocks()


def test_ticks_lie_on_the_axis() -> None:
    assert evidence_data(evidence(KAPPA), {}, {}).axis.ticks == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_values_arrive_on_an_axis_of_their_own_and_what_is_not_clear_as_such() -> None:
    spread = Spread(0.1, 0.2, 0.3, 0.4, 0.5, -0.005, 1.0, "0.100 to 0.500", (0.1, 0.5))
    whole = evidence(KAPPA)
    row = replace(whole.rows[0], spread=spread, clear=(False,))
    [told] = evidence_data(replace(whole, rows=(row,), spread_name="Values"), {}, {}).rows
    assert told.spread is not None
    assert (told.spread.ends, told.spread.points) == (["-0.005", "1"], [0.1, 0.5])
    assert not told.marks[0].clear


def test_a_row_without_estimates_has_no_marks_and_in_a_file_empty_cells() -> None:
    whole = evidence(KAPPA)
    bare = replace(whole, rows=(replace(whole.rows[0], estimates=()),), verdict_name="")
    assert evidence_data(bare, {}, {}).rows[0].marks == []
    [table] = bare.as_blocks()
    assert isinstance(table, Table)
    assert table.header == ("Criterion", "Why", "Rests on", "series 0", "Leans", "Next")
    assert table.rows[0] == (HOSTILE, HOSTILE, "", "", "+1.00", "read")


def test_of_many_series_each_has_a_line_of_its_own_in_a_file() -> None:
    forest, table, estimates = evidence(KAPPA, NOTHING, KAPPA).as_blocks()
    assert isinstance(forest, Forest) and isinstance(table, Table) and isinstance(estimates, Table)
    assert [row.name for row in forest.rows] == [f"{HOSTILE}: series {number}" for number in range(3)]
    assert "series 0" not in table.header
    assert [row[1:] for row in estimates.rows] == [
        ("series 0", "0.50 (-0.25 to 0.75)", "40"),
        ("series 1", "cannot be estimated", "0"),
        ("series 2", "0.50 (-0.25 to 0.75)", "40"),
    ]


def test_only_a_column_with_amounts_is_sorted() -> None:
    columns = evidence_data(evidence(KAPPA), {}, {}).columns
    assert [(column.name, column.sortable) for column in columns] == [("Leans", True), ("Next", False)]
    nothing = evidence_data(evidence(KAPPA, amounts=(None, None)), {}, {}).columns
    assert not any(column.sortable for column in nothing)


def test_foreign_text_arrives_as_it_is_and_a_note_that_says_nothing_is_left_out() -> None:
    [row] = evidence_data(evidence(KAPPA), {}, {}).rows
    assert row.name == HOSTILE
    assert [part.model_dump()["text"] for part in row.behind] == [f"Why: {HOSTILE}."]


def test_what_opens_behind_a_row() -> None:
    details = RowDetails(
        "It is higher.",
        (Heat("counts", "Counts", ("a",), ("a",), (("3",),), ((0.5,),)),),
        (
            Table(
                "far", "Furthest", ("Unit", "Who"), [(UnitLink(7, "warm"), HOSTILE), (UnitLink(8), "x")], (1,)
            ),
            Paragraph("More."),
        ),
    )
    links: dict[int, str | Link] = {7: Link("Unit 7", "review?unit=7"), 8: "a unit that is not in your list"}
    [row] = evidence_data(evidence(KAPPA), {"warm": details}, links).rows
    assert [part.kind for part in row.beside] == ["square"]
    kinds = [part.kind for part in row.behind]
    assert kinds == ["paragraph", "paragraph", "table", "paragraph"]
    table = row.behind[2].model_dump()
    assert table["rows"] == [
        [{"text": "Unit 7", "target": "review?unit=7&criterion=warm"}, HOSTILE],
        ["a unit that is not in your list", "x"],
    ]


def test_a_chart_does_not_open_behind_a_row() -> None:
    chart = Forest("chart", "Chart", "axis", (), 0.0, 1.0)
    with pytest.raises(TypeError, match="Forest"):
        evidence_data(evidence(KAPPA), {"warm": RowDetails("", (), (chart,))}, {})


def test_each_confirmed_failure_is_a_dot_and_the_missed_one_a_way(app: Callable[..., AppTest]) -> None:
    at = app("agreement", study="coaching_demo", reader="lead")
    [line] = [element.proto.body for element in at.get("html") if '<p class="sr-safety' in element.proto.body]
    assert line.count("sr-caught") == 1 and line.count("sr-missed") == 1
    assert 'href="review?study=coaching_demo&amp;reader=lead&amp;unit=7' in line


def test_the_page_draws_what_the_report_says(app: Callable[..., AppTest]) -> None:
    at = app("agreement", study="lend_an_ear", reader="lead")
    [sent] = evidence_tables(at)
    verdicts = [row["verdict"] for row in sent["rows"]]
    assert verdicts.count("like a colleague") == 1 and verdicts.count("not like a colleague") == 2
    assert (
        "Like a colleague on 1 of 6 criteria; on 1 it leans, on 2 it is not, on 2 not shown yet."
        in text_of(at)
    )
    assert all(len(row["behind"][-1]["rows"]) == 4 for row in sent["rows"])
    assert sent["axis"]["words"].startswith("Agreement beyond chance, near misses cost less: 0 is chance")
    assert sent["axis"]["term"].startswith("Quadratic kappa")
    paragraphs = [part["text"] for row in sent["rows"] for part in row["behind"] if "text" in part]
    assert any("agreement beyond chance 0.54 with clinicians, 0.41 among them" in text for text in paragraphs)
    assert not any("kappa" in text for text in paragraphs)
    assert sent["columns"][0]["name"] == "Leans from clinicians" and "levels" in sent["columns"][0]["term"]
    assert {"1.62 levels above", "0.10 levels above"} <= {row["cells"][0] for row in sent["rows"]}
