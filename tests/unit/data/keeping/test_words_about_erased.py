"""Nothing is written about a conversation whose words were erased, whichever table would hold it."""

from __future__ import annotations

import pytest
from sqlalchemy import Table, select, text

from data import schema
from data.keeping.erase import erase_conversation
from data.record import studies
from data.store import content
from data.store.errors import Refused
from tests.studies.small_study import Small

COLUMNS = [
    (table, column.name)
    for table in schema.SEALED
    for column in table.columns
    if column.name.endswith("_content")
]
# Tables with texts about no conversation: of a study, a person or an erasure. A new table belongs here only where
# that is true of it.
OF_NO_CONVERSATION = {
    *("adoption", "certification", "draw", "erasure", "rater_identity", "set_aside", "successor"),
    "run_output",  # filed by the key of its case: refused and erased by it (test_paired_runs, test_erase)
}


def test_every_table_with_text_says_whose_words_it_holds() -> None:
    unfiled = {table.name for table, _ in COLUMNS if content.spell_conversation(table) == "NULL"}
    assert unfiled == OF_NO_CONVERSATION


@pytest.mark.parametrize(
    ("table", "column"),
    [(table, column) for table, column in COLUMNS if table.name not in OF_NO_CONVERSATION],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_none_of_them_takes_words_about_an_erased_conversation(
    full: Small, table: Table, column: str
) -> None:
    """A text that is filed as one of the table is filed."""
    talk, row = schema.conversation.alias(), table.alias()
    filed = (
        select(talk.c.id, talk.c.key, talk.c.study_id)
        .join(schema.content, schema.content.c.conversation_id == talk.c.id)
        .join(row, row.c[column] == schema.content.c.id)
    )
    with full.store.reading() as connection:
        number, key, study_id = connection.execute(filed).first() or (0, "", 0)
    assert number, f"the worked study has no text of {table.name}.{column} that is filed"
    with full.store.writing("tests", "write", full.study.id) as (connection, _):
        content.put(connection, "before", number)
    with full.store.writing("tests", "erase", study_id) as (connection, entry):
        study = full.study if study_id == full.study.id else studies.get(connection, study_id)
        erase_conversation(connection, entry, study, key, "asked for")
    with (
        pytest.raises(Refused, match="erased_while_saving"),
        full.store.writing("tests", "write", full.study.id) as (connection, _),
    ):
        content.put(connection, "what she said of her sister", number)
    with full.store.reading() as connection:
        words = text("SELECT 1 FROM content WHERE text = 'what she said of her sister'")
        assert connection.execute(words).first() is None
