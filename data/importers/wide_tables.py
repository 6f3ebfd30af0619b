"""Labels as a wide table: one row an item, a column for each <who>_<criterion>, and the other columns say
what the item is.

Such a table often comes without the words. Its items can be compared then, but nobody is given them to read,
and no judge is asked. A cell that is no label is told with its line, column and value, and the good cells
beside it are kept: a person's bad cell is no rating, a judge's is a failure.
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

NO_COLUMN = "none"  # the answer that no column says who gave the labels of a row
MAX_BAD_LINES_LISTED = 5000  # lines with bad cells


@dataclass(frozen=True)
class WideTableOptions:
    """Who the columns speak for, as the columns are named. `keys`: the columns that name an item; without
    any, all that are no labels.

    `exposure`: what the people had seen of the judges, and `source`: how that is known; both needed where
    there are people. `same_person`: the column that names the person behind an item, "none" where each is of
    another person, empty where nobody said. `rater_column`: the column that says who gave the people's labels
    of a row, NO_COLUMN where none does, empty where nobody said: then the import is refused where a column
    looks like it.
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
    """Write the labels of a table, and its items where the study has no words at all. The caller rolls back
    where the report has errors.
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
                f"{', '.join(columns.keys)} must name the item, none of them empty and at most 200 "
                "characters together",
            )
            continue
        rater = "" if columns.rater is None else " ".join(str(row.get(columns.rater) or "").split())
        if columns.rater is not None and not rater:
            report.error(line, f"{columns.rater!r} is empty, and has to say who gave the labels of this row")
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
        return f"{rater!r} labels the item {key!r} on line {line} already; say which columns name an item"
    return (
        f"the item {key!r} stands on line {line} already. Where each row is of another person, say which "
        "column names the person, in a terminal as "
        f"--rater-column; otherwise say which columns name an item"
    )


def _columns(names: Sequence[str], study: Study, wide: WideTableOptions, report: ImportReport) -> WideColumns:
    """Which column is what. What cannot be told goes into the report as an error."""
    instrument, example = (
        study.instrument,
        study.instrument.criteria[0].id if study.instrument.criteria else "criterion",
    )
    if instrument.unit != "conversation":
        report.error(
            0,
            f"{instrument.title} rates replies inside conversations, and a row of such a table is about a "
            "whole one",
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
                f"the column {name!r} names no criterion of {instrument.title} and was left out; there are "
                f"{', '.join(choice.id for choice in instrument.criteria)}",
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
            f"no column is named for somebody and a criterion of {instrument.title}, such as "
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
    """Whether those who are named as people and as judges can be."""
    if wide.people and (wide.exposure not in EXPOSURES or not wide.source.strip()):
        report.error(
            0,
            f"say what these people had seen of the judges ({', '.join(EXPOSURES)}), and how you know",
        )
    for name in wide.people:
        if name.casefold() in {judge.casefold() for judge in wide.judges}:
            report.error(0, f"{name!r} is named both as a person and as a judge")
        elif label_givers.is_machine(name):
            report.error(0, f"{name!r} is named as a person, and looks like a judge; name it as a judge")
    for name in wide.judges:
        if label_givers.kind_of(name) == "person":
            report.error(0, f"{name!r} is named as a judge, and looks like people; name it as a person")


def _rater_column(
    names: Sequence[str],
    wide: WideTableOptions,
    of_people: Set[str],
    others: Sequence[str],
    report: ImportReport,
) -> str | None:
    """The column that says who gave the people's labels of a row, where there is one. To take it for a part
    of the item would make as many items of each as people labelled it, all by one person.
    """
    if wide.rater_column == NO_COLUMN:
        return None
    if wide.rater_column:
        if wide.rater_column not in names:
            report.error(
                1, f"there is no column {wide.rater_column!r} that could say who gave the labels of a row"
            )
        if len({name.casefold() for name in wide.people}) > 1:
            report.error(
                1,
                f"{wide.rater_column!r} says who gave the labels of a row, so the columns can be of one "
                f"person only, such as {wide.people[0]!r}",
            )
        return wide.rater_column
    likely = next((name for name in others if label_givers.names_giver(name)), None) if of_people else None
    if likely is not None:
        report.error(
            1,
            f"the column {likely!r} looks as if it said who gave the labels of a row. Answer with {likely} "
            f"if it does and with {NO_COLUMN} "
            'if it does not: on the page under "The column that names the person", in a terminal with '
            "--rater-column",
        )
    return None


def _split(column: str, criteria: Sequence[Criterion]) -> tuple[str, Criterion | None]:
    """Who and which criterion a column speaks of; of several criteria that it could end with, the longest."""
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
    """Make the items, or look for them in a study that has words: there a new one would be a slip of the
    pen.
    """
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
        "the items came without their words: their labels can be compared, but nobody is given them to rate",
    )
