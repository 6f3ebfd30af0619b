"""What a judge provider is: one class that knows which settings it needs, and how a request is asked.

Ours are in scoring/judges/providers; another package names its class in an entry point of the group
second_reader.judges: docs/add_judge_provider.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeAnswer, JudgeClient, JudgeRequest, WithoutBatches


@dataclass(frozen=True)
class JudgeScope:
    """What a judge may be asked. `criteria`: None for all. `left_out`: keys of conversations, because it
    learned from their labels; `study` and `instrument` (key and version): whose they are, None where it
    learned nothing.
    """

    criteria: frozenset[str] | None = None
    left_out: frozenset[str] = frozenset()
    study: str | None = None
    instrument: str | None = None


class JudgeProvider(WithoutBatches):
    """`adapter`: name and version of what speaks to the service, kept with every attempt. `address`: in
    words,
    where requests go if the entry has no base_url. `replays`: repeats what another judge answered. `options`:
    the names that may stand under options in models.yaml, all of them part of the judge's identity.
    `takes_history`: sends what stood before the question as messages of its own. `reads_prompt`: sends the
    prompt, and does not read the material of a request instead.
    """

    adapter: str = ""
    address: str = ""
    replays: bool = False
    options: frozenset[str] = frozenset()
    takes_history: bool = False
    reads_prompt: bool = True

    def __init__(self, entry: JudgeEntry) -> None:
        self.entry = entry

    @classmethod
    def check(cls, entry: JudgeEntry) -> None:
        """Raise ValueError, with a sentence for the person who edits models.yaml."""
        if entry.safety or entry.enterprise or entry.thinking_budget is not None or entry.thinking_level:
            raise ValueError("safety, enterprise and thinking belong to the provider gemini")
        cls.check_options(entry)

    @classmethod
    def check_options(cls, entry: JudgeEntry) -> None:
        """Raise ValueError for an option in the entry that the provider does not have."""
        unknown = sorted(set(entry.options) - cls.options)
        if unknown:
            listed = ", ".join(sorted(cls.options)) or "none"
            raise ValueError(f"{entry.provider} has no option {unknown[0]!r}; its options: {listed}")

    @classmethod
    def takes_batches(cls, entry: JudgeEntry) -> bool:
        """Tell whether the provider offers cheaper batch jobs for this entry; by default False."""
        return False

    @classmethod
    def missing(cls, entry: JudgeEntry, name: str, environ: Mapping[str, str], folder: Path) -> str | None:
        """Return what besides the key has to be set before the judge `name` can be asked, in one sentence.

        None if nothing, which is the default. `folder` is that of models.yaml.
        """
        return None

    @classmethod
    def scope(cls, entry: JudgeEntry, folder: Path) -> JudgeScope:
        """Return what the judge may be asked; by default everything. Raise BadInput if it can't be
        determined.
        """
        return JudgeScope()

    @classmethod
    def open(cls, entry: JudgeEntry, folder: Path) -> JudgeClient:
        """Return one client for a whole run. Raise JudgeUnusable if it can't be made."""
        return cls(entry)

    async def ask(self, request: JudgeRequest, room: int = 1) -> JudgeAnswer:
        """Make one call. What goes wrong is an answer with another status than "ok", never an exception.

        `room`: how often over the usual number of output tokens may be written.
        """
        raise NotImplementedError

    async def close(self) -> None:
        """Close the connections of the client; by default nothing."""
        return None


def missing_variable(variable: str, what: str, name: str, environ: Mapping[str, str]) -> str | None:
    """Return a sentence that environment variable `variable` has to be set for the judge `name`; None if it
    is.

    A blank value counts as not set. `what` is what it has to be set to.
    """
    if environ.get(variable, "").strip():
        return None
    return f"Set the environment variable {variable} to {what} of {name}, and start the program again."
