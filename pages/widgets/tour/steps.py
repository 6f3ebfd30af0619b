"""What each step of a tour says, and the element that it points at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Role = Literal["rater", "lead"]


@dataclass(frozen=True)
class TourStep:
    """`targets`: selectors of the page or of its components, of which the first that is drawn counts.
    `clear`: of what is read beside it and stays uncovered.
    """

    title: str
    text: str
    targets: tuple[str, ...]
    clear: tuple[str, ...] = ()


STEPS: dict[Role, tuple[TourStep, ...]] = {
    "rater": (
        TourStep(
            "Rate with a key",
            "Press the key that stands on the label. It is saved at once, and the next question comes.",
            (".pad .row.focus", ".pad"),
        ),
        TourStep(
            "Say why",
            "Select words and press E: they become evidence. O opens a note. Right after a label both go to "
            "the question that you just answered.",
            (".transcript",),
        ),
        TourStep(
            "Commit, then compare",
            "Ctrl+Enter commits your labels: they stay as you gave them. Then compare with the judge, if "
            "your study shows it; G changes a label, with a reason.",
            (".pad footer .main", ".pad footer", ".pad"),
        ),
        TourStep(
            "Nothing is lost",
            "At the top right stands when it was saved: in the database. Here is your list and, after some "
            "conversations, the time left. All keys: ?",
            (".rail",),
        ),
    ),
    "lead": (
        TourStep(
            "The answer first",
            "How far the judge may be trusted. Below it a line a criterion: a shape, a word and a colour "
            "each. A press opens the line.",
            (".st-key-answer-page .sr-h1",),
            (".evidence", ".sr-needs", ".stColumn:has(.sr-needs) .sr-h2"),
        ),
        TourStep(
            "What needs you",
            "Each has its one step: what to settle, to read or to start.",
            (".sr-needs", ".st-key-answer-page .sr-h1"),
            (".evidence",),
        ),
        TourStep(
            "Set-up",
            "Who rates what, and the link to hand out to each rater.",
            ('[data-name="menu Set-up"]', ".bar .fold"),
        ),
        TourStep(
            "Help",
            "Opens at the paragraph about the page you are on, also with ?. G and a letter goes to a page.",
            (".bar .help", ".bar .fold"),
        ),
    ),
}
