"""Compare a bundle with its own hashes: the chain of its trail, the rows under each entry, the digest that
the export recorded, and the texts.

It shows that a bundle is as it was exported, not who exported it: somebody who computes every hash anew makes
another bundle that verifies, unless the hash of the last entry was kept elsewhere.
"""

from __future__ import annotations

import heapq
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from sqlalchemy import Table

from data.record.study_bundle import EXPORTED, OFTEN_SHARED, TABLES, BundleDigest, columns, content_columns
from data.store.content import content_mac
from data.store.trail import HASHED, START, TableDigest, entry_hash
from words.plurals import count

MOST_LISTED = 5
_NAMES = ", ".join((*HASHED, "hash"))


@dataclass
class BundleCheck:
    """`differences`: the first of them as sentences, of `difference_count` in all. `unchecked`: table -> rows
    that were written together with rows of another study, so that nothing can be compared. `seq`, `head`: the
    last entry and its hash.
    """

    differences: list[str] = field(default_factory=list)
    difference_count: int = 0
    unchecked: Counter[str] = field(default_factory=Counter)
    rows: int = 0
    seq: int = 0
    head: str = START

    @property
    def verifies(self) -> bool:
        return not self.difference_count

    def add(self, difference: str) -> None:
        """Note a difference."""
        self.difference_count += 1
        if len(self.differences) < MOST_LISTED:
            self.differences.append(difference)


class _Group(NamedTuple):
    """The rows of a table under one entry, with their part of its digest."""

    entry: int
    table: str
    value: list[object]


def check_bundle(scratch: sqlite3.Connection, heads: Mapping[int, str]) -> BundleCheck:
    """Return how a bundle that was read (bundle_files.py) differs from its hashes.

    `heads`: number of an entry -> the hash that was kept of it.
    """
    check, digest = BundleCheck(), BundleDigest()
    _check_chain(scratch, check, digest, heads)
    check.rows = digest.rows
    last = scratch.execute("SELECT action, detail FROM trail ORDER BY seq DESC LIMIT 1").fetchone()
    if last is None or last[0] != EXPORTED or _field(last[1], "sha256") != digest.hexdigest():
        check.add("the rows are not those that the export recorded in its last entry")
    _check_texts(scratch, check)
    return check


def _check_chain(
    scratch: sqlite3.Connection, check: BundleCheck, digest: BundleDigest, heads: Mapping[int, str]
) -> None:
    groups = heapq.merge(*(_groups(scratch, table, digest) for table in TABLES))
    group = next(groups, None)
    left = dict(heads)
    for values in scratch.execute(f"SELECT {_NAMES} FROM trail ORDER BY seq"):
        entry = dict(zip((*HASHED, "hash"), values, strict=True))
        seq, is_whole = entry["seq"], entry["at"] is not None
        if seq != check.seq + 1:
            check.add(f"entries before entry {seq} of the trail are missing")
        if entry["previous"] != check.head:
            check.add(f"entry {seq} does not follow from the one before it")
        if is_whole and entry_hash(entry) != entry["hash"]:
            check.add(f"entry {seq} was altered")
        if left.pop(seq, entry["hash"]) != entry["hash"]:
            check.add(f"entry {seq} is not the one whose hash was kept")
        check.seq, check.head = seq, entry["hash"]
        written = dict[str, list[object]]()
        while group is not None and group.entry <= seq:
            if group.entry == seq:
                written[group.table] = group.value
            else:
                check.add(f"{group.table}: rows name entry {group.entry}, which is not in the trail")
            group = next(groups, None)
        _compare(check, seq, _field(entry["digest"]) if is_whole else None, written)
    while group is not None:
        check.add(f"{group.table}: rows name entry {group.entry}, which is not in the trail")
        group = next(groups, None)
    for seq in left:
        check.add(f"entry {seq}, whose hash was kept, is missing")


def _compare(check: BundleCheck, seq: int, recorded: object, written: Mapping[str, list[object]]) -> None:
    """Compare rows with the digest of their entry. `recorded` None: the entry is another study's."""
    expected: Mapping[str, object] = recorded if isinstance(recorded, dict) else {}
    for name in sorted(expected.keys() | written.keys()):
        value, here = expected.get(name), written.get(name)
        if value == here:
            continue
        if name in OFTEN_SHARED and (recorded is None or _row_count(value) > _row_count(here)):
            check.unchecked[name] += _row_count(here)
        elif recorded is None:
            check.add(f"{name}: rows of entry {seq}, which is not told as one of this study")
        else:
            check.add(f"{name}: the rows of entry {seq} were altered, added to or removed")


def _row_count(digest: object) -> int:
    """Return the number of rows in a table's part of a digest; 0 for None and what can't be one."""
    rows = digest[0] if isinstance(digest, list) and digest else 0
    return rows if isinstance(rows, int) else 0


def _groups(scratch: sqlite3.Connection, table: Table, digest: BundleDigest) -> Iterator[_Group]:
    names = ", ".join(column.name for column in columns(table))
    rows = scratch.execute(f"SELECT trail, {names} FROM {table.name} ORDER BY n")
    for entry, some in groupby(rows, key=lambda row: row[0]):
        part = TableDigest()
        for _, *row in some:
            part.add(row)
            digest.add(table.name, row)
        yield _Group(entry, table.name, part.value())


def _check_texts(scratch: sqlite3.Connection, check: BundleCheck) -> None:
    """A text must fit the HMAC of every row that refers to it; one that lacks must have been erased."""
    altered, missing = 0, 0
    for table in TABLES:
        for name in content_columns(table):
            mac = f"{name.removesuffix('_content')}_mac"
            for recorded, salt, text, is_erased in scratch.execute(
                f"SELECT referring.{mac}, content.salt, content.text, referring.{name} IN "
                f"(SELECT content_id FROM erasure) FROM {table.name} AS referring LEFT JOIN content "
                f"ON content.id = referring.{name} WHERE referring.{name} IS NOT NULL"
            ):
                if text is None and salt is None:
                    missing += not is_erased
                elif text is None or salt is None or is_erased or content_mac(salt, text) != recorded:
                    altered += 1
    if altered:
        check.add(f"{count(altered, 'text was', 'texts were')} altered")
    if missing:
        check.add(f"{count(missing, 'text is', 'texts are')} missing, and no erasure is recorded")


def repair_texts(scratch: sqlite3.Connection) -> None:
    """Make the texts of a bundle that doesn't verify agree with its rows, so that the store still verifies.

    What was erased is gone, no row refers to a missing text, and each HMAC is that of the text that is there.
    """

    scratch.create_function("spell_mac", 2, content_mac, deterministic=True)
    run, erased = scratch.execute, "SELECT content_id FROM erasure"
    run(f"UPDATE content SET text = NULL, salt = NULL WHERE id IN ({erased})")
    run(f"DELETE FROM content WHERE (text IS NULL OR salt IS NULL) AND id NOT IN ({erased})")
    for table in TABLES:
        for name in content_columns(table):
            mac = f"{name.removesuffix('_content')}_mac"
            run(
                f"UPDATE {table.name} SET {name} = NULL, {mac} = NULL "
                f"WHERE {name} NOT IN (SELECT id FROM content)"
            )
            run(
                f"UPDATE {table.name} SET {mac} = spell_mac(content.salt, content.text) FROM content "
                f"WHERE content.id = {name} AND content.text IS NOT NULL"
            )


def _field(spelled: object, name: str | None = None) -> object:
    """Return a field of an object in JSON, or the object; None if it can't be read."""
    try:
        value = json.loads(str(spelled))
    except (ValueError, RecursionError):
        return None
    if name is None:
        return value
    return value.get(name) if isinstance(value, dict) else None
