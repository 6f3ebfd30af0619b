"""Checking the trail against itself, against the rows it seals, and against head hashes that were kept elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from sqlalchemy import Connection, Table, func, or_, select, union

from data import schema
from data.content import mac
from data.trail import START, TableDigest, entry_hash, sealed_values
from data.work import openings
from data.work import plan as plans
from data.work.plan import Plan


@dataclass
class Verdict:
    """`head` is the last entry's number and hash: keep it elsewhere, and a later check proves nothing was rewritten."""

    entries: int = 0
    rows: int = 0
    erased: int = 0
    head: str = START
    problems: list[str] = field(default_factory=list)


def verify(connection: Connection, heads: Mapping[int, str] | None = None) -> Verdict:
    """Read everything and compare. `heads` maps entry numbers to hashes that were exported earlier."""
    verdict = Verdict()
    expected = _chain(connection, verdict, dict(heads or {}))
    for table in schema.SEALED:
        _rows(connection, table, expected.get(table.name, {}), verdict)
    _content(connection, verdict)
    _seats(connection, verdict)
    _work(connection, verdict)
    return verdict


def _chain(connection: Connection, verdict: Verdict, heads: dict[int, str]) -> dict[str, dict[int, list[object]]]:
    expected: dict[str, dict[int, list[object]]] = {}
    for mapping in connection.execute(select(schema.trail).order_by(schema.trail.c.seq)).mappings():
        row = dict(mapping)
        verdict.entries += 1
        if row["seq"] != verdict.entries:
            verdict.problems.append(f"entry {verdict.entries} is missing from the trail")
            verdict.entries = row["seq"]
        if row["previous"] != verdict.head:
            verdict.problems.append(f"entry {row['seq']} does not follow from the one before it")
        if entry_hash(row) != row["hash"]:
            verdict.problems.append(f"entry {row['seq']} was altered")
        if heads.pop(row["seq"], row["hash"]) != row["hash"]:
            verdict.problems.append(f"entry {row['seq']} is not the one whose hash was exported")
        verdict.head = row["hash"]
        for table, digest in _digests(row["digest"]).items():
            expected.setdefault(table, {})[row["seq"]] = digest
    verdict.problems += [f"entry {seq}, whose hash was exported, is gone" for seq in heads]
    return expected


def _digests(told: object) -> dict[str, list[object]]:
    """What an entry says of each table. Where it makes no sense it was altered, which its hash shows."""
    try:
        made = json.loads(str(told))
    except ValueError:
        return {}
    return made if isinstance(made, dict) else {}


def _rows(connection: Connection, table: Table, expected: dict[int, list[object]], verdict: Verdict) -> None:
    found: dict[int, TableDigest] = {}
    for row in connection.execution_options(yield_per=5000).execute(select(table).order_by(table.c.id)):
        verdict.rows += 1
        found.setdefault(row.trail, TableDigest()).add(sealed_values(table, list(row)))
    for seq in sorted(found.keys() | expected.keys(), key=lambda seq: (isinstance(seq, str), seq)):
        kept, told = found.get(seq), expected.get(seq)
        if told is None:
            verdict.problems.append(f"{table.name}: {kept.count if kept else 0} rows under entry {seq} that the trail does not know")
        elif kept is None or kept.value() != told:
            verdict.problems.append(f"{table.name}: the rows of entry {seq} were altered, added to or taken away")


def _content(connection: Connection, verdict: Verdict) -> None:
    erased, gone = set(connection.execute(select(schema.erasure.c.content_id)).scalars()), set()
    found: dict[str, None] = {}  # a text may be shown in several places; what is wrong with it is said once
    for content_id, told in _references(connection):
        row = connection.execute(select(schema.content).where(schema.content.c.id == content_id)).first()
        text, salt = (row.text, row.salt) if row is not None else (None, None)
        if content_id in erased:
            gone.add(content_id)
            if text is not None or salt is not None:
                found[f"text {content_id} was erased and is there again"] = None
        elif text is None or salt is None:
            found[f"text {content_id} is missing and no erasure is recorded"] = None
        elif not isinstance(text, str) or not isinstance(salt, bytes) or mac(salt, text) != told:
            found[f"text {content_id} was altered"] = None
    verdict.problems += found
    verdict.erased = len(gone)


def _seats(connection: Connection, verdict: Verdict) -> None:
    """The counters decide what is revealed and what a rating says of practice, so they must be what was recorded."""
    commits: dict[int, int] = dict(connection.execute(select(schema.commit.c.rater_id, func.count()).group_by(schema.commit.c.rater_id)).all())
    shown = select(schema.exposure.c.rater_id, schema.exposure.c.unit_id).where(schema.exposure.c.unit_id.is_not(None)).distinct().subquery()
    reveals: dict[int, int] = dict(connection.execute(select(shown.c.rater_id, func.count()).group_by(shown.c.rater_id)).all())
    seats = {row.rater_id: (row.committed, row.reveals) for row in connection.execute(select(schema.seat))}
    for rater_id in seats.keys() | commits.keys() | reveals.keys():
        if seats.get(rater_id, (0, 0)) != (commits.get(rater_id, 0), reveals.get(rater_id, 0)):
            verdict.problems.append(f"the counters of rater {rater_id} are not what was recorded")


def _work(connection: Connection, verdict: Verdict) -> None:
    """What is held and how many have taken a unit decides who is given it, so it must be what was recorded."""
    assigned, event = schema.assignment, schema.assignment_event
    last = select(event.c.kind).where(event.c.assignment_id == assigned.c.id).order_by(event.c.id.desc()).limit(1).scalar_subquery()
    held = set(connection.execute(select(assigned.c.id).where(func.coalesce(last, "taken_again") == "taken_again")).scalars())
    if held != set(connection.execute(select(schema.holding.c.assignment_id)).scalars()):
        verdict.problems.append("what is kept for raters is not what was recorded")
    _kept_where_assigned(connection, verdict)
    _states(connection, verdict)
    verdict.problems += [f"rater {rater_id} has passed over units that they could still be given" for rater_id in openings.walked_past(connection)]
    planned = set(connection.execute(select(schema.work_plan.c.study_id)).scalars())
    open_in = set(connection.execute(select(schema.opening.c.study_id).distinct()).scalars())
    verdict.problems += [f"units of study {study_id} are open to raters, and it has no plan" for study_id in sorted(open_in - planned)]
    for study_id in sorted(planned):
        plan = _plan(connection, study_id)
        if plan is not None and openings.miscounted(connection, study_id, plan):
            verdict.problems.append(f"how many raters have taken the units of study {study_id} is not what was recorded")


def _kept_where_assigned(connection: Connection, verdict: Verdict) -> None:
    """What is kept for a rater is kept of the unit, for the person and in the study that the assignment says."""
    held, assigned, unit = schema.holding, schema.assignment, schema.unit
    other = connection.execute(
        select(held.c.assignment_id).join(assigned, assigned.c.id == held.c.assignment_id).join(unit, unit.c.id == assigned.c.unit_id)
        .where(or_(held.c.rater_id != assigned.c.rater_id, held.c.unit_id != assigned.c.unit_id, held.c.study_id != unit.c.study_id))
        .order_by(held.c.assignment_id)).scalars()
    verdict.problems += [f"what is kept under assignment {number} is not what was assigned" for number in other]


def _states(connection: Connection, verdict: Verdict) -> None:
    """Whether a unit counts as rated decides what comes next and what is revealed, so it must be what was committed."""
    state, commit = schema.progress, schema.commit
    rated = select(state.c.rater_id, state.c.unit_id).where(state.c.state.in_(("committed", "compared")))
    committed = select(commit.c.rater_id, commit.c.unit_id)
    wrong = union(select(rated.except_(committed).subquery()), select(committed.except_(rated).subquery())).subquery()
    for rater_id, count in connection.execute(select(wrong.c.rater_id, func.count()).group_by(wrong.c.rater_id)):
        verdict.problems.append(f"{count} units of rater {rater_id} count as rated and were not committed, or the other way round")


def _plan(connection: Connection, study_id: int) -> Plan | None:
    """The plan, or None where it was altered so that it cannot be read, which its digest shows."""
    try:
        return plans.current(connection, study_id)
    except ValueError:
        return None


def _references(connection: Connection) -> Iterator[tuple[int, str]]:
    for table in schema.SEALED:
        for column in table.columns:
            if column.name.endswith("_content"):
                told = table.c[column.name.removesuffix("_content") + "_mac"]
                yield from connection.execute(select(column, told).where(column.is_not(None))).all()
