"""Import a study that another store exported as a bundle, with its times, its reveals, and the order in which
everything was written.

Rows get new ids. Each entry of the trail that wrote rows of the study becomes an entry here, in the same
order, because results depend on what came before what. A rating counts as blind only if the bundle verifies.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from data import schema
from data.importers.bundle_check import (
    BundleCheck,
    check_bundle,
    leave_out_claims,
    repair_texts,
    report_check,
)
from data.importers.bundle_files import read_bundle
from data.importers.known_words import ImportedWords
from data.importers.own_process import Tell
from data.importers.report import ImportReport
from data.importers.transactions import import_job
from data.record import studies
from data.record.studies import Study
from data.record.study_bundle import SHARED, TABLES, columns, content_columns, references
from data.store import content, ids_in_texts
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.errors import Refused
from data.store.store import Store
from data.store.trail import TrailEntry, canonical, next_id
from data.work.rebuilt_projections import rebuild_projections

ACTION = "import study"
BATCH = 1_000
COUNTED = {  # table -> what the report calls its rows
    "conversation": "conversations",
    "rater": "raters",
    "rating": "ratings",
    "judge": "judges",
    "judgement": "judgements",
    "adjudication": "settled labels",
}
_OF_ABSENT_STUDY = {
    schema.successor: "the study continues another study, which is not in the bundle",
    schema.trial: "a model's answers to turns of another study are in it, and that study is not",
}
_NOT_WRITTEN = (schema.known_words, *_OF_ABSENT_STUDY)
_LABELLED = ("rating", "judgement", "draft", "anchor", "gold_label", "adjudication")
_JSON = {
    "study": ("role_names",),
    "unit": ("criteria",),
    "draft": ("also", "evidence"),
    "rating": ("also", "evidence"),
    "judge": ("identity",),
    "judgement": ("cited",),
    "judge_run": ("options",),
    "run_event": ("detail",),
    "adoption": ("compared",),
    "run_summary": ("numbers",),
    "metric_value": ("detail",),
    "draw": ("frame", "strata"),
}


@dataclass(frozen=True)
class _BundleJob:
    """A bundle as an `ImportJob`. `heads`: (entry, hash) that were kept of it."""

    path: Path
    actor: str
    heads: tuple[tuple[int, str], ...]
    action: str = ACTION

    @property
    def detail(self) -> dict[str, Any]:
        return {"bundle": self.path.name}

    def add(self, connection: Connection, entry: TrailEntry, report: ImportReport) -> Study:
        report.tell("compared with its hashes", 0, 1)
        with read_bundle(self.path) as (scratch, about):
            check = check_bundle(scratch, dict(self.heads))
            with _explained(self.path):
                study = _Importer(connection, entry, scratch, check, report, self.path.name).write()
            report.detail = {
                "key": study.key,
                "head": [check.seq, check.head],
                "sha256": _sha256(self.path),
                "rows": check.rows,
                "verifies": check.verifies,
                "program": str(about["program"])[:80],
            }
        report_check(check, report)
        return study


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    """Refuse what shows only while rows are written: a text that is no JSON, an id that leads nowhere."""
    try:
        yield
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise Refused("bundle_damaged", name=path.name, where="a value in its rows") from error


def import_bundle(
    store: Store, path: Path, actor: str, heads: Mapping[int, str], tell: Tell | None = None
) -> ImportReport:
    """Import the study of a bundle in one transaction and return the report.

    `heads`: number of an entry -> the hash that was kept of it; then a bundle without it doesn't verify.

    Raises:
        Refused: the store holds the study or parts of it, or the bundle is damaged or of another version.
        ImportRefused, StoreError: nothing of the bundle was kept.
    """
    return import_job(store, _BundleJob(path.absolute(), actor, tuple(heads.items())), tell=tell)


def _sha256(path: Path) -> str:
    """Return the SHA-256 of a file; of a folder that of its files' names and hashes."""
    if path.is_dir():
        return hashlib.sha256(
            canonical([[each.name, _sha256(each)] for each in sorted(path.iterdir()) if each.is_file()])
        ).hexdigest()
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


class _Importer:
    def __init__(
        self,
        connection: Connection,
        entry: TrailEntry,
        scratch: sqlite3.Connection,
        check: BundleCheck,
        report: ImportReport,
        name: str,
    ) -> None:
        self._connection, self._entry, self._scratch = connection, entry, scratch
        self._check, self._report, self._name = check, report, name
        self._first = {table.name: next_id(connection, table) for table in (*TABLES, schema.content)}
        self._shared: dict[tuple[str, int], int] = {}

    def write(self) -> Study:
        self._refuse_what_is_here()
        if not self._check.verifies:
            repair_texts(self._scratch)
            self._check.left_out = leave_out_claims(self._scratch)
        self._follow()
        self._write_shared()
        self._write_table(schema.study)
        study = studies.get(self._connection, self._first["study"])
        studies.check_key(study.key)
        self._check_labels(study)
        words = self._note_words(study)
        self._write_texts()
        for table in TABLES:
            if table not in (*SHARED, *_NOT_WRITTEN, schema.study):
                self._write_table(table)
        for table, notice in _OF_ABSENT_STUDY.items():
            if self._scratch.execute(f"SELECT 1 FROM {table.name}").fetchone():
                self._report.notice(0, notice)
        rebuild_projections(self._connection, study.id)
        words.tell(self._first["conversation"], self._report)
        return study

    def _refuse_what_is_here(self) -> None:
        rows = self._scratch.execute("SELECT key, title FROM study").fetchall()
        if len(rows) != 1:
            raise Refused("bundle_damaged", name=self._name, where="the table study")
        if studies.find(self._connection, rows[0][0]):
            raise Refused("bundle_is_here", key=rows[0][0])
        for table in TABLES:
            if "event" not in table.c:
                continue
            events = (row[0] for row in self._scratch.execute(f"SELECT event FROM {table.name}"))
            while some := list(islice(events, MAX_IDS_PER_QUERY)):
                if self._connection.execute(select(table.c.id).where(table.c.event.in_(some))).first():
                    raise Refused("bundle_parts_are_here", key=rows[0][0])

    def _follow(self) -> None:
        """Stage an entry for each entry that wrote rows, and one for what follows from the import."""
        union = " UNION ".join(f"SELECT trail FROM {table.name}" for table in TABLES if table not in SHARED)
        self._scratch.execute("CREATE TABLE followed (n INTEGER PRIMARY KEY, seq UNIQUE)")
        self._scratch.execute(f"INSERT INTO followed (seq) SELECT trail FROM ({union}) ORDER BY trail")
        last = self._scratch.execute("SELECT count(*) FROM followed").fetchone()[0] + 1
        self._last = self._entry.seq + last
        rows = self._scratch.execute(
            "SELECT followed.n, followed.seq, at, actor, action FROM followed LEFT JOIN trail USING (seq)"
        )
        self._stage(
            schema.trail,
            (
                self._blank_entry(n, {"entry": seq, "at": at, "actor": actor, "action": action})
                for n, seq, at, actor, action in rows
            ),
        )
        self._stage(schema.trail, iter([self._blank_entry(last, {})]))

    def _blank_entry(self, n: int, detail: Mapping[str, Any]) -> dict[str, Any]:
        """Return a row that stands for an entry until the import is saved; `insert_staged` makes it from
        its action and detail.
        """
        told = {name: value for name, value in detail.items() if value is not None}
        blank = dict.fromkeys(schema.trail.c.keys(), "")
        return {
            **blank,
            "seq": self._entry.seq + n,
            "study": None,
            "action": ACTION,
            "detail": canonical(told).decode(),
        }

    def _write_shared(self) -> None:
        for old, body in self._scratch.execute("SELECT id, body FROM instrument").fetchall():
            self._shared["instrument", old] = studies.register_instrument(self._connection, self._entry, body)
        for old, body in self._scratch.execute("SELECT id, body FROM taxonomy").fetchall():
            self._shared["taxonomy", old] = studies.register_taxonomy(self._connection, self._entry, body)
        for table in (schema.judge_prompt, schema.asked_model):
            names = [column.name for column in columns(table) if column.name != "trail"]
            for values in self._scratch.execute(f"SELECT {', '.join(names)} FROM {table.name}").fetchall():
                row = dict(zip(names, values, strict=True))
                if not self._check.verifies:  # so that nothing of another study rests on it
                    row["sha256"] = hashlib.sha256(canonical([row["sha256"], self._check.head])).hexdigest()
                same = select(table.c.id).where(table.c.sha256 == row["sha256"])
                here = self._connection.execute(same).scalar()
                self._shared[table.name, row["id"]] = here or self._entry.write(table, row)

    def _check_labels(self, study: Study) -> None:
        """Raises Refused for a label that its criterion doesn't have.

        A criterion that the rubric doesn't have is counted nowhere.
        """
        instrument = study.instrument
        for table in _LABELLED:
            labels = f"SELECT DISTINCT criterion, label FROM {table} WHERE label IS NOT NULL"
            for criterion, label in self._scratch.execute(labels):
                if not instrument.criterion(criterion) and not instrument.criteria_from:
                    continue
                if label not in {level.id for level in instrument.scale_for(criterion).labels()}:
                    raise Refused("bundle_damaged", name=self._name, where=f"a label in the table {table}")

    def _note_words(self, study: Study) -> ImportedWords:
        """Record what the conversations say, under the key of this store. Raises Refused for words that were
        erased here.
        """
        words = ImportedWords(self._connection, self._entry, study)
        digests = dict[int, str]()
        for number, transcript in self._scratch.execute(
            "SELECT conversation.n, content.text FROM conversation "
            "JOIN content ON content.id = transcript_content WHERE content.text IS NOT NULL"
        ):
            new, messages = self._first["conversation"] + number - 1, json.loads(transcript)
            if not all(isinstance(part, str) for message in messages for part in message):
                raise ValueError("no transcript")
            digest = words.digest([(role, spoken) for role, spoken in messages])
            if not words.is_erased(digest) and digest is not None:
                digests[new] = digest
        if words.erased:
            raise Refused("bundle_holds_erased", name=self._name, erased=words.erased)
        rows = ({"conversation_id": number, "digest": digest} for number, digest in digests.items())
        self._stage_new(schema.known_words, rows)
        return words

    def _write_texts(self) -> None:
        """Stage the texts. Each is filed under the conversation of the rows that refer to it, so that erasing
        the conversation erases the text.
        """
        run = self._scratch.execute
        run("CREATE TABLE owner (id INTEGER PRIMARY KEY, conversation)")
        for table in TABLES:
            for name in content_columns(table):
                of = content.spell_conversation(table)
                which = f"FROM {table.name} AS referring WHERE {name} IS NOT NULL"
                run(f"INSERT OR IGNORE INTO owner SELECT {name}, {of} {which}")
                if run(
                    f"SELECT 1 {which} AND {of} IS NOT (SELECT conversation FROM owner WHERE id = {name})"
                ).fetchone():
                    raise Refused("bundle_damaged", name=self._name, where="a text of two conversations")
        if run("SELECT 1 FROM content WHERE id NOT IN (SELECT id FROM owner)").fetchone():
            raise Refused("bundle_damaged", name=self._name, where="a text that nothing refers to")
        rows = run(
            "SELECT content.n, salt, text, owner.conversation, conversation.n FROM content "
            "JOIN owner USING (id) LEFT JOIN conversation ON conversation.id = owner.conversation "
            "ORDER BY content.n"
        )
        self._stage(schema.content, (self._text(*row) for row in rows))

    def _text(
        self, n: int, salt: bytes | None, words: str | None, owner: int | None, conversation: int | None
    ) -> dict[str, Any]:
        if owner is not None and conversation is None:
            raise KeyError(owner)
        number = None if conversation is None else self._first["conversation"] + conversation - 1
        return {"id": self._first["content"] + n - 1, "conversation_id": number, "salt": salt, "text": words}

    def _write_table(self, table: Table) -> None:
        kinds = COUNTED.get(table.name)
        written = self._stage(table, self._rows(table))
        if kinds and written:
            self._report.added[kinds] += written

    def _rows(self, table: Table) -> Iterator[dict[str, Any]]:
        names, refs = [column.name for column in columns(table)], references(table)
        places = [
            f"(SELECT n FROM {target.name} AS named WHERE named.id = here.{name})"
            for name, target in refs.items()
        ]
        listed = ", ".join([f"here.{name}" for name in names] + places + ["followed.n", "entry.at", "here.n"])
        for values in self._scratch.execute(
            f"SELECT {listed} FROM {table.name} AS here LEFT JOIN followed ON followed.seq = here.trail "
            "LEFT JOIN trail AS entry ON entry.seq = here.trail ORDER BY here.n"
        ):
            row = dict(zip(names, values, strict=False))
            *_, followed, entry_at, n = values
            for (name, target), place in zip(refs.items(), values[len(names) :], strict=False):
                if row[name] is not None:
                    row[name] = self._new_id(target.name, row[name], place)
            row["id"], row["trail"] = self._first[table.name] + n - 1, self._entry.seq + followed
            yield self._changed(table, row, entry_at)

    def _changed(self, table: Table, row: dict[str, Any], entry_at: str | None) -> dict[str, Any]:
        """Return the row as it holds here: new ids in texts, nothing blind that isn't shown to be, and no day
        where none is known.
        """
        name = table.name
        for column in _JSON.get(name, ()):
            json.loads(row[column])
        if "at" in row:
            datetime.fromisoformat(row["at"])
        if name in ids_in_texts.COLUMNS:
            ids_in_texts.replace_ids(name, row, self._new_id)
        if name == schema.seen_elsewhere.name:
            row["of_study_id"] = self._first["study"]  # that study isn't here
        is_imported = row.get("source") == "imported" or row.get("origin") == "import"
        if (
            is_imported and row["at"] == entry_at
        ):  # the moment of an import is no day on which a label was given
            row["at"] = self._entry.at
        if not self._check.verifies:
            if row.get("exposure") == "blind":
                row["exposure"] = "unknown"
            if "judge_seen" in row:
                row["judge_seen"] = 1
        return row

    def _new_id(self, table: str, old: int, place: int | None = None) -> int:
        if (table, old) in self._shared:
            return self._shared[table, old]
        if place is None:
            place = self._scratch.execute(f"SELECT n FROM {table} WHERE id = ?", (old,)).fetchone()[0]
        return self._first[table] + place - 1

    def _stage_new(self, table: Table, rows: Iterable[dict[str, Any]]) -> None:
        """Stage rows that follow from the import, after those of the bundle."""
        first = next_id(self._connection, table)
        self._stage(
            table,
            (
                {
                    **row,
                    "id": number,
                    "trail": self._last,
                    **({"at": self._entry.at} if "at" in table.c else {}),
                }
                for number, row in enumerate(rows, start=first)
            ),
        )

    def _stage(self, table: Table, rows: Iterator[dict[str, Any]]) -> int:
        """Stage rows a batch at a time; return how many."""
        total = 0
        while some := list(islice(rows, BATCH)):
            self._connection.execute(insert(table), some)
            total += len(some)
        return total
