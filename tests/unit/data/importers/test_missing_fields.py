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
    assert refused(bring_ratings, "rater,criterion,label\n" + "Dr A,warm,YES\n" * 72, "r.csv") == [
        "r.csv, line 2: there is no conversation_id; there are rater, criterion, label "
        "(72 rows; this is the first)"
    ]


@pytest.mark.parametrize(
    ("header", "column"),
    [
        ("Conversation_ID,rater,criterion,label", "Conversation_ID"),
        ("conversation_id,rater, Criterion,label", " Criterion"),
        ("conversation_id,rater,criterion,LABEL", "LABEL"),
        ("conversation_id,annotator,criterion,label", "annotator"),
    ],
)
def test_a_column_of_another_name_is_an_error_that_leads_to_a_mapping(
    bring_ratings: Bring, refused: Refuse, header: str, column: str
) -> None:
    (line,) = refused(bring_ratings, f"{header}\n{ROWS}", "r.csv")
    assert line.startswith(f"r.csv, line 2: {column}: unknown here. Import the file")


@pytest.mark.parametrize(
    "other",
    [{"rater": "Dr A"}, {"annotator_id": 7}, {"source": "human"}, {"Label": "NO"}, {"annotated_by": "x"}],
)
def test_a_judges_file_with_any_other_column_is_refused(
    bring_judgements: Bring, refused: Refuse, other: dict[str, object]
) -> None:
    """It may say that a person gave the label."""
    row = {"conversation_id": "c1", "criterion": "warm", "label": "YES"}
    second = {**row, "criterion": "safe", **other}
    (line,) = refused(bring_judgements, lines(row, second))
    assert line.startswith(f"file.jsonl, line 2: {next(iter(other))}: unknown here")


@pytest.mark.parametrize("other", [{"judge": "gpt-4o"}, {"annotator_kind": "LLM"}, {"model": "x"}])
def test_peoples_labels_with_any_other_column_are_refused(
    bring_ratings: Bring, refused: Refuse, other: dict[str, object]
) -> None:
    row = {"conversation_id": "c1", "rater": "Dr A", "criterion": "warm", "label": "YES", **other}
    (line,) = refused(bring_ratings, lines(row))
    assert line.startswith(f"file.jsonl, line 1: {next(iter(other))}: unknown here")


@pytest.mark.parametrize("name", ["gpt-4o", "LLM judge", "Claude 3", "model_2"])
def test_a_rater_who_is_called_like_a_program_is_refused(
    bring_ratings: Bring, refused: Refuse, name: str
) -> None:
    row = {"conversation_id": "c1", "rater": name, "criterion": "warm", "label": "YES"}
    (line,) = refused(bring_ratings, lines(row))
    assert f"{name!r} looks like a judge, so the labels can't be ratings" in line


def test_a_judges_file_without_labels_says_so_once(bring_judgements: Bring) -> None:
    report = bring_judgements(lines(*({"conversation_id": f"c{n}", "criterion": "warm"} for n in (1, 2))))
    assert report.lines() == [
        "file.jsonl, line 1: there is no label; there are conversation_id, criterion; kept as a failure "
        "of the judge (2 rows; this is the first)"
    ]


def test_conversations_with_another_name_of_their_messages_are_told_once(
    bring_conversations: Bring, refused: Refuse
) -> None:
    rows = [{"id": f"n{n}", "Messages": []} for n in range(5)]
    assert refused(bring_conversations, lines(*rows)) == [
        "file.jsonl, line 1: there are no messages or turns; there are id, Messages (5 rows; this is the first)"
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
