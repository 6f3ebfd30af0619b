"""Entailment with a cross-encoder that has three labels."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.entailment import VERDICTS, Verdict
from scoring.models.model_settings import EntailmentEntry, ModelEntry, ModelMissing, entailment
from scoring.models.pair_scorer import open_pair_scorer


class Entailer:
    """Says of each (premise, hypothesis) whether the second follows from the first. `label` names model and
    weights.

    Raises ModelMissing where the weights are absent, are not those of the configuration, or have other
    labels.
    """

    def __init__(self, entry: ModelEntry) -> None:
        self._scorer = open_pair_scorer(entry)
        self._order = label_order(self._scorer.labels, entry.name)
        self.name, self.sha256, self.label = entry.name, self._scorer.sha256, self._scorer.label

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict | None]:
        """Return one verdict per (premise, hypothesis) pair, in order."""
        return [self._order[number] for number in self._scorer.scores(pairs).argmax(axis=1)]


def label_order(labels: Sequence[str], name: str) -> tuple[Verdict, ...]:
    """Return the verdict that each of the model's labels means, in order, ignoring letter case.

    Raise ModelMissing unless they are exactly the three verdicts.
    """
    order = tuple(verdict for label in labels for verdict in VERDICTS if verdict == label.strip().lower())
    if sorted(order) != sorted(VERDICTS) or len(labels) != len(order):
        raise ModelMissing(
            f"The model {name} has the labels {', '.join(labels)}; needed are {', '.join(VERDICTS)}. "
            f"Add another model, or correct id2label in the model's config.json."
        )
    return order


def configured_entailer() -> Entailer:
    """Return the model of entailment.yaml. Raise ModelMissing if there is none or it can't be used."""
    entry: EntailmentEntry = entailment().entry()
    return Entailer(entry)
