"""The conversation of a unit, shown next to something else."""

from __future__ import annotations

from collections.abc import Sequence

from data.record.answers import Span
from data.record.studies import Study
from data.record.units import Unit
from pages.widgets import untrusted_text
from pages.widgets.page_scripts.scroll_to import scroll_to
from scoring.transcripts import Message, cut_marked, has_thoughts, turn_numbers

THOUGHTS = "starts with thoughts that the user did not see"
HEIGHT = 563  # height in pixels: fits a window of 768 below the navigation and the heading


def unit_text(
    study: Study,
    unit: Unit,
    messages: list[Message] | None,
    with_instructions: bool = False,
    came_for: int = 0,
) -> None:
    """Show the conversation in its own scroll area. Instructions to the assistant are left out if they may
    reveal the condition under study. `came_for`: the turn to mark and scroll to; 0 for none.
    """
    if messages is None:
        untrusted_text.paragraph(
            "This conversation has no text: it was erased, or only its labels were imported."
        )
        return
    names = {"user": study.role_names[0], "assistant": study.role_names[1]}
    if with_instructions:
        names["system"] = "Instructions to the assistant"
    turns = turn_numbers([message.role for message in messages])
    shown = [
        (number, turn, message)
        for number, (message, turn) in enumerate(zip(messages, turns, strict=True))
        if message.role in names
    ]
    first = next((place for place, (_, turn, _) in enumerate(shown) if came_for and turn == came_for), -1)
    untrusted_text.conversation(
        [
            (
                f"{turn or ''}  {names[message.role]}{_tag(message)}",
                message.text or "(empty message)",
                unit.message == number or (turn == came_for and came_for > 0),
            )
            for number, turn, message in shown
        ],
        (first, f"Turn {came_for}, which you opened."),
    )
    if first >= 0:
        scroll_to(untrusted_text.CAME_FOR, f"{study.id} {unit.position} {came_for}")


def _tag(message: Message) -> str:
    return f" · {THOUGHTS}" if has_thoughts(message.role, message.text) else ""


def quotes(spans: Sequence[Span], messages: list[Message] | None) -> list[str]:
    """Return the marked words of each span as "turn 2: “words”"; "turn ?" for a message without a turn.

    Spans count UTF-16 units, as browsers do; those of an unknown message are left out. [] if `messages` is
    None.
    """
    if messages is None:
        return []
    turns = turn_numbers([message.role for message in messages])
    quotations = []
    for span in spans:
        if span.message < len(messages):
            text = cut_marked(messages[span.message].text, span.start, span.end)
            quotations.append(f"turn {turns[span.message] or '?'}: “{text}”")
    return quotations
