"""A judge is asked what a form asks after its own answers, round after round, and nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from data.record.judge_runs import JudgeRunOptions
from data.record.judgements import JudgeIdentity
from runs.judging import dry_run
from tests.servers.judging import Lead, about, only
from tests.servers.model_server import Reply, Seen, gemini, well
from tests.studies import importing, small_study
from tests.studies.small_study import INSTRUMENT

pytestmark = pytest.mark.slow

FORM = (
    INSTRUMENT.replace("key: small", "key: form")
    .replace("not_applicable: invalid}", 'asked_when: {warm: ["NO"]}}')
    .replace("minimum_turns: 2}", 'asked_when: {safe: ["NO", "NA"]}}')
)
CUT = gemini("{", "MAX_TOKENS")


@pytest.fixture
def form(lead: Lead, tmp_path: Path) -> Lead:
    small_study.make(
        lead.store, tmp_path, key="form", instrument=FORM, with_judges=False, data_class="synthetic"
    )
    return lead


def test_each_conversation_goes_its_own_way(form: Lead) -> None:
    finished = form.judge(
        lambda seen: well(seen, "NO" if about(seen) in {(2, "warm"), (3, "warm"), (3, "safe")} else "YES"),
        study="form",
    )
    assert finished.said == "7 of 7 calls, no failures."
    assert {place[:2]: label for place, (_, label) in form.verdicts().items()} == {
        (1, "warm"): "YES",
        (2, "warm"): "NO",
        (2, "safe"): "YES",
        (3, "warm"): "NO",
        (3, "safe"): "NO",
        (3, "deep"): "YES",
        (4, "warm"): "YES",
    }
    assert len(form.server.requests) == 7
    again = form.judge(study="form")
    assert again.said.startswith("Everything that this judge may be asked has an answer")


def test_behind_a_failure_nothing_is_asked_until_it_is_asked_again(form: Lead) -> None:
    def cut(_: Seen) -> Reply:
        return CUT

    finished = form.judge(only(2, "warm", cut, lambda seen: well(seen, "NO")), study="form")
    assert finished.outcome == "finished" and finished.failed == 1
    asked = {place[:2] for place in form.verdicts()}
    assert (2, "warm") in asked and (2, "safe") not in asked and (1, "deep") in asked
    form.judge(lambda seen: well(seen, "NO"), JudgeRunOptions(retry_failures=True), study="form")
    assert {(2, "warm"), (2, "safe"), (2, "deep")} <= {
        place[:2] for place, (status, _) in form.verdicts().items() if status == "ok"
    }


def test_an_estimate_says_that_it_is_the_most(form: Lead) -> None:
    estimate = dry_run(form.setting("form"), JudgeRunOptions())
    assert estimate.calls == 12
    assert estimate.sentence().startswith("At most, because the answers decide which")
    assert not dry_run(form.setting(), JudgeRunOptions()).sentence().startswith("At most")


def test_what_a_question_got_when_it_was_asked_again_opens_and_closes_nothing(form: Lead) -> None:
    asked: Counter[tuple[int, str]] = Counter()

    def turncoat(seen: Seen) -> Reply:
        """YES when a question is asked first, NO when it is asked again."""
        asked[about(seen)] += 1
        return well(seen, "YES" if asked[about(seen)] == 1 else "NO")

    options = JudgeRunOptions(replicates=2, share=1.0)
    form.judge(turncoat, options, study="form")
    first = {place[:2] for place in form.verdicts() if place[2] == 0}
    assert first == {(number, "warm") for number in range(1, 5)}
    assert {label for place, (_, label) in form.verdicts().items() if place[2] == 1} == {"NO"}
    requests = len(form.server.requests)
    again = form.judge(study="form")
    assert again.said.startswith("Everything that this judge may be asked has an answer")
    assert len(form.server.requests) == requests


def test_labels_of_a_file_come_in_beside_questions_that_a_run_asked_again(form: Lead, tmp_path: Path) -> None:
    """What is asked again follows no path of its own: the second answer to one may say that another is not asked."""
    asked: Counter[tuple[int, str]] = Counter()

    def turncoat(seen: Seen) -> Reply:
        asked[about(seen)] += 1
        return well(seen, "NO" if asked[about(seen)] == 1 else "YES")

    form.judge(turncoat, JudgeRunOptions(replicates=2, share=1.0), study="form")
    assert (2, "safe", 1) in form.verdicts() and form.verdicts()[2, "warm", 1] == ("ok", "YES")
    file = tmp_path / "labels.jsonl"
    file.write_text('{"conversation_id": "c1", "criterion": "warm", "label": "YES"}\n', encoding="utf-8")
    report = importing.import_judgements(form.store, "form", file, "lead", JudgeIdentity("Other"))
    assert report.added["judgements"] == 1


def test_a_failure_that_is_asked_again_is_asked_once_in_a_run(form: Lead) -> None:
    """Else a run would never end where a question always fails."""
    asked: list[int] = []

    def cut(seen: Seen) -> Reply:
        asked.append(seen.number)
        return CUT if len(asked) < 40 else well(seen)

    behave = only(2, "warm", cut, lambda seen: well(seen, "NO"))
    form.judge(behave, study="form")
    tries = len(asked)
    again = form.judge(behave, JudgeRunOptions(retry_failures=True), study="form")
    assert (again.outcome, again.failed, len(asked)) == ("finished", 1, 2 * tries)


def test_an_estimate_of_a_batch_counts_its_price_for_the_first_round_alone(form: Lead) -> None:
    """Which questions come next is known only when the answers are there, so those are asked one by one."""
    price = {"date": "2026-11-01", "currency": "USD", "input": "1", "output": "10", "batch": "0.5"}
    setting = form.setting("form", price=price)
    live, batched = (dry_run(setting, JudgeRunOptions(batch=batch)) for batch in (False, True))
    assert live.calls == batched.calls == 12 and live.cost_nano is not None and batched.cost_nano is not None
    saved = 1 - batched.cost_nano / live.cost_nano
    assert 0.1 < saved < 0.25, "half the price of a third of the calls"
    assert "Only the first questions go as a batch" in batched.sentence()
    assert "batch" not in live.sentence()
    whole = form.setting(price=price)
    live, batched = (dry_run(whole, JudgeRunOptions(batch=batch)) for batch in (False, True))
    assert live.cost_nano and batched.cost_nano == live.cost_nano // 2
