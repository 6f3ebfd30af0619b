"""Import: a table is explained on the page, and what the file doesn't tell is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.record import studies
from data.store.store import Store
from pages.widgets import untrusted_text
from tests.pages.conftest import text_of
from tests.pages.dropping import drop, is_checked

TRANSCRIPTS = 'case,transcript\nA-1,"Client: Hello.\nCoach: Hi."\nA-2,"Client: Again.\nCoach: Yes."\n'
WIDE = "case,Ann CQ1,Ann CQ9,robot_CQ1\nA-1,1,0,1\nA-2,0,,0\n"


def select_of(at: AppTest, start: str, ending: str = "") -> str:
    """The key of the only select box whose key begins and ends so."""
    (key,) = [
        str(box.key)
        for box in at.selectbox
        if str(box.key).startswith(start) and str(box.key).endswith(ending)
    ]
    return key


def import_transcripts(app: Callable[..., AppTest]) -> AppTest:
    """Create the study "talks", and go on to its next file."""
    at = drop(app("importing"), "talks.csv", TRANSCRIPTS)
    assert at.selectbox(key="import-kind").value == "file"
    at.selectbox(key="import-into").set_value("").run()
    at.selectbox(key="import-instrument").set_value("coaching_rubric").run()
    assert "Would add 2 conversations" in text_of(at) and "Hello." in text_of(at)
    at.button(key="import-go").click().run()
    return at.button(key="import-more").click().run()


def labels_of(store: Store, key: str) -> tuple[set[tuple[str, str, str]], set[tuple[str, str, str]]]:
    """(rater, criterion, label) and (judge, criterion, label) of a study."""
    rating, judgement = schema.rating, schema.judgement
    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
        raters = connection.execute(
            select(schema.rater.c.name, rating.c.criterion, rating.c.label)
            .join(schema.rater, schema.rater.c.id == rating.c.rater_id)
            .where(rating.c.study_id == study.id)
        )
        judges = connection.execute(
            select(schema.judge.c.name, judgement.c.criterion, judgement.c.label)
            .join(schema.judge, schema.judge.c.id == judgement.c.judge_id)
            .where(judgement.c.study_id == study.id)
        )
        return {tuple(row) for row in raters}, {tuple(row) for row in judges}


def test_a_wide_table_of_people_and_a_judge_comes_in_with_four_answers(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = drop(import_transcripts(app), "labels.csv", WIDE)
    assert at.selectbox(key="import-into").value == "talks", "the next file is of the same study"
    at.button(key="reader-lead").click().run()
    assert "Say who gave the labels" in text_of(at) and not is_checked(at)
    at.selectbox(key=select_of(at, "import-giver-", "-Ann")).set_value("person").run()
    at.selectbox(key=select_of(at, "import-giver-", "-robot")).set_value("judge").run()
    assert "an empty cell" in text_of(at), "an empty cell next to one label may be the other"
    at.selectbox(key=select_of(at, "import-meaning-", "-")).set_value("no label").run()
    assert "The first labels" in text_of(at)
    at.selectbox(key="import-exposure").set_value("blind").run()
    at.text_input(key="import-source").input("the protocol").run()
    assert "Would add 3 ratings, 2 judgements" in text_of(at)
    at.button(key="import-go").click().run()
    raters, judges = labels_of(store, "talks")
    assert raters == {("Ann", "CQ1", "YES"), ("Ann", "CQ9", "NO"), ("Ann", "CQ1", "NO")}
    assert judges == {("robot", "CQ1", "YES"), ("robot", "CQ1", "NO")}


def test_the_next_table_with_the_same_columns_is_read_alike_but_may_be_of_somebody_else(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = import_transcripts(app)
    for number, name in enumerate(("grader 7", "grader 8")):
        at = drop(at, f"{number}.csv", f"case,CQ1\nA-1,9\nA-2,{('Yes', 'No')[number]}\n")
        assert at.selectbox(key="import-into").value == "talks"
        if number == 0:
            at.button(key="reader-lead").click().run()
            at.selectbox(key=select_of(at, "import-meaning-", "-9")).set_value("NA").run()
        assert "Say who gave the labels" in text_of(at), "the file does not say it, and it may be another's"
        at.selectbox(key=select_of(at, "import-one-")).set_value("one judge").run()
        (key,) = [str(box.key) for box in at.text_input if str(box.key).startswith("import-one-name-")]
        at.text_input(key=key).input(name).run()
        assert "Say what these cells mean" not in text_of(at)
        at.button(key="import-go").click().run()
        at.button(key="import-more").click().run()
    assert labels_of(store, "talks")[1] == {
        ("grader 7", "CQ1", "NA"),
        ("grader 7", "CQ1", "YES"),
        ("grader 8", "CQ1", "NA"),
        ("grader 8", "CQ1", "NO"),
    }


def test_what_stands_in_the_file_is_shown_as_it_stands(app: Callable[..., AppTest]) -> None:
    at = drop(
        app("importing"),
        "odd.csv",
        'id,**bold** <b>x</b>,![](http://x/y.png)\nc1,*a*,"[z](http://z)"\nc2,b,d\n',
    )
    assert not at.exception and at.selectbox(key="import-kind").value == "file"
    labels = [str(box.label) for box in at.selectbox if "bold" in str(box.label)]
    assert labels and all("**bold**" not in label and "\\*\\*bold" in label for label in labels)
    assert "<b>x</b>" not in text_of(at)


@pytest.mark.parametrize("text", ["Ann (4 columns)", "n.a.", "CQ1 - open", "1", "Dr. Ann", "50%", "x!"])
def test_a_plain_label_is_read_out_as_it_stands(text: str) -> None:
    assert untrusted_text.label(text) == text


MARKED = ["*a*", "a_b_c", "![](x)", "[a](b)", "<b>", "`c`", "$x$", ":red[x]", "http://x", "www.x.y", "# a"]


@pytest.mark.parametrize("text", [*MARKED, "1. a", "- a", "~a~", "a|b", "&amp;", "a\\b", "x@y.z"])
def test_a_label_with_markup_is_escaped(text: str) -> None:
    assert untrusted_text.label(text) == untrusted_text.plain(text) != text
