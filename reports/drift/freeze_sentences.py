"""Sentences about conversations that may be fixed as anchors and those that were: for the Drift page and the
terminal.
"""

from __future__ import annotations

from services.anchors import FreezeOffer, FreezeResult


def offer_sentences(offer: FreezeOffer) -> list[str]:
    """Return a text on how many conversations can be fixed and how they are drawn, and a second one if some
    that failed in the set before stay in.
    """
    how_drawn = (
        f", {sum(offer.fails.values()):,} of them a failure. Up to half of a set are failures; the others "
        "are drawn at random"
        if offer.anchors.failure
        else ". This instrument marks no label as a failure, so all are drawn at random"
    )
    staying = [f"{len(offer.keep):,} that failed in the set before stay in."] if offer.keep else []
    return [
        f"{len(offer.fails):,} conversations have a settled label{how_drawn}. 50 to 100 conversations can "
        "tell a change of the judge from chance.",
        *staying,
    ]


def result_sentence(result: FreezeResult) -> str:
    """Return "Set 2 is fixed: 60 labels of 30 conversations.", or that the set holds exactly these
    already.
    """
    if result.already:
        return (
            f"Set {result.number} holds exactly these {result.labels:,} labels of {result.conversations:,} "
            "conversations already, so nothing changed."
        )
    return (
        f"Set {result.number} is fixed: {result.labels:,} labels of {result.conversations:,} conversations."
    )
