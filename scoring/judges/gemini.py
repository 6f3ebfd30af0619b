"""Gemini through google-genai: one call, or many handed over as a batch job (gemini_batch.py)."""

from __future__ import annotations

import os
import warnings
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, TypeVar

from google import genai
from google.genai import types

from scoring.judges import gemini_batch
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.gemini_answers import TROUBLE, of_response, of_trouble
from scoring.judges.judge_client import BatchFailed, BatchJob, JudgeAnswer, JudgeRequest

Result = TypeVar("Result")
# Where a code is unknown to the SDK, it writes that word of the server into the log.
warnings.filterwarnings("ignore", category=UserWarning, module=r"google\.genai\._common")
PUBLIC = "https://generativelanguage.googleapis.com/"


class GeminiJudge:
    """One client for a whole run. Retries are not the SDK's: it does not read the server's hints."""

    adapter = f"google-genai {genai.__version__}"

    def __init__(self, entry: JudgeEntry) -> None:
        self._entry, self.model = entry, entry.model
        # What goes to one place is not sent on to another: no redirects, and no proxy between this machine
        # and itself.
        options = types.HttpOptions(
            base_url=entry.base_url,
            timeout=int(entry.timeout_seconds * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
            async_client_args={"follow_redirects": False, "trust_env": not entry.here},
        )
        if entry.enterprise:
            project = os.environ.get(entry.enterprise.project)
            self.client = genai.Client(
                enterprise=True, project=project, location=entry.enterprise.location, http_options=options
            )
        else:
            # Said in full: the SDK would let variables of the environment choose another platform or address.
            options.base_url = entry.base_url or PUBLIC
            self.client = genai.Client(
                enterprise=False,
                api_key=os.environ.get(entry.key or "", "").strip() or "none",
                http_options=options,
            )
        self._configs: dict[tuple[str, int, int], tuple[Any, types.GenerateContentConfig]] = {}

    def config(self, request: JudgeRequest, room: int = 1) -> types.GenerateContentConfig:
        """Return the configuration of a request, reused for the same system prompt, schema and room.

        To make one takes longer than to send the request.
        """
        known = (request.system, id(request.schema), room)
        if known not in self._configs:
            # The schema is kept with it: as long as it is there, its id is no other schema's.
            self._configs[known] = request.schema, self.made(request.system, request.schema, room)
        return self._configs[known][1]

    def made(
        self, system: str, schema: Mapping[str, Any] | None, room: int = 1
    ) -> types.GenerateContentConfig:
        """Return a new configuration; `room` multiplies the entry's max_output_tokens."""
        entry = self._entry
        sent: dict[str, Any] = {
            "system_instruction": system,
            "max_output_tokens": entry.max_output_tokens * room,
        }
        if schema is not None:
            sent |= {"response_mime_type": "application/json", "response_json_schema": schema}
        if entry.temperature is not None:
            sent["temperature"] = entry.temperature
        if entry.seed is not None:
            sent["seed"] = entry.seed
        if entry.thinking_budget is not None or entry.thinking_level is not None:
            level = types.ThinkingLevel(entry.thinking_level) if entry.thinking_level else None
            sent["thinking_config"] = types.ThinkingConfig(
                thinking_budget=entry.thinking_budget, thinking_level=level
            )
        if entry.safety:
            sent["safety_settings"] = [
                types.SafetySetting(
                    category=types.HarmCategory(category), threshold=types.HarmBlockThreshold(threshold)
                )
                for category, threshold in entry.safety.items()
            ]
        return types.GenerateContentConfig(**sent)

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Ask the judge once; what goes wrong is an answer with another status than "ok"."""
        try:
            return of_response(
                await self.client.aio.models.generate_content(
                    model=self.model, contents=_contents(request), config=self.config(request, room)
                )
            )
        except TROUBLE as error:
            return of_trouble(error)

    async def hand_over(self, requests: Sequence[JudgeRequest], label: str) -> str:
        """Hand over a batch job of these requests under `label`; return its name. Raise BatchFailed."""
        return await _or_batch_failed(gemini_batch.hand_over(self, requests, label))

    async def find(self, label: str) -> str | None:
        """Return the name of the job handed over under `label`, or None. Raise BatchFailed."""
        return await _or_batch_failed(gemini_batch.find(self, label))

    async def look(self, job: str) -> BatchJob:
        """Return whether a job is over, with its answers by request id once it is. Raise BatchFailed."""
        return await _or_batch_failed(gemini_batch.look(self, job))

    async def call_off(self, job: str) -> None:
        """Cancel a batch job. Raise BatchFailed."""
        await _or_batch_failed(gemini_batch.call_off(self, job))

    async def close(self) -> None:
        """Close the connections of the client."""
        await self.client.aio.aclose()


async def _or_batch_failed(call: Awaitable[Result]) -> Result:
    """The result of a call about batch jobs. Raises BatchFailed for what the SDK raises."""
    try:
        return await call
    except TROUBLE as error:
        raise BatchFailed(of_trouble(error)) from None


def _contents(request: JudgeRequest) -> Any:
    """The question alone, or with what stood before it as messages of both sides."""
    if not request.history:
        return request.user
    return [
        types.Content(role="model" if role == "assistant" else "user", parts=[types.Part(text=text)])
        for role, text in (*request.history, ("user", request.user))
    ]
