"""What a rater writes of a judge's reasoning: kept like other words, only after the reveal, and never
changed."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.labels import reasoning_comments
from data.labels.reasoning_comments import StoredComment
from data.record.judgements import JudgeIdentity
from data.store import content
from data.store.errors import NotFound, Refused
from data.work import answers_to_judges
from reports.refusals import word_error
from scoring.judge_reasons import ReasoningComment
from tests.studies.small_study import Desk, Small


def write(
    desk: Desk,
    text: str,
    event: str,
    criterion: str = "warm",
    position: int = 2,
    judge: int = 1,
    late: bool = False,
    shown: str | None = None,
) -> bool:
    unit = desk.unit(position)
    with desk.store.writing("tests", "comment on reasoning", desk.study.id) as (connection, entry):
        return reasoning_comments.write(
            connection, entry, unit, desk.rater, event, judge, criterion, text, late, shown
        )


def call(desk: Desk, value: str, event: str, position: int = 2, judge: int = 1) -> None:
    unit = desk.unit(position)
    with desk.store.writing("tests", "judge reasoning", desk.study.id) as (connection, entry):
        answers_to_judges.respond(
            connection, entry, unit, desk.rater, event, judge, "warm", "reasoning", value
        )


def current(desk: Desk, position: int = 2) -> dict[tuple[int, str], str | None]:
    unit = desk.unit(position)
    with desk.store.reading() as connection:
        return {
            key: kept.text
            for key, kept in reasoning_comments.current(connection, desk.rater, unit.id).items()
        }


def listed(small: Small, judge: int = 1) -> list[ReasoningComment]:
    with small.store.reading() as connection:
        return reasoning_comments.of_judge(connection, small.study.id, judge)


@pytest.fixture
def desk(small: Small) -> Desk:
    """A rater who committed the second unit and was shown the judges."""
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    return desk


def test_a_change_is_a_new_row_that_names_the_one_it_replaces(desk: Desk) -> None:
    assert write(desk, "it misses the tone", "event-1")
    assert write(desk, "  it misses the tone of turn 2 ", "event-2")
    assert write(desk, "", "event-3")
    assert current(desk) == {(1, "warm"): ""}
    assert write(desk, "and yet", "event-4")
    with desk.store.reading() as connection:
        rows = connection.execute(
            select(schema.reasoning_comment).order_by(schema.reasoning_comment.c.id)
        ).all()
        texts = content.get_many(connection, [row.comment_content for row in rows])
        assert verify(connection).problems == []
    assert [(row.id, row.replaces) for row in rows] == [(1, None), (2, 1), (3, 2), (4, 3)]
    assert [texts.get(row.comment_content) for row in rows] == [
        "it misses the tone",
        "it misses the tone of turn 2",
        None,
        "and yet",
    ]
    assert current(desk) == {(1, "warm"): "and yet"}


def test_the_same_event_and_the_same_words_change_nothing(desk: Desk) -> None:
    assert not write(desk, " ", "event-0")
    assert write(desk, "it misses the tone", "event-1")
    assert not write(desk, " it misses the tone", "event-1")
    assert not write(desk, "it misses the tone ", "event-2")
    assert current(desk) == {(1, "warm"): "it misses the tone"}


def test_each_judge_and_criterion_has_its_own(desk: Desk) -> None:
    write(desk, "of A on warm", "event-1")
    write(desk, "of B on warm", "event-2", judge=2)
    write(desk, "of A on safe", "event-3", criterion="safe")
    assert current(desk) == {
        (1, "warm"): "of A on warm",
        (2, "warm"): "of B on warm",
        (1, "safe"): "of A on safe",
    }
    assert current(desk, 1) == {}


def test_nothing_is_written_before_the_reveal(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    with pytest.raises(Refused, match="judge_not_revealed"):
        write(desk, "too early", "event-1")
    assert listed(small) == []


@pytest.mark.parametrize("where", [{"criterion": "unknown"}, {"judge": 9}, {"judge": 2, "criterion": "safe"}])
def test_only_of_reasoning_that_is_there(desk: Desk, where: dict[str, object]) -> None:
    """Judge B failed on "safe"; a failure has no reasoning to speak of."""
    with pytest.raises(NotFound, match="no_reasoning"):
        write(desk, "of what?", "event-1", **where)  # type: ignore[arg-type]


def test_a_label_without_reasoning_takes_no_comment(small: Small) -> None:
    report = ImportReport("c")
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(
            connection,
            entry,
            small.study,
            [(1, {"conversation_id": "c2", "criterion": "warm", "label": "YES"})],
            report,
            JudgeIdentity("Silent"),
            "tests",
        )
        report.raise_if_wrong()
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    with pytest.raises(NotFound, match="no_reasoning"):
        write(desk, "of what?", "event-1", judge=3)


def test_what_a_closed_tab_left_counts_only_where_nothing_is_saved(desk: Desk) -> None:
    assert write(desk, "left behind", "event-1", late=True)
    with pytest.raises(Refused, match="late_words_of_closed_tab"):
        write(desk, "older words", "event-2", late=True)
    assert current(desk) == {(1, "warm"): "left behind"}
    write(desk, "", "event-3")
    assert write(desk, "left behind as well", "event-4", late=True)
    with pytest.raises(Refused, match="late_words_of_closed_tab"):
        write(desk, "left behind, and more", "event-5", late=True, shown="something else")
    assert write(desk, "left behind as well, and more", "event-6", late=True, shown="left behind as well")


def test_a_late_comment_that_is_refused_is_told_so_that_it_is_not_lost(desk: Desk) -> None:
    write(desk, "what stands here", "event-1")
    with pytest.raises(Refused) as refused:
        write(desk, " older words ", "event-2", late=True)
    assert word_error(refused.value) == (
        "Comment: an answer left over from a closed tab was not used, because another one is saved. Look at it "
        "once more. Its words were: “older words”"
    )
    with pytest.raises(Refused, match="late_entry_of_closed_tab"):
        write(desk, " ", "event-3", late=True)
    assert current(desk) == {(1, "warm"): "what stands here"}


def test_the_list_of_a_judge_holds_the_last_words_of_everybody_with_what_they_call_its_reasons(
    small: Small, desk: Desk
) -> None:
    other = small.desk(1)
    other.rate(2)
    other.reveal(2)
    call(desk, "partly", "verdict-1")
    write(desk, "first", "event-1")
    write(desk, "it misses the tone", "event-2")
    call(desk, "unsupported", "verdict-2")
    write(other, "well seen", "event-3")
    write(other, "taken back", "event-4", criterion="safe")
    write(other, "", "event-5", criterion="safe")
    unit = desk.unit(2).id
    assert listed(small) == [
        ReasoningComment(desk.rater, unit, 2, "warm", "unsupported", "it misses the tone"),
        ReasoningComment(other.rater, unit, 2, "warm", None, "well seen"),
    ]
    assert listed(small, 2) == []


def test_a_unit_that_is_shown_again_is_not_listed(small: Small, desk: Desk) -> None:
    unit = desk.unit(2)
    with small.store.writing("tests", "repeat", small.study.id) as (_connection, entry):
        again = entry.write(
            schema.unit,
            {
                "study_id": small.study.id,
                "conversation_id": unit.conversation_id,
                "message": None,
                "kind": "repeat",
                "position": -1,
                "criteria": "[]",
            },
        )
        entry.write(schema.repeat, {"unit_id": again, "of_unit_id": unit.id, "why": "repeat"})
        content_id = content.put(_connection, "of the repeat", unit.conversation_id)
        entry.write(
            schema.reasoning_comment,
            {
                "event": "event-9",
                "rater_id": desk.rater,
                "unit_id": again,
                "judge_id": 1,
                "criterion": "warm",
                "comment_content": content_id[0],
                "comment_mac": content_id[1],
            },
        )
    assert listed(small) == []


def test_the_words_go_with_the_conversation_and_the_trail_verifies(small: Small, desk: Desk) -> None:
    write(desk, "first words", "event-1")
    write(desk, "it misses the tone", "event-2")
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c2", "asked for")
    with small.store.reading() as connection:
        assert verify(connection).problems == []
        unit = desk.unit(2)
        assert reasoning_comments.current(connection, desk.rater, unit.id) == {
            (1, "warm"): StoredComment(2, None)
        }
        remaining = (
            connection.execute(select(schema.content.c.text).where(schema.content.c.text.is_not(None)))
            .scalars()
            .all()
        )
    assert "misses the tone" not in json.dumps(remaining) and "first words" not in json.dumps(remaining)
    assert [comment.text for comment in listed(small)] == [None]
    with pytest.raises(Refused, match="erased_while_saving"):
        write(desk, "written after it", "event-3")
    assert [comment.text for comment in listed(small)] == [None]
