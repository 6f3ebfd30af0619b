"""The sample files of other tools, and what they give: imported into a study, or read row by row."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import select

from data import schema
from data.importers.file_import import import_file
from data.importers.importer import Importer
from data.importers.new_study import NewStudy
from data.importers.profiles import profile as profiles_of_folder
from data.importers.profiles.profile import profiles
from data.importers.profiles.record_reader import PARTS, RecordReader, ToolAnswers
from data.importers.recognition import recognise_here
from data.importers.report import ImportReport
from data.importers.row_file import kept_rows, open_row_file
from data.record import studies
from data.record.studies import Study, StudySpec
from data.store import content
from data.store.store import Store

ROOT = Path(__file__).resolve().parents[2]


FORMS = ROOT / "tests" / "data" / "formats"


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


def rows_of(path: Path, study: Study, tool: str, **answers: Any) -> tuple[dict[str, list[Any]], ImportReport]:
    """Read a file as `tool`; return the rows of each part, and the report."""
    report = ImportReport(path.name)
    with ExitStack() as stack:
        files = {part: stack.enter_context(open_row_file()) for part in PARTS}
        reader = RecordReader(profiles()[tool], study, ToolAnswers(**answers), report)
        reader.read(path, files).tell(study, report)
        return {part: [row for _, row in kept_rows(files[part], report)] for part in PARTS}, report


def answers_of(form: ToolForm) -> dict[str, Any]:
    labels = dict(pair.split("=") for pair in form.answers.get("labels", ()))
    return {"judge": form.answers.get("judge", ""), "labels": labels}


def tool_of(path: Path) -> str:
    return profiles_of_folder.fitting(recognise_here(path).sample)[0]
