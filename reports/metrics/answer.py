"""What was computed, and whether it goes with clinicians' labels: in a sentence, and in a line a metric."""

from __future__ import annotations

from collections.abc import Sequence

from reports.document import Evidence, EvidenceRow
from reports.metrics.beside_labels import LabelComparison, LabelRelation
from reports.metrics.metric_numbers import MetricNumbers, spread_of
from runs.scoring import shown_metrics
from scoring.agreement.verdicts.minimum_data import MINIMUM_CONVERSATIONS
from words.figures import decimal
from words.plurals import count, inflect, join_words

NAMED = 2  # metrics in a sentence
NO_VALUE = "No metric has a value yet."
AXIS = "Spearman's rho: right of 0, higher where clinicians rated higher; left, lower. Grey: too early to say"
CRITERIA_AXIS = f"A thin line for each criterion. {AXIS}"


def headline(
    metrics: Sequence[MetricNumbers],
    comparison: LabelComparison | None,
    of_study: int = 0,
    without: str = NO_VALUE,
    of_own: bool = False,
) -> str:
    """Return what the metrics show, in one sentence.

    Args:
        metrics: the numbers of each metric.
        comparison: with labels; None if there are none or they may not be shown.
        of_study: number of values of the study as a whole.
        without: the sentence if nothing has a value.
        of_own: whether the conversations are those that the reader has rated.
    """
    with_value = [numbers for numbers in metrics if len(numbers.scores)]
    of_conversations = [numbers for numbers in with_value if numbers.judge is None]
    if of_conversations:
        sentence = _told(of_conversations, comparison)
        return sentence or f"{_computed(of_conversations, of_own)}{_not_told(of_conversations, comparison)}."
    if with_value:
        return f"{_computed(with_value, of_own)}."
    if of_study:
        computed = "1 number was" if of_study == 1 else f"{of_study:,} numbers were"
        return f"{computed} computed for the study as a whole."
    return without


def _computed(metrics: Sequence[MetricNumbers], of_own: bool) -> str:
    """Step-F1 was computed for 12 of 14 conversations; of several the fewest and the most."""
    subject = f"{metrics[0].name} was" if len(metrics) == 1 else f"{len(metrics)} metrics were"
    fewest, most = (end(len(numbers.scores) for numbers in metrics) for end in (min, max))
    of = {numbers.of for numbers in metrics}
    singular, plural = metrics[0].counted
    whole = of.pop() if len(of) == 1 else None
    number = f"{fewest:,}" if fewest == most else f"{fewest:,} to {most:,}"
    rated = " that you have rated" if of_own else ""
    left_out = max(numbers.withheld for numbers in metrics)
    if whole is not None and left_out:
        rated += f", without {left_out:,} whose steps you have not seen yet"
    if whole is None:
        return f"{subject} computed for {number} {inflect(most, singular, plural)}{rated}"
    if fewest == whole:
        every = f"all {whole:,} {plural}" if whole > 1 else f"the one {singular}"
        return f"{subject} computed for {every}{rated}"
    return f"{subject} computed for {number} of {count(whole, singular, plural)}{rated}"


def _not_told(metrics: Sequence[MetricNumbers], comparison: LabelComparison | None) -> str:
    """Why nobody can tell whether they go with labels; nothing where labels are not spoken of."""
    if comparison is None:
        return ""
    go = inflect(len(metrics), "it goes", "they go")
    if not comparison.compared:
        return "; no clinician's label to compare with"
    if comparison.compared < MINIMUM_CONVERSATIONS:
        if max(len(numbers.scores) for numbers in metrics) < MINIMUM_CONVERSATIONS:
            return ", too few to compare with clinicians' labels"
        return f"; clinicians labelled {comparison.compared}, too few to compare"
    return f"; it is too early to say whether {go} with clinicians' labels"


def _told(metrics: Sequence[MetricNumbers], comparison: LabelComparison | None) -> str:
    """Which go with clinicians' labels; nothing where none is known to."""
    if comparison is None:
        return ""
    moving = [numbers for numbers in metrics if any(comparison.relations[numbers.key].directions)]
    if not moving:
        return ""
    clauses = [
        _clause(numbers.name, comparison.relations[numbers.key], is_first=place == 0)
        for place, numbers in enumerate(moving[:NAMED])
    ]
    if len(moving) > NAMED:
        more = len(moving) - NAMED
        clauses.append(f"and {count(more, 'more goes', 'more go')} with or against their labels")
    others = len(metrics) - len(moving)
    rest = f"; too early to say for {count(others, 'other', 'others')}" if others else ""
    return f"{', '.join(clauses)}{rest}."


def _clause(name: str, relation: LabelRelation, is_first: bool) -> str:
    """Goal alignment is higher where clinicians rated higher on 2 of 12 criteria; Step-F1 lower on 1."""
    criteria = len(relation.directions)
    of = f" of {criteria} criteria" if is_first else ""
    if relation.up and relation.down:
        where = " where clinicians rated higher" if is_first else ""
        return f"{name} is higher on {relation.up} and lower on {relation.down}{of}{where}"
    level = "higher" if relation.up else "lower"
    on = f" on {relation.up or relation.down}{of}" if criteria > 1 else ""
    return f"{name} is {level} where clinicians rated higher{on}" if is_first else f"{name} {level}{on}"


def metrics_evidence(metrics: Sequence[MetricNumbers], comparison: LabelComparison | None) -> Evidence | None:
    """Return a row per metric that has a value; None if none has."""
    with_value = [numbers for numbers in metrics if len(numbers.scores)]
    if not with_value:
        return None
    if comparison is not None and not comparison.has_numbers:
        comparison = None
    criteria = comparison.criteria if comparison else ()
    return Evidence(
        "metrics",
        "One line per metric",
        "Metric",
        "Compared with clinicians' labels" if criteria else "",
        criteria,
        "" if not criteria else AXIS if len(criteria) == 1 else CRITERIA_AXIS,
        ("Computed for", "Median", "Why not for all"),
        (),
        tuple(_row(numbers, comparison) for numbers in with_value),
        -1.0,
        1.0,
        "Distribution of the values",
    )


def _row(numbers: MetricNumbers, comparison: LabelComparison | None) -> EvidenceRow:
    relation = comparison.relations.get(numbers.key) if comparison else None
    n, median = len(numbers.scores), numbers.median
    assert median is not None
    of = "" if numbers.of is None else f" of {numbers.of:,}"
    return EvidenceRow(
        numbers.key,
        numbers.name,
        relation.shape if relation else "unknown",
        relation.words if relation else "",
        relation.correlations if relation else (),
        (
            f"{n:,}{of}{'' if numbers.judge is None else f' {numbers.noun.plural}'}",
            decimal(median, 3),
            why_not_all(numbers),
        ),
        (float(n), median, None),
        (),
        spread_of(numbers),
        tuple(bool(direction) for direction in relation.directions) if relation else (),
    )


def why_not_all(numbers: MetricNumbers) -> str:
    """Return what is missing where a metric lacks values, such as "needs gold steps; 3 cannot be computed";
    "" if nothing.
    """
    undefined = numbers.reasons.total()
    needs = shown_metrics.needs_in_words(numbers.values[0].metric) if numbers.judge is None else []
    parts = []
    if numbers.of is not None and len(numbers.values) < numbers.of and needs:
        parts.append(f"needs {join_words(needs)}")
    if undefined:
        parts.append(f"{undefined:,} cannot be computed")
    if numbers.judge is not None and numbers.of is not None and not numbers.unread:
        unjudged = numbers.of - len(numbers.values)
        parts += [f"{unjudged:,} without its labels"] if unjudged > 0 else []
    if numbers.unread:
        are = inflect(numbers.unread, "conversation is", "conversations are")
        parts.append(f"{numbers.unread:,} {are} read for the files alone")
    return "; ".join(parts)
