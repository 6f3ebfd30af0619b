"""Files of other tools: every conversation, label and name of the same study, from each tool's own form."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest
from sqlalchemy import select

from data import schema
from data.importers.file_import import import_file
from data.importers.importer import Importer
from data.importers.new_study import NewStudy
from data.importers.recognition import recognise_here
from data.importers.report import ImportReport
from data.record import studies
from data.record.studies import StudySpec
from data.store import content
from data.store.store import Store

ROOT = Path(__file__).resolve().parents[4]
FORMS = ROOT / "tests" / "data" / "formats"
CRITERIA = ("CQ1", "CQ3", "CQ8", "CQ9")
# Labels of CQ1, CQ3, CQ8, CQ9: Y yes, N no, - does not apply.
TRUTH = {
    "c1": {"Dr A": "YYY-", "Dr B": "YYY-", "judge": "YYY-"},
    "c2": {"Dr A": "NNYN", "Dr B": "NNNN", "judge": "YNYY"},
    "c3": {"Dr A": "NNN-", "Dr B": "NNN-", "judge": "NNN-"},
    "c4": {"Dr A": "YYY-", "Dr B": "YYY-", "judge": "YYY-"},
    "c5": {"Dr A": "NNY-", "Dr B": "YNY-", "judge": "NNY-"},
    "c6": {"Dr A": "YYY-", "Dr B": "YYY-", "judge": "YYY-"},
}
LABELS = {"Y": "YES", "N": "NO", "-": "NA"}
ANNOTATOR_A = {"dra@hospital.example", "cc3600c5-edfe-5944-9050-2f635b7fc6e0", "Data entry 1", "Dr A"}
STATED = {"exposure": "blind", "source": "the protocol", "same_person": "none"}


class ToolForm(NamedTuple):
    """A file, and how many conversations, ratings and judgements come from it. `first`: the file with its
    conversations. `person`, `judge`: the truth that the form can't hold is not compared. `answers`: what is asked.
    """

    file: str
    title: str
    conversations: int = 0
    ratings: int = 0
    judgements: int = 0
    first: str = ""
    answers: Mapping[str, Any] = MappingProxyType({})
    judge: str = ""


TALKS = "hf_datasets/messages.jsonl"
JUDGE = {"judge": "Our judge"}
FILES = (
    ToolForm("label_studio/export.json", "a Label Studio export", 6, 48, 24, judge="gpt-5-judge-v1"),
    ToolForm("label_studio/json_min/result.json", "a Label Studio export (JSON-MIN)", 6, 48),
    ToolForm("label_studio/csv/result.csv", "a Label Studio export (CSV)", 6, 48),
    ToolForm("label_studio/tsv/result.csv", "a Label Studio export (CSV)", 6, 48),
    ToolForm("langfuse/traces_export.jsonl", "traces of Langfuse", 6),
    ToolForm(
        "langfuse/scores_export.jsonl",
        "scores of Langfuse",
        0,
        48,
        24,
        "langfuse/traces_export.jsonl",
        judge="gpt-5",
    ),
    ToolForm(
        "langfuse/scores_api.json",
        "scores of Langfuse",
        0,
        48,
        24,
        "langfuse/traces_export.jsonl",
        judge="gpt-5",
    ),
    ToolForm("langfuse/dataset_items_api.json", "a data set of Langfuse", 6),
    ToolForm("langsmith/examples.jsonl", "examples of LangSmith", 6),
    ToolForm("langsmith/dataset_export.csv", "a data set of LangSmith (CSV)", 6),
    ToolForm("langsmith/runs.jsonl", "runs of LangSmith", 6),
    ToolForm(
        "langsmith/feedback.jsonl", "feedback of LangSmith", 0, 48, 24, "langsmith/runs.jsonl", judge="gpt-5"
    ),
    ToolForm("mlflow/traces_with_assessments.jsonl", "traces of MLflow", 6, 48, 24, judge="openai:/gpt-5"),
    ToolForm("otel_phoenix/phoenix_spans.csv", "spans of Phoenix", 6),
    ToolForm("otel_phoenix/openinference_spans.jsonl", "spans of OpenInference", 6),
    ToolForm(
        "otel_phoenix/phoenix_span_annotations.csv",
        "annotations of Phoenix",
        0,
        48,
        24,
        "otel_phoenix/phoenix_spans.csv",
        JUDGE,
        "Our judge",
    ),
    ToolForm(
        "otel_phoenix/genai_semconv_spans.jsonl",
        "spans of OpenTelemetry (GenAI)",
        6,
        0,
        24,
        answers=JUDGE,
        judge="Our judge",
    ),
    ToolForm("openai/batch_output.jsonl", "the output of an OpenAI batch", 0, 0, 6, TALKS, judge="gpt-5"),
    ToolForm("openai/responses_api.json", "replies of the OpenAI Responses interface", 1),
    ToolForm("gemini/contents.jsonl", "requests of the Gemini interface", 6),
    ToolForm("hf_datasets/messages.csv", "conversations of a Hugging Face data set (CSV)", 6),
    ToolForm("hf_datasets/datasets_server_rows.json", "rows of the Hugging Face data set server", 6),
    ToolForm("hf_datasets/alpaca.json", "instructions in the form of Alpaca", 6),
    ToolForm("hf_datasets/preference_trl.jsonl", "pairs of preferences (TRL)", 6),
    ToolForm("redcap/data_raw_repeating.csv", "an export of REDCap", 0, 48, 0, TALKS, {"labels": ("9=NA",)}),
    ToolForm("redcap/data_labels_repeating.csv", "an export of REDCap (with labels)", 0, 48, 0, TALKS),
    ToolForm(
        "redcap/data_double_entry.csv",
        "a double data entry of REDCap",
        0,
        48,
        0,
        TALKS,
        {"labels": ("9=NA",)},
    ),
    ToolForm("argilla/records.json", "records of Argilla", 6, 48, 24, judge="gpt-5-judge"),
    ToolForm("promptfoo/output.json", "an output of promptfoo", 6, 0, 24, answers=JUDGE, judge="Our judge"),
    ToolForm(
        "promptfoo/output.csv", "an output of promptfoo (CSV)", 6, 0, 24, answers=JUDGE, judge="Our judge"
    ),
    ToolForm("deepeval/conversational_test_cases.json", "test cases of DeepEval", 6),
    ToolForm("deepeval/test_results.json", "results of DeepEval", 0, 0, 24, TALKS, judge="gpt-5"),
    ToolForm("ragas/multi_turn.jsonl", "samples of Ragas", 6),
    ToolForm("ragas/single_turn.jsonl", "samples of Ragas", 6),
    ToolForm("potato/annotations.csv", "annotations of Potato (CSV)", 0, 48, 0, TALKS),
    ToolForm("potato/user_state_DrA.json", "the state of a person in Potato", 0, 24, 0, TALKS),
    ToolForm("potato/user_state_DrB.json", "the state of a person in Potato", 0, 24, 0, TALKS),
    ToolForm("healthbench/meta_eval_shape.jsonl", "the meta-evaluation of HealthBench", 6),
    ToolForm("mt_bench/human_judgments_shape.jsonl", "human judgements of MT-Bench", 12),
    ToolForm(
        "inspect/coaching_audit.eval",
        "a log of Inspect",
        6,
        0,
        24,
        "",
        {"labels": ("-1=NA",)},
        "mockllm/grader",
    ),
    ToolForm(
        "inspect/coaching_audit.json",
        "a log of Inspect",
        6,
        0,
        24,
        "",
        {"labels": ("-1=NA",)},
        "mockllm/grader",
    ),
)
WITHOUT_NA = ("promptfoo", "deepeval")  # these pass what does not apply
ONE_EXCHANGE = ("alpaca", "ragas/single", "responses")


@lru_cache
def _talks() -> dict[str, list[list[str]]]:
    """Return the six conversations by id, as the plainest form holds them."""
    rows = map(json.loads, (FORMS / TALKS).read_text().splitlines())
    return {
        row["conversation_id"]: [[each["role"], each["content"]] for each in row["messages"]] for row in rows
    }


def bring(store: Store, path: Path, importer: Importer | None = None, **answers: Any) -> ImportReport:
    """Import a file into the study "s", which the first import creates."""
    with store.reading() as connection:
        exists = bool(studies.listing(connection))
    configs = ROOT / "configs"
    new = NewStudy(
        StudySpec("s", "S", 0), "coaching_rubric", None, (), configs / "instruments", configs / "taxonomies"
    )
    chosen = importer or recognise_here(path).importer
    assert chosen is not None
    stated = {**STATED, "new_study": None if exists else new, **answers}
    return import_file(store, "s", path, "tests", chosen, stated)


class StoredStudy(NamedTuple):
    """What a store holds: words by id, then (conversation, who, criterion) -> label."""

    words: dict[str, list[list[str]]]
    ratings: dict[tuple[str, str, str], str]
    judgements: dict[tuple[str, str, str], str]


def stored(store: Store) -> StoredStudy:
    with store.reading() as connection:
        talk, unit, rating, judgement = schema.conversation, schema.unit, schema.rating, schema.judgement
        words = {
            key: json.loads(content.get(connection, text) or "[]")
            for key, text in connection.execute(select(talk.c.key, talk.c.transcript_content))
        }
        of_unit = {
            number: key
            for number, key in connection.execute(
                select(unit.c.id, talk.c.key).join(talk, talk.c.id == unit.c.conversation_id)
            )
        }
        raters = {row.id: row.name for row in connection.execute(select(schema.rater))}
        judges = {row.id: row.name for row in connection.execute(select(schema.judge))}
        ratings = {
            (of_unit[row.unit_id], raters[row.rater_id], row.criterion): row.label
            for row in connection.execute(select(rating))
        }
        judgements = {
            (of_unit[row.unit_id], judges[row.judge_id], row.criterion): row.label
            for row in connection.execute(select(judgement))
        }
    return StoredStudy(words, ratings, judgements)


def _ids(words: dict[str, list[list[str]]]) -> dict[str, str]:
    """Return the tool's id of a conversation -> the id in TRUTH, told by its first words."""
    first = {talk[0][1]: key for key, talk in _talks().items()}
    return {key: first[next(text for role, text in talk if role == "user")] for key, talk in words.items()}


def _expected(form: ToolForm, giver: str) -> Iterator[tuple[tuple[str, str, str], str]]:
    people = {"DrA": ("Dr A",), "DrB": ("Dr B",)}.get(form.file[-8:-5], ("Dr A", "Dr B"))
    for key, by in TRUTH.items():
        for who in people if giver == "people" else ("judge",):
            for criterion, sign in zip(CRITERIA, by[who], strict=True):
                if giver == "judge" and form.judgements == 6 and criterion != "CQ1":
                    continue
                passes = giver == "judge" and sign == "-" and form.file.startswith(WITHOUT_NA)
                yield (key, who, criterion), "YES" if passes else LABELS[sign]


@pytest.mark.parametrize("form", FILES, ids=lambda form: form.file)
def test_a_file_gives_every_conversation_and_label_that_its_form_holds(store: Store, form: ToolForm) -> None:
    path = FORMS / form.file
    recognition = recognise_here(path)
    assert recognition.importer is not None and recognition.importer.name == "tool"
    assert recognition.title.startswith(f"Recognised: {form.title}, "), recognition.title
    if form.first:
        bring(store, FORMS / form.first)
    report = bring(store, path, **form.answers)
    added = report.added
    assert (added["conversations"], added["ratings"], added["judgements"]) == (
        form.conversations,
        form.ratings,
        form.judgements,
    )
    study = stored(store)
    ids = _ids(study.words)
    for key, words in study.words.items():
        whole = _talks()[ids[key]]
        spoken = [each for each in words if each[0] != "system"]
        assert spoken == (whole[:2] if any(name in form.file for name in ONE_EXCHANGE) else whole)
    ratings = {
        (ids[key], "Dr A" if who in ANNOTATOR_A else "Dr B", criterion): label
        for (key, who, criterion), label in study.ratings.items()
    }
    assert ratings == (dict(_expected(form, "people")) if form.ratings else {})
    assert {who for _, who, _ in study.judgements} <= {form.judge}
    judged = {
        (ids[key], "judge", criterion): label for (key, _, criterion), label in study.judgements.items()
    }
    assert judged == (dict(_expected(form, "judge")) if form.judgements else {})
    again = bring(store, path, **form.answers)
    assert not again.added.total() and again.already.total()
