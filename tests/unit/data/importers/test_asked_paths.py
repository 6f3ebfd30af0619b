"""Labels of files about a form in which questions depend on answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.importers.report import ImportRefused, ImportReport
from data.record.judgements import JudgeIdentity
from data.store.store import Store
from tests.studies import importing
from tests.studies.branching import BRANCHING
from tests.studies.small_study import Small, make


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    return make(store, tmp_path, instrument=BRANCHING, with_judges=False)


def bring(small: Small, folder: Path, prompt: str, replicate: int = 0, **labels: str) -> ImportReport:
    file = folder / "labels.jsonl"
    rows = [
        {"conversation_id": "c1", "criterion": name, "label": label, "replicate": replicate}
        for name, label in labels.items()
    ]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return importing.import_judgements(
        small.store, small.study.key, file, "tests", JudgeIdentity("Judge", prompt=prompt)
    )


def test_two_judges_of_one_name_go_their_own_ways(small: Small, tmp_path: Path) -> None:
    bring(small, tmp_path, "first", risk="YES", missed="NO", confirms="YES", tone="NO")
    assert bring(small, tmp_path, "second", risk="NO", false_alarm="NO").added["judgements"] == 2


def test_each_asking_of_a_judge_goes_its_own_way(small: Small, tmp_path: Path) -> None:
    bring(small, tmp_path, "first", risk="NO", false_alarm="NO")
    assert bring(small, tmp_path, "first", 1, risk="YES", missed="YES", tone="NO").added["judgements"] == 3
    with pytest.raises(ImportRefused) as refused:
        bring(small, tmp_path, "first", 2, risk="YES", false_alarm="NO")
    message = refused.value.report.problems[0].message
    assert "c1: Judge answered false_alarm, which is not asked" in message
    assert message.endswith("remove it or correct the others")


TABLE = """\
conversation_id,risk,missed,false_alarm,confirms,tone
c1,NO,,YES,,
c2,YES,NO,,,
c3,,,,,
"""


def statuses(small: Small) -> dict[tuple[int, str], str]:
    j, u = schema.judgement, schema.unit
    with small.store.reading() as connection:
        rows = connection.execute(
            sa.select(u.c.position, j.c.criterion, j.c.status).join(u, u.c.id == j.c.unit_id)
        )
        return {(row[0], row[1]): row[2] for row in rows}


def test_an_empty_cell_of_a_question_that_is_not_asked_is_no_failure(small: Small, tmp_path: Path) -> None:
    """A table has a cell for every question, also for those that were not asked."""
    header, *lines = (line.split(",") for line in TABLE.split())
    cells = [
        (key, name, label)
        for key, *labels in lines
        for name, label in reversed([*zip(header[1:], labels, strict=True)])
    ]
    file = tmp_path / "labels.csv"
    file.write_text(
        "conversation_id,criterion,label\n" + "".join(f"{','.join(cell)}\n" for cell in cells),
        encoding="utf-8",
    )
    report = importing.import_judgements(small.store, small.study.key, file, "tests", JudgeIdentity("Judge"))
    assert statuses(small) == {
        (1, "risk"): "ok",
        (1, "false_alarm"): "ok",
        (2, "risk"): "ok",
        (2, "missed"): "ok",
        (2, "confirms"): "missing",
        (3, "risk"): "missing",
    }
    assert (report.added["judgements"], report.added["failed judge calls"]) == (4, 2)
    assert any("9 empty cells of questions that are not asked" in line for line in report.lines(50))


def test_an_empty_cell_of_an_anchor_is_a_failure_whatever_was_asked_before(
    small: Small, tmp_path: Path
) -> None:
    """Of anchors each question is asked for itself."""
    file = tmp_path / "labels.csv"
    file.write_text(
        "conversation_id,criterion,label,round\nc1,tone,,1\nc1,confirms,YES,1\n", encoding="utf-8"
    )
    importing.import_judgements(small.store, small.study.key, file, "tests", JudgeIdentity("Judge"))
    assert statuses(small) == {(1, "tone"): "missing", (1, "confirms"): "ok"}
