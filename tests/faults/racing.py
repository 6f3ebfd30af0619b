"""Processes that all do something to one store at the same moment."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from multiprocessing.synchronize import Barrier
from pathlib import Path
from queue import Queue
from typing import Any

from configs.settings import Settings
from data.record import studies
from data.store.errors import Refused
from data.store.store import open_store
from runs.prepare import ready_store
from runs.scoring import score_study
from tests.servers.forking import forking_context, without_program
from tests.studies.small_study import Desk

PATIENCE = 600  # seconds

CONTEXT = forking_context("runs.prepare", "tests.studies.planned")


def race(work: Callable[..., Any], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
    """What `work` returned in each process, in the order of the arguments. All begin when the last is
    ready.
    """
    start, results = CONTEXT.Barrier(len(arguments)), CONTEXT.Queue()
    processes = [
        CONTEXT.Process(target=_run, args=(start, results, number, work, given))
        for number, given in enumerate(arguments)
    ]
    with without_program():
        for process in processes:
            process.start()
    try:
        answers = dict(results.get(timeout=PATIENCE) for _ in processes)
    finally:
        for process in processes:
            process.join(PATIENCE)
            process.kill()
    failed = [result for result in answers.values() if isinstance(result, BaseException)]
    assert failed == [], failed
    return [answers[number] for number in range(len(arguments))]


def _run(
    start: Barrier,
    results: Queue[tuple[int, Any]],
    number: int,
    work: Callable[..., Any],
    given: tuple[Any, ...],
) -> None:
    start.wait(PATIENCE)
    try:
        results.put((number, work(*given)))
    except BaseException as error:  # noqa: BLE001 whatever goes wrong there must fail the test here
        results.put((number, RuntimeError(repr(error))))


def prepare(path: Path) -> str:
    """Make the store ready as the app does at its start."""
    store = ready_store(
        Settings.read(
            {"SECOND_READER_DATABASE_URL": f"sqlite:///{path}", "SECOND_READER_BUSY_SECONDS": "100"}
        )
    )
    store.close()
    return "ready"


def score(path: Path, study_key: str) -> tuple[int, int, list[str]]:
    """Compute the metrics of a study as second-reader score does; what was computed, what was there, what
    went wrong.
    """
    store = open_store(f"sqlite:///{path}", busy_seconds=100)
    scored = score_study(store, study_key, "tests")
    store.close()
    return scored.computed, scored.already, [*scored.missing, *(what for _, what in scored.problems)]


def rate(
    path: Path, study_key: str, rater: int, label: str, positions: Sequence[int], shared: str
) -> list[str]:
    """Rate units as one rater, from a browser tab of their own; returns the events that were kept.

    Every tab also sends one event that all tabs of the rater share, as a page does that sends again after a
    break.
    """
    store = open_store(f"sqlite:///{path}", busy_seconds=100)
    with store.reading() as connection:
        study = studies.find(connection, study_key)
    assert study is not None
    desk, saved_events = Desk(store, study, rater), []
    for position in positions:
        for criterion in ("warm", "safe", "deep"):
            for event in (str(uuid.uuid4()), f"{shared}-{position}-{criterion}"):
                try:
                    if not (position == 1 and criterion == "deep") and desk.draft(
                        position, criterion, label, event=event
                    ):
                        saved_events.append(event)
                # another tab of the rater committed the unit first, or gave another label under the shared
                # event
                except Refused:
                    continue
        desk.commit(position, event=f"{shared}-{position}")
    store.close()
    return saved_events
