"""All questions of a unit in one call: JSON for a rubric, lines for a plan; what is missing is missing and
never 0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from configs.settings import ROOT
from data import schema
from data.importers import conversations
from data.importers.report import ImportReport
from data.record import studies
from data.record.judge_runs import JudgeRunOptions
from data.record.studies import StudySpec
from tests.servers.judging import Lead
from tests.servers.model_server import Reply, Seen, gemini, valid_text, well
from tests.studies import importing
from tests.studies.small_study import conversation_lines

pytestmark = pytest.mark.slow

TRIAL: dict[str, Any] = {"batching": "trial"}
PLAN = "<plan>first_strategy / second_strategy</plan>"


def without(seen: Seen, *missing: str) -> Reply:
    told = json.loads(valid_text(seen.schema))
    return gemini(json.dumps({name: one for name, one in told.items() if name not in missing}))


# ---- a rubric ----


def test_one_call_a_unit_brings_every_label(lead: Lead) -> None:
    finished = lead.judge(**TRIAL)
    assert (finished.said, len(lead.server.requests), lead.statuses()) == (
        "4 of 4 calls, no failures.",
        4,
        {"ok": 11},
    )
    assert {row.criterion for row in lead.rows(schema.attempt)} == {"*"}


def test_the_schema_asks_for_every_question_that_applies(lead: Lead) -> None:
    lead.judge(**TRIAL)
    asked = [list((seen.schema or {})["properties"]) for seen in lead.server.requests]
    assert sorted(asked) == sorted([["warm", "safe"], *[["warm", "safe", "deep"]] * 3])


def test_a_question_without_an_answer_is_missing_and_the_others_are_kept(lead: Lead) -> None:
    finished = lead.judge(
        lambda seen: without(seen, "safe") if "conversation 3." in seen.prompt else well(seen), **TRIAL
    )
    assert (finished.outcome, finished.failed, finished.said) == ("finished", 1, "4 of 4 calls, 1 failure.")
    assert [lead.verdicts()[3, name, 0] for name in ("warm", "safe", "deep")] == [
        ("ok", "YES"),
        ("missing", None),
        ("ok", "YES"),
    ]


def test_only_what_is_missing_is_asked_again(lead: Lead) -> None:
    lead.judge(
        lambda seen: without(seen, "safe") if "conversation 3." in seen.prompt else well(seen), **TRIAL
    )
    lead.judge(well, JudgeRunOptions(retry_failures=True), **TRIAL)
    assert list((lead.server.requests[-1].schema or {})["properties"]) == ["safe"]
    assert (len(lead.server.requests), lead.verdicts()[3, "safe", 0]) == (5, ("ok", "YES"))


def test_of_two_replies_to_one_request_the_newest_stands(lead: Lead) -> None:
    """The first left a question open; two more conversations with the same text are asked about once."""
    lead.judge(
        lambda seen: without(seen, "safe") if "conversation 3." in seen.prompt else well(seen), **TRIAL
    )
    for name in ("again", "third"):
        path = lead.folder / f"{name}.jsonl"
        path.write_text(conversation_lines(4).replace('"id": "c', f'"id": "{name}'), encoding="utf-8")
        importing.import_conversations(lead.store, "small", path, "tests")
    before = len(lead.server.requests)
    finished = lead.judge(well, JudgeRunOptions(retry_failures=True), **TRIAL)
    assert (finished.failed, len(lead.server.requests) - before) == (0, 2)
    assert {lead.verdicts()[unit, "safe", 0] for unit in (3, 7, 11)} == {("ok", "YES")}


@pytest.mark.parametrize("text", ["{}", "[]", "no", '{"warm": "YES"}'])
def test_a_reply_without_any_label_is_asked_once_more_and_then_fails_every_question(
    lead: Lead, text: str
) -> None:
    lead.judge(lambda seen: gemini(text) if "conversation 3." in seen.prompt else well(seen), **TRIAL)
    assert [lead.verdicts()[3, name, 0] for name in ("warm", "safe", "deep")] == [("invalid", None)] * 3
    assert len(lead.server.requests) == 5


# ---- plans ----


@pytest.fixture
def plans(lead: Lead, tmp_path: Path) -> Lead:
    """A study of two replies, each with a plan of two strategies."""
    instrument = (ROOT / "instruments" / "plan_alignment.yaml").read_text(encoding="utf-8")
    taxonomy = """{key: two, version: "1", title: Two, strategies: [{id: first_strategy, name: First, description: Does one thing},
                  {id: second_strategy, name: Second, description: Does another}]}"""
    file = tmp_path / "plans.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "id": f"p{number}",
                    "turns": [{"user": f"Before {number}", "assistant": f"{PLAN}\n\nThe reply {number}."}],
                }
            )
            for number in (1, 2)
        ),
        encoding="utf-8",
    )
    report = ImportReport(file.name)
    with lead.store.writing("tests", "plans") as (connection, entry):
        spec = StudySpec(
            "plans",
            "Plans",
            studies.register_instrument(connection, entry, instrument),
            studies.register_taxonomy(connection, entry, taxonomy),
            data_class="synthetic",
        )
        study = studies.get(connection, studies.create(connection, entry, spec))
        conversations.add(connection, entry, study, file, report)
        report.raise_if_wrong()
    return lead


def scores(lead: Lead) -> list[tuple[str, str, str | None]]:
    return [(row.criterion, row.status, row.label) for row in lead.rows(schema.judgement)]


def lines(text: str) -> Reply:
    return gemini(text)


def test_one_line_a_strategy_brings_every_score(plans: Lead) -> None:
    finished = plans.judge(
        lambda _: lines("first_strategy: it is there | score: 2\nsecond_strategy: it is not | score: 0"),
        study="plans",
        **TRIAL,
    )
    assert (finished.said, len(plans.server.requests)) == ("2 of 2 calls, no failures.", 2)
    assert scores(plans) == [("first_strategy", "ok", "2"), ("second_strategy", "ok", "0")] * 2
    assert "responseJsonSchema" not in plans.server.requests[0].body["generationConfig"]


def test_a_strategy_without_a_line_is_missing_and_never_0(plans: Lead) -> None:
    plans.judge(lambda _: lines("first_strategy: it is there | score: 2"), study="plans", **TRIAL)
    assert scores(plans) == [("first_strategy", "ok", "2"), ("second_strategy", "missing", None)] * 2


def test_a_line_under_another_name_is_no_answer(plans: Lead) -> None:
    plans.judge(
        lambda _: lines("strategy_id: never mentioned | score: 0\nsecond_strategy: it is not | score: 1"),
        study="plans",
        **TRIAL,
    )
    assert scores(plans) == [("first_strategy", "missing", None), ("second_strategy", "ok", "1")] * 2


def test_a_strategy_that_stands_twice_is_asked_once_more_and_then_fails(plans: Lead) -> None:
    plans.judge(
        lambda _: lines(
            "first_strategy: a | score: 2\nfirst_strategy: b | score: 0\nsecond_strategy: c | score: 0"
        ),
        study="plans",
        **TRIAL,
    )
    assert scores(plans) == [("first_strategy", "invalid", None), ("second_strategy", "invalid", None)] * 2
    assert len(plans.server.requests) == 4


def test_a_reply_without_lines_fails_every_strategy(plans: Lead) -> None:
    plans.judge(lambda _: lines("Both are there."), study="plans", **TRIAL)
    assert scores(plans) == [("first_strategy", "invalid", None), ("second_strategy", "invalid", None)] * 2


def test_one_call_a_strategy_is_answered_in_json(plans: Lead) -> None:
    plans.judge(lambda seen: well(seen, "1"), study="plans")
    assert (
        scores(plans).count(("first_strategy", "ok", "1"))
        == scores(plans).count(("second_strategy", "ok", "1"))
        == 2
    )
    assert [list((seen.schema or {})["properties"]) for seen in plans.server.requests] == [
        ["reasoning", "label"]
    ] * 4


def test_the_two_ways_of_asking_are_two_judges_with_two_readers(plans: Lead) -> None:
    plans.judge(lambda seen: well(seen, "1"), study="plans")
    plans.judge(
        lambda _: lines("first_strategy: a | score: 2\nsecond_strategy: b | score: 0"), study="plans", **TRIAL
    )
    assert [json.loads(row.identity)["parser"] for row in plans.rows(schema.judge)] == [
        "one-object-1",
        "lines-by-id-1",
    ]


@pytest.mark.parametrize("how", [{}, TRIAL], ids=["a call a strategy", "a call a reply"])
def test_the_plan_itself_is_never_shown_to_the_judge(plans: Lead, how: dict[str, Any]) -> None:
    plans.judge(study="plans", **how)
    for seen in plans.server.requests:
        assert "| The reply" in seen.prompt
        assert not [
            text
            for text in (PLAN, "<plan>", "first_strategy / second_strategy", "Before")
            if text in json.dumps(seen.body)
        ]


def test_calls_about_one_unit_share_their_beginning_up_to_the_question(plans: Lead) -> None:
    for study, tail in (("small", "# The one question"), ("plans", "# The one strategy")):
        plans.server.requests.clear()
        plans.judge(study=study)
        starts = {seen.prompt.split(tail)[0] for seen in plans.server.requests}
        assert len(starts) == {"small": 4, "plans": 2}[study]
        assert all(seen.prompt.count(tail) == 1 for seen in plans.server.requests)
