"""Plan-output alignment: does a reply do what the plan in front of it declared? Seed "Plan-Output Alignment",
level 3.
"""

from scoring.plan_alignment.consistency import PlanConsistency, plan_consistency
from scoring.plan_alignment.experiment import Experiment, JudgeFailed, Trial, compute_alignment
from scoring.plan_alignment.judge_lines import JudgeLines, parse_judge_lines
from scoring.plan_alignment.plans import DeclaredPlan, declared_strategies, parse_plan, trial_alignment

__all__ = [
    "DeclaredPlan",
    "Experiment",
    "JudgeFailed",
    "JudgeLines",
    "PlanConsistency",
    "Trial",
    "compute_alignment",
    "declared_strategies",
    "parse_judge_lines",
    "parse_plan",
    "plan_consistency",
    "trial_alignment",
]
