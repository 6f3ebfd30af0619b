"""The labels of one criterion as other programs read them: units by raters for R, and by who gave them for
the alt-test program.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from reports.agreement.findings import Findings
from scoring.agreement.labels.label_data import Question
from scoring.arrays import IntArray, Mask

NO_LABEL = -1
JUDGE, UNIT = "judge", "unit"  # headings of columns, which no rater may have for a name


@dataclass(frozen=True, eq=False)
class LabelMatrix:
    """`units`: their positions in the study, ascending; `judge` and each of `people` (by the name that is
    shown): for each of them a position in the question's domain, or NO_LABEL.
    """

    question: Question
    units: IntArray
    people: Mapping[str, IntArray]
    judge: IntArray

    @classmethod
    def of_question(cls, findings: Findings, number: int) -> LabelMatrix:
        """Return everybody's labels of a question, also of raters who are not in the headline.

        Units for which a rule decides are left out.
        """
        material, table = findings.everyone, findings.everyone.units
        labels, judge = (
            material.labels_without_rule(number, findings.asked.arm),
            material.judge_labels(number),
        )
        judge = judge.where(~material.by_rule(number, judge.unit))
        labelled = np.union1d(labels.unit, judge.unit)
        positions = table.position[table.at(labelled)]
        order = np.argsort(positions, kind="stable")
        row_of = np.empty(len(order), dtype=np.intp)
        row_of[order] = np.arange(len(order))

        def column(unit: IntArray, code: IntArray) -> IntArray:
            codes = np.full(len(labelled), NO_LABEL, dtype=np.int64)
            codes[row_of[np.searchsorted(labelled, unit)]] = code
            return codes

        raters_of: dict[str, list[int]] = {}
        for rater in np.unique(labels.rater).tolist():
            raters_of.setdefault(findings.names[rater], []).append(rater)
        people = {}
        for name in dict.fromkeys(findings.names.values()):
            if name in raters_of:
                theirs = np.isin(labels.rater, raters_of[name])
                people[name] = column(labels.unit[theirs], labels.code[theirs])
        return cls(material.questions[number], positions[order], people, column(judge.unit, judge.code))

    def rows(self) -> Iterator[tuple[str, ...]]:
        """Yield the header, then a row per unit, with "" where there is no label."""
        yield (
            UNIT,
            *(f"rater {name}" if name in {UNIT, JUDGE} else name for name in self.people),
            JUDGE,
        )
        texts = np.array([*self.question.domain, ""], dtype=object)  # NO_LABEL finds the last
        columns = [texts[codes].tolist() for codes in (*self.people.values(), self.judge)]
        yield from zip(map(str, self.units.tolist()), *columns, strict=True)

    def alt_test_file(self) -> bytes:
        """Return the JSON file for the alt-test program: labels by unit, of each person and of the judge.

        On an ordered scale they are the levels' values, and "does not apply" is left out.
        """
        question = self.question
        values: list[Any] = list(question.values if question.ordinal else question.domain)
        texts = np.array([json.dumps(value, ensure_ascii=False) for value in values], dtype=object)
        counts = np.array([value is not None for value in values], dtype=bool)
        names = list(map(str, self.units.tolist()))
        order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
        keys = np.array([f'"{names[row]}": ' for row in order], dtype=object)

        def by_unit(codes: IntArray, depth: int) -> str:
            codes = codes[order]
            compared: Mask = codes != NO_LABEL
            compared[compared] = counts[codes[compared]]
            return _json_object((keys[compared] + texts[codes[compared]]).tolist(), depth)

        humans = [
            f"{json.dumps(name, ensure_ascii=False)}: {by_unit(self.people[name], 2)}"
            for name in sorted(self.people)
        ]
        entries = [f'"humans": {_json_object(humans, 1)}', f'"llm": {by_unit(self.judge, 1)}']
        return f"{_json_object(entries, 0)}\n".encode()


def _json_object(entries: Sequence[str], depth: int) -> str:
    if not entries:
        return "{}"
    line = "\n" + " " * depth
    return "{" + f"{line} " + f",{line} ".join(entries) + line + "}"
