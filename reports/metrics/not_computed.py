"""What is not there: nothing computed yet, or what this installation cannot compute."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.record.metrics import MetricValue
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Block, Paragraph
from runs.scoring import shown_metrics
from runs.scoring.missing_material import missing_material
from scoring.models.model_settings import ModelMissing, entailment
from words.plurals import join_words

READING = Paragraph(
    "Help, under Metrics, explains what each number means and where it misleads. Where a number is missing, "
    "the reason is given.",
    "small",
)


def nothing_computed(connection: Connection, study: Study, for_lead: bool = True) -> str:
    """Return why a study has no numbers: no metric applies, else "Nothing was computed for this study
    yet.".

    `for_lead`: with the command that computes them, in the second case.
    """
    way = f" In a terminal: second-reader score {study.key}" if for_lead else ""
    return no_metric_applies(connection, study) or f"Nothing has been computed for this study yet.{way}"


def no_metric_applies(connection: Connection, study: Study) -> str:
    """Return that there is nothing to compute, and what the study would need; "" if a metric applies."""
    materials = missing_material(connection, study)
    if not materials:
        return ""
    return (
        "No metric applies to this study, so there is nothing to compute: it has no "
        f"{join_words(materials, 'or')}. Help, under Metrics, explains what each number needs."
    )


def not_computed(present: Sequence[MetricValue], for_lead: bool = True) -> Iterator[Block]:
    """Yield what this installation cannot compute, and for a study lead what is missing."""
    titles = shown_metrics.titles_without_entailment(present)
    if titles:
        try:
            entailment().entry()
        except ModelMissing as missing:
            words = (
                f"Not computed: {', '.join(titles)}. {missing}"
                if for_lead
                else f"Not computed here: {join_words(titles)}."
            )
            yield Paragraph(words, "small")
    for problem in shown_metrics.problems() if for_lead else ():
        yield Paragraph(problem, "small")
