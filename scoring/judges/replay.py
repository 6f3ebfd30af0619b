"""Recorded answers, found by the exact request. A request that was not recorded is refused, never
answered.
"""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import ValidationError

from scoring.instruments import Strict
from scoring.judges.catalogue import JudgeUnusable
from scoring.judges.judge_client import JudgeAnswer, JudgeRequest, WithoutBatches


class Recording(Strict):
    """One line of a file of recordings. `served`: the model that answered, or who wrote the answer."""

    key: str
    reply: str
    served: str | None = None


class ReplayJudge(WithoutBatches):
    adapter = "replay 1"

    def __init__(self, path: Path) -> None:
        self._known = read_recordings(path)

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Return the recorded answer to the request; status "not_recorded" if there is none."""
        recording = self._known.get(request.key)
        return (
            JudgeAnswer("not_recorded")
            if recording is None
            else JudgeAnswer("ok", text=recording.reply, served=recording.served, finish="STOP")
        )

    async def close(self) -> None:
        """Do nothing: there are no connections."""
        return None


def read_recordings(path: Path) -> dict[str, Recording]:
    """Return key -> recording from a file with one JSON object per line; blank lines are skipped.

    Raise JudgeUnusable if the file can't be read, a line is no recording, or two lines with one key differ.
    """
    recordings: dict[str, Recording] = {}
    try:
        lines = path.read_text(encoding="utf-8").split(
            "\n"
        )  # not splitlines: a text may hold other line ends
    except (OSError, UnicodeDecodeError) as error:
        raise JudgeUnusable(
            f"The recordings {path.name} cannot be read: "
            f"{getattr(error, 'strerror', None) or 'not UTF-8 text'}."
        ) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            recording = Recording.model_validate(json.loads(line))
        except (ValueError, ValidationError, RecursionError):
            raise JudgeUnusable(
                f"{path.name}, line {number}: not a recording; expected key, reply and served."
            ) from None
        if recordings.setdefault(recording.key, recording) != recording:
            raise JudgeUnusable(
                f"{path.name}, line {number}: another answer to the request of an earlier line."
            )
    return recordings
