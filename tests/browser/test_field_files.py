"""Files as the field has them, dropped on the page: what is clear comes in as it is meant, what is not is named."""

from __future__ import annotations

import io
import json
from typing import Any

import openpyxl
import pytest
from playwright.sync_api import FilePayload, Page, expect
from sqlalchemy import func, select

from data import schema
from data.store.store import Store
from tests.browser.actions import click, wait_for_redraw
from tests.browser.looks import check_look
from tests.browser.serving import Server

pytestmark = pytest.mark.slow

# One row for each utterance and annotator, as motivational interviews are published.
CODED = """transcript_id,utterance_id,interlocutor,utterance_text,annotator_id,main_therapist_behaviour
0,0,therapist,Thanks for filling it out.,3,question
0,0,therapist,Thanks for filling it out.,4,other
0,1,client,Sure.,3,
0,1,client,Sure.,4,
0,2,therapist,So let's see.,3,reflection
0,2,therapist,So let's see.,4,reflection
"""
# Labels by annotator, then by item: the form of the alternative annotator test.
BY_ANNOTATOR = {"A": {"i1": 1, "i2": 0}, "B": {"i1": 1, "i2": 1}, "C": {"i1": 0}}


def sheet(*rows: tuple[Any, ...], hidden: int | None = None) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    if hidden is not None:
        book.active.row_dimensions[hidden].hidden = True
    book.save(out)
    return out.getvalue()


def drop(page: Page, body: bytes | str, name: str) -> None:
    wait_for_redraw(page)
    payload: FilePayload = {
        "name": name,
        "mimeType": "application/octet-stream",
        "buffer": body if isinstance(body, bytes) else body.encode(),
    }
    page.locator("input[type=file]").set_input_files(payload)


def messages_in(store: Store) -> list[int]:
    table = schema.conversation
    with store.reading() as connection:
        last = connection.execute(select(func.max(table.c.study_id))).scalar_one()
        return list(connection.execute(select(table.c.messages).where(table.c.study_id == last)).scalars())


def test_utterances_that_several_people_coded_come_in_once(page: Page, server: Server, store: Store) -> None:
    page.goto(f"{server.url}/importing")
    drop(page, CODED, "coded.csv")
    expect(page.get_by_role("heading", name="Recognised: 1 conversation.")).to_be_visible()
    click(page.get_by_text("things to note"))
    expect(page.get_by_text("3 rows repeat a message, which was read once").first).to_be_visible()
    check_look(page)
    click(page.get_by_role("button", name="Import"))
    expect(page.get_by_role("heading", name="Imported: 1 conversation.")).to_be_visible()
    assert messages_in(store) == [3]


def test_labels_by_annotator_are_not_taken_for_something_else(
    page: Page, server: Server, store: Store
) -> None:
    page.goto(f"{server.url}/importing")
    drop(page, json.dumps(BY_ANNOTATOR), "annotators.json")
    expect(page.get_by_role("heading", name="Not recognised")).to_be_visible()
    expect(page.get_by_role("button", name="Import")).to_have_count(0)
    check_look(page)


HEAD = ("conversation_id", "turn", "speaker", "text")


def test_a_clinicians_sheet_with_a_filter_says_which_rows_are_hidden(
    page: Page, server: Server, store: Store
) -> None:
    rows = (
        HEAD,
        (1, 1, "user", "Hello"),
        (1, 2, "assistant", "Hi"),
        (2, 1, "user", "Hidden"),
        (2, 2, "assistant", "Hm"),
    )
    page.goto(f"{server.url}/importing")
    drop(page, sheet(*rows, hidden=4), "sheet.xlsx")
    expect(page.get_by_text("this row is hidden, by a filter or by hand").first).to_be_visible()
    expect(page.get_by_role("button", name="Import")).to_have_count(0)
    check_look(page)
    drop(page, sheet(*rows), "sheet.xlsx")
    expect(page.get_by_role("heading", name="Recognised: 2 conversations.")).to_be_visible()
    click(page.get_by_role("button", name="Import"))
    expect(page.get_by_role("heading", name="Imported: 2 conversations.")).to_be_visible()
    assert messages_in(store) == [2, 2]


def test_the_same_words_in_another_study_are_named(page: Page, server: Server, store: Store) -> None:
    for name in ("first", "second"):
        page.goto(f"{server.url}/importing")
        drop(page, CODED, f"{name}.csv")
        expect(page.get_by_role("heading", name="Recognised: 1 conversation.")).to_be_visible()
        if name == "first":
            click(page.get_by_role("button", name="Import"))
            expect(page.get_by_role("heading", name="Imported: 1 conversation.")).to_be_visible()
    click(page.get_by_text("things to note"))
    expect(page.get_by_text("1 conversation is also in the study first, word for word").first).to_be_visible()
    check_look(page)
