"""A process that judges the study "small" until it has ended or is killed: python -m tests.faults.judging
STORE MODELS.
"""

from __future__ import annotations

import sys

from configs.settings import Settings
from data.record.judge_runs import JudgeRunOptions
from data.store.store import open_store
from runs.judging import configure_run, judge_study

if __name__ == "__main__":
    store = open_store(f"sqlite:///{sys.argv[1]}")
    setting = configure_run(store, Settings.read({"SECOND_READER_MODELS": sys.argv[2]}), "small", "cloud")
    sys.stdout.write(f"{judge_study(setting, JudgeRunOptions(), 'lead').outcome}\n")
