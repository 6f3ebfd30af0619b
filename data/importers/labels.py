"""Labels of judges and of people, as JSONL or CSV: one row a criterion.

Judgements: conversation_id, criterion, label (or status and detail for a failure), reasoning, cited_turns,
judge, replicate, round. Ratings: conversation_id, rater, criterion, label, note. A unit inside a conversation
is named by `turn`.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from data import content, judgements, schema, studies
from data.importers.columns import UnreadColumns, field
from data.importers.imported_raters import NOBODY_SAME, ImportedRaters, SameRaters
from data.importers.label_givers import kind_of
from data.importers.placing import Placed, Placer
from data.importers.report import Report
from data.importers.turns import TEXT_COLUMNS, TurnCount
from data.judgements import FAILURES, Identity
from data.studies import Study
from data.trail import Entry
from scoring.drift.on_anchors import ANSWERS, replicates_of

JUDGEMENT_FIELDS = (
    "conversation_id",
    "criterion",
    "label",
    "judge",
    "reasoning",
    "cited_turns",
    "status",
    "detail",
    "replicate",
    "round",
    "at",
)
RATING_FIELDS = ("conversation_id", "criterion", "label", "rater", "note", "at")
EXPOSURES = ("blind", "judge_visible", "unknown")
BATCH = 1000


def add_judgements(
    connection: Connection,
    entry: Entry,
    study: Study,
    rows: Iterable[tuple[int, dict[str, Any]]],
    report: Report,
    identity: Identity,
    source: str,
    turns: TurnCount | None = None,
) -> None:
    """Write judgements. A row without a readable label is a failure, never a label. `turns`: what turn
    numbers count, where somebody said.
    """
    placer = Placer(connection, study, report)
    table = schema.judgement
    known: dict[tuple[Any, ...], str | None] = {
        tuple(row[:-1]): row[-1]
        for row in connection.execute(
            select(
                table.c.unit_id, table.c.judge_id, table.c.criterion, table.c.replicate, table.c.label
            ).where(table.c.study_id == study.id)
        )
    }
    identity = replace(identity, instrument=f"{study.instrument.key} {study.instrument.version}")
    judges: dict[str, int] = {}
    people = {studies.name_key(rater.name): rater.name for rater in studies.raters(connection, study.id)}
    made: list[dict[str, Any]] = []
    texts: list[str | None] = []
    answers = _Answers()
    unread = _unread_columns(study, JUDGEMENT_FIELDS)
    for placed in (
        each
        for line, row in placer.settle_turns(unread.watch(rows), turns)
        for each in placer.place(line, row)
    ):
        row = placed.row
        name = str(field(row, "judge") or identity.name)
        if name not in judges:
            peoples = _peoples(name, people)
            if peoples is not None:
                report.error(placed.line, peoples)
                continue
            who = identity if name == identity.name else replace(identity, name=name, model=name)
            judges[name] = judgements.register(connection, entry, study.id, who)
        replicate = _replicate(placed, report)
        if replicate is None:
            continue
        status, label = _verdict(placed, study, report)
        if status is None:
            continue
        identifier = (placed.unit.id, judges[name], placed.criterion.id, replicate)
        if answers.contradict(identifier, (status, label), placed, report):
            continue
        if identifier in known:
            _already("judgements", placed, known[identifier], label, report)
            continue
        known[identifier] = label
        said = (
            field(row, "reasoning") if status == "ok" else (field(row, "detail") or field(row, "reasoning"))
        )
        texts.append(str(said) if said else None)
        made.append(
            {
                "study_id": study.id,
                "unit_id": placed.unit.id,
                "judge_id": judges[name],
                "criterion": placed.criterion.id,
                "status": status,
                "label": label,
                "cited": json.dumps(_cited(field(row, "cited_turns"))),
                "replicate": replicate,
                "source": source,
                "at": _moment(placed, report),
            }
        )
    if not report.errors:
        unread.tell(report)
        _write(connection, entry, schema.judgement, made, {"reasoning": texts})
        report.added["judgements"] += sum(1 for row in made if row["status"] == "ok")
        failures = sum(1 for row in made if row["status"] != "ok")
        if failures:
            report.added["failed judge calls"] += failures


def add_ratings(
    connection: Connection,
    entry: Entry,
    study: Study,
    rows: Iterable[tuple[int, dict[str, Any]]],
    report: Report,
    exposure: str,
    source: str,
    turns: TurnCount | None = None,
    same_raters: SameRaters = NOBODY_SAME,
) -> None:
    """Write ratings of people. `exposure` is what they had been shown, as told by whoever imports them.
    `turns`: what turn numbers count, where somebody said. `same_raters`: names of the file who are the raters
    of that name here; others of the same name are kept apart, and so are their labels in any case.
    """
    if exposure not in EXPOSURES:
        report.error(0, f"say what these raters had seen of the judge: {', '.join(EXPOSURES)}")
        return
    placer = Placer(connection, study, report)
    givers = ImportedRaters(connection, entry, study, report, same_raters, source)
    table = schema.rating
    known: dict[tuple[Any, ...], tuple[str | None, str]] = {
        tuple(row[:3]): (row.label, row.exposure)
        for row in connection.execute(
            select(table.c.rater_id, table.c.unit_id, table.c.criterion, table.c.label, table.c.exposure)
            .where(table.c.study_id == study.id)
            .order_by(table.c.id)
        )
    }
    # Files once wrote under the name of a person of the study; such a file brought again is there already.
    under_own_name = {
        tuple(row)
        for row in connection.execute(
            select(table.c.rater_id, table.c.unit_id, table.c.criterion)
            .join(schema.rater, schema.rater.c.id == table.c.rater_id)
            .where(
                table.c.study_id == study.id, table.c.source == "imported", schema.rater.c.kind == "person"
            )
        )
    }
    made: list[dict[str, Any]] = []
    notes: list[str | None] = []
    answers = _Answers()
    unread = _unread_columns(study, RATING_FIELDS)
    for placed in (
        each
        for line, row in placer.settle_turns(unread.watch(rows), turns)
        for each in placer.place(line, row)
    ):
        line, row = placed.line, placed.row
        name = field(row, "rater")
        if name is None:
            report.error(line, "there is no rater; a rating needs the name or code of the person who gave it")
            continue
        label = study.instrument.scale_of(placed.criterion).label(field(row, "label"))
        if label is None:
            report.error(
                line, _not_a_label(placed, study) if field(row, "label") is not None else "there is no label"
            )
            continue
        own = (givers.person_id(str(name)), placed.unit.id, placed.criterion.id)
        if own in under_own_name:
            _already("ratings", placed, known[own][0], label, report)
            continue
        rater_id = givers.rater_id(str(name), line)
        if rater_id is None:
            continue
        identifier = (rater_id, placed.unit.id, placed.criterion.id)
        if answers.contradict(identifier, label, placed, report) or givers.counts_twice(
            str(name), identifier, known, line
        ):
            continue
        if identifier in known:
            before, shown = known[identifier]
            _already("ratings", placed, before, label, report)
            if shown != exposure:
                report.error(
                    line,
                    f"this rating is in the study as {shown!r}; what a rater had seen cannot be changed by "
                    f"importing again as {exposure!r}",
                )
            continue
        known[identifier] = (label, exposure)
        if exposure != "blind" and known.get(own, (None, ""))[1] == "blind":
            givers.note_blind_label(str(name))
        forced = study.instrument.forced_not_applicable(placed.criterion, placed.unit.turns)
        if forced and label != forced:
            report.notice(
                line,
                f"{placed.criterion.id} does not apply to a conversation of {placed.unit.turns} turns, but "
                f"the file has {label}; kept as given",
            )
        notes.append(_text(field(row, "note")))
        made.append(
            {
                "event": str(uuid.uuid4()),
                "study_id": study.id,
                "rater_id": rater_id,
                "unit_id": placed.unit.id,
                "criterion": placed.criterion.id,
                "label": label,
                "source": "rule" if forced == label else "imported",
                "exposure": exposure,
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
                "at": _moment(placed, report),
            }
        )
    givers.tell()
    if not report.errors:
        unread.tell(report)
        _write(connection, entry, schema.rating, made, {"note": notes})
        report.added["ratings"] += len(made)


def _unread_columns(study: Study, fields: Sequence[str]) -> UnreadColumns:
    """In a study of whole conversations nothing is read of a turn or its text."""
    return (
        UnreadColumns(fields)
        if study.instrument.unit == "conversation"
        else UnreadColumns((*fields, "turn"), TEXT_COLUMNS)
    )


class _Answers:
    """What the rows of one file answered so far. Of two answers to one question the first would win by its
    place in the file alone.
    """

    def __init__(self) -> None:
        self._first: dict[tuple[Any, ...], tuple[Any, int]] = {}

    def contradict(self, question: tuple[Any, ...], answer: Any, placed: Placed, report: Report) -> bool:
        """Whether the same rater or judge answered this question otherwise on a line before; then an error
        names both lines.
        """
        before, line = self._first.setdefault(question, (answer, placed.line))
        if before == answer:
            return False
        report.error(
            placed.line,
            f"{placed.criterion.id} of this conversation has another answer on line {line}. Nobody gives "
            "two answers to one question: "
            "if several people or judges gave them, a column must say who",
        )
        return True


def _peoples(judge: str, people: Mapping[str, str]) -> str | None:
    """Why the name of a judge looks like people; None where it does not. `people`: the raters of the study by
    what spellings have in common.
    """
    rater = people.get(studies.name_key(judge.strip()))
    if rater is not None:
        return (
            f"{rater} is a rater of this study, and a person's labels are never a judge's; bring them in "
            "as ratings, or name the judge otherwise"
        )
    if kind_of(judge) == "person":
        return (
            f"the judge is called {judge.strip()!r}, which looks like people; bring people's labels in "
            "as ratings, or name the judge otherwise"
        )
    return None


def _replicate(placed: Placed, report: Report) -> int | None:
    """Which asking of the question. In a `round`, from 1, it is one of the answers to an anchor, and its
    replicate counts from 0 within the round.
    """
    replicate, number = (
        _integer(field(placed.row, "replicate") or 0),
        _integer(field(placed.row, "round") or 0),
    )
    if not 0 <= replicate <= 1_000_000:
        report.error(
            placed.line, f"the replicate {str(field(placed.row, 'replicate'))!r} is not a number from 0 on"
        )
        return None
    if number == 0:
        return replicate
    if not 0 < number <= 10_000 or replicate >= ANSWERS:
        report.error(
            placed.line,
            "a round of the anchors is a number from 1 on, and the replicates in it are from 0 to "
            f"{ANSWERS - 1}",
        )
        return None
    return replicates_of(number)[replicate]


def _moment(placed: Placed, report: Report) -> str | None:
    """When it was said; None where it is not told: then it is the import's."""
    told = _text(field(placed.row, "at"))
    at = moment_of(told)
    if told is not None and at is None:
        report.notice(
            placed.line,
            f"{told[:40]!r} is no moment such as 2026-03-01 or 2026-03-01T09:30:00+01:00, so when this was "
            "said is not kept",
        )
    return at


def moment_of(told: str | None) -> str | None:
    """An ISO date or moment in UTC as the store writes it; a date without a time is its first moment. None
    where it is neither.
    """
    try:
        at = datetime.fromisoformat(told or "")
        return (
            (at.replace(tzinfo=UTC) if at.tzinfo is None else at)
            .astimezone(UTC)
            .isoformat(timespec="milliseconds")
        )
    except (ValueError, OverflowError):
        return None


def _already(what: str, placed: Placed, before: str | None, label: str | None, report: Report) -> None:
    report.already[what] += 1
    if before != label:
        report.notice(
            placed.line,
            f"{placed.criterion.id} is there already with another answer; the first was kept and this one "
            "left out",
        )


def _write(
    connection: Connection,
    entry: Entry,
    table: Any,
    rows: list[dict[str, Any]],
    texts: dict[str, list[str | None]],
) -> None:
    for name, said in texts.items():
        kept = iter(content.put_many(connection, [text for text in said if text]))
        for row, text in zip(rows, said, strict=True):
            row[f"{name}_content"], row[f"{name}_mac"] = next(kept) if text else (None, None)
    for start in range(0, len(rows), BATCH):
        entry.write_many(table, rows[start : start + BATCH])


def _verdict(placed: Placed, study: Study, report: Report) -> tuple[str | None, str | None]:
    status = str(field(placed.row, "status") or "").strip().lower()
    raw = field(placed.row, "label")
    if status and status not in {"ok", *FAILURES}:
        report.error(placed.line, f"the status {status!r} is not known; there are ok, {', '.join(FAILURES)}")
        return None, None
    if status not in {"", "ok"}:
        return status, None
    if raw is None:
        return "missing", None
    if str(raw).strip().upper() == "ERROR":
        return "failed", None
    label = study.instrument.scale_of(placed.criterion).label(raw)
    if label is None:
        report.notice(placed.line, f"{_not_a_label(placed, study)}; kept as a reply that could not be read")
        return "invalid", None
    return "ok", label


def _not_a_label(placed: Placed, study: Study) -> str:
    scale = study.instrument.scale_of(placed.criterion)
    listed = ", ".join(
        level.id if level.id == level.name else f"{level.id} ({level.name})" for level in scale.labels()
    )
    return f"{str(field(placed.row, 'label'))!r} is not a label of {placed.criterion.id}; there are {listed}"


def _cited(value: Any) -> list[int]:
    if isinstance(value, str):
        value = [part for part in value.replace(";", ",").split(",") if part.strip()]
    return [_integer(part) for part in value if _integer(part) > 0] if isinstance(value, list) else []


def _integer(value: Any) -> int:
    try:
        return int(float(value))
    except (TypeError, ValueError, OverflowError):
        return -1


def _text(value: Any) -> str | None:
    return str(value) if value not in (None, "") else None
