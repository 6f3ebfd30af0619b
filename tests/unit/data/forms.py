"""Taking a store back to an earlier form, to bring it up to date again. Going back is nothing that the
program does."""

from __future__ import annotations

import sqlite3


def back_to_0009(raw: sqlite3.Connection) -> None:
    raw.execute("DROP TABLE rater_identity")
    raw.execute("UPDATE alembic_version SET version_num = '0009'")


def back_to_0008(raw: sqlite3.Connection) -> None:
    back_to_0009(raw)
    raw.execute("DROP TABLE set_aside")
    raw.execute("UPDATE alembic_version SET version_num = '0008'")


def back_to_0007(raw: sqlite3.Connection) -> None:
    back_to_0008(raw)
    raw.execute("DROP TABLE reasoning_comment")
    raw.execute("UPDATE alembic_version SET version_num = '0007'")


def back_to_0006(raw: sqlite3.Connection) -> None:
    back_to_0007(raw)
    raw.execute("ALTER TABLE conflict DROP COLUMN kind")
    raw.execute("UPDATE alembic_version SET version_num = '0006'")
