"""Gemini's batch jobs: many requests handed over at once, at a lower price, answered within a day.

Answers came back in another order, and some under the wrong key (googleapis/python-genai#1909). So each
request's schema holds a field that can only be its own id: an answer that echoes another id was not made for
this request.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from google import genai
from google.genai import types

from scoring.judges.gemini_answers import of_error, of_response
from scoring.judges.judge_client import BatchJob, JudgeAnswer, JudgeRequest, id_of

OVER = {
    "JOB_STATE_SUCCEEDED",
    "JOB_STATE_FAILED",
    "JOB_STATE_CANCELLED",
    "JOB_STATE_EXPIRED",
    "JOB_STATE_PARTIALLY_SUCCEEDED",
}
WRONG = "the answer belongs to another request"
ECHO = "request_id"
LATEST = 1_000  # jobs among which one is looked for


class BatchJudge(Protocol):
    """What the jobs need of the judge (gemini.py): its client, and how it puts a request."""

    model: str
    client: genai.Client

    def made(self, system: str, schema: Mapping[str, Any] | None) -> types.GenerateContentConfig:
        """Return the configuration of a request."""


async def hand_over(judge: BatchJudge, requests: Sequence[JudgeRequest], label: str) -> str:
    """Create a batch job of these requests and return its name. Raises what the SDK raises."""
    inlined = [
        types.InlinedRequest(
            contents=_asking_for_id(request),
            config=judge.made(request.system, _with_id(request)),
            metadata={"key": id_of(request)},
        )
        for request in requests
    ]
    job = await judge.client.aio.batches.create(
        model=judge.model, src=inlined, config=types.CreateBatchJobConfig(display_name=label)
    )
    return str(job.name)


async def find(judge: BatchJudge, label: str) -> str | None:
    """Return the name of the job handed over under `label`, among the LATEST (1,000) jobs; None if it is
    not there.

    Raises what the SDK raises.
    """
    looked_at = 0
    async for job in await judge.client.aio.batches.list(config=types.ListBatchJobsConfig(page_size=100)):
        if job.display_name == label:
            return str(job.name)
        looked_at += 1
        if looked_at >= LATEST:
            break
    return None


async def look(judge: BatchJudge, name: str) -> BatchJob:
    """Return whether a job is over, with its answers by request id once it is. Raises what the SDK raises."""
    job = await judge.client.aio.batches.get(name=name)
    state = job.state.name if job.state else "JOB_STATE_UNSPECIFIED"
    answers: dict[str, JudgeAnswer] = {}
    for one in (job.dest.inlined_responses if job.dest else None) or []:
        told = (one.metadata or {}).get("key")
        if told is not None and state in OVER:
            answers[told] = _answer(one, told)
    return BatchJob(state in OVER, answers)


async def call_off(judge: BatchJudge, name: str) -> None:
    """Cancel a job. Raises what the SDK raises."""
    await judge.client.aio.batches.cancel(name=name)


def _asking_for_id(request: JudgeRequest) -> str:
    return f"{request.user}\nWrite {id_of(request)} into the field {ECHO}, before everything else."


def _with_id(request: JudgeRequest) -> Mapping[str, Any]:
    assert request.schema is not None, "a reply in lines has no field for an id"
    properties = {ECHO: {"type": "string", "enum": [id_of(request)]}, **request.schema["properties"]}
    return {**request.schema, "properties": properties, "required": [ECHO, *request.schema["required"]]}


def _answer(inlined: types.InlinedResponse, identifier: str) -> JudgeAnswer:
    if inlined.error is not None or inlined.response is None:
        code = inlined.error.code if inlined.error and inlined.error.code else 0
        return of_error(
            _HTTP.get(code, code or 500), None, {}, inlined.error.message if inlined.error else None
        )
    answer = of_response(inlined.response)
    if answer.status != "ok":
        return answer
    try:
        value = json.loads(answer.text or "", object_pairs_hook=_once)
        echoed = value.pop(ECHO)
    except (ValueError, RecursionError, AttributeError, KeyError, TypeError):
        return replace(answer, status="invalid", detail="it does not name its request")
    if echoed != identifier:
        return replace(answer, status="invalid", detail=WRONG)
    return replace(answer, text=json.dumps(value, ensure_ascii=False))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A field that stands twice says two things, so nothing."""
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a field stands twice")
    return made


# A job's errors carry the numbers of google.rpc.Code; what they mean over HTTP stands in its documentation.
_HTTP = {3: 400, 4: 504, 5: 404, 7: 403, 8: 429, 13: 500, 14: 503, 16: 401}
