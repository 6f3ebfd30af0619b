"""Read files that published programs write as rows of judgements or ratings."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from data.importers import reading, unit_lookup
from data.importers.columns import known_rows, labelled_rows
from data.importers.file_sample import FileSample
from data.importers.imported_judgements import JUDGEMENT_FIELDS
from data.importers.imported_ratings import RATING_FIELDS
from data.importers.report import ImportReport, counted
from data.importers.table_files import TABLES
from data.importers.turns import TEXT_COLUMNS
from scoring.rubric import ERROR

Rows = Iterator[tuple[int, dict[str, Any]]]
TRIAL_FIELDS = ("trial", "parsed", "trial_alignment", "raw_output", "usage", "skipped", "reason", "error")
ASSESSMENT_FIELDS = (
    *(
        "conversation_id",
        "id",
        "judge",
        "rater",
        "exposure",
        "instrument",
        "answers",
        "reasonings",
        "failures",
    ),
    *("cannot_rate", "incomplete", "not_asked", "pass", "score", "category_scores", "threshold", "weights"),
    *("failed_checks", "failed_safety", "safety_gate_failed", "error_count", "strict"),
)


def judgments_json(path: Path, report: ImportReport) -> Rows:
    """Yield the rows of `judgments.json` of plan-output alignment: trial n is the conversation `trial_0n`.

    A skipped trial gives no row. A failed trial is a failure of every declared strategy, and a declared
    strategy without a score is "missing"; the published program counts both as 0, which is wrong.
    """
    for number, entry in known_rows(reading.json_values(path, report), TRIAL_FIELDS, report):
        trial = entry.get("trial") if isinstance(entry, dict) else None
        if not isinstance(trial, int):
            report.error(number, "expected an object with the number of its trial")
            continue
        key = {"conversation_id": f"trial_{trial:02d}"}
        parsed = entry.get("parsed")
        if entry.get("skipped"):
            report.notice(
                number, f"trial {trial} was skipped by the judge ({entry.get('reason', 'no reason given')})"
            )
        elif "error" in entry:
            yield (
                number,
                {**key, "criterion": unit_lookup.EVERY, "status": "failed", "detail": entry["error"]},
            )
        elif not isinstance(parsed, dict):
            report.error(number, f"trial {trial} has neither parsed scores nor an error")
        else:
            for strategy, verdict in parsed.items():
                given = verdict if isinstance(verdict, dict) else {}
                if given.get("reasoning") == "not scored by judge":
                    yield number, {**key, "criterion": strategy, "status": "missing", "undeclared": "ignore"}
                else:
                    yield (
                        number,
                        {
                            **key,
                            "criterion": strategy,
                            "label": given.get("score"),
                            "reasoning": given.get("reasoning"),
                            "undeclared": "ignore",
                        },
                    )
            yield number, {**key, "criterion": unit_lookup.EVERY, "status": "missing", "except": list(parsed)}


def assessments(path: Path, report: ImportReport) -> Rows:
    """Yield the rows of assessments by a judge: `answers` and `reasonings` by criterion, with a
    conversation_id.

    The answer ERROR is a failure; `failures` may name its kind.
    """
    for number, entry in known_rows(reading.json_values(path, report), ASSESSMENT_FIELDS, report):
        failures = entry.get("failures") if isinstance(entry, dict) else None
        failures = failures if isinstance(failures, dict) else {}
        for row in _answer_rows(number, entry, path, report):
            failed = str(row["label"]) == ERROR
            status = failures.get(row["criterion"], "failed")
            yield (
                number,
                {**row, "label": None, "status": status, "detail": row["reasoning"]} if failed else row,
            )


def assessments_of_people(path: Path, report: ImportReport, exposure: str) -> Rows:
    """Yield the rows of assessments by people, each with its `rater`; reasonings become notes.

    "Cannot rate" is not a label. An entry whose own `exposure` differs from the given one is an error.
    """
    cannot_rate = 0
    for number, entry in known_rows(reading.json_values(path, report), ASSESSMENT_FIELDS, report):
        stated = entry.get("exposure") if isinstance(entry, dict) else None
        if stated and exposure and stated != exposure:
            report.error(
                number,
                f"the file says {str(stated)[:40]!r} about what this rater had seen of the judge, but you "
                f"said {exposure!r}; correct one of them",
            )
            return
        without_label = entry.get("cannot_rate") if isinstance(entry, dict) else None
        cannot_rate += len(without_label) if isinstance(without_label, dict) else 0
        for row in _answer_rows(number, entry, path, report):
            yield number, {("note" if name == "reasoning" else name): value for name, value in row.items()}
    if cannot_rate:
        report.notice(
            0, f'left out: "cannot rate" for {counted(cannot_rate, "questions")}, which is not a label'
        )


def _answer_rows(number: int, entry: Any, path: Path, report: ImportReport) -> Iterator[dict[str, Any]]:
    """Yield a row for each answer of an assessment, with the judge or rater that the entry names."""
    answers = entry.get("answers") if isinstance(entry, dict) else None
    if not isinstance(answers, dict):
        report.error(number, "expected an object with answers by criterion")
        return
    reasons = entry.get("reasonings")
    reasons = reasons if isinstance(reasons, dict) else {}
    names = {name: entry[name] for name in ("judge", "rater") if entry.get(name)}
    for criterion, answer in answers.items():
        yield {
            "conversation_id": entry.get("conversation_id", entry.get("id", path.stem)),
            **names,
            "criterion": criterion,
            "label": answer,
            "reasoning": reasons.get(criterion),
        }


def embedded(path: Path, report: ImportReport, names: dict[str, str], role: str) -> Rows:
    """Yield labels inside conversations: {"ratings": {who: {criterion: label}}}.

    Args:
        names: who is wanted -> the name to use.
        role: the field for that name, "rater" or "judge".
    """
    for number, entry in reading.json_values(path, report):
        ratings = entry.get("ratings") if isinstance(entry, dict) else None
        for who, given in (ratings if isinstance(ratings, dict) else {}).items():
            if who in names and isinstance(given, dict):
                for criterion, label in given.items():
                    if label is not None:
                        yield (
                            number,
                            {
                                "conversation_id": entry.get("conversation_id", entry.get("id")),
                                role: names[who],
                                "criterion": criterion,
                                "label": label,
                            },
                        )


def judged(path: Path, report: ImportReport) -> Rows:
    """Yield the rows of a file of judgements: our own rows, or a published form."""
    form = guess(path)
    if form == "rows":
        return labelled_rows(path, ("conversation_id", "criterion", "label"), report)
    return (judgments_json if form == "judgments_json" else assessments)(path, report)


def rated(path: Path, report: ImportReport, exposure: str = "") -> Rows:
    """Yield the rows of a file of people's ratings: our own rows, or assessments.

    Args:
        exposure: what the raters had seen of the judge, as stated.
    """
    if guess(path) == "assessments":
        return assessments_of_people(path, report, exposure)
    return labelled_rows(path, ("conversation_id", "rater", "criterion", "label"), report)


def holds_labels(sample: FileSample, of_people: bool) -> bool:
    """Tell whether a file that begins like this holds labels of people, or of a judge, as our own rows or in
    a published form. Rows with any other column are a table for a mapping.
    """
    columns = set(sample.columns)
    if not sample.is_table and columns & {"answers", "trial"}:
        return of_people == ("rater" in columns)
    fields = {*(RATING_FIELDS if of_people else JUDGEMENT_FIELDS), "turn", *TEXT_COLUMNS}
    needed = {"conversation_id", "criterion", *(("rater", "label") if of_people else ())}
    return needed <= columns <= fields and bool(columns & {"label", "status"})


def guess(path: Path) -> str:
    """Return the form of a file of labels by its first entry: "rows", "judgments_json" or "assessments"."""
    if path.suffix.lower() in TABLES:
        return "rows"
    first = next((value for _, value in reading.json_values(path, ImportReport(path.name))), None)
    if isinstance(first, dict) and "trial" in first:
        return "judgments_json"
    if isinstance(first, dict) and isinstance(first.get("answers"), dict):
        return "assessments"
    return "rows"
