"""What goes to a judge and what comes back: one request, one answer, and the hash by which a request is known
again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from scoring.judges.catalogue import DataClass, JudgeEntry


@dataclass(frozen=True, slots=True)
class RequestMaterial:
    """What one question is about, for a judge that reads no prompt. `statement`: what holds where the
    criterion is met. `replies`: of the assistant, in the unit, with their `turns` from 1. `cites_turns`: the
    answer names turns.
    """

    criterion: str
    statement: str
    replies: tuple[str, ...]
    turns: tuple[int, ...]
    cites_turns: bool


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """One call. `schema` is None where the reply is text. `data_class` is that of the study the words come
    from. `history`: (role, text) of user and assistant before `user`, where a conversation is gone on with.
    `material`: of a call about one criterion.
    """

    system: str
    user: str
    schema: Mapping[str, Any] | None
    data_class: DataClass
    key: str
    history: tuple[tuple[str, str], ...] = ()
    material: RequestMaterial | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens. `output` holds the thinking, which is billed as output and said apart in `thought`; `cached` is
    part of `input`.
    """

    input: int = 0
    output: int = 0
    thought: int = 0
    cached: int = 0


@dataclass(frozen=True, slots=True)
class JudgeAnswer:
    """What a server made of a request. `status` is ok where there is a text to read; whether it can be read
    comes later.

    `detail`: a few words of ours or a code of the server, never text of a transcript. `wait`: seconds the
    server asked for.
    `exhausted`: no waiting helps, the quota is used up.
    """

    status: str
    text: str | None = None
    served: str | None = None
    response_id: str | None = None
    finish: str | None = None
    safety: tuple[str, ...] = ()
    usage: Usage | None = None
    wait: float | None = None
    exhausted: bool = False
    http: int | None = None
    detail: str = ""
    said: str | None = (
        None  # the server's own words about an error: kept where erasable text is kept, shown nowhere else
    )


@dataclass(frozen=True)
class BatchJob:
    """A batch job. `answers` by the request's id; what the service left out is not in it."""

    over: bool
    answers: Mapping[str, JudgeAnswer]


class BatchFailed(Exception):
    """A job could not be handed over or looked at; `answer` says in which way, like the answer to a call."""

    def __init__(self, answer: JudgeAnswer) -> None:
        super().__init__(answer.detail)
        self.answer = answer


class JudgeClient(Protocol):
    """`room`: how often over the usual number of output tokens may be written, for the one repair."""

    adapter: str

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Ask the judge once; what goes wrong is an answer with another status than "ok"."""

    async def hand_over(self, requests: Sequence[JudgeRequest], label: str) -> str:
        """Hand over a batch job of these requests under `label`; return its name. Raise BatchFailed."""

    async def find(self, label: str) -> str | None:
        """Return the name of the job handed over under `label`, or None. Raise BatchFailed."""

    async def look(self, job: str) -> BatchJob:
        """Return whether a job is over, with its answers by request id once it is. Raise BatchFailed."""

    async def call_off(self, job: str) -> None:
        """Cancel a batch job. Raise BatchFailed."""

    async def close(self) -> None:
        """Close the connections of the client."""


class DataClassGate:
    """A judge that never receives a data class that models.yaml does not allow it."""

    def __init__(self, judge: JudgeClient, entry: JudgeEntry) -> None:
        self._judge, self._entry = judge, entry
        self.adapter = judge.adapter

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Ask the judge; status "not_sent_policy" if its entry does not allow the request's data class."""
        if request.data_class not in self._entry.data_classes:
            return JudgeAnswer("not_sent_policy", detail=request.data_class)
        return await self._judge.ask(request, room)

    async def hand_over(self, requests: Sequence[JudgeRequest], label: str) -> str:
        """Hand over a batch job and return its name.

        Raise BatchFailed if it could not be, also for a data class that is not allowed.
        """
        for request in requests:
            if request.data_class not in self._entry.data_classes:
                raise BatchFailed(JudgeAnswer("not_sent_policy", detail=request.data_class))
        return await self._judge.hand_over(requests, label)

    async def find(self, label: str) -> str | None:
        """Return the name of the job handed over under this label, or None. Raise BatchFailed."""
        return await self._judge.find(label)

    async def look(self, job: str) -> BatchJob:
        """Return whether a job is over, with its answers by request id once it is. Raise BatchFailed."""
        return await self._judge.look(job)

    async def call_off(self, job: str) -> None:
        """Cancel a batch job. Raise BatchFailed."""
        await self._judge.call_off(job)

    async def close(self) -> None:
        """Close the connections of the client."""
        await self._judge.close()


class WithoutBatches:
    """The part of a judge that takes no batch jobs."""

    async def hand_over(self, requests: Sequence[JudgeRequest], label: str) -> str:
        """Raise BatchFailed: this judge takes no batch jobs."""
        raise BatchFailed(JudgeAnswer("rejected", detail="this judge takes no batch jobs"))

    async def find(self, label: str) -> str | None:
        """Return None: there are no batch jobs."""
        return None

    async def look(self, job: str) -> BatchJob:
        """Return an ended job without answers."""
        return BatchJob(True, {})

    async def call_off(self, job: str) -> None:
        """Do nothing: there are no batch jobs."""
        return None


def id_of(request: JudgeRequest) -> str:
    """Return the first 16 characters of the request's key: short enough for a model to write, long enough
    to be unique.
    """
    return request.key[:16]


def sha(value: str) -> str:
    """Return the SHA-256 of a text in hexadecimal; half surrogate pairs are allowed."""
    return hashlib.sha256(value.encode("utf-8", "surrogatepass")).hexdigest()


def schema_hash(schema: Mapping[str, Any] | None) -> str:
    """Return the SHA-256 of a JSON schema (or None), independent of the order of its keys."""
    return sha(json.dumps(schema, sort_keys=True, separators=(",", ":")))


def request_key(asked_as: JudgeEntry, system: str, user: str, schema_sha: str, replicate: int) -> str:
    """Return the SHA-256 of a request: provider, model, parameters, texts, schema and number of the
    repetition.

    Concurrency, timeouts and retries are no part of it. `system`, `user` and `schema_sha` are hashes.
    """
    values = [asked_as.provider, asked_as.model, asked_as.parameters(), system, user, schema_sha, replicate]
    return sha(json.dumps(values, sort_keys=True, separators=(",", ":")))
