"""The conversation of a unit, to be read beside something else."""

from __future__ import annotations

from collections.abc import Sequence

from data.answers import Span
from data.studies import Study
from data.units import Unit
from pages.widgets import untrusted_text
from scoring.transcripts import Message, turn_numbers

HEIGHT = 563  # of what stands beside it: fits a window of 768 below the navigation and the heading


def unit_text(study: Study, unit: Unit, messages: list[Message] | None) -> None:
    """With a scroll of its own. Instructions to the assistant stay out: they may be the very condition under
    study.
    """
    if messages is None:
        untrusted_text.paragraph(
            "The text of this conversation is not here: it was erased, or only its labels were imported."
        )
        return
    names = {"user": study.role_names[0], "assistant": study.role_names[1]}
    turns = turn_numbers([message.role for message in messages])
    untrusted_text.conversation(
        [
            (
                f"{turn or ''}  {names[message.role]}",
                message.text or "(empty message)",
                unit.message == number,
            )
            for number, (message, turn) in enumerate(zip(messages, turns, strict=True))
            if message.role in names
        ]
    )


def quotes(spans: Sequence[Span], messages: list[Message] | None) -> list[str]:
    """The marked words with their turn. The browser counts in UTF-16 units."""
    if messages is None:
        return []
    turns = turn_numbers([message.role for message in messages])
    quotations = []
    for span in spans:
        if span.message < len(messages):
            text = (
                messages[span.message]
                .text.encode("utf-16-le", "surrogatepass")[2 * span.start : 2 * span.end]
                .decode("utf-16-le", "replace")
            )
            quotations.append(f"turn {turns[span.message] or '?'}: “{text}”")
    return quotations
