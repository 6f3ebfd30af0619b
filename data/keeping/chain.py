"""Check the trail from its first entry to its last: numbered and chained without a gap, with each digest that
of its rows.

Entries and rows are read in parallel in the order of writing, so that nothing is kept in memory.
"""

from __future__ import annotations

import heapq
import json
import math
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from hashlib import sha256
from itertools import chain
from typing import Any

from sqlalchemy import Connection

from data import schema
from data.keeping.clock import Clock
from data.keeping.sealed_rows import Group, OutOfOrder, digest_anew, groups, without_entry
from data.keeping.store_check import StoreCheck
from data.store.driver import any_text, raw_connection
from data.store.trail import HASHED, START, canonical

_TRAIL = schema.trail.name
_END: Group = (math.inf, "", 0, "", 0)  # after every entry
_ENTRIES = (
    f"SELECT seq, coalesce(at, ''), digest, previous, hash, CAST(json_array({', '.join(HASHED)}) AS "
    f"BLOB) FROM {_TRAIL} ORDER BY seq"
)
_ENTRY = f"SELECT {', '.join(HASHED)} FROM {_TRAIL} WHERE seq = ?"
_TABLES = {table.name: table for table in schema.SEALED}


def read_chain(connection: Connection, heads: Mapping[int, str]) -> StoreCheck:
    """Return what a reading of the whole trail and every sealed row shows. `heads`: entry number -> exported
    hash.
    """
    raw = raw_connection(connection)
    careful: set[str] = set()
    while True:
        try:
            # The quick way fails at invalid UTF-8; then use the way for any text.
            with any_text(connection) if careful else nullcontext():
                return _ChainReading(raw, heads, careful).check
        except OutOfOrder as error:  # at most once per table, and only if another program wrote to the store
            careful.add(error.table)


class _ChainReading:
    """One walk through the trail. `careful`: tables read without trusting their order or content."""

    def __init__(
        self,
        raw: sqlite3.Connection,
        heads: Mapping[int, str],
        careful: set[str],
    ) -> None:
        self._raw, self._careful, self.check = raw, careful, StoreCheck()
        self._clock = Clock()
        try:
            self._walk(dict(heads))
        except sqlite3.OperationalError:
            if _TRAIL in careful:
                raise
            raise OutOfOrder(_TRAIL) from None
        self.check.remarks += self._clock.remarks()

    def _walk(self, heads: dict[int, str]) -> None:
        """Check every entry. The steps are inlined, because calls would take longer than the work."""
        merged = chain(
            heapq.merge(
                *(groups(self._raw, table, name in self._careful) for name, table in _TABLES.items())
            ),
            [_END],
        )
        group, rows, number, head, before = next(merged), 0, 0, START, ""
        for seq, at, digest, previous, own_hash, spelled in self._entries():
            number += 1
            if (
                seq != number
                or previous != head
                or sha256(spelled).hexdigest() != own_hash
                or at < before
                or seq in heads
            ):
                self._entry_problems(
                    seq,
                    number,
                    previous != head,
                    self._altered(seq, spelled, own_hash),
                    heads.pop(seq, own_hash) != own_hash,
                )
                if at < before:
                    self._clock.went_back(seq, before, at)
                number = seq
            head, before = own_hash, at
            while group[0] < seq:
                rows += self._name_unknown(group)
                group = next(merged)
            written, parts = [], ""
            while group[0] == seq:
                _, _, count, part, _ = group
                rows += count
                parts = f"{parts},{part}" if parts else part
                written.append(group)
                group = next(merged)
            if digest != "{" + parts + "}":
                self.check.add_problems(self._differences(seq, digest, written))
        while group is not _END:
            rows += self._name_unknown(group)
            group = next(merged)
        self.check.entries, self.check.rows, self.check.head = number, rows, head
        self._end(heads)

    def _entry_problems(self, seq: int, expected: int, unchained: bool, altered: bool, another: bool) -> None:
        if seq != expected:
            self._name(f"entry {expected} is missing from the trail")
        if unchained:
            self._name(f"entry {seq} does not follow from the one before it")
        if altered:
            self._name(f"entry {seq} was altered")
        if another:
            self._name(f"entry {seq} is not the one whose hash was exported")

    def _end(self, heads: dict[int, str]) -> None:
        for name in sorted(self._careful & _TABLES.keys()):
            count = without_entry(self._raw, _TABLES[name])
            self.check.rows += count
            if count:
                self._name(f"{name}: {count} rows under no entry of the trail")
        self.check.add_problems(f"entry {seq}, whose hash was exported, is gone" for seq in heads)

    def _name(self, problem: str) -> None:
        self.check.add_problems([problem])

    def _name_unknown(self, group: Group) -> int:
        """Report rows that no entry covers; return how many."""
        self._name(_unknown(group))
        return group[2]

    def _entries(self) -> Iterator[tuple[int, str, str, str, str, bytes]]:
        """Yield (seq, at, digest, previous, hash, hashed bytes) of every entry."""
        if _TRAIL not in self._careful:
            return self._raw.execute(_ENTRIES)
        entries = self._raw.execute(f"SELECT {', '.join(HASHED)}, hash FROM {_TRAIL} ORDER BY seq")
        return (
            (hashed[0], str(hashed[1]), hashed[6], hashed[7], own_hash, canonical(hashed))
            for *hashed, own_hash in entries
        )

    def _altered(self, seq: int, spelled: bytes, own_hash: str) -> bool:
        """Tell whether an entry's hash is wrong. If SQLite encoded the entry, Python encodes it again first
        (sealed_rows).
        """
        if sha256(spelled).hexdigest() == own_hash:
            return False
        return (
            _TRAIL in self._careful
            or sha256(canonical(self._raw.execute(_ENTRY, (seq,)).fetchone())).hexdigest() != own_hash
        )

    def _differences(self, seq: int, digest: Any, written: list[Group]) -> Iterator[str]:
        """Yield, table by table, how the rows under an entry differ from its digest."""
        recorded, here = _recorded(digest), {group[1]: group for group in written}
        for name in sorted(recorded.keys() | here.keys()):
            group = here.get(name)
            if name not in recorded and group is not None:
                yield _unknown(group)
            elif group is None or not self._same(group, recorded[name]):
                yield f"{name[:80]}: the rows of entry {seq} were altered, added to or taken away"

    def _same(self, group: Group, recorded: object) -> bool:
        _, name, _, part, _ = group
        spelled = f'"{name}":{canonical(recorded).decode("utf-8", "replace")}'
        return spelled == part or (
            name not in self._careful and spelled == digest_anew(self._raw, _TABLES[name], group)
        )


def _recorded(digest: object) -> dict[str, object]:
    """Return what an entry says about each table; {} if it was altered beyond reading, which its hash
    shows.
    """
    try:
        tables = json.loads(str(digest))
    except ValueError:
        return {}
    return tables if isinstance(tables, dict) else {}


def _unknown(group: Group) -> str:
    entry, name, count, _, _ = group
    return f"{name}: {count} rows under entry {entry} that the trail does not know"
