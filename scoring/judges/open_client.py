"""From the name of a judge to a judge that can be asked. Each SDK is imported when first needed."""

from __future__ import annotations

from scoring.judges.catalogue import Catalogue, JudgeEntry, JudgeUnusable
from scoring.judges.judge_client import DataClassGate, JudgeClient


def open_judge_client(catalogue: Catalogue, name: str) -> DataClassGate:
    """Raises JudgeUnusable where a key, a file or a package is missing."""
    entry = catalogue.entry(name)
    missing = catalogue.missing(name)
    if missing:
        raise JudgeUnusable(missing)
    return DataClassGate(_adapter(catalogue, entry), entry)


def _adapter(catalogue: Catalogue, entry: JudgeEntry) -> JudgeClient:
    if entry.provider == "replay":
        from scoring.judges.replay import ReplayJudge

        return ReplayJudge(catalogue.recordings(entry))
    if entry.provider == "openai_compatible":
        from scoring.judges.openai_compatible import OpenAICompatibleJudge

        return OpenAICompatibleJudge(entry)
    from scoring.judges.gemini import GeminiJudge

    try:
        return GeminiJudge(entry)
    except Exception as error:  # noqa: BLE001  the enterprise platform looks for credentials here, and says so in many ways
        raise JudgeUnusable(
            f"The Gemini client could not be made ({type(error).__name__}). On the enterprise platform it "
            "needs credentials: "
            "gcloud auth application-default login."
        ) from None
