"""Whether this store is as the first start left it: the sample studies, and nobody has committed anything."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select

from data import schema


def is_untouched(connection: Connection, samples: Collection[str]) -> bool:
    """`samples`: keys of the sample studies."""
    if connection.execute(select(schema.commit.c.id).limit(1)).first() is not None:
        return False
    return set(connection.execute(select(schema.study.c.key)).scalars()) == set(samples)
