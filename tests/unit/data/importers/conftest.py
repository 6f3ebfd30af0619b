"""Files to import, and imports into the small study."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from data.importers.report import ImportRefused, ImportReport
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.store import Store, open_store
from tests.studies import importing, tool_files
from tests.studies.small_study import Small

Bring = Callable[..., ImportReport]


def lines(*values: Any) -> str:
    """One JSON value a line."""
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values) + "\n"


def talk(key: str | int, *turns: str) -> dict[str, Any]:
    """A conversation of one exchange for each text."""
    return {"id": key, "turns": [{"user": text, "assistant": "I see."} for text in turns or ("hello",)]}


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Store]:
    """The store that receives."""
    opened = open_store(f"sqlite:///{tmp_path / 'other.sqlite'}")
    yield opened
    opened.close()


@pytest.fixture
def write(tmp_path: Path) -> Callable[..., Path]:
    """Write a file to import; text becomes UTF-8."""

    def to_file(content: str | bytes, name: str = "file.jsonl") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return to_file


@pytest.fixture
def bring_conversations(small: Small, write: Callable[..., Path]) -> Bring:
    """Import conversations from content into the small study."""
    return lambda content, name="file.jsonl", **more: importing.import_conversations(
        small.store, "small", write(content, name), "tests", **more
    )


@pytest.fixture
def bring_judgements(small: Small, write: Callable[..., Path]) -> Bring:
    """Import labels of a third judge into the small study."""
    return lambda content, name="file.jsonl", judge="Judge C", **more: importing.import_judgements(
        small.store, "small", write(content, name), "tests", JudgeIdentity(judge), **more
    )


@pytest.fixture
def bring_ratings(small: Small, write: Callable[..., Path]) -> Bring:
    """Import labels of people into the small study."""
    return lambda content, name="file.jsonl", exposure="blind", **more: importing.import_ratings(
        small.store, "small", write(content, name), "tests", exposure, "a protocol", **more
    )


@pytest.fixture
def nobody_blind(small: Small) -> Callable[[], None]:
    """From now on it is recorded of all raters of the small study that they saw its labels."""

    def open_pages() -> None:
        for number in range(len(small.raters)):
            small.desk(number).open_page()

    return open_pages


@pytest.fixture
def refused() -> Callable[..., list[str]]:
    """What the report says of an import that is refused."""

    def run(bring: Bring, *arguments: Any, **more: Any) -> list[str]:
        with pytest.raises(ImportRefused) as caught:
            bring(*arguments, **more)
        return caught.value.report.lines()

    return run


@pytest.fixture
def talked_study(store: Store) -> Study:
    """A study of the coaching rubric with the six conversations of tests/data/formats."""
    tool_files.bring(store, tool_files.FORMS / tool_files.TALKS)
    with store.reading() as connection:
        return studies.get_by_key(connection, "s")
