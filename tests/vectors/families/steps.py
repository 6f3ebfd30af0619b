"""Step-F1: normalisation, Dice, matching, extraction."""

from __future__ import annotations

from scoring.step_f1 import calculate_step_f1, dice, extract_reasoning_steps, match_steps, normalise, tokens
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict


def step_f1(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    name, args = case["id"], (case["model_steps"], case["gold_steps"], case["threshold"])
    match = match_steps(*args)
    tally.number(f"{name} f1", match.reference_f1, case["expected_f1"])
    tally.same(f"{name} matched", len(match.pairs), case["expected_matched"])
    tally.same(
        f"{name} pairs before de-duplication",
        len(match.pairs) + len(match.contested),
        case["pairs_before_dedupe"],
    )
    exclusive = match_steps(*args, matching="exclusive")
    tally.number(f"{name} exclusive", exclusive.reference_f1, case["alt_exclusive_greedy_f1"])
    differ = abs(match.reference_f1 - exclusive.reference_f1) > tally.tolerance
    tally.same(f"{name} readings differ", differ, case["semantics_diverge"])
    empty = not case["model_steps"] or not case["gold_steps"]
    tally.same(f"{name} none", calculate_step_f1(*args) is None, empty)


def step_dice(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    tally.number(f"{case['id']} dice", dice(tokens(case["a"]), tokens(case["b"])), case["dice"])


def step_normalise(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    tally.same(f"{case['id']} normalised", normalise(case["text"]), case["normalised"])
    tally.same(f"{case['id']} tokens", sorted(tokens(case["text"])), case["tokens"])


def step_extraction(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    tally.same(f"{case['id']} steps", extract_reasoning_steps(case["text"]), case["expected_steps"])


COMPARERS = {
    "step_f1": step_f1,
    "step_f1_dice": step_dice,
    "step_f1_normalise": step_normalise,
    "step_extraction": step_extraction,
}
