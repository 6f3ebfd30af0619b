"""Texts that belong to nothing, and erased ones that came back."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Column, select

from data import schema
from data.keeping.verify import verify
from data.store import content
from tests.studies.small_study import Small
from tests.unit.data.tampering import after


def test_texts_that_no_row_refers_to_are_counted_and_numbered(full: Small, store_path: Path) -> None:
    found = after(
        store_path,
        "INSERT INTO content (id, salt, text) VALUES (5000, x'00', 'left behind'), (5001, x'00', 'this too')",
    )
    assert found.problems == [
        "texts that no row refers to, so that erasing a conversation would not reach them: 2 (number 5000, "
        "5001)"
    ]


def test_of_many_such_texts_ten_are_numbered(full: Small, store_path: Path) -> None:
    rows = ", ".join(f"({number}, x'00', 'x')" for number in range(5000, 5012))
    found = after(store_path, f"INSERT INTO content (id, salt, text) VALUES {rows}")
    assert found.problems == [
        "texts that no row refers to, so that erasing a conversation would not reach them: 12 "
        f"(number {', '.join(map(str, range(5000, 5010)))} ...)"
    ]


def test_an_empty_place_that_no_erasure_left_is_named_too(full: Small, store_path: Path) -> None:
    assert after(store_path, "INSERT INTO content (id) VALUES (5000)").problems == [
        "texts that no row refers to, so that erasing a conversation would not reach them: 1 (number 5000)"
    ]


def test_an_erased_text_that_no_row_refers_to_is_not(small: Small) -> None:
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        number, _ = content.put(connection, "nobody's words", None)
        content.erase(entry, connection, number or 0, "asked for")
    with small.store.reading() as connection:
        assert verify(connection).problems == []


def test_a_text_is_named_once_however_many_rows_show_it(small: Small, store_path: Path) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", note="kind")
    desk.commit(2)
    with small.store.reading() as connection:
        number = connection.exec_driver_sql(
            "SELECT note_content FROM rating WHERE note_content IS NOT NULL"
        ).scalar_one()
    assert after(store_path, f"UPDATE content SET text = 'cold' WHERE id = {number}").problems == [
        f"text {number} was altered"
    ]


def test_words_put_back_where_nothing_refers_to_them_are_named(full: Small, store_path: Path) -> None:
    with full.store.reading() as connection:
        number = connection.exec_driver_sql("SELECT content_id FROM erasure").scalar_one()
    assert after(store_path, f"UPDATE content SET text = 'again' WHERE id = {number}").problems == [
        f"text {number} was erased but exists again"
    ]


def test_an_erased_text_that_is_gone_altogether_is_named(full: Small, store_path: Path) -> None:
    with full.store.reading() as connection:
        number = connection.exec_driver_sql("SELECT content_id FROM erasure").scalar_one()
    assert after(store_path, f"DELETE FROM content WHERE id = {number}").problems == [
        f"text {number} was erased, but its row is missing"
    ]


@pytest.mark.parametrize(
    "column",
    [column for table in schema.SEALED for column in table.columns if column.name.endswith("_content")],
    ids=lambda column: f"{column.table.name}-{column.name}",
)
@pytest.mark.parametrize("other", ["NULL", "coalesce(conversation_id, 0) + 1"])
def test_a_text_that_was_given_to_another_conversation_is_named(
    full: Small, store_path: Path, column: Column[int], other: str
) -> None:
    """Else erasing its conversation would leave it."""
    with full.store.reading() as connection:
        row = connection.execute(
            select(schema.content.c.id, schema.content.c.conversation_id)
            .join(column.table, column == schema.content.c.id)
            .order_by(schema.content.c.conversation_id.desc())
            .limit(1)
        ).one()
    if row.conversation_id is None and other == "NULL":
        return
    assert after(
        store_path, f"UPDATE content SET conversation_id = {other} WHERE id = {row.id}"
    ).problems == [
        f"text {row.id} is filed under another conversation, so that erasing its own would leave it"
    ]


def test_words_about_a_conversation_know_it(full: Small) -> None:
    """All that is written about a unit, whatever the table."""
    about = [table for table in schema.SEALED if {"unit_id", "conversation_id"} & set(table.columns.keys())]
    with full.store.reading() as connection:
        for table in about:
            for column in table.columns:
                if column.name.endswith("_content"):
                    owners = select(schema.content.c.conversation_id).join(
                        table, column == schema.content.c.id
                    )
                    assert any(connection.execute(owners).scalars()), column
