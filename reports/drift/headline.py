"""What moved over time, in one sentence for the top of a page, and the rest in a line each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reports.document import Shape
from reports.drift.agreement_by_date import PeriodView
from reports.drift.level_words import NAME, level_sentence
from reports.drift.rater_movement import CALLED, sentence
from scoring.drift.findings import Finding
from words.plurals import count, join_words


@dataclass(frozen=True)
class MovedRow:
    """One thing that may have moved: `shape` no where it did, yes where no change is clear, unknown where it
    cannot be told.
    """

    shape: Shape
    words: str


def headline(shown: PeriodView, names: Mapping[int, str]) -> str:
    """Everything that is seen to move, the level first; else that nothing is, and of what it cannot be told.
    `names`: what each rater is called here.
    """
    moved = [finding for finding in _findings(shown) if finding.named]
    if moved:
        return " ".join(_words(finding, shown, names) for finding in _without_repetition(moved, shown))
    any_tested = any(finding.untold is None for finding in shown.findings)
    periods = count(shown.line.known, shown.length, f"{shown.length}s")
    if not any_tested:
        return f"Whether anything moved cannot be told yet, from {periods}."
    if any(finding.named for finding in shown.findings):  # agreement itself, and none of its sources
        return f"Agreement with the judge moved over {periods}; who or what moved it is not seen."
    untold = [_called(finding) for finding in _findings(shown) if finding.untold is not None]
    limitation = f"; of {join_words(untold)} it cannot be told" if untold else ""
    return f"Nothing is seen to move over {periods}{limitation}."


def rows(shown: PeriodView, names: Mapping[int, str]) -> list[MovedRow]:
    """Each source, and the level, that the headline does not name; what moved first."""
    in_headline = _without_repetition([finding for finding in _findings(shown) if finding.named], shown)
    return [
        MovedRow(
            "no" if finding.named else "yes" if finding.untold is None else "unknown",
            _words(finding, shown, names),
        )
        for finding in sorted(_findings(shown), key=lambda finding: (not finding.named, finding.untold or ""))
        if finding not in in_headline
    ]


def _findings(shown: PeriodView) -> list[Finding]:
    return [shown.level, *shown.moved]


def _without_repetition(moved: list[Finding], shown: PeriodView) -> list[Finding]:
    """Where the level says that the judge moved on the anchors as well, the anchors say nothing more."""
    by_level = shown.level.named and shown.mover[0] == "judge" and shown.mover[1] is not None
    return [finding for finding in moved if not (by_level and finding.kind == "judge")]


def _words(finding: Finding, shown: PeriodView, names: Mapping[int, str]) -> str:
    return level_sentence(shown) if finding.kind == "level" else sentence(finding, shown, names)


def _called(finding: Finding) -> str:
    name = NAME if finding.kind == "level" else CALLED[finding.kind]
    return name[:1].lower() + name[1:]
