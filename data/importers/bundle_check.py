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

from data import schema
from data.importers.report import ImportReport
from data.record.study_bundle import EXPORTED, OFTEN_SHARED, TABLES, BundleDigest, columns, content_columns
from data.store.content import content_mac
from data.store.trail import HASHED, START, TableDigest, entry_hash
from words.plurals import count, inflect, join_words

MOST_LISTED = 5
# Claims that a report or a later step here would rest on, and that only a bundle that verifies can show to be
# as they were given: table -> the noun for its rows, one and many. A table follows those that refer to it.
CLAIMS = {
    schema.adoption: ("adoption of a judge", "adoptions of judges"),
    schema.anchor: ("anchor label", "anchor labels"),
    schema.anchor_set: ("anchor set", "anchor sets"),
    schema.judge_choice: ("choice of a judge", "choices of judges"),
    schema.gold_label: ("gold label", "gold labels"),
    schema.certification: ("certification", "certifications"),
    schema.plan_decision: ("decision on a proposed plan", "decisions on proposed plans"),
    schema.step_pair_rating: ("rating of a pair of steps", "ratings of pairs of steps"),
    schema.metric_value: ("computed number", "computed numbers"),
}
_NAMES = ", ".join((*HASHED, "hash"))


@dataclass
class BundleCheck:
    """`differences`: the first of them as sentences, of `difference_count` in all. `unchecked`: table -> rows
    that were written together with rows of another study, so that nothing can be compared. `left_out`: table
    -> rows that `leave_out_claims` removed. `seq`, `head`: the last entry and its hash.
    """

    differences: list[str] = field(default_factory=list)
    difference_count: int = 0
    unchecked: Counter[str] = field(default_factory=Counter)
    left_out: Counter[Table] = field(default_factory=Counter)
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
    """Note texts that differ from the HMAC of a row that refers to them, and missing texts without
    an erasure on record.
    """
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


def leave_out_claims(scratch: sqlite3.Connection) -> Counter[Table]:
    """Delete the rows of CLAIMS from a bundle that doesn't verify, with their texts and erasures.
    Return table -> how many rows were deleted.
    """
    run = scratch.execute
    left_out = Counter({table: run(f"DELETE FROM {table.name}").rowcount for table in CLAIMS})
    spoken = " UNION ".join(
        f"SELECT {name} FROM {table.name} WHERE {name} IS NOT NULL"
        for table in TABLES
        for name in content_columns(table)
    )
    # The reason of an erasure is a text too, and may be erased itself.
    while run(f"DELETE FROM content WHERE id NOT IN ({spoken})").rowcount:
        run("DELETE FROM erasure WHERE content_id NOT IN (SELECT id FROM content)")
    run("UPDATE erasure SET n = (SELECT count(*) FROM erasure AS earlier WHERE earlier.n <= erasure.n)")
    return left_out


def report_check(check: BundleCheck, report: ImportReport) -> None:
    """Add to the report of an import what differs, what is therefore left out, and what was not checked."""
    for difference in check.differences:
        report.notice(0, difference)
    if not check.verifies:
        report.notice(
            0,
            f"the bundle does not verify ({count(check.difference_count, 'difference', 'differences')}), so "
            "no label in it counts as blind: what it calls blind is imported as unknown, and settled labels "
            "as given after the judge was seen",
        )
    left_out = [count(rows, *CLAIMS[table]) for table, rows in check.left_out.items() if rows]
    if left_out:
        report.notice(
            0, f"left out, because only a bundle that verifies can show who gave it: {join_words(left_out)}"
        )
    for name, rows in sorted(check.unchecked.items()):
        if rows:
            entries = inflect(
                rows, "was written with another study and is", "were written with other studies and are"
            )
            report.notice(0, f"{count(rows, 'row', 'rows')} of the table {name} {entries} not checked")


def _field(spelled: object, name: str | None = None) -> object:
    """Return a field of an object in JSON, or the object; None if it can't be read."""
    try:
        value = json.loads(str(spelled))
    except (ValueError, RecursionError):
        return None
    if name is None:
        return value
    return value.get(name) if isinstance(value, dict) else None
