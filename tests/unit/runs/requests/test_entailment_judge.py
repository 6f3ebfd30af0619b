"""Verdicts on pairs of texts by a judge, over the real SDK against a server on loopback: asked once, kept, and
read from the ledger by the metrics.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from click.testing import CliRunner

from cli import main
from configs.settings import ROOT
from data import schema
from data.importers import study_folder
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import metrics, studies
from data.record.metrics import MetricValue
from data.record.studies import Study
from data.store.store import Store, open_store
from runs.asking import engine
from runs.plan_proposals import propose_plans
from runs.requests.request_run import RequestOutcome, estimate
from runs.sample_studies import SAMPLES
from runs.scoring import entailment_verdicts, score_study
from runs.scoring.entailment_verdicts import PendingVerdicts, ask_for_verdicts
from scoring.clinical_actions import lexicon
from scoring.judges.catalogue import JudgeUnusable
from scoring.models import installed_models
from scoring.models.model_settings import ModelMissing
from scoring.plan_components import Component, Components
from tests.servers.judges import SECRET, VARIABLE, gemini_fields
from tests.servers.model_server import ModelServer, Reply, Seen, gemini, serving, too_many

pytestmark = pytest.mark.slow
STUDY = "coaching_demo"
ENTAILED = ("knowledge_conflict", "step_validity")


def verdict_of(premise: str, hypothesis: str) -> str:
    """A truth that needs no model: decided by the length of both texts."""
    return ("entailment", "neutral", "contradiction")[(len(premise) + len(hypothesis)) % 3]


def pair_in(seen: Seen) -> tuple[str, str]:
    parts = re.search(
        r"with a bar\.\n\n(.*)\n\n# The second text\n\n(.*)\n\n# The question", seen.prompt, re.S
    )
    assert parts
    premise, hypothesis = ("\n".join(line[2:] for line in part.split("\n")) for part in parts.groups())
    return premise, hypothesis


def truthful(seen: Seen) -> Reply:
    return gemini(json.dumps({"reasoning": "Both speak of it.", "label": verdict_of(*pair_in(seen))}))


class Truth:
    """The same verdicts without a judge."""

    label = "truth"

    def verdicts(self, pairs: list[tuple[str, str]]) -> list[Any]:
        return [verdict_of(*pair) for pair in pairs]


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(truthful) as started:
        yield started


@pytest.fixture
def demo(
    store_path: Path,
    tmp_path: Path,
    server: ModelServer,
    weights: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Store:
    monkeypatch.setenv(VARIABLE, SECRET)
    monkeypatch.setattr(engine, "SPELL", (0.005, 0.01))
    write_judge(tmp_path, server)
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    installed_models.write_entailment(weights, judge="cloud")
    store = open_store(f"sqlite:///{store_path}")
    study_folder.add_study(store, SAMPLES / STUDY, ROOT / "instruments", ROOT / "taxonomies", "tests")
    return store


def write_judge(folder: Path, server: ModelServer, **changed: Any) -> None:
    fields = gemini_fields(server, max_output_tokens=256, **changed)
    (folder / "models.yaml").write_text(yaml.safe_dump({"judges": {"cloud": fields}}), encoding="utf-8")


def study_of(store: Store) -> Study:
    with store.reading() as connection:
        return studies.get_by_key(connection, STUDY)


def pending(store: Store, retry_failures: bool = False) -> PendingVerdicts:
    return PendingVerdicts(store, study_of(store), retry_failures)


def ask(store: Store, budget_nano: int | None = None, retry_failures: bool = False) -> list[str]:
    return [
        outcome.outcome for outcome in ask_for_verdicts(pending(store, retry_failures), "lead", budget_nano)
    ]


def values(store: Store) -> list[MetricValue]:
    with store.reading() as connection:
        present = metrics.present(connection, study_of(store).id)
    return [value for value in present if value.metric in ENTAILED]


def attempts(store: Store) -> list[Any]:
    with store.reading() as connection:
        return list(connection.execute(sa.select(schema.attempt).order_by(schema.attempt.c.id)))


def comparable(values: list[MetricValue]) -> list[tuple[Any, ...]]:
    return sorted(
        (
            value.metric,
            value.subject.key,
            value.value,
            value.undefined or "",
            json.dumps({name: part for name, part in value.detail.items() if name != "model"}),
        )
        for value in values
    )


def test_what_the_judge_says_is_what_the_metrics_are_made_of(
    demo: Store, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    scored = score_study(demo, STUDY, "lead")
    assert server.requests == [], "scoring alone asks nobody"
    assert all(value.value is None and value.subject.conversation_id for value in values(demo))
    assert any("second-reader entail coaching_demo" in sentence for sentence in scored.optional)

    assert ask(demo) == ["finished"]
    score_study(demo, STUDY, "lead")
    by_judge = values(demo)
    rows = attempts(demo)
    assert len(rows) == len(server.requests) == len({row.key for row in rows}) > 20
    assert all(row.status == "ok" and row.answer for row in rows)
    assert all("cloud" in value.version for value in by_judge if value.subject.conversation_id)

    monkeypatch.setattr("runs.scoring.run.open_entailment", lambda store, study: lambda conversation: Truth())
    score_study(demo, STUDY, "lead")
    assert comparable(values(demo)) == comparable(by_judge)
    with demo.reading() as connection:
        assert verify(connection).problems == []


def test_nothing_is_asked_twice_and_scoring_again_changes_nothing(demo: Store, server: ModelServer) -> None:
    ask(demo)
    score_study(demo, STUDY, "lead")
    requests = len(server.requests)
    assert ask(demo) == [] and pending(demo).calls() == []
    assert score_study(demo, STUDY, "lead").computed == 0
    assert len(server.requests) == requests


def test_what_it_would_take_is_told_before(demo: Store, tmp_path: Path, server: ModelServer) -> None:
    calls = pending(demo).calls()
    assert "no price is known" in estimate(pending(demo).setup, calls)
    price = {"date": "2026-11-01", "currency": "USD", "input": "1", "output": "10"}
    write_judge(tmp_path, server, price=price)
    assert re.fullmatch(
        rf"{len(calls)} calls, about [\d,]+ tokens sent and [\d,]+ written: about [\d.]+ USD by the price list "
        r"of 2026-11-01\.",
        estimate(pending(demo).setup, calls),
    )
    assert server.requests == []


def test_a_budget_is_kept_and_the_next_run_goes_on(demo: Store, tmp_path: Path, server: ModelServer) -> None:
    price = {"date": "2026-11-01", "currency": "USD", "input": "1", "output": "10"}
    write_judge(tmp_path, server, price=price, in_flight=1)
    total = len(pending(demo).calls())
    assert ask(demo, budget_nano=20_000_000) == ["budget"]
    done = len(attempts(demo))
    assert 0 < done < total
    assert sum(row.cost_nano for row in attempts(demo)) <= 20_000_000
    assert ask(demo) == ["finished"]
    assert len(attempts(demo)) == total


def test_a_failure_is_no_verdict_and_may_be_asked_again(demo: Store, server: ModelServer) -> None:
    blocked: list[str] = []

    def block_some(seen: Seen) -> Reply:
        if seen.number > 5 and len(blocked) < 3:
            blocked.append(seen.prompt)
            return gemini(None, finish="SAFETY")
        return truthful(seen)

    server.behave = block_some
    assert ask(demo) == ["finished"]
    failures = [row for row in attempts(demo) if row.status != "ok"]
    assert {row.status for row in failures} == {"blocked_output"} and all(
        row.answer is None for row in failures
    )
    score_study(demo, STUDY, "lead")
    failed = sum(value.detail["failed"] for value in values(demo) if value.subject.conversation_id)
    assert failed == len({row.key for row in failures}) == 3
    assert ask(demo) == [], "a failure is not asked again by itself"

    server.behave = truthful
    assert ask(demo, retry_failures=True) == ["finished"]
    score_study(demo, STUDY, "lead")
    assert sum(value.detail["failed"] for value in values(demo) if value.subject.conversation_id) == 0


def test_a_reply_that_cannot_be_read_is_asked_once_more_and_then_a_failure(
    demo: Store, server: ModelServer
) -> None:
    unreadable: set[str] = set()

    def some_unreadable(seen: Seen) -> Reply:
        if seen.number > 5 and len(unreadable) < 3:
            unreadable.add(seen.prompt)
        return gemini("maybe") if seen.prompt in unreadable else truthful(seen)

    server.behave = some_unreadable
    assert ask(demo) == ["finished"]
    tries = Counter((row.key, row.status, row.repair) for row in attempts(demo) if row.status != "ok")
    failed = {key for key, _, _ in tries}
    assert tries == {(key, "invalid", repair): 1 for key in failed for repair in (0, 1)}
    assert len(failed) == 3
    score_study(demo, STUDY, "lead")
    assert sum(value.detail["failed"] for value in values(demo) if value.subject.conversation_id) > 0


def test_a_model_that_nobody_can_read_is_asked_at_most_twice_each_and_the_rest_stays_pending(
    demo: Store, server: ModelServer
) -> None:
    server.behave = lambda seen: gemini("I cannot say.")
    total = len(pending(demo).calls())
    assert ask(demo) == ["unreadable"] and len(server.requests) <= 40
    assert 0 < len(pending(demo).calls()) < total
    while ask(demo) == ["unreadable"]:
        pass
    assert set(Counter(row.key for row in attempts(demo)).values()) == {2}


def test_verdicts_of_the_strict_reader_stay_verdicts(
    demo: Store, tmp_path: Path, server: ModelServer
) -> None:
    write_judge(tmp_path, server, reader="strict-1")
    assert ask(demo) == ["finished"]
    write_judge(tmp_path, server)
    assert pending(demo).calls() == []
    write_judge(tmp_path, server, reader="one-object-1")
    assert pending(demo).calls() != []


def test_a_quota_that_is_used_up_leaves_the_rest_pending(demo: Store, server: ModelServer) -> None:
    server.behave = lambda seen: truthful(seen) if seen.number <= 4 else too_many(day=True)
    assert ask(demo) == ["quota"]
    server.behave = truthful
    assert ask(demo) == ["finished"]
    assert pending(demo).calls() == []


def test_another_model_under_the_name_is_not_believed(demo: Store, server: ModelServer) -> None:
    server.behave = lambda seen: gemini(truthful_text(seen), model="gemini-2-flash")
    assert ask(demo) == ["drift"]
    assert all(row.answer is None for row in attempts(demo))


def truthful_text(seen: Seen) -> str:
    return json.dumps({"reasoning": "Both speak of it.", "label": verdict_of(*pair_in(seen))})


def test_words_go_only_where_the_judge_is_marked_for_them(
    demo: Store, tmp_path: Path, server: ModelServer
) -> None:
    write_judge(tmp_path, server, data_classes=["deidentified"])
    with pytest.raises(JudgeUnusable, match="holds synthetic data, and cloud is not marked for it"):
        ask(demo)
    assert server.requests == [] and attempts(demo) == []


def test_another_prompt_is_another_model(
    demo: Store, tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(demo)
    asked = len(server.requests)
    prompts = tmp_path / "prompts"
    prompts.mkdir()
    text = (ROOT / "prompts" / "entailment_judge.yaml").read_text(encoding="utf-8")
    (prompts / "entailment_judge.yaml").write_text(
        text.replace("plain words", "simple words"), encoding="utf-8"
    )
    monkeypatch.setenv("SECOND_READER_PROMPTS", str(prompts))
    assert len(pending(demo).calls()) == asked
    ask(demo)
    assert len({row.asked_model_id for row in attempts(demo)}) == 2


def test_erasing_a_conversation_removes_what_the_judge_replied(demo: Store, server: ModelServer) -> None:
    ask(demo)
    conversation_id = attempts(demo)[0].conversation_id
    study = study_of(demo)
    with demo.writing("lead", "erase", study.id) as (connection, entry):
        table = schema.conversation
        key = connection.execute(sa.select(table.c.key).where(table.c.id == conversation_id)).scalar_one()
        erase_conversation(connection, entry, study, key, "asked for")
    with demo.reading() as connection:
        texts = connection.execute(
            sa.select(schema.content.c.text)
            .join(schema.attempt, schema.attempt.c.reply_content == schema.content.c.id)
            .where(schema.attempt.c.conversation_id == conversation_id)
        ).scalars()
        assert set(texts) == {None}
        assert verify(connection).problems == []
    assert conversation_id not in {call.conversation_id for call in pending(demo).calls()}


def test_a_judge_that_reads_no_prompt_is_refused(
    demo: Store, tmp_path: Path, weights: Path, server: ModelServer
) -> None:
    fields = {
        "provider": "local_classifier",
        "model": "tiny",
        "data_classes": ["synthetic"],
        "options": {"thresholds": "x.json"},
    }
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"judges": {"cloud": fields}}), encoding="utf-8")
    with pytest.raises(ModelMissing, match="only labels criteria"):
        pending(demo)
    used = CliRunner().invoke(main, ["models", "use", "--judge", "cloud"])
    assert used.exit_code == 1 and "only labels criteria" in used.output


def test_with_the_lexicon_and_the_parts_that_are_used_nothing_stays_unasked(
    demo: Store, server: ModelServer
) -> None:
    words, study = lexicon("reference-wide"), study_of(demo)
    parts = Components(
        key="one",
        version="1",
        title="One part",
        components=(Component(id="a", sentence="Ask.", hypotheses=("The counsellor asks.",)),),
    )
    usual = {call.request.key for call in pending(demo).calls()}
    wanted = PendingVerdicts(demo, study, plans=parts, words=words)
    assert {call.request.key for call in wanted.calls()} - usual
    assert [outcome.outcome for outcome in ask_for_verdicts(wanted, "lead")] == ["finished"]
    scored = score_study(demo, STUDY, "lead", "reference-wide")
    assert not any("waits for answers" in sentence for sentence in scored.optional)
    assert propose_plans(demo, study, "lead", parts).waiting == 0


def test_no_round_gets_the_whole_budget_anew(demo: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which pair comes next may depend on answers, so one command asks in rounds: of one budget."""
    wanted = pending(demo)
    calls = wanted.calls()
    rounds, budgets = iter([calls[:2], calls[2:5], calls[5:6], []]), []

    def ask_requests(setup: object, asked: list[Any], actor: str, budget: int | None, *_: object) -> object:
        budgets.append(budget)
        return RequestOutcome("finished", "", len(asked), 0, 40 * len(asked))

    monkeypatch.setattr(wanted, "calls", lambda: next(rounds))
    monkeypatch.setattr(entailment_verdicts, "ask_requests", ask_requests)
    assert len(list(ask_for_verdicts(wanted, "lead", 150))) == 3
    assert budgets == [150, 70, 0]
