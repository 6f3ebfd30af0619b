"""A run that asks only about the anchors, round by round, and the gate before another judge is used."""

from __future__ import annotations

from typing import Any

import pytest

from data.keeping.erase import erase_conversation
from data.labels import agreement_labels
from data.record import adoptions, anchors, ledger_reports
from data.record.adoptions import AdoptionEvidence
from data.record.judge_runs import JudgeRunOptions
from data.work import exposures
from runs.judging import dry_run
from scoring.drift.anchor_answers import ANSWERS
from scoring.judges.catalogue import JudgeUnusable
from tests.servers.judging import CALLS, Lead, after, only
from tests.servers.model_server import gemini, too_many, well
from tests.studies.anchored import freeze, rate_alike

ALL = 6  # labels of conversations 2 and 3, "deep" among them


@pytest.fixture
def anchored(lead: Lead) -> Lead:
    rate_alike(lead.small, failing=(2,))
    found = freeze(lead.store, lead.small.study, (2, 3))
    assert len(found.labels) == ALL
    return lead


def ask(lead: Lead, **changed: Any) -> JudgeRunOptions:
    return lead.setting(**changed).on_the_anchors(JudgeRunOptions())


def test_the_first_round_asks_each_label_three_times_and_nothing_else(anchored: Lead) -> None:
    options = ask(anchored)
    assert dry_run(anchored.setting(), options).calls == 3 * ALL
    finished = anchored.judge(options=options)
    assert (finished.outcome, finished.done, len(anchored.server.requests)) == ("finished", 3 * ALL, 3 * ALL)
    answers = anchored.verdicts(anchor_round=1)
    assert {position for position, _, _ in answers} == {2, 3}
    assert {replicate for _, _, replicate in answers} == {*range(ANSWERS)}
    assert anchored.verdicts() == {}


def test_the_next_round_asks_anew_and_keeps_what_was_answered(anchored: Lead) -> None:
    anchored.judge(options=ask(anchored))
    second = ask(anchored)
    assert second.anchor_round == 2
    anchored.judge(lambda seen: well(seen, "NO"), second)
    labels = {
        (number, replicate): {
            label for (_, _, asked), (_, label) in anchored.verdicts(number).items() if asked == replicate
        }
        for number in (1, 2)
        for replicate in range(ANSWERS)
    }
    assert [*labels.values()] == [{"YES"}] * 3 + [{"NO"}] * 3
    assert ask(anchored).anchor_round == 3


def test_a_new_set_begins_a_new_round(anchored: Lead) -> None:
    anchored.judge(options=ask(anchored))
    freeze(anchored.store, anchored.small.study)
    again = ask(anchored)
    assert again.anchor_round == 2
    assert anchored.judge(after(9, lambda _: too_many(day=True)), again, in_flight=1).outcome == "quota"
    assert ask(anchored).anchor_round == 2  # begun on this set, so it is gone on with


def test_a_round_that_stopped_is_gone_on_with(anchored: Lead) -> None:
    assert (
        anchored.judge(after(7, lambda _: too_many(day=True)), ask(anchored), in_flight=1).outcome == "quota"
    )
    again = ask(anchored)
    assert again.anchor_round == 1 and anchored.judge(well, again).done == 3 * ALL - 7
    assert ask(anchored).anchor_round == 2


def test_the_labels_of_the_study_stand_before_the_rounds_and_the_rounds_are_no_labels_of_the_study(
    anchored: Lead,
) -> None:
    anchored.judge()
    assert len(anchored.server.requests) == CALLS
    anchored.judge(options=ask(anchored))
    assert len(anchored.server.requests) == CALLS + 3 * ALL
    with anchored.store.reading() as connection:
        anchor_set = anchors.newest(connection, anchored.small.study.id)
        assert anchor_set is not None
        assert {answer.round for answer in anchors.answers(connection, anchor_set, 1)} == {0, 1}
        assert len(agreement_labels.judge_labels(connection, anchored.small.study.id, 1)) == CALLS


def test_only_what_is_settled_is_asked_again(lead: Lead) -> None:
    for number, label in enumerate(("YES", "NO")):
        lead.small.desk(number).draft_all(2)
        lead.small.desk(number).draft(2, "warm", label)
        lead.small.desk(number).commit(2)
    freeze(lead.store, lead.small.study)
    lead.judge(options=ask(lead))
    assert {place[:2] for place in lead.verdicts(1)} == {(2, "deep"), (2, "safe")} and len(
        lead.verdicts(1)
    ) == 6


def test_erased_words_are_not_sent_and_do_not_keep_a_round_open(anchored: Lead) -> None:
    with anchored.store.writing("tests", "erase", anchored.small.study.id) as (connection, entry):
        erase_conversation(connection, entry, anchored.small.study, "c2", "asked for")
    finished = anchored.judge(options=ask(anchored))
    assert finished.outcome == "finished" and {
        position for position, _, _ in anchored.verdicts(anchor_round=1)
    } == {3}
    assert ask(anchored).anchor_round == 2


def test_answers_to_anchors_are_in_no_flip_rate(anchored: Lead) -> None:
    anchored.judge(options=JudgeRunOptions(replicates=2, share=1.0))
    anchored.judge(lambda seen: well(seen, "NO"), ask(anchored))
    with anchored.store.reading() as connection:
        drawn = ledger_reports.asked_again(connection, 1, "random")
        assert len(drawn) == CALLS and {(one.first, one.later) for one in drawn} == {("YES", ("YES",))}
        assert exposures.judges_of(connection, anchored.small.desk().unit(2).id) == [1]


def test_who_only_answered_anchors_is_shown_to_nobody(anchored: Lead) -> None:
    anchored.judge(options=ask(anchored))
    with anchored.store.reading() as connection:
        assert agreement_labels.judge_labels(connection, anchored.small.study.id, 1) == []
        assert exposures.judges_of(connection, anchored.small.desk().unit(2).id) == []


def test_failures_of_a_finished_round_are_asked_again_when_asked_for(anchored: Lead) -> None:
    anchored.judge(only(2, "safe", lambda _: gemini(None, "SAFETY")), ask(anchored))
    again = anchored.setting().on_the_anchors(JudgeRunOptions(retry_failures=True))
    assert (ask(anchored).anchor_round, again.anchor_round) == (2, 1)
    assert anchored.judge(well, again).done == 3
    assert {status for status, _ in anchored.verdicts(anchor_round=1).values()} == {"ok"}


@pytest.mark.parametrize(
    "options",
    [
        JudgeRunOptions(batch=True, anchor_round=1),
        JudgeRunOptions(replicates=3, anchor_round=1),
        JudgeRunOptions(limit=2, anchor_round=1),
    ],
)
def test_anchors_are_asked_whole(anchored: Lead, options: JudgeRunOptions) -> None:
    with pytest.raises(JudgeUnusable, match="asked about as a whole"):
        anchored.judge(options=options)


def test_without_anchors_there_is_nothing_to_ask(lead: Lead) -> None:
    with pytest.raises(JudgeUnusable, match="no locked set of conversations yet"):
        ask(lead)
    with pytest.raises(JudgeUnusable, match="no locked set of conversations yet"):
        lead.judge(options=JudgeRunOptions(anchor_round=1))


def test_once_a_judge_is_in_use_another_is_compared_before_it_is_run(anchored: Lead) -> None:
    anchored.judge(options=ask(anchored))
    with anchored.store.writing("tests", "decide", anchored.small.study.id) as (connection, entry):
        adoptions.adopt(connection, entry, anchored.small.study, 1, AdoptionEvidence(), "Dr Lee", "", None)
    anchored.judge()
    with pytest.raises(JudgeUnusable, match="is not the judge that Small study uses"):
        anchored.judge(temperature=0.5)
    options = ask(anchored, temperature=0.5)
    assert options.anchor_round == 1 and anchored.judge(options=options, temperature=0.5).good
    with anchored.store.writing("tests", "decide", anchored.small.study.id) as (connection, entry):
        adoptions.adopt(connection, entry, anchored.small.study, 2, AdoptionEvidence(), "Dr Lee", "", 1)
    assert anchored.judge(temperature=0.5).good
    with pytest.raises(JudgeUnusable, match="is not the judge"):
        anchored.judge(options=JudgeRunOptions(retry_failures=True))


def test_anchors_without_words_are_not_asked_about(anchored: Lead) -> None:
    with anchored.store.writing("lead", "erase", anchored.small.study.id) as (connection, entry):
        for key in ("c2", "c3"):
            erase_conversation(connection, entry, anchored.small.study, key, "asked for")
    with pytest.raises(JudgeUnusable, match="The text of every conversation in the locked set was erased"):
        ask(anchored)
