"""Judge runs: what is pending is asked, every try is in the ledger, and what stops a run leaves the rest pending."""

from runs.judging.run import Expected, Finished, Setting, dry_run, judge_study, settle
from runs.judging.worker import work

__all__ = ["Expected", "Finished", "Setting", "dry_run", "judge_study", "settle", "work"]
