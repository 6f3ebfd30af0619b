"""Wide tables with rows of several people: who is who is asked, and ninety items of three people do not
become two hundred and seventy of one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.importers.report import ImportRefused, ImportReport
from data.importers.wide_tables import NO_COLUMN, WideTableOptions
from data.store.store import Store
from tests.studies import importing
from tests.unit.data.importers.test_wide_tables import new_study

PEOPLE = ("Ada", "Bo", "Cy")


def table(items: int = 4, column: str = "annotator", judge: str = "4") -> str:
    rows = [f"item,{column},human_Empathy,gpt_Empathy"]
    rows += [
        f"i{item},{name},{1 + (item + number) % 5},{judge}"
        for item in range(items)
        for number, name in enumerate(PEOPLE)
    ]
    return "\n".join(rows) + "\n"


def bring(store: Store, folder: Path, text: str, **more: Any) -> ImportReport:
    file = folder / "wide.csv"
    file.write_text(text)
    return importing.import_wide_table(
        store,
        "align",
        file,
        "tests",
        WideTableOptions(("human",), ("gpt",), exposure="blind", source="a protocol", **more),
        new=new_study(),
    )


def said(store: Store, folder: Path, text: str, **more: Any) -> str:
    with pytest.raises(ImportRefused) as refused:
        bring(store, folder, text, **more)
    return "\n".join(refused.value.report.lines())


@pytest.mark.parametrize(
    "column", ["annotator", "Annotator ID", "rater_name", "clinician", "reviewerId", "coder"]
)
def test_a_column_of_people_is_asked_about(store: Store, tmp_path: Path, column: str) -> None:
    answer = said(store, tmp_path, table(column=column))
    assert repr(column) in answer and "--rater-column" in answer and NO_COLUMN in answer


def test_following_an_advice_does_not_make_items_of_people(store: Store, tmp_path: Path) -> None:
    """The key that an error asked for was item and annotator: each pair an item, all by one person."""
    assert "who gave the labels" in said(store, tmp_path, table(), keys=("item", "annotator"))


def test_with_the_column_each_label_is_its_persons(store: Store, tmp_path: Path) -> None:
    report = bring(store, tmp_path, table(), rater_column="annotator")
    assert (report.added["conversations"], report.added["ratings"], report.added["judgements"]) == (4, 12, 4)
    with store.reading() as connection:
        rows = connection.execute(
            sa.select(schema.rater.c.name, sa.func.count())
            .join(schema.rating, schema.rating.c.rater_id == schema.rater.c.id)
            .group_by(schema.rater.c.name)
        ).all()
        assert {tuple(row) for row in rows} == {(name, 4) for name in PEOPLE}
        facts = " ".join(
            connection.execute(
                sa.select(schema.content.c.text).join(
                    schema.conversation, schema.conversation.c.facts_content == schema.content.c.id
                )
            ).scalars()
        )
    assert "Ada" not in facts, "who labelled is no fact of the item"


def test_where_no_column_says_it_each_row_is_an_item(store: Store, tmp_path: Path) -> None:
    text = "item,coder,human_Empathy,gpt_Empathy\ni1,python,3,4\ni2,python,2,4\n"
    assert bring(store, tmp_path, text, keys=("item",), rater_column=NO_COLUMN).added["ratings"] == 2


@pytest.mark.parametrize(
    ("text", "more", "says"),
    [
        (table(), {"rater_column": "who"}, "there is no column 'who'"),
        (
            table() + "i1,Ada,3,4\n",
            {"rater_column": "annotator"},
            "'Ada' already labels the item 'i1' on line 5",
        ),
        (table() + "i9,,3,4\n", {"rater_column": "annotator"}, "'annotator' is empty"),
        ("item,human_Empathy,gpt_Empathy\ni1,3,4\ni1,2,4\n", {}, "If each person has rows"),
    ],
)
def test_what_cannot_be_told_is_said(
    store: Store, tmp_path: Path, text: str, more: dict[str, str], says: str
) -> None:
    assert says in said(store, tmp_path, text, **more)


def test_a_judge_with_two_labels_for_an_item_is_an_error(store: Store, tmp_path: Path) -> None:
    text = "item,annotator,human_Empathy,gpt_Empathy\ni1,Ada,3,4\ni1,Bo,2,5\n"
    assert "line" in said(store, tmp_path, text, rater_column="annotator")


def test_columns_of_two_people_and_a_column_of_people_do_not_fit(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("item,annotator,human_Empathy,second_Empathy\ni1,Ada,3,4\n")
    with pytest.raises(ImportRefused) as refused:
        importing.import_wide_table(
            store,
            "align",
            file,
            "tests",
            WideTableOptions(("human", "second"), (), exposure="blind", source="x", rater_column="annotator"),
            new=new_study(),
        )
    assert "name only one person" in "\n".join(refused.value.report.lines())


@pytest.mark.parametrize("column", ["created_by", "labelled_by", "Reviewed By"])
def test_a_column_that_says_by_whom_is_asked_about(store: Store, tmp_path: Path, column: str) -> None:
    assert repr(column) in said(store, tmp_path, table(column=column))


@pytest.mark.parametrize("column", ["source", "type", "speaker"])
def test_a_column_that_says_what_an_item_is_is_not(store: Store, tmp_path: Path, column: str) -> None:
    text = f"item,{column},human_Empathy,gpt_Empathy\ni1,web,4,4\ni2,crisis,2,3\n"
    assert bring(store, tmp_path, text).added["ratings"] == 2


@pytest.mark.parametrize("who", ["gpt-4o", "LLM", "model_b"])
def test_a_model_among_the_people_of_the_rows_is_refused(store: Store, tmp_path: Path, who: str) -> None:
    answer = said(store, tmp_path, table().replace("Bo", who, 1), rater_column="annotator")
    assert f"line 3: 'annotator' says {who!r}: this row looks like a judge's" in answer


def test_a_judges_label_on_one_of_the_rows_of_an_item_is_its_answer(store: Store, tmp_path: Path) -> None:
    """Where each row is of a person, the judge's cell is often filled on the first row of an item only."""
    first, rows = (
        "item,annotator,human_Empathy,gpt_Empathy",
        ["i1,Ada,4,", "i1,Bo,3,5", "i1,Cy,3,5", "i2,Ada,2,", "i2,Bo,2,", "i2,Cy,1,"],
    )
    report = bring(store, tmp_path, "\n".join([first, *rows]) + "\n", rater_column="annotator")
    assert (report.added["ratings"], report.added["judgements"], report.added["failed judge calls"]) == (
        6,
        1,
        1,
    )
    assert any(
        "line 5: no row of 'i2' holds a label of 'gpt' for Empathy; kept as a failure of the judge" in line
        for line in report.lines()
    )
    assert not any("line 2" in line for line in report.lines())


def test_two_answers_of_a_judge_on_the_rows_of_an_item_are_an_error(store: Store, tmp_path: Path) -> None:
    text = "item,annotator,human_Empathy,gpt_Empathy\ni1,Ada,4,5\ni1,Bo,3,4\n"
    assert "has a different answer by gpt on line 2" in said(store, tmp_path, text, rater_column="annotator")


@pytest.mark.parametrize(
    ("people", "judges", "says"),
    [
        (("gpt",), (), "'gpt' is named as a person, but looks like a judge"),
        ((), ("human",), "'human' is named as a judge, but looks like people"),
    ],
)
def test_people_and_judges_that_changed_places_are_refused(
    store: Store, tmp_path: Path, people: tuple[str, ...], judges: tuple[str, ...], says: str
) -> None:
    file = tmp_path / "wide.csv"
    file.write_text("item,human_Empathy,gpt_Empathy\ni1,4,4\n")
    with pytest.raises(ImportRefused) as refused:
        importing.import_wide_table(
            store,
            "align",
            file,
            "tests",
            WideTableOptions(people, judges, exposure="blind", source="a protocol"),
            new=new_study(),
        )
    assert any(says in line for line in refused.value.report.lines())
