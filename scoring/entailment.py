"""Does one text follow from another? What a model that answers this must offer. No torch here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, Protocol

Verdict = Literal["entailment", "neutral", "contradiction"]
ENTAILMENT: Verdict = "entailment"
NEUTRAL: Verdict = "neutral"
CONTRADICTION: Verdict = "contradiction"
VERDICTS: tuple[Verdict, ...] = (ENTAILMENT, NEUTRAL, CONTRADICTION)

Ask = Callable[[str, str], str | None]
"""(premise, hypothesis) -> one of VERDICTS; None where the model failed: a failure is no verdict."""


class EntailmentModel(Protocol):
    """Judges (premise, hypothesis) pairs, one verdict a pair, in order; `label` names model and weights.

    `neutral`: the hypothesis neither follows from the premise nor contradicts it. None: the model failed on
    the pair, which is no verdict.
    """

    label: str

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Verdict | None]:
        """Return one verdict per pair, in order; None where the model failed."""


def one_by_one(model: EntailmentModel) -> Ask:
    """Return a function (premise, hypothesis) -> verdict (None if the model failed) that asks `model` one
    pair.
    """
    return lambda premise, hypothesis: model.verdicts([(premise, hypothesis)])[0]
