"""second-reader judge, with a server on loopback that answers in other forms than the one asked for, or with
what cannot be stored.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
import yaml
from click.testing import CliRunner, Result

from cli import main
from data import schema
from data.keeping.verify import verify
from data.store.store import Store
from tests.servers.judges import LOCAL, local_fields
from tests.servers.model_server import Behaviour, ModelServer, Reply, as_json, chat, serving, well
from tests.studies import small_study

pytestmark = pytest.mark.slow

CONVERSATIONS = 60
INSTRUMENT = """\
key: small
version: "1"
title: Small rubric
unit: conversation
scales:
  yes_no:
    kind: nominal
    levels:
      - {id: "YES", name: "Yes", key: y, value: 1}
      - {id: "NO", name: "No", key: n, value: 0}
criteria:
  - {id: warm, name: Warm, scale: yes_no}
"""
ANSWER = '{"reasoning": "It asks.", "cited_turns": [1], "label": "YES"}'
OTHER = '{"reasoning": "It does not.", "cited_turns": [1], "label": "NO"}'
PRIVATE = "a sentence of the client"


@dataclass
class Lead:
    """A study lead at a terminal, with a study of 60 conversations and one question each."""

    store: Store
    folder: Path
    server: ModelServer

    def judge(self, behave: Behaviour | None = None, *words: str, **entry: Any) -> Result:
        """The command, with everything that was changed in models.yaml."""
        if behave is not None:
            self.server.behave = behave
        judges = {"local": local_fields(self.server, **entry)}
        (self.folder / "models.yaml").write_text(yaml.safe_dump({"judges": judges}), encoding="utf-8")
        self.server.requests.clear()
        result = CliRunner().invoke(main, ["judge", "small", "--judge", "local", *words])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result

    def rows(self, table: sa.Table) -> list[Any]:
        with self.store.reading() as connection:
            assert verify(connection).problems == []
            return list(connection.execute(sa.select(table).order_by(table.c.id)))

    def labels(self) -> Counter[tuple[str, str | None]]:
        return Counter((row.status, row.label) for row in self.rows(schema.judgement))

    def parsers(self) -> list[str]:
        return [json.loads(row.identity)["parser"] for row in self.rows(schema.judge)]


@pytest.fixture
def lead(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    small_study.make(
        store,
        tmp_path,
        conversation_count=CONVERSATIONS,
        with_judges=False,
        instrument=INSTRUMENT,
        data_class="synthetic",
    )
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store.path}")
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    with serving() as server:
        yield Lead(store, tmp_path, server)


def says(text: str) -> Behaviour:
    return lambda _: chat(text)


@pytest.mark.parametrize(
    "text",
    [
        f"```json\n{ANSWER}\n```",
        f"Here is the evaluation:\n{ANSWER}",
        f"{ANSWER}\n\nAnything else?",
        f'<think>{{"label":"NO"}} maybe</think>\n{ANSWER}',
        f"\ufeff\u200b{ANSWER}",
        ANSWER.replace("YES", "Yes"),
    ],
    ids=["fence", "preamble", "trailing", "think", "invisible", "capitals"],
)
def test_one_object_is_read_wherever_it_is(lead: Lead, text: str) -> None:
    result = lead.judge(says(text))
    assert (result.exit_code, lead.labels()) == (0, {("ok", "YES"): CONVERSATIONS}), result.output
    assert (len(lead.server.requests), lead.parsers()) == (CONVERSATIONS, ["one-object-1"])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"I cannot say. {PRIVATE}", "the reply has no JSON object; it holds only words (20)"),
        (
            f"{ANSWER}\n{OTHER} {PRIVATE}",
            "the reply has two JSON objects; around the JSON: words after it (20)",
        ),
        (f"<think>{ANSWER} {PRIVATE}", "a think tag is not closed; "),
        (ANSWER.replace("YES", "PERHAPS"), "not the JSON that was asked for (label: literal_error) (20)"),
    ],
    ids=["words", "two objects", "open tag", "another label"],
)
def test_a_run_stops_after_20_unreadable_replies_in_a_row_and_says_what_surrounded_them(
    lead: Lead, text: str, said: str
) -> None:
    result = lead.judge(says(text))
    assert result.exit_code == 1 and 20 <= len(lead.server.requests) <= 40
    assert f"20 replies in a row could not be read: {said}" in result.output
    assert "change the model, its prompt, its reader or max_output_tokens" in result.output
    assert PRIVATE not in result.output
    assert {status for status, _ in lead.labels()} == {"invalid"}
    assert Counter(Counter(row.key for row in lead.rows(schema.attempt)).values()).keys() <= {1, 2}


def test_replies_that_are_cut_off_stop_a_run_too(lead: Lead) -> None:
    result = lead.judge(lambda _: chat("{", "length"))
    assert result.exit_code == 1 and len(lead.server.requests) <= 40
    assert "20 replies in a row could not be read: the reply was cut off (20)" in result.output


def test_what_is_pending_after_that_is_asked_by_a_later_run_and_nothing_a_third_time(lead: Lead) -> None:
    garbage = says("I cannot say.")
    while lead.judge(garbage).exit_code:
        assert 0 < len(lead.server.requests) <= 40
    attempts = Counter(row.key for row in lead.rows(schema.attempt))
    assert attempts == dict.fromkeys(attempts, 2) and len(attempts) == CONVERSATIONS
    assert lead.labels() == {("invalid", None): CONVERSATIONS}
    assert lead.judge(well).exit_code == 0 and lead.server.requests == []
    assert lead.judge(well, "--retry-failures").exit_code == 0
    assert len(lead.server.requests) == CONVERSATIONS


def test_a_readable_reply_now_and_then_keeps_the_run_going(lead: Lead) -> None:
    result = lead.judge(lambda seen: chat(ANSWER if seen.number % 10 == 0 else "I cannot say."), in_flight=1)
    assert result.exit_code == 0 and "60 of 60 calls" in result.output


def test_other_failures_count_neither_way(lead: Lead, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("runs.asking.engine.SPELL", (0.001, 0.002))
    result = lead.judge(
        lambda seen: Reply(503) if seen.number % 3 == 0 else chat("I cannot say."), in_flight=1
    )
    assert "20 replies in a row could not be read" in result.output
    assert Counter(row.status for row in lead.rows(schema.attempt))["invalid"] == 20


def test_a_judge_with_answers_of_the_strict_reader_stays_who_it_is(lead: Lead) -> None:
    lead.judge(well, "--limit", "5", reader="strict-1")
    result = lead.judge(says(f"```json\n{ANSWER}\n```"))
    assert result.exit_code == 1
    assert "not the JSON that was asked for (the whole: json_invalid); around the JSON: a code fence" in (
        result.output
    )
    assert lead.parsers() == ["strict-1"]
    assert lead.judge(reader="one-object-1").exit_code == 0
    assert lead.parsers() == ["strict-1", "one-object-1"]
    assert lead.judge().exit_code == 0 and lead.server.requests == []


def test_a_judge_of_whom_the_strict_reader_read_nothing_is_read_by_the_new_one(lead: Lead) -> None:
    fenced = says(f"```json\n{ANSWER}\n```")
    assert lead.judge(fenced, reader="strict-1").exit_code == 1
    assert lead.judge().exit_code == 0
    assert lead.parsers() == ["strict-1", "one-object-1"]


# ---- what cannot be stored ----


def body(**changed: Any) -> dict[str, Any]:
    return {**json.loads(chat(ANSWER).body), **changed}


def usage(tokens: object) -> dict[str, object]:
    return {"prompt_tokens": tokens, "completion_tokens": 5, "total_tokens": 5}


def kept_answer(lead: Lead, behave: Callable[[Any], Reply]) -> Any:
    result = lead.judge(behave, "--limit", "1")
    assert (result.exit_code, lead.labels()) == (0, {("ok", "YES"): 1}), result.output
    (attempt,) = lead.rows(schema.attempt)
    return attempt


@pytest.mark.parametrize("tokens", [10**30, -1, "many", float("nan"), float("inf"), [1], {"a": 1}], ids=repr)
def test_tokens_that_cannot_be_are_unknown_and_the_answer_is_kept(lead: Lead, tokens: object) -> None:
    attempt = kept_answer(lead, lambda _: as_json(body(usage=usage(tokens))))
    assert (attempt.tokens_in, attempt.tokens_out, attempt.cost_nano) == (None, None, None)
    assert lead.judge(None, "--limit", "1").exit_code == 0 and lead.server.requests == []


@pytest.mark.parametrize(
    "changed", [{"id": "\ud800\x00"}, {"id": [1]}, {"id": "x" * 10**6}, {"system_fingerprint": {"a": 10**30}}]
)
def test_codes_that_cannot_be_kept_are_left_out(lead: Lead, changed: dict[str, Any]) -> None:
    assert kept_answer(lead, lambda _: as_json(body(**changed))).served == LOCAL


def test_half_a_character_and_nul_in_a_reply_become_marks(lead: Lead) -> None:
    kept_answer(lead, says(f"\ud800\x00 {ANSWER.replace('asks', 'asks' + chr(92) + 'u0000')}"))
    texts = [row.text for row in lead.rows(schema.content)]
    assert "It asks\ufffd." in texts
    assert not [text for text in texts if text and ("\x00" in text or "\ud800" in text)]


@pytest.mark.parametrize(
    "finish", [["stop"], {"a": 1}, 10**30, "x" * 10**6, None], ids=lambda one: str(one)[:9]
)
def test_a_finish_reason_of_another_form_fails_its_call(lead: Lead, finish: object) -> None:
    choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": ANSWER}}
    result = lead.judge(lambda _: as_json(body(choices=[choice])), "--limit", "1")
    assert (result.exit_code, lead.labels()) == (0, {("invalid", None): 1}), result.output
    assert len(lead.rows(schema.attempt)) == 2


def test_a_reply_of_50_mb_fails_its_call_and_its_beginning_is_kept(lead: Lead) -> None:
    result = lead.judge(says(ANSWER + " " * 50_000_000), "--limit", "1")
    assert (result.exit_code, lead.labels()) == (0, {("invalid", None): 1}), result.output
    kept = [row.text for row in lead.rows(schema.content) if row.text and row.text.startswith(ANSWER)]
    assert [len(text) for text in kept] == [1_000_000] * 2
    assert {row.detail for row in lead.rows(schema.attempt)} == {"a reply of more than 1,000,000 characters"}


def test_a_model_name_of_a_megabyte_stops_the_run_and_is_cut(lead: Lead) -> None:
    result = lead.judge(lambda _: as_json(body(model="m" * 10**6)), "--limit", "1")
    assert result.exit_code == 1 and len(result.output) < 2_000
    assert [len(row.served) for row in lead.rows(schema.attempt)] == [120]
