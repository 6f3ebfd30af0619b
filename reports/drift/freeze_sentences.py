"""Sentences about conversations that may be fixed as anchors and those that were: for the Drift page and the
terminal.
"""

from __future__ import annotations

from services.anchors import FreezeOffer, FreezeResult
from words.plurals import count


def offer_sentences(offer: FreezeOffer) -> list[str]:
    """Return a text on how many conversations can be fixed and how they are drawn, and a second one if some
    that failed in the set before stay in.
    """
    how_drawn = (
        f", {sum(offer.fails.values()):,} of them with a failure. At most half of a set are conversations "
        "with a failure; the rest are chosen at random"
        if offer.anchors.failure
        else ". This instrument marks no label as a failure, so the whole set is chosen at random"
    )
    staying = [f"The {len(offer.keep):,} with a failure in the previous set stay in."] if offer.keep else []
    return [
        f"{count(len(offer.fails), 'conversation has', 'conversations have')} a settled label{how_drawn}. "
        "With 50 to 100 conversations, a real change in the judge can be told apart from chance.",
        *staying,
    ]


def result_sentence(result: FreezeResult) -> str:
    """Return "Set 2 is fixed: 60 labels of 30 conversations.", or that the set holds exactly these
    already.
    """
    if result.already:
        return (
            f"Set {result.number} already has exactly these {result.labels:,} labels for "
            f"{result.conversations:,} conversations, so nothing was changed."
        )
    return (
        f"Set {result.number} is locked: {result.labels:,} labels for {result.conversations:,} conversations."
    )
