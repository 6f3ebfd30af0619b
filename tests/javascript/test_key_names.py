"""Every script of the pages asks one place what a key is called, so that no layout is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.javascript.node import WIDGETS

# What an event says itself, but for names that are the same everywhere ("Enter").
OWN_WORDS = re.compile(r'\b(?:event|e)\.(?:key\b(?! [!=]== "(?:[A-Z]\w+| )")|code\b|keyCode\b|which\b)')
SCRIPTS = sorted(WIDGETS.glob("*/*.js"))


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_script_asks_what_a_key_is_called(path: Path) -> None:
    assert OWN_WORDS.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "line",
    [
        'if (event.key === "y") go();',
        "const key = event.key.toLowerCase();",
        "STEPS[event.key]",
        "event.code",
    ],
)
def test_a_script_that_asks_the_event_is_noticed(line: str) -> None:
    assert OWN_WORDS.search(line)


def test_the_names_of_other_keys_are_the_same_on_every_layout() -> None:
    assert not OWN_WORDS.search('if (event.key === "Enter" || event.key !== "Escape") return;')
