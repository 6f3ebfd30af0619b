"""Import gold steps, plans of care and critical entities, in the published forms, as JSONL or as a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers import reading
from data.importers.columns import field
from data.importers.report import ImportReport
from data.importers.spellings import Spellings
from data.importers.table_files import TABLES
from data.record import references
from data.record.conversations import is_erased
from data.record.references import KINDS, Kind
from data.record.studies import Study
from data.store.trail import TrailEntry

LIST_FIELDS: dict[Kind, tuple[str, ...]] = {
    "gold_steps": ("gold_steps", "gold_reasoning", "steps"),
    "critical_entities": ("critical_entities", "entities"),
}
ONE_FIELDS: dict[Kind, tuple[str, ...]] = {
    "gold_steps": ("step", "gold_step"),
    "critical_entities": ("entity", "critical_entity"),
    "target_plan": ("plan", "target_plan"),
}
WRAPPERS = ("samples", "cases")
LONGEST_SOURCE = 200


@dataclass(frozen=True)
class ReferenceRow:
    """A reference in a file. `source`: where the text comes from; "" means the file."""

    line: int
    conversation: str | None
    condition: str | None
    body: Any
    source: str = ""


def add(
    connection: Connection, entry: TrailEntry, study: Study, kind: Kind, path: Path, report: ImportReport
) -> None:
    """Write every reference of a file; problems go into the report, and then the caller rolls back."""
    add_rows(connection, entry, study, kind, _read(kind, path, report), path, report)


def items(kind: Kind, rows: Iterable[tuple[int, Any]], report: ImportReport) -> Iterator[ReferenceRow]:
    """Yield the references in (line, row) pairs; problems go into the report."""
    for line, row in rows:
        reference_row = _item(kind, row, line, report)
        if reference_row is not None:
            yield reference_row


def add_rows(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    kind: Kind,
    rows: Iterable[ReferenceRow],
    path: Path,
    report: ImportReport,
) -> None:
    """Write every reference; one without a source of its own gets the name of the file.

    Problems go into the report, and then the caller rolls back.
    """
    table = schema.conversation
    study_conversations = {
        row.key: row
        for row in connection.execute(
            select(table.c.id, table.c.key, is_erased().label("is_erased")).where(
                table.c.study_id == study.id
            )
        )
    }
    seen: dict[str, int] = {}
    spellings = Spellings(study_conversations)
    for reference_row in rows:
        if reference_row.conversation is not None:
            named = spellings.resolve(reference_row.conversation, reference_row.line, report)
            reference_row = replace(reference_row, conversation=named or reference_row.conversation)
        if reference_row.conversation is not None and reference_row.conversation not in study_conversations:
            report.notice(
                reference_row.line, f"the study has no conversation {reference_row.conversation!r}; left out"
            )
            continue
        scope = (
            references.conversation_scope(reference_row.conversation)
            if reference_row.conversation is not None
            else references.condition_scope(reference_row.condition)
            if reference_row.condition
            else references.STUDY
        )
        if scope in seen:
            report.error(reference_row.line, f"{scope.replace(':', ' ', 1)} is already on line {seen[scope]}")
            continue
        seen[scope] = reference_row.line
        conversation = study_conversations.get(reference_row.conversation or "")
        if conversation is not None and conversation.is_erased:
            report.notice_of_rows(
                reference_row.line, f"the conversation was erased, so its {KINDS[kind]} are not kept"
            )
            continue
        is_new = references.put(
            connection,
            entry,
            study,
            kind,
            scope,
            reference_row.body,
            reference_row.source or path.name,
            conversation.id if conversation is not None else None,
        )
        (report.added if is_new else report.already)[KINDS[kind]] += 1
    if not seen and not report.errors:
        report.error(0, f"the file contains no {KINDS[kind]} for a conversation of this study")


def _read(kind: Kind, path: Path, report: ImportReport) -> Iterator[ReferenceRow]:
    if path.suffix.lower() in TABLES:
        yield from _table(kind, path, report)
        return
    for line, value in reading.json_values(path, report):
        if isinstance(value, dict) and kind == "target_plan" and not _names(value):
            yield from _plans(value, line, report)
        elif isinstance(value, dict):
            wrapped = next((value[name] for name in WRAPPERS if isinstance(value.get(name), list)), [value])
            for item in wrapped:
                reference_row = _item(kind, item, line, report)
                if reference_row:
                    yield reference_row
        else:
            report.error(line, "expected an object with a conversation_id")


def _names(value: dict[str, Any]) -> bool:
    names_target = any(
        isinstance(value.get(name), str | int) for name in ("conversation_id", "id", "condition")
    )
    return names_target and any(name in value for name in ONE_FIELDS["target_plan"])


def _plans(value: dict[str, Any], line: int, report: ImportReport) -> Iterator[ReferenceRow]:
    """Yield the plans of {"meta": ..., "plans": {id: {"plan": text}}}, or of a bare map of ids to plans or
    texts.

    Next to "plans" there may be "study", the plan for the whole study, and "conditions", a map like "plans".
    """
    if not isinstance(value.get("plans"), dict):
        for key, plan in value.items():
            if key != "meta":
                yield from _plan(line, repr(key), str(key), None, plan, report)
        return
    study, conditions = value.get("study"), value.get("conditions")
    if isinstance(study, dict):  # a text would be the study's name
        yield from _plan(line, "the study", None, None, study, report)
    for name, plan in conditions.items() if isinstance(conditions, dict) else ():
        yield from _plan(line, f"condition {name!r}", None, str(name), plan, report)
    for key, plan in value["plans"].items():
        yield from _plan(line, repr(key), str(key), None, plan, report)


def _plan(
    line: int, whose: str, conversation: str | None, condition: str | None, plan: Any, report: ImportReport
) -> Iterator[ReferenceRow]:
    said = plan.get("plan") if isinstance(plan, dict) else plan
    if not isinstance(said, str) or not said.strip():
        report.notice(line, f"{whose} has no plan; left out")
    else:
        yield ReferenceRow(
            line, conversation, condition, said.strip(), "" if conversation is not None else _source(plan)
        )


def _source(plan: Any) -> str:
    """Return where a plan comes from, as our own export states it; "" if not stated.

    Not used for a single conversation: its data must be erasable, and a source is not.
    """
    found = plan.get("source") if isinstance(plan, dict) else None
    return " ".join(found.split())[:LONGEST_SOURCE] if isinstance(found, str) else ""


def _item(kind: Kind, item: Any, line: int, report: ImportReport) -> ReferenceRow | None:
    if not isinstance(item, dict):
        report.error(line, "expected an object with a conversation_id")
        return None
    key, condition = item.get("conversation_id", item.get("id")), item.get("condition")
    if kind == "target_plan":
        item_text = next((item[name] for name in ONE_FIELDS[kind] if name in item), None)
        if not isinstance(item_text, str) or not item_text.strip():
            report.error(line, "there is no plan, or it is not a text")
            return None
        body: Any = item_text.strip()
    else:
        body = next((item[name] for name in LIST_FIELDS[kind] if name in item), None)
        if not any(name in item for name in LIST_FIELDS[kind]):
            report.error_of_rows(line, f"there is no {LIST_FIELDS[kind][0]}, a list of texts")
            return None
        if not isinstance(body, list) or not body or not all(isinstance(x, str) and x.strip() for x in body):
            report.error(line, f"{LIST_FIELDS[kind][0]} must be a list of texts, none of them empty")
            return None
    if key is None and condition is None and _is_unclear(kind, item, line, report):
        return None
    return ReferenceRow(
        line, None if key is None else str(key), None if condition is None else str(condition), body
    )


def _table(kind: Kind, path: Path, report: ImportReport) -> Iterator[ReferenceRow]:
    """Yield one row per plan, or collect one row per step or entity, in order."""
    listed: defaultdict[tuple[str | None, str | None], list[str]] = defaultdict(list)
    first: dict[tuple[str | None, str | None], int] = {}
    for line, row in reading.table_rows(path, report):
        item_text = next((row[name] for name in ONE_FIELDS[kind] if row.get(name) is not None), None)
        if not isinstance(item_text, str) or not item_text.strip():
            report_row = (
                report.error if any(name in row for name in ONE_FIELDS[kind]) else report.error_of_rows
            )
            report_row(line, f"there is no text in the column {ONE_FIELDS[kind][0]}")
            continue
        whom = (_cell(field(row, "conversation_id") or field(row, "id")), _cell(row.get("condition")))
        if whom == (None, None) and _is_unclear(kind, row, line, report):
            continue
        if kind == "target_plan":
            yield ReferenceRow(line, *whom, item_text.strip())
        else:
            listed[whom].append(item_text.strip())
            first.setdefault(whom, line)
    for whom, texts in listed.items():
        yield ReferenceRow(first[whom], *whom, texts)


def _is_unclear(kind: Kind, row: dict[str, Any], line: int, report: ImportReport) -> bool:
    """Report an error for unknown fields in a row about the whole study: one may be a mistyped id."""
    others = sorted(
        set(row) - {*ONE_FIELDS[kind], *LIST_FIELDS.get(kind, ()), "condition", "conversation_id", "id"}
    )
    if others:
        report.error(
            line,
            "which conversation is it for? There is no conversation_id and no condition, but "
            f"{', '.join(others)}",
        )
    return bool(others)


def _cell(value: Any) -> str | None:
    return str(value).strip() or None if value is not None else None
