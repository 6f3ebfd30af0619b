"""A store that the program before columns of their own wrote comes into the new form whole: every row says in
its columns what it said in codes, no digest is changed, and nothing of an old row can be altered unseen.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.record import anchors, judgements, ledger, ledger_totals, studies
from data.schema.earlier_forms import earlier_forms
from data.schema.vocabulary import JudgementOrigin
from data.store import migrate, triggers
from data.store.errors import StoreError
from data.store.store import Store, open_store
from data.store.trail import NEW_FORM, last_entries_of_forms
from tests.unit.data import forms
from tests.unit.data.conftest import tried
from tests.unit.data.tampering import after, attacker, unguarded

HEAD = (53, "c91386fc2daf25b0713ab8329740d2bdef7bb2a2345d2046aa96e55699c41e88")  # of the trail in the file


@pytest.fixture
def old(store_path: Path) -> dict[str, list[tuple[object, ...]]]:
    """The tables of the store as that program left them. Closed."""
    forms.write_store_of_form_0010(store_path)
    with closing(sqlite3.connect(store_path)) as raw:
        names = [name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: raw.execute(f"SELECT * FROM {name}").fetchall()
            for name in names
            if name not in ("alembic_version", "sqlite_sequence")
        }


@pytest.fixture
def store(old: dict[str, list[tuple[object, ...]]], store_path: Path) -> Store:
    return open_store(f"sqlite:///{store_path}")


def test_every_row_is_there_and_the_trail_goes_on_from_where_it_was(
    old: dict[str, list[tuple[object, ...]]], store: Store
) -> None:
    entries = old.pop("trail")
    assert entries[-1][0] == HEAD[0] and entries[-1][-1] == HEAD[1]
    with store.reading() as connection:
        assert {name: forms.rows_as_in_0010(connection, name) for name in old} == old
        *before, form = forms.rows_as_in_0010(connection, "trail")
        assert (before, form[0], form[3], form[7]) == (entries, HEAD[0] + 1, NEW_FORM, HEAD[1])
        check = verify(connection, {HEAD[0]: HEAD[1]})
        assert (check.problems, check.entries, check.head) == ([], HEAD[0] + 1, form[8])
        assert last_entries_of_forms(connection) == {"0007": 0, "0011": HEAD[0]}
        assert (
            connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar() == migrate.head()
        )
        assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
        triggers.check(connection)
    store.close()


def test_what_stood_in_codes_stands_in_columns(store: Store) -> None:
    with store.reading() as connection:
        judgement, attempt, unit = schema.judgement, schema.judge_attempt, schema.unit
        assert connection.execute(
            sa.select(judgement.c.id, judgement.c.anchor_round, judgement.c.replicate)
            .where(judgement.c.id > 48)
            .order_by(judgement.c.id)
        ).all() == [
            *((49 + replicate, 0, replicate) for replicate in range(3)),
            *((52 + replicate, 1, replicate) for replicate in range(3)),
            *((55 + replicate, 2, replicate) for replicate in range(3)),
            *((58, 0, 0), (59, 1, 0), (60, 0, 0)),
        ]
        columns = (judgement.c.origin, judgement.c.run_id, judgement.c.file)
        assert connection.execute(
            sa.select(*columns, sa.func.count()).group_by(*columns).order_by(sa.func.min(judgement.c.id))
        ).all() == [
            ("import", None, "tests", 48),
            ("run", 2, None, 9),
            ("ledger", 2, None, 1),
            ("run", 3, None, 1),
            ("import", None, "run 2", 1),  # a file that is called so
        ]
        assert connection.execute(
            sa.select(
                attempt.c.adapter,
                attempt.c.batched,
                attempt.c.replayed,
                attempt.c.price_date,
                attempt.c.currency,
                attempt.c.anchor_round,
            )
            .where(attempt.c.id.in_((2, 3, 4, 10, 11)))
            .order_by(attempt.c.id)
        ).all() == [
            ("google-genai 1.2.3", 1, 0, "2026-11-01", "USD", 0),
            ("openai 2.0", 1, 0, "2026-11-01", "EUR", 0),
            ("google-genai 1.2.3", 0, 0, None, None, 0),
            ("google-genai 1.2.3", 0, 0, "2026-11-01", "USD", 2),
            ("replay 1", 0, 1, None, None, 0),
        ]
        assert connection.execute(sa.select(unit.c.position).where(unit.c.kind == "repeat")).all() == [(-1,)]
        assert connection.execute(sa.select(unit.c.id).where(unit.c.kind == "listed")).all() == [
            (number,) for number in range(1, 11)
        ]
        assert connection.execute(sa.select(schema.conflict.c.kind)).all() == [("opened",), ("stated",)]
    store.close()


def test_the_program_reads_it_as_before(store: Store) -> None:
    """What the earlier program answered about this store, question by question."""
    with store.reading() as connection:
        study = studies.find(connection, "small")
        assert study is not None
        first, second, _ = judgements.judges(connection, study.id)
        totals = ledger_totals.totals(connection, judge_id=first.id)
        assert (totals.attempts, totals.costs, totals.unpriced) == (
            10,
            {"USD": 1_432_530, "EUR": 7_000_000},
            1,
        )
        assert ledger_totals.totals(connection, judge_id=second.id).unpriced == 0
        frozen = anchors.newest(connection, study.id)
        assert frozen is not None
        answers = anchors.answers(connection, frozen, first.id)
        assert [(answer.round, answer.label) for answer in answers] == [
            (0, "YES"),
            *((1, label) for label in ("YES", "NO", "YES")),
            *((2, label) for label in ("NO", "YES", "NO")),
        ]
        assert anchors.round_to_ask(connection, frozen, first.id) == 3
        verdicts = ledger.verdicts(connection, first.id, [2, 3])
        assert {key: value for key, value in verdicts.items() if key[1] == "more"} == {
            **{(2, "more", replicate): ("ok", "NO") for replicate in range(3)},
            (3, "more", 0): ("ok", "YES"),
        }
        assert ledger.settled(connection, first.id, 2, JudgementOrigin.RUN, False) == (9, 0)
        assert ledger.settled(connection, first.id, 2, JudgementOrigin.LEDGER, False) == (1, 0)
    store.close()


def test_rows_written_now_are_sealed_in_the_new_form_beside_the_old(store: Store) -> None:
    with store.writing("lead", "judge", 1) as (connection, entry):
        ledger.write(
            connection,
            entry,
            1,
            2,
            [tried(2, 1, 2, batched=True)],
            [ledger.LedgerLabel(1, 2, "late", 3, 0, "ok", "YES", None, ())],
        )
    with store.reading() as connection:
        assert verify(connection).problems == []
    store.close()


@pytest.mark.parametrize(
    ("statement", "problem"),
    [
        ("UPDATE unit SET kind = 'repeat' WHERE id = 1", "unit: row 1 is not as it was brought over"),
        ("UPDATE unit SET position = 77 WHERE id = 1", "unit: the rows of entry"),
        ("UPDATE judgement SET anchor_round = 3 WHERE id = 52", "judgement: the rows of entry"),
        (
            "UPDATE judgement SET anchor_round = 1, replicate = 3 WHERE id = 55",
            "judgement: row 55 is not as it was brought over",
        ),
        ("UPDATE judgement SET run_id = 3 WHERE id = 52", "judgement: the rows of entry"),
        (
            "UPDATE judgement SET origin = 'import', run_id = NULL, file = 'run 2' WHERE id = 52",
            "judgement: row 52 is not as it was brought over",
        ),
        (
            "UPDATE judgement SET origin = 'run', run_id = 2, file = NULL WHERE id = 60",
            "judgement: row 60 is not as it was brought over",
        ),
        ("UPDATE judgement SET file = 'tests' WHERE id = 52", "judgement: row 52 is not as it was"),
        ("UPDATE judge_attempt SET batched = 0 WHERE id = 2", "judge_attempt: the rows of entry"),
        (
            "UPDATE judge_attempt SET batched = 0, adapter = adapter || ', in a batch job' WHERE id = 2",
            "judge_attempt: row 2 is not as it was brought over",
        ),
        ("UPDATE judge_attempt SET replayed = 1 WHERE id = 2", "judge_attempt: row 2 is not as it was"),
        ("UPDATE judge_attempt SET currency = 'EUR' WHERE id = 2", "judge_attempt: the rows of entry"),
        (
            "UPDATE judge_attempt SET price_date = price_date || ' USD', currency = NULL WHERE id = 2",
            "judge_attempt: row 2 is not as it was brought over",
        ),
        ("UPDATE conflict SET kind = 'stated' WHERE id = 1", "conflict: the rows of entry"),
        ("UPDATE repeat SET why = 'repeat'", "twin: the rows of entry"),
        ("UPDATE trail SET detail = '{\"last_entries\":{}}' WHERE seq = 54", "entry 54 was altered"),
        ("DELETE FROM trail WHERE seq = 54", "judgement: the rows of entry"),
    ],
)
def test_an_old_row_cannot_be_altered_unseen(
    store: Store, store_path: Path, statement: str, problem: str
) -> None:
    store.close()
    assert any(found.startswith(problem) for found in after(store_path, statement).problems)


def test_every_new_column_of_an_old_row_is_covered(store: Store, store_path: Path) -> None:
    """Whatever stands in any column of any table that changed, another value there is a problem."""
    store.close()
    with attacker(store_path) as connection:
        for table in schema.SEALED:
            if not earlier_forms(table):
                continue
            row = connection.execute(sa.select(table).order_by(table.c.id)).first()
            assert row is not None
            for column in table.columns:
                value = row._mapping[column.name]
                other = 7 if value is None else value + 1000 if isinstance(value, int) else f"{value}x"
                if column.name in ("id", "trail"):
                    continue
                connection.exec_driver_sql("SAVEPOINT change")
                with unguarded(connection, table.name):
                    connection.execute(
                        sa.update(table).where(table.c.id == row.id).values({column.name: other})
                    )
                assert verify(connection).problems, (table.name, column.name)
                connection.exec_driver_sql("ROLLBACK TO change")
        assert verify(connection).problems == []


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "listed", "position": -2},
        {"kind": "repeat", "position": 12},
        {"kind": "twin", "position": 12},
    ],
)
def test_the_store_refuses_a_unit_of_two_minds(store: Store, change: dict[str, object]) -> None:
    with store.reading() as connection:
        row = connection.execute(sa.select(schema.unit).where(schema.unit.c.id == 1)).one()._mapping
    with pytest.raises(StoreError, match="refused the change"), store.writing("tests", "mix") as (_, entry):
        entry.write(schema.unit, {**row, **change})
    store.close()


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "run", "run_id": None, "file": None},
        {"origin": "run", "run_id": 2, "file": "labels.csv"},
        {"origin": "import", "run_id": 2, "file": "labels.csv"},
        {"origin": "import", "run_id": None, "file": None},
        {"origin": "guessed", "run_id": None, "file": "labels.csv"},
        {"anchor_round": -1},
        {"replicate": -1},
        {"anchor_round": None},
    ],
)
def test_the_store_refuses_a_judgement_of_two_minds(store: Store, change: dict[str, object]) -> None:
    with store.reading() as connection:
        row = (
            connection.execute(sa.select(schema.judgement).where(schema.judgement.c.id == 60)).one()._mapping
        )
    with pytest.raises(StoreError, match="refused the change"), store.writing("tests", "mix") as (_, entry):
        entry.write(schema.judgement, {**row, "criterion": "another", **change})
    store.close()


@pytest.mark.parametrize(
    "change", [{"batched": 2}, {"replayed": None}, {"price_date": None}, {"anchor_round": -1}]
)
def test_the_store_refuses_a_try_of_two_minds(store: Store, change: dict[str, object]) -> None:
    table = schema.judge_attempt
    with store.reading() as connection:
        row = connection.execute(sa.select(table).where(table.c.id == 2)).one()._mapping
    with pytest.raises(StoreError, match="refused the change"), store.writing("tests", "mix") as (_, entry):
        entry.write(table, {**row, **change})
    store.close()


def test_an_empty_store_gets_no_entry(store_path: Path) -> None:
    open_store(f"sqlite:///{store_path}").close()
    with closing(sqlite3.connect(store_path, isolation_level=None)) as raw:
        forms.back_to_0010(raw)
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        assert forms.rows_as_in_0010(connection, "trail") == []
        assert verify(connection).problems == []
    store.close()
