"""What is not there: nothing computed yet, or what this installation cannot compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.metrics import MetricValue
from data.studies import Study
from reports.document import Block, Paragraph
from runs.scoring import shown_metrics
from scoring.models.configured import ModelMissing, entailment

READING = Paragraph(
    "What each number means, and where it misleads, is in docs/metrics.md. Where there is no number, there "
    "is a reason.",
    "small",
)


def nothing_computed(study: Study) -> str:
    return f"Nothing was computed for this study yet. In a terminal: second-reader score {study.key}"


def not_computed(present: Sequence[MetricValue]) -> Iterator[Block]:
    """What this installation cannot compute, and what would have to be there."""
    titles = shown_metrics.titles_without_entailment(present)
    if titles:
        try:
            entailment().entry()
        except ModelMissing as missing:
            yield Paragraph(f"Not computed: {', '.join(titles)}. {missing}", "small")
    for problem in shown_metrics.problems():
        yield Paragraph(problem, "small")
