"""Trials of a frozen turn, over the real SDKs against a server on loopback."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from click.testing import CliRunner

from cli import main
from configs.settings import ROOT, Settings
from data import schema
from data.importers import study_folder
from data.importers.conversations import ConversationRow, add_all
from data.importers.report import ImportReport
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import conversations, ledger, requests, run_outputs, studies, units
from data.record.conversations import shared_persons
from data.record.run_outputs import RunOutput
from data.record.studies import Study
from data.store.errors import NotFound, Refused
from data.store.store import Store, open_store
from data.work import successors
from runs.asking import engine
from runs.requests.request_rows import RequestRows
from runs.requests.request_run import ask_requests
from runs.requests.trials import TrialPlan, keep_trials, plan_trials
from runs.sample_studies import SAMPLES
from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.judge_client import JudgeAnswer
from tests.servers.judges import SECRET, VARIABLE, gemini_fields, local_fields
from tests.servers.model_server import ModelServer, Reply, Seen, chat, gemini, serving
from tests.studies import small_study

pytestmark = pytest.mark.slow
PLANNED, PLAIN = "plan_demo", "coaching_demo"


def numbered(seen: Seen) -> Reply:
    """A plan and a reply that tell which request it was."""
    text = f"<plan>\nteaching_psychoeducation\n</plan>\n\nThis is reply {seen.number}."
    return gemini(text) if seen.gemini else chat(text)


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(numbered) as started:
        yield started


@pytest.fixture
def store(
    store_path: Path, tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Store]:
    monkeypatch.setenv(VARIABLE, SECRET)
    monkeypatch.setattr(engine, "SPELL", (0.005, 0.01))
    price = {"date": "2026-11-01", "currency": "USD", "input": "1", "output": "10"}
    judges = {
        "cloud": gemini_fields(server, max_output_tokens=256, price=price),
        "here": local_fields(server),
    }
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"judges": judges}), encoding="utf-8")
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    store = open_store(f"sqlite:///{store_path}")
    for key in (PLANNED, PLAIN):
        study_folder.add_study(store, SAMPLES / key, ROOT / "instruments", ROOT / "taxonomies", "tests")
    yield store
    with store.reading() as connection:
        assert verify(connection).problems == []
    store.close()


def study_of(store: Store, key: str) -> Study:
    with store.reading() as connection:
        return studies.get_by_key(connection, key)


def keys_of(store: Store, key: str) -> list[str]:
    with store.reading() as connection:
        ids = conversations.ids(connection, study_of(store, key).id)
        return [conversation.key for conversation in conversations.read(connection, ids)]


def plan(store: Store, key: str = PLANNED, n: int = 3, model: str = "cloud", **more: Any) -> TrialPlan:
    conversation = more.pop("conversation", keys_of(store, key)[0])
    return plan_trials(store, study_of(store, key), Settings.read(), model, conversation, n, **more)


def run(trial_plan: TrialPlan, budget: int | None = None) -> str:
    outcome = ask_requests(trial_plan.setup, trial_plan.pending(), "lead", budget)
    keep_trials(trial_plan, "lead")
    return outcome.outcome


def conversations_of(store: Store, key: str) -> list[conversations.Conversation]:
    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
        return conversations.read(connection, conversations.ids(connection, study.id))


def rows(store: Store, table: sa.Table) -> list[Any]:
    with store.reading() as connection:
        return list(connection.execute(sa.select(table).order_by(table.c.id)))


@pytest.mark.parametrize("model", ["cloud", "here"])
def test_each_trial_is_a_conversation_with_plan_and_reply(
    model: str, store: Store, server: ModelServer
) -> None:
    trial_plan = plan(store, model=model, temperature=0.7)
    assert run(trial_plan) == "finished"
    trials = conversations_of(store, trial_plan.target)
    source = trial_plan.frozen
    assert [trial.key for trial in trials] == ["trial_01", "trial_02", "trial_03"]
    for trial in trials:
        assert trial.messages is not None
        assert trial.messages[:-1] == list(source.messages)
        assert trial.messages[-1].role == "assistant" and "This is reply" in trial.messages[-1].text
        assert trial.facts["temperature"] == 0.7 and trial.facts["vignette"] == source.source.key
    target = study_of(store, trial_plan.target)
    with store.reading() as connection:
        listed = units.by_ids(connection, units.ids(connection, target.id))
    assert [list(unit.declared) for unit in listed] == [["teaching_psychoeducation"]] * 3
    assert (target.data_class, target.instrument.key) == ("synthetic", "plan_alignment")


def test_the_server_gets_the_conversation_as_messages_the_taxonomy_and_the_temperature(
    store: Store, server: ModelServer
) -> None:
    key = next(
        conversation.key
        for conversation in conversations_of(store, PLAIN)
        if len(conversation.messages or []) >= 6
    )
    run(plan(store, PLAIN, 1, conversation=key, temperature=0.3, turn=3))
    body = server.requests[0].body
    assert [content["role"] for content in body["contents"]] == ["user", "model", "user", "model", "user"]
    assert body["generationConfig"]["temperature"] == 0.3
    assert "<plan>" not in str(body["systemInstruction"])
    run(plan(store, PLANNED, 1, model="here"))
    messages = server.requests[-1].body["messages"]
    assert messages[0]["role"] == "system" and "<plan>" in messages[0]["content"]
    assert "teaching_psychoeducation" in messages[0]["content"] and messages[-1]["role"] == "user"


def test_earlier_plans_are_not_shown_to_the_model(store: Store, server: ModelServer) -> None:
    """What was planned before is not what was said."""
    for conversation in conversations_of(store, PLANNED):
        trial_plan = plan(store, conversation=conversation.key)
        assert not any("<plan>" in message.text for message in trial_plan.frozen.messages)


def test_the_same_command_adds_only_what_is_missing(store: Store, server: ModelServer) -> None:
    run(plan(store, n=2))
    run(plan(store, n=4))
    assert len(server.requests) == 4
    assert len(conversations_of(store, plan(store).target)) == 4
    assert plan(store, n=4).pending() == []


def test_another_temperature_or_turn_is_another_study(store: Store) -> None:
    key = next(
        conversation.key
        for conversation in conversations_of(store, PLAIN)
        if len(conversation.messages or []) >= 6
    )
    targets = {
        plan(store, PLAIN, conversation=key, **more).target
        for more in ({}, {"temperature": 0.5}, {"temperature": 1.0}, {"turn": 1}, {"model": "here"})
    }
    assert len(targets) == 5 and all(len(target) <= 60 for target in targets)


def test_a_budget_stops_it_and_what_was_answered_is_kept(store: Store, server: ModelServer) -> None:
    trial_plan = plan(store, n=20)
    assert run(trial_plan, budget=12_000_000) == "budget"
    trials = len(conversations_of(store, trial_plan.target))
    assert 0 < trials < 20
    assert sum(row.cost_nano for row in rows(store, schema.attempt)) <= 12_000_000
    assert run(plan(store, n=20)) == "finished"
    assert (
        len(conversations_of(store, trial_plan.target))
        == 20
        == len({r.number for r in rows(store, schema.trial)})
    )


def test_a_blocked_or_an_empty_reply_is_no_trial(store: Store, server: ModelServer) -> None:
    def behave(seen: Seen) -> Reply:
        if seen.number == 1:
            return gemini(None, finish="SAFETY")
        return gemini("  ") if seen.number in (2, 3) else numbered(seen)

    server.behave = behave
    trial_plan = plan(store, n=4)
    assert run(trial_plan) == "finished"
    statuses = {row.status for row in rows(store, schema.attempt)}
    assert "blocked_output" in statuses and len(conversations_of(store, trial_plan.target)) < 4
    assert plan(store, n=4).pending() == [] and plan(store, n=4).pending(retry_failures=True)


def test_a_reply_that_was_kept_before_a_crash_becomes_a_trial_later(store: Store) -> None:
    trial_plan = plan(store)
    ask_requests(trial_plan.setup, trial_plan.pending(), "lead")
    with store.reading() as connection:
        assert studies.find(connection, trial_plan.target) is None
    assert plan(store).pending() == []
    keep_trials(plan(store), "lead")
    assert len(conversations_of(store, trial_plan.target)) == 3


def test_words_go_only_where_the_model_is_marked_for_them(
    store: Store, server: ModelServer, tmp_path: Path
) -> None:
    small_study.make(store, tmp_path, data_class="phi", with_judges=False, key="secret")
    trial_plan = plan(store, "secret")
    with pytest.raises(JudgeUnusable, match="holds phi data, and cloud is not marked for it"):
        run(trial_plan)
    assert server.requests == []


def test_erasing_the_conversation_erases_its_trials_and_what_was_replied(store: Store) -> None:
    trial_plan = plan(store)
    run(trial_plan)
    study = study_of(store, PLANNED)
    with store.writing("lead", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, trial_plan.frozen.source.key, "asked for")
    assert all(trial.messages is None for trial in conversations_of(store, trial_plan.target))
    with store.reading() as connection:
        texts = connection.execute(
            sa.select(schema.content.c.text).join(
                schema.attempt, schema.attempt.c.reply_content == schema.content.c.id
            )
        ).scalars()
        assert set(texts) == {None}
    with pytest.raises(Refused, match="were erased"):
        plan(store)


def test_erasing_one_trial_erases_its_reply_in_the_ledger_and_no_other(store: Store) -> None:
    trial_plan = plan(store)
    run(trial_plan)
    target = study_of(store, trial_plan.target)
    with store.writing("lead", "erase", target.id) as (connection, entry):
        erase_conversation(connection, entry, target, "trial_02", "asked for")
    assert [trial.messages is None for trial in conversations_of(store, trial_plan.target)] == [
        False,
        True,
        False,
    ]
    assert [reply.number for reply in plan(store).replies()] == [1, 3]
    keep_trials(plan(store), "lead")
    assert len(conversations_of(store, trial_plan.target)) == 3


def test_what_cannot_be_frozen_is_said(store: Store) -> None:
    with pytest.raises(NotFound, match="has no conversation 'nobody'"):
        plan(store, conversation="nobody")
    with pytest.raises(Refused, match="has no user message to answer in turn 99"):
        plan(store, turn=99)
    with pytest.raises(Refused, match="holds conversations other than trials"):
        trial_plan = plan(store, into=PLANNED)
        ask_requests(trial_plan.setup, trial_plan.pending(), "lead")
        keep_trials(trial_plan, "lead")


def test_the_command_tells_the_cost_first_and_goes_on(store: Store, server: ModelServer) -> None:
    words = ["trials", PLANNED, "--conversation", keys_of(store, PLANNED)[0], "--model", "cloud", "--n", "2"]
    dry = CliRunner().invoke(main, [*words, "--dry-run"])
    assert dry.exit_code == 0 and dry.output.startswith("2 calls, about") and "USD" in dry.output
    assert server.requests == []
    asked = CliRunner().invoke(main, words)
    assert asked.exit_code == 0, asked.output
    assert "2 of 2 questions answered or failed, no failures." in asked.output
    assert "has 2 trials." in asked.output
    again = CliRunner().invoke(main, words)
    assert again.exit_code == 0 and len(server.requests) == 2
    assert "Spent so far: 0.01 USD." in again.output


def test_a_target_is_refused_before_anybody_is_asked(store: Store, server: ModelServer) -> None:
    for into in (PLAIN, "no key", "x" * 61):
        with pytest.raises(Refused):
            plan(store, into=into)
    assert server.requests == []


def test_words_never_go_into_a_study_of_another_data_class_instrument_or_taxonomy(
    store: Store, tmp_path: Path
) -> None:
    """Else they would be sent to judges that are not marked for them."""
    run(plan(store, PLAIN, into="trials"))
    small_study.make(store, tmp_path, data_class="deidentified", with_judges=False, key="private")
    small_study.make(store, tmp_path, data_class="synthetic", with_judges=False, key="other")
    with pytest.raises(Refused, match="has a different data class from private"):
        plan(store, "private", into="trials")
    with pytest.raises(Refused, match="has a different instrument from other"):
        plan(store, "other", into="trials")


def test_trials_of_two_models_turns_or_conversations_in_one_study_are_all_there(store: Store) -> None:
    first, second = keys_of(store, PLANNED)[:2]
    changes: list[dict[str, Any]] = [{}, {"model": "here"}, {"temperature": 0.1}, {"conversation": second}]
    for more in changes:
        run(plan(store, n=2, into="all", **{"conversation": first, **more}))
        run(plan(store, n=2, into="all", **{"conversation": first, **more}))
    trials = conversations_of(store, "all")
    assert len(trials) == 8 == len(rows(store, schema.trial))
    origins = [
        (trial.facts["vignette"], trial.facts["model"], trial.facts["temperature"]) for trial in trials
    ]
    assert set(Counter(origins).values()) == {2}
    texts = {trial.messages[-1].text for trial in trials if trial.messages}
    assert len(texts) == 8
    study = study_of(store, "all")
    with store.reading() as connection:
        shared = shared_persons(connection, study.id)
    together = {trial.facts["vignette"]: {shared[trial.id]} for trial in trials}
    assert len(together) == 2 and len(shared) == 8, "answers to one history are left out together"
    assert {shared[trial.id] for trial in trials} == {number for [number] in together.values()}


def test_answers_to_one_history_alone_count_each(store: Store) -> None:
    first = keys_of(store, PLANNED)[0]
    run(plan(store, n=3, into="all", conversation=first))
    study = study_of(store, "all")
    with store.reading() as connection:
        assert shared_persons(connection, study.id) == {}


def test_other_words_of_the_prompt_are_another_study(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = plan(store)
    run(before)
    folder = tmp_path / "prompts"
    shutil.copytree(ROOT / "prompts", folder)
    path = folder / "trial.yaml"
    path.write_text(path.read_text().replace("declare your plan", "say your plan"), encoding="utf-8")
    monkeypatch.setenv("SECOND_READER_PROMPTS", str(folder))
    after = plan(store)
    run(after)
    assert after.target != before.target and len(conversations_of(store, after.target)) == 3


def test_conversations_whose_keys_differ_in_a_sign_have_studies_of_their_own(
    store: Store, tmp_path: Path
) -> None:
    study_with_two = small_study.make(store, tmp_path, data_class="synthetic", with_judges=False, key="two")
    report = ImportReport("x")
    words = [("user", "Hello."), ("assistant", "Hi.")]
    listed = [ConversationRow(number, key, words) for number, key in enumerate(("a b", "a-b"), start=1)]
    with store.writing("tests", "import", study_with_two.study.id) as (connection, entry):
        add_all(connection, entry, study_with_two.study, listed, report)
        report.raise_if_wrong()
    assert plan(store, "two", conversation="a b").target != plan(store, "two", conversation="a-b").target


def test_what_raters_read_of_a_study_of_trials_names_no_model(store: Store) -> None:
    trial_plan = plan(store, model="here", temperature=0.7)
    run(trial_plan)
    target = study_of(store, trial_plan.target)
    read_by_raters = f"{target.key} {target.title} {target.description} {target.provenance}".split()
    for name in ("here", trial_plan.setup.asked_as.model, "0.7"):
        assert not any(name in word.lower().replace("-", " ").split() for word in read_by_raters)


def test_erasing_reaches_studies_that_continue_trials_and_outputs_beside_them(
    store: Store, tmp_path: Path
) -> None:
    """A note about a trial, in a study that goes on under new wording, tells as much as one about the source."""
    source = small_study.make(store, tmp_path, data_class="synthetic", with_judges=False)
    trial_plan = plan(store, "small", 2, conversation="c2")
    run(trial_plan)
    trial_study = study_of(store, trial_plan.target)
    with store.writing("lead", "add", trial_study.id) as (connection, entry):
        rater = studies.add_rater(connection, entry, trial_study.id, "Ann")
        output = RunOutput("trial_01", "cot", "a model", "ok", {"output_text": "told of the client"})
        run_outputs.put(connection, entry, trial_study, output)
    small_study.Desk(store, trial_study, rater).rate(1)
    body = small_study.INSTRUMENT.replace('version: "1"', 'version: "2"').replace(
        "{id: warm, name: Warm,", "{id: warm, name: Warm, checks_for: kind words,"
    )
    with store.writing("lead", "begin", trial_study.id) as (connection, entry):
        number = successors.begin(connection, entry, trial_study, body, "next", "Next", "reworded")
        continued = studies.get(connection, number)
        (rater,) = (person.id for person in studies.raters(connection, number) if person.kind == "person")
    small_study.Desk(store, continued, rater).draft(1, "warm", note="A note about the client.")
    with store.writing("lead", "erase", source.study.id) as (connection, entry):
        erase_conversation(connection, entry, source.study, "c2", "asked for")
    with store.reading() as connection:
        texts = set(connection.execute(sa.select(schema.content.c.text)).scalars())
        assert [output.facts for output in run_outputs.listing(connection, trial_study.id)] == [{}]
    assert "A note about the client." not in texts


def test_the_command_counts_the_trials_that_the_study_holds(store: Store) -> None:
    words = ["trials", PLANNED, "--conversation", keys_of(store, PLANNED)[0], "--model", "cloud"]
    assert "has 4 trials." in CliRunner().invoke(main, [*words, "--n", "4"]).output
    assert "has 4 trials." in CliRunner().invoke(main, [*words, "--n", "2"]).output


def erase_source(store: Store, trial_plan: TrialPlan) -> None:
    study = study_of(store, PLANNED)
    with store.writing("lead", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, trial_plan.frozen.source.key, "asked for")


def test_words_that_were_erased_since_the_plan_are_not_sent(store: Store, server: ModelServer) -> None:
    trial_plan = plan(store)
    calls = trial_plan.pending()
    erase_source(store, trial_plan)
    ask_requests(trial_plan.setup, calls, "lead")
    assert server.requests == []


def test_a_reply_to_words_that_were_erased_in_flight_is_not_kept(store: Store, server: ModelServer) -> None:
    trial_plan = plan(store, n=1)

    def behave(seen: Seen) -> Reply:
        erase_source(store, trial_plan)
        return numbered(seen)

    server.behave = behave
    ask_requests(trial_plan.setup, trial_plan.pending(), "lead")
    assert [row.reply_content for row in rows(store, schema.attempt)] == [None]


def test_a_try_before_its_repair_settles_nothing(store: Store) -> None:
    """The process may have died between the two."""
    trial_plan = plan(store, n=1)
    (call,) = trial_plan.calls.values()
    for repair in (False, True):
        with store.writing("lead", "ask", trial_plan.setup.study.id) as (connection, entry):
            setup = trial_plan.setup
            model_id = requests.register_model(connection, entry, setup.name, setup.identity, setup.sha256)
            attempt = RequestRows(model_id, setup.entry, "a test").attempt(
                call, JudgeAnswer("truncated"), 0, repair, 0.0
            )
            ledger.write(connection, entry, setup.study.id, [attempt])
        assert (trial_plan.pending() == []) == repair


def test_a_plan_of_an_earlier_turn_goes_nowhere(store: Store, server: ModelServer) -> None:
    words = [
        ("user", "I cannot sleep."),
        ("assistant", "<plan>\nteaching_psychoeducation\n</plan>\n\nTell me more."),
        ("user", "It is noise."),
        ("assistant", "<plan>\nteaching_psychoeducation\n</plan>\n\nI see."),
    ]
    report, study = ImportReport("x"), study_of(store, PLANNED)
    with store.writing("tests", "import", study.id) as (connection, entry):
        add_all(connection, entry, study, [ConversationRow(1, "planned", words)], report)
        report.raise_if_wrong()
    trial_plan = plan(store, n=1, conversation="planned")
    assert [message.text for message in trial_plan.frozen.messages] == [
        "I cannot sleep.",
        "Tell me more.",
        "It is noise.",
    ]
    run(trial_plan)
    assert "<plan>" not in str(server.requests[0].body["contents"])


def test_whose_conversation_it_was_does_not_go_along(store: Store) -> None:
    """Else trials would count as further conversations of that person, in intervals and in what raters read."""
    report, study = ImportReport("x"), study_of(store, PLAIN)
    words = [
        ("user", "I cannot sleep."),
        ("assistant", "Tell me more."),
        ("user", "It is noise."),
        ("assistant", "I see."),
    ]
    facts = {
        "person": "Mrs Kowalski",
        "persona": "the sleepless one",
        "client_id": "Mrs Kowalski",
        "user_llm": "sim-1",
        "condition": "long",
    }
    with store.writing("tests", "import", study.id) as (connection, entry):
        add_all(connection, entry, study, [ConversationRow(1, "named", words, facts)], report)
        report.raise_if_wrong()
    trial_plan = plan(store, PLAIN, 2, conversation="named")
    run(trial_plan)
    trials = conversations_of(store, trial_plan.target)
    assert len(trials) == 2
    for trial in trials:
        assert (trial.facts["condition"], trial.facts["user_llm"]) == ("long", "sim-1")
        assert not {"person", "persona", "client_id"} & {*trial.facts}
        assert "Kowalski" not in str(trial.facts) and "sleepless" not in str(trial.facts)
    with store.reading() as connection:
        assert conversations.shared_persons(connection, study_of(store, trial_plan.target).id) == {}
