"""Answers recorded earlier, repeated without a model."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeClient
from scoring.judges.judge_provider import JudgeProvider


class ReplayProvider(JudgeProvider):
    takes_history = True
    address = "a file of recordings"
    replays = True

    @classmethod
    def check(cls, entry: JudgeEntry) -> None:
        """Raise ValueError if the entry lacks something that this provider needs."""
        if not entry.replays or not entry.recordings:
            raise ValueError(
                "a replay needs replays (the judge whose requests were recorded) and recordings (the file)"
            )
        cls.check_options(entry)

    @classmethod
    def missing(cls, entry: JudgeEntry, name: str, environ: Mapping[str, str], folder: Path) -> str | None:
        """Return what has to be set before the judge can be asked, in one sentence; None if nothing."""
        file = folder / str(entry.recordings)
        return None if file.is_file() else f"There is no file {file} with the recordings of {name}."

    @classmethod
    def open(cls, entry: JudgeEntry, folder: Path) -> JudgeClient:
        """Return a client for the entry. Raise JudgeUnusable if it can't be made."""
        from scoring.judges.replay import ReplayJudge

        return ReplayJudge(folder / str(entry.recordings))


PROVIDER = ReplayProvider
