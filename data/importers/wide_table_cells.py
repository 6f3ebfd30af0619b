"""Read the cells of a wide table into rows for the other importers; cells without a label go into the
report.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from data.importers import conversations
from data.importers.report import ImportReport
from data.importers.run_numbers import MAX_CELL_SHOWN
from data.record.studies import Study
from scoring.instruments import Criterion, Scale


@dataclass
class WideRows:
    """Rows for the importers of ratings and judgements, and the items they belong to."""

    items: list[conversations.ConversationRow] = field(default_factory=list)
    ratings: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    judgements: list[tuple[int, dict[str, Any]]] = field(default_factory=list)


@dataclass(frozen=True)
class WideColumns:
    labels: Mapping[str, tuple[str, Criterion]]
    keys: tuple[str, ...]
    facts: tuple[str, ...]
    rater: str | None


class LabelCells:
    """Reads the cells with labels into rows, and reports those without."""

    def __init__(
        self,
        study: Study,
        columns: WideColumns,
        judges: Sequence[str],
        read: WideRows,
        report: ImportReport,
    ) -> None:
        self._columns, self._into, self._report = columns, read, report
        self._judges = {name.casefold() for name in judges}
        self._sorts = [
            _ScaleCells(study.instrument.scale_of(criterion)) for _, criterion in columns.labels.values()
        ]
        # If each person has rows, only one row of an item may hold a judge's label: (item, judge, criterion)
        # -> line.
        self._empty: dict[tuple[str, str, str], int] = {}
        self._full: set[tuple[str, str, str]] = set()

    def read(self, line: int, row: Mapping[str, Any], key: str, rater: str) -> None:
        """Read the label cells of one row into rows of ratings or judgements; cells without a label are
        reported.
        """
        bad: dict[tuple[str, str], dict[str | None, list[str]]] = {}
        for (name, (who, criterion)), sort in zip(self._columns.labels.items(), self._sorts, strict=True):
            label, raw = sort.read(row.get(name))
            judged = who.casefold() in self._judges
            if judged and raw is None and label is None and self._columns.rater is not None:
                self._empty.setdefault((key, who, criterion.id), line)
                continue
            if label is None:
                bad.setdefault((who, sort.expected), {}).setdefault(raw, []).append(name)
            fields_of_label = (
                {"label": label}
                if label is not None
                else {"status": "missing" if raw is None else "invalid", "detail": raw}
            )
            if judged:
                self._full.add((key, who, criterion.id))
                self._into.judgements.append(
                    (
                        line,
                        {"conversation_id": key, "judge": who, "criterion": criterion.id, **fields_of_label},
                    )
                )
            elif label is not None:
                self._into.ratings.append(
                    (
                        line,
                        {
                            "conversation_id": key,
                            "rater": rater or who,
                            "criterion": criterion.id,
                            **fields_of_label,
                        },
                    )
                )
        for (who, expected), cells in bad.items():
            label_problem = "; ".join(
                f"{', '.join(names)}: {'empty' if raw is None else repr(raw)}" for raw, names in cells.items()
            )
            outcome = "kept as a failure of the judge" if who.casefold() in self._judges else "left out"
            self._report.notice(line, f"{label_problem}. Expected one of {expected}", outcome)
            self._report.bad_cells += sum(map(len, cells.values()))

    def keep_missing(self) -> None:
        """Record a judge's failure for every item and criterion without a label in any row; call it after the
        last row.
        """
        for (key, who, criterion_id), line in self._empty.items():
            if (key, who, criterion_id) not in self._full:
                self._report.notice(
                    line,
                    f"no row of {key!r} holds a label of {who!r} for {criterion_id}",
                    "kept as a failure of the judge",
                )
                self._report.bad_cells += 1
                self._into.judgements.append(
                    (
                        line,
                        {
                            "conversation_id": key,
                            "judge": who,
                            "criterion": criterion_id,
                            "status": "missing",
                            "detail": None,
                        },
                    )
                )


class _ScaleCells:
    """Reads the cells of one scale; each distinct cell is read once."""

    def __init__(self, scale: Scale) -> None:
        self._scale = scale
        self._known: dict[str, tuple[str | None, str | None]] = {"": (None, None)}
        self.expected = ", ".join(level.id for level in scale.labels())

    def read(self, cell: Any) -> tuple[str | None, str | None]:
        """Return (label, None or the cell cut to MAX_CELL_SHOWN characters). The label is None if the cell
        holds none.
        """
        text = "" if cell is None else str(cell).strip()
        if text not in self._known:
            self._known[text] = (
                self._scale.label(text),
                text if len(text) <= MAX_CELL_SHOWN else f"{text[:MAX_CELL_SHOWN]}…",
            )
        return self._known[text]
