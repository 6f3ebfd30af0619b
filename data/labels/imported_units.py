"""How many units of each person have labels that came from a file."""

from __future__ import annotations

import numpy as np
from sqlalchemy import Connection, select

from data import schema
from data.record.rater_identities import rater_identities
from data.record.studies import Study
from data.store.column_texts import joined, numbers
from data.store.kept_parts import grow_part
from scoring.arrays import IntArray


def imported_units(connection: Connection, study: Study) -> dict[int, int]:
    """Return person -> number of units whose labels came from a file; persons without any are absent.

    Counted are labels under the person's own name, or under an imported name confirmed as theirs.
    """
    rated = grow_part(
        connection,
        study.id,
        "imported units",
        schema.rating,
        lambda after: _read_imported(connection, study.id, after),
        lambda before, behind: np.unique(np.concatenate([before, behind]), axis=0),
    )
    identities = rater_identities(connection, study.id)
    raters, rater_number = np.unique(rated[:, 0], return_inverse=True)
    persons = np.array([identities.get(rater, rater) for rater in raters.tolist()], dtype=np.int64)
    of_persons = np.unique(np.column_stack([persons[rater_number], rated[:, 1]]), axis=0)
    person, count = np.unique(of_persons[:, 0], return_counts=True)
    return dict(zip(person.tolist(), count.tolist(), strict=True))


def _read_imported(connection: Connection, study_id: int, after: int) -> IntArray:
    """(N, 2): raters and units of imported ratings with an id above `after`."""
    rating = schema.rating
    # "+ 0" keeps SQLite from the index of all the study's ratings, where a few of them are wanted.
    within = (
        (rating.c.study_id + 0 == study_id, rating.c.id > after)
        if after
        else (rating.c.study_id == study_id,)
    )
    row = connection.execute(
        select(joined(rating.c.rater_id), joined(rating.c.unit_id)).where(
            *within, rating.c.source == "imported"
        )
    ).one()
    return np.unique(np.column_stack([numbers(row[0]), numbers(row[1])]), axis=0)
