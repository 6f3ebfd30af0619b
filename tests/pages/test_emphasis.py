"""Bold and italic in text from outside: the same asterisks mean it as on the rating page, and nothing else."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.widgets import emphasis, untrusted_text
from tests.javascript.node import FOLDER

TEXTS = json.loads((Path(FOLDER) / "emphasis_texts.json").read_text("utf-8"))


def seen(text: str) -> str:
    """As the script's tests write it: <b> and <i>, everything else as it stands."""
    shown = emphasis.html_of(text)
    for tag, short in (("strong", "b"), ("em", "i")):
        shown = shown.replace(f"<{tag}>", f"\0{short}\1").replace(f"</{tag}>", f"\0/{short}\1")
    assert not re.search("[<>]", shown)
    plain = shown.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", '"').replace("&#x27;", "'")
    return plain.replace("&amp;", "&").replace("\0", "<").replace("\1", ">")


@pytest.mark.parametrize(("text", "shown"), TEXTS)
def test_the_same_texts_look_as_on_the_rating_page(text: str, shown: str) -> None:
    assert seen(text) == shown


@given(st.text(alphabet="*ab <>&\"'\né(", max_size=40))
def test_no_character_but_asterisks_is_lost_and_no_markup_gets_through(text: str) -> None:
    html = re.sub("</?(strong|em)>", "", emphasis.html_of(text))
    assert html.replace("*", "") == escape(text).replace("*", "")


def test_words_and_quotations_of_a_judge_are_drawn_so() -> None:
    statement = untrusted_text.Statement("The judge", "Yes", "", ["**Names** it <b>"], ["turn 1: “*sighs*”"])
    assert "<strong>Names</strong> it &lt;b&gt;</p>" in statement.html()
    assert "“<em>sighs</em>”</blockquote>" in statement.html()
