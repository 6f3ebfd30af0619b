"""How often the report has a judge label its own family of models higher or lower than clinicians do, where
it is known whether it prefers it: 200 studies a line, and how often the interval of the difference holds
the truth.
"""

from __future__ import annotations

from bench.scale import sized, some
from tests.studies.simulated_families import CELLS, FamilyPlan, count_answers, coverage

STUDIES = sized(200, 1)


def run() -> None:
    claims = ("higher", "lower", "not shown", "can't be estimated")
    print(f"| judge | {' | '.join(claims)} |")
    print("|---|---|---|---|---|")
    for title, plan in some(CELLS.items()):
        answers = count_answers(plan, STUDIES)
        shares = (answers[name] / STUDIES for name in claims)
        print(f"| {title} | {' | '.join(f'{share:.3f}' for share in shares)} |", flush=True)
    for plan in some((FamilyPlan(), FamilyPlan(20, 20), FamilyPlan(12, 100), FamilyPlan(ordinal=False))):
        held = coverage(plan, 0.0, 10 * STUDIES)
        print(f"{plan.own} and {plan.others} conversations{', YES and NO' * (not plan.ordinal)}: {held:.3f}")
