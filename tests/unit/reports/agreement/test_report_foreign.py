"""Names and words from outside in the files of a report: text in HTML, in charts and in cells, never markup
and never a formula.
"""

from __future__ import annotations

import csv
import html
import io
from dataclasses import replace

from reports.agreement.files import files
from reports.document import (
    Forest,
    ForestMark,
    ForestRow,
    Heat,
    Panel,
    PanelPoint,
    Panels,
    Paragraph,
    Report,
    Scatter,
    Section,
    Table,
)
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
        Panels(
            "p",
            EVIL,
            EVIL,
            EVIL,
            (EVIL,),
            (Panel(EVIL, (PanelPoint(0.5, None, None, 3),)),),
            EVIL,
            2,
            0.5,
            EVIL,
        ),
        Scatter("s", EVIL, EVIL, EVIL, (1.0,), (0.5,), (EVIL,)),
    )
    html_of_page = page(Report(EVIL, (EVIL,), (EVIL,), (Section("s", EVIL, blocks),), {EVIL: EVIL})).decode()
    assert EVIL not in html_of_page and "<img" not in html_of_page and "<script" not in html_of_page
    assert html.unescape(html_of_page).count(EVIL) >= 28


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
