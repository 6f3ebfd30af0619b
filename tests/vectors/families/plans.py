"""Plan-output alignment: plans, judge replies, experiments, consistency of plans."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.instruments import Strategy, Taxonomy
from scoring.plan_alignment import (
    DeclaredPlan,
    JudgeFailed,
    compute_alignment,
    declared_strategies,
    parse_judge_lines,
    parse_plan,
    plan_consistency,
)
from scoring.plan_alignment.judge_lines import NOT_SCORED, Parser
from tests.vectors.tally import Tally
from tests.vectors.tracked import TrackedDict

VERSIONS: tuple[tuple[str, str, Parser], ...] = (
    ("expected_strict_v1", "valid_ids_v1", "strict"),
    ("expected_lenient_v2", "valid_ids_v2", "lenient"),
)


def taxonomy(ids: Sequence[str]) -> Taxonomy:
    return Taxonomy(
        key="reference",
        version="1",
        title="Reference",
        strategies=tuple(Strategy(id=name, name=name, description=name) for name in ids),
    )


def plan_parsing(case: TrackedDict, tally: Tally, document: TrackedDict) -> None:
    for expectation, ids, parser in VERSIONS:
        where, plan_taxonomy = f"{case['id']} {expectation}", taxonomy(document[ids])
        plan: DeclaredPlan = parse_plan(case["raw"], plan_taxonomy, lenient=parser == "lenient")
        expected = case[expectation]
        tally.same(f"{where} plan", f"<plan>{plan.text}</plan>" if plan.present else "", expected["plan"])
        tally.same(f"{where} response", plan.response, expected["response"])
        tally.same(f"{where} strategies", sorted(plan.declared), expected["strategies"])
        tally.same(f"{where} valid", plan.valid, expected["valid"])
        tally.same(
            f"{where} direct",
            sorted(declared_strategies(case["raw"], plan_taxonomy)),
            expected["strategies_direct_from_raw"],
        )


def judge_reply(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    matches = []
    for expectation, _ids, parser in VERSIONS:
        where = f"{case['id']} {expectation}"
        result = parse_judge_lines(case["raw"], case["declared"], parser)
        expected = case[expectation]
        tally.same(
            f"{where} scores",
            {name: result.scores.get(name, 0) for name in case["declared"]},
            expected["scores"],
        )
        tally.same(
            f"{where} reasoning",
            {name: result.reasoning.get(name, NOT_SCORED) for name in case["declared"]},
            expected["reasoning"],
        )
        tally.same(f"{where} extra ids", sorted(result.undeclared), sorted(expected["extra_ids"]))
        trial = compute_alignment([case["declared"]], ["a reply"], lambda *_: case["raw"], parser).trials[0]
        tally.number(f"{where} alignment", float(trial.reference_alignment), expected["trial_alignment"])
        unscored = any(reason == NOT_SCORED for reason in expected["reasoning"].values())
        tally.same(f"{where} none", trial.alignment is None, unscored)
        matches.append([result.scores.get(name, 0) for name in case["declared"]])
    tally.same(f"{case['id']} versions agree", matches[0] == matches[1], case["versions_agree"])


def experiment(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    for expectation, _ids, parser in VERSIONS:
        where = f"{case['id']} {expectation}"
        replies = iter(case["judge_replies"])

        def judge(declared: Sequence[str], response: str, replies: Any = replies) -> str:
            reply: str = next(replies)
            if reply.startswith("!error"):
                raise JudgeFailed(reply.removeprefix("!error").strip())
            return reply

        result = compute_alignment(case["strategy_sets"], case["responses"], judge, parser)
        expected = case[expectation]
        tally.number(f"{where} mean", result.reference_mean, expected["mean_alignment"])
        tally.numbers(
            f"{where} per trial",
            [float(trial.reference_alignment) for trial in result.trials],
            expected["per_trial"],
        )
        tally.same(
            f"{where} strategies",
            sorted(result.per_strategy(reference=True)),
            sorted(expected["per_strategy"]),
        )
        for name, value in expected["per_strategy"].items():
            tally.number(f"{where} {name}", result.per_strategy(reference=True).get(name), value)
        trials = [
            {
                key: entry[key]
                for key in ("trial", "skipped", "reason", "error", "trial_alignment")
                if key in entry
            }
            for entry in (trial.published() for trial in result.trials)
        ]
        tally.same(f"{where} judgments", len(trials), len(expected["judgments"]))
        for mine, theirs in zip(trials, expected["judgments"], strict=False):
            tally.number(
                f"{where} trial {theirs['trial']}",
                mine.pop("trial_alignment", None),
                theirs.get("trial_alignment"),
            )
            tally.same(
                f"{where} trial {theirs['trial']}",
                mine,
                {key: value for key, value in theirs.items() if key != "trial_alignment"},
            )
        judged = [trial for trial in result.trials if trial.status == "judged"]
        tally.same(f"{where} none", result.alignment_mean_judged.value is None, not judged)


def consistency(case: TrackedDict, tally: Tally, _: TrackedDict) -> None:
    found = plan_consistency(case["sets"])
    tally.same(f"{case['id']} names", sorted(found.reference), sorted(case["expected"]))
    for name, value in case["expected"].items():
        tally.number(f"{case['id']} {name}", found.reference.get(name), value)
    nothing = len(case["sets"]) < 2
    tally.same(f"{case['id']} none", found.jaccard_all.value is None, nothing)


COMPARERS = {
    "alignment_plan_parsing": plan_parsing,
    "alignment_judge_reply_parsing": judge_reply,
    "alignment_experiment": experiment,
    "alignment_plan_consistency": consistency,
}
