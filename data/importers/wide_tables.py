"""Import labels from a wide table: one row per item, one column per <who>_<criterion>, and other columns that
describe the item.

Such a table often has no words. Its items can then be compared, but neither rated nor judged. A cell that is
not a label is reported with its line, column and value, and the other cells are kept: for a person the cell
gives no rating, for a judge a failure.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from data import schema
from data.importers import conversations, label_givers, reading
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import EXPOSURES, RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.importers.spellings import Spellings
from data.importers.wide_table_cells import LabelCells, WideColumns, WideRows
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.trail import TrailEntry
from scoring.instruments import Criterion

NO_COLUMN = "none"  # the answer that no column names the person who gave a row's labels
MAX_BAD_LINES_LISTED = 5000  # lines with bad cells


@dataclass(frozen=True)
class WideTableOptions:
    """What the columns of a wide table mean.

    `people`, `judges`: as the columns name them. `keys`: the columns that name an item; empty means all
    without labels. `exposure`: what the people had seen of the judges, and `source`: how that is known; both
    are required if there are people. `same_person`: the column that names the person behind an item, "none"
    if each item has another person, empty if not stated. `rater_column`: the column that says who gave the
    people's labels of a row, NO_COLUMN if none does. If it is empty, a column that looks like one is an
    error.
    """

    people: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    exposure: str = ""
    source: str = ""
    same_person: str = ""
    rater_column: str = ""


def add(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    path: Path,
    wide: WideTableOptions,
    report: ImportReport,
) -> None:
    """Write the labels of a table, and its items if the study has no words at all. The caller rolls back if
    the report has errors.
    """
    report.listed = max(report.listed, MAX_BAD_LINES_LISTED)
    read = _read(path, study, wide, report)
    if not report.errors:
        _items(connection, entry, study, read.items, report, wide.same_person)
    if not report.errors and read.ratings:
        add_ratings(
            connection, entry, study, read.ratings, report, RatingProvenance(wide.exposure, wide.source)
        )
    if not report.errors and read.judgements:
        add_judgements(connection, entry, study, read.judgements, report, JudgeIdentity(""), path.name)


def _read(path: Path, study: Study, wide: WideTableOptions, report: ImportReport) -> WideRows:
    rows, columns = WideRows(), None
    lines: dict[tuple[str, str], int] = {}
    items: set[str] = set()
    for line, row in reading.table_rows(path, report):
        if columns is None:
            columns = _columns(list(row), study, wide, report)
            if report.errors:
                return rows
            cells = LabelCells(study, columns, wide.judges, rows, report)
        parts = [str(row.get(name) or "").strip() for name in columns.keys]
        key = "/".join(parts)
        if not all(parts) or len(key) > 200:
            report.error(
                line,
                f"{', '.join(columns.keys)} must name the item: none may be empty, and together at most 200 "
                "characters",
            )
            continue
        rater = "" if columns.rater is None else " ".join(str(row.get(columns.rater) or "").split())
        if columns.rater is not None and not rater:
            report.error(line, f"{columns.rater!r} is empty, but must say who gave the labels of this row")
            continue
        if columns.rater is not None and label_givers.is_machine(rater):
            report.error(line, label_givers.mixed(columns.rater, rater, "a judge's"))
            continue
        if (key, rater) in lines:
            report.error(line, _told_twice(key, rater, lines[key, rater]))
            continue
        lines[key, rater] = line
        if key not in items:
            items.add(key)
            rows.items.append(
                conversations.ConversationRow(
                    line, key, [], {name: row.get(name) for name in columns.facts}, words=False
                )
            )
        cells.read(line, row, key, rater)
    if columns is None:
        if not report.errors:
            report.error(1, "the table has no rows")
    else:
        cells.keep_missing()
    return rows


def _told_twice(key: str, rater: str, line: int) -> str:
    if rater:
        return f"{rater!r} already labels the item {key!r} on line {line}; say which columns name an item"
    return (
        f"the item {key!r} is already on line {line}. If each person has rows, say which column names the "
        "person, in a terminal with --rater-column; otherwise say which columns name an item"
    )


def _columns(names: Sequence[str], study: Study, wide: WideTableOptions, report: ImportReport) -> WideColumns:
    """Return what each column means; an unclear one is an error."""
    instrument, example = (
        study.instrument,
        study.instrument.criteria[0].id if study.instrument.criteria else "criterion",
    )
    if instrument.unit != "conversation":
        report.error(
            0,
            f"{instrument.title} rates replies inside conversations, but a row of a wide table is about a "
            "whole conversation",
        )
    columns_by_name = {name.casefold(): name for name in (*wide.people, *wide.judges)}
    _check_names(wide, report)
    labels_by_column: dict[str, tuple[str, Criterion]] = {}
    others, strangers = [], set()
    for name in names:
        who, criterion = _split(name, instrument.criteria)
        if name in wide.keys:
            others.append(name)
        elif criterion is not None and who.casefold() in columns_by_name:
            labels_by_column[name] = columns_by_name[who.casefold()], criterion
        elif criterion is not None:
            strangers.add(who)
        elif any(name.casefold().startswith(f"{name_start}_") for name_start in columns_by_name):
            report.notice(
                1,
                f"the column {name!r} names no criterion of {instrument.title} and was left out; the "
                f"criteria are {', '.join(choice.id for choice in instrument.criteria)}",
            )
        else:
            others.append(name)
    for stranger in sorted(strangers):
        report.error(1, f"the columns of {stranger!r} hold labels: say whether this is a person or a judge")
    for silent in sorted(set(columns_by_name.values()) - {who for who, _ in labels_by_column.values()}):
        report.error(1, f"no column holds labels of {silent!r}; expected a name such as '{silent}_{example}'")
    if not labels_by_column and not report.errors:
        report.error(
            1,
            f"no column is named after a person or judge and a criterion of {instrument.title}, such as "
            f"'human_{example}'",
        )
    keys = wide.keys or tuple(others)
    columns_of_table = set(names)
    missing = [name for name in keys if name not in columns_of_table]
    if missing or not keys:
        report.error(1, f"there is no column {missing[0]!r}" if missing else "no column names the item")
    rater = _rater_column(
        names,
        wide,
        {name for name, (who, _) in labels_by_column.items() if who in wide.people},
        others,
        report,
    )
    return WideColumns(
        labels_by_column,
        tuple(name for name in keys if name != rater),
        tuple(name for name in others if name != rater),
        rater,
    )


def _check_names(wide: WideTableOptions, report: ImportReport) -> None:
    """Report names that can't be a person or a judge as stated."""
    if wide.people and (wide.exposure not in EXPOSURES or not wide.source.strip()):
        report.error(
            0,
            f"say what these people had seen of the judges ({', '.join(EXPOSURES)}), and how you know",
        )
    for name in wide.people:
        if name.casefold() in {judge.casefold() for judge in wide.judges}:
            report.error(0, f"{name!r} is named both as a person and as a judge")
        elif label_givers.is_machine(name):
            report.error(0, f"{name!r} is named as a person, but looks like a judge; name it as a judge")
    for name in wide.judges:
        if label_givers.kind_of(name) == "person":
            report.error(0, f"{name!r} is named as a judge, but looks like people; name it as a person")


def _rater_column(
    names: Sequence[str],
    wide: WideTableOptions,
    of_people: Set[str],
    others: Sequence[str],
    report: ImportReport,
) -> str | None:
    """Return the column that says who gave the people's labels of a row, or None.

    Taking it as part of the item's name would turn each person's rows into separate items of one person.
    """
    if wide.rater_column == NO_COLUMN:
        return None
    if wide.rater_column:
        if wide.rater_column not in names:
            report.error(1, f"there is no column {wide.rater_column!r} to say who gave the labels of a row")
        if len({name.casefold() for name in wide.people}) > 1:
            report.error(
                1,
                f"{wide.rater_column!r} says who gave the labels of a row, so name only one person in the "
                f"columns, such as {wide.people[0]!r}",
            )
        return wide.rater_column
    likely = next((name for name in others if label_givers.names_giver(name)), None) if of_people else None
    if likely is not None:
        report.error(
            1,
            f"the column {likely!r} seems to say who gave the labels of a row. Answer with {likely} "
            f"if it does and with {NO_COLUMN} "
            'if it does not: on the page under "The column that names the person", in a terminal with '
            "--rater-column",
        )
    return None


def _split(column: str, criteria: Sequence[Criterion]) -> tuple[str, Criterion | None]:
    """Return who and which criterion a column is about; the longest criterion that matches, ("", None) if
    none does.
    """
    plain = column.strip().replace(" ", "_").casefold()
    ends = [
        (f"_{name.replace(' ', '_')}".casefold(), criterion)
        for criterion in criteria
        for name in (criterion.id, criterion.name)
    ]
    fitting = [
        (len(end), criterion) for end, criterion in ends if plain.endswith(end) and len(plain) > len(end)
    ]
    if not fitting:
        return "", None
    length, criterion = max(fitting, key=lambda fit: fit[0])
    return column.strip()[:-length], criterion


def _items(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    items: Sequence[conversations.ConversationRow],
    report: ImportReport,
    same_person: str,
) -> None:
    """Create the items, or find them in a study that has words, where an unknown item must be a mistake."""
    table = schema.conversation
    stored_keys = dict(
        connection.execute(
            select(table.c.key, table.c.transcript_content).where(table.c.study_id == study.id)
        ).all()
    )
    if any(words is not None for words in stored_keys.values()):
        spellings = Spellings(stored_keys)
        for item in items:
            if spellings.resolve(item.key, item.line, report) is None:
                report.error(
                    item.line,
                    f"the study has no conversation {item.key!r}; import the conversations first, or say "
                    "which columns name them",
                )
        return
    by_turns = [criterion.id for criterion in study.instrument.criteria if criterion.minimum_turns]
    if by_turns:
        report.error(
            0,
            f"whether {', '.join(by_turns)} of {study.instrument.title} applies depends on the number of "
            "turns; import the conversations first",
        )
        return
    conversations.add_all(connection, entry, study, items, report, same_person)
    report.notice(
        0,
        "the items have no words: their labels can be compared, but nobody can rate them",
    )
