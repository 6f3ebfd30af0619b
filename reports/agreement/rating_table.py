"""The table of ratings: a row for each answer of a person or judge, and a file that explains its columns."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

from data.exporters.rating_rows import column_types, count_rating_rows, read_rating_rows
from data.exporters.table_files import check_table_file, write_explained_table
from data.labels.headline_labels import HeadlineLabels, read_headline_labels
from data.labels.headline_reasons import WhyNot
from data.record.studies import Study
from data.store.errors import Refused
from data.store.store import Connection
from reports.agreement.headline_raters import word_few_units, word_set_aside
from reports.agreement.rating_columns import COLUMNS
from scoring.judges.statuses import FAILURES

WHY_NOT = {
    WhyNot.REPEAT: "a second rating of the same {noun}",
    WhyNot.PRACTICE: "practice",
    WhyNot.NOT_IN_RUBRIC: "the rubric has no such criterion",
    WhyNot.RULE: "a rule of the rubric decides this question",
    WhyNot.SEEN_ELSEWHERE: "the rater had seen a judge of the same words in another study",
    WhyNot.NOT_BLIND: "given after the judge was shown",
    WhyNot.EXPOSURE_UNKNOWN: "unknown whether the rater had seen the judge",
    WhyNot.CANNOT_RATE: "the last blind answer is that it can't be rated",
    WhyNot.OTHER_ANSWER: "another answer of the same person counts",
    WhyNot.NOT_SELECTED: "the {noun} had no chance to be selected",
    WhyNot.NO_JUDGE_LABEL: "no label of the judge in use to compare it with",
    WhyNot.ANCHOR: "an answer about the locked set",
    WhyNot.OTHER_JUDGE: "not the judge in use",
    WhyNot.REPLICATE: "the judge was asked again",
    WhyNot.REPLACED_FAILURE: "a later answer replaced this failure",
    WhyNot.NO_RATING: "no blind label that counts to compare it with",
}


def write_rating_table(
    connection: Connection, study: Study, path: Path, words: bool = True
) -> tuple[int, Path]:
    """Write every answer to a new file (.csv, .jsonl, .parquet or .xlsx), and next to it what its columns
    mean; return the number of rows and the path of the second file.

    `words`: with notes, reasonings and marked words.

    Raises:
        Refused: there is no answer, the file can't hold the table, or the second file exists and differs.
        FileExistsError: the file exists.
    """
    row_count = count_rating_rows(connection, study)
    check_table_file(path, row_count)
    if not row_count:
        raise Refused("no_labels_yet", study=study.key)
    headline, types = read_headline_labels(connection, study), column_types()
    rows = read_rating_rows(
        connection, study, headline, list(COLUMNS), _explain_with(study, headline, words), words
    )
    columns = {name: types[name] for name in COLUMNS}
    return row_count, write_explained_table(path, columns, rows, explain_columns())


def explain_columns() -> bytes:
    """Return the data dictionary as CSV: a row per column of the table, in their order."""
    file = io.StringIO(newline="")
    out = csv.writer(file)
    out.writerow(("column", "meaning", "values"))
    out.writerows((name, *column) for name, column in COLUMNS.items())
    return file.getvalue().encode()


def _explain_with(
    study: Study, headline: HeadlineLabels, words: bool
) -> Callable[[WhyNot, int | None, str | None], str]:
    def explain(why: WhyNot, rater: int | None, status: str | None) -> str:
        if rater is not None and why is WhyNot.SET_ASIDE:
            return word_set_aside(headline.set_aside[rater]) if words else "set aside"
        if rater is not None and why is WhyNot.FEW_UNITS:
            return word_few_units(study, headline.thin[rater])
        if status is not None and why is WhyNot.FAILURE:
            return f"no label: {FAILURES.get(status, status)}"
        return WHY_NOT[why].format(noun=study.noun.singular)

    return explain
