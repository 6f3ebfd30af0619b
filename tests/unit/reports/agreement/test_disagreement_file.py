"""Where people differ, or a judge differs from them, as a file."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.labels import disagreements
from data.store.errors import Refused
from reports.agreement.disagreement_file import write_disagreements
from tests.studies.disputed_small import NOTE, dispute
from tests.studies.small_study import REASONED, Small


@pytest.fixture
def disputed(make_study: Callable[..., Small]) -> Small:
    return dispute(make_study)


def rows_of(small: Small, path: Path, words: bool) -> list[dict[str, Any]]:
    with small.store.reading() as connection:
        written = write_disagreements(connection, small.study, path, words)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == written
    return rows


def test_each_disagreement_has_its_labels_and_no_words(disputed: Small, tmp_path: Path) -> None:
    first, second = rows_of(disputed, tmp_path / "all.jsonl", words=False)
    ann, ben = disputed.codes[:2]
    names = {ann: "Ann", ben: "Ben"}
    assert (first["conversation"], first["criterion"], first["between"]) == ("c2", "warm", "human_human")
    assert {names[each["giver"]]: each["label"] for each in first["people"]} == {"Ann": "NO", "Ben": "YES"}
    assert (first["settled_label"], first["settled_cause"]) == ("NO", "confirmed")
    assert (second["conversation"], second["criterion"], second["between"]) == ("c3", "safe", "human_judge")
    assert [each["label"] for each in second["people"]] == ["NO", "NO"]  # what Ann said blind
    assert [(each["giver"], each["label"]) for each in second["judges"]] == [
        ("Judge A", "YES"),
        ("Judge B", "YES"),
    ]
    assert second["settled_label"] is None
    text = (tmp_path / "all.jsonl").read_text()
    assert not [words for words in ("cold", REASONED, "right", "Ann", "Ben", "a very") if words in text]


def test_words_are_told_where_they_are_asked_for(disputed: Small, tmp_path: Path) -> None:
    first, second = rows_of(disputed, tmp_path / "all.jsonl", words=True)
    ann = next(each for each in first["people"] if each["label"] == "NO")
    assert (ann["note"], ann["marked"]) == (NOTE, "turn 1: “a very”")
    assert first["settled_reason"] == "it is cold"
    assert second["judges"][0]["reason"] == f"{REASONED} 3 safe"


def test_words_are_no_markdown(disputed: Small, tmp_path: Path) -> None:
    path = tmp_path / "all.md"
    with disputed.store.reading() as connection:
        assert write_disagreements(connection, disputed.study, path, words=True) == 2
    text = path.read_text(encoding="utf-8")
    assert r"  - cold \!\[x\](https\://example\.org/a\.png) \<b\> # and loud" in text.splitlines()
    assert "- Settled: **NO**, as the clinicians saw it\n  - it is cold" in text
    assert "## c3: safe\n\nThe judge differs from the clinicians.\n" in text


def test_all_that_differ_are_those_of_each_unit(disputed: Small) -> None:
    with disputed.store.reading() as connection:
        found = disagreements.find_all(connection, disputed.study)
        single = {
            (unit.id, criterion): queue
            for unit in (disputed.desk().unit(position) for position in range(1, 5))
            for criterion, queue in disagreements.differ(connection, disputed.study, unit).items()
        }
    assert found == single and len(found) == 2


def test_another_ending_is_refused(disputed: Small, tmp_path: Path) -> None:
    with disputed.store.reading() as connection, pytest.raises(Refused) as caught:
        write_disagreements(connection, disputed.study, tmp_path / "all.txt", words=False)
    assert caught.value.reason == "table_of_unknown_kind"
    assert not list(tmp_path.glob("all*"))
