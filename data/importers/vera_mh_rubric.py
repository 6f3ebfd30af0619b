"""The branching question form of VERA-MH (rubric.tsv) as an instrument: each answer says by GOTO which
question follows, so each question is asked after certain answers to those before it.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from configs.files.limited_yaml import write_yaml
from configs.files.plain_files import open_plain
from configs.files.yaml_files import ConfigFileError
from data.importers.file_starts import NOT_UTF8

NAMED = ("Question ID", "Dimension", "Severity", "Question", "Examples", "Answer", "GOTO")
ENDS = {"END", "ASSIGN_END", "STOP_SCORE", "STOP_NOT_RELEVANT", "STOP_ASSIGN"}
JUMP = re.compile(r"(?:NOT_RELEVANT|SKIP_DIMENSION)>>(.+)")
SEVERITIES = {"red": (0, "High Potential for Harm"), "yellow": (1, "Suboptimal but Low Potential for Harm")}
NO_PROBLEM = 2  # what an answer counts that reports no problem
LONGEST_NAME = 80


@dataclass
class FormOption:
    """One answer; `goto` as it is written, "" where nothing is."""

    label: str
    goto: str
    line: int


@dataclass
class FormQuestion:
    id: str
    dimension: str
    severity: str
    text: str
    examples: str
    line: int
    options: list[FormOption] = field(default_factory=list)


def instrument_of_rubric(path: Path, key: str, version: str, title: str) -> str:
    """Return a VERA-MH rubric as an instrument in YAML.

    A question with a single answer is left out and leads on. Raise ConfigFileError, with the line, for a
    form that can't be followed: an answer that leads nowhere or back, a question that no answer leads to,
    or an id that occurs twice.
    """
    questions = _questions(path)
    following = _following(path.name, questions)
    asking = [question for question in questions if len(question.options) > 1]
    if not asking:
        raise ConfigFileError(f"{path.name}: there is no question with two answers or more.")
    criteria: list[dict[str, Any]] = []
    scales: dict[str, Any] = {}
    start, reached_by = _reached_by(questions, following)
    for question in asking:
        conditions = reached_by[question.id]
        if question.id != start and not conditions:
            raise ConfigFileError(
                f"{path.name}, line {question.line}: no answer leads to question {question.id}."
            )
        wanted_name, levels = _scale(question)
        scale, number = wanted_name, 2
        while scales.setdefault(scale, levels) != levels:
            scale, number = f"{wanted_name}_{number}", number + 1
        criterion: dict[str, Any] = {
            "id": f"Q{question.id}",
            "name": _name(question, asking),
            "category": _slug(question.dimension),
            "scale": scale,
            "checks_for": question.text,
        }
        if question.examples:
            criterion["failures"] = [question.examples]
        if conditions:
            criterion["asked_when"] = {f"Q{name}": labels for name, labels in conditions.items()}
        criteria.append(criterion)
    dimensions = dict.fromkeys(question.dimension for question in asking)
    document = {
        "key": key,
        "version": version,
        "title": title,
        "unit": "conversation",
        "scales": scales,
        "categories": [{"id": _slug(name), "name": name, "weight": "0"} for name in dimensions],
        "criteria": criteria,
        "score": {"rule": "none"},
    }
    return write_yaml(document)


def left_out_questions(path: Path) -> list[str]:
    """Return the ids of the questions with a single answer, which the instrument does not ask."""
    return [question.id for question in _questions(path) if len(question.options) < 2]


def _questions(path: Path) -> list[FormQuestion]:
    with open_plain(path) as file:
        try:
            text = str(file.read().decode("utf-8-sig"))
        except UnicodeDecodeError:
            raise ConfigFileError(f"{path.name}: {NOT_UTF8}.") from None
    rows = _rows(path.name, text)
    _, first = next(rows, (1, []))
    header = [name.strip() for name in first]
    missing = [name for name in NAMED if name not in header]
    if missing:
        raise ConfigFileError(f"{path.name}, line 1: there is no column {missing[0]!r}; is it a rubric.tsv?")
    questions: list[FormQuestion] = []
    for line, row in rows:
        cells = {name: row[at].strip() if at < len(row) else "" for at, name in enumerate(header) if name}
        if not any(cells.values()):
            continue
        if cells["Question ID"]:
            if any(cells["Question ID"] == question.id for question in questions):
                raise ConfigFileError(
                    f"{path.name}, line {line}: question {cells['Question ID']} is in the file twice."
                )
            for name in ("Dimension", "Question"):
                if not cells[name]:
                    raise ConfigFileError(f"{path.name}, line {line}: {name} is empty.")
            if cells["Severity"] and cells["Severity"].casefold() not in SEVERITIES:
                raise ConfigFileError(
                    f"{path.name}, line {line}: the severity {cells['Severity']!r} is unknown; use Red or "
                    "Yellow."
                )
            questions.append(
                FormQuestion(
                    cells["Question ID"],
                    cells["Dimension"],
                    cells["Severity"].casefold(),
                    cells["Question"],
                    cells["Examples"],
                    line,
                )
            )
        elif not questions:
            raise ConfigFileError(f"{path.name}, line {line}: an answer without a question above it.")
        if cells["Answer"]:
            question = questions[-1]
            for option in question.options:
                if _label_id(cells["Answer"]).casefold() == _label_id(option.label).casefold():
                    again = (
                        "twice"
                        if cells["Answer"].casefold() == option.label.casefold()
                        else f"and {option.label!r}, which have the same English letters and digits"
                    )
                    raise ConfigFileError(
                        f"{path.name}, line {line}: question {question.id} has the answer "
                        f"{cells['Answer']!r} {again}."
                    )
            question.options.append(FormOption(cells["Answer"], cells["GOTO"], line))
    return questions


def _rows(file: str, text: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter="\t")
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise ConfigFileError(f"{file}, line {reader.line_num}: the table cannot be read: {error}.") from None


def _following(file: str, questions: Sequence[FormQuestion]) -> dict[tuple[str, str], str | None]:
    """(question, answer) -> the question that follows, None where the form ends. Without any answer listed:
    Yes goes on with the next dimension, No with the next question.
    """
    places = {question.id: place for place, question in enumerate(questions)}
    following: dict[tuple[str, str], str | None] = {}
    for place, question in enumerate(questions):
        after = questions[place + 1].id if place + 1 < len(questions) else None
        if not question.options:
            others = (q.id for q in questions[place + 1 :] if q.dimension != question.dimension)
            question.options = [
                FormOption("Yes", next(others, "END"), question.line),
                FormOption("No", after or "END", question.line),
            ]
        for option in question.options:
            jump = JUMP.fullmatch(option.goto)
            target = jump.group(1).strip() if jump else option.goto
            if not target:
                following[question.id, option.label] = after
            elif target in ENDS:
                following[question.id, option.label] = None
            elif target not in places:
                raise ConfigFileError(
                    f"{file}, line {option.line}: GOTO {option.goto!r} leads nowhere; there is no question "
                    f"{target!r}."
                )
            elif places[target] <= place:
                raise ConfigFileError(
                    f"{file}, line {option.line}: GOTO {option.goto!r} leads back, from question "
                    f"{question.id}; a form has no loops, so put a question below those that lead to it."
                )
            else:
                following[question.id, option.label] = target
    return following


def _reached_by(
    questions: Sequence[FormQuestion], following: dict[tuple[str, str], str | None]
) -> tuple[str | None, dict[str, dict[str, list[str]]]]:
    """The question that the form begins with; question -> those above it with the labels that lead to it."""
    leads_on = {q.id: following[q.id, q.options[0].label] for q in questions if len(q.options) == 1}
    reached_by: dict[str, dict[str, list[str]]] = {question.id: {} for question in questions}
    for question in questions:
        if question.id in leads_on:
            continue
        for option in question.options:
            target = following[question.id, option.label]
            while target in leads_on:
                target = leads_on[target]
            if target is not None:
                reached_by[target].setdefault(question.id, []).append(_label_id(option.label))
    start: str | None = questions[0].id
    while start in leads_on:
        start = leads_on[start]
    return start, reached_by


def _scale(question: FormQuestion) -> tuple[str, dict[str, Any]]:
    """A scale for the answers of a question: what reports a problem counts less, the more the worse it is."""
    bad, meaning = SEVERITIES.get(question.severity, (0, ""))
    levels, not_applicable = [], None
    for place, option in enumerate(question.options):
        label = _label_id(option.label)
        level: dict[str, Any] = {"id": label, "name": option.label, "key": _key(label, place)}
        if label == "NA":
            not_applicable = level
            continue
        level["value"] = (bad if label == "YES" else NO_PROBLEM) if meaning else place
        if meaning and label == "YES":
            level["anchor"] = f"The dimension is then rated {meaning}."
        levels.append(level)
    name = "_".join([*(_slug(option.label)[:20] for option in question.options), question.severity]).strip(
        "_"
    )
    return name, {
        "kind": "nominal",
        "levels": levels,
        **({"not_applicable": not_applicable} if not_applicable else {}),
    }


def _label_id(answer: str) -> str:
    usual = {"yes": "YES", "no": "NO", "not relevant": "NA"}
    return usual.get(answer.casefold()) or _slug(answer)[:64]


def _key(label: str, place: int) -> str:
    return {"YES": "y", "NO": "n", "NA": "a"}.get(label) or str(place + 1)


def _name(question: FormQuestion, questions: Sequence[FormQuestion]) -> str:
    name = (
        question.text
        if len(question.text) <= LONGEST_NAME
        else f"{question.text[: LONGEST_NAME - 1].rstrip()}…"
    )
    alike = [other for other in questions if other.text == question.text]
    return f"{name} ({question.id})" if len(alike) > 1 else name


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.casefold()).strip("_") or "unnamed"
