"""Raters who save while a large file comes in, beside the same raters on a quiet server; all in one process,
as the app is one.
"""

from __future__ import annotations

import json
import tempfile
import threading
import time
import uuid
from pathlib import Path

from bench import stores
from bench.scale import sized
from bench.table import Line, ms, percentile, show
from data.importers.file_import import import_file
from data.importers.kinds.conversations import ConversationFiles
from data.record import studies, units
from data.record.answers import CriterionAnswer
from data.record.studies import StudySpec
from data.store.store import Store
from data.work import ratings
from data.work.worklist import open_worklist

RATERS = sized(8, 2)
PAUSE = 0.1  # seconds between two saves of a rater
QUIET = sized(20.0, 0.5)  # seconds
MEGABYTES = sized(280, 1)


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-beside-") as name:
        folder = Path(name)
        names = tuple(f"Reader {number}" for number in range(1, RATERS + 1))
        source = stores.write_conversations(folder / "few.jsonl", 200)
        store = stores.make(folder / "store.sqlite", source, raters=names)
        with store.writing("bench", "make") as (connection, entry):
            studies.create(connection, entry, StudySpec("large", "Large", 1, data_class="synthetic"))
        large = _write_large(folder / "large.jsonl")
        megabytes = large.stat().st_size / 1e6
        quiet = _save(store, QUIET)
        during, seconds = _save_beside(store, large)
        p95_quiet, p95 = percentile(quiet, 0.95), percentile(during, 0.95)
        show(
            f"{RATERS} raters save {len(during)} times while {megabytes:.0f} MB come in, {seconds:.0f} s",
            [
                Line("a save, p50", ms(percentile(during, 0.5)), ms(percentile(quiet, 0.5))),
                Line(
                    "a save, p95", ms(p95), ms(p95_quiet), p95 / p95_quiet, "at most 2", p95 <= 2 * p95_quiet
                ),
                Line("the longest", ms(max(during)), ms(max(quiet))),
            ],
        )
        store.close()


def _write_large(path: Path) -> Path:
    """Honest conversations with long messages."""
    source = stores.write_conversations(path.with_name("one.jsonl"), 400, characters=900)
    talks = source.read_text(encoding="utf-8").splitlines()
    number, size = 0, 0
    with path.open("w", encoding="utf-8") as file:
        while size < MEGABYTES * 1e6:
            talk = json.loads(talks[number % len(talks)])
            talk["id"] = f"large-{number:06}"
            talk["messages"][0]["content"] += f" {number}"
            number, size = number + 1, size + file.write(json.dumps(talk) + "\n")
    return path


def _save_beside(store: Store, large: Path) -> tuple[list[float], float]:
    """How long each save took while the file came in, and how long that took."""
    imported, took = threading.Event(), [0.0]

    def bring() -> None:
        began = time.perf_counter()
        try:
            import_file(store, "large", large, "bench", ConversationFiles(), {"same_person": "none"})
        finally:
            took[0] = time.perf_counter() - began
            imported.set()

    thread = threading.Thread(target=bring)
    thread.start()
    times = _save(store, 600.0, imported)
    thread.join()
    return times, took[0]


def _save(store: Store, seconds: float, until_set: threading.Event | None = None) -> list[float]:
    times: list[float] = []
    until = time.perf_counter() + seconds
    raters = [stores.rater_ids(store)[f"Reader {number}"] for number in range(1, RATERS + 1)]

    def rate(rater_id: int, place: int) -> None:
        with store.reading() as connection:
            study = studies.get_by_key(connection, stores.STUDY)
            unit = units.at_position(connection, study.id, place)
        assert unit is not None
        while time.perf_counter() < until and not (until_set and until_set.is_set()):
            began = time.perf_counter()
            with store.writing("bench", "rate", study.id) as (connection, entry):
                ratings.save_draft(
                    entry,
                    open_worklist(connection, study, rater_id),
                    unit,
                    str(uuid.uuid4()),
                    study.instrument.criteria[0].id,
                    CriterionAnswer(label="3"),
                )
            times.append(time.perf_counter() - began)
            time.sleep(PAUSE)

    threads = [threading.Thread(target=rate, args=(number, place)) for place, number in enumerate(raters, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return times
