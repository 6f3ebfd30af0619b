"""Read a table by its mapping: rows of conversations, of people's labels and of judges' labels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from itertools import islice
from math import isfinite
from pathlib import Path
from typing import Any

from configs.import_words import import_words
from data.importers.file_parts import FileParts
from data.importers.label_givers import is_machine
from data.importers.label_rows import moment_of
from data.importers.mapping.mapped_messages import read_messages_of_row
from data.importers.mapping.meanings import LabelMeanings, RubricWords
from data.importers.mapping.raw_tables import later_columns, table_rows
from data.importers.mapping.table_mapping import FAILURE, Column, Giver, TableMapping, is_among, plain_cell
from data.importers.reading import shortened
from data.importers.report import ImportReport
from words.plurals import count

Row = Mapping[str, str]
Rows = Iterator[tuple[int, dict[str, Any]]]
MAX_NAMES_LISTED = 12


def mapped_parts(path: Path, mapping: TableMapping, rubric: RubricWords) -> FileParts:
    """Return what the table holds for a study with this rubric; each part reads the file anew."""
    labels = partial(_label_rows, path, mapping, rubric)
    has_labels = mapping.has_labels
    about_conversations = partial(_conversation_rows, path, mapping)
    return FileParts(
        about_conversations if mapping.has_words else None,
        partial(labels, "person") if has_labels and "person" in possible_givers(mapping) else None,
        partial(labels, "judge") if has_labels and "judge" in possible_givers(mapping) else None,
        None if mapping.has_words else about_conversations,
    )


def possible_givers(mapping: TableMapping) -> set[Giver]:
    """Return who may have given labels of the table: people, judges, or both."""
    givers: set[Giver] = set()
    by_row = bool(mapping.names("giver")) or bool(mapping.judges)
    for column in mapping.columns.values():
        if column.role != "label":
            continue
        if column.giver is not None:
            givers.add(column.giver)
        elif by_row:
            givers |= {"person", "judge"}
        else:
            if mapping.names("rater") or (mapping.rater and not mapping.names_givers):
                givers.add("person")
            if mapping.names("judge") or (mapping.judge and not mapping.names_givers):
                givers.add("judge")
    return givers


def mapped_rows(path: Path, mapping: TableMapping, report: ImportReport) -> Iterator[tuple[int, str, Row]]:
    """Yield (line, conversation id, row with the mapping's column names) of each row of the table.

    A column that the mapping names in other capitals is found; a missing one is an error.
    """
    names: dict[str, str] | None = None
    ids, before, repeated = mapping.names("conversation"), "", 0
    columns = later_columns(path)
    for line, row in table_rows(path, mapping.reading, report):
        if names is None:
            names = _match_columns(mapping, columns or list(row), report)
            if report.errors:
                return
        mapped = {
            name: row.get(column, "").strip() for name, column in names.items() if row.get(column, "").strip()
        }
        if not mapped:
            continue
        key = "/".join(mapped.get(name, "") for name in ids)
        if not all(name in mapped for name in ids):
            if not mapping.repeats_ids or not before or any(name in mapped for name in ids):
                report.error_of_rows(line, f"the cell {ids[0] if ids else 'of the id'} is empty")
                continue
            key, repeated = before, repeated + 1
        if len(ids) > 1 and any("/" in mapped.get(name, "") for name in ids):
            report.error_of_rows(
                line, "an id holds “/”, which joins the columns of ids; put them into one column"
            )
            continue
        before = key
        yield line, key, mapped
    if names is None and not report.errors:
        report.error(mapping.reading.header, "there are no rows below the names of the columns")
    message = (
        f"{count(repeated, 'row without an id was', 'rows without an id were')} read as part of the "
        "conversation above"
    )
    if repeated and all(problem.message != message for problem in report.problems):
        report.notice(0, message)


def _match_columns(mapping: TableMapping, columns: list[str], report: ImportReport) -> dict[str, str]:
    """Return column of the mapping -> column of the file. Missing ones are left out, and errors if needed."""
    by_plain = {plain_cell(column): column for column in reversed(columns)}
    actual_names: dict[str, str] = {}
    for name, column in mapping.columns.items():
        actual = name if name in columns else by_plain.get(plain_cell(name))
        if actual is not None:
            actual_names[name] = actual
        elif column.role not in ("ignored", "fact"):
            listed = ", ".join(map(repr, columns[:MAX_NAMES_LISTED]))
            report.error(mapping.reading.header, f"there is no column {name!r}; the columns are {listed}")
    return actual_names


Messages = list[dict[str, str]]


@dataclass
class _Words:
    """A conversation while its rows are read. `rows`: (place, messages) of each row, by the cells that say
    who labelled what in a row, because each such row may repeat the words. `messages_read`: line and other
    cells of each row, by its group, place and words.
    """

    line: int
    rows: dict[tuple[str, ...], list[tuple[float | None, Messages]]] = field(default_factory=dict)
    facts: dict[str, str] = field(default_factory=dict)
    messages_read: dict[Any, tuple[int, Row]] = field(default_factory=dict)

    def sort(self) -> tuple[bool, bool]:
        """Sort rows whose numbers run backwards. Return whether that was needed, and whether it was possible:
        every row must have a number of its own.
        """
        is_needed, is_possible = False, True
        for rows in self.rows.values():
            places = [place for place, _ in rows if place is not None]
            if places != sorted(places):
                is_needed = True
                is_possible = is_possible and len(set(places)) == len(rows)
                rows.sort(key=lambda row: row[0] or 0)
        return is_needed, is_possible

    def messages(self) -> list[Messages]:
        """Return the messages by each group of rows; they should all be alike."""
        return [[message for _, each in rows for message in each] for rows in self.rows.values()]


def _conversation_rows(path: Path, mapping: TableMapping, report: ImportReport) -> Rows:
    """Yield one row per conversation, in the order of their first rows."""
    talks: dict[str, _Words] = {}
    varying: set[str] = set()
    groups, facts = mapping.names("rater", "judge", "giver", "criterion"), mapping.names("fact")
    places = mapping.names("turn") or ([] if mapping.has_labels else mapping.names("date"))
    order = places[0] if places and mapping.has_words else ""
    is_spoken, repeats = bool(mapping.names("text")), 0
    for line, key, row in mapped_rows(path, mapping, report):
        talk = talks.setdefault(key, _Words(line))
        own = {name: row[name] for name in facts if name in row}
        varying |= {name for name, value in own.items() if talk.facts.setdefault(name, value) != value}
        messages = read_messages_of_row(row, mapping, line, report)
        group = tuple(row.get(name, "") for name in groups)
        cell = row.get(order, "")
        place = _place(cell)
        if is_spoken and cell:
            words = tuple((message["role"], message["content"]) for message in messages)
            earlier, cells = talk.messages_read.setdefault((group, place or cell, words), (line, row))
            if earlier != line:
                if cells == row:
                    report.error_of_rows(line, _describe_repeat(order, cell, earlier))
                repeats += 1
                continue
            messages = [{**message, "turn": cell} for message in messages]
        talk.rows.setdefault(group, []).append((place, messages))
    if report.errors:
        return
    if repeats:
        report.notice(0, f"{count(repeats, 'row repeats', 'rows repeat')} a message, which was read once")
    if varying:
        report.notice(0, f"left out, because they differ within a conversation: {', '.join(sorted(varying))}")
    for key, talk in talks.items():
        is_unsorted, is_sortable = talk.sort()
        if is_unsorted and not is_sortable:
            report.error_of_rows(
                talk.line, f"{order} runs backwards and repeats itself; sort the rows by {order}"
            )
        elif is_unsorted:
            report.notice_of_rows(talk.line, f"the messages were sorted by {order}, which ran backwards")
        first, *others = talk.messages()
        if is_spoken and not order and _repeats_every_message(first):
            report.error_of_rows(
                talk.line,
                "every message is there several times. If each row is another person's, say which column "
                "names the rater; if the words were repeated, add a column that numbers the messages",
            )
            continue
        if any(messages != first for messages in others):
            report.error(
                talk.line,
                f"the rows of {shortened(key)!r} hold different words. Each rater's rows must repeat the "
                "same conversation",
            )
            continue
        constant = {name: value for name, value in talk.facts.items() if name not in varying}
        yield talk.line, {**constant, "id": key, "messages": first}


def _place(text: str) -> float | None:
    """Return a number as a spreadsheet writes it (2, 2.0 or 1,5), or a time in seconds; None for neither."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        at = moment_of(text)
        return None if at is None else datetime.fromisoformat(at).timestamp()
    return number if isfinite(number) else None


def _describe_repeat(order: str, cell: str, line: int) -> str:
    return (
        f"{order} {shortened(cell)} is already on line {line} with the same words. Keep one row per message; "
        f"if the speaker said it twice, give each its own {order}"
    )


def _repeats_every_message(messages: Messages) -> bool:
    """Tell whether every message occurs equally often, more than once."""
    times = Counter((message["role"], message["content"]) for message in messages)
    return len(set(times.values())) == 1 and max(times.values(), default=0) > 1


@dataclass(frozen=True)
class _Giver:
    kind: Giver
    name: str


def _label_rows(
    path: Path, mapping: TableMapping, rubric: RubricWords, wanted: Giver, report: ImportReport
) -> Rows:
    """Yield one row per label that people, or judges, gave."""
    labels = [(name, column) for name, column in mapping.columns.items() if column.role == "label"]
    repeats = len(possible_givers(mapping)) > 1 and wanted == "judge"
    seen: set[tuple[str, ...]] = set()
    meanings, without, homeless = LabelMeanings(mapping.labels, rubric), 0, 0
    place_roles = [role for role in ("turn", "text", "assistant") if rubric.rates_replies]
    for line, key, row in mapped_rows(path, mapping, report):
        texts, is_wanted = _texts_of(row, mapping, wanted), False
        for name, column in labels:
            giver = _giver_of_label(line, row, column, mapping, report)
            if giver is None or giver.kind != wanted:
                continue
            is_wanted = True
            criterion = column.criterion or _cell(row, mapping, "criterion")
            label = meanings.read(row.get(name, ""), criterion)
            if label is None or (label == FAILURE and wanted == "person"):
                without += 1
                continue
            is_failed = label == FAILURE
            fields = {
                "conversation_id": key,
                "rater" if wanted == "person" else "judge": giver.name,
                "criterion": criterion,
                "label": "" if is_failed else label,
                "status": "invalid" if is_failed else "",
                "detail": row.get(name, "") if is_failed else "",
                "note" if wanted == "person" else "reasoning": _take_texts(texts, row, column, giver),
                "at": _cell(row, mapping, "date"),
                **{role: _cell(row, mapping, role) for role in place_roles},
            }
            if repeats:  # each person's row repeats the judge's label
                question = (key, fields.get("turn", ""), giver.name, criterion, label)
                if question in seen:
                    continue
                seen.add(question)
            yield line, {what: value for what, value in fields.items() if value or what == "criterion"}
        homeless += len(texts) if is_wanted else 0
    if homeless:
        texts_left = count(homeless, "note or reason was", "notes or reasons were")
        report.notice(0, f"{texts_left} left out, for lack of a label in the row")
    if without:
        cells = count(without, "cell", "cells")
        report.notice(0, f"{cells} of {'people' if wanted == 'person' else 'judges'} without a label")


def kind_of_giver(cell: str, mapping: TableMapping) -> Giver | None:
    """Return who a cell of a column `giver` means; None if the mapping leaves it open."""
    if is_among(cell, mapping.judges):
        return "judge"
    return "person" if is_among(cell, (*mapping.people, *import_words().people)) else None


def _giver_of_label(
    line: int, row: Row, column: Column, mapping: TableMapping, report: ImportReport
) -> _Giver | None:
    """Return who gave the label of a row; None after an error."""
    rater, judge = _cell(row, mapping, "rater"), _cell(row, mapping, "judge")
    kind = column.giver
    if kind is None and mapping.names("giver"):
        cell = _cell(row, mapping, "giver")
        kind = kind_of_giver(cell, mapping)
        if kind is None and cell:
            report.error_of_rows(
                line, f"is {shortened(cell)!r} a person or a judge? List it under people or judges"
            )
            return None
    elif kind is None and rater and judge:
        report.error_of_rows(line, f"{rater!r} and {judge!r} may both have given this label; map one of them")
        return None
    elif kind is None and rater:
        kind = "judge" if is_among(rater, mapping.judges) else "person"
    elif kind is None and judge:
        kind = "judge"
    elif kind is None and not mapping.names_givers:  # else an empty cell of a rater would be the judge's
        kind = "judge" if mapping.judge else "person"
    name = column.name
    if kind == "person":
        name = name or rater or mapping.rater
    elif kind == "judge":
        name = name or judge or (rater if column.giver is None else "") or mapping.judge
    if kind is None or not name:
        report.error_of_rows(line, "the row does not say who gave the label")
        return None
    if kind == "person" and is_machine(name):
        report.error_of_rows(
            line,
            f"{shortened(name)!r} looks like a judge, but the mapping says that a person gave this label. If "
            "it is a judge, add it to the judges",
        )
        return None
    return _Giver(kind, name)


def _texts_of(row: Row, mapping: TableMapping, wanted: Giver) -> dict[str, Column]:
    """Return text -> its column, of the reasons and notes in a row that people, or judges, may have written.

    Where both gave labels in one row, and a text names neither, a note is a person's and a reason a judge's.
    """
    in_one_row = {each.giver for each in mapping.columns.values() if each.role == "label"} >= {
        "person",
        "judge",
    }
    usual = {"note": "person", "reason": "judge"} if in_one_row else {}
    return {
        name: column
        for name, column in mapping.columns.items()
        if column.role in ("reason", "note")
        and name in row
        and (column.giver or usual.get(column.role, wanted)) == wanted
    }


def _take_texts(texts: dict[str, Column], row: Row, label: Column, giver: _Giver) -> str:
    """Take the reasons and notes about a label out of `texts`, and return them joined by line breaks. A text
    that names no criterion or nobody goes to the first label that it may be about.
    """
    about = [
        name
        for name, column in texts.items()
        if column.criterion in ("", label.criterion) and column.name in ("", label.name or giver.name)
    ]
    for name in about:
        del texts[name]
    return "\n".join(row[name] for name in about)


def _cell(row: Row, mapping: TableMapping, role: Any) -> str:
    return next((row[name] for name in mapping.names(role) if row.get(name)), "")


def first_labels(path: Path, mapping: TableMapping, rubric: RubricWords, most: int) -> list[dict[str, Any]]:
    """Return the first rows of labels as they will be imported: of people, then of judges."""
    parts, report = mapped_parts(path, mapping, rubric), ImportReport(path.name)
    reads = [read for read in (parts.ratings, parts.judgements) if read is not None]
    return [row for read in reads for _, row in islice(read(report), -(-most // len(reads)))][:most]
