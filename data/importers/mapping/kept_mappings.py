"""The mappings that earlier imports of a study used, and where a mapping of a command comes from."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

from pydantic import ValidationError
from sqlalchemy import Connection, select

from configs.files.yaml_files import read_model
from data import schema
from data.importers.mapping.table_mapping import TableMapping
from data.record.studies import Study

ACTION = "import file"
MAX_IMPORTS_READ = 50


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


def read_mapping(path: Path) -> TableMapping:
    """Return the mapping in a YAML file. Raises ConfigFileError."""
    return read_model(path, TableMapping)[0]
