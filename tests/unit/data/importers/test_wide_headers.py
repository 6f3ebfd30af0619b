"""A table with very many columns takes no longer than its cells: four times the columns, at most seven times
the processor time.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from data.importers.file_import import FileJob
from data.importers.importer import Importer
from data.importers.kinds.judgements import JudgementFiles
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.kinds.ratings import RatingFiles
from data.importers.mapping.table_mapping import parse_mapping
from data.importers.recognition import recognise_here
from data.importers.report import ImportRefused
from data.importers.transactions import import_job
from tests.studies.small_study import Small

MESSAGES = parse_mapping(
    "columns: {conversation_id: conversation, turn: turn, speaker: speaker, text: text}", "messages.yaml"
)
WIDE = parse_mapping(
    "{rater: Ann, columns: {conversation_id: conversation, warm: {role: label, criterion: warm}}}",
    "wide.yaml",
)
FEW, MANY, MOST_TIMES = 10_000, 40_000, 7.0
FORMS: dict[str, tuple[Importer, dict[str, Any], Sequence[str], Sequence[Sequence[str]]]] = {
    "messages": (
        MappedFiles(),
        {"mapping": MESSAGES},
        ("conversation_id", "turn", "speaker", "text"),
        (("x1", "1", "user", "I feel low."), ("x1", "2", "assistant", "Tell me more.")),
    ),
    "ratings": (
        RatingFiles(),
        {"exposure": "blind", "source": "a file"},
        ("conversation_id", "rater", "criterion", "label"),
        (("c2", "Ann", "warm", "YES"),),
    ),
    "judgements": (
        JudgementFiles(),
        {"judge": "Judge C"},
        ("conversation_id", "criterion", "label"),
        (("c2", "warm", "YES"),),
    ),
    "wide table": (
        MappedFiles(),
        {"mapping": WIDE, "exposure": "blind", "source": "a file"},
        ("conversation_id", "warm"),
        (("c2", "YES"),),
    ),
}


def seconds(small: Small, folder: Path, form: str, columns: int) -> float:
    importer, answers, head, rows = FORMS[form]
    path = folder / f"wide-{columns}.csv"
    names = [*head, *(f"column {number}" for number in range(columns))]
    empty = [""] * columns
    path.write_text("\n".join(",".join(row) for row in (names, *((*row, *empty) for row in rows))) + "\n")
    gc.collect()
    began = time.process_time()
    recognise_here(path)
    try:
        import_job(small.store, FileJob("small", path, "lead", importer, answers), dry_run=True, apart=False)
    except ImportRefused as refused:  # as long as it says so at once
        assert len(refused.report.lines()) < 20
    return time.process_time() - began


@pytest.mark.parametrize("form", FORMS)
def test_four_times_the_columns_take_no_more_than_their_share(
    small: Small, tmp_path: Path, form: str
) -> None:
    seconds(small, tmp_path, form, 10)
    few, many = (min(seconds(small, tmp_path, form, count) for _ in range(2)) for count in (FEW, MANY))
    assert many < MOST_TIMES * few, (few, many)
