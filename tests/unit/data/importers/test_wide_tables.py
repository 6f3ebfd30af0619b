"""Wide tables of labels: the real one with its dirty cells, and everything that can be wrong with the
columns.
"""

from __future__ import annotations

import csv
import re
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from configs.settings import Settings
from data import schema
from data.importers.new_study import NewStudy
from data.importers.report import ImportRefused, ImportReport
from data.importers.wide_tables import WideTableOptions
from data.keeping import verify
from data.labels import agreement_labels
from data.record import conversations, judgements, studies, units
from data.record.studies import StudySpec
from data.store.store import Store
from tests.studies import importing
from tests.studies.small_study import Small

PART = Path(__file__).parents[3] / "vectors" / "mentalalign" / "ratings_wide_part.csv"
JUDGES = ("claude-3-7-sonnet-20250219", "gemini-2.5-flash-preview-04-17", "gpt-4o", "o4-mini")
WIDE = WideTableOptions(("human",), JUDGES, (), "unknown", "the publication")
GOOD = {"1", "2", "3", "4", "5", "1.0", "2.0", "3.0", "4.0", "5.0"}
Counts = Callable[[], dict[str, Any]]


def new_study(key: str = "align", instrument: str = "mentalalign") -> NewStudy:
    settings = Settings.read({})
    return NewStudy(
        StudySpec(key, key, 0, data_class="deidentified"),
        instrument,
        None,
        (),
        settings.instruments,
        settings.taxonomies,
    )


def bring(
    store: Store, path: Path, wide: WideTableOptions = WIDE, new: NewStudy | None = None, **more: Any
) -> ImportReport:
    return importing.import_wide_table(store, "align", path, "tests", wide, new=new or new_study(), **more)


def part() -> tuple[list[str], list[list[str]]]:
    with PART.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    return header, rows


def bad_cells() -> list[tuple[int, str, str]]:
    """(line, column, value), read without the importer."""
    header, rows = part()
    return [
        (line, name, cell)
        for line, row in enumerate(rows, start=2)
        for name, cell in zip(header[2:], row[2:], strict=True)
        if cell not in GOOD
    ]


def told(report: ImportReport) -> list[tuple[int, str, str]]:
    """The cells that the report lists, in the order of the columns."""
    cells = []
    for line in report.lines():
        match = re.fullmatch(
            r"[^,]+, line (\d+): (.*)\. Expected one of 1, 2, 3, 4, 5; (left out|kept as a failure of the judge)",
            line,
        )
        for group in match.group(2).split("; ") if match else []:
            names, value = group.rsplit(": ", 1)
            cells += (
                [
                    (int(match.group(1)), name, "" if value == "empty" else value.strip("'"))
                    for name in names.split(", ")
                ]
                if match
                else []
            )
    return cells


def test_every_bad_cell_of_the_real_table_is_listed_and_every_good_one_imported(store: Store) -> None:
    report = bring(store, PART)
    bad, (header, rows) = bad_cells(), part()
    assert (len(rows), len(bad), Counter(name.startswith("human_") for _, name, _ in bad)) == (
        311,
        732,
        Counter({True: 648, False: 84}),
    )
    assert Counter(value for _, name, value in bad if name.startswith("human_")) == Counter(
        {"": 409, "0.0": 231, "6.0": 8}
    )
    assert sorted(told(report)) == sorted(bad)
    assert report.added == {
        "conversations": 311,
        "ratings": 311 * 7 - 648,
        "judgements": 311 * 28 - 84,
        "failed judge calls": 84,
    }
    assert report.summary().endswith("732 cells hold no label.")
    wrong = {(line, name) for line, name, _ in bad}
    expected = {
        (f"{row[0]}/{row[1]}", name.removeprefix("human_"), cell[0])
        for line, row in enumerate(rows, start=2)
        for name, cell in zip(header, row, strict=True)
        if name.startswith("human_") and (line, name) not in wrong
    }
    table = schema.rating
    with store.reading() as connection:
        labels = connection.execute(
            select(schema.conversation.c.key, table.c.criterion, table.c.label, table.c.exposure)
            .join(schema.unit, schema.unit.c.id == table.c.unit_id)
            .join(schema.conversation)
        ).all()
        names = [judge.name for judge in judgements.judges(connection, 1)]
        statuses: dict[str, int] = dict(
            connection.execute(
                select(schema.judgement.c.status, func.count()).group_by(schema.judgement.c.status)
            ).all()
        )
    assert {(row.key, row.criterion, row.label) for row in labels} == expected and len(labels) == len(
        expected
    )
    assert {row.exposure for row in labels} == {"unknown"}
    assert (sorted(names), statuses) == (sorted(JUDGES), {"ok": 311 * 28 - 84, "missing": 84})


def test_the_store_verifies_and_the_labels_can_be_compared_but_nobody_is_given_the_items(
    store: Store,
) -> None:
    bring(store, PART)
    with store.reading() as connection:
        assert verify.verify(connection).problems == []
        study = studies.find(connection, "align")
        assert study is not None
        ids = units.ids(connection, study.id)
        assert len(ids) == 311
        talks = conversations.ids(connection, study.id)
        assert conversations.find_without_words(connection, talks) == set(talks)
        assert not any(units.transcript(connection, units.get(connection, i)) for i in ids)
        assert (
            connection.execute(
                select(func.count()).select_from(schema.unit).where(units.readable(schema.unit.c.id))
            ).scalar()
            == 0
        )
        assert units.transcript(connection, units.get(connection, ids[0])) is None
        assert len(agreement_labels.human_labels(connection, study.id, "unknown")) == 311 * 7 - 648
        assert (
            len(
                agreement_labels.judge_labels(
                    connection, study.id, judgements.judges(connection, study.id)[0].id
                )
            )
            > 311 * 6
        )


def test_a_dry_run_says_the_same_and_keeps_nothing(store: Store, row_counts: Counts) -> None:
    before = row_counts()
    dry = bring(store, PART, dry_run=True)
    assert row_counts() == before
    real = bring(store, PART)
    assert (dry.lines(), dry.added) == (real.lines(), real.added)
    assert dry.summary().startswith("Would add") and real.summary().startswith("Added")


def test_the_same_table_again_adds_nothing(store: Store, row_counts: Counts) -> None:
    bring(store, PART)
    before = row_counts()
    again = importing.import_wide_table(store, "align", PART, "tests", WIDE)
    assert row_counts() == before
    assert again.already == {"conversations": 311, "ratings": 311 * 7 - 648, "judgements": 311 * 28}


def test_ten_thousand_labels_take_seconds(store: Store) -> None:
    began = time.perf_counter()
    bring(store, PART)
    assert time.perf_counter() - began < 10


HEADER = "item,human_Empathy,gpt_Empathy"


def small_table(write: Callable[..., Path], *rows: str, header: str = HEADER) -> Path:
    return write("\n".join([header, *rows]) + "\n", "labels.csv")


ONE = WideTableOptions(("human",), ("gpt",), (), "blind", "a protocol")


@pytest.mark.parametrize(
    ("wide", "header", "sentence"),
    [
        (
            WideTableOptions(("human",), (), (), "blind", "p"),
            HEADER,
            "line 1: the columns of 'gpt' hold labels: say whether this is a person or a judge",
        ),
        (
            WideTableOptions((), (), ()),
            HEADER,
            "line 1: the columns of 'human' hold labels: say whether this is a person or a judge",
        ),
        (
            WideTableOptions(("human",), ("gpt", "o4"), (), "blind", "p"),
            HEADER,
            "line 1: no column holds labels of 'o4'; expected a name such as 'o4_Guidance'",
        ),
        (
            WideTableOptions(("human", "gpt"), ("gpt",), (), "blind", "p"),
            HEADER,
            "'gpt' is named both as a person and as a judge",
        ),
        (
            WideTableOptions(("human",), ("gpt",), ()),
            HEADER,
            "say what these people had seen of the judges (blind, judge_visible, unknown), and how you know",
        ),
        (
            WideTableOptions(("human",), ("gpt",), (), "blind", " "),
            HEADER,
            "say what these people had seen of the judges (blind, judge_visible, unknown), and how you know",
        ),
        (
            WideTableOptions(("human",), ("gpt",), ("id",), "blind", "p"),
            HEADER,
            "line 1: there is no column 'id'",
        ),
        (ONE, "human_Empathy,gpt_Empathy", "line 1: no column names the item"),
        (
            WideTableOptions(),
            "item,score",
            "line 1: no column is named after a person or judge and a criterion of MentalAlign, seven attributes of a "
            "response, such as 'human_Guidance'",
        ),
    ],
)
def test_columns_that_cannot_be_told_are_refused(
    store: Store,
    write: Callable[..., Path],
    row_counts: Counts,
    wide: WideTableOptions,
    header: str,
    sentence: str,
) -> None:
    before = row_counts()
    with pytest.raises(ImportRefused) as caught:
        bring(store, small_table(write, ",".join("4" * (header.count(",") + 1)), header=header), wide)
    assert sentence in [
        line.removeprefix("labels.csv, ").removeprefix("labels.csv: ") for line in caught.value.report.lines()
    ]
    assert row_counts() == before


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            ["a,4,4", "a,4,4"],
            "line 3: the item 'a' is already on line 2. If each person has rows, say which "
            "column names the person, in a terminal with --rater-column; otherwise say which columns name an "
            "item",
        ),
        (
            ["a,4,4", " ,4,4"],
            "line 3: item must name the item: none may be empty, and together at most 200 characters",
        ),
        (["a,4,4,4"], "line 2: this row has more cells than the header has names"),
        ([], "line 1: the table has no rows"),
    ],
)
def test_rows_that_cannot_be_placed_are_refused_and_nothing_is_half_done(
    store: Store, write: Callable[..., Path], row_counts: Counts, rows: list[str], said: str
) -> None:
    before = row_counts()
    with pytest.raises(ImportRefused) as caught:
        bring(store, small_table(write, *rows), ONE)
    assert f"labels.csv, {said}" in caught.value.report.lines()
    assert row_counts() == before


def test_odd_cells_are_listed_short_and_names_of_levels_are_labels(
    store: Store, write: Callable[..., Path]
) -> None:
    report = bring(store, small_table(write, "a,Very Poor,5.0", f"b,4.5,{'x' * 99}", "c, 3 ,nan", "d,,"), ONE)
    assert report.lines()[1:] == [
        "labels.csv, line 3: human_Empathy: '4.5'. Expected one of 1, 2, 3, 4, 5; left out",
        f"labels.csv, line 3: gpt_Empathy: '{'x' * 30}…'. Expected one of 1, 2, 3, 4, 5; kept as a failure "
        "of the judge",
        "labels.csv, line 4: gpt_Empathy: 'nan'. Expected one of 1, 2, 3, 4, 5; kept as a failure of the "
        "judge",
        "labels.csv, line 5: human_Empathy: empty. Expected one of 1, 2, 3, 4, 5; left out",
        "labels.csv, line 5: gpt_Empathy: empty. Expected one of 1, 2, 3, 4, 5; kept as a failure of the "
        "judge",
    ]
    assert report.added == {
        "conversations": 4,
        "ratings": 2,
        "judgements": 1,
        "failed judge calls": 3,
    }
    with store.reading() as connection:
        assert dict(
            connection.execute(
                select(schema.judgement.c.status, func.count()).group_by(schema.judgement.c.status)
            ).all()
        ) == {"ok": 1, "invalid": 2, "missing": 1}


def test_a_column_of_somebody_that_names_no_criterion_is_told_and_names_no_item(
    store: Store, write: Callable[..., Path]
) -> None:
    report = bring(store, small_table(write, "a,4,4,well done", header=f"{HEADER},human_comment"), ONE)
    assert any("the column 'human_comment' names no criterion" in line for line in report.lines())
    with store.reading() as connection:
        assert connection.execute(select(schema.conversation.c.key)).scalars().all() == ["a"]


def test_some_columns_name_the_item_and_the_others_are_facts_of_it(
    store: Store, write: Callable[..., Path]
) -> None:
    bring(
        store,
        small_table(write, "a,x,4,4", "b,x,4,4", header="item,source,human_Empathy,gpt_Empathy"),
        WideTableOptions(("Human",), ("GPT",), ("item",), "blind", "p"),
    )
    with store.reading() as connection:
        assert connection.execute(select(schema.conversation.c.key)).scalars().all() == ["a", "b"]
        facts = select(schema.content.c.text).join(
            schema.conversation, schema.conversation.c.facts_content == schema.content.c.id
        )
        assert connection.execute(facts).scalars().first() == '{"item": "a", "source": "x"}'


SMALL = WideTableOptions(("Dr. Paper",), ("Judge C",), (), "blind", "a protocol")


def into_small(small: Small, path: Path) -> ImportReport:
    return importing.import_wide_table(small.store, "small", path, "tests", SMALL)


def test_in_a_study_with_conversations_labels_are_added_to_them(
    small: Small, write: Callable[..., Path]
) -> None:
    report = into_small(
        small, small_table(write, "c2,NO,YES", "c3,,no", header="conversation,Dr. Paper_warm,Judge C_warm")
    )
    assert report.added == {"ratings": 1, "judgements": 2}


def test_in_a_study_with_conversations_an_unknown_item_is_refused(
    small: Small, write: Callable[..., Path]
) -> None:
    with pytest.raises(ImportRefused) as caught:
        into_small(
            small,
            small_table(write, "c2,NO,YES", "c99,NO,NO", header="conversation,Dr. Paper_warm,Judge C_warm"),
        )
    assert caught.value.report.lines() == [
        "labels.csv, line 3: the study has no conversation 'c99'; import the conversations first, or say "
        "which columns name them"
    ]


def test_a_rubric_that_needs_turns_or_replies_needs_conversations(
    store: Store, write: Callable[..., Path]
) -> None:
    table = small_table(write, "a,YES", header="item,human_CQ1")
    with pytest.raises(ImportRefused) as caught:
        bring(
            store,
            table,
            WideTableOptions(("human",), (), (), "blind", "p"),
            new_study(instrument="coaching_rubric"),
        )
    assert "depends on the number of turns" in caught.value.report.lines()[0]


def test_words_are_not_added_to_items_that_came_without(store: Store, write: Callable[..., Path]) -> None:
    bring(store, small_table(write, "a,4,4"), ONE)
    talks = write('{"id": "a", "turns": [{"user": "u", "assistant": "v"}]}\n', "talks.jsonl")
    with pytest.raises(ImportRefused) as caught:
        importing.import_conversations(store, "align", talks, "tests")
    assert "without its text" in caught.value.report.lines()[0]
