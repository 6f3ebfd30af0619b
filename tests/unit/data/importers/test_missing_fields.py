"""A column that no row has is told once, an empty cell with its line, and a nearly right name as such."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.importers.report import ImportReport, counted
from tests.unit.data.importers.conftest import Bring, lines

Refuse = Callable[..., list[str]]
ROWS = "".join(f"c{n % 3 + 1},Dr A,warm,YES\n" for n in range(72))


def test_a_column_that_no_row_has_is_one_sentence_with_its_count(
    bring_ratings: Bring, refused: Refuse
) -> None:
    assert refused(bring_ratings, f"talk,rater,criterion,label\n{ROWS}", "r.csv") == [
        "r.csv, line 2: there is no conversation_id; found talk, rater, criterion, label "
        "(72 rows; this is the first)"
    ]


@pytest.mark.parametrize(
    ("header", "column", "name"),
    [
        ("Conversation_ID,rater,criterion,label", "Conversation_ID", "conversation_id"),
        ("conversation id,rater,criterion,label", "conversation id", "conversation_id"),
        ("conversation_id,rater, Criterion,label", " Criterion", "criterion"),
        ("conversation_id,rater,criterion,LABEL", "LABEL", "label"),
        ("conversation_id,Rater,criterion,label", "Rater", "rater"),
    ],
)
def test_a_column_that_differs_in_capitals_or_blanks_is_named(
    bring_ratings: Bring, refused: Refuse, header: str, column: str, name: str
) -> None:
    report = refused(bring_ratings, f"{header}\n{ROWS}", "r.csv")
    assert len(report) == 1 and f"the column is called {column!r}; call it {name}" in report[0]


def test_labels_of_a_judge_in_a_column_with_a_capital_are_no_failures(
    bring_judgements: Bring, refused: Refuse
) -> None:
    report = refused(bring_judgements, "conversation_id,criterion,Label\nc1,warm,YES\nc2,warm,NO\n", "j.csv")
    assert report == [
        "j.csv, line 2: the column is called 'Label'; call it label (2 rows; this is the first)"
    ]


def test_a_judges_file_without_labels_says_so_once(bring_judgements: Bring) -> None:
    report = bring_judgements(lines(*({"conversation_id": f"c{n}", "criterion": "warm"} for n in (1, 2))))
    assert report.lines() == [
        "file.jsonl, line 1: there is no label; found conversation_id, criterion; kept as a failure "
        "of the judge (2 rows; this is the first)"
    ]


def test_conversations_with_another_name_of_their_messages_are_told_once(
    bring_conversations: Bring, refused: Refuse
) -> None:
    rows = [{"id": f"n{n}", "Messages": []} for n in range(5)]
    assert refused(bring_conversations, lines(*rows)) == [
        "file.jsonl, line 1: the column is called 'Messages'; call it messages (5 rows; this is the first)"
    ]


def test_an_empty_cell_is_told_as_such_with_its_line(bring_ratings: Bring, refused: Refuse) -> None:
    content = "conversation_id,rater,criterion,label\nc1,Dr A,warm,YES\n,,,\nc1,Dr A,,NO\nc1,,safe,NO\nc2,Dr A,warm\n"
    assert refused(bring_ratings, content, "r.csv") == [
        "r.csv, line 3: the cell conversation_id is empty, like the whole row",
        "r.csv, line 4: the cell criterion is empty",
        "r.csv, line 5: the cell rater is empty",
        "r.csv, line 6: the cell label is empty",
    ]


def test_two_answers_to_one_question_name_who_gave_them(
    bring_ratings: Bring, bring_judgements: Bring, refused: Refuse
) -> None:
    row = {"conversation_id": "c1", "criterion": "warm"}
    answers = lines({**row, "rater": "Dr A", "label": "YES"}, {**row, "rater": "Dr A", "label": "NO"})
    assert (
        "warm of this conversation has a different answer by Dr A on line 1"
        in refused(bring_ratings, answers)[0]
    )
    answers = lines({**row, "label": "YES"}, {**row, "label": "NO"})
    assert "a different answer by Judge C on line 1" in refused(bring_judgements, answers)[0]


def test_a_sentence_counts_one_thing_in_the_singular() -> None:
    report = ImportReport("f.csv")
    report.added.update({"conversations": 1, "replies to rate": 1, "judgements": 1, "failed judge calls": 1})
    report.already.update({"ratings": 1, "critical entities": 1})
    assert report.summary() == (
        "Added 1 conversation, 1 reply to rate, 1 judgement, 1 failed judge call from f.csv. Already there: "
        "1 rating, 1 critical entity."
    )
    assert (counted(0, "replies to rate"), counted(1200, "ratings")) == ("0 replies to rate", "1,200 ratings")


def test_rows_are_counted_also_beyond_the_listed_problems() -> None:
    report = ImportReport("f.csv", listed=1)
    report.error(1, "first")
    for line in (2, 3):
        report.error_of_rows(line, "the same on every line")
        report.notice_of_rows(line, "a notice on every line")
    assert report.lines() == [
        "f.csv, line 1: first",
        "f.csv, line 2: a notice on every line (2 rows; this is the first)",
        "... and 1 more of the same kind.",
    ]
