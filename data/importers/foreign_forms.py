"""Recognise files of other tools that can't be imported as they are, and say what to do instead."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from data.importers.file_sample import FileSample
from data.importers.file_starts import foreign_start
from data.importers.label_givers import is_of_people
from data.importers.table_files import zip_names

MIN_TABLE_COLUMNS = 3  # a case, a person and a criterion

MESSAGES = (
    "Write the conversations as a table with one row per message (conversation, speaker, text), or as JSONL: "
    '{"id": "c1", "messages": [{"role": "user", "content": "..."}]}'
)
LABELS = (
    "Write the labels as a table with one row per label: conversation_id, criterion, label, and rater for "
    "people or reasoning for a judge"
)
BOTH = f"{MESSAGES}. {LABELS}"


# Fields that only one tool writes, checked before the importers; the most specific first.
TOOLS: Sequence[tuple[Sequence[str], str, str]] = (
    (("data", "annotations"), "a Label Studio export", BOTH),
    (("annotation_id", "annotator", "lead_time"), "a Label Studio export", BOTH),
    (("eval", "samples"), "a log of Inspect", BOTH),
    (("traceId", "dataType"), "scores of Langfuse", LABELS),
    (("input", "expectedOutput"), "a data set of Langfuse", MESSAGES),
    (("observations", "scores"), "traces of Langfuse", BOTH),
    (("run_id", "feedback_source"), "feedback of LangSmith", LABELS),
    (("run_type", "session_id"), "runs of LangSmith", MESSAGES),
    (("inputs", "outputs"), "examples of LangSmith", MESSAGES),
    (("trace_info",), "traces of MLflow", BOTH),
    (("resource_spans",), "traces of OpenTelemetry", MESSAGES),
    (("resourceSpans",), "traces of OpenTelemetry", MESSAGES),
    (("context.span_id",), "a table of Phoenix", BOTH),
    (("span_id", "annotator_kind"), "annotations of Phoenix", LABELS),
    (("evalId", "results"), "an output of promptfoo", BOTH),
    (("testResults",), "results of DeepEval", LABELS),
    (("metricsData",), "results of DeepEval", LABELS),
    (("redcap_repeat_instance",), "an export of REDCap", LABELS),
    (("Repeat Instrument",), "an export of REDCap", LABELS),
    (("instance_id_to_label_to_value",), "the state of a person in Potato", LABELS),
)
# Fields that other tools may write too, checked only if no importer reads the file.
OTHERS: Sequence[tuple[Sequence[str], str, str]] = (
    (("contents",), "requests of the Gemini interface (contents and parts)", MESSAGES),
    (("candidates", "usageMetadata"), "a reply of the Gemini interface", MESSAGES),
    (("input", "output", "timestamp"), "traces of Langfuse", BOTH),
    (("info", "data"), "traces of MLflow", BOTH),
    (("context", "attributes"), "traces of OpenTelemetry", MESSAGES),
    (("fields", "responses"), "records of Argilla", BOTH),
    (("results", "prompts"), "an output of promptfoo", BOTH),
    (("user_input",), "samples of Ragas", MESSAGES),
    (("test_results",), "results of DeepEval", LABELS),
    (("metrics_data",), "results of DeepEval", LABELS),
    (("custom_id", "response"), "the output of an OpenAI batch", MESSAGES),
    (("object", "output"), "a reply of the OpenAI Responses interface", MESSAGES),
    (("features", "rows"), "rows of the Hugging Face data set server", MESSAGES),
    (("chosen", "rejected"), "pairs of preferences", MESSAGES),
    (("conversation_a", "conversation_b"), "pairs of MT-Bench", MESSAGES),
    (("instruction", "output"), "instructions in the form of Alpaca", MESSAGES),
    (("prompt", "rubrics"), "conversations of HealthBench", MESSAGES),
    (("prompt_id", "completion"), "labels of HealthBench", BOTH),
    (("record_id",), "an export of REDCap", LABELS),
    (("Variable / Field Name",), "a data dictionary of REDCap", "Write its questions as an instrument"),
    (("user_id", "instance_id"), "annotations of Potato", LABELS),
    (("transcript",), "conversations, one whole conversation per cell", MESSAGES),
    (("prompt", "response"), "questions with their answers", MESSAGES),
    (("messages",), "conversations as Python prints them", MESSAGES),
)


def form_of_start(path: Path) -> str | None:
    """Return what a file seems to be by its first bytes, and what to do; None if they don't tell.

    A zip file is a log of Inspect, a Word document or another zip file by the names in it; an Excel
    workbook gives None. For anything else, `foreign_start` as a sentence with a capital and a full stop.
    """
    names = zip_names(path)
    if "header.json" in names or any(name.startswith("_journal/") for name in names):
        return sentence("a log of Inspect (.eval)", BOTH)
    if names and "word/document.xml" in names:
        return "This seems to be a Word document. Save its table as CSV (UTF-8), and import that."
    if names and "xl/workbook.xml" not in names:
        return "This seems to be a zip file. Unpack it, and import the files in it."
    start = foreign_start(path)
    if start is not None and "xl/workbook.xml" not in names:
        return f"{start[0].upper()}{start[1:]}{'' if start.endswith('.') else '.'}"
    return None


def form_of_tool(sample: FileSample) -> str | None:
    """Return `sentence` for the first entry of TOOLS whose fields the file has, such as "a Label Studio
    export"; None if it has those of none.
    """
    return _form_of(TOOLS, sample)


def form_of_fields(sample: FileSample) -> str | None:
    """Return what an unrecognised file seems to be by its fields, and what to do; None if unknown.

    It is `sentence` for the first entry of OTHERS whose fields the file has; else, for a table with a
    column of raters and more than MIN_TABLE_COLUMNS (3) columns, one with a row per person.
    """
    if (form := _form_of(OTHERS, sample)) is not None:
        return form
    people = sample.column("rater") or next(filter(is_of_people, sample.columns), None)
    if people is not None and sample.is_table and len(sample.columns) > MIN_TABLE_COLUMNS:
        return sentence("a table with one row per person and one column per criterion", LABELS)
    return None


def _form_of(forms: Sequence[tuple[Sequence[str], str, str]], sample: FileSample) -> str | None:
    fields = {*sample.columns, *_inner_fields(sample)}
    return next((sentence(name, what) for names, name, what in forms if fields.issuperset(names)), None)


def _inner_fields(sample: FileSample) -> Iterator[str]:
    """Yield the fields of the first object in a list, if the file is one object: the shape of API replies."""
    if len(sample.rows) == 1:
        for value in sample.rows[0].values():
            if isinstance(value, list) and value and isinstance(value[0], dict):
                yield from map(str, value[0])


def sentence(name: str, what: str) -> str:
    """Return "This seems to be NAME, which can't be imported as it is yet. WHAT." with both words filled
    in.
    """
    return f"This seems to be {name}, which can't be imported as it is yet. {what}."
