"""Find the rater for each name in a file: people who rated elsewhere are kept apart from people who rate
here.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers.answer_table import AnswerTable
from data.importers.label_givers import is_machine
from data.importers.report import ImportReport
from data.importers.spellings import clean_name
from data.record import judgements, studies
from data.record.rater_codes import read_rater_codes
from data.record.rater_identities import confirm_identity, is_apart, name_apart
from data.record.set_aside import raters_set_aside
from data.record.studies import Rater, Study, name_key
from data.store.errors import Refused
from data.store.trail import TrailEntry
from words.plurals import inflect


@dataclass(frozen=True)
class SameRaters:
    """The names in a file that `confirmed_by` says are the study's raters of the same name."""

    names: frozenset[str] = frozenset()
    confirmed_by: str = ""


NOBODY_SAME = SameRaters()


@dataclass
class CodedRater:
    """A name in the file that is a rater's code in results: where its labels are kept, its first line, that
    rater's labels here, and whether the file has a label that differs from them.
    """

    kept_name: str
    line: int
    labels: frozenset[tuple[int, str, str | None]]
    differs: bool = False


class ImportedRaters:
    """The rater for each name in a file. If a person of the study has the name, the labels are kept under a
    name that tells them apart.
    """

    def __init__(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        report: ImportReport,
        same: SameRaters,
        source: str,
    ) -> None:
        self._connection, self._entry, self._study, self._report, self._same, self._source = (
            connection,
            entry,
            study,
            report,
            same,
            source,
        )
        raters = studies.raters(connection, study.id)
        self._persons: dict[str, list[Rater]] = {}
        self._imported: dict[str, Rater] = {}  # by name_key, so that all spellings of a name are one rater
        for rater in raters:
            if rater.kind == "person":
                self._persons.setdefault(name_key(rater.name), []).append(rater)
            else:
                self._imported.setdefault(name_key(rater.name), rater)
        self._judges = {name_key(judge.name) for judge in judgements.judges(connection, study.id)}
        self._aside = raters_set_aside(connection, study.id)
        self._codes: dict[str, list[int]] = {}  # the raters with this code in results
        for rater_id, code in read_rater_codes(connection, study).items():
            self._codes.setdefault(name_key(code), []).append(rater_id)
        self._coded: dict[str, CodedRater] = {}  # names in the file that are such a code
        self._same_keys = {name_key(name) for name in same.names}
        self._apart: dict[str, str] = {}
        self._blind_here: Counter[str] = Counter()
        self._twice: dict[
            str, list[int]
        ] = {}  # lines of labels that the study holds under another person's name

    def person_id(self, name: str) -> int | None:
        """Return the id of the study's person with this name; None if there is none."""
        person = self._person(clean_name(name))
        return person.id if person else None

    def _person(self, name: str) -> Rater | None:
        """Return the person with this name; if several differ only in case, the exact one or None."""
        people = self._persons.get(name_key(name), [])
        return (
            people[0] if len(people) == 1 else next((rater for rater in people if rater.name == name), None)
        )

    def counts_twice(
        self, name: str, unit_id: int, criterion: str, stored: AnswerTable[Any], line: int
    ) -> bool:
        """Tell whether a rater's label was imported earlier as another person's; `tell` then reports one
        error per name.

        Args:
            stored: the study's labels by unit and (rater, criterion).
        """
        cleaned = clean_name(name)
        apart = (
            self._imported.get(name_key(name_apart(cleaned, same=False) or cleaned))
            if name_key(cleaned) in self._same_keys
            else None
        )
        if apart is None or apart.id in self._aside or stored.get(unit_id, (apart.id, criterion)) is None:
            return False
        self._twice.setdefault(apart.name, []).append(line)
        return True

    def rater_id(self, name: str, line: int) -> int | None:
        """Return the id of the rater under which labels of this name are kept; None if the name can't be
        used, which is reported.
        """
        cleaned = clean_name(name)
        person = self._person(cleaned)
        if is_apart(cleaned):
            self._report.error(
                line,
                f"names such as {cleaned!r} are reserved for imported raters who share a name with a rater "
                "of this study; rename this rater",
            )
            return None
        if is_machine(cleaned):
            self._report.error(
                line,
                f"{cleaned!r} looks like a judge, so the labels can't be ratings; import them as a judge's "
                "labels, or rename the person",
            )
            return None
        coded = name_key(cleaned) in self._codes and name_key(cleaned) not in self._imported
        if name_key(cleaned) in self._judges:
            self._report.error(
                line,
                f"{cleaned} is a judge of this study, so the labels can't be ratings; import them as a "
                "judge's labels, or rename the person",
            )
            return None
        if person is None and name_key(cleaned) in self._persons:
            self._report.error(
                line,
                f"several raters of this study are called {cleaned} and differ only in capitals; spell the "
                "name as one of them does",
            )
            return None
        kept_name = (
            name_apart(cleaned, same=person is not None and name_key(cleaned) in self._same_keys)
            if person or coded
            else cleaned
        )
        if kept_name is None:
            self._report.error(
                line,
                f"{cleaned!r} is the name of a rater of this study, and too long to be kept apart from it; "
                "use a shorter name",
            )
            return None
        if name_key(kept_name) in self._persons:
            self._report.error(
                line,
                f"{kept_name} is the name of a rater of this study; rename this rater in the file",
            )
            return None
        if name_key(kept_name) not in self._imported:
            try:
                number = studies.insert_rater(self._entry, self._study.id, kept_name, "imported")
            except Refused:
                self._report.error(line, f"{kept_name!r} must have 1 to 80 printable characters to be a name")
                return None
            self._imported[name_key(kept_name)] = Rater(number, self._study.id, kept_name, "imported")
        imported = self._imported[name_key(kept_name)]
        if coded and cleaned not in self._coded:
            self._coded[cleaned] = CodedRater(imported.name, line, self._labels_of(name_key(cleaned)))
        if person and cleaned not in self._apart:
            self._apart[cleaned] = imported.name
            self._confirm(cleaned, imported.id, person.id, line)
        return imported.id

    def _confirm(self, name: str, rater_id: int, person_id: int, line: int) -> None:
        if name_key(name) not in self._same_keys:
            return
        try:
            confirm_identity(
                self._connection,
                self._entry,
                self._study,
                rater_id,
                person_id,
                self._same.confirmed_by,
                self._source,
            )
        except Refused:
            self._report.error(line, f"the imported labels of {name} are already kept as another rater's")

    def _labels_of(self, code: str) -> frozenset[tuple[int, str, str | None]]:
        """Return (unit, criterion, label) of every rating by the raters with this code."""
        table = schema.rating
        rows = self._connection.execute(
            select(table.c.unit_id, table.c.criterion, table.c.label).where(
                table.c.rater_id.in_(self._codes[code])
            )
        )
        return frozenset((row.unit_id, row.criterion, row.label) for row in rows)

    def compare_label(self, name: str, unit_id: int, criterion: str, label: str) -> None:
        """Note whether the rater with this code gave the label here; the label must not come from a rule.

        A study's own export repeats all its labels, so one label that is missing here means another person.
        """
        coded = self._coded.get(clean_name(name))
        if coded is not None and (unit_id, criterion, label) not in coded.labels:
            coded.differs = True

    def note_blind_label(self, name: str) -> None:
        """Count a label that the person gave blind here and not blind in the file."""
        self._blind_here[clean_name(name)] += 1

    def tell(self) -> None:
        """Report what was noted about names, after the last row."""
        for name, coded in self._coded.items():
            if coded.differs:
                self._report.notice(
                    0,
                    f"{name} is the code of a rater of this study, but the labels differ. The labels of the "
                    "file "
                    f'are kept under "{coded.kept_name}", as another person',
                )
            else:
                self._report.error(
                    coded.line,
                    f"{name} is the code of a rater of this study who gave all of these labels here, so they "
                    "would count twice. If this is another person, rename them",
                )
        for name, lines in self._twice.items():
            others = len(lines) - 1
            labels = (
                f"this and {others:,} more {inflect(others, 'label', 'labels')} are"
                if others
                else "this label is"
            )
            self._report.error(
                lines[0],
                f'{labels} already in the study as another person\'s, under "{name}", so one person would '
                f'count as two. Set {name} aside first: on the Work and raters page under "Whose labels '
                'count", or in a terminal with second-reader raters set-aside',
            )
        for name, count in self._blind_here.items():
            if name_key(name) in self._same_keys:
                self._report.notice(
                    0,
                    f"{name} gave {count:,} of these labels here too, and they count as blind. If {name} saw "
                    f"the judge first, they were not blind: a study lead can set {name} aside for that "
                    "reason",
                )
        names_in_file = {name_key(name) for name in self._apart}
        for name, kept_name in self._apart.items():
            person = (
                "and count as the same person's"
                if name_key(name) in self._same_keys
                else "as another person's, because nobody confirmed that both are the same"
            )
            self._report.notice(
                0,
                f'{name} rates in this study. The labels of the file are kept under "{kept_name}", {person}',
            )
        for name in sorted(name for name in self._same.names if name_key(name) not in names_in_file):
            self._report.error(
                0,
                f"{name!r} was confirmed as a rater of this study, but the file has no label by a rater of "
                "that name",
            )
