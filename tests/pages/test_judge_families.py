"""The Judges page says whether a judge favours its own family of models, to a study lead alone."""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from configs.settings import ROOT
from data.importers.new_study import NewStudy
from data.record import judgements, set_aside, studies
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.store.store import Store
from reports.document import Paragraph
from reports.judges.self_preference import TITLE, self_preference
from reports.kinds import KINDS, ReportChoices
from tests.pages import conftest
from tests.studies import importing

KEY = "families"
MODELS = ("gemini-3-pro", "gpt-5", "a-model-of-our-own")
CRITERIA = ("CQ1", "CQ3", "CQ8")


def bring(
    store: Store,
    folder: Path,
    prefers: bool,
    each: int = 40,
    models: tuple[str, ...] = MODELS,
    shared: bool = True,
) -> None:
    """Conversations of each model, about the same cases where `shared`. Of every second one clinicians say NO, and one of five of their labels
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
            talks.append(
                {
                    "id": key,
                    "model": model,
                    "Case": f"{'' if shared else model}{number}",
                    "turns": [{"user": f"Hello, {key}", "assistant": "Yes?"}],
                }
            )
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


def sentence(store: Store) -> str:
    (paragraph,) = blocks(store)
    return paragraph.text


def blocks(store: Store) -> list[Paragraph]:
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
        TITLE in lead
        and ("it labels replies from its own model family (Google) higher than replies from") in lead
    )
    rater = conftest.text_of(app("judges", study=KEY, reader=str(rater_id(KEY, "Ann"))))
    assert "Judge G" in rater and "Do clinicians agree with it?" in rater
    assert TITLE not in rater and "OpenAI" not in rater and "gpt-5" not in rater


def test_the_files_say_what_the_page_says(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, prefers=True)
    text = sentence(store)
    assert text.startswith(
        "Compared with clinicians, it labels replies from its own model family (Google) higher"
    )
    assert "by +12 of 100 points (+7 to +17), within 40 cases that both answered." in text
    with store.reading() as connection:
        files = KINDS["judges"].write_files(connection, studies.get_by_key(connection, KEY), ReportChoices())
    sections = {section["title"]: section for section in json.loads(files["report.json"])["sections"]}
    [block] = next(section["blocks"] for title, section in sections.items() if title.endswith(TITLE))
    assert block["text"] == text


def test_without_a_preference_none_is_named(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, prefers=False)
    assert sentence(store).startswith("It is not shown to favour its own model family")


def test_labels_of_raters_who_are_set_aside_do_not_count(store: Store, tmp_path: Path) -> None:
    bring(store, tmp_path, prefers=True)
    with store.writing("Dr Lee", "set aside", 1) as (connection, entry):
        study = studies.get_by_key(connection, KEY)
        for rater in studies.raters(connection, study.id):
            set_aside.set_rater_aside(connection, entry, study, rater.id, "Dr Lee", "in training until May")
    assert "can't be estimated: no label of this judge" in sentence(store)


@pytest.mark.parametrize(
    ("models", "each", "shared", "says"),
    [
        (("gemini-3-pro",), 12, True, "all replies whose model is known are from Google"),
        (("gemini-3-pro", "gpt-5"), 9, True, "only 9 of at least 10 cases"),
        (("gemini-3-pro", "gpt-5"), 40, False, "the model families had different cases"),
        (("gpt-5", "claude-5"), 12, True, None),
        (("a-model-of-our-own",), 12, True, None),
    ],
)
def test_where_it_cannot_be_told_there_is_a_reason_or_nothing(
    store: Store, tmp_path: Path, models: tuple[str, ...], each: int, shared: bool, says: str | None
) -> None:
    bring(store, tmp_path, prefers=True, each=each, models=models, shared=shared)
    if says is None:
        assert blocks(store) == []
    else:
        assert says in sentence(store)
