"""The drift report: what the Drift page shows with the choices that it begins with, in one document."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from data.labels import agreement_material
from data.record import curves
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Block, Paragraph, Report, Section, Table
from reports.drift import anchor_rounds, period_agreement, turn_words, what_moved
from reports.drift.agreement_by_date import AXES, PeriodView
from reports.drift.conversation_curves import name_curves
from reports.drift.curve_kinds import in_order
from reports.drift.embedders import embedder_blocks
from reports.drift.label_correlation import beside_labels
from reports.drift.level_words import level_chart, level_table, level_words
from reports.drift.over_time import judge_choice, read_over_time
from reports.drift.rater_tables import CHARTS, rater_table, rounds_table
from reports.drift.rater_words import summary
from reports.drift.raters import gather_raters, of_everyone
from reports.drift.run_tables import section as runs_section
from reports.drift.summaries import of_study
from reports.kinds import ReportChoices
from reports.render.files import report_files
from reports.study_settings import study_settings
from reports.unit_ids import name_units
from services.anchors import on_anchors

NO_CURVES = "No metric over the turns has been computed yet."
NO_PERIODS = "No labels of clinicians and a judge have a known day yet."
NO_ANCHORS = "No set of conversations has been locked yet."
NO_RATERS = "No single rater can be shown yet. This needs labels given here on several days."


def drift_report(connection: Connection, study: Study) -> Report:
    """Return the drift report on the judge in use, else the first (on the judges in use at the time, if
    there were several); raters under codes.
    """
    choice = judge_choice(connection, study)
    sections = [
        Section("over_the_turns", "Over the turns", _blocks(_over_the_turns(connection, study), NO_CURVES)),
        Section(
            "over_time",
            "Agreement over time",
            _blocks(_over_time(connection, study, choice.usual) if choice else iter(()), NO_PERIODS),
        ),
        Section(
            "the_judge",
            "The judge on the locked set",
            _blocks(_judge(connection, study), NO_ANCHORS),
        ),
        Section("the_raters", "The raters", _blocks(_raters(connection, study), NO_RATERS)),
    ]
    runs = runs_section(of_study(connection, study))
    return Report(
        f"Drift: {study.title}",
        (f"Judge: {choice.names[choice.usual]}" if choice else "This study has no judge yet.",),
        (),
        (*sections, runs) if runs else tuple(sections),
        {
            **study_settings(study),
            "judge": choice.names[choice.usual] if choice else "none",
            "interval": "95 %, over conversations, as in docs/reference_statistics.md",
        },
        study.noun,
    )


def write_files(connection: Connection, study: Study, _choices: ReportChoices) -> dict[str, bytes]:
    """Return file name -> content of the report, as `report_files` does; the choices change nothing."""
    return report_files(name_units(connection, study, drift_report(connection, study)))


def _blocks(blocks: Iterator[Block], nothing: str) -> tuple[Block, ...]:
    """`nothing`: why there are none."""
    return tuple(blocks) or (Paragraph(nothing),)


def _over_the_turns(connection: Connection, study: Study) -> Iterator[Block]:
    embedders = curves.embedders(connection, study.id)
    kinds = in_order(curves.kinds(connection, study.id), embedders)
    if not kinds:
        return
    labels = agreement_material.read(connection, study, None)
    for number, kind in enumerate(kinds, start=1):
        table = curves.read(connection, study.id, *kind)
        divides = table.divides()
        drift = name_curves(table, divides[0] if divides else None, kind, embedders, study.noun)
        key = f"curves_{number}"
        yield turn_words.curves_chart(drift, key)
        for block in (
            *turn_words.blocks(drift),
            turn_words.by_turn_table(drift),
            *turn_words.where_it_leaves(drift),
            *beside_labels(table, labels, drift.what),
        ):
            # Every kind of curve has the same tables: their keys tell them apart.
            yield replace(block, key=f"{key}_{block.key}") if isinstance(block, Table) else block
    yield from embedder_blocks(embedders, lambda kind: curves.read(connection, study.id, *kind), labels)


def _over_time(connection: Connection, study: Study, judge: int) -> Iterator[Block]:
    source = read_over_time(connection, study, judge)
    if not len(source.pairs.same):
        yield Paragraph("Nothing this judge labelled was rated blind, so there is no agreement to follow.")
        return
    if not source.axes:
        yield Paragraph("No label has a known date, so agreement over time cannot be estimated.")
        return
    shown = PeriodView(source, *source.usual_choice)
    axis = AXES[shown.axis]
    yield Paragraph(f"Time is: {axis[:1].lower()}{axis[1:]}.", "small")
    if shown.too_many is not None:
        yield Paragraph(f"{shown.too_many}.")
        return
    yield from what_moved.blocks(shown)
    yield what_moved.table(shown)
    yield period_agreement.agreement_chart(shown)
    yield from period_agreement.blocks(shown)
    yield period_agreement.periods_table(shown)
    if shown.by is not None:
        yield period_agreement.mix_table(shown)
    if any(estimate.value is not None for estimate in shown.levels):
        yield level_chart(shown)
        yield from level_words(shown)
        yield level_table(shown)


def _judge(connection: Connection, study: Study) -> Iterator[Block]:
    drift = on_anchors(connection, study)
    yield from anchor_rounds.state(drift)
    rounds = anchor_rounds.lines(drift.answers) if drift.newest is not None else []
    if rounds:
        yield Paragraph(f"{anchor_rounds.title(drift, rounds)}.")
        yield anchor_rounds.rounds_table(drift, rounds)
    decisions = anchor_rounds.decisions_table(drift)
    if decisions is not None:
        yield decisions


def _raters(connection: Connection, study: Study) -> Iterator[Block]:
    source = gather_raters(connection, study, None)
    if not source.raters:
        return
    drift = of_everyone(source, source.length, named=False)
    yield from summary(drift)
    yield rater_table(drift)
    for make_chart, make_table in CHARTS:
        chart = make_chart(drift)
        if chart is not None:
            yield chart
            yield make_table(drift)
    rounds = rounds_table(drift)
    if rounds is not None:
        yield rounds
