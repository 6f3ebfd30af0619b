"""The Judges page says whether a judge favours its own family of models, to a study lead alone."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from configs.settings import ROOT
from data import judgements, studies
from data.importers.study_folder import NewStudy
from data.judgements import JudgeIdentity
from data.store import Store
from data.studies import StudySpec
from data.work import set_aside
from reports.document import Paragraph, Table
from reports.judges.self_preference import TITLE, self_preference
from reports.kinds import KINDS, ReportChoices
from tests import importing
from tests.pages import conftest

KEY = "families"
MODELS = ("gemini-3-pro", "gpt-5", "a-model-of-our-own")
CRITERIA = ("CQ1", "CQ3", "CQ8")


def bring(
    store: Store, folder: Path, prefers: bool, each: int = 40, models: tuple[str, ...] = MODELS
) -> None:
    """Conversations of each model. Of every second one clinicians say NO, and one of five of their labels
    differs; the judge says what the first clinician says, and YES for Google's where it is asked to.
    """

    def write(name: str, rows: Sequence[Mapping[str, object]]) -> Path:
        path = folder / name
        path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        return path

    talks, ratings, verdicts = [], [], []
    for model in models:
        for number in range(each):
            key = f"{model}/{number}"
            talks.append({"id": key, "model": model, "turns": [{"user": "Hello", "assistant": "Yes?"}]})
            for place, criterion in enumerate(CRITERIA):
                fails = (number + place) % 2 == 0
                slips = (7 * number + 3 * place) % 5 == 0
                for rater, label in (("Dr A", fails), ("Dr B", fails != slips)):
                    ratings.append(
                        {
                            "conversation_id": key,
                            "rater": rater,
                            "criterion": criterion,
                            "label": "NO" if label else "YES",
                        }
                    )
                turned = prefers and model.startswith("gemini") and number % 3 == 0
                seen = fails if (11 * number + place) % 6 else not fails
                verdicts.append(
                    {
                        "conversation_id": key,
                        "criterion": criterion,
                        "label": "NO" if seen and not turned else "YES",
                    }
                )
    new = NewStudy(
        StudySpec(KEY, "Families", 0, review="open"),
        "coaching_rubric",
        None,
        ("Ann",),
        ROOT / "instruments",
        ROOT / "taxonomies",
    )
    importing.import_conversations(store, KEY, write("talks.jsonl", talks), "tests", new=new)
    importing.import_ratings(store, KEY, write("r.jsonl", ratings), "tests", "blind", "a protocol")
    judge = JudgeIdentity("Judge G", "gemini", "gemini-3.8-flash")
    importing.import_judgements(store, KEY, write("j.jsonl", verdicts), "tests", judge)


def blocks(store: Store) -> list[object]:
    with store.reading() as connection:
        study = studies.get_by_key(connection, KEY)
        (judge,) = judgements.judges(connection, study.id)
        return list(self_preference(connection, study, judge))


def test_a_lead_reads_it_and_a_rater_does_not(
    app: Callable[..., AppTest], store: Store, tmp_path: Path, rater_id: Callable[[str, str], int]
) -> None:
    bring(store, tmp_path, prefers=True)
    lead = html.unescape(conftest.text_of(app("judges", study=KEY, reader="lead"))).replace("\\", "")
    assert (
        TITLE in lead and "it labels replies of its own family (Google) higher than those of OpenAI" in lead
    )
    rater = conftest.text_of(app("judges", study=KEY, reader=str(rater_id(KEY, "Ann"))))
    assert "Judge G" in rater and "Do clinicians agree with it?" in rater
    assert TITLE not in rater and "OpenAI" not in rater and "gpt-5" not in rater


def test_the_files_say_what_the_page_says_with_its_numbers(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, prefers=True)
    sentence, table, note = blocks(store)
    assert isinstance(sentence, Paragraph) and isinstance(table, Table) and isinstance(note, Paragraph)
    assert "by +12 of 100 labels (+1 to +22)" in sentence.text and "p 0.028" in sentence.text
    assert table.rows[0][0] == "All criteria" and len(table.rows) == 4
    assert table.rows[0][1:3] == ("40", "40")
    assert (
        "Google (its own) in 40 conversations, OpenAI in 40 conversations; others are left out" in note.text
    )
    with store.reading() as connection:
        files = KINDS["judges"].write_files(connection, studies.get_by_key(connection, KEY), ReportChoices())
    (name,) = [name for name in files if "self_preference" in name]
    assert "All criteria" in files[name].decode() and sentence.text in files["report.json"].decode()


def test_without_a_preference_none_is_named(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, prefers=False)
    sentence = blocks(store)[0]
    assert isinstance(sentence, Paragraph)
    assert sentence.text.startswith("No preference for its own family (Google) is shown")


def test_labels_of_raters_who_are_set_aside_do_not_count(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, prefers=True)
    with store.writing("Dr Lee", "set aside", 1) as (connection, entry):
        study = studies.get_by_key(connection, KEY)
        for rater in studies.raters(connection, study.id):
            set_aside.set_rater_aside(connection, entry, study, rater.id, "Dr Lee", "in training until May")
    (sentence,) = blocks(store)
    assert isinstance(sentence, Paragraph) and sentence.text.startswith("Cannot be told: no label of this")


@pytest.mark.parametrize(
    ("models", "each", "says"),
    [
        (
            ("gemini-3-pro",),
            12,
            "Cannot be told: all replies whose model is known are of its own family (Google)",
        ),
        (("gemini-3-pro", "gpt-5"), 9, "only 9 of at least 10 conversations or persons"),
        (("gpt-5", "claude-5"), 12, None),
        (("a-model-of-our-own",), 12, None),
    ],
)
def test_where_it_cannot_be_told_there_is_a_reason_or_nothing(
    store: Store, tmp_path: Path, models: tuple[str, ...], each: int, says: str | None
) -> None:
    bring(store, tmp_path, prefers=True, each=each, models=models)
    found = blocks(store)
    if says is None:
        assert found == []
    else:
        assert isinstance(found[0], Paragraph) and says in found[0].text
