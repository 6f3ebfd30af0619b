"""The prompt of an earlier call: what the server got, word for word, or a sentence why it cannot be shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from configs.settings import ROOT
from data import schema
from data.keeping import erase
from data.record import judgements, units
from runs.judging.prompt_reconstruction import reconstruct_prompt
from scoring.judges.judge_client import JudgeRequest
from tests.servers.judging import Lead
from tests.servers.model_server import well


def again(lead: Lead, row: Any, prompt: str | None = None) -> JudgeRequest | str:
    with lead.store.reading() as connection:
        (judge,) = judgements.judges(connection, lead.small.study.id)
        (unit,) = units.by_ids(connection, [row.unit_id])
    return reconstruct_prompt(
        lead.store, lead.small.study, unit, judge, row.criterion, prompt or row.prompt_sha256
    )


@pytest.mark.parametrize("batching", ["criterion", "trial"])
def test_what_is_shown_is_what_the_server_got(lead: Lead, batching: str) -> None:
    lead.judge(well, batching=batching)
    sent = {
        (seen.body["systemInstruction"]["parts"][0]["text"], seen.body["contents"][0]["parts"][0]["text"])
        for seen in lead.server.requests
    }
    rows = lead.rows(schema.attempt)
    shown = [again(lead, row) for row in rows]
    assert {
        (request.system, request.user) for request in shown if isinstance(request, JudgeRequest)
    } == sent and len(shown) == len(sent) == len(rows)


def test_it_is_the_prompt_of_then_and_not_that_of_the_file_now(lead: Lead, tmp_path: Path) -> None:
    lead.judge(well)
    row = lead.rows(schema.attempt)[0]
    before = again(lead, row)
    lead.prompts = tmp_path / "prompts"
    lead.prompts.mkdir()
    for name in ("rubric_judge", "alignment_judge"):
        text = (ROOT / "prompts" / f"{name}.yaml").read_text(encoding="utf-8")
        (lead.prompts / f"{name}.yaml").write_text(text.replace("You ", "Thou "), encoding="utf-8")
    assert isinstance(before, JudgeRequest) and again(lead, row) == before


def test_erased_words_are_not_made_again(lead: Lead) -> None:
    lead.judge(well)
    row = lead.rows(schema.attempt)[0]
    with lead.store.reading() as connection:
        (unit,) = units.by_ids(connection, [row.unit_id])
        ((_, key),) = units.conversation_keys(connection, [unit.conversation_id])
    with lead.store.writing("tests", "erase") as (connection, entry):
        erase.erase_conversation(connection, entry, lead.small.study, key, "asked for")
    assert again(lead, row) == "The words of this conversation were erased, and the prompt with them."


def test_another_hash_is_said_and_nothing_is_shown_for_it(lead: Lead) -> None:
    lead.judge(well)
    assert "its hash differs from the one that was sent" in str(
        again(lead, lead.rows(schema.attempt)[0], prompt="0" * 64)
    )


def test_a_judge_of_a_file_has_no_prompt_here(lead: Lead) -> None:
    with lead.store.writing("tests", "a judge of a file") as (connection, entry):
        judge_id = judgements.register(
            connection,
            entry,
            lead.small.study.id,
            judgements.JudgeIdentity("filed", "file", "unknown", "unknown", "small 1", {}, "file"),
        )
    with lead.store.reading() as connection:
        unit = units.by_ids(connection, units.ids(connection, lead.small.study.id))[0]
    judge = judgements.Judge(judge_id, "filed", {"prompt": "unknown"})
    assert (
        reconstruct_prompt(lead.store, lead.small.study, unit, judge, "warm", "0" * 64)
        == "The store doesn't hold this judge's prompt file."
    )
