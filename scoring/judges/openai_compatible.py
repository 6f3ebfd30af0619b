"""Any server that speaks OpenAI's chat completions: vLLM, Ollama, llama.cpp, Groq. The SDK is an extra."""

from __future__ import annotations

import logging
import os
from typing import Any

from scoring.judges.catalogue import JudgeEntry, JudgeUnusable
from scoring.judges.judge_client import JudgeAnswer, JudgeRequest, Usage, WithoutBatches
from scoring.judges.server_words import code, name, words

try:
    import openai
except ImportError:  # pragma: no cover  the extra is installed where the tests run
    raise JudgeUnusable(
        "A judge behind an OpenAI-compatible server needs the package openai. In the program's folder: "
        ".venv/bin/pip install openai==3.54.0"
    ) from None

# At DEBUG, which OPENAI_LOG and a root logger may ask for, the SDK writes every request with its messages.
logging.getLogger("openai").setLevel(logging.WARNING)


class OpenAICompatibleJudge(WithoutBatches):
    """Retries are not the SDK's, so that every attempt is in the ledger."""

    adapter = f"openai {openai.__version__}"

    def __init__(self, entry: JudgeEntry) -> None:
        self._entry = entry
        key = os.environ.get(entry.key, "").strip() if entry.key else ""
        # What goes to one place is not sent on to another: no redirects, and no proxy between this machine
        # and itself.
        http = openai.DefaultAsyncHttpxClient(follow_redirects=False, trust_env=not entry.here)
        self.client = openai.AsyncOpenAI(
            base_url=entry.base_url,
            api_key=key or "none",
            max_retries=0,
            timeout=entry.timeout_seconds,
            http_client=http,
        )

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Ask the judge once; what goes wrong is an answer with another status than "ok"."""
        sent: dict[str, Any] = {"max_tokens": self._entry.max_output_tokens * room}
        if request.schema is not None:
            sent["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "answer", "strict": True, "schema": dict(request.schema)},
            }
        if self._entry.temperature is not None:
            sent["temperature"] = self._entry.temperature
        if self._entry.seed is not None:
            sent["seed"] = self._entry.seed
        try:
            completion = await self.client.chat.completions.create(
                model=self._entry.model,
                messages=_messages(request),
                **sent,
            )
            return _of_completion(completion)
        except openai.APIStatusError as error:
            return _of_status(error)
        except (openai.APIError, OSError) as error:
            return JudgeAnswer("transport", detail=type(error).__name__)
        except (
            ValueError,
            TypeError,
            AttributeError,
            LookupError,
            RecursionError,
        ) as error:  # a body that is not JSON, or not of this form
            return JudgeAnswer("transport", detail=f"unreadable body ({type(error).__name__})")

    async def close(self) -> None:
        """Close the connections of the client."""
        await self.client.close()


def _messages(request: JudgeRequest) -> list[openai.types.chat.ChatCompletionMessageParam]:
    """The question, with what stood before it as messages of both sides."""
    messages: list[openai.types.chat.ChatCompletionMessageParam] = [
        {"role": "system", "content": request.system}
    ]
    for role, text in request.history:
        if role == "assistant":
            messages.append({"role": "assistant", "content": text})
        else:
            messages.append({"role": "user", "content": text})
    return [*messages, {"role": "user", "content": request.user}]


def _of_completion(completion: Any) -> JudgeAnswer:
    """Finish reason first. A server that answers with something else entirely is told apart from a model that
    does.
    """
    choices = getattr(completion, "choices", None)
    if not choices:
        return JudgeAnswer("transport", detail="the body holds no choice")
    common: dict[str, Any] = {
        "served": name(completion.model),
        "response_id": code(completion.id) or None,
        "finish": code(choices[0].finish_reason) or "none",
        "usage": _usage(completion.usage),
    }
    message = choices[0].message
    text = words(message.content) if message else None
    if common["finish"] == "content_filter":
        return JudgeAnswer("blocked_output", detail="content_filter", text=text, **common)
    if message is not None and getattr(message, "refusal", None):
        return JudgeAnswer("blocked_output", detail="refusal", text=words(message.refusal), **common)
    if common["finish"] == "length":
        return JudgeAnswer("truncated", detail="length", text=text, **common)
    if common["finish"] != "stop":
        return JudgeAnswer("invalid", detail=f"it ended with {common['finish']}", text=text, **common)
    return (
        JudgeAnswer("ok", text=text, **common)
        if text
        else JudgeAnswer("invalid", detail="an empty reply", **common)
    )


def _usage(completion_usage: Any) -> Usage | None:
    """None where the server does not count, or counts in a way of its own."""
    thinking, details = (
        getattr(completion_usage, "completion_tokens_details", None),
        getattr(completion_usage, "prompt_tokens_details", None),
    )
    counts: list[Any] = [
        getattr(completion_usage, "prompt_tokens", None),
        getattr(completion_usage, "completion_tokens", None),
        getattr(thinking, "reasoning_tokens", None) or 0,
        getattr(details, "cached_tokens", None) or 0,
    ]
    return Usage(*counts) if all(isinstance(count, int) and count >= 0 for count in counts) else None


def _of_status(error: openai.APIStatusError) -> JudgeAnswer:
    http, kind = error.status_code, code(error.code or error.type)
    common: dict[str, Any] = {"http": http, "detail": f"{http} {kind}".strip(), "said": words(error.message)}
    if http in (401, 403):
        return JudgeAnswer("refused_key", **common)
    if http == 429:
        return JudgeAnswer("quota", wait=_after(error), exhausted=kind == "insufficient_quota", **common)
    if http == 404:
        return JudgeAnswer("gone", **common)
    if kind == "content_filter":
        return JudgeAnswer("blocked_prompt", **common)
    if 400 <= http < 500 and http not in (408, 409, 425):
        return JudgeAnswer("rejected", **common)
    return JudgeAnswer("transport", wait=_after(error), **common)


def _after(error: openai.APIStatusError) -> float | None:
    try:
        return max(0.0, float(error.response.headers.get("retry-after", "")))
    except ValueError:
        return None
