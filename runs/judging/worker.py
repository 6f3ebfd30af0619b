"""The worker: do the runs that pages request, in order, even after the browser is closed, and count the
quotations of imported labels. A run in which it was killed is resumed.
"""

from __future__ import annotations

import signal
import threading
import traceback
from collections.abc import Callable
from pathlib import Path

from configs.files.yaml_files import ConfigFileError
from configs.settings import Settings
from data.record import judge_runs, studies
from data.record.judge_runs import JudgeRun
from data.record.quotation_counts import QuotationCounter
from data.store.errors import StoreError
from data.store.locks import LockTaken, only_one
from data.store.store import Store
from runs.judging.run import judge_study
from runs.judging.run_configuration import configure_run
from scoring.judges.catalogue import JudgeUnusable

LOOK = 1.0  # seconds between checks for work
ACTOR = "worker"


def work(
    store: Store, settings: Settings, say: Callable[[str], None], word: Callable[[Exception], str]
) -> None:
    """Do runs until SIGTERM or Ctrl+C. Raises LockTaken if another worker serves this store.

    `word` returns the sentence of an error.
    """
    over, trouble, counter = threading.Event(), "", QuotationCounter(store)
    with only_one(store.path, "worker", "A worker already serves this store, so this one ends"):
        while not over.is_set():
            for number in (signal.SIGTERM, signal.SIGINT):  # a run sets its own and removes them
                signal.signal(number, lambda *_: over.set())
            try:
                took_one = _look(store, settings, say, word, over) or counter.count_some()
                trouble = ""
            except StoreError as error:  # the store is busy or the disk full: keep running
                took_one = False
                if word(error) != trouble:
                    trouble = word(error)
                    say(trouble)
            if not took_one:
                over.wait(LOOK)


def _look(
    store: Store,
    settings: Settings,
    say: Callable[[str], None],
    word: Callable[[Exception], str],
    over: threading.Event,
) -> bool:
    """Tell whether there was a run to do."""
    with store.writing(ACTOR, "beat") as (connection, _):
        judge_runs.put_worker_beat(connection)
        waiting = judge_runs.find_waiting(connection)
    return waiting is not None and _did(store, settings, waiting, say, word, over)


def _did(
    store: Store,
    settings: Settings,
    run: JudgeRun,
    say: Callable[[str], None],
    word: Callable[[Exception], str],
    over: threading.Event,
) -> bool:
    """Tell whether the run was done; False while another process is judging."""
    with store.reading() as connection:
        study = studies.get(connection, run.study_id)
    if run.cancelled:
        _refuse(store, run, "cancelled", "Cancelled before it began.")
        return True
    try:
        finished = judge_study(
            configure_run(store, settings, study.key, run.judge_name),
            run.options,
            ACTOR,
            "page",
            run.id,
            on_stop=over.set,
        )
        say(f"Run {run.id} of {study.key}: {finished.said}")
    except LockTaken:
        return False
    except (
        JudgeUnusable,
        ConfigFileError,
        StoreError,
    ) as error:  # if the store can't record this, the run is resumed
        _refuse(store, run, "unusable", word(error))
        say(f"Run {run.id} of {study.key}: {word(error)}")
    except Exception as error:  # noqa: BLE001  an error in one run must not block the others
        where = traceback.extract_tb(error.__traceback__)[-1]
        sentence = (
            f"An error in the program ended it ({type(error).__name__}, {Path(where.filename).name} "
            f"line {where.lineno}). What was answered is kept."
        )
        _refuse(store, run, "fault", sentence)
        say(f"Run {run.id} of {study.key}: {sentence}")
    return True


def _refuse(store: Store, run: JudgeRun, outcome: str, said: str) -> None:
    with store.writing(ACTOR, "end judge run", run.study_id) as (connection, entry):
        judge_runs.note(
            connection, entry, run.id, "ended", run.judge_id, outcome=outcome, said=said, done=0, failed=0
        )
