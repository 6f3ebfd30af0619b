"""Importers of other packages: rows of every kind go through the program's own checks, and what a reader does
wrong ends as a line of the report.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.importers.file_import import import_file
from data.importers.registry import IMPORTERS, importers
from data.importers.report import ImportRefused, ImportReport
from data.record.references import References
from data.store.errors import Refused, StoreError
from reports.refusals import word_error
from tests.servers.extension_package import Packages
from tests.studies.small_study import SAID, Small

MODULE = """
from data.importers.row_importers import {base}
class READ({base}):
    name, title, help, layout = "odd", "Odd rows", "Import FILE.", "Odd."
    {more}
    def read(self, path, report):
        {body}
"""
ASKED: dict[str, dict[str, Any]] = {
    "JudgementImporter": {"judge": "Odd judge"},
    "RatingImporter": {"exposure": "blind", "source": "a protocol"},
    "ReferenceImporter": {},
    "ConversationImporter": {},
}


@pytest.fixture
def bring(small: Small, packages: Packages, tmp_path: Path) -> Callable[..., ImportReport]:
    def run(base: str, body: str, more: str = "pass", actor: str = "lead", **answers: Any) -> ImportReport:
        module = MODULE.format(base=base, body=body, more=more)
        packages.add("odd-reader", IMPORTERS.group, {"odd": "odd_reader:READ"}, {"odd_reader.py": module})
        assert IMPORTERS.problems() == []
        file = tmp_path / "odd.bin"
        file.write_bytes(b"anything")
        return import_file(small.store, "small", file, actor, importers()[-1], {**ASKED[base], **answers})

    return run


@pytest.mark.parametrize(
    ("base", "more", "row", "summary"),
    [
        (
            "ConversationImporter",
            "pass",
            {"id": "x", "turns": [{"user": "Hello.", "assistant": "Hi."}]},
            "Added 1 conversation from odd.bin.",
        ),
        (
            "JudgementImporter",
            "pass",
            {"conversation_id": "c2", "criterion": "warm", "label": "NO", "reasoning": "cold"},
            "Added 1 judgement from odd.bin.",
        ),
        (
            "RatingImporter",
            "pass",
            {"conversation_id": "c2", "rater": "Eve", "criterion": "warm", "label": "NO"},
            "Added 1 rating from odd.bin.",
        ),
        (
            "ReferenceImporter",
            "reference = 'gold_steps'",
            {"conversation_id": "c2", "gold_steps": ["She asks."]},
            "Added 1 gold step from odd.bin.",
        ),
    ],
)
def test_rows_of_each_kind_are_brought_in(
    bring: Callable[..., ImportReport], base: str, more: str, row: dict[str, Any], summary: str
) -> None:
    report = bring(base, f"yield 1, {row!r}", more)
    assert summary in report.summary().replace("Added 1 rater, ", "Added ")


@pytest.mark.parametrize(
    ("base", "row", "problem"),
    [
        ("ConversationImporter", {"id": "x"}, "odd.bin, line 3: there are no messages or turns"),
        ("JudgementImporter", {"conversation_id": "c2", "criterion": "wram", "label": "NO"}, "wram"),
        (
            "RatingImporter",
            {"conversation_id": "c2", "rater": "Eve", "criterion": "wram", "label": "NO"},
            "wram",
        ),
        ("ReferenceImporter", {"conversation_id": "c2", "gold_steps": "no list"}, "must be a list of texts"),
    ],
)
def test_a_row_that_is_wrong_is_named_with_file_and_line(
    bring: Callable[..., ImportReport],
    row_counts: Callable[[], dict[str, Any]],
    base: str,
    row: dict[str, Any],
    problem: str,
) -> None:
    before = row_counts()
    with pytest.raises(ImportRefused) as refused:
        bring(base, f"yield 3, {row!r}")
    (line,) = refused.value.report.lines()
    assert line.startswith("odd.bin, line 3: ") and problem in line
    assert row_counts() == before


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (
            f"yield 1, {{}}\n        raise KeyError({SAID!r})",
            "odd.bin, line 1: the importer 'odd' failed after this line (KeyError)",
        ),
        ("return 7", "odd.bin: the importer 'odd' failed after this line (TypeError)"),
        ("yield {}", "odd.bin: the importer 'odd' failed after this line (ValueError)"),
        ("yield 'one', {}", "failed after this line (TypeError)"),
        ("yield 1, ['c1']", "failed after this line (TypeError)"),
        ("yield 1, {1: 'c1'}", "failed after this line (TypeError)"),
        ("yield 1, {'id': object()}", "failed after this line (TypeError)"),
        ("yield 1, {'id': float('nan')}", "failed after this line (ValueError)"),
        ("yield 1, {'id': chr(0xd800)}", "failed after this line (UnicodeEncodeError)"),
        (
            "report.error(4, 'the fourth line is odd')\n        yield 1, {}",
            "odd.bin, line 4: the fourth line",
        ),
    ],
)
@pytest.mark.parametrize("base", list(ASKED))
def test_a_reader_that_goes_wrong_keeps_nothing(
    bring: Callable[..., ImportReport],
    row_counts: Callable[[], dict[str, Any]],
    base: str,
    body: str,
    problem: str,
) -> None:
    before = row_counts()
    with pytest.raises(ImportRefused) as refused:
        bring(base, body)
    assert any(problem in line for line in refused.value.report.lines())
    assert not any(SAID in line for line in refused.value.report.lines())
    assert row_counts() == before


@pytest.mark.parametrize(
    ("base", "answers", "says"),
    [
        ("JudgementImporter", {"judge": " "}, "Name the judge"),
        ("RatingImporter", {"source": ""}, "Say what these raters had seen"),
    ],
)
def test_what_has_to_be_said_is_asked_of_it_too(
    bring: Callable[..., ImportReport], base: str, answers: dict[str, str], says: str
) -> None:
    with pytest.raises(StoreError) as refused:
        bring(base, "yield 1, {}", **answers)
    assert word_error(refused.value).startswith(says)


def test_somebody_who_still_rates_blind_brings_nothing_in(bring: Callable[..., ImportReport]) -> None:
    with pytest.raises(Refused):
        bring("ReferenceImporter", "yield 1, {'gold_steps': ['A step.']}", actor="Ann")


def test_references_count_for_the_whole_study_without_an_id(
    bring: Callable[..., ImportReport], small: Small
) -> None:
    bring("ReferenceImporter", "yield 1, {'plan': 'Rest.'}", "reference = 'target_plan'")
    with small.store.reading() as connection:
        reference = References(connection, small.study.id).of("target_plan", "c1", None)
    assert reference is not None and (reference.body, reference.source) == ("Rest.", "odd.bin")
