"""Gemini, through its public service or Google's enterprise platform."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scoring.judges.catalogue import JudgeEntry, JudgeUnusable
from scoring.judges.judge_client import JudgeClient
from scoring.judges.judge_provider import JudgeProvider, missing_variable


class GeminiProvider(JudgeProvider):
    takes_history = True
    address = "the Gemini API"

    @classmethod
    def check(cls, entry: JudgeEntry) -> None:
        """Raise ValueError if the entry lacks something that this provider needs."""
        cls.check_options(entry)
        if entry.key is None and entry.enterprise is None:
            raise ValueError(
                "name the environment variable with the key (key: GEMINI_API_KEY), or enterprise"
            )

    @classmethod
    def takes_batches(cls, entry: JudgeEntry) -> bool:
        """Only Gemini's own service has the cheaper jobs."""
        return entry.enterprise is None

    @classmethod
    def missing(cls, entry: JudgeEntry, name: str, environ: Mapping[str, str], folder: Path) -> str | None:
        """Return what has to be set before the judge can be asked, in one sentence; None if nothing."""
        if entry.enterprise and (
            sentence := missing_variable(entry.enterprise.project, "the project", name, environ)
        ):
            return sentence
        if entry.enterprise and not entry.base_url and environ.get("GOOGLE_VERTEX_BASE_URL"):
            return (
                f"The environment variable GOOGLE_VERTEX_BASE_URL would send the calls of {name} "
                "elsewhere. Unset it, or put the address into base_url."
            )
        return None

    @classmethod
    def open(cls, entry: JudgeEntry, folder: Path) -> JudgeClient:
        """Return a client for the entry. Raise JudgeUnusable if it can't be made."""
        from scoring.judges.gemini import GeminiJudge

        try:
            return GeminiJudge(entry)
        except Exception as error:  # noqa: BLE001  the enterprise platform looks for credentials here, and says so in many ways
            raise JudgeUnusable(
                f"The Gemini client could not be made ({type(error).__name__}). On the enterprise platform "
                "it needs credentials: gcloud auth application-default login."
            ) from None


PROVIDER = GeminiProvider
