"""A store with a long trail, as years of work leave it: drafts, commits, reveals, and the calls of a judge
run.

Every action of a rater is an entry of its own, as on the rating page. A million of them through the services
would take an hour, so the rows are made here and written in large transactions; spelled, digested and chained
by the functions of data/store/trail.py that every save uses.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import Connection, Table, insert, select

from bench import stores
from data import schema
from data.record import judgements, studies
from data.record.quotation_counts import count_quotations
from data.record.studies import Study
from data.store import content
from data.store.store import Store
from data.store.trail import START, TableDigest, canonical, entry_hash, next_id, now

RATERS = 5
CALLS_AT_ONCE = 8  # answers of a judge that a worker commits together
CRITERIA = 6  # of the rubric that stores.new_study takes
EACH = CRITERIA + 2  # entries of a rater and a unit: a draft of each criterion, the commit, the reveal
WRITTEN_AT_ONCE = 50_000  # rows of all tables together


def make(path: Path, entries: int) -> Store:
    """A store of about so many entries at `path`."""
    calls_a_unit = CRITERIA / CALLS_AT_ONCE
    count = round(entries / (RATERS * EACH + calls_a_unit))
    source = stores.write_conversations(path.with_suffix(".jsonl"), count)
    store = stores.make(path, source, tuple(f"Reader {number}" for number in range(1, RATERS + 1)))
    source.unlink()
    with store.writing("bench", "name a judge") as (connection, entry):
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        judge_id = judgements.register(connection, entry, study.id, judgements.JudgeIdentity("Judge"))
        run_id = entry.write(
            schema.judge_run,
            {"study_id": study.id, "judge_name": "Judge", "asked_from": "bench", "options": "{}"},
        )
    with store.writing("bench", "work for years") as (connection, _):
        _Writer(connection, study, judge_id, run_id).work()
        count_quotations(connection)
    return store


class _Writer:
    """Rows that wait to be written, and the end of the chain."""

    def __init__(self, connection: Connection, study: Study, judge_id: int, run_id: int) -> None:
        self._connection, self._study, self._judge, self._run = connection, study, judge_id, run_id
        self._criteria = [criterion.id for criterion in study.instrument.criteria]
        last = connection.execute(
            select(schema.trail.c.seq, schema.trail.c.hash).order_by(schema.trail.c.seq.desc()).limit(1)
        ).first()
        self._seq: int = last.seq if last else 0
        self._previous: str = last.hash if last else START
        self._next = {table.name: next_id(connection, table) for table in (*schema.SEALED, schema.content)}
        self._waiting: dict[Table, list[dict[str, Any]]] = {}
        self._count = 0
        self._chance = Random(2026)
        self._digests: dict[str, TableDigest] = {}

    def work(self) -> None:
        unit, rater = schema.unit, schema.rater
        units = self._connection.execute(
            select(unit.c.id, unit.c.position)
            .where(unit.c.study_id == self._study.id)
            .order_by(unit.c.position)
        ).all()
        people = (
            self._connection.execute(
                select(rater.c.id).where(rater.c.study_id == self._study.id).order_by(rater.c.id)
            )
            .scalars()
            .all()
        )
        for some in _in_parts(units, CALLS_AT_ONCE):
            for criterion in self._criteria:
                self._judge_calls([row.id for row in some], criterion)
        for row in units:
            for rater_id in people:
                self._rate(rater_id, row.id, row.position)
        for rater_id in people:
            self._put(
                schema.rater_progress,
                {
                    "rater_id": rater_id,
                    "frontier": len(units) + 1,
                    "committed": len(units),
                    "reveals": len(units),
                },
            )
        self._flush()

    def _rate(self, rater_id: int, unit_id: int, position: int) -> None:
        given = []
        for criterion in self._criteria:
            note = self._text(self._words(12), unit_id) if self._chance.random() < 0.1 else (None, None)
            answer = {
                "criterion": criterion,
                "label": str(self._chance.randint(1, 5)),
                "also": "[]",
                "evidence": "[]",
                "note_content": note[0],
                "note_mac": note[1],
                "rater_id": rater_id,
                "unit_id": unit_id,
            }
            self._seal(schema.draft, {**answer, "event": self._event()})
            self._entry(f"Reader {rater_id}", "rate")
            given.append(answer)
        event = self._event()
        self._seal(
            schema.commit, {"event": event, "rater_id": rater_id, "unit_id": unit_id, "ordinal": position}
        )
        for answer in given:
            self._seal(
                schema.rating,
                {
                    **answer,
                    "event": f"{event}:{answer['criterion']}",
                    "study_id": self._study.id,
                    "source": "given",
                    "exposure": "blind",
                    "reveals_before": position - 1,
                },
            )
        self._entry(f"Reader {rater_id}", "commit")
        self._seal(
            schema.exposure,
            {"rater_id": rater_id, "unit_id": unit_id, "judge_id": self._judge, "kind": "reveal"},
        )
        self._entry(f"Reader {rater_id}", "reveal")
        self._put(
            schema.progress,
            {"rater_id": rater_id, "unit_id": unit_id, "position": position, "state": "compared"},
        )

    def _judge_calls(self, unit_ids: list[int], criterion: str) -> None:
        for unit_id in unit_ids:
            reasoning, label = self._words(40), str(self._chance.randint(1, 5))
            reply = self._text(json.dumps({"reasoning": reasoning, "label": label}), unit_id)
            content_id = self._text(reasoning, unit_id)
            call = {
                "judge_id": self._judge,
                "unit_id": unit_id,
                "criterion": criterion,
                "anchor_round": 0,
                "replicate": 0,
                "status": "ok",
            }
            self._seal(
                schema.attempt,
                {
                    **call,
                    "study_id": self._study.id,
                    "conversation_id": unit_id,
                    "purpose": "judgement",
                    "run_id": self._run,
                    "key": f"{unit_id:064x}",
                    "tried": 0,
                    "repair": 0,
                    "detail": "",
                    "http": 200,
                    "finish": "STOP",
                    "served": "model",
                    "response_id": self._event(),
                    "safety": "[]",
                    "tokens_in": 2000,
                    "tokens_out": 80,
                    "tokens_thought": 0,
                    "tokens_cached": 0,
                    "cost_nano": 1_000_000,
                    "price_date": "2026-11-01",
                    "currency": "USD",
                    "latency_ms": 900,
                    "adapter": "bench",
                    "batched": 0,
                    "replayed": 0,
                    "prompt_sha256": "a" * 64,
                    "reply_content": reply[0],
                    "reply_mac": reply[1],
                },
            )
            self._seal(
                schema.judgement,
                {
                    **call,
                    "study_id": self._study.id,
                    "label": label,
                    "cited": "[]",
                    "reasoning_content": content_id[0],
                    "reasoning_mac": content_id[1],
                    "origin": "run",
                    "run_id": self._run,
                },
            )
        self._entry("worker", "judge")

    def _words(self, count: int) -> str:
        return " ".join(self._chance.choices(stores.WORDS, k=count))

    def _event(self) -> str:
        return str(uuid.UUID(int=self._chance.getrandbits(128), version=4))

    def _text(self, text: str, conversation_id: int) -> tuple[int, str]:
        """`conversation_id`: here the number of its unit."""
        number, salt = self._number(schema.content), self._chance.randbytes(16)
        self._put(
            schema.content, {"id": number, "conversation_id": conversation_id, "salt": salt, "text": text}
        )
        return number, content.content_mac(salt, text)

    def _number(self, table: Table) -> int:
        number = self._next[table.name]
        self._next[table.name] += 1
        return number

    def _seal(self, table: Table, row: dict[str, Any]) -> None:
        """A row under the entry that comes next."""
        values = {column.name: row.get(column.name) for column in table.columns}
        values |= {"id": self._number(table), "trail": self._seq + 1, "at": now()}
        self._digests.setdefault(table.name, TableDigest()).add(
            [values[column.name] for column in table.columns]
        )
        self._put(table, values)

    def _entry(self, actor: str, action: str) -> None:
        self._seq += 1
        row = {
            "seq": self._seq,
            "at": now(),
            "actor": actor,
            "action": action,
            "study": self._study.id,
            "detail": "{}",
            "digest": canonical({name: digest.value() for name, digest in self._digests.items()}).decode(),
            "previous": self._previous,
        }
        self._previous = entry_hash(row)
        self._put(schema.trail, {**row, "hash": self._previous})
        self._digests = {}
        if self._count >= WRITTEN_AT_ONCE:
            self._flush()

    def _put(self, table: Table, row: dict[str, Any]) -> None:
        self._waiting.setdefault(table, []).append(row)
        self._count += 1

    def _flush(self) -> None:
        for table in (schema.content, *(table for table in self._waiting if table is not schema.content)):
            if self._waiting.get(table):
                self._connection.execute(insert(table), self._waiting[table])
        self._waiting, self._count = {}, 0


def _in_parts(rows: Any, size: int) -> Iterator[Any]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]
