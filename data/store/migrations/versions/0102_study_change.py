"""New titles of studies, and which of them are archived."""

from alembic import op

revision = "0102"
down_revision = "0101"

STATEMENTS = (
    """CREATE TABLE study_change (
        id INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, study_id INTEGER NOT NULL, title TEXT,
        archived INTEGER, at TEXT NOT NULL, trail INTEGER NOT NULL,
        CONSTRAINT a_title_or_archived CHECK ((title IS NULL) = (archived IS NOT NULL)),
        FOREIGN KEY(study_id) REFERENCES study (id))""",
    "CREATE INDEX change_of_study ON study_change (study_id, id)",
)


def upgrade() -> None:
    for statement in STATEMENTS:
        op.execute(statement)
