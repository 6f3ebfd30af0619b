"""The assessments of several raters, exported from one store, all go into another: in any order, and again."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import pytest

from data.exporters import assessments
from data.importers.report import ImportRefused, ImportReport
from data.record import studies
from data.store.store import Store, open_store
from tests.studies import importing, small_study
from tests.studies.rater_codes import codes_of
from tests.studies.small_study import Small

SAID = {"Ann": ("YES", "NO", "YES", "NO"), "Ben": ("YES", "YES", "YES", "YES"), "Cid": ("YES", "YES")}


def said(number: int, label: str) -> dict[str, str]:
    return {"warm": label, "safe": "YES", **({"deep": label} if number > 1 else {})}


@pytest.fixture
def here(store: Store, tmp_path: Path) -> Small:
    """A study of three raters, one of whom rated half of it, as far as these raters agree in everything."""
    small = small_study.make(store, tmp_path, raters=tuple(SAID))
    for number, labels in enumerate(SAID.values()):
        for position, label in enumerate(labels, start=1):
            for criterion, given in said(position, label).items():
                small.desk(number).draft(position, criterion, given)
            small.desk(number).commit(position)
    return small


@pytest.fixture
def files(here: Small, tmp_path: Path) -> list[Path]:
    with here.store.reading() as connection:
        written = assessments.read_assessments(connection, here.study)
    names = assessments.write_folder(here.study, written, tmp_path / "out")
    return [tmp_path / "out" / name for name in names if name.startswith("rater")]


@pytest.fixture
def other_store(empty_file: Path, tmp_path: Path) -> Iterator[Store]:
    """Another store, whose study has the same key and number, so that its codes are the same."""
    path = tmp_path / "other_store.sqlite"
    shutil.copy(empty_file, path)
    opened = open_store(f"sqlite:///{path}", busy_seconds=60)
    yield opened
    opened.close()


def bring(store: Store, file: Path) -> ImportReport:
    return importing.import_ratings(store, "small", file, "tests", "blind", "the other site")


def labels_by_code(store: Store, folder: Path) -> dict[str, dict[str, dict[str, str]]]:
    """Code -> conversation -> answers, of everybody, as the export of assessments reads them."""
    with store.reading() as connection:
        study = studies.get_by_key(connection, "small")
        read = assessments.read_assessments(connection, study)
    return {
        giver.name: {
            read.units[unit_id][0]: dict(sorted(given.answers.items()))
            for unit_id, given in giver.by_unit.items()
        }
        for giver in read.givers
        if giver.kind == "rater"
    }


@pytest.mark.parametrize("order", [*permutations(range(3))], ids=str)
def test_all_raters_go_in_under_their_codes_in_any_order_and_once(
    here: Small, files: list[Path], other_store: Store, tmp_path: Path, order: tuple[int, ...]
) -> None:
    small_study.make(other_store, tmp_path, raters=())
    added = [bring(other_store, files[number]).added["ratings"] for number in order]
    assert sorted(added) == [6, 12, 12]  # with what a rule says of the conversation of one turn
    for number in order:
        again = bring(other_store, files[number])
        assert (again.added["ratings"], again.already["ratings"] > 0) == (0, True)
    assert labels_by_code(other_store, tmp_path) == labels_by_code(here.store, tmp_path)
    assert len(codes_of(other_store, "small")) == 3


def test_raters_of_the_other_store_who_have_the_same_codes_are_other_people(
    here: Small, files: list[Path], other_store: Store, tmp_path: Path
) -> None:
    small = small_study.make(other_store, tmp_path, raters=("Dora", "Eli", "Fay"))
    assert set(small.codes) == set(here.codes)
    for number in range(3):
        small.desk(number).rate(2, "NO")
    for file in [*files, *files]:
        report = bring(other_store, file)
        (notice,) = [line for line in report.lines() if "is the code of a rater" in line]
        assert (
            "but the labels differ. The labels of the file are kept under" in notice
            and "as another person" in notice
        )
    with other_store.reading() as connection:
        names = [rater.name for rater in studies.raters(connection, small.study.id)]
    assert sorted(names) == sorted(["Dora", "Eli", "Fay", *(f"{code} (from a file)" for code in here.codes)])


def test_into_its_own_study_no_rater_goes_again_also_after_a_change(here: Small, files: list[Path]) -> None:
    here.desk(0).change(2, "warm", "YES")
    before = codes_of(here.store, "small")
    for file in files:
        with pytest.raises(ImportRefused) as refused:
            bring(here.store, file)
        (problem,) = refused.value.report.problems
        assert "who gave all of these labels here, so they would count twice" in problem.message
    assert codes_of(here.store, "small") == before
