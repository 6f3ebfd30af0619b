"""Judge runs: ask what is pending and keep every try in the ledger. Whatever stops a run leaves the rest
pending.
"""

from runs.judging.run import RESUMABLE_STOPS, RunOutcome, judge_study
from runs.judging.run_configuration import RunConfiguration, configure_run
from runs.judging.run_estimate import RunEstimate, dry_run
from runs.judging.worker import work

__all__ = [
    "RESUMABLE_STOPS",
    "RunConfiguration",
    "RunEstimate",
    "RunOutcome",
    "configure_run",
    "dry_run",
    "judge_study",
    "work",
]
