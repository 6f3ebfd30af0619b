"""A real spaCy pipeline, made here and read from a folder, and every way in which one cannot be used."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from scoring.models.entities import SpacyRecogniser
from scoring.models.model_settings import Entities, EntitiesEntry, ModelMissing, entities, files_hash
from tests.models.tiny_pipeline import make_pipeline


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_pipeline(tmp_path / "pipeline")


def entry(folder: Path, **more: str) -> EntitiesEntry:
    return EntitiesEntry(name="tiny", folder=str(folder), **more)


def test_it_finds_entities_in_the_words_of_the_text(folder: Path) -> None:
    recogniser = SpacyRecogniser(entry(folder))
    assert recogniser.entities("He takes Sertraline, and his father has dementia.") == [
        "Sertraline",
        "dementia",
    ]
    assert recogniser.entities("") == recogniser.entities("nothing \ud83d here") == []


def test_its_label_names_version_files_and_library(folder: Path) -> None:
    recogniser = SpacyRecogniser(entry(folder))
    digest = files_hash(folder)
    assert recogniser.label == f"tiny 1.2.3, files {digest[:12]}, spaCy 3.8.18"
    assert SpacyRecogniser(entry(folder, sha256=digest)).label == recogniser.label


def test_another_pattern_is_another_model(folder: Path, tmp_path: Path) -> None:
    other = make_pipeline(tmp_path / "other", ("aspirin",))
    assert SpacyRecogniser(entry(other)).label != SpacyRecogniser(entry(folder)).label
    with pytest.raises(ModelMissing, match=r"configs/entities\.yaml: expected sha256"):
        SpacyRecogniser(entry(other, sha256=files_hash(folder)))


def test_a_name_and_what_python_compiles_are_part_of_the_hash_and_no_part(folder: Path) -> None:
    before = files_hash(folder)
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "x.pyc").write_bytes(b"x")
    assert files_hash(folder) == before
    (folder / "meta.json").rename(folder / "meta2.json")
    assert files_hash(folder) != before


def test_none_is_configured_and_that_is_said() -> None:
    with pytest.raises(ModelMissing, match=r"name the folder in configs/entities\.yaml"):
        entities().entry()
    assert Entities(model=EntitiesEntry(name="tiny", folder="/x")).entry().name == "tiny"


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"There is no folder .*nowhere with the model tiny"):
        SpacyRecogniser(entry(tmp_path / "nowhere"))


def test_a_folder_that_spacy_cannot_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "config.cfg").write_text("[nlp]\nlang = 5")
    with pytest.raises(ModelMissing, match=r"cannot be loaded by spaCy 3\.8\.18"):
        SpacyRecogniser(entry(tmp_path))


def test_a_pipeline_that_recognises_nothing_is_refused(tmp_path: Path) -> None:
    import spacy

    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    pipeline.to_disk(tmp_path / "sentences")
    with pytest.raises(ModelMissing, match="recognises no entities"):
        SpacyRecogniser(entry(tmp_path / "sentences"))


def test_without_the_library_it_says_how_to_get_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(ModelMissing, match=r"pip install spacy==3\.8\.18"):
        SpacyRecogniser(entry(folder))


@pytest.mark.parametrize("package", ["no_such_package.inside", "no_such_package", ""])
def test_a_package_that_is_not_there_is_said(package: str) -> None:
    with pytest.raises(ModelMissing, match="is not installed"):
        EntitiesEntry(name="x", package=package).path()
