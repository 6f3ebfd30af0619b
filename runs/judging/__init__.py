"""Judge runs: what is pending is asked, every try is in the ledger, and what stops a run leaves the rest
pending.
"""

from runs.judging.expected import Expected, dry_run
from runs.judging.run import GONE_ON_WITH, Finished, judge_study
from runs.judging.setting import Setting, settle
from runs.judging.worker import work

__all__ = ["GONE_ON_WITH", "Expected", "Finished", "Setting", "dry_run", "judge_study", "settle", "work"]
