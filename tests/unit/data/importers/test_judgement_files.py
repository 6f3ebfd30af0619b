"""A judge's labels: a failure stays a failure, and an unreadable label never becomes one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.importers.label_rows import STAY
from data.importers.report import ImportRefused
from data.record import judgements
from data.record.judgements import JudgeIdentity, current_verdict
from data.store import content
from scoring.judges.statuses import FAILURES
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import Bring, lines

Refuse = Callable[..., list[str]]


@pytest.fixture
def kept(small: Small) -> Callable[[str], list[tuple[Any, ...]]]:
    """(criterion, status, label, reasoning or detail) of what a judge said."""

    def read(judge: str = "Judge C") -> list[tuple[Any, ...]]:
        table = schema.judgement
        with small.store.reading() as connection:
            number = next(j.id for j in judgements.judges(connection, small.study.id) if j.name == judge)
            rows = connection.execute(
                sa.select(table).where(table.c.judge_id == number).order_by(table.c.id)
            ).all()
            return [
                (row.criterion, row.status, row.label, content.get(connection, row.reasoning_content))
                for row in rows
            ]

    return read


def row(**more: Any) -> dict[str, Any]:
    return {"conversation_id": "c2", "criterion": "warm", **more}


def test_a_label_is_kept_with_its_reasoning(bring_judgements: Bring, kept: Callable[..., Any]) -> None:
    report = bring_judgements(lines(row(label="NO", reasoning="cold")))
    assert kept() == [("warm", "ok", "NO", "cold")]
    assert report.summary() == "Added 1 judgement from file.jsonl."


@pytest.mark.parametrize("written", ["NO", "no", " No ", "nO"])
def test_labels_are_read_in_any_letter_case_by_id_or_name(
    bring_judgements: Bring, kept: Callable[..., Any], written: str
) -> None:
    bring_judgements(lines(row(label=written)))
    assert kept() == [("warm", "ok", "NO", None)]


@pytest.mark.parametrize(
    "written", ["MAYBE", "YES.", "2", 1, 0, True, "YES and NO", ["YES"], {"label": "YES"}]
)
def test_an_unreadable_label_is_a_failure_and_never_a_label(
    bring_judgements: Bring, kept: Callable[..., Any], written: object
) -> None:
    report = bring_judgements(lines(row(label=written), row(criterion="safe", label="YES")))
    assert kept() == [("warm", "invalid", None, None), ("safe", "ok", "YES", None)]
    assert (report.added["judgements"], report.added["failed judge calls"]) == (1, 1)
    assert (
        "is not a label of warm; use YES (Yes), NO (No), NA (Does not apply); kept as an unreadable reply"
        in report.lines()[0]
    )


@pytest.mark.parametrize("written", ["ERROR", "error", " Error "])
def test_the_word_error_is_a_failed_call(
    bring_judgements: Bring, kept: Callable[..., Any], written: str
) -> None:
    bring_judgements(lines(row(label=written, reasoning="timeout")))
    assert kept() == [("warm", "failed", None, "timeout")]


@pytest.mark.parametrize("empty", [{}, {"label": None}, {"label": ""}])
def test_no_label_is_missing(
    bring_judgements: Bring, kept: Callable[..., Any], empty: dict[str, Any]
) -> None:
    bring_judgements(lines(row(**empty)))
    assert kept() == [("warm", "missing", None, None)]


@pytest.mark.parametrize("status", FAILURES)
def test_every_kind_of_failure_keeps_its_name_and_its_detail(
    bring_judgements: Bring, kept: Callable[..., Any], status: str
) -> None:
    bring_judgements(lines(row(status=status, label="YES", detail="what the service said")))
    assert kept() == [("warm", status, None, "what the service said")]


def test_an_unknown_status_is_refused(bring_judgements: Bring, refused: Refuse) -> None:
    assert (
        "line 1: the status 'exploded' is unknown; use ok, blocked_prompt"
        in refused(bring_judgements, lines(row(status="exploded")))[0]
    )


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (
            {"criterion": "tall"},
            "Small rubric has no criterion 'tall' for this conversation; it has warm, safe, deep",
        ),
        (
            {"conversation_id": "c9"},
            "the study has no conversation 'c9' with something to rate; import the conversations first",
        ),
        (
            {"conversation_id": None},
            "the cell conversation_id is empty",
        ),
        ({"criterion": ""}, "the cell criterion is empty"),
        ({"replicate": "second"}, "the replicate 'second' is not a whole number from 0"),
        ({"replicate": -1}, "the replicate '-1' is not a whole number from 0"),
        ({"replicate": 1e300}, "the replicate '1e+300' is not a whole number from 0"),
    ],
)
def test_a_row_that_cannot_be_placed_is_named_by_its_line(
    bring_judgements: Bring, refused: Refuse, given: dict[str, Any], says: str
) -> None:
    found = refused(
        bring_judgements, lines(row(label="YES"), row(label="YES", **{"criterion": "safe", **given}))
    )
    assert found[0].startswith(f"file.jsonl, line 2: {says}")


def test_nothing_of_a_wrong_file_is_kept(
    bring_judgements: Bring, refused: Refuse, row_counts: Callable[[], dict[str, int]]
) -> None:
    before = row_counts()
    refused(bring_judgements, lines(row(label="YES"), row(criterion="tall", label="YES")))
    assert row_counts() == before


def test_a_dry_run_writes_nothing(bring_judgements: Bring, row_counts: Callable[[], dict[str, int]]) -> None:
    before = row_counts()
    assert (
        bring_judgements(lines(row(label="YES")), dry_run=True).summary()
        == "Would add 1 judgement from file.jsonl."
    )
    assert row_counts() == before


def test_the_same_file_again_adds_nothing(
    bring_judgements: Bring, row_counts: Callable[[], dict[str, int]]
) -> None:
    content = lines(row(label="YES"), row(criterion="safe", status="truncated"))
    bring_judgements(content)
    before = row_counts()
    report = bring_judgements(content)
    assert (report.summary(), report.lines()) == (
        "Added 0 judgements from file.jsonl. Already there: 2 judgements.",
        [f"file.jsonl, line 1: {STAY} (2 rows; this is the first)"],
    )
    assert row_counts() == before


def test_another_label_for_what_is_there_is_left_out_and_named_once_nobody_rates_blind(
    bring_judgements: Bring, kept: Callable[..., Any], nobody_blind: Callable[[], None]
) -> None:
    bring_judgements(lines(row(label="YES")))
    nobody_blind()
    (notice,) = bring_judgements(lines(row(label="NO"))).lines()
    assert kept() == [("warm", "ok", "YES", None)]
    assert notice.endswith("another answer; the first was kept and this one left out")


def test_the_same_labels_of_another_judge_are_another_judges(
    bring_judgements: Bring, kept: Callable[..., Any]
) -> None:
    bring_judgements(lines(row(label="YES")))
    bring_judgements(lines(row(label="NO")), judge="Judge D")
    assert (kept("Judge C")[0][2], kept("Judge D")[0][2]) == ("YES", "NO")


def test_judges_named_in_the_rows_are_kept_apart(bring_judgements: Bring, kept: Callable[..., Any]) -> None:
    bring_judgements(lines(row(label="YES", judge="model-1"), row(label="NO", judge="model-2")))
    assert (kept("model-1")[0][2], kept("model-2")[0][2]) == ("YES", "NO")


def test_replicates_stand_beside_the_first_verdict(
    small: Small, bring_judgements: Bring, kept: Callable[..., Any]
) -> None:
    bring_judgements(lines(row(label="YES"), row(label="NO", replicate=1)))
    assert [label for _, _, label, _ in kept()] == ["YES", "NO"]


def test_cited_turns_are_kept_as_numbers(small: Small, bring_judgements: Bring) -> None:
    bring_judgements(
        lines(
            row(label="YES", cited_turns=[1, 2]),
            row(criterion="safe", label="YES", cited_turns="1; 2"),
            row(criterion="deep", label="YES", cited_turns="?"),
        )
    )
    with small.store.reading() as connection:
        rows = (
            connection.execute(
                sa.select(schema.judgement.c.cited).order_by(schema.judgement.c.id.desc()).limit(3)
            )
            .scalars()
            .all()
        )
    assert rows == ["[]", "[1, 2]", "[1, 2]"]


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_csv_table_is_read_with_any_separator(
    bring_judgements: Bring, kept: Callable[..., Any], delimiter: str
) -> None:
    rows = [
        ["conversation_id", "criterion", "label", "reasoning"],
        ["c2", "Warm", "no", "cold"],
        ["c2", "safe", "", ""],
    ]
    bring_judgements("\n".join(delimiter.join(cells) for cells in rows), "labels.csv")
    assert kept() == [("warm", "ok", "NO", "cold"), ("safe", "missing", None, None)]


def test_an_empty_cell_and_a_short_row_are_told_with_line_and_column(bring_judgements: Bring) -> None:
    report = bring_judgements(
        "conversation_id,criterion,label\nc2,warm,YES\nc2,safe,\nc2,deep\n", "judge.csv"
    )
    expected = "empty. Expected one of YES, NO, NA; kept as a failure of the judge"
    assert report.lines() == [
        f"judge.csv, line 3: label of safe: {expected}",
        f"judge.csv, line 4: label of deep: {expected}",
    ]


def test_a_failure_that_the_file_itself_names_is_not_told_again(bring_judgements: Bring) -> None:
    assert (
        bring_judgements(lines(row(status="missing"), row(criterion="safe", status="failed"))).lines() == []
    )


ONES_AND_ZEROS = (
    "conversation_id,criterion,label,reasoning\nc1,warm,1,because\nc2,warm,0,because\nc3,warm,,because\n"
)


def test_a_file_without_a_readable_label_is_refused_with_what_it_holds(small: Small, tmp_path: Path) -> None:
    file = tmp_path / "judge.csv"
    file.write_text(ONES_AND_ZEROS)
    with pytest.raises(ImportRefused) as refused:
        importing.import_judgements(small.store, "small", file, "tests", JudgeIdentity("J"))
    first, *others = refused.value.report.lines()
    assert first == (
        "judge.csv, line 2: no row holds a label of Small rubric: found 1, 0; the labels of warm are YES, NO, NA. Use these labels, and import the file again"
    )
    assert others[-1] == "judge.csv, line 4: label of warm: empty. Expected one of YES, NO, NA"
    assert len(others) == 3 and not any("kept" in line for line in others)


def test_a_label_replaces_what_was_unreadable_in_a_file(small: Small, tmp_path: Path) -> None:
    file = tmp_path / "judge.csv"
    file.write_text("conversation_id,criterion,label\nc1,warm,1\nc2,warm,YES\nc3,warm,odd\n")
    first = importing.import_judgements(small.store, "small", file, "tests", JudgeIdentity("J"))
    assert (first.added["judgements"], first.added["failed judge calls"]) == (1, 2)
    file.write_text("conversation_id,criterion,label\nc1,warm,NO\nc2,warm,YES\nc3,warm,odd\n")
    second = importing.import_judgements(small.store, "small", file, "tests", JudgeIdentity("J"))
    assert (second.added["judgements"], second.already["judgements"]) == (1, 2)
    table = schema.judgement
    with small.store.reading() as connection:
        judge = max(connection.execute(sa.select(table.c.judge_id)).scalars())
        statement = sa.select(table.c.unit_id, table.c.status, table.c.label)
        labels = connection.execute(statement.where(table.c.judge_id == judge, current_verdict())).all()
    assert sorted(map(tuple, labels)) == [(1, "ok", "NO"), (2, "ok", "YES"), (3, "invalid", None)]
    third = importing.import_judgements(small.store, "small", file, "tests", JudgeIdentity("J"))
    assert third.added.total() == 0
