"""The metrics report: what the Metrics page shows a study lead, in one document and with every row."""

from __future__ import annotations

from collections.abc import Iterator

from data.record.metrics import MetricValue
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Block, Paragraph, Report, Section
from reports.kinds import ReportChoices
from reports.metrics import faithfulness, judge_label_blocks, step_threshold
from reports.metrics.answer_of_study import answer_blocks, metrics_answer
from reports.metrics.by_conversation import conversations_table
from reports.metrics.findings import MetricsFindings, gather_metrics
from reports.metrics.not_computed import READING, not_computed, nothing_computed
from reports.metrics.whole_study import average_curves, study_table
from reports.render.files import report_files
from reports.study_settings import study_settings
from reports.unit_ids import name_units


def metrics_report(connection: Connection, study: Study, bands: bool = False) -> Report:
    """Return the report on all metrics. `bands`: read Step-F1 by the published bands, which are
    uncalibrated.
    """
    findings = gather_metrics(connection, study)
    return Report(
        f"Metrics: {study.title}",
        (study.provenance,) if study.provenance else (),
        (),
        tuple(_sections(connection, study, findings, bands)),
        {**study_settings(study), "versions": _versions([*findings.present, *findings.of_labels])},
        study.noun,
    )


def write_files(connection: Connection, study: Study, choices: ReportChoices) -> dict[str, bytes]:
    """Return file name -> content of the report, as `report_files` does; of the choices only `bands`
    counts.
    """
    return report_files(name_units(connection, study, metrics_report(connection, study, choices.bands)))


def _sections(
    connection: Connection, study: Study, findings: MetricsFindings, bands: bool
) -> Iterator[Section]:
    """Those that have anything to tell."""
    if findings.nothing:
        yield Section("nothing", "Nothing yet", (Paragraph(nothing_computed(connection, study)),))
        return
    parts: tuple[tuple[str, str, Iterator[Block]], ...] = (
        ("answer", "In one line", answer_blocks(metrics_answer(connection, study, findings))),
        ("whole_study", "Together", _together(findings.of_study)),
        (
            "step_threshold",
            step_threshold.TITLE,
            step_threshold.threshold_blocks(connection, study, findings.of_study),
        ),
        (
            "faithfulness",
            faithfulness.TITLE,
            faithfulness.faithfulness_blocks(connection, study, findings.of_conversations, bands),
        ),
        (
            "by_conversation",
            "One by one",
            conversations_table(connection, findings.of_conversations, named=True),
        ),
        (
            "from_judges",
            judge_label_blocks.TITLE,
            judge_label_blocks.judge_blocks(connection, study, findings),
        ),
        ("not_computed", "Not computed here", not_computed(findings.present)),
    )
    for key, title, part in parts:
        blocks = tuple(part)
        if blocks:
            yield Section(key, title, blocks)
    yield Section("reading", "How to read them", (READING,))


def _together(values: list[MetricValue]) -> Iterator[Block]:
    yield from study_table(values)
    for curve in average_curves(values):
        yield from (curve.chart, curve.table)


def _versions(values: list[MetricValue]) -> str:
    """Of every metric, each version that a number here was computed with."""
    return ", ".join(sorted({f"{value.metric} {value.version}" for value in values})) or "none"
