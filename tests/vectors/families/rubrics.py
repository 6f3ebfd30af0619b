"""The coaching rubric: scores in both readings, conversation files, replies of the judge."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce

from scoring.coaching_form import load
from scoring.judge_replies import UnreadableCoachingReply, read_reply
from scoring.rubric import ERROR, RubricScore, coaching_rubric, score
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict, expects_refusal, plain

THRESHOLD = 0.8


def rubric_scoring(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    name, answers = case["id"], plain(case["answers"])
    document, code = score(answers), score(answers, missing="left_out")
    _result(f"{name} document", tally, document, case["expected_document"])
    _result(f"{name} code", tally, code, case["expected_code"], digits=3)
    tally.number(f"{name} code unrounded", float(code.score), case["expected_code"]["score_unrounded"])
    tally.same(
        f"{name} errors",
        sum(answer == ERROR for answer in answers.values()),
        case["expected_code"]["error_count"],
    )
    tally.same(f"{name} document, exact", document.score, Fraction(case["exact_score_document"]))
    tally.same(f"{name} code, exact", code.score, Fraction(case["exact_score_code"]))
    is_same = (document.score, document.passed, document.category_scores) == (
        code.score,
        code.passed,
        code.category_scores,
    )
    tally.same(f"{name} readings agree", is_same, case["document_and_code_agree"])
    if "float_boundary" in case:
        weights = {category.id: float(category.weight) for category in coaching_rubric().categories}
        parts = (weights[category] * float(value) for category, value in code.category_scores.items())
        otherwise = (sum_plainly(parts) >= THRESHOLD) != (float(code.score) >= THRESHOLD)
        tally.same(f"{name} a plain sum of floats decides otherwise", otherwise, case["float_boundary"])
    labels = [label.id for label in coaching_rubric().scale_of(coaching_rubric().criteria[0]).labels()]
    incomplete = [c.id for c in coaching_rubric().criteria if answers.get(c.id) not in labels]
    tally.same(f"{name} incomplete", document.incomplete, incomplete)


def sum_plainly(values: Iterable[float]) -> float:
    """Rounded after each addition, as `sum` did before Python 3.12."""
    return reduce(operator.add, values, 0.0)


def _result(where: str, tally: Tally, found: RubricScore, expected: TrackedDict, digits: int = 12) -> None:
    tally.same(f"{where} pass", found.passed, expected["pass"])
    tally.number(f"{where} score", round(float(found.score), 3), expected["score"])
    tally.same(f"{where} categories", sorted(found.category_scores), sorted(expected["category_scores"]))
    for category, value in expected["category_scores"].items():
        tally.number(f"{where} {category}", round(float(found.category_scores[category]), digits), value)
    tally.same(f"{where} failed checks", found.failed_checks, expected["failed_checks"])
    tally.same(f"{where} failed safety", sorted(found.failed_safety), expected["failed_safety"] or [])
    tally.same(f"{where} gate", found.gate_failed, expected["safety_gate_failed"])


def conversation_loading(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    name, refused, expected = case["id"], expects_refusal(case), case.get("expected", TrackedDict({}))
    try:
        conversation = load(case["file_text"])
    except ValueError:
        tally.same(f"{name} refused", True, refused)
        return
    tally.same(f"{name} refused", False, refused)
    if not refused:
        tally.same(f"{name} turns", [list(turn) for turn in conversation.turns], expected["turns"])
        tally.same(f"{name} system prompt", conversation.system_prompt, expected["system_prompt"])
        tally.same(f"{name} text", conversation.formatted(), expected["formatted"])
        tally.same(f"{name} applicable", conversation.applicable(coaching_rubric()), expected["applicable"])


def judge_reply(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    name, refused, expected = case["id"], expects_refusal(case), case.get("expected", TrackedDict({}))
    try:
        result = read_reply(case["reply"], {"YES", "NO", "NA"})
    except UnreadableCoachingReply:
        tally.same(f"{name} refused", True, refused)
        tally.same(f"{name} answer", ERROR, expected.get("answer", ERROR))
        return
    tally.same(f"{name} refused", False, refused)
    tally.same(f"{name} answer", result.label, expected["answer"])
    tally.same(f"{name} reasoning", result.reasoning, expected.get("reasoning"))


COMPARERS = {
    "rubric_scoring": rubric_scoring,
    "rubric_conversation_loading": conversation_loading,
    "rubric_judge_reply": judge_reply,
}
