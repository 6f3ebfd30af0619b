"""A rater's note to the study lead: kept once, answered by name, never lost."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data import schema
from data.keeping.verify import verify
from data.settling import escalations
from data.store import content
from data.store.errors import NotFound, Refused
from tests.studies import settling
from tests.studies.settling import Colleague, disputed, rows, settled
from tests.studies.small_study import Small


def waiting(small: Small) -> list[tuple[int, str, str | None, str]]:
    with small.store.reading() as connection:
        found = escalations.open_ones(connection, small.study.id)
    return [(one.position, one.kind, one.note, one.by) for one in found]


def test_danger_comes_first_then_identifiers_then_questions(planned: Small) -> None:
    ann, ben = Colleague.of(planned, 0), Colleague.of(planned, 1)
    ann.tell(3, "question", "does this count?")
    ben.tell(2, "identifier", "a street")
    ann.tell(1, "risk", "he speaks of pills", criterion="safe")
    assert waiting(planned) == [
        (1, "risk", "he speaks of pills", "Ann"),
        (2, "identifier", "a street", "Ben"),
        (3, "question", "does this count?", "Ann"),
    ]


def test_the_words_lie_in_content_and_the_same_event_is_kept_once(planned: Small) -> None:
    ann = Colleague.of(planned, 0)
    assert ann.tell(event="11111111-aaaa") is not None
    assert ann.tell(event="11111111-aaaa") is None
    for other in ({"note": "other words"}, {"kind": "question"}, {"criterion": "warm"}, {"position": 3}):
        with pytest.raises(Refused, match="event_id_reused"):
            ann.tell(event="11111111-aaaa", **other)
    (row,) = rows(planned, schema.escalation)
    with planned.store.reading() as connection:
        assert content.same(connection, row.note_content, row.note_mac, "somebody may be in danger here")
        assert verify(connection).problems == []


def test_it_may_be_raised_before_and_after_the_commit_and_on_a_repeat(planned: Small) -> None:
    ann = Colleague.of(planned, 0)
    ann.tell(note="before")
    planned.desk(0).rate(2)
    ann.tell(note="after")
    ann.tell(settling.repeat(planned, 2).position, note="again")
    assert [(position, note) for position, _, note, _ in waiting(planned)] == [
        (2, "before"),
        (2, "after"),
        (2, "again"),
    ], "a repeat is shown as what it repeats"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"kind": "answered"}, "say_kind_of_note"),
        ({"kind": "x"}, "say_kind_of_note"),
        ({"note": " "}, "note_needs_words"),
        ({"note": "x" * 20_001}, "text_too_long"),
        ({"criterion": "nothing"}, "no_criterion"),
    ],
)
def test_misuse_is_refused(planned: Small, more: dict[str, str], said: str) -> None:
    with pytest.raises(Refused, match=said):
        Colleague.of(planned, 0).tell(**more)  # type: ignore[arg-type]
    assert waiting(planned) == []


def test_somebody_of_another_study_raises_nothing_here(
    planned: Small, make_study: Callable[..., Small]
) -> None:
    other = make_study(key="other")
    with pytest.raises(Refused, match="needs_rater"):
        Colleague(planned.store, planned.study, other.raters[0]).tell()


def test_an_answer_closes_it_and_the_rater_reads_it(planned: Small, colleague: Colleague) -> None:
    ann = Colleague.of(planned, 0)
    note_id = ann.tell() or 0
    assert colleague.answer(note_id) is not None
    assert waiting(planned) == []
    with planned.store.reading() as connection:
        (note,) = escalations.raised_by(connection, ann.rater, ann.unit(2).id)
        assert (note.escalation.note, note.answer, note.answered_at is not None) == (
            "somebody may be in danger here",
            "called them",
            True,
        )
        assert escalations.raised_by(connection, colleague.rater, ann.unit(2).id) == []
        assert escalations.raised_by(connection, ann.rater, ann.unit(3).id) == []


def test_it_is_answered_once(planned: Small, colleague: Colleague) -> None:
    note_id = Colleague.of(planned, 0).tell() or 0
    assert colleague.answer(note_id, event="22222222-aaaa") is not None
    assert colleague.answer(note_id, event="22222222-aaaa") is None
    with pytest.raises(Refused, match="event_id_reused"):
        colleague.answer(note_id, note="called nobody", event="22222222-aaaa")
    with pytest.raises(Refused, match="note_answered_meanwhile"):
        Colleague.of(planned, 3).answer(note_id)
    with pytest.raises(NotFound):
        colleague.answer(rows(planned, schema.escalation)[-1].id)
    with pytest.raises(NotFound):
        colleague.answer(999)


def test_whoever_is_still_to_rate_the_unit_does_not_answer_and_whoever_rated_it_may(
    planned: Small, colleague: Colleague
) -> None:
    told = Colleague.of(planned, 0).tell() or 0
    settling.assign(planned, colleague.rater, 2)
    with pytest.raises(Refused, match="on_own_list"):
        colleague.answer(told)
    disputed(planned)
    assert Colleague.of(planned, 1).answer(told) is not None


def test_an_answer_needs_words(planned: Small, colleague: Colleague) -> None:
    told = Colleague.of(planned, 0).tell() or 0
    with pytest.raises(Refused, match="note_needs_words"):
        colleague.answer(told, note=" ")
    assert len(waiting(planned)) == 1


def test_a_label_may_be_settled_over_what_was_raised_and_is_no_reference(
    planned: Small, colleague: Colleague
) -> None:
    planned.desk(0).rate(2)
    Colleague.of(planned, 0).tell(criterion="safe")
    colleague.open()
    with pytest.raises(Refused, match="nothing_raised"):
        colleague.settle(criterion="warm", trigger="escalation")
    colleague.settle(criterion="safe", trigger="escalation")
    (settlement,) = settled(planned)
    assert (settlement.trigger, settlement.judge_seen, settlement.is_reference) == ("escalation", True, False)


def test_studies_do_not_mix(planned: Small, make_study: Callable[..., Small]) -> None:
    other = make_study(key="other")
    Colleague(other.store, other.study, other.raters[0]).tell()
    assert waiting(planned) == [] and len(waiting(other)) == 1
