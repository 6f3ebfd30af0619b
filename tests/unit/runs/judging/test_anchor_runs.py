"""A run that asks only about the anchors, round by round, and the gate before another judge is used."""

from __future__ import annotations

import pytest

from data import adoptions, ledger_reports
from data.adoptions import Compared
from data.erase import erase_conversation
from data.judge_runs import Options
from runs.judging import dry_run
from scoring.judges.catalogue import JudgeUnusable
from tests.anchored import freeze, rate_alike
from tests.judging import CALLS, Lead, after
from tests.model_server import too_many, well

ALL = 6  # labels of conversations 2 and 3, "deep" among them


@pytest.fixture
def anchored(lead: Lead) -> Lead:
    rate_alike(lead.small, failing=(2,))
    found = freeze(lead.store, lead.small.study, (2, 3))
    assert len(found.labels) == ALL
    return lead


def ask(lead: Lead, **changed: object) -> Options:
    return lead.setting(**changed).on_the_anchors(Options())


def test_the_first_round_asks_each_label_three_times_and_nothing_else(anchored: Lead) -> None:
    options = ask(anchored)
    assert dry_run(anchored.setting(), options).calls == 3 * ALL
    finished = anchored.judge(options=options)
    assert (finished.outcome, finished.done, len(anchored.server.requests)) == ("finished", 3 * ALL, 3 * ALL)
    assert {position for position, _, _ in anchored.verdicts()} == {2, 3}
    assert {replicate for _, _, replicate in anchored.verdicts()} == {0, 1, 2}


def test_the_next_round_asks_anew_and_keeps_what_was_answered(anchored: Lead) -> None:
    anchored.judge(options=ask(anchored))
    second = ask(anchored)
    assert second.anchor_round == 1
    anchored.judge(lambda seen: well(seen, "NO"), second)
    labels = {replicate: {label for (_, _, one), (_, label) in anchored.verdicts().items() if one == replicate} for replicate in range(6)}
    assert [labels[replicate] for replicate in range(6)] == [{"YES"}] * 3 + [{"NO"}] * 3
    assert ask(anchored).anchor_round == 2


def test_a_round_that_stopped_is_gone_on_with(anchored: Lead) -> None:
    assert anchored.judge(after(7, lambda _: too_many(day=True)), ask(anchored), in_flight=1).outcome == "quota"
    again = ask(anchored)
    assert again.anchor_round == 0 and anchored.judge(well, again).done == 3 * ALL - 7
    assert ask(anchored).anchor_round == 1


def test_what_the_study_has_answered_already_is_the_first_answer(anchored: Lead) -> None:
    anchored.judge()
    assert len(anchored.server.requests) == CALLS
    anchored.judge(options=ask(anchored))
    assert len(anchored.server.requests) == CALLS + 2 * ALL


def test_only_what_is_settled_is_asked_again(lead: Lead) -> None:
    for number, label in enumerate(("YES", "NO")):
        lead.small.desk(number).draft_all(2)
        lead.small.desk(number).draft(2, "warm", label)
        lead.small.desk(number).commit(2)
    freeze(lead.store, lead.small.study)
    lead.judge(options=ask(lead))
    assert sorted(lead.verdicts()) == [(2, "deep", 0), (2, "deep", 1), (2, "deep", 2), (2, "safe", 0), (2, "safe", 1), (2, "safe", 2), (2, "warm", 0)]


def test_erased_words_are_not_sent_and_do_not_keep_a_round_open(anchored: Lead) -> None:
    with anchored.store.writing("tests", "erase", anchored.small.study.id) as (connection, entry):
        erase_conversation(connection, entry, anchored.small.study, "c2", "asked for")
    finished = anchored.judge(options=ask(anchored))
    assert finished.outcome == "finished" and {position for position, _, _ in anchored.verdicts()} == {3}
    assert ask(anchored).anchor_round == 1


def test_answers_to_anchors_are_in_no_flip_rate(anchored: Lead) -> None:
    anchored.judge(options=ask(anchored))
    with anchored.store.reading() as connection:
        assert list(ledger_reports.asked_again(connection, 1, "random")) == []


@pytest.mark.parametrize("options", [Options(batch=True, anchor_round=0), Options(replicates=3, anchor_round=0), Options(limit=2, anchor_round=0)])
def test_anchors_are_asked_whole(anchored: Lead, options: Options) -> None:
    with pytest.raises(JudgeUnusable, match="asked whole"):
        anchored.judge(options=options)


def test_without_anchors_there_is_nothing_to_ask(lead: Lead) -> None:
    with pytest.raises(JudgeUnusable, match="no anchors yet"):
        ask(lead)
    with pytest.raises(JudgeUnusable, match="no anchors yet"):
        lead.judge(options=Options(anchor_round=0))


def test_once_a_judge_is_in_use_another_is_compared_before_it_is_run(anchored: Lead) -> None:
    anchored.judge(options=ask(anchored))
    with anchored.store.writing("tests", "decide", anchored.small.study.id) as (connection, entry):
        adoptions.adopt(connection, entry, anchored.small.study, 1, Compared(), "Dr Lee", "", None)
    anchored.judge()
    with pytest.raises(JudgeUnusable, match="is not the judge that Small study uses"):
        anchored.judge(temperature=0.5)
    options = ask(anchored, temperature=0.5)
    assert options.anchor_round == 0 and anchored.judge(options=options, temperature=0.5).good
    with anchored.store.writing("tests", "decide", anchored.small.study.id) as (connection, entry):
        adoptions.adopt(connection, entry, anchored.small.study, 2, Compared(), "Dr Lee", "", 1)
    assert anchored.judge(temperature=0.5).good
    with pytest.raises(JudgeUnusable, match="is not the judge"):
        anchored.judge(options=Options(retry_failures=True))
