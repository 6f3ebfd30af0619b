"""The list of studies: a title and a sentence each, and the rest of what there is to know opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.store.store import Store
from data.work import successors
from pages.widgets.overview.verdict_dots import sight_words
from tests.studies import small_study

App = Callable[..., AppTest]


def row_of(at: AppTest, title: str) -> tuple[str, str]:
    """What stands there, and what opens."""
    (row,) = [
        element.proto.body
        for element in at.get("html")
        if f'<h2 class="sr-h3">{title}</h2>' in element.proto.body
    ]
    shown, opened = row.split("</summary>")
    return shown, opened


def test_the_first_sentence_stands_there_and_the_others_open(app: App) -> None:
    shown, opened = row_of(app("studies"), "Lend an Ear")
    assert "50 real conversations in which one person supports another.</p>" in shown
    assert "50 to rate · identities removed" in shown and "Three experts" not in shown
    assert "Three experts and three language models rated six dimensions from 1 to 5." in opened
    assert "You rate blind; the judge&#x27;s labels are shown after every 5 conversations." in opened
    assert "Zenodo 10.5281/zenodo.17230987. MIT licence" in opened
    _, of_replies = row_of(app("studies"), "Plan-output alignment, demonstration")
    assert "You rate blind; the judge&#x27;s labels are shown after each reply." in of_replies


def test_a_batch_of_one_is_each(app: App, store: Store, tmp_path: Path) -> None:
    small = small_study.make(store, tmp_path, reveal="after_batch", batch_size=1)
    assert sight_words(small.study, "after_batch").startswith(
        "You see the judge's labels after each conversation,"
    )
    assert (
        "You rate blind; the judge&#x27;s labels are shown after each conversation."
        in row_of(app("studies"), "Small study")[1]
    )


@pytest.mark.parametrize(
    ("description", "sentence"),
    [
        ("Talks of Dr. Weber, e.g. about sleep. Made up.", "Talks of Dr. Weber, e.g. about sleep."),
        ("Humans vs. Models, by Prof. Weber. More.", "Humans vs. Models, by Prof. Weber."),
        ("Is it safe? Clinicians say.", "Is it safe?"),
        ("No full stop", "No full stop"),
        ("Version 2.0 of it; see etc. and so on. More.", "Version 2.0 of it; see etc. and so on."),
        ("<b>Bold</b> talk. More.", "&lt;b&gt;Bold&lt;/b&gt; talk."),
        ("\u05e9\u05dc\u05d5\u05dd. \u05e2\u05d5\u05d3.", "\u05e9\u05dc\u05d5\u05dd."),
    ],
)
def test_a_sentence_ends_where_it_ends(
    app: App, store: Store, tmp_path: Path, description: str, sentence: str
) -> None:
    small_study.make(store, tmp_path, description=description)
    shown, opened = row_of(app("studies"), "Small study")
    assert f'<p class="sr-small">{sentence}</p>' in shown
    assert ("More." in opened) == ("More." in description)


def test_a_study_without_a_description_and_an_open_one(app: App, store: Store, tmp_path: Path) -> None:
    small_study.make(store, tmp_path, description="", review="open")
    shown, opened = row_of(app("studies"), "Small study")
    assert shown.count("<p") == 0
    assert "open review" in shown and "The judge&#x27;s labels are visible from the start." in opened


def test_no_text_of_a_study_is_markup(app: App, store: Store, tmp_path: Path) -> None:
    foreign = '<img src=x onerror="alert(1)">'
    first = small_study.make(
        store,
        tmp_path,
        title=f"First {foreign}",
        description=f"Talk {foreign} ends. More {foreign} here.",
        provenance=f"From {foreign}",
    )
    first.desk().rate(2)
    with store.writing("lead", "begin", first.study.id) as (connection, entry):
        reworded = small_study.INSTRUMENT.replace('version: "1"', 'version: "2"').replace(
            "name: Warm,", "name: Warmth,"
        )
        successors.begin(connection, entry, first.study, reworded, "next", f"Second {foreign}", "why")
    bodies = [element.proto.body for element in app("studies").get("html")]
    rows = [body for body in bodies if "onerror" in body]
    assert len(rows) == 2 and "First &lt;img" in rows[0] + rows[1] and "Second &lt;img" in rows[0] + rows[1]
    for row in rows:
        assert "<img" not in row and 'onerror="' not in row
