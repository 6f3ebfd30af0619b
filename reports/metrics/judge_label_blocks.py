"""What is made of the labels of judges: for those alone who may see the labels of the whole study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from data.record import judgements, units
from data.record.metrics import MetricValue
from data.record.studies import Study
from data.store.batch_sizes import MAX_IDS_PER_QUERY
from data.store.store import Connection
from reports.document import Block, Paragraph, Table, UnitLink
from reports.metrics.findings import MetricsFindings
from reports.metrics.number_words import number
from runs.scoring import shown_metrics
from words.figures import decimal
from words.plurals import count
from words.unit_nouns import UnitNoun

TITLE = "From the judge's labels"


def judge_blocks(
    connection: Connection,
    study: Study,
    findings: MetricsFindings,
    most: int | None = None,
    for_lead: bool = True,
) -> Iterator[Block]:
    """Yield the numbers made of judges' labels.

    `most`: how many numbers of units are listed; None for all. `for_lead`: name the command that lists all.
    """
    values = findings.of_judges
    names = {judge.id: judge.name for judge in judgements.judges(connection, study.id)}
    yield from _alignment(study, [value for value in values if value.metric == "alignment_mean"], names)
    of_units = [value for value in values if value.subject.unit_id]
    listed = of_units[:most]
    if findings.unread or len(listed) < len(of_units):
        command = (
            f"Everything: second-reader report {study.key} --of metrics, in a terminal." if for_lead else ""
        )
        left_out = _left_out(len(listed), len(of_units), findings.unread, study.noun)
        yield Paragraph(f"{left_out}{command}", "small")
    if listed:
        yield _units(listed, names, _positions(connection, values), study.noun)


def _left_out(listed: int, present: int, unread: int, noun: UnitNoun) -> str:
    numbers = (
        f"Listed: {listed:,} of {present:,} numbers of judges on single {noun.plural}. "
        if listed < present
        else ""
    )
    later = (
        f"{count(unread, 'conversation', 'conversations')} further down the study left out of the list. "
        if unread
        else ""
    )
    return f"{numbers}{later}"


def _alignment(study: Study, means: Sequence[MetricValue], names: Mapping[int, str]) -> Iterator[Block]:
    if not means:
        return
    yield Table(
        "alignment",
        "Plan-output alignment",
        ("Judge", "Counted", "Mean", "Trials"),
        [
            (
                names[mean.subject.judge_id or 0],
                "judged trials only"
                if mean.variant == "judged"
                else "as published: skipped and failed trials and unscored strategies are 0",
                number(mean),
                f"{mean.detail.get('n', mean.detail['of'])} of {mean.detail['of']}",
            )
            for mean in means
        ],
        (2, 3),
    )
    strategies = (
        {strategy.id: strategy.name for strategy in study.taxonomy.strategies} if study.taxonomy else {}
    )
    with_strategies = [mean for mean in means if mean.detail.get("per_strategy")]
    for place, mean in enumerate(with_strategies, start=1):
        trials = mean.detail.get("trials_by_strategy", {})
        yield Table(
            f"by_strategy_{place}",
            f"By strategy, {names[mean.subject.judge_id or 0]}",
            ("Strategy", "Mean of its scores, divided by 2", "Trials"),
            [
                (strategies.get(name, name), decimal(value, 3), f"{trials.get(name, 0):,}")
                for name, value in mean.detail["per_strategy"].items()
            ],
            (1, 2),
        )


def _positions(connection: Connection, values: Sequence[MetricValue]) -> dict[int, int]:
    """Unit -> its position in the study, of all units of the conversations."""
    ids = sorted({value.subject.conversation_id for value in values if value.subject.conversation_id})
    return {
        unit.id: unit.position
        for first in range(0, len(ids), MAX_IDS_PER_QUERY)
        for unit in units.of_conversations(connection, ids[first : first + MAX_IDS_PER_QUERY])
    }


def _units(
    listed: Sequence[MetricValue], names: Mapping[int, str], positions: Mapping[int, int], noun: UnitNoun
) -> Table:
    return Table(
        "units",
        f"Numbers of judges, {noun.singular} by {noun.singular}",
        (noun.heading, "Judge", "What", "Value"),
        [
            (
                UnitLink(positions[value.subject.unit_id or 0]),
                names[value.subject.judge_id or 0],
                shown_metrics.unit_title(value),
                number(value) + shown_metrics.remark(value),
            )
            for value in listed
        ],
    )
