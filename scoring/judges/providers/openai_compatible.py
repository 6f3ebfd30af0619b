"""Any server that speaks OpenAI's chat completions."""

from __future__ import annotations

from pathlib import Path

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeClient
from scoring.judges.judge_provider import JudgeProvider


class OpenAICompatibleProvider(JudgeProvider):
    takes_history = True

    @classmethod
    def check(cls, entry: JudgeEntry) -> None:
        """Raise ValueError if the entry lacks something that this provider needs."""
        super().check(entry)
        if not entry.base_url:
            raise ValueError(
                "an openai_compatible judge needs its base_url, such as http://127.0.0.1:8080/v1"
            )

    @classmethod
    def open(cls, entry: JudgeEntry, folder: Path) -> JudgeClient:
        """Return a client for the entry. Raise JudgeUnusable if it can't be made."""
        from scoring.judges.openai_compatible import OpenAICompatibleJudge

        return OpenAICompatibleJudge(entry)


PROVIDER = OpenAICompatibleProvider
