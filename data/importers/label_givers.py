"""Tell who gave the labels of a table, people or a judge: a mistake here would pass one off as the other.

Other tools keep both in one table and name the source in many ways. A column named after people
(`annotator_id`, `reviewer`) is believed unless it holds names of models; an ambiguous one (`source`, `type`,
`user`) is believed if its values say people or machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from data.importers.columns import ALIASES, column_like, field, rename_sentence
from data.importers.reading import shortened
from data.importers.report import ImportReport
from data.importers.table_files import TABLES

Rows = Iterable[tuple[int, dict[str, Any]]]
MAX_COLUMNS_NAMED = 8  # in an error
SAY_WHICH = (
    'Say which column names the person: on the page under "The column that names the person", in a '
    "terminal with --rater-column"
)
JUDGED = ((*ALIASES["judge"], "model"), ALIASES["reasoning"])  # columns of a judge's labels
PEOPLE_WORDS = frozenset(
    {
        "rater",
        "annotator",
        "annotators",
        "reviewer",
        "evaluator",
        "labeler",
        "labeller",
        "labelers",
        "worker",
        "coder",
        "clinician",
        "assessor",
        "grader",
        "scorer",
        "tagger",
        "expert",
        "author",
        "physician",
        "psychologist",
        "observer",
        "examiner",
        "adjudicator",
        "respondent",
        "reader",
    }
)
DETAIL_WORDS = frozenset(
    {
        "id",
        "ids",
        "name",
        "code",
        "email",
        "kind",
        "type",
        "key",
        "number",
        "no",
        "nr",
        "by",
        "uuid",
        "label",
        "role",
        "source",
        "initials",
    }
)
RATING_VERBS = frozenset(
    {
        "labeled",
        "labelled",
        "annotated",
        "rated",
        "reviewed",
        "scored",
        "coded",
        "graded",
        "evaluated",
        "assessed",
        "tagged",
        "submitted",
    }
)
ANY_WORDS = frozenset(
    {
        "annotation",
        "source",
        "kind",
        "type",
        "origin",
        "user",
        "username",
        "email",
        "by",
        "created",
        "completed",
        "person",
        "human",
        "who",
        "method",
        "provenance",
    }
)
PERSON_KIND = re.compile(
    r"(human|person|people|manual|annotation|annotator|expert|clinician|doctor|therapist|psychologist|"
    r"nurse|psychiatrist|rater|reviewer|crowd|crowdworker|mturk|prolific)s?"
    r"([ _-]?(rater|annotator|reviewer|expert|label|annotation|worker|\d+))?s?",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[a-z]+", re.IGNORECASE)
MACHINE_KIND = re.compile(
    r"(llm|ai|model|machine|code|auto|automated|automatic|eval|bot|judge|api|program|heuristic)"
    r"([ _-]?(as[ _-])?(judge|eval|evaluator|evaluation|model|rater|annotator|generated|"
    r"labeled|labelled|annotated|rated|scored|graded))?"
    r"|(llm|ai|model|machine|bot)([ _-]?\d+|[ _-][a-z])",
    re.IGNORECASE,
)
MODEL_NAME = re.compile(
    r"\b(llm|gpt|chatgpt|claude[- ]?(\d|opus|sonnet|haiku|instant)|gemini[- ]?(\d|pro|flash)|llama[- ]?\d|"
    r"mistral|mixtral|qwen|deepseek|gemma|"
    r"grok[- ]?\d|palm[- ]?\d|command-r|o[134](-mini|-preview|-pro)?$|phi-\d)|^gemini$",
    re.IGNORECASE,
)


@lru_cache  # called for every cell; a file has few columns
def is_of_people(column: str) -> bool:
    """Tell whether a column is named after the person who gave a label: `annotator`, `reviewerId`,
    `labelled_by`; not `created_by`.
    """
    words = _words(column)
    named = words & PEOPLE_WORDS or ("by" in words and words & RATING_VERBS)
    return bool(named) and words <= PEOPLE_WORDS | RATING_VERBS | DETAIL_WORDS


@lru_cache
def may_be_of_people(column: str) -> bool:
    """Tell whether a column may say who gave a label or something else: `source`, `user_id`, `created_by`."""
    words = _words(column)
    return bool(words & ANY_WORDS) and words <= ANY_WORDS | DETAIL_WORDS


def names_giver(column: str) -> bool:
    """Tell whether a column in a table of items seems to say who labelled them: `created_by` does, `source`
    and `type` don't.
    """
    return is_of_people(column) or (may_be_of_people(column) and "by" in _words(column))


def is_machine(value: object) -> bool:
    """Tell whether a cell says that a program gave the label: LLM, code, gpt-4o."""
    text = str(value).strip()
    return MACHINE_KIND.fullmatch(text) is not None or MODEL_NAME.search(text) is not None


def kind_of(value: object) -> str:
    """Return "person" or "machine" for a cell of an ambiguous column, or "" if it names neither.

    The name of a model returns "": it may be the model that the user talked to.
    """
    text = str(value).strip()
    return (
        "machine"
        if MACHINE_KIND.fullmatch(text)
        else "person"
        if PERSON_KIND.fullmatch(text) or ADDRESS.fullmatch(text)
        else ""
    )


def of_a_judge(path: Path, rows: Rows, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a judge's file; stop with an error at the first that looks like a person's.

    Columns and values decide, in whatever order the rows come.
    """
    machines: set[str] = set()  # columns with a cell that names a program
    others: dict[
        str, tuple[int, Any]
    ] = {}  # columns with a cell that names neither a program nor a person: its line and value
    for line, row in rows:
        for column, value in _given_by(row) if isinstance(row, dict) else ():
            kind = kind_of(value)
            if kind == "machine":
                machines.add(column)
            elif kind == "" and not is_of_people(column):
                others.setdefault(column, (line, value))
            place, shown = (line, value) if kind == "person" else others.get(column, (0, None))
            if kind == "person" or (column in machines and column in others):
                report.error(place, mixed(column, shown, "a person's"))
                return
            if _names_a_person(row, column, value):
                at, what = _place(path, line)
                report.error(
                    at,
                    f"this {what} {column!r}: these look like people's ratings. Import them as ratings. If "
                    "it names judges, call it 'judge'.",
                )
                return
        yield line, row


def with_raters(
    path: Path, rows: Rows, report: ImportReport, rater_column: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows with the person under "rater".

    Reports an error if it is unclear which column names the person, or if another one names more people.
    """
    raters: set[str] = set()
    others: dict[str, set[str]] = {}
    columns: dict[str, int] = {}  # columns read as the rater, each with its first line
    for line, row in rows:
        if rater_column:
            if rater_column not in row:
                column_names = ", ".join(shortened(str(name)) for name in list(row)[:MAX_COLUMNS_NAMED])
                report.error(
                    line, f"there is no column {shortened(rater_column)!r}; there are {column_names}"
                )
                return
            other_fields = {
                name: value
                for name, value in row.items()
                if name not in ALIASES["rater"] and name != rater_column
            }
            row = {**other_fields, "rater": row[rater_column]}
        elif not any(name in row for name in ALIASES["rater"]) and (
            similar := column_like(row, *ALIASES["rater"])
        ):
            report.error(_place(path, line)[0], rename_sentence(*similar))
            return
        elif not any(name in row for name in ALIASES["rater"]) and (
            candidates := [name for name in row if is_of_people(name) or may_be_of_people(name)]
        ):
            at, _ = _place(path, line)
            report.error(
                at,
                "who gave these labels? No column is called 'rater', but "
                f"{', '.join(map(repr, candidates[:MAX_COLUMNS_NAMED]))} may name the people. "
                f"{SAY_WHICH}, such as --rater-column {candidates[0]}",
            )
            return
        else:
            raters.add(str(field(row, "rater")))
            read = next((name for name in ALIASES["rater"] if row.get(name) not in (None, "")), None)
            if read is not None and columns.setdefault(read, line) == line and len(columns) > 1:
                report.error(
                    line,
                    "who gave these labels? Some rows name the person in "
                    f"{' and others in '.join(map(repr, columns))}. {SAY_WHICH}",
                )
                return
            for name, value in row.items():
                if name != read and value not in (None, "") and is_of_people(name):
                    others.setdefault(name, set()).add(str(value))
        yield line, row
    for name, values in others.items():
        if len(values) > len(raters):
            report.error(
                0,
                f"who gave these labels? {name!r} names {len(values):,} people, and the column read as the "
                f"rater names {len(raters):,}. {SAY_WHICH}",
            )


def of_people(path: Path, rows: Rows, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield the rows of a file of ratings; stop with an error at the first that looks like a judge's.

    Such a row has a column for a judge or model and none for a rater, or says that a program gave the label.
    """
    for line, row in rows:
        at, what = _place(path, line)
        judged = [column for names in JUDGED for column in row if _is(column, *names)]
        model = judged[0] if judged else None
        if model is not None and not any(
            _is(column, *ALIASES["rater"]) or is_of_people(column) for column in row
        ):
            report.error(
                at,
                f"this {what} {model!r} and none that names a rater: these look like a judge's labels. "
                "Import them as a judge's labels. If people gave them, name the people in 'rater'.",
            )
            return
        judge = next(
            (column for column in row if _is(column, *ALIASES["judge"]) and row[column] not in (None, "")),
            None,
        )
        if judge is not None:
            report.error(
                line,
                f"{judge!r} says {shortened(str(row[judge]))!r} next to the name of a person: whose label is "
                f"it? If a person gave it, delete or rename {judge!r}; if the judge did, import the row as a "
                "judge's label",
            )
            return
        for column, value in _given_by(row):
            if kind_of(value) == "machine" or (is_of_people(column) and is_machine(value)):
                report.error(line, mixed(column, value, "a judge's"))
                return
        yield line, row


def _given_by(row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """Return (column, value) of the cells that may say who gave the label."""
    return [
        (column, value)
        for column, value in row.items()
        if value not in (None, "") and (is_of_people(column) or may_be_of_people(column))
    ]


def _names_a_person(row: Mapping[str, Any], column: str, value: object) -> bool:
    """Tell whether a cell in a judge's row names a person. A model under "rater" counts as one unless another
    column names the judge.
    """
    return is_of_people(column) and (
        not is_machine(value) or (_is(column, "rater") and field(row, "judge") is None)
    )


def mixed(column: str, value: object, giver: str) -> str:
    """Return the error for a row that looks as if somebody else gave it; `giver`: "a person's" or "a
    judge's".
    """
    return (
        f"{column!r} says {shortened(str(value))!r}: this row looks like {giver}. If the file holds labels "
        "of people and of a judge, split it: import the people's rows as ratings and the others as a judge's "
        "labels. If the column means something else, rename it"
    )


def _words(column: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", str(column))}


def _is(column: str, *names: str) -> bool:
    return str(column).strip().casefold() in names


def _place(path: Path, line: int) -> tuple[int, str]:
    """Return the line of the columns and how to name one: line 1 for a table, otherwise each row has its own
    fields.
    """
    return (1, "file has a column") if path.suffix.lower() in TABLES else (line, "file has a field")
