"""Whose labels a file holds: people who rated elsewhere, never the first labels of somebody who rates here."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection

from data import studies
from data.errors import Refused
from data.importers.report import Report
from data.rater_identities import confirm_identity, is_apart, name_apart
from data.studies import Study, name_key
from data.trail import Entry


@dataclass(frozen=True)
class SameRaters:
    """Names of a file of whom `confirmed_by` says that each is the rater of that name in the study."""

    names: frozenset[str] = frozenset()
    confirmed_by: str = ""


NOBODY_SAME = SameRaters()


class ImportedRaters:
    """The rater for each name of a file. One with the name of a person of the study is kept apart, under a name that says so."""

    def __init__(self, connection: Connection, entry: Entry, study: Study, report: Report, same: SameRaters, source: str) -> None:
        self._connection, self._entry, self._study, self._report, self._same, self._source = connection, entry, study, report, same, source
        raters = studies.raters(connection, study.id)
        self._persons = {name_key(rater.name): rater for rater in raters if rater.kind == "person"}
        self._ids = {rater.name: rater.id for rater in raters if rater.kind != "person"}
        self._same_keys = {name_key(name) for name in same.names}
        self._apart: dict[str, str] = {}
        self._blind_here: Counter[str] = Counter()

    def person_id(self, name: str) -> int | None:
        """The person of the study who has this name."""
        person = self._persons.get(name_key(" ".join(name.split())))
        return person.id if person else None

    def rater_id(self, name: str, line: int) -> int | None:
        """The rater who gave the labels of this name; None where the name cannot be used, which the report says."""
        cleaned = " ".join(name.split())
        person = self._persons.get(name_key(cleaned))
        if is_apart(cleaned):
            self._report.error(line, f"{cleaned!r} is how a rater of a file is told from a rater of this study; name the people of the file otherwise")
            return None
        kept = name_apart(cleaned, name_key(cleaned) in self._same_keys) if person else cleaned
        if kept is None:
            self._report.error(line, f"{cleaned!r} is the name of a rater of this study, and too long to be told from it; name the people otherwise")
            return None
        if name_key(kept) in self._persons:
            self._report.error(line, f"{kept} is the name of a rater of this study; name the people of the file otherwise")
            return None
        if kept not in self._ids:
            try:
                self._ids[kept] = studies.add_rater(self._connection, self._entry, self._study.id, kept, "imported")
            except Refused as error:
                self._report.error(line, str(error))
                return None
        if person and cleaned not in self._apart:
            self._apart[cleaned] = kept
            self._confirm(cleaned, person.id, line)
        return self._ids[kept]

    def _confirm(self, name: str, person_id: int, line: int) -> None:
        if name_key(name) not in self._same_keys:
            return
        try:
            confirm_identity(self._connection, self._entry, self._study, self._ids[self._apart[name]], person_id, self._same.confirmed_by, self._source)
        except Refused as error:
            self._report.error(line, str(error))

    def note_blind_label(self, name: str) -> None:
        """A person who rates here gave the same label here as blind, and in the file not blind."""
        self._blind_here[" ".join(name.split())] += 1

    def tell(self) -> None:
        """What the report says of names, after the last row."""
        for name, count in self._blind_here.items():
            if name_key(name) in self._same_keys:
                self._report.notice(0, f"{name} gave {count:,} of these labels here too, and they stand as blind. If the judge was seen first, they were not: "
                                       "set them aside, with that reason")
        there = {name_key(name) for name in self._apart}
        for name, kept in self._apart.items():
            person = "and count as the same person" if name_key(name) in self._same_keys else "as another person, because nobody said that both are the same"
            self._report.notice(0, f"{name} rates in this study: the labels of the file stand apart under \"{kept}\", {person}")
        for name in sorted(name for name in self._same.names if name_key(name) not in there):
            self._report.error(0, f"{name!r} was named as a rater of this study, and the file has no label by a rater of the study of that name")
