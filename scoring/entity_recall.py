"""Which critical entities of a case are still there: recall, precision, F1 and hallucinated rate, turn by
turn.

A critical entity (gold) is recalled when something that was predicted matches it and no mention of it in the
text is negated. What counts as predicted has two variants, and a curve says which one it is:

- `extracted`: what an entity recogniser finds in the text of the turn (the published program uses scispaCy).
- `searched`: no recogniser is there. The gold entities themselves are looked up in the text as whole words,
with the
  same negation rule. That gives recall; precision and the rest are undefined, because nothing else is
  predicted.

Matching and negation follow the published program; where it prints 0.0 for "nothing there" the product has
None.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import BadInput, text, texts
from scoring.entailment import ENTAILMENT, Ask

Tier = Literal["exact", "part", "words", "entailed"]
Variant = Literal["extracted", "searched"]

NEGATIONS = frozenset({"no", "not", "denies", "denied", "without", "never", "none"})
WINDOW = 5  # words before a mention in which a negation counts

_ASCII_WORD = re.compile(r"[a-z0-9]+")
_WORD = re.compile(r"\w+")
_NO_GOLD = "the case names no critical entity"
_NO_PREDICTION = "nothing was predicted for this turn"
_NOT_PREDICTED = "without an entity recogniser only the critical entities are looked for"
_NO_TEXT = "there is no text of this turn"


class EntityRecogniser(Protocol):
    """`label` names the model, its version and its files."""

    label: str

    def entities(self, text: str) -> list[str]:
        """Return the entities found in a text, in the words of the text."""
        ...


@dataclass(frozen=True)
class EntityScores:
    """One turn. Shares from 0 to 1: of the gold entities (recall), of the predicted ones (precision,
    hallucinated).

    `reference` holds the four numbers as the published program prints them, 0.0 or 1.0 where nothing is
    there; None in the variant `searched`, which it does not have.
    """

    recall: Estimate
    precision: Estimate
    f1: Estimate
    hallucinated_rate: Estimate
    recalled: tuple[str, ...]
    reference: dict[str, float] | None


def is_negated(entity: str | None, text_of_turn: str | None) -> bool:
    """Tell whether any mention of the entity has a negation among the five words before it.

    Words are runs of a-z and 0-9 in lower case. False where the entity has no such word or is not in the
    text. None counts as "". Raise BadInput for anything but texts.
    """
    words = " ".join(_ASCII_WORD.findall(text("entity", entity).lower()))
    said = " " + " ".join(_ASCII_WORD.findall(text("text_of_turn", text_of_turn).lower())) + " "
    if not words or f" {words} " not in said:
        return False
    between = f"(?: [^ ]++){{0,{WINDOW - 1}}}"  # possessive, so that a long text is read once
    return re.search(f" (?:{'|'.join(sorted(NEGATIONS))})(?= ){between} {words} ", said) is not None


def match(
    gold: str | None, predicted: Sequence[str | None], text_of_turn: str | None, entails: Ask | None = None
) -> Tier | None:
    """Return the first tier by which any predicted entity matches a gold one; None if none does.

    Letter case never counts. Tiers, in order: "exact": the same, and the text has it. "part": the
    prediction is part of the gold and the text has either, or the gold is part of the prediction and the
    text has the gold. "words": gold with two or more words of over 3 letters, word Jaccard at least 0.6,
    and the text has one of these words. "entailed": gold with over 4 such words, the prediction entails it
    (asked of `entails`), and the text has it or one of these words.

    An empty text counts as having everything. An empty entity is part of everything, as published;
    `entity_scores` leaves blank ones out. Raise BadInput for anything but texts.
    """
    wanted, turn_text = text("gold", gold), text("text_of_turn", text_of_turn).lower()
    predictions, low = texts("predicted", predicted), wanted.lower()
    others = [prediction.lower() for prediction in predictions]
    if low in others and (low in turn_text or not turn_text):
        return "exact"
    for other in others:
        if (other in low and (low in turn_text or other in turn_text or not turn_text)) or (
            low in other and (low in turn_text or not turn_text)
        ):
            return "part"
    words = _long_words(wanted)
    if len(words) < 2 or (turn_text and not any(word in turn_text for word in words)):
        # a text with the whole entity has its words as well, so the last tier is closed too
        return None
    for predicted_words in map(_long_words, predictions):
        if 5 * len(words & predicted_words) >= 3 * len(
            words | predicted_words
        ):  # Jaccard >= 0.6 in whole numbers
            return "words"
    if (
        entails is not None
        and len(words) > 4
        and any(entails(prediction, wanted) == ENTAILMENT for prediction in predictions)
    ):
        return "entailed"
    return None


def entity_scores(
    gold: Sequence[str | None],
    predicted: Sequence[str | None],
    text_of_turn: str | None,
    entails: Ask | None = None,
) -> EntityScores:
    """Return the scores of one turn in the variant "extracted".

    An entity given twice counts once; a blank one does not count. Without gold all scores are None; without
    predictions recall is 0 and precision, F1 and hallucinated rate are None. Raise BadInput for anything
    but texts.
    """
    turn_text = text("text_of_turn", text_of_turn)
    all_gold, all_predicted = (
        list(dict.fromkeys(texts("gold", gold))),
        list(dict.fromkeys(texts("predicted", predicted))),
    )
    wanted, predictions = (
        [entity for entity in all_gold if entity.strip()],
        [entity for entity in all_predicted if entity.strip()],
    )
    recalled, backed = _matched(wanted, predictions, turn_text, entails)
    reference = _published(all_gold, all_predicted, *_matched(all_gold, all_predicted, turn_text, entails))
    if not wanted:
        none = undefined_estimate(_NO_GOLD, 0, "share of critical entities")
        return EntityScores(none, none, none, none, (), reference)
    recall = Estimate(len(recalled) / len(wanted), len(wanted), "share of critical entities")
    if not predictions:
        none = undefined_estimate(_NO_PREDICTION, 0, "share of predicted entities")
        return EntityScores(recall, none, none, none, (), reference)
    n, method = len(predictions), "share of predicted entities"
    share = _published(wanted, predictions, recalled, backed)
    return EntityScores(
        recall,
        Estimate(share["precision"], n, method),
        Estimate(share["f1"], n, "harmonic mean of recall and precision"),
        Estimate(share["hallucinated_rate"], n, method),
        tuple(recalled),
        reference,
    )


def searched_scores(gold: Sequence[str | None], text_of_turn: str | None) -> EntityScores:
    """Return the scores of one turn in the variant "searched"; only `recall` has a value.

    A gold entity counts if its words are in the text whole and in this order, with any case and
    punctuation, and no mention is negated. Recall is None without gold. Raise BadInput for anything but
    texts.
    """
    turn_text = text("text_of_turn", text_of_turn)
    wanted = [entity for entity in dict.fromkeys(texts("gold", gold)) if entity.strip()]
    words = " " + " ".join(_WORD.findall(turn_text.lower())) + " "
    recalled = [
        entity
        for entity in wanted
        if _is_said(entity, words, turn_text) and not is_negated(entity, turn_text)
    ]
    none = undefined_estimate(_NOT_PREDICTED, 0, "share of predicted entities")
    method = "share of critical entities, searched"
    recall = (
        Estimate(len(recalled) / len(wanted), len(wanted), method)
        if wanted
        else undefined_estimate(_NO_GOLD, 0, method)
    )
    return EntityScores(recall, none, none, none, tuple(recalled), None)


@dataclass(frozen=True)
class RecallCurve:
    """One entry a turn, in order; `recall` is the curve for drift, None where a turn has no value."""

    variant: Variant
    turns: tuple[EntityScores, ...]

    @property
    def recall(self) -> list[float | None]:
        return [turn.recall.value for turn in self.turns]


def recall_curve(
    turn_texts: Sequence[str | None],
    critical: Sequence[str | None],
    extract: Callable[[str], Sequence[str]] | None = None,
    entails: Ask | None = None,
) -> RecallCurve:
    """Return the recall of the critical entities in each turn's text (a reply or a summary), in order.

    A turn whose text is None (a failed call) is a gap, not a 0; an empty text recalls nothing, which is 0.

    Args:
        turn_texts: one per turn.
        critical: the gold entities.
        extract: text -> entities, for the variant "extracted"; None for "searched".
        entails: asked in the last tier of `match`; only together with `extract`.

    Raises:
        BadInput: anything but texts, or `entails` without `extract`.
    """
    turns = texts("turn_texts", turn_texts)
    gold = [entity.strip().lower() for entity in texts("critical", critical)]
    if extract is None and entails is not None:
        raise BadInput("entails", "is only asked about extracted entities; give extract as well")
    scores = []
    for given, turn_text in zip(turn_texts, turns, strict=True):
        if given is None:
            none = undefined_estimate(_NO_TEXT, 0, "share of critical entities")
            scores.append(EntityScores(none, none, none, none, (), None))
        elif extract is None:
            scores.append(searched_scores(gold, turn_text))
        else:
            scores.append(entity_scores(gold, extract(turn_text), turn_text, entails))
    return RecallCurve("searched" if extract is None else "extracted", tuple(scores))


def _matched(
    gold: Sequence[str], predicted: Sequence[str], said: str, entails: Ask | None
) -> tuple[list[str], list[str]]:
    """The gold that is recalled, and the predictions that match some gold; negated gold matches nothing."""
    standing = [one for one in gold if not is_negated(one, said)]
    recalled = [one for one in standing if match(one, predicted, said, entails)]
    backed = [one for one in predicted if any(match(other, [one], said, entails) for other in standing)]
    return recalled, backed


def _published(
    gold: Sequence[str], predicted: Sequence[str], recalled: Sequence[str], backed: Sequence[str]
) -> dict[str, float]:
    recall = len(recalled) / len(gold) if gold else 0.0
    precision = len(backed) / len(predicted) if predicted else 0.0
    return {
        "recall": recall,
        "precision": precision,
        "f1": 2 * precision * recall / (precision + recall) if precision + recall else 0.0,
        "hallucinated_rate": (len(predicted) - len(backed)) / len(predicted) if predicted else 0.0,
    }


def _long_words(entity: str) -> set[str]:
    return {word.lower() for word in entity.split() if len(word) > 3}


def _is_said(entity: str, words_of_turn: str, said: str) -> bool:
    words = " ".join(_WORD.findall(entity.lower()))
    return f" {words} " in words_of_turn if words else entity.lower() in said.lower()
