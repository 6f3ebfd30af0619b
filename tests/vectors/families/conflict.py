"""Knowledge conflict: which pairs are sent, and the rate over scripted verdicts."""

from __future__ import annotations

from itertools import cycle

from scoring.bad_input import BadInput
from scoring.clinical_actions import extract_clinical_actions, lexicon
from scoring.knowledge_conflict import STRIDE, KnowledgeConflict, Variant, knowledge_conflict
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict, expects_refusal, plain


def _narrow_actions(reply: str) -> str:
    return extract_clinical_actions(reply, lexicon("reference-narrow"))


def conflict(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    replies = {
        name: [str(reply or "") for reply in given or []]
        for name, given in plain(case.get("responses_by_case") or {}).items()
    }
    stride, refused = case.get("nli_stride", STRIDE), expects_refusal(case)
    verdicts = case.get("scripted_verdicts_cycled") or [None]

    def run(variant: Variant) -> KnowledgeConflict | None:
        script = cycle(verdicts)
        try:
            return knowledge_conflict(
                replies, _narrow_actions, lambda premise, hypothesis: next(script), stride, variant
            )
        except BadInput:
            return None

    published, own = run("reference"), run("product")
    if published is None or own is None:
        tally.same(f"{case['id']} only a stride below 1 is refused", stride < 1, True)
        # Nothing is sent, and no number comes out.
        for name, nothing in (("expected_pairs", []), ("expected_rate", None)):
            if not refused or name in case:
                tally.same(f"{case['id']} {name}", nothing, case[name])
        return
    tally.same(f"{case['id']} is not refused", False, refused)
    tally.same(
        f"{case['id']} pairs",
        [[pair.premise, pair.hypothesis] for pair in published.pairs],
        case["expected_pairs"],
    )
    tally.number(f"{case['id']} rate as published", published.reference, case["expected_rate"])
    if published.pairs and not published.failed:
        tally.number(f"{case['id']} rate", published.rate.value, case["expected_rate"])
    tally.same(
        f"{case['id']} no empty advice in the product",
        all(pair.premise and pair.hypothesis for pair in own.pairs),
        True,
    )
    if not own.pairs:
        tally.number(f"{case['id']} product", own.rate.value, None)
        tally.same(f"{case['id']} has a reason", bool(own.rate.undefined), True)
    elif all(pair.premise for pair in published.pairs) and own.pairs == published.pairs:
        tally.number(f"{case['id']} product", own.reference, case["expected_rate"])


COMPARERS = {"knowledge_conflict": conflict}
