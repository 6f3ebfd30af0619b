"""One id in two spellings: the exact one wins, one that is clear is taken, one that is not is asked about."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import select

from data import schema
from data.importers.report import ImportRefused, ImportReport
from data.importers.spellings import Spellings, clean_name, plain_id
from data.record import studies
from tests.studies import importing
from tests.studies.small_study import Small


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("12", "12.0"),
        ("12", "12.00"),
        ("1200", "1,200"),
        ("100000", "1E+05"),
        ("123000", "1.23e5"),
        ("007", "007.0"),
        ("C1", "c1"),
        ("case 1", " Case\u00a01 "),
        ("caf\u00e9", "cafe\u0301"),
        ("A１", "a1"),
    ],
)
def test_two_spellings_of_one_id(one: str, other: str) -> None:
    assert plain_id(one) == plain_id(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("7", "007"),
        ("12", "12.5"),
        ("12", "120"),
        ("1.2", "12"),
        ("c-1", "c1"),
        ("1,20", "120"),
        ("1e-5", "0"),
        ("1.5e0", "1"),
    ],
)
def test_two_ids(one: str, other: str) -> None:
    assert plain_id(one) != plain_id(other)


def test_an_exact_match_wins_and_several_are_asked_about() -> None:
    report, ids = ImportReport("f.csv"), Spellings(["A1", "a1", "b2"])
    assert [ids.resolve(text, 1, report) for text in ("A1", "a1", "b2", "B2", "c3")] == [
        "A1",
        "a1",
        "b2",
        "b2",
        None,
    ]
    assert report.lines() == ["f.csv, line 1: ids are spelt differently in the study: 'B2' for 'b2'"]
    assert ids.resolve("\uff211", 2, report) is None
    assert report.lines()[0] == "f.csv, line 2: '\uff211' may mean 'A1' or 'a1'; spell it as the study does"


def test_the_first_is_told_with_the_number_of_rows() -> None:
    report, ids = ImportReport("f.csv"), Spellings(["1", "2", "3"])
    for line, text in enumerate(("1.0", "2.0", "2.0", "3"), start=2):
        ids.resolve(text, line, report)
    assert report.lines() == [
        "f.csv, line 2: ids are spelt differently in the study: '1.0' for '1' (3 rows; this is the first)"
    ]


def bring_talks(small: Small, folder: Path, *keys: str | int) -> ImportReport:
    file = folder / "talks.jsonl"
    talks = ({"id": key, "turns": [{"user": f"I am {key}", "assistant": "I see."}]} for key in keys)
    file.write_text("".join(json.dumps(talk) + "\n" for talk in talks), encoding="utf-8")
    return importing.import_conversations(small.store, "small", file, "tests", same_person="none")


@pytest.mark.parametrize("keys", [("12", "12.0"), ("K1", "k1")])
def test_two_conversations_whose_ids_are_only_written_otherwise_are_asked_about(
    small: Small, tmp_path: Path, keys: tuple[str, str]
) -> None:
    with pytest.raises(ImportRefused) as refused:
        bring_talks(small, tmp_path, *keys)
    assert "differ only in spelling. If they are one conversation, spell them alike" in "".join(
        refused.value.report.lines()
    )
    bring_talks(small, tmp_path, keys[0])
    with pytest.raises(ImportRefused):
        bring_talks(small, tmp_path, keys[1])


def test_labels_find_their_conversation_in_another_spelling(small: Small, tmp_path: Path) -> None:
    bring_talks(small, tmp_path, "12", "007")
    file = tmp_path / "labels.csv"
    file.write_text(
        "conversation_id,rater,criterion,label\n12.0,Zoe,warm,YES\n007.0,Zoe,warm,NO\nC3,Zoe,warm,YES\n"
    )
    report = importing.import_ratings(small.store, "small", file, "tests", "blind", "known")
    table, unit, rating = schema.conversation, schema.unit, schema.rating
    with small.store.reading() as connection:
        placed = connection.execute(
            select(table.c.key, rating.c.label)
            .join(unit, unit.c.conversation_id == table.c.id)
            .join(rating, rating.c.unit_id == unit.c.id)
        ).all()
    assert {tuple(row) for row in placed} == {("12", "YES"), ("007", "NO"), ("c3", "YES")}
    assert (
        "ids are spelt differently in the study: '12.0' for '12' (3 rows; this is the first)"
        in report.lines()[0]
    )
    file.write_text("conversation_id,rater,criterion,label\n7,Zoe,warm,YES\n")
    with pytest.raises(ImportRefused) as refused:
        importing.import_ratings(small.store, "small", file, "tests", "blind", "known")
    assert "the study has no conversation '7'" in refused.value.report.lines()[0]


def test_a_rater_of_numbers_is_one_rater(small: Small, tmp_path: Path) -> None:
    file = tmp_path / "labels.csv"
    file.write_text("conversation_id,rater,criterion,label\nc1,3,warm,YES\nc2,3.0,warm,NO\n")
    importing.import_ratings(small.store, "small", file, "tests", "blind", "known")
    with small.store.reading() as connection:
        names = [
            rater.name for rater in studies.raters(connection, small.study.id) if rater.kind == "imported"
        ]
    assert names == ["3"]
    assert clean_name(" Ann  Lee ") == "Ann Lee"
