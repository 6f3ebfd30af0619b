"""Statements that are compiled once a process. A store compiles each statement when it meets it first, and each test
opens a store of its own.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Engine
from sqlalchemy.dialects import registry
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite
from sqlalchemy.util import LRUCache

_COMPILED: LRUCache[Any, Any] = LRUCache(1000)


class InterchangeableDialect(SQLiteDialect_pysqlite):
    """What SQLAlchemy knows of SQLite. It keeps a compiled statement under its dialect: here all are equal."""

    supports_statement_cache = True

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self)

    def __hash__(self) -> int:
        return hash(type(self))

    @classmethod
    def engine_created(cls, engine: Engine) -> None:
        engine.update_execution_options(compiled_cache=_COMPILED)


def share_compiled_statements() -> None:
    """For every engine that is made from now on in this process."""
    registry.register("sqlite", __name__, InterchangeableDialect.__name__)
