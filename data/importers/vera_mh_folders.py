"""Import the folder that the VERA-MH programs write.

It holds conversations, one .txt each, and a judge's evaluation: a .tsv per conversation with the rating of
each dimension, results.csv with all ratings, and answers/ with the answers to the form's questions. An
instrument whose questions depend on answers gets the answers, any other the ratings.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from configs.files.plain_files import open_plain, path_inside
from data.importers import conversations
from data.importers.columns import is_whole
from data.importers.conversations import ConversationRow, usable_rows
from data.importers.file_starts import NOT_UTF8
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport, counted
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.trail import TrailEntry

SPEAKER = re.compile(r"(user|persona|agent|chatbot|assistant|provider)\s*:[ \t]*(.*)", re.IGNORECASE)
USERS = {"user", "persona"}
LINE_END = re.compile(r"\r\n|\r|\n")
ENDED = re.compile(r"\[CONVERSATION ENDED\b.*\]\s*")
EVALUATION = re.compile(r"(?P<conversation>.+_run\d+)_(?P<judge>[^_]+(?:_[^_]+)*?)_i(?P<number>\d+)")
FOLDER = re.compile(r"p_(?P<user_llm>.+?)__a_(?P<provider_llm>.+?)__")
PERSONA = re.compile(r"[0-9a-f]+_([^_]+)_")
# Name of a dimension in the first version -> later name.
DIMENSIONS = {
    "detects risk": "Detects Potential Risk",
    "probes risk": "Confirms Risk",
    "clarifies risk": "Confirms Risk",
    "guides to human support": "Guides to Human Care",
    "collaborates and validates appropriately": "Supportive Conversation",
    "maintains safe boundaries": "Follows AI Boundaries",
}
NOT_RATINGS = {
    "filename",
    "run_id",
    "persona_name",
    "judge_model",
    "judge_instance",
    "judge_id",
    "risk_level",
}
Row = dict[str, Any]


@dataclass(frozen=True)
class EvaluationName:
    """What an evaluation file's name says: the conversation, the judge, and the replicate from 0."""

    conversation: str
    judge: str
    replicate: int


def evaluation_name(stem: str) -> EvaluationName:
    """Return what a name says; a name without a judge is the conversation's."""
    parts = EVALUATION.fullmatch(stem)
    if parts is None:
        return EvaluationName(stem, "", 0)
    return EvaluationName(parts["conversation"], parts["judge"], max(0, int(parts["number"]) - 1))


def add(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    folder: Path,
    judge: JudgeIdentity,
    report: ImportReport,
) -> None:
    """Write the conversations and labels of a folder; problems go into the report, and then the caller
    rolls back.
    """
    talks = _folder_of(folder, "conversations", "*.txt")
    evaluation = _evaluation_folder(folder, report)
    if report.errors:
        return
    if talks is None and evaluation is None:
        report.error(0, "the folder holds no conversations (.txt), results.csv or answers")
        return
    if talks is not None:
        rows = list(_conversations(talks, folder, report))
        if not report.errors:
            conversations.add_all(connection, entry, study, rows, report)
    if evaluation is not None and not report.errors:
        rows_of_judge = (
            _answers(evaluation, report) if study.instrument.conditional else _ratings(evaluation, report)
        )
        add_judgements(connection, entry, study, rows_of_judge, report, judge, evaluation.name)
        report.file = folder.name


def _folder_of(folder: Path, name: str, pattern: str) -> Path | None:
    return next((place for place in (folder / name, folder) if any(place.glob(pattern))), None)


def _evaluation_folder(folder: Path, report: ImportReport) -> Path | None:
    """Return the folder itself or the one under evaluations/; several are an error."""
    places = [folder, *sorted(path for path in (folder / "evaluations").glob("*") if path.is_dir())]
    holding = [
        place
        for place in places
        if (place / "results.csv").is_file() or (place / "answers").is_dir() or any(place.glob("*_i*.tsv"))
    ]
    if len(holding) > 1:
        names = ", ".join(place.name for place in holding)
        report.error(0, f"there are several evaluations: {names}. Import each folder on its own")
    return holding[0] if len(holding) == 1 else None


def _conversations(talks: Path, folder: Path, report: ImportReport) -> Iterator[ConversationRow]:
    models = next((parts for name in (talks.name, folder.name) if (parts := FOLDER.match(f"{name}__"))), None)
    rows, ended = [], 0
    for path in sorted(talks.glob("*.txt")):
        report.file = f"{folder.name}/{path.name}"
        text = _text(path, talks, report)
        if text is None:
            continue
        messages, has_end = _messages(text, report)
        if messages and all(message["role"] == "user" for message in messages):
            report.error(
                1,
                'there is no message by "agent:"; a message must begin with its speaker at the start of the '
                "file "
                "or after an empty line",
            )
            continue
        ended += has_end
        persona = PERSONA.match(path.stem)
        facts = {
            **(models.groupdict() if models else {}),
            **({"persona": persona.group(1)} if persona else {}),
        }
        rows.append((1, {"id": path.stem, "messages": messages, **facts}))
    report.file = folder.name
    if ended:
        report.notice(
            0, f"left out: the line that says how a conversation ended, in {counted(ended, 'conversations')}"
        )
    yield from usable_rows(iter(rows), report)


def _messages(text: str, report: ImportReport) -> tuple[list[Row], bool]:
    """Return the messages, and whether a line says how the conversation ended."""
    messages: list[Row] = []
    ended, begins = False, True
    # Not splitlines: a separator inside a message is part of it.
    for number, line in enumerate(LINE_END.split(text), start=1):
        speaker = SPEAKER.fullmatch(line.rstrip()) if begins else None
        if speaker:
            role = "user" if speaker.group(1).casefold() in USERS else "assistant"
            messages.append({"role": role, "content": speaker.group(2)})
        elif ENDED.fullmatch(line):
            ended = True
        elif messages:
            messages[-1]["content"] += "\n" + line
        elif line.strip():
            report.error(number, 'expected "user:" or "agent:" and the message')
            break
        begins = not line.strip()
    for message in messages:
        message["content"] = message["content"].strip()
    return messages, ended


def _text(path: Path, inside: Path, report: ImportReport) -> str | None:
    try:
        path_inside(inside, path.relative_to(inside).as_posix())
        with open_plain(path) as file:
            return str(file.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        report.error(0, NOT_UTF8)
    except (OSError, ValueError) as error:
        report.error(0, f"the file can't be read: {error}")
    return None


def _table(path: Path, inside: Path, report: ImportReport) -> Iterator[tuple[int, Row]]:
    """Yield (line, row) of a .tsv or .csv. A file without rows is reported."""
    text = _text(path, inside, report)
    if text is None:
        return
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter="\t" if path.suffix == ".tsv" else ",")
    rows = 0
    try:
        for row in reader:
            rows += 1
            if None in row:
                report.error(reader.line_num, "this row has more cells than the header has names")
                return
            yield reader.line_num, {str(name).strip(): (value or "").strip() for name, value in row.items()}
    except csv.Error as error:
        report.error(reader.line_num, f"the table can't be read: {error}")
        return
    if not rows:
        report.notice(0, "the table has no rows")


def _ratings(evaluation: Path, report: ImportReport) -> Iterator[tuple[int, Row]]:
    """Yield the rating of each dimension, from each conversation's file, or from results.csv if it has
    none.
    """
    stems: set[str] = set()
    for path in sorted(evaluation.glob("*.tsv")):
        report.file = f"{evaluation.name}/{path.name}"
        stems.add(path.stem)
        for line, row in _table(path, evaluation, report):
            dimension = row.get("Dimension", "")
            if not dimension or "Score" not in row:
                report.error(line, "expected the columns Dimension, Score and Reasoning")
                return
            yield line, _label_row(evaluation_name(path.stem), dimension, row["Score"], row.get("Reasoning"))
    results = evaluation / "results.csv"
    if not results.is_file():
        return
    report.file = f"{evaluation.name}/results.csv"
    for line, row in _table(results, evaluation, report):
        stem = Path(row.get("filename", "")).stem
        if not stem:
            report.error(line, "expected the column filename")
            return
        if stem in stems:
            continue
        name = evaluation_name(stem)
        judge = row.get("judge_model", "") or name.judge
        asking = int(row["judge_id"]) if is_whole(row.get("judge_id", "")) else name.replicate
        for dimension, score in row.items():
            if dimension not in NOT_RATINGS:
                named = EvaluationName(name.conversation, judge, asking)
                yield line, {**_label_row(named, dimension, score), "undeclared": "ignore"}


def _answers(evaluation: Path, report: ImportReport) -> Iterator[tuple[int, Row]]:
    """Yield the answer to each question: from one file per conversation in answers/conversations, one per
    question in answers/by_question, or from answers/answers.tsv.
    """
    answers, with_answers = evaluation / "answers", set()
    for folder in ("conversations", "by_question"):
        for path in sorted((answers / folder).glob("*.tsv")):
            report.file = f"{evaluation.name}/answers/{folder}/{path.name}"
            for line, row in _table(path, evaluation, report):
                question = row.get("Question ID") or (path.stem if folder == "by_question" else "")
                stem = Path(row["filename"]).stem if row.get("filename") else path.stem
                if "Answer" not in row or not question or (folder == "by_question" and stem == path.stem):
                    report.error(line, "expected a question, an answer and its conversation")
                    return
                with_answers.add(stem)
                yield line, _answer_row(_name_of(row, stem), question, row["Answer"], row.get("Explanation"))
        if with_answers:
            break
    aggregate = answers / "answers.tsv"
    if not with_answers and aggregate.is_file():
        report.file = f"{evaluation.name}/answers/answers.tsv"
        for line, row in _table(aggregate, evaluation, report):
            stem = Path(row.get("filename", "")).stem
            for column, answer in row.items():
                if re.fullmatch(r"Q\S+", column) and answer:  # blank: not asked
                    with_answers.add(stem)
                    name = _name_of(row, stem)
                    yield line, _answer_row(name, column[1:], answer, row.get(f"{column} explanation"))
    report.file = evaluation.name
    if not with_answers:
        report.error(
            0,
            "no answers to questions are in answers/conversations/, answers/by_question/ or "
            "answers/answers.tsv of this folder; ratings of dimensions in results.csv come in with an "
            "instrument of dimensions",
        )


def _name_of(row: Row, stem: str) -> EvaluationName:
    name = evaluation_name(stem)
    asking = int(row["judge_id"]) if is_whole(row.get("judge_id", "")) else name.replicate
    return EvaluationName(name.conversation, row.get("judge_model", "") or name.judge, asking)


def _label_row(name: EvaluationName, dimension: str, score: str, reasoning: str | None = None) -> Row:
    later = DIMENSIONS.get(dimension.casefold(), dimension)
    return _row(name, later, score, reasoning)


def _answer_row(name: EvaluationName, question: str, answer: str, reasoning: str | None) -> Row:
    """A question with one answer alone is none of the instrument's, so it is left out with a word."""
    criterion = question if question.startswith("Q") else f"Q{question}"
    return {**_row(name, criterion, answer, reasoning), "undeclared": "ignore"}


def _row(name: EvaluationName, criterion: str, label: str, reasoning: str | None) -> Row:
    return {
        "conversation_id": name.conversation,
        "criterion": criterion,
        "replicate": name.replicate,
        **({"judge": name.judge} if name.judge else {}),
        **({"label": label} if label else {"status": "missing"}),
        **({"reasoning": reasoning} if reasoning else {}),
    }
