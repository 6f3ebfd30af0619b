"""A set of anchors is frozen: how many conversations, which of them, and what is said of it. On the Drift
page and in a terminal alike.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from data.anchors import freeze
from data.errors import Refused
from data.store import Store
from data.studies import Study
from reports.drift.anchor_rounds import AnchorDrift, on_anchors
from scoring.drift.anchor_choice import USUAL, choose

NOTHING_SETTLED = (
    "No label is settled yet. It takes labels that two clinicians gave alike blind, or that were settled "
    "between people on the "
    "Disagreements page."
)


@dataclass(frozen=True)
class FreezeOffer:
    """What may be frozen now."""

    anchors: AnchorDrift

    @cached_property
    def fails(self) -> dict[int, bool]:
        """Conversation -> whether one of its settled labels is a failure."""
        return self.anchors.failing(self.anchors.settled)

    @cached_property
    def keep(self) -> set[int]:
        """Those that failed in the set before and still do: they stay in."""
        before = self.anchors.failing(self.anchors.newest.labels if self.anchors.newest else {})
        return {talk for talk, failed in before.items() if failed and self.fails.get(talk)}

    @property
    def usual(self) -> int:
        return min(max(USUAL, len(self.keep)), len(self.fails))

    def lines(self) -> list[str]:
        """How many there are and how they are drawn."""
        how_drawn = (
            f", {sum(self.fails.values()):,} of them a failure. Up to half of a set are failures, the "
            "others are drawn by lot"
            if self.anchors.failure
            else ". This instrument marks no label as a failure, so all are drawn by lot"
        )
        staying = [f"{len(self.keep):,} that failed in the set before stay in."] if self.keep else []
        return [
            f"{len(self.fails):,} conversations have a settled label{how_drawn}. 50 to 100 conversations "
            "tell a change of the judge from chance.",
            *staying,
        ]


@dataclass(frozen=True)
class FreezeResult:
    """`already`: the newest set held exactly these labels, so that nothing was changed."""

    number: int
    labels: int
    conversations: int
    already: bool

    def sentence(self) -> str:
        if self.already:
            return (
                f"Set {self.number} holds exactly these {self.labels:,} labels of {self.conversations:,} "
                "conversations already; nothing was changed."
            )
        return f"Set {self.number} is frozen: {self.labels:,} labels of {self.conversations:,} conversations."


def freeze_anchors(store: Store, actor: str, study: Study, size: int | None = None) -> FreezeResult:
    """A set of `size` conversations, by default of as many as are usual, in one transaction. The lot is
    always the same for a study, so that nobody draws until they like the set, and drawing again from the same
    labels changes nothing. Raises Refused.
    """
    with store.writing(actor, "freeze anchors", study.id) as (connection, entry):
        offer = FreezeOffer(on_anchors(connection, study))
        if not offer.fails:
            raise Refused(NOTHING_SETTLED)
        wanted, least = offer.usual if size is None else size, max(1, len(offer.keep))
        if not least <= wanted <= len(offer.fails):
            raise Refused(f"Conversations: from {least:,} to {len(offer.fails):,}.")
        chosen = set(choose(offer.fails, wanted, study.key, offer.keep))
        labels = {
            key: label
            for key, label in offer.anchors.settled.items()
            if offer.anchors.conversation[key[0]] in chosen
        }
        before = offer.anchors.newest.number if offer.anchors.newest else 0
        number = freeze(connection, entry, study, labels)
    return FreezeResult(number, len(labels), len(chosen), number == before)
