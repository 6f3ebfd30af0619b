"""How the trail names a person: by name if they act on a page, by account if they act on the command line."""

from __future__ import annotations

COMMAND_LINE = "command line: "
LEAD = "study lead"  # on a page, a person who doesn't rate in the study


def command_line_actor(account: str) -> str:
    """Return the actor of a command that this account of the machine runs, such as "command line: ann"."""
    return f"{COMMAND_LINE}{account}"


def person_of(actor: str) -> str:
    """Return the name of the person or account: "ann" for "command line: ann", else the actor without extra
    blanks.
    """
    return " ".join(actor.removeprefix(COMMAND_LINE).split())
