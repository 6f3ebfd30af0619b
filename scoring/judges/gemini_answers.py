"""What Gemini answers, as answers of a judge. What the SDK does was measured: it raises nothing for a blocked
or truncated reply.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import httpx2
from google.auth.exceptions import GoogleAuthError
from google.auth.exceptions import TransportError as AuthUnreachable
from google.genai import errors, types

from scoring.judges.judge_client import JudgeAnswer, Usage
from scoring.judges.server_words import code, name, words

BLOCKED = {
    "SAFETY",
    "RECITATION",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "ESCALATION",
    "MODEL_ARMOR",
}
_SECONDS = re.compile(r"([0-9]+(?:\.[0-9]+)?)s")
_DIGITS = re.compile(r"\d{1,9}(\.\d+)?")
UNREACHABLE = (httpx2.HTTPError, OSError, AuthUnreachable)
TROUBLE = (
    errors.APIError,
    GoogleAuthError,
    *UNREACHABLE,
    ValueError,
    TypeError,
    AttributeError,
    LookupError,
    RecursionError,
)


def of_trouble(error: Exception) -> JudgeAnswer:
    """Return the answer for an exception that was raised instead of a response; never status "ok"."""
    if isinstance(error, errors.APIError):
        answer = of_error(error.code, error.status, error.details, error.message)
        return (
            answer
            if answer.wait is not None or answer.status not in ("quota", "transport")
            else replace(answer, wait=_header(error))
        )
    if isinstance(error, UNREACHABLE):
        return JudgeAnswer("transport", detail=type(error).__name__)
    if isinstance(error, GoogleAuthError):  # the enterprise platform looks for credentials at the first call
        return JudgeAnswer("refused_key", detail=type(error).__name__)
    return JudgeAnswer(
        "transport", detail=f"unreadable body ({type(error).__name__})"
    )  # not JSON, or not of the service's form


def of_response(response: types.GenerateContentResponse) -> JudgeAnswer:
    """Return the answer in a response; status "ok" only for a finished, non-empty text.

    The finish reason decides first: a text that was cut off ("truncated") or blocked ("blocked_prompt",
    "blocked_output") does not count, whatever it looks like. Else "invalid" or "transport".
    """
    common: dict[str, Any] = {
        "served": name(response.model_version),
        "response_id": code(response.response_id) or None,
        "usage": _usage(response.usage_metadata),
    }
    feedback = response.prompt_feedback
    if not response.candidates:
        if (
            feedback is None or not feedback.block_reason
        ):  # an answer of something else on the way says nothing of the conversation
            return JudgeAnswer(
                "invalid" if common["served"] else "transport", detail="the body holds no candidate", **common
            )
        reason = _name(feedback.block_reason)
        return JudgeAnswer(
            "blocked_prompt", detail=reason, finish=reason, safety=_ratings(feedback.safety_ratings), **common
        )
    candidate = response.candidates[0]
    finish = _name(candidate.finish_reason) if candidate.finish_reason else "none"
    common |= {"finish": finish, "safety": _ratings(candidate.safety_ratings)}
    parts = (candidate.content.parts if candidate.content else None) or []
    text = words("".join(part.text for part in parts if part.text and not part.thought))
    if finish in BLOCKED:
        return JudgeAnswer("blocked_output", detail=finish, text=text, **common)
    if finish == "MAX_TOKENS":
        return JudgeAnswer("truncated", detail=finish, text=text, **common)
    if finish != "STOP":
        return JudgeAnswer("invalid", detail=f"it ended with {finish}", text=text, **common)
    return (
        JudgeAnswer("ok", text=text, **common)
        if text
        else JudgeAnswer("invalid", detail="an empty reply", **common)
    )


def of_error(http: int, status: str | None, details: Any, message: str | None) -> JudgeAnswer:
    """Return the answer for an HTTP error: "refused_key", "quota", "gone", "rejected" or "transport".

    The message may repeat what was sent, so it is only in `said`.
    """
    body = details.get("error", details) if isinstance(details, dict) else {}
    error_details = body.get("details") if isinstance(body, dict) else None
    listed = (
        [item for item in error_details if isinstance(item, dict)] if isinstance(error_details, list) else []
    )
    common: dict[str, Any] = {
        "http": http,
        "detail": f"{http} {code(status)}".strip(),
        "said": words(message),
    }
    if http in (401, 403) or any(item.get("reason") == "API_KEY_INVALID" for item in listed):
        return JudgeAnswer("refused_key", **common)
    if http == 429:
        return JudgeAnswer("quota", wait=_hint(listed), exhausted=_exhausted(listed), **common)
    if http == 404:
        return JudgeAnswer("gone", **common)
    if 400 <= http < 500 and http not in (408, 409, 425):
        return JudgeAnswer("rejected", **common)
    return JudgeAnswer("transport", wait=_hint(listed), **common)


def _header(error: errors.APIError) -> float | None:
    """What a proxy on the way says in place of the service."""
    said = getattr(error.response, "headers", {}).get("retry-after", "")
    return float(said) if _DIGITS.fullmatch(said) else None


def _hint(listed: Iterable[Mapping[str, Any]]) -> float | None:
    for item in listed:
        found = _SECONDS.fullmatch(str(item.get("retryDelay", "")))
        if found:
            return float(found.group(1))
    return None


def _exhausted(listed: Iterable[Mapping[str, Any]]) -> bool:
    """A limit for the day, or of nothing at all, is not waited for."""
    for item in listed:
        violations = item.get("violations")
        for violation in violations if isinstance(violations, list) else []:
            if isinstance(violation, dict) and (
                "PerDay" in f"{violation.get('quotaId')} {violation.get('quotaMetric')}"
                or str(violation.get("quotaValue", "")) == "0"
            ):
                return True
    return False


def _usage(found: types.GenerateContentResponseUsageMetadata | None) -> Usage | None:
    if found is None:
        return None
    thought = found.thoughts_token_count or 0
    return Usage(
        found.prompt_token_count or 0,
        (found.candidates_token_count or 0) + thought,
        thought,
        found.cached_content_token_count or 0,
    )


def _ratings(found: Iterable[types.SafetyRating] | None) -> tuple[str, ...]:
    return tuple(
        f"{_name(one.category)}={_name(one.probability)}{' blocked' if one.blocked else ''}"
        for one in found or ()
    )


def _name(value: Any) -> str:
    return code(getattr(value, "name", value)) or "an unknown reason"
