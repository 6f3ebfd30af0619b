"""People's labels from elsewhere: what they had seen must be said, and is kept with every label."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import sqlalchemy as sa

from data import schema
from data.importers.label_rows import STAY
from data.labels import agreement_labels
from data.labels.counted import ARMS
from data.record import studies
from data.store import content
from scoring.agreement.labels.label_data import Arm
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import Bring, lines

Refuse = Callable[..., list[str]]


def row(**more: Any) -> dict[str, Any]:
    return {"conversation_id": "c2", "rater": "Dr. Paper", "criterion": "warm", "label": "NO", **more}


def kept(small: Small) -> list[Any]:
    with small.store.reading() as connection:
        return list(connection.execute(sa.select(schema.rating).order_by(schema.rating.c.id)))


@pytest.mark.parametrize("exposure", ["blind", "judge_visible", "unknown"])
def test_a_rating_keeps_what_its_rater_had_seen(small: Small, bring_ratings: Bring, exposure: str) -> None:
    bring_ratings(lines(row()), exposure=exposure)
    assert [(r.label, r.source, r.exposure, r.reveals_before) for r in kept(small)] == [
        ("NO", "imported", exposure, 0)
    ]


@pytest.mark.parametrize("exposure", ["", "Blind", "revealed", "page"])
def test_any_other_exposure_is_refused(
    bring_ratings: Bring, refused: Refuse, row_counts: Callable[[], dict[str, int]], exposure: str
) -> None:
    before = row_counts()
    found = refused(bring_ratings, lines(row()), exposure=exposure)
    assert found == ["file.jsonl: say what these raters had seen of the judge: blind, judge_visible, unknown"]
    assert row_counts() == before


@pytest.mark.parametrize(
    ("exposure", "arm"), [("blind", "blind"), ("judge_visible", "shown"), ("unknown", "unknown")]
)
def test_unknown_and_seen_never_enter_the_blind_arm(
    small: Small, bring_ratings: Bring, exposure: str, arm: Arm
) -> None:
    bring_ratings(lines(row()), exposure=exposure)
    with small.store.reading() as connection:
        assert {a: len(agreement_labels.human_labels(connection, small.study.id, a)) for a in ARMS} == {
            **dict.fromkeys(ARMS, 0),
            arm: 1,
        }


def test_the_source_of_the_statement_stands_in_the_trail(small: Small, bring_ratings: Bring) -> None:
    bring_ratings(lines(row()))
    with small.store.reading() as connection:
        detail = connection.execute(
            sa.select(schema.trail.c.detail).order_by(schema.trail.c.seq.desc()).limit(1)
        ).scalar_one()
    assert '"source":"a protocol"' in detail


def test_a_new_name_becomes_an_imported_rater_who_cannot_be_chosen_to_rate(
    small: Small, bring_ratings: Bring
) -> None:
    bring_ratings(lines(row(), row(criterion="safe")))
    with small.store.reading() as connection:
        raters = studies.raters(connection, small.study.id)
    assert [(r.name, r.kind) for r in raters] == [
        ("Ann", "person"),
        ("Ben", "person"),
        ("Dr. Paper", "imported"),
    ]


def test_blanks_in_a_name_make_no_second_rater(small: Small, bring_ratings: Bring) -> None:
    bring_ratings(lines(row(), row(rater="  Dr.   Paper ", criterion="safe")))
    assert len({r.rater_id for r in kept(small)}) == 1


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"rater": None}, "the cell rater is empty"),
        ({"rater": ""}, "the cell rater is empty"),
        ({"rater": "x" * 81}, "must have 1 to 80 printable characters"),
        ({"rater": "a\u0007b"}, "must have 1 to 80 printable characters"),
        ({"label": None}, "the cell label is empty"),
        (
            {"label": "MAYBE"},
            "'MAYBE' is not a label of warm; use YES (Yes), NO (No), NA (Does not apply)",
        ),
        ({"label": "ERROR"}, "'ERROR' is not a label of warm"),
        ({"criterion": "tall"}, "Small rubric has no criterion 'tall'"),
        ({"conversation_id": "c9"}, "the study has no conversation 'c9'"),
    ],
)
def test_a_wrong_row_is_named_by_its_line_and_nothing_is_kept(
    small: Small,
    bring_ratings: Bring,
    refused: Refuse,
    row_counts: Callable[[], dict[str, int]],
    given: dict[str, Any],
    says: str,
) -> None:
    before = row_counts()
    problems = refused(bring_ratings, lines(row(criterion="safe"), row(**given)))
    assert len(problems) == 1
    assert problems[0].startswith("file.jsonl, line 2: ") and says in problems[0]
    assert row_counts() == before


def test_an_empty_cell_for_the_rater_in_a_table_is_named(bring_ratings: Bring, refused: Refuse) -> None:
    found = refused(
        bring_ratings,
        "conversation_id;rater;criterion;label\nc2;Dr. Paper;warm;NO\nc2;;safe;YES\n",
        "file.csv",
    )
    assert found == ["file.csv, line 3: the cell rater is empty"]


def test_a_dry_run_writes_nothing_not_even_the_rater(
    bring_ratings: Bring, row_counts: Callable[[], dict[str, int]]
) -> None:
    before = row_counts()
    assert bring_ratings(lines(row()), dry_run=True).summary() == "Would add 1 rating from file.jsonl."
    assert row_counts() == before


def test_the_same_file_again_adds_nothing(
    bring_ratings: Bring, row_counts: Callable[[], dict[str, int]]
) -> None:
    bring_ratings(lines(row()))
    before = row_counts()
    report = bring_ratings(lines(row()))
    assert (report.summary(), report.lines()) == (
        "Added 0 ratings from file.jsonl. Already there: 1 rating.",
        [f"file.jsonl, line 1: {STAY}"],
    )
    assert row_counts() == before


def test_two_answers_of_one_rater_to_one_question_in_one_file_are_an_error_with_both_lines(
    bring_ratings: Bring, refused: Refuse, row_counts: Callable[[], dict[str, int]]
) -> None:
    """The first would win by its place in the file: several people under one name look just so."""
    before = row_counts()
    problems = refused(
        bring_ratings, lines(row(label="NO"), row(criterion="safe", label="YES"), row(label="YES"))
    )
    assert len(problems) == 1 and problems[0].startswith(
        "file.jsonl, line 3: warm of this conversation has a different answer by Dr. Paper on line 1."
    )
    assert row_counts() == before


def test_another_label_than_an_earlier_file_is_left_out_and_named_once_nobody_rates_blind(
    small: Small, bring_ratings: Bring, nobody_blind: Callable[[], None]
) -> None:
    bring_ratings(lines(row(label="NO")))
    nobody_blind()
    report = bring_ratings(lines(row(label="YES")))
    assert [r.label for r in kept(small)] == ["NO"]
    assert report.lines() == [
        "file.jsonl, line 1: warm already has another answer; the first was kept and this one left out"
    ]


def test_somebody_whose_labels_were_imported_and_who_rates_again_here_counts_once(
    small: Small, bring_ratings: Bring
) -> None:
    bring_ratings(lines(row(rater="Ann", label="NO")), same_raters=("Ann",))
    small.desk(0).rate(2, "YES")
    with small.store.reading() as connection:
        found = agreement_labels.human_labels(connection, small.study.id, "blind")
    assert [label.label for label in found if label.criterion == "warm"] == ["YES"]


def test_does_not_apply_where_the_rule_says_so_is_the_rules(small: Small, bring_ratings: Bring) -> None:
    report = bring_ratings(lines(row(conversation_id="c1", criterion="deep", label="NA")))
    assert [(r.label, r.source) for r in kept(small)] == [("NA", "rule")]
    assert report.lines() == []


def test_a_label_against_the_turn_rule_is_kept_and_noticed(small: Small, bring_ratings: Bring) -> None:
    report = bring_ratings(lines(row(conversation_id="c1", criterion="deep", label="YES")))
    assert [(r.label, r.source) for r in kept(small)] == [("YES", "imported")]
    assert (
        "deep does not apply to a conversation of 1 turn, but the file has YES; kept as given"
        in report.lines()[0]
    )


def test_a_note_is_kept_as_written_and_a_date_as_a_moment(small: Small, bring_ratings: Bring) -> None:
    bring_ratings(lines(row(note="=cmd|' /C calc'!A0", at="2024-05-01")))
    with small.store.reading() as connection:
        assert content.get(connection, kept(small)[0].note_content) == "=cmd|' /C calc'!A0"
    assert kept(small)[0].at == "2024-05-01T00:00:00.000+00:00"


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_a_csv_table_is_read_with_any_separator(small: Small, bring_ratings: Bring, delimiter: str) -> None:
    rows = [
        ["conversation_id", "rater", "criterion", "label", "note"],
        ["c2", "Dr. Paper", "Warm", "no", "cold"],
    ]
    bring_ratings("\n".join(delimiter.join(cells) for cells in rows), "labels.csv")
    assert [(r.criterion, r.label) for r in kept(small)] == [("warm", "NO")]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("2026-03-01", "2026-03-01T00:00:00.000+00:00"),
        ("2026-03-01T09:30:00+02:00", "2026-03-01T07:30:00.000+00:00"),
        ("2026-03-01 09:30", "2026-03-01T09:30:00.000+00:00"),
        ("2026-03-01T09:30:00.123456Z", "2026-03-01T09:30:00.123+00:00"),
    ],
)
def test_a_moment_is_kept_in_utc_as_the_store_writes_it(
    small: Small, bring_ratings: Bring, told: str, expected: str
) -> None:
    bring_ratings(lines(row(at=told)))
    assert [r.at for r in kept(small)] == [expected]


@pytest.mark.parametrize("told", ["yesterday", "01/03/2026", 12, "0001-01-01T00:00:00+14:00"])
def test_what_is_no_moment_is_left_out_and_said(small: Small, bring_ratings: Bring, told: object) -> None:
    report = bring_ratings(lines(row(at=told)))
    assert [r.at[:2] for r in kept(small)] == ["20"]
    assert any(
        "is not a date or time such as 2026-03-01" in notice
        for notice in (one.message for one in report.problems)
    )


def test_a_second_note_on_the_same_label_is_named(make_study: Callable[..., Small], tmp_path: Path) -> None:
    small = make_study(review="open")  # while somebody rates blind, nothing is said of what is there
    file = tmp_path / "ratings.csv"
    head = "conversation_id,rater,criterion,label,note\n"
    file.write_text(
        f"{head}c1,Zoe,warm,YES,first\nc1,Zoe,warm,YES,second\nc1,Zoe,warm,YES,first\nc1,Zoe,warm,YES,\n"
    )
    report = importing.import_ratings(small.store, "small", file, "tests", "blind", "known")
    assert (report.added["ratings"], report.already["ratings"]) == (1, 3)
    assert report.lines() == [
        "ratings.csv, line 3: the study has this label already, so this note was left out"
    ]
    again = importing.import_ratings(small.store, "small", file, "tests", "blind", "known")
    assert again.lines() == report.lines()


@pytest.mark.parametrize("name", ["labels.csv", "labels.xlsx"])
def test_a_header_alone_that_lacks_columns_is_refused(
    bring_ratings: Bring, bring_judgements: Bring, refused: Refuse, name: str
) -> None:
    def header(*names: str) -> str | bytes:
        if name.endswith("csv"):
            return ",".join(names) + "\n"
        book, file = openpyxl.Workbook(), io.BytesIO()
        book.active.append(names)
        book.save(file)
        return file.getvalue()

    assert refused(bring_ratings, header("conversation_id", "b", "label"), name) == [
        f"{name}, line 1: there is no rater; there are conversation_id, b, label",
        f"{name}, line 1: there is no criterion; there are conversation_id, b, label",
    ]
    assert refused(bring_judgements, header("criterion", "b"), name) == [
        f"{name}, line 1: there is no conversation_id; there are criterion, b",
        f"{name}, line 1: there is no label; there are criterion, b",
    ]
    assert not bring_ratings(header("conversation_id", "rater", "criterion", "label"), name).added["ratings"]
