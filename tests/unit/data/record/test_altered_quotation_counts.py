"""Counts of quotations that were made by another program, erased or altered, and what `verify` says."""

from __future__ import annotations

from typing import Any

import pytest

from data.keeping import erase
from data.keeping.verify import verify
from data.labels import rationales
from data.store.store import Store
from tests.studies.quotation_rows import LOST, audits, counted_rows, import_reasons
from tests.studies.small_study import SAID, Small

NOBODY_COUNTED = (
    "DELETE FROM quotation_count",
    "UPDATE quotation_count SET rule = 0, missing = '[]'",
    "UPDATE quotation_count SET unicode = '1.1.0', missing = '[]'",
)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE quotation_count SET quotations = quotations + 1 WHERE judgement_id = 1",
        "UPDATE quotation_count SET missing = '[0]' WHERE judgement_id = 1",
        "UPDATE quotation_count SET missing = 'no list' WHERE judgement_id = 1",
    ],
)
def test_a_count_that_is_not_what_the_words_say_is_found(small: Small, raw: Any, statement: str) -> None:
    assert problems(small.store) == []
    raw.execute(statement)
    assert problems(small.store) == [
        "the quotations in the reasons of label 1 of a judge differ from their count"
    ]


def test_a_count_of_no_label_is_found(small: Small, raw: Any) -> None:
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("INSERT INTO quotation_count VALUES (999, 1, '14.0.0', 0, '[]')")
    assert "quotations are counted for label 999 of a judge, which has no reasons" in problems(small.store)


@pytest.mark.parametrize("statement", NOBODY_COUNTED)
def test_a_label_that_nobody_counted_is_read_and_no_problem(small: Small, raw: Any, statement: str) -> None:
    """As another Python leaves it, which knows other letters."""
    import_reasons(small, f"“{SAID} 2.0” and “{LOST}”")
    with small.store.reading() as connection:
        before = audits(connection, small, rationales.read_reasons)
    raw.execute(statement)
    with small.store.reading() as connection:
        assert audits(connection, small, rationales.read_reasons) == before
        assert before[3][0].lost
    assert problems(small.store) == []


@pytest.mark.parametrize(
    "values",
    [
        "missing = '[7]'",
        "missing = '[-1]'",
        "missing = '{}'",
        "missing = 'no list'",
        "missing = '[1.0]'",
        "missing = '[1, 1]'",
        "missing = '[1, 0]'",
        "missing = replace(hex(zeroblob(50000)), '0', '[')",
        "quotations = 0",
        "quotations = 1",
        "quotations = 9, missing = '[0]'",
    ],
)
def test_a_count_that_cannot_be_is_not_believed(small: Small, raw: Any, values: str) -> None:
    import_reasons(small, f"“{SAID} 2.0” and “{LOST}”")
    with small.store.reading() as connection:
        before = [label.lost for label in rationales.read_reasons(connection, small.study, 3).labels]
    assert before == [(LOST,)]
    raw.execute(f"UPDATE quotation_count SET {values} WHERE missing <> '[]'")
    with small.store.reading() as connection:
        assert before == [label.lost for label in rationales.read_reasons(connection, small.study, 3).labels]
    assert len(problems(small.store)) == 1


def test_what_was_erased_is_no_problem(small: Small) -> None:
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        erase.erase_conversation(connection, entry, small.study, "c2", "asked for")
    assert problems(small.store) == []


@pytest.mark.parametrize(
    "words",
    [
        "'no JSON'",
        "'[[1, 2]]'",
        "'{}'",
        "CAST(x'5b5b22ff' AS TEXT)",
        "replace(hex(zeroblob(50000)), '0', '[')",
    ],
)
def test_labels_of_a_conversation_whose_words_were_altered_are_imported(
    small: Small, raw: Any, words: str
) -> None:
    """Their quotations are not counted, and the altered words are named."""
    raw.execute("DROP TRIGGER content_only_erased")
    raw.execute(
        f"UPDATE content SET text = {words} WHERE id = (SELECT transcript_content FROM conversation "
        "WHERE key = 'c2')"
    )
    with small.store.reading() as connection:
        counted = counted_rows(connection)
    import_reasons(small, "no quotation", f"“{LOST}”", judge_name="Judge D")
    with small.store.reading() as connection:
        assert counted and counted_rows(connection) == counted
    named = problems(small.store)
    assert named and any("content_only_erased" in problem for problem in named), named


def problems(store: Store) -> list[str]:
    with store.reading() as connection:
        return verify(connection).problems
