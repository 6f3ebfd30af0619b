"""Who may settle a label, what is kept, and which settled labels may stand as the truth."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from data import schema
from data.access.permissions import Action, NotPermitted, Person, may
from data.access.reveals import TO_SETTLE
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.labels import settlements
from data.labels.settlements import CAUSES
from data.record import studies
from data.settling import unit_openings
from data.settling.anonymous_labels import anonymous_labels
from data.store import content
from data.store.errors import Refused
from data.store.store import Store
from data.store.trail import next_id
from data.work import conflicts
from tests.studies import settling
from tests.studies.settling import Colleague, disputed, queue, rows, settled
from tests.studies.small_study import Small


def problems(store: Store) -> list[str]:
    with store.reading() as connection:
        return verify(connection).problems


def test_a_settled_label_leaves_the_queue_and_names_who_settled_it(
    planned: Small, colleague: Colleague
) -> None:
    disputed(planned)
    colleague.open()
    assert colleague.settle(note="say what counts as warm") is not None
    assert queue(planned) == []
    (settlement,) = settled(planned)
    assert (
        settlement.position,
        settlement.criterion,
        settlement.label,
        settlement.by,
        settlement.trigger,
        settlement.cause,
        settlement.judge_seen,
        settlement.reopened,
    ) == (2, "warm", "NO", "Cleo", "human_human", "rater_slip", False, False)
    assert settlement.is_reference
    with planned.store.reading() as connection:
        assert settlements.reason(connection, settlement.id) == "the second reply is cold"
        assert [
            (note.criterion, note.position, note.text, note.by)
            for note in settlements.rubric_notes(connection, planned.study.id)
        ] == [("warm", 2, "say what counts as warm", "Cleo")]
    assert problems(planned.store) == []


def test_the_same_event_twice_changes_nothing(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    colleague.open()
    assert colleague.settle(event="11111111-aaaa") is not None
    assert colleague.settle(event="11111111-aaaa") is None
    changes: list[dict[str, Any]] = [
        {"label": "YES"},
        {"reason": "another"},
        {"note": "another"},
        {"cause": "judge_error"},
        {"criterion": "safe"},
    ]
    for other in changes:
        with pytest.raises(Refused, match="event_id_reused"):
            colleague.settle(event="11111111-aaaa", **other)
    assert [settlement.label for settlement in settled(planned)] == ["NO"] and len(
        rows(planned, schema.adjudication)
    ) == 1


def test_settling_again_names_the_one_it_replaces(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    colleague.open()
    first = colleague.settle()
    again = colleague.settle(label="YES", reason="read it once more")
    assert [(row.id, row.replaces) for row in rows(planned, schema.adjudication)] == [
        (first, None),
        (again, first),
    ]
    assert [one.label for one in settled(planned)] == ["YES"]


def test_whoever_rated_the_unit_does_not_settle_it(planned: Small) -> None:
    disputed(planned)
    with pytest.raises(Refused, match="rated_it"):
        Colleague.of(planned, 0).open()
    with pytest.raises(Refused, match="rated_it"):
        Colleague.of(planned, 0).settle()


def test_whoever_opened_a_unit_does_not_rate_it_any_more(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    colleague.open()
    with pytest.raises(Refused, match="conflict_noted_meanwhile"):
        planned.desk(2).rate(2)
    assert colleague.settle() is not None


def test_whoever_rated_a_repeat_of_the_unit_does_not_settle_it(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    planned.desk(2).rate(settling.repeat(planned, 2).position)
    with pytest.raises(Refused, match="rated_it"):
        colleague.open()


@pytest.mark.parametrize("happened", [(), ("skipped",), ("skipped", "taken_again"), ("freed", "taken_again")])
def test_whoever_holds_the_unit_or_left_it_for_later_may_not_open_it(
    planned: Small, colleague: Colleague, happened: tuple[str, ...]
) -> None:
    disputed(planned)
    settling.assign(planned, colleague.rater, 2, "real", *happened)
    with pytest.raises(Refused, match="on_own_list"):
        colleague.open()
    assert rows(planned, schema.conflict) == []


@pytest.mark.parametrize("happened", [("ran_out",), ("freed",)])
def test_a_unit_that_ran_out_may_come_back_and_so_is_not_opened(
    planned: Small, colleague: Colleague, happened: tuple[str, ...]
) -> None:
    disputed(planned)
    settling.assign(planned, colleague.rater, 2, "real", *happened)
    with pytest.raises(Refused, match="on_own_list"):
        colleague.open()


def test_a_repeat_on_the_list_keeps_the_unit_closed(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    settling.assign(planned, colleague.rater, settling.repeat(planned, 2).position, "repeat")
    with pytest.raises(Refused, match="on_own_list"):
        colleague.open()


def test_opening_is_recorded_once_as_a_conflict_with_the_conversation(
    planned: Small, colleague: Colleague
) -> None:
    disputed(planned)
    colleague.open()
    colleague.open()
    (row,) = rows(planned, schema.conflict)
    assert (row.rater_id, row.conversation_id) == (colleague.rater, planned.desk().unit(2).conversation_id)
    assert (row.lifted, row.kind) == (0, "opened")
    with planned.store.reading() as connection:
        assert unit_openings.has_opened(connection, planned.desk().unit(2), colleague.rater)
        assert not unit_openings.has_opened(connection, planned.desk().unit(3), colleague.rater)
        assert not unit_openings.has_opened(connection, planned.desk().unit(2), planned.raters[3])


def test_erasing_the_conversation_keeps_the_bar_of_whoever_opened_it(
    planned: Small, colleague: Colleague
) -> None:
    disputed(planned)
    colleague.open()
    unit = planned.desk().unit(2)
    with planned.store.writing("lead", "erase", planned.study.id) as (connection, entry):
        erase_conversation(connection, entry, planned.study, "c2", "asked for")
    with planned.store.reading() as connection:
        assert unit_openings.has_opened(connection, unit, colleague.rater)
        assert conflicts.bars_conversation(connection, colleague.rater, unit.id)
        # They go on settling what they opened.
        person = Person(studies.rater(connection, colleague.rater))
        assert may(connection, person, Action.SETTLE_UNIT, planned.study, unit)
        assert verify(connection).problems == []
    with (
        pytest.raises(Refused, match="opened_to_settle"),
        planned.store.writing("lead", "lift", planned.study.id) as (connection, entry),
    ):
        conflicts.state_conflict(
            connection, entry, colleague.rater, conversation_id=unit.conversation_id, lifted=True
        )
    with pytest.raises(Refused, match="conflict_noted_meanwhile"):
        planned.desk(2).rate(2)


def test_erasing_a_conversation_that_somebody_must_not_rate_does_not_say_that_they_opened_it(
    planned: Small, colleague: Colleague
) -> None:
    disputed(planned)
    unit = planned.desk().unit(2)
    with planned.store.writing("lead", "conflict of interest", planned.study.id) as (connection, entry):
        conflicts.state_conflict(
            connection, entry, colleague.rater, conversation_id=unit.conversation_id, value="her own brother"
        )
        erase_conversation(connection, entry, planned.study, "c2", "asked for")
    with planned.store.reading() as connection:
        assert not unit_openings.has_opened(connection, unit, colleague.rater)
        assert conflicts.bars_conversation(connection, colleague.rater, unit.id)
    with pytest.raises(Refused, match="conflict"):
        colleague.open()


def test_nothing_is_settled_that_was_not_opened(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    with pytest.raises(Refused, match="settle_unopened"):
        colleague.settle()


@pytest.mark.parametrize(("fact", "value"), [(None, "my patient"), ("condition", "B")])
def test_whoever_must_not_rate_a_conversation_does_not_settle_it(
    planned: Small, colleague: Colleague, fact: str | None, value: str
) -> None:
    disputed(planned)
    unit = planned.desk().unit(2)
    with planned.store.writing("tests", "conflict", planned.study.id) as (connection, entry):
        if fact:
            talk = connection.execute(
                select(schema.conversation).where(schema.conversation.c.id == unit.conversation_id)
            ).one()
            facts = content.put(connection, '{"condition": "B"}', next_id(connection, schema.conversation))
            conversation_id = entry.write(
                schema.conversation,
                {
                    **talk._mapping,
                    "key": "c9",
                    "position": 9,
                    "facts_content": facts[0],
                    "facts_mac": facts[1],
                },
            )
            entry.write(
                schema.unit,
                {
                    "study_id": planned.study.id,
                    "conversation_id": conversation_id,
                    "message": None,
                    "kind": "listed",
                    "position": 5,
                    "criteria": "[]",
                },
            )
        value_content, value_mac = content.put(connection, value, None if fact else unit.conversation_id)
        entry.write(
            schema.conflict,
            {
                "rater_id": colleague.rater,
                "conversation_id": None if fact else unit.conversation_id,
                "fact": fact,
                "value_content": value_content,
                "value_mac": value_mac,
                "kind": "stated",
                "lifted": 0,
            },
        )
    with pytest.raises(Refused, match="conflict"):
        colleague.open(5 if fact else 2)
    if fact:
        colleague.open(2)


def test_the_lead_and_other_studies_people_settle_nothing(
    planned: Small, colleague: Colleague, make_study: Callable[..., Small]
) -> None:
    disputed(planned)
    other = make_study(key="other")
    stranger = Colleague(planned.store, planned.study, other.raters[0])
    with pytest.raises(Refused, match="needs_rater"):
        stranger.settle()
    with pytest.raises(Refused, match="needs_rater"):
        Colleague(planned.store, planned.study, 999_999).settle(seen=colleague.seen())


def test_without_a_plan_whoever_has_units_left_opens_nothing(make_study: Callable[..., Small]) -> None:
    small = make_study(raters=("Ann", "Ben", "Cleo"))
    disputed(small)
    cleo = Colleague.of(small)
    with pytest.raises(Refused, match="left_to_rate"):
        cleo.open()
    small.desk(2).open_page()  # recorded: what she rates from now on is not blind
    cleo.open()
    cleo.settle()
    (settlement,) = settled(small)
    assert settlement.judge_seen and not settlement.is_reference, "the page may have shown her the judge"


@pytest.mark.parametrize("seen_by", ["reveal", "page"])
def test_what_was_seen_of_the_judge_is_computed_not_told(
    planned: Small, colleague: Colleague, seen_by: str
) -> None:
    disputed(planned)
    colleague.open()
    if seen_by == "page":
        planned.desk(2).open_page()
    else:
        with planned.store.writing("tests", "shown", planned.study.id) as (_connection, entry):
            entry.write(
                schema.exposure,
                {
                    "rater_id": colleague.rater,
                    "unit_id": planned.desk().unit(2).id,
                    "judge_id": planned.judges[0],
                    "kind": "reveal",
                },
            )
    colleague.settle()
    (settlement,) = settled(planned)
    assert settlement.judge_seen and not settlement.is_reference


def test_another_units_judge_is_not_this_ones(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    disputed(planned, 3)
    colleague.open(3)
    colleague.settle(3)
    colleague.show_judge(3)
    colleague.open()
    colleague.settle()
    assert [(one.position, one.judge_seen) for one in settled(planned)] == [(2, False), (3, False)]


def test_settling_again_after_the_judge_was_shown_is_no_reference_label(
    planned: Small, colleague: Colleague
) -> None:
    disputed(planned)
    colleague.open()
    colleague.settle()
    colleague.show_judge()
    assert [settlement.is_reference for settlement in settled(planned)] == [True]
    colleague.settle(label="YES", reason="the judge has a point")
    assert [
        (settlement.label, settlement.judge_seen, settlement.is_reference) for settlement in settled(planned)
    ] == [("YES", True, False)]


def test_a_disagreement_with_the_judge_is_never_a_reference_label(
    planned: Small, colleague: Colleague
) -> None:
    planned.desk(0).rate(2, "NO")
    colleague.open()
    colleague.settle(trigger="human_judge", cause="judge_error")
    (one,) = settled(planned)
    assert (one.trigger, one.judge_seen, one.is_reference) == ("human_judge", True, False)
    assert queue(planned, judges=True) == [(2, "safe"), (2, "deep")]


def test_both_readings_may_stand_without_a_label(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    colleague.open()
    colleague.settle(label=None, cause="legitimate_difference")
    (one,) = settled(planned)
    assert (one.label, one.is_reference) == (None, False) and queue(planned) == []


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"criterion": "nothing"}, "no_criterion"),
        ({"label": "PERHAPS"}, "label_not_permitted"),
        ({"criterion": "safe", "label": "NA"}, "label_not_permitted"),
        ({"label": None}, "settlement_needs_label"),
        ({"label": "YES", "cause": "legitimate_difference"}, "label_where_both_stand"),
        ({"cause": "because"}, "say_cause"),
        ({"reason": "   "}, "settlement_needs_reason"),
        ({"reason": "x" * 20_001}, "text_too_long"),
        ({"note": "x" * 20_001}, "text_too_long"),
        ({"criterion": "safe"}, "nobody_differs_now"),
        ({"position": 3}, "nobody_differs_now"),
        ({"trigger": "human_judge"}, "colleagues_differ_now"),
        ({"trigger": "escalation"}, "settle_without_judge_first"),
    ],
)
def test_misuse_is_refused_in_a_sentence_and_keeps_nothing(
    planned: Small, colleague: Colleague, more: dict[str, object], sentence: str
) -> None:
    disputed(planned)
    planned.desk(0).rate(3)
    planned.desk(1).rate(3)
    colleague.open()
    colleague.open(3)
    with pytest.raises(Refused, match=sentence):
        colleague.settle(**more)  # type: ignore[arg-type]
    assert settled(planned) == []


def test_a_unit_of_another_study_is_refused(
    planned: Small, colleague: Colleague, make_study: Callable[..., Small]
) -> None:
    other = make_study(key="other")
    with pytest.raises(Refused, match="other_study"):
        with planned.store.writing("tests", "open", planned.study.id) as (connection, entry):
            unit_openings.open_unit(connection, entry, planned.study, other.desk().unit(2), colleague.rater)


def test_a_repeat_is_not_opened_by_itself(planned: Small, colleague: Colleague) -> None:
    again = settling.repeat(planned, 2)
    with pytest.raises(Refused, match="other_study"):
        colleague.open(again.position)


def test_somebody_else_who_settled_in_between_is_named(planned: Small, colleague: Colleague) -> None:
    disputed(planned)
    dora = Colleague.of(planned, 3)
    colleague.open()
    dora.open()
    seen = colleague.seen()
    dora.settle(label="YES")
    with pytest.raises(Refused, match="settled_by_another_meanwhile"):
        colleague.settle(seen=seen)
    assert [(one.by, one.label) for one in settled(planned)] == [("Dora", "YES")]


@pytest.mark.parametrize("change", ["another rater", "a changed label", "cannot rate"])
def test_labels_that_came_while_somebody_read_are_looked_at_first(planned: Small, change: str) -> None:
    colleague = Colleague.of(planned, 3)
    disputed(planned)
    colleague.open()
    seen = colleague.seen()
    if change == "another rater":
        planned.desk(2).rate(2)
    elif change == "a changed label":
        planned.desk(1).change(2, "warm", "NA")
    else:
        planned.desk(2).draft_all(2)
        planned.desk(2).draft(2, "warm", None, cannot_rate="unreadable")
        planned.desk(2).commit(2)
    with pytest.raises(Refused, match="labels_changed_meanwhile"):
        colleague.settle(seen=seen)
    assert colleague.settle() is not None


def test_new_blind_labels_take_a_settled_label_out_of_the_references(planned: Small) -> None:
    colleague = Colleague.of(planned, 3)
    disputed(planned)
    colleague.open()
    colleague.settle()
    planned.desk(0).reveal(2)
    planned.desk(0).change(2, "warm", "NO", reason="the judge is right")
    assert [(settlement.reopened, settlement.is_reference) for settlement in settled(planned)] == [
        (False, True)
    ], "what is not blind opens nothing"
    planned.desk(2).rate(2)
    assert [(settlement.reopened, settlement.is_reference) for settlement in settled(planned)] == [
        (True, False)
    ]
    assert queue(planned) == [(2, "warm")]
    colleague.settle(reason="still so, of three labels")
    assert [(settlement.reopened, settlement.is_reference) for settlement in settled(planned)] == [
        (False, True)
    ]
    assert queue(planned) == []


def test_the_judge_is_shown_only_when_all_that_people_differ_about_in_the_unit_is_settled(
    planned: Small, colleague: Colleague
) -> None:
    for number, label in ((0, "YES"), (1, "NO")):
        planned.desk(number).rate(2, label)
    colleague.open()
    for criterion in ("warm", "safe"):
        colleague.settle(criterion=criterion)
        with pytest.raises(Refused, match="judge_waits_for_settling"):
            colleague.show_judge()
    colleague.settle(criterion="deep")
    colleague.show_judge()
    shown = [(row.unit_id, row.judge_id, row.kind) for row in rows(planned, schema.exposure)]
    assert shown == [(planned.desk().unit(2).id, judge, "reveal") for judge in planned.judges]
    assert [settlement.judge_seen for settlement in settled(planned)] == [False, False, False]
    assert planned.desk(2).seat().reveals == 1 and problems(planned.store) == []


def test_the_judge_is_shown_to_nobody_who_settled_nothing(planned: Small, colleague: Colleague) -> None:
    colleague.open()
    with pytest.raises(Refused, match="judge_waits_for_settling"):
        colleague.show_judge()
    disputed(planned)
    with pytest.raises(Refused, match="rated_it"):
        Colleague.of(planned, 0).show_judge(trigger="human_judge")


def test_a_study_that_never_shows_the_judge_does_not_show_it_here(make_study: Callable[..., Small]) -> None:
    small = make_study(raters=("Ann", "Ben", "Cleo"), reveal="never")
    settling.plan(small.store, small.study)
    disputed(small)
    cleo = Colleague.of(small)
    cleo.open()
    cleo.settle()
    for trigger in TO_SETTLE:
        with pytest.raises(NotPermitted, match="judge_stays_hidden_from_settlers"):
            cleo.show_judge(trigger=trigger)
    assert rows(small, schema.exposure) == []


def test_letters_hide_who_said_what_and_change_from_unit_to_unit(make_study: Callable[..., Small]) -> None:
    names = tuple(f"Rater {number}" for number in range(5))
    small = make_study(raters=names, conversation_count=12)
    for position in range(1, 13):
        for number in range(5):
            small.desk(number).rate(position, "YES" if number else "NO")
    first = []
    with small.store.reading() as connection:
        for position in range(1, 13):
            labels = anonymous_labels(connection, small.study, small.desk().unit(position))
            mine = {voice.letter for voice in labels if voice.label == "NO"}
            assert len(mine) == 1 and {voice.letter for voice in labels} == set("ABCDE")
            first.append(mine.pop())
        again = anonymous_labels(connection, small.study, small.desk().unit(1))
    assert len(set(first)) >= 3, "whoever says NO is not recognised by a letter"
    assert [voice.letter for voice in again] == sorted(voice.letter for voice in again)


def test_the_card_has_what_was_said_blind_and_nothing_of_later(planned: Small) -> None:
    disputed(planned)
    ann = planned.desk(0)
    ann.draft_all(3)
    ann.draft(3, "warm", "YES", note="a warm word", confidence=2, also=["NA"])
    ann.commit(3)
    ann.change(3, "warm", "NO", reason="misread it")
    ann.reveal(3)
    ann.change(3, "warm", "YES", reason="the judge is right")
    with planned.store.reading() as connection:
        (label,) = [
            voice
            for voice in anonymous_labels(connection, planned.study, ann.unit(3))
            if voice.criterion == "warm"
        ]
    assert (label.label, label.reason) == ("NO", "misread it")


def test_every_cause_has_words() -> None:
    assert set(CAUSES) == {
        "confirmed",
        "judge_error",
        "rater_slip",
        "rubric_ambiguous",
        "context_missing",
        "legitimate_difference",
    }


def test_cannot_rate_is_on_the_card_and_decides_nothing(planned: Small, colleague: Colleague) -> None:
    dora = planned.desk(3)
    disputed(planned)
    dora.draft_all(2)
    dora.draft(2, "warm", None, cannot_rate="unreadable", note="the second reply is cut off")
    dora.commit(2)
    with planned.store.reading() as connection:
        answers = [
            (voice.label, voice.cannot_rate, voice.note)
            for voice in anonymous_labels(connection, planned.study, dora.unit(2))
            if voice.criterion == "warm"
        ]
    assert sorted(answers, key=str) == sorted(
        [("YES", None, None), ("NO", None, None), (None, "unreadable", "the second reply is cut off")],
        key=str,
    )
    assert queue(planned) == [(2, "warm")]
