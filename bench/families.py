"""How often a judge is said to prefer its own family of models, or others, where it is known whether it does:
200 studies a line, and how often the interval of the difference holds the truth.
"""

from __future__ import annotations

from bench.scale import sized, some
from tests.studies.simulated_families import CELLS, FamilyPlan, count_answers, coverage

STUDIES = sized(200, 1)


def run() -> None:
    print("| judge | prefers its own | prefers others | may be quality | not shown | cannot tell |")
    print("|---|---|---|---|---|---|")
    for title, plan in some(CELLS.items()):
        answers = count_answers(plan, STUDIES)
        shares = (
            answers[name] / STUDIES
            for name in ("prefers_own", "prefers_others", "may_be_quality", "not_shown", "cannot_tell")
        )
        print(f"| {title} | {' | '.join(f'{share:.3f}' for share in shares)} |", flush=True)
    for plan in some((FamilyPlan(), FamilyPlan(20, 20), FamilyPlan(12, 100), FamilyPlan(ordinal=False))):
        held = coverage(plan, 0.0, 10 * STUDIES)
        print(f"{plan.own} and {plan.others} conversations{', YES and NO' * (not plan.ordinal)}: {held:.3f}")
