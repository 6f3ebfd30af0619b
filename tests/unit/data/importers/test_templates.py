"""The spreadsheets to fill in come in as their proposals say, for every rubric that ships."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from configs.settings import Settings
from data import schema
from data.importers.file_import import import_file
from data.importers.mapping import templates
from data.importers.mapping.meanings import RubricWords
from data.importers.mapping.proposal import propose_mapping
from data.importers.mapping.questions import open_questions
from data.importers.mapping.table_sample import read_table_sample
from data.importers.new_study import NewStudy
from data.importers.recognition import recognise
from data.importers.registry import importers
from data.record.studies import StudySpec
from data.store.store import Store
from scoring.instruments import load_instrument, parse_taxonomy

SETTINGS = Settings.read({})
TAXONOMY = "dream_text_8"
STATED = {"exposure": "blind", "source": "the protocol"}


@pytest.mark.parametrize("key", sorted(path.stem for path in SETTINGS.instruments.glob("*.yaml")))
def test_the_three_make_up_a_study(store: Store, tmp_path: Path, key: str) -> None:
    instrument = load_instrument(SETTINGS.instruments / f"{key}.yaml")[0]
    text = (SETTINGS.taxonomies / f"{TAXONOMY}.yaml").read_text(encoding="utf-8")
    taxonomy = parse_taxonomy(text) if instrument.criteria_from else None
    rubric = RubricWords.of(instrument, taxonomy)
    new = NewStudy(
        StudySpec("s", "S", 0),
        key,
        TAXONOMY if taxonomy else None,
        (),
        SETTINGS.instruments,
        SETTINGS.taxonomies,
    )
    (importer,) = (each for each in importers() if each.name == "file")
    for name, make in (
        ("conversations", templates.conversations_template),
        ("people", templates.people_template),
        ("judge", templates.judge_template),
    ):
        path = tmp_path / f"{name}.xlsx"
        path.write_bytes(make(instrument, taxonomy))
        assert recognise(path).importer is not None, "the page knows what it is"
        sample = read_table_sample(path)
        assert len(sample.rows) == 2
        mapping = propose_mapping(sample, rubric)
        assert open_questions(mapping, sample, rubric) == []
        assert "ignored" not in {column.role for column in mapping.columns.values()}
        answers = {**STATED, "mapping": mapping, "new_study": new if name == "conversations" else None}
        report = import_file(store, "s", path, "t", importer, answers)
        assert report.problems == []
    criteria = len(rubric.criteria) if taxonomy is None else templates.DECLARED_STRATEGIES

    for table, number in ((schema.rating, 2 * criteria), (schema.judgement, min(2, criteria))):
        labels = select(func.count()).where(table.c.label.is_not(None))
        with store.reading() as connection:
            assert connection.execute(labels).scalar_one() == number
