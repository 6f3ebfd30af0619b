"""Entities: matching, negation, and the four shares of a turn."""

from __future__ import annotations

from scoring.entity_recall import entity_scores, is_negated, match
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict


def matching(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    found = match(case.get("gold"), case.get("predicted") or [], case.get("text"))
    tally.same(f"{case['id']} match", found is not None, case["expected_match"])
    tally.same(
        f"{case['id']} negated", is_negated(case.get("gold"), case.get("text")), case["expected_negated"]
    )


def shares(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    """The published numbers, and the product's own: the same, or None where the program prints one for
    nothing.
    """
    gold, predicted, expected = case.get("gold") or [], case.get("predicted") or [], case["expected"]
    scores = entity_scores(gold, predicted, case.get("text"))
    blank = any(not (entity or "").strip() for entity in [*gold, *predicted])
    for name, value in expected.items():
        own = getattr(scores, name).value
        tally.number(f"{case['id']} {name} as published", (scores.reference or {}).get(name), value)
        if not gold or (not predicted and name != "recall"):
            tally.number(f"{case['id']} {name} product", own, None)
            tally.same(f"{case['id']} {name} has a reason", bool(getattr(scores, name).undefined), True)
        elif not blank:
            tally.number(f"{case['id']} {name} product", own, value)


COMPARERS = {"entity_match": matching, "entity_recall_sets": shares}
