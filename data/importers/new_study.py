"""A study that is created with its first import."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection

from configs.files.yaml_files import ConfigFileError, read_model
from data.record import studies
from data.record.rater_names import refuse_unusable_names
from data.record.studies import Study, StudySpec
from data.store.errors import Refused
from data.store.trail import TrailEntry
from scoring.instruments import Instrument, Taxonomy

CONFIG_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")


@dataclass(frozen=True)
class NewStudy:
    """A study to create in the transaction of its first import, which fills in `spec.instrument_id`."""

    spec: StudySpec
    instrument: str
    taxonomy: str | None
    raters: tuple[str, ...]
    instruments: Path
    taxonomies: Path

    def make(self, connection: Connection, entry: TrailEntry) -> Study:
        """Create the study with its raters. Raises Refused or ConfigFileError."""
        instrument_id = studies.register_instrument(
            connection, entry, _body(self.instruments, self.instrument, Instrument)
        )
        taxonomy_id = (
            studies.register_taxonomy(connection, entry, _body(self.taxonomies, self.taxonomy, Taxonomy))
            if self.taxonomy
            else None
        )
        spec = replace(self.spec, instrument_id=instrument_id, taxonomy_id=taxonomy_id)
        study_id = studies.create(connection, entry, spec)
        refuse_unusable_names(self.raters)
        rater_names = studies.RaterNames(connection, study_id)
        for name in self.raters:
            rater_names.add(entry, name)
        study = studies.get(connection, study_id)
        if study.instrument.criteria_from and study.taxonomy is None:
            raise Refused(
                f"{study.instrument.title} needs a taxonomy: its criteria are the strategies that a plan "
                "declares."
            )
        return study


def _body(folder: Path, name: str, model: type[Instrument] | type[Taxonomy]) -> str:
    """Return the text of an instrument or taxonomy. Raises ConfigFileError, which names the file."""
    path = folder / f"{name}.yaml"
    if not CONFIG_NAME.fullmatch(name) or not path.is_file():
        listed = ", ".join(sorted(p.stem for p in folder.glob("*.yaml")))
        raise ConfigFileError(f"There is no {name}.yaml in {folder}; there are {listed or 'none'}.")
    return read_model(path, model)[1]
