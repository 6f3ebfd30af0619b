"""Who gave the labels of a table, people or a judge: a slip here would pass one off as the other.

Other tools keep both in one table, and name whoever gave a label in many ways. A column named for people
(`annotator_id`, `reviewer`) is believed unless it holds names of models; one that may mean anything
(`source`, `type`, `user`) is believed where its values say people or machine.
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
MAX_COLUMNS_NAMED = 8  # columns that are named
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


@lru_cache  # asked of every cell, and a file has few columns
def is_of_people(column: str) -> bool:
    """Whether a column is named for whoever gave a label: `annotator`, `reviewerId`, `rater_name`,
    `labelled_by`; `created_by` not.
    """
    words = _words(column)
    named = words & PEOPLE_WORDS or ("by" in words and words & RATING_VERBS)
    return bool(named) and words <= PEOPLE_WORDS | RATING_VERBS | DETAIL_WORDS


@lru_cache
def may_be_of_people(column: str) -> bool:
    """Whether a column may say who gave a label, or may mean something else: `source`, `user_id`,
    `created_by`.
    """
    words = _words(column)
    return bool(words & ANY_WORDS) and words <= ANY_WORDS | DETAIL_WORDS


def names_giver(column: str) -> bool:
    """Whether a column of a table of items looks as if it said who labelled them, not what they are: `source`
    and `type` do not, `created_by` does.
    """
    return is_of_people(column) or (may_be_of_people(column) and "by" in _words(column))


def is_machine(value: object) -> bool:
    """Whether a cell says that a program gave the label: LLM, code, gpt-4o."""
    text = str(value).strip()
    return MACHINE_KIND.fullmatch(text) is not None or MODEL_NAME.search(text) is not None


def kind_of(value: object) -> str:
    """What a cell of a column that may mean anything says of who gave the label: "person", "machine", or
    nothing where it says neither.

    The name of a model says nothing there: it may be the model that was talked to.
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
    """The rows up to the first that is a person's, as far as its columns and their values say so, in
    whichever order they stand.
    """
    machines: set[str] = set()  # columns that say somewhere that a program gave the label
    others: dict[
        str, tuple[int, Any]
    ] = {}  # columns that say somewhere neither that nor that a person did, and where
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
                    f"this {what} {column!r}: these look like people's ratings. Bring them in as ratings. "
                    "If judges are meant, name it 'judge'.",
                )
                return
        yield line, row


def with_raters(
    path: Path, rows: Rows, report: ImportReport, rater_column: str
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows with the person under "rater". What cannot be told goes into the report: a column that seems
    to name people and is not called so, or one that names more people than the one that is read.
    """
    raters: set[str] = set()
    others: dict[str, set[str]] = {}
    columns: dict[str, int] = {}  # the columns that were read as the rater, each with its first line
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
                f"who gave these labels? {name!r} names {len(values):,}, and the column that is read as the "
                f"rater {len(raters):,}. {SAY_WHICH}",
            )


def of_people(path: Path, rows: Rows, report: ImportReport) -> Iterator[tuple[int, dict[str, Any]]]:
    """The rows up to the first that is a judge's: it has a place for a judge or model and none for a rater,
    or says that a program gave it.
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
                "Bring them in as a judge's labels. "
                "If people gave them, say in 'rater' who.",
            )
            return
        judge = next(
            (column for column in row if _is(column, *ALIASES["judge"]) and row[column] not in (None, "")),
            None,
        )
        if judge is not None:
            report.error(
                line,
                f"{judge!r} says {shortened(str(row[judge]))!r} beside the name of a person: whose label is "
                "it? If a person gave it, take "
                f"{judge!r} out of the file or name it otherwise; if the judge did, bring the row in as a "
                "judge's label",
            )
            return
        for column, value in _given_by(row):
            if kind_of(value) == "machine" or (is_of_people(column) and is_machine(value)):
                report.error(line, mixed(column, value, "a judge's"))
                return
        yield line, row


def _given_by(row: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """The cells that may say who gave the label."""
    return [
        (column, value)
        for column, value in row.items()
        if value not in (None, "") and (is_of_people(column) or may_be_of_people(column))
    ]


def _names_a_person(row: Mapping[str, Any], column: str, value: object) -> bool:
    """Whether a cell of a row of a judge names a person; "rater" without a judge beside it is never one."""
    return is_of_people(column) and (
        not is_machine(value) or (_is(column, "rater") and field(row, "judge") is None)
    )


def mixed(column: str, value: object, giver: str) -> str:
    """That a row looks as if somebody else than the rest of the file gave it: `giver` is "a person's" or "a
    judge's".
    """
    return (
        f"{column!r} says {shortened(str(value))!r}: this row looks like {giver}. If the file holds labels "
        "of people and of a judge, divide it: bring the "
        "people's rows in as ratings and the others as a judge's labels. If the column says something else, "
        "give it another name"
    )


def _words(column: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", str(column))}


def _is(column: str, *names: str) -> bool:
    return str(column).strip().casefold() in names


def _place(path: Path, line: int) -> tuple[int, str]:
    """A table with a header has its columns on line 1; otherwise each line has fields of its own."""
    return (1, "file has a column") if path.suffix.lower() in TABLES else (line, "file has a field")
