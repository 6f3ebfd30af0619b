"""The mappings that earlier imports of a study used, and where a mapping of a command comes from."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection, select

from configs.files.yaml_files import read_model
from configs.import_words import import_words
from data import schema
from data.importers.mapping.table_mapping import TableMapping, plain_cell
from data.record.studies import Study

ACTION = "import file"
MAX_IMPORTS_READ = 50
SHORT = 2  # characters of a cell that can't hold a name


def find_kept_mapping(connection: Connection, study: Study, columns: Collection[str]) -> TableMapping | None:
    """Return the mapping of the study's latest import whose table had these columns; None if none had."""
    trail = schema.trail
    details = connection.execute(
        select(trail.c.detail)
        .where(trail.c.study == study.id, trail.c.action == ACTION)
        .order_by(trail.c.seq.desc())
        .limit(MAX_IMPORTS_READ)
    ).scalars()
    for detail in details:
        try:
            mapping = TableMapping.model_validate(json.loads(detail).get("mapping"))
        except ValidationError:  # of an older program
            continue
        if set(mapping.columns) == set(columns):
            return mapping
    return None


def without_words(mapping: TableMapping) -> TableMapping:
    """Return what the trail may keep of a mapping for the next table.

    The trail can't be erased, so what may hold somebody's words or name is left out: speakers, and cells that
    are neither short nor usual.
    """
    usual = {word for words in import_words().labels.values() for word in words}
    labels = {
        part: {
            cell: label for cell, label in meanings.items() if len(cell) <= SHORT or plain_cell(cell) in usual
        }
        for part, meanings in mapping.labels.items()
    }
    without = {"assistant": (), "user": (), "not_speakers": ()}
    return mapping.model_copy(
        update={**without, "labels": {part: each for part, each in labels.items() if each}}
    )


def read_mapping(path: Path) -> TableMapping:
    """Return the mapping in a YAML file. Raises ConfigFileError."""
    return read_model(path, TableMapping)[0]
