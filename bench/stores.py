"""Stores of a known size, made through the importer; a half-done rater is written in one transaction."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import insert, select

import data
from configs.settings import Settings
from data import schema
from data.importers.new_study import NewStudy
from data.importers.transactions import LARGEST
from data.record import studies, units
from data.record.studies import StudySpec
from data.store.store import Store, open_store
from tests.studies.importing import import_conversations

STUDY = "bench"
TURNS = 20
LINES_OF_PART = 40_000
WORDS = (
    "I",
    "feel",
    "that",
    "we",
    "could",
    "try",
    "the",
    "next",
    "step",
    "together",
    "because",
    "it",
    "was",
    "hard",
    "to",
    "sleep",
    "after",
    "work",
    "and",
    "my",
    "sister",
    "said",
    "nothing",
    "would",
    "change",
    "before",
    "summer",
    "so",
    "tell",
    "me",
    "more",
    "about",
    "plans",
)


def write_conversations(
    path: Path, count: int, characters: int = 120, facts: Callable[[int], dict[str, Any]] | None = None
) -> Path:
    """`count` conversations of 20 turns, every text its own; the same file every time. `facts`: of each by
    its number.
    """
    chance = random.Random(count)
    pool: list[str] = []
    while len(pool) < 4000:
        text = ""
        while len(text) < characters:
            text += chance.choice(WORDS) + " "
        pool.append(text.strip())
    with path.open("w", encoding="utf-8") as file:
        for number in range(count):
            messages = [
                {
                    "role": "user" if i % 2 == 0 else "assistant",
                    "content": f"{number}.{i} {chance.choice(pool)}",
                }
                for i in range(2 * TURNS)
            ]
            file.write(
                json.dumps(
                    {
                        "id": f"conversation-{number:06}",
                        "messages": messages,
                        **(facts(number) if facts else {}),
                    }
                )
                + "\n"
            )
    return path


def new_study(raters: tuple[str, ...], instrument: str = "lend_an_ear") -> NewStudy:
    """Six criteria a conversation unless another instrument is named; the judge never shown."""
    settings = Settings.read({"HOME": "/nonexistent"})
    spec = StudySpec(STUDY, "Bench", 0, data_class="synthetic", reveal="never")
    return NewStudy(spec, instrument, None, raters, settings.instruments, settings.taxonomies)


def open_at(path: Path) -> Store:
    return open_store(f"sqlite:///{path}")


def make(
    path: Path, source: Path, raters: tuple[str, ...] = ("Reader 1",), instrument: str = "lend_an_ear"
) -> Store:
    store, new = open_at(path), new_study(raters, instrument)
    for number, part in enumerate(_parts(source)):
        import_conversations(store, STUDY, part, "bench", new=None if number else new)
    return store


def _parts(source: Path) -> Iterator[Path]:
    """Yield the file itself, or parts of it if it holds more than one import may: each until the next."""
    if source.stat().st_size < LARGEST // 2:
        yield source
        return
    part = source.with_name(f"part-of-{source.name}")
    with source.open(encoding="utf-8") as lines:
        while text := "".join(islice(lines, LINES_OF_PART)):
            part.write_text(text, encoding="utf-8")
            yield part
    part.unlink()


def rater_ids(store: Store) -> dict[str, int]:
    with store.reading() as connection:
        study = studies.find(connection, STUDY)
        assert study is not None
        return {rater.name: rater.id for rater in studies.raters(connection, study.id)}


def half_done(folder: Path, count: int) -> Path:
    """A copy of its own of a store of `count` conversations; Reader 1 has committed the first
    half.
    """

    def fill(making: Path) -> Store:
        source = write_conversations(making.with_suffix(".jsonl"), count)
        store = make(making, source, tuple(f"Reader {i}" for i in range(1, 51)))
        source.unlink()
        _commit_first(store, count // 2)
        return store

    return copied(folder, "half", count, fill)


def copied(folder: Path, name: str, count: int, fill: Callable[[Path], Store]) -> Path:
    """A copy of its own of the store that `fill` makes at a path."""
    return Path(shutil.copy(kept(name, count, "conversations", fill), folder / f"store-{count}.sqlite"))


def kept(name: str, count: int, of_what: str, fill: Callable[[Path], Store]) -> Path:
    """The store that `fill` makes at a path. The large ones take minutes to make and are kept under /tmp for
    the rest of the day.
    """
    shelf = _shelf()
    path = shelf / f"{name}-{count}.sqlite"
    if not path.exists():
        print(
            f"making a store of {count:,} {of_what} (kept in {shelf} for today) ...",
            file=sys.stderr,
            flush=True,
        )
        began = time.perf_counter()
        making = shelf / f"making-{name}-{count}.sqlite"
        for old in shelf.glob(making.name + "*"):
            old.unlink()
        fill(making).close()
        with closing(sqlite3.connect(making)) as raw:
            raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        making.rename(path)
        print(f"... made in {time.perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
    return path


def _shelf() -> Path:
    """Today's folder for this form of the tables; those of other days and forms are removed."""
    form = hashlib.sha256()
    room = Path(data.__file__).parent
    for path in (*sorted((room / "schema").glob("*.py")), room / "store" / "triggers.py", Path(__file__)):
        form.update(path.read_bytes())
    shelf = Path(tempfile.gettempdir()) / f"second-reader-bench-{date.today()}-{form.hexdigest()[:12]}"
    for old in shelf.parent.glob("second-reader-bench-????-??-??-*"):
        if old != shelf:
            shutil.rmtree(old, ignore_errors=True)
    shelf.mkdir(mode=0o700, exist_ok=True)
    return shelf


def _commit_first(store: Store, count: int) -> None:
    rater_id = rater_ids(store)["Reader 1"]
    with store.writing("Reader 1", "commit") as (connection, entry):
        study = studies.find(connection, STUDY)
        assert study is not None
        ids = connection.execute(
            select(schema.unit.c.id, schema.unit.c.position)
            .where(schema.unit.c.study_id == study.id)
            .order_by(schema.unit.c.position)
            .limit(count)
        ).all()
        given = _given([row.id for row in ids], study.id, rater_id, [c.id for c in study.instrument.criteria])
        while some := list(islice(given, 6000)):
            for table in (schema.draft, schema.rating):
                entry.write_many(table, some)
        entry.write_many(
            schema.commit,
            [
                {"event": f"commit-{row.id}", "rater_id": rater_id, "unit_id": row.id, "ordinal": n}
                for n, row in enumerate(ids, start=1)
            ],
        )
        connection.execute(
            insert(schema.progress),
            [
                {"rater_id": rater_id, "unit_id": row.id, "position": row.position, "state": "committed"}
                for row in ids
            ],
        )
        units._put_rater_progress(connection, rater_id, units.RaterProgress(count + 1, count, 0))


def _given(
    unit_ids: list[int], study_id: int, rater_id: int, criteria: list[str]
) -> Iterator[dict[str, Any]]:
    for unit_id in unit_ids:
        for number, criterion in enumerate(criteria):
            yield {
                "event": f"given-{unit_id}-{criterion}",
                "study_id": study_id,
                "rater_id": rater_id,
                "unit_id": unit_id,
                "criterion": criterion,
                "label": str(1 + (unit_id + number) % 5),
                "also": "[]",
                "evidence": "[]",
                "source": "given",
                "exposure": "blind",
                "reveals_before": 0,
            }
