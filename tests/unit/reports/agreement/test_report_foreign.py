"""Names and words from outside in the files of a report: text in HTML, in charts and in cells, never markup
and never a formula.
"""

from __future__ import annotations

import csv
import html
import io
from dataclasses import replace

from reports.agreement.files import files
from reports.document import Forest, ForestMark, ForestRow, Heat, Paragraph, Report, Section, Table
from reports.figures.forest import forest
from reports.render.page_file import page
from scoring.agreement.intervals.estimate import Estimate
from tests.unit.reports.agreement.made_findings import findings

EVIL = "<img src=x onerror=alert(1)></script><b>"
FORMULA = '=HYPERLINK("http://x","y")'
SOME = Estimate(0.5, 4, "kappa", low=0.1, high=0.9)


def chart(name: str = EVIL) -> Forest:
    return Forest(
        "one",
        name,
        name,
        (
            ForestRow(name, name, (ForestMark("kappa", SOME),)),
            ForestRow(name, name, (ForestMark("kappa", Estimate(None, 0, "kappa", name)),)),
        ),
        -0.2,
        1.0,
    )


def test_of_every_place_of_the_page_only_text_comes_out() -> None:
    blocks = (
        Paragraph(EVIL),
        Table("t", EVIL, (EVIL, EVIL), [(EVIL, EVIL)]),
        Heat("h", EVIL, (EVIL,), (EVIL,), ((EVIL,),), ((0.5,),), EVIL),
        chart(),
    )
    made = page(Report(EVIL, (EVIL,), (EVIL,), (Section("s", EVIL, blocks),), {EVIL: EVIL})).decode()
    assert EVIL not in made and "<img" not in made and "<script" not in made
    assert html.unescape(made).count(EVIL) >= 15


def test_a_chart_holds_no_tag_of_anybody_else() -> None:
    told = forest(chart()).to_dict()
    places = [
        *told["layout"]["yaxis"]["ticktext"],
        told["layout"]["title"]["text"],
        told["layout"]["xaxis"]["title"]["text"],
        *(text for trace in told["data"] for text in trace["hovertext"]),
    ]
    assert len(places) >= 6
    assert all("<img" not in text and "<b>" not in text for text in places)


def test_no_cell_is_run_as_a_formula() -> None:
    agreement_findings = findings(
        [("warm", 1, FORMULA, "YES"), ("warm", 1, "Ben", "NO")], [("warm", 1, "YES")]
    )
    named = replace(agreement_findings, names={1: FORMULA, 2: "Ben"})
    report = Report(
        "x",
        (),
        (),
        (Section("s", "s", (Table("t", "x", ("@a", "b"), [(FORMULA, "-0.50"), ("-1+1", "+x")]),)),),
    )
    written = files(named, report)
    assert list(csv.reader(io.StringIO(written["tables/t.csv"].decode()))) == [
        ["'@a", "b"],
        ["'" + FORMULA, "-0.50"],
        ["'-1+1", "'+x"],
    ]
    assert next(csv.reader(io.StringIO(written["labels/warm.csv"].decode()))) == [
        "unit",
        "'" + FORMULA,
        "Ben",
        "judge",
    ]
