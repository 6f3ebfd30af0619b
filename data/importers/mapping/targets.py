"""The study that a table is mapped for: its rubric, and the names that it knows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection

from data.importers.mapping.kept_mappings import find_kept_mapping
from data.importers.mapping.meanings import RubricWords
from data.importers.mapping.proposal import propose_answers, propose_mapping
from data.importers.mapping.table_mapping import Reading, TableMapping
from data.importers.mapping.table_sample import TableSample, read_table_sample
from data.importers.own_process import FileTooMuch, limits_for, run_apart
from data.record import judgements, studies
from data.record.studies import Study
from scoring.instruments import load_instrument


@dataclass(frozen=True)
class MappingTarget:
    """`raters`, `judges`: names that the study knows. `kept`: the mapping of the study's latest import of a
    table with the same columns.
    """

    rubric: RubricWords
    raters: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    kept: TableMapping | None = None

    def propose(self, sample: TableSample) -> TableMapping:
        """Return the kept mapping with what is new in this table, or else a new proposal.

        Who gave the labels is not kept where no column says it: the next file may be another person's.
        """
        if self.kept is not None and set(self.kept.columns) == set(sample.columns):
            kept = self.kept.model_copy(update={"rater": "", "judge": ""})
            return propose_answers(kept, sample, self.rubric, self.judges)
        return propose_mapping(sample, self.rubric, self.raters, self.judges)


def target_of_study(connection: Connection, study: Study, columns: tuple[str, ...]) -> MappingTarget:
    """Return what is known about a study. `columns`: of the table, to find a kept mapping."""
    return MappingTarget(
        RubricWords.of(study.instrument, study.taxonomy),
        tuple(rater.name for rater in studies.raters(connection, study.id)),
        tuple(judge.name for judge in judgements.judges(connection, study.id)),
        find_kept_mapping(connection, study, columns),
    )


def target_of_instrument(path: Path) -> MappingTarget:
    """Return what is known about a study that is to be created with the instrument of a file. Raises
    ConfigFileError.
    """
    return MappingTarget(RubricWords.of(load_instrument(path)[0]))


def read_sample_apart(path: Path, sheet: str = "", reading: Reading | None = None) -> TableSample:
    """Return the sample of a table, read in a separate process. Raises OSError."""
    try:
        return run_apart(read_table_sample, path.absolute(), reading, sheet, limits=limits_for(path))
    except FileTooMuch as error:
        return TableSample(Reading(), problem=f"{str(error)[0].upper()}{str(error)[1:]}.")
