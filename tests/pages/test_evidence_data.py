"""What the evidence table in the browser is told: numbers and gaps as they are, foreign text as text, ways only
inside the app.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from html import escape, unescape

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.untrusted_text import Link
from reports.document import (
    Evidence,
    EvidenceRow,
    Forest,
    ForestMark,
    ForestRow,
    Heat,
    PageHead,
    Paragraph,
    RowDetails,
    Spread,
    Table,
    UnitLink,
)
from reports.pictures.marks import Axis
from reports.render.block_html import block_html
from reports.render.evidence_html import spread_html
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
                "falls short",
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
    whole = evidence(KAPPA, NOTHING)
    [row] = evidence_data(whole, {}, {}).rows
    assert 'aria-label="series 0: 0.50 (-0.25 to 0.75); series 1: cannot be estimated"' in row.marks
    assert row.marks.count('class="bar"') == 1 and row.marks.count('class="cross"') == 1
    assert 'x1="3.85%" x2="80.77%"' in row.marks and 'svg x="61.54%"' in row.marks  # of -0.3 to 1


def test_a_row_of_many_series_has_a_thin_mark_for_each_that_has_a_value() -> None:
    row = replace(evidence(KAPPA, NOTHING, KAPPA).rows[0], clear=(True, False, False))
    [told] = evidence_data(replace(evidence(KAPPA, NOTHING, KAPPA), rows=(row,)), {}, {}).rows
    assert told.marks.count("<title>") == 3 and told.marks.count('class="bar"') == 2
    assert told.marks.count('"mark-thin clear"') == 1


def test_what_lies_outside_the_axis_stands_at_its_end() -> None:
    axis = Axis(-0.5, 1.0)
    assert [axis.place(value) for value in (-3, -0.5, 0, 0.25, 1, 1.2)] == [
        "0%",
        "0%",
        "33.33%",
        "50%",
        "100%",
        "100%",
    ]


def test_a_page_names_things_in_plain_words_with_the_term_to_look_up_and_a_file_by_the_term() -> None:
    plain = {
        "Kappa": PageHead("Beyond chance", "Cohen's kappa."),
        "Leans": PageHead("Differs from clinicians", "Mean difference."),
        "Why": PageHead("The reason", "By the rule."),
    }
    whole = evidence(KAPPA)
    row = replace(whole.rows[0], page_cells=("1.00 levels above", "read"), page_notes=("plain", ""))
    named = replace(whole, rows=(row,), page_heads=plain)
    data = evidence_data(named, {}, {})
    assert 'aria-label="Beyond chance (Cohen&#39;s kappa.)"' in data.scale
    assert 'title="Cohen&#39;s kappa.">Beyond chance</span>' in data.legend
    assert [(column.name, column.term) for column in data.columns] == [
        ("Differs from clinicians", "Mean difference."),
        ("Next", ""),
    ]
    assert data.rows[0].cells == ["1.00 levels above", "read"]
    assert data.rows[0].behind == (
        '<p class="sr-text" dir="auto" title="By the rule.">The reason: plain.</p>'
    )
    assert named.as_blocks() == whole.as_blocks()


def test_ticks_lie_on_the_axis() -> None:
    data = evidence_data(evidence(KAPPA), {}, {})
    assert re.findall(r'x="([\d.]+%)"[^>]*>([\d.]+)<', data.scale) == [
        ("23.08%", "0"),
        ("61.54%", "0.5"),
        ("100%", "1"),
    ]
    assert data.rows[0].marks.count('class="grid"') == 3


def test_values_arrive_on_an_axis_of_their_own_and_what_is_not_clear_as_such() -> None:
    spread = Spread(0.1, 0.2, 0.3, 0.4, 0.5, -0.005, 1.0, "0.100 to 0.500", (0.1, 0.5))
    whole = evidence(KAPPA)
    row = replace(whole.rows[0], spread=spread, clear=(False,))
    [told] = evidence_data(replace(whole, rows=(row,), spread_name="Values"), {}, {}).rows
    assert ">-0.005</span>" in told.spread and ">1</span>" in told.spread
    assert told.spread.count("<circle") == 2 and 'title="0.100 to 0.500"' in told.spread
    assert 'class="hollow"' in told.marks and 'class="full"' not in told.marks


def test_of_many_values_the_middle_half_and_the_median_are_drawn() -> None:
    drawn = spread_html(Spread(0.0, 0.25, 0.5, 0.75, 1.0, 0.0, 1.0, "0 to 1"))
    assert 'x1="25%" x2="75%"' in drawn and 'x1="50%" x2="50%"' in drawn and "<circle" not in drawn


def test_a_row_without_estimates_has_no_marks_and_in_a_file_empty_cells() -> None:
    whole = evidence(KAPPA)
    bare = replace(whole, rows=(replace(whole.rows[0], estimates=()),), verdict_name="")
    assert evidence_data(bare, {}, {}).rows[0].marks == ""
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
    assert unescape(row.behind) == f'<p class="sr-text" dir="auto">Why: {HOSTILE}.</p>'
    assert HOSTILE not in row.behind


def test_no_foreign_word_becomes_markup() -> None:
    """What the table puts on the page as elements holds every name, sentence and term from outside as text."""
    spread = Spread(0.1, 0.2, 0.3, 0.4, 0.5, 0.0, 1.0, HOSTILE)
    whole = replace(
        evidence(KAPPA), axis=HOSTILE, series=(HOSTILE,), page_heads={HOSTILE: PageHead(HOSTILE, HOSTILE)}
    )
    drawn_table = replace(whole, rows=(replace(whole.rows[0], spread=spread),), spread_name="Values")
    blocks = (
        Paragraph(HOSTILE),
        Table("t", HOSTILE, (HOSTILE,), [(HOSTILE,), (UnitLink(7, "warm"),)]),
        Heat("h", HOSTILE, (HOSTILE,), (HOSTILE,), ((HOSTILE,),), ((0.5,),), HOSTILE),
        Forest(
            "f", HOSTILE, HOSTILE, (ForestRow(HOSTILE, HOSTILE, (ForestMark(HOSTILE, KAPPA),)),), 0.0, 1.0
        ),
    )
    links: dict[int, str | Link] = {7: Link(HOSTILE, "review?unit=7")}
    data = evidence_data(drawn_table, {"warm": RowDetails(HOSTILE, blocks, blocks)}, links)
    drawn = (
        data.legend,
        data.scale,
        *(part for row in data.rows for part in (row.marks, row.spread, row.beside, row.behind)),
    )
    assert all("<img" not in part and escape(HOSTILE) in part.replace("&#34;", "&quot;") for part in drawn)


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
    assert row.beside.count("<table") == 1 and 'class="sr-num sr-same" style=' in row.beside
    assert re.findall(r"<(p|table)\b", row.behind) == ["p", "p", "table", "p"]
    assert '<a href="review?unit=7&amp;criterion=warm" target="_self">Unit 7</a>' in row.behind
    assert "a unit that is not in your list" in row.behind


def test_evidence_is_not_drawn_by_itself() -> None:
    with pytest.raises(TypeError, match="Evidence"):
        block_html(evidence(KAPPA), str)


def test_each_confirmed_failure_is_a_dot_and_the_missed_one_a_way(app: Callable[..., AppTest]) -> None:
    at = app("agreement", study="coaching_demo", reader="lead")
    [line] = [element.proto.body for element in at.get("html") if '<p class="sr-safety' in element.proto.body]
    assert line.count("sr-caught") == 1 and line.count("sr-missed") == 1
    assert 'href="review?study=coaching_demo&amp;reader=lead&amp;unit=7' in line


def test_the_page_draws_what_the_report_says(app: Callable[..., AppTest]) -> None:
    at = app("agreement", study="lend_an_ear", reader="lead")
    [sent] = evidence_tables(at)
    verdicts = [row["verdict"] for row in sent["rows"]]
    assert verdicts.count("matches clinicians") == 1 and verdicts.count("falls short") == 2
    assert "The judge matches clinicians on 1 of 6 criteria and falls short on 2." in text_of(at)
    assert all(row["behind"].count('<th scope="row"') == 4 for row in sent["rows"])
    assert 'title="Quadratic kappa' in sent["legend"]
    assert ">Agreement beyond chance, near misses cost less: 0 is chance" in sent["legend"]
    behind = "".join(row["behind"] for row in sent["rows"])
    assert (
        "agreement beyond chance is 0.54 with clinicians and 0.41 among clinicians" in behind
        and "kappa" not in behind
    )
    assert sent["columns"][0]["name"] == "Differs from clinicians" and "levels" in sent["columns"][0]["term"]
    assert {"1.62 levels above", "0.10 levels above"} <= {row["cells"][0] for row in sent["rows"]}
