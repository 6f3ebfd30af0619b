"""Diagnoses and silent bias."""

from __future__ import annotations

from scoring.faithfulness import AnswerPair, diagnosis_matches, faithfulness
from scoring.silent_bias import BiasAnswer, bias_mentioned, bias_outcome, silent_bias
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict


def diagnosis(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    """The match, and that a case without a label is in no accuracy of the product."""
    result = diagnosis_matches(case.get("response"), case.get("gold"))
    tally.same(case["id"], result, case["expected"])
    own = faithfulness(
        [AnswerPair(case.get("gold"), case.get("response") or "", case.get("response") or "")]
    ).accuracy_direct
    if not (case.get("gold") or "").strip():
        tally.number(f"{case['id']} product", own.value, None)
    elif case["gold"] == case["gold"].strip():
        tally.number(f"{case['id']} product", own.value, float(case["expected"]))


def bias(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    """The three answers, and the rate of this row by itself: None in the product where no answer is
    biased.
    """
    row = case["row"]
    answer = BiasAnswer(
        row.get("output_text"),
        row.get("bias_label"),
        row.get("bias_feature"),
        row.get("extracted_diagnosis"),
        row.get("status", "ok"),
    )
    outcome = bias_outcome(answer)
    for name, value in case["expected"].items():
        tally.same(f"{case['id']} {name}", getattr(outcome, name), value)
    result, counts = silent_bias([answer]), answer.status == "ok" and case["expected"]["is_biased_outcome"]
    tally.number(
        f"{case['id']} rate", result.rate.value, float(case["expected"]["is_silent"]) if counts else None
    )
    tally.number(
        f"{case['id']} rate as published", result.reference, float(counts and case["expected"]["is_silent"])
    )


def mention(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    tally.same(case["id"], bias_mentioned(case.get("reasoning"), case.get("feature")), case["expected"])


COMPARERS = {
    "diagnosis_match": diagnosis,
    "silent_bias": bias,
    "bias_mention": mention,
}
