"""Anchors from a study folder, and the sample study that has them: made again with the same bytes, and dated
as its files say.
"""

from __future__ import annotations

import runpy
import shutil
from datetime import date
from pathlib import Path

import pytest

from configs.settings import Settings
from data.importers.report import ImportRefused
from data.importers.study_folder import add_study
from data.labels import event_dates
from data.record import anchors, judgements, studies
from data.record.studies import Study
from data.store.store import Store
from runs.sample_studies import SAMPLES
from scoring.drift.anchor_answers import split_into_rounds
from scoring.drift.periods import EPOCH

FOLDER = SAMPLES / "judge_change"
ROUNDS = [
    date(2026, 2, 4),
    date(2026, 3, 4),
    date(2026, 3, 18),
    date(2026, 4, 1),
    date(2026, 4, 22),
    date(2026, 5, 6),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the study's files that may be changed."""
    return Path(shutil.copytree(FOLDER, tmp_path / "judge_change"))


def add(store: Store, folder: Path) -> Study:
    settings = Settings.read({})
    assert add_study(store, folder, settings.instruments, settings.taxonomies, "tests") is not None
    with store.reading() as connection:
        study = studies.find(connection, "judge_change")
    assert study is not None
    return study


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_script_makes_the_same_bytes_again(tmp_path: Path) -> None:
    runpy.run_path(str(FOLDER / "make.py"))["make"](tmp_path)
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == [
        "anchor_rounds.csv",
        "anchors.csv",
        "conversations.jsonl",
        "judgements.csv",
        "ratings.csv",
    ]
    for name in files:
        assert (tmp_path / name).read_bytes() == (FOLDER / name).read_bytes(), name


def test_it_says_that_it_is_made_up_wherever_it_shows(store: Store, folder: Path) -> None:
    study = add(store, folder)
    assert all(
        "made up by a script" in said.lower() for said in (study.title, study.description, study.provenance)
    )
    with store.reading() as connection:
        names = [judge.name for judge in judgements.judges(connection, study.id)]
        names += [rater.name for rater in studies.raters(connection, study.id) if rater.kind == "imported"]
    assert all(name.startswith("Made-up") for name in names)


def test_anchors_and_rounds_keep_the_moments_of_their_files(store: Store, folder: Path) -> None:
    study = add(store, folder)
    with store.reading() as connection:
        frozen = anchors.newest(connection, study.id)
        (judge,) = judgements.judges(connection, study.id)
        assert frozen is not None and (frozen.number, len(frozen.labels), frozen.at) == (
            1,
            70,
            "2026-02-02T09:00:00.000+00:00",
        )
        answered = split_into_rounds(anchors.answers(connection, frozen, judge.id))
        dates = event_dates.read_event_dates(connection, study.id, [judge.id])
    assert [anchor_round.number for anchor_round in answered] == [0, 1, 2, 3, 4, 5, 6] and all(
        anchor_round.labels == 70 and not anchor_round.thin for anchor_round in answered[1:]
    )
    assert [anchor_round.days for anchor_round in answered[1:]] == [
        ((day - EPOCH).days, (day - EPOCH).days) for day in ROUNDS
    ]
    assert len(dates.rated[2]) == 324 and len(dates.judged[1]) == 162 and dates.held_by == "held_at"
    assert (min(dates.rated[2].tolist()), max(dates.rated[2].tolist())) == (
        (date(2026, 1, 6) - EPOCH).days,
        (date(2026, 5, 8) - EPOCH).days,
    )


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        (
            "anchors.csv",
            "made-up-001,listens,5",
            "made-up-001,listens,4",
            "listens is settled as '5', and the file says '4'",
        ),
        (
            "anchors.csv",
            "made-up-001,listens,5",
            "made-up-003,listens,5",
            "listens is not settled in this study",
        ),
        ("anchors.csv", "made-up-001,listens,5", "nobody,listens,5", "nobody"),
        (
            "study.yaml",
            "2026-02-02T09:00:00+00:00",
            "some day",
            "'some day' is not a date or time such as 2026-03-01",
        ),
    ],
)
def test_what_is_no_anchor_is_refused_with_its_line_and_nothing_is_kept(
    store: Store, folder: Path, file: str, old: str, new: str, words: str
) -> None:
    change(folder / file, old, new)
    with pytest.raises(ImportRefused) as refused:
        add(store, folder)
    assert any(words in line and "anchors.csv" in line for line in refused.value.report.lines())
    with store.reading() as connection:
        assert studies.find(connection, "judge_change") is None


def test_a_set_without_a_moment_is_frozen_when_it_is_imported(store: Store, folder: Path) -> None:
    change(folder / "study.yaml", ', frozen: "2026-02-02T09:00:00+00:00"', "")
    study = add(store, folder)
    with store.reading() as connection:
        frozen = anchors.newest(connection, study.id)
        assert frozen is not None
        assert (
            connection.exec_driver_sql("SELECT at FROM trail WHERE seq = ?", (frozen.trail,)).scalar()
            == frozen.at
        )
