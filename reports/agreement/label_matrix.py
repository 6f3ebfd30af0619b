"""The labels of one criterion as other programs read them: units by raters for R, and by who gave them for
the alt-test program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from reports.agreement.findings import Findings
from scoring.agreement.label_data import Question
from scoring.arrays import IntArray

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
        """Where a rule decides there is no unit, as there is no pair in the report."""
        material, table = findings.material, findings.material.units
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
        """A header, then a row a unit, with an empty cell where there is no label."""
        yield (
            UNIT,
            *(f"rater {name}" if name in {UNIT, JUDGE} else name for name in self.people),
            JUDGE,
        )
        texts = np.array([*self.question.domain, ""], dtype=object)  # NO_LABEL finds the last
        columns = [texts[codes].tolist() for codes in (*self.people.values(), self.judge)]
        yield from zip(map(str, self.units.tolist()), *columns, strict=True)

    def for_alt_test(self) -> dict[str, object]:
        """Labels by unit, of each person and of the judge. On an ordered scale they are what they count,
        without "does not apply", which has no place in it.
        """
        domain, values = self.question.domain, self.question.values
        counted = list(values) if self.question.ordinal else list(domain)
        counts = np.array([value is not None for value in counted])
        texts = np.array(counted, dtype=object)
        keys = np.array(list(map(str, self.units.tolist())), dtype=object)

        def by_unit(codes: IntArray) -> dict[str, str | float]:
            compared: NDArray[np.bool_] = codes != NO_LABEL
            compared[compared] = counts[codes[compared]]
            return dict(zip(keys[compared].tolist(), texts[codes[compared]].tolist(), strict=True))

        return {
            "humans": {name: by_unit(codes) for name, codes in self.people.items()},
            "llm": by_unit(self.judge),
        }
