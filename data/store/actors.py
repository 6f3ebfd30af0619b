"""How the trail names whoever did something: a person of a page by name, a person of the command line by
their account.
"""

from __future__ import annotations

COMMAND_LINE = "command line: "
LEAD = "study lead"  # of a page, somebody who does not rate in the study


def command_line_actor(account: str) -> str:
    return f"{COMMAND_LINE}{account}"


def person_of(actor: str) -> str:
    """The name of the person or account, without the way they came."""
    return " ".join(actor.removeprefix(COMMAND_LINE).split())
