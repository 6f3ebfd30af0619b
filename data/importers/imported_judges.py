"""Find the judge for each name in a file: never a person, and never one judge under two spellings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlalchemy import Connection

from data.importers.label_givers import is_person
from data.importers.report import ImportReport
from data.record import judgements, studies
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.trail import TrailEntry


def with_single_spaces(identity: JudgeIdentity) -> JudgeIdentity:
    """Return the identity without extra blanks: nobody sees them, and they would make it another judge."""
    return replace(
        identity,
        name=" ".join(identity.name.split()),
        provider=" ".join(identity.provider.split()) or "unknown",
        model=" ".join(identity.model.split()) or "unknown",
        prompt=" ".join(identity.prompt.split()) or "unknown",
    )


class ImportedJudges:
    """The judge for each name in a file. `identity` describes the judge that was stated; of any other judge
    only the name is known.
    """

    def __init__(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        report: ImportReport,
        identity: JudgeIdentity,
    ) -> None:
        self._connection, self._entry, self._study, self._report = connection, entry, study, report
        self._identity = with_single_spaces(
            replace(identity, instrument=f"{study.instrument.key} {study.instrument.version}")
        )
        self._people = {
            studies.name_key(rater.name): rater.name for rater in studies.raters(connection, study.id)
        }
        # Judges that were run have their names from models.yaml, where two may differ only in capitals.
        self._spellings: dict[str, list[str]] = {}
        for judge in judgements.judges(connection, study.id):
            self._spellings.setdefault(_spelling_key(judge.name), []).append(judge.name)
        self._judges: dict[str, int | None] = {}

    def judge_id(self, written: str, line: int) -> int | None:
        """Return the id of the judge; None if the name can't be used, which is reported at its first line."""
        if written not in self._judges:
            self._judges[written] = self._resolve(written, line)
        return self._judges[written]

    def _resolve(self, written: str, line: int) -> int | None:
        name = " ".join(written.split()) or self._identity.name
        identity = (
            self._identity if name == self._identity.name else replace(self._identity, name=name, model=name)
        )
        reason = _peoples(name, self._people)
        if reason is not None:
            self._report.error(line, reason)
            return None
        spellings = self._spellings.setdefault(_spelling_key(name), [])
        if spellings and name not in spellings:
            self._report.error(
                0 if name == self._identity.name else line,
                f"the study spells this judge {spellings[0]}; spell it the same way",
            )
            return None
        spellings.append(name)
        return judgements.register(self._connection, self._entry, self._study.id, identity)


def _spelling_key(name: str) -> str:
    return studies.name_key("".join(name.split()))


def _peoples(judge: str, people: Mapping[str, str]) -> str | None:
    """Return why a judge's name looks like people; None if it doesn't. `people`: the study's raters by
    `name_key`.
    """
    rater = people.get(studies.name_key(judge))
    if rater is not None:
        return (
            f"{rater} is a rater of this study, so the labels can't be a judge's; import them as ratings, or "
            "rename the judge"
        )
    if is_person(judge):
        return (
            f"the judge is called {judge!r}, which looks like people; import people's labels as ratings, or "
            "rename the judge"
        )
    return None
