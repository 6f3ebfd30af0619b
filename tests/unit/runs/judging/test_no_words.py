"""Neither a key nor a word of a conversation, of the judge's reasoning or of its raw reply gets out of the
erasable texts.
"""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from data import schema
from data.keeping.verify import verify
from data.store.errors import StoreError
from runs.asking import shared_commits
from runs.judging import RunOutcome
from tests.servers.judges import SECRET, VARIABLE, local_fields
from tests.servers.judging import Lead, about, after, only
from tests.servers.model_server import MODEL, Reply, Seen, as_json, chat, error, gemini, well
from tests.studies.small_study import SAID

REASONED, RAW = "the tulips carry this answer", "a raw reply about peonies"
WORDS = [SAID, "Reply 2.0", REASONED, RAW, "tulips", "peonies", SECRET]


def reasoned(seen: Seen) -> Reply:
    text = json.dumps({"reasoning": REASONED, "cited_turns": [1], "label": "YES"})
    return gemini(text) if seen.gemini else chat(text)


def echo(status: int, seen: Seen) -> Reply:
    """An error whose every text repeats the prompt."""
    whole = seen.prompt + SECRET
    if seen.gemini:
        return error(
            status,
            whole,
            whole,
            [{"@type": whole, "reason": whole, "retryDelay": whole, "violations": [{"quotaId": whole}]}],
        )
    return as_json({"error": {"message": whole, "type": whole, "code": whole, "param": whole}}, status)


BEHAVIOURS: dict[str, Callable[[Seen], Reply]] = {
    "answers well": reasoned,
    "one unreadable": only(2, "safe", lambda seen: gemini(RAW) if seen.gemini else chat(RAW), reasoned),
    "one cut off": only(
        2, "safe", lambda seen: gemini(RAW, "MAX_TOKENS") if seen.gemini else chat(RAW, "length"), reasoned
    ),
    "one withheld": only(
        2, "safe", lambda seen: gemini(RAW, "SAFETY") if seen.gemini else chat(None, refusal=RAW), reasoned
    ),
    "a wrong label": only(
        2,
        "safe",
        lambda seen: gemini(
            json.dumps({"reasoning": REASONED, "cited_turns": [1], "label": RAW, SAID: SAID})
        ),
        reasoned,
    ),
    "one bad request": only(2, "safe", lambda seen: echo(400, seen), reasoned),
    "one error": only(2, "safe", lambda seen: echo(500, seen), reasoned),
    "all bad requests": lambda seen: echo(400, seen),
    "all errors": lambda seen: echo(503, seen),
    "a key refused": lambda seen: echo(401, seen),
    "gone": lambda seen: echo(404, seen),
    "another model": after(
        3, lambda seen: gemini(RAW, model="gemini-3.9-flash") if seen.gemini else chat(RAW, model="other")
    ),
    "a page": lambda seen: Reply(200, f"<html>{seen.prompt}".encode(), {"content-type": "text/html"}),
    "a page for an error": lambda seen: Reply(
        502, f"<html>{seen.prompt}".encode(), {"content-type": "text/html"}
    ),
}


def outside(lead: Lead) -> str:
    """Every text of the store that is not erasable, with every column of the ledger."""
    with lead.store.reading() as connection:
        assert verify(connection).problems == []
        tables = [
            table
            for table in schema.metadata.sorted_tables
            if table.name not in ("content", "instrument", "judge_prompt")
        ]
        return "\n".join(repr(tuple(row)) for table in tables for row in connection.execute(table.select()))


@pytest.mark.parametrize("provider", ["gemini", "openai_compatible"])
@pytest.mark.parametrize("what", BEHAVIOURS)
def test_no_word_gets_out(
    lead: Lead, what: str, provider: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    if provider == "openai_compatible":
        lead.fields = local_fields(lead.server, key=VARIABLE)
    finished: RunOutcome = lead.judge(BEHAVIOURS[what])
    written = capfd.readouterr()
    outputs = {
        "run": repr(finished),
        "log": caplog.text,
        "stdout": written.out,
        "stderr": written.err,
        "store": outside(lead),
        "told": repr(lead.run(finished.run_id)),
    }
    assert lead.server.requests
    assert [(place, word) for place, text in outputs.items() for word in WORDS if word in text] == []


def test_the_server_s_own_words_about_an_error_are_kept_where_they_can_be_erased(lead: Lead) -> None:
    lead.judge(only(2, "safe", lambda seen: echo(400, seen)))
    texts = {row.id: row.text for row in lead.rows(schema.content)}
    [refused] = [row for row in lead.rows(schema.attempt) if row.status == "rejected"]
    assert f"{SAID} 2.0" in texts[refused.reply_content]


def test_an_error_of_the_store_in_the_middle_says_nothing_of_the_conversation(
    lead: Lead, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody removes a table under the run: the worst a store can do short of losing power."""

    def broken(seen: Seen) -> Reply:
        if seen.number == 3:
            with lead.store.writing("tests", "break") as (connection, _):
                connection.exec_driver_sql("ALTER TABLE attempt RENAME TO elsewhere")
        return reasoned(seen)

    monkeypatch.setattr(shared_commits, "PATIENCE", 1.0)
    with pytest.raises(StoreError) as caught:
        lead.judge(broken, in_flight=1)
    traceback_text = "".join(traceback.format_exception(caught.value))
    assert [word for word in WORDS if word in traceback_text] == []
    with lead.store.writing("tests", "mend") as (connection, _):
        connection.exec_driver_sql("ALTER TABLE elsewhere RENAME TO attempt")
    assert lead.judge(well).outcome == "finished"
    assert lead.statuses() == {"ok": 11}


def test_the_trail_names_the_run_and_no_more(lead: Lead) -> None:
    finished = lead.judge(reasoned)
    details = {json.dumps(json.loads(row.detail)) for row in _trail(lead) if row.action == "judge"}
    assert details == {json.dumps({"run": finished.run_id})}


def _trail(lead: Lead) -> list[Any]:
    with lead.store.reading() as connection:
        return list(connection.execute(schema.trail.select()))


def test_the_words_of_this_test_do_reach_the_server_and_come_back(lead: Lead) -> None:
    lead.judge(reasoned)
    assert all(SAID in seen.prompt for seen in lead.server.requests)
    assert any(SECRET in value for seen in lead.server.requests for value in seen.headers.values())
    assert REASONED in {row.text for row in lead.rows(schema.content)}
    assert about(lead.server.requests[0]) and lead.server.requests[0].path.endswith(
        f"{MODEL}:generateContent"
    )
