"""A rater's own labels beside those of a judge, on the units whose judge they have seen: counts first, every
difference one press away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.labels import agreement_labels
from data.labels.agreement_labels import LabelRow
from data.record.judgements import Judge
from data.record.studies import Rater, Study
from data.store.store import Connection
from reports.agreement.matrices import counts_heat
from reports.document import (
    Block,
    Evidence,
    EvidenceRow,
    Heat,
    PageHead,
    Paragraph,
    RowDetails,
    Table,
    UnitLink,
)
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.labels.label_data import Arm, Question, question_of
from scoring.agreement.people.compare import Comparison, compare, pair_up
from scoring.instruments import Criterion
from words.figures import decimal, percent
from words.plurals import count
from words.unit_nouns import CONVERSATION, UnitNoun

MAX_LISTED = 200  # differences of a criterion
BEYOND = "Agreement beyond chance"  # 0 is chance, 1 is always the same label
ROUGH = 10  # conversations, turns or pairs of labels, below which every number is rough


@dataclass(frozen=True)
class OwnCriterion:
    question: Question
    comparison: Comparison


@dataclass(frozen=True)
class OwnLabels:
    """The labels of one kind of exposure, criterion by criterion in the instrument's order. `noun`: of
    what is rated.
    """

    criteria: tuple[OwnCriterion, ...]
    noun: UnitNoun = CONVERSATION

    @property
    def pairs(self) -> int:
        return sum(len(own.comparison.pairs) for own in self.criteria)

    @property
    def same(self) -> int:
        return sum(own.comparison.same for own in self.criteria)

    @property
    def units(self) -> int:
        return len({pair.unit for own in self.criteria for pair in own.comparison.pairs})


def read_own_labels(
    connection: Connection, study: Study, rater: Rater, judge: Judge, arms: Sequence[Arm]
) -> dict[Arm, OwnLabels]:
    """Return, for each arm, the rater's labels next to the judge's, of units whose judge the rater has
    seen.
    """
    judge_labels = agreement_labels.judge_labels(connection, study.id, judge.id, rater.id)
    return {
        arm: _compare_all(
            study,
            [
                label
                for label in agreement_labels.human_labels(connection, study.id, arm, rater.id)
                if label.who == rater.id
            ],
            judge_labels,
        )
        for arm in arms
    }


def headline(own: OwnLabels) -> str:
    """Return "You and the judge gave the same label on 5 of 8.", or that nothing rated blind has its label
    yet.
    """
    if not own.pairs:
        return "This judge has not labelled anything that you rated blind yet."
    return f"You and the judge gave the same label on {own.same:,} of {own.pairs:,}."


def basis(own: OwnLabels) -> str:
    """Return "8 conversations whose judge you have seen.", with "; so few that every number is rough" below
    ROUGH (10) units.
    """
    rough = "; so few that every number is rough" if own.units < ROUGH else ""
    units = own.noun.count(own.units)
    return f"{units} whose judge you have seen{rough}."


def own_evidence(own: OwnLabels, key: str, only_compared: bool = False) -> Evidence:
    """Return a row per criterion; with `only_compared` only for those that both labelled."""
    return Evidence(
        key,
        "Your labels and the judge's",
        "Criterion",
        "",
        (),
        "",
        ("Same label", "Differ"),
        (BEYOND,),
        tuple(_row(own) for own in own.criteria if own.comparison.pairs or not only_compared),
        0.0,
        1.0,
        page_heads={
            BEYOND: PageHead(BEYOND, "Cohen's kappa; where near misses cost less, quadratic kappa."),
        },
    )


def own_details(own: OwnLabels) -> dict[str, RowDetails]:
    """Return criterion -> the counts, and the units on which rater and judge differ; only criteria with
    pairs.
    """
    return {
        criterion.question.id: RowDetails(
            beside=(_matrix(criterion),), behind=(_differences(criterion, own.noun),)
        )
        for criterion in own.criteria
        if criterion.comparison.pairs
    }


def _compare_all(study: Study, own: Sequence[LabelRow], judge: Sequence[LabelRow]) -> OwnLabels:
    own_by_criterion, judge_by_criterion = _by_criterion(own), _by_criterion(judge)
    compared = []
    for criterion in _criteria(study, own_by_criterion):
        question = question_of(study.instrument, criterion)
        pairs = pair_up(own_by_criterion.get(criterion.id, ()), judge_by_criterion.get(criterion.id, ()))
        compared.append(
            OwnCriterion(question, compare(pairs, question.domain, question.ordinal, question.not_applicable))
        )
    return OwnLabels(tuple(compared), study.noun)


def _by_criterion(labels: Sequence[LabelRow]) -> dict[str, list[tuple[int, str]]]:
    """Criterion -> (unit, label); who cannot rate gave none."""
    listed: dict[str, list[tuple[int, str]]] = {}
    for row in labels:
        if row.label is not None:
            listed.setdefault(row.criterion, []).append((row.position, row.label))
    return listed


def _criteria(study: Study, labelled: Mapping[str, object]) -> list[Criterion]:
    """Where plans declare what is rated, the strategies that the rater labelled."""
    if not study.instrument.criteria_from or study.taxonomy is None:
        return list(study.instrument.criteria)
    return list(
        study.instrument.criteria_for(
            tuple(strategy for strategy in study.taxonomy.strategies if strategy.id in labelled)
        )
    )


def _row(own: OwnCriterion) -> EvidenceRow:
    comparison = own.comparison
    n, differ = len(comparison.pairs), len(comparison.disagreements)
    return EvidenceRow(
        own.question.id,
        own.question.criterion.name,
        "unknown",
        "",
        (),
        (
            f"{comparison.same:,} of {n:,} ({percent(comparison.same / n)})"
            if n
            else "nothing labelled by both",
            f"{differ:,}" if n else "",
        ),
        (comparison.same / n if n else None, float(differ) if n else None),
        (_beyond_chance(own) if n else "",),
    )


def _beyond_chance(own: OwnCriterion) -> str:
    comparison = own.comparison
    if len(comparison.pairs) < ROUGH:
        return f"too early to say from {count(len(comparison.pairs), 'pair', 'pairs')}"
    words = _number(comparison.kappa)
    if comparison.quadratic is None:
        return words
    left_out = "" if own.question.not_applicable is None else ' and "does not apply" is left out'
    return f"{words}; {_number(comparison.quadratic)} where near misses cost less{left_out}"


def _number(estimate: Estimate) -> str:
    if estimate.value is None:
        return f"cannot be estimated ({estimate.undefined})"
    return decimal(estimate.value, 2)


def _matrix(own: OwnCriterion) -> Heat:
    return counts_heat(
        f"own_{own.question.id}", "You down, judge across", own.question.names, own.comparison.table
    )


def _differences(own: OwnCriterion, noun: UnitNoun) -> Block:
    differ = sorted(own.comparison.disagreements, key=lambda pair: pair.unit)
    if not differ:
        return Paragraph("You and the judge agree everywhere.")
    more = f", the first {MAX_LISTED} of {len(differ):,}" if len(differ) > MAX_LISTED else ""
    names = dict(zip(own.question.domain, own.question.names, strict=True))
    return Table(
        f"own_differences_{own.question.id}",
        f"Where you differ{more}",
        (noun.heading, "You", "Judge"),
        [
            (UnitLink(pair.unit, own.question.id), names[pair.first], names[pair.second])
            for pair in differ[:MAX_LISTED]
        ],
    )
