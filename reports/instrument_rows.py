"""What an instrument asks, in plain words: a line a criterion, with its labels and examples behind it."""

from __future__ import annotations

from fractions import Fraction

from reports.document import Block, Evidence, EvidenceRow, Paragraph, RowDetails, Table
from scoring.instruments import Category, Criterion, Instrument, Taxonomy
from words.figures import decimal
from words.plurals import count, join_words


def instrument_headline(instrument: Instrument, criteria: tuple[Criterion, ...]) -> str:
    """Return "12 questions are asked about each conversation as a whole.", "each reply.", or, for plans,
    "There are 8 strategies; each one that a reply declares is rated." (8 criteria).
    """
    asked_about = "each conversation as a whole" if instrument.unit == "conversation" else "each reply"
    if instrument.criteria_from:
        return f"There are {len(criteria):,} strategies; each one that a reply declares is rated."
    return f"{count(len(criteria), 'question is', 'questions are')} asked about {asked_about}."


def score_sentence(instrument: Instrument) -> str:
    """Return how labels become a score, in one or two sentences.

    By the rule, "weighted_categories": "The score is the weighted share of criteria that are met; it passes
    at 0.75.", with "or do not apply" if such labels count as met, and a sentence on gates if there are any.
    "mean_of_levels": "The score is the mean of the labels, as a share of the highest possible label."
    Any other: "The labels are not combined into a score."
    """
    score = instrument.score
    if score.rule == "weighted_categories" and score.threshold is not None:
        gates = [category.name for category in instrument.categories if category.gate]
        counts_as_met = score.not_applicable_counts == 1
        or_not = " or do not apply" if counts_as_met else ""
        gate = f" A failure in {join_words(gates)} fails the whole conversation." if gates else ""
        return (
            f"The score is the weighted share of criteria that are met{or_not}; a score of "
            f"{decimal(float(score.threshold), 2)} or more passes.{gate}"
        )
    if score.rule == "mean_of_levels":
        return "The score is the mean of the labels, as a share of the highest possible label."
    return "The labels are not combined into a score."


def criteria_of(instrument: Instrument, taxonomy: Taxonomy | None) -> tuple[Criterion, ...]:
    """Return the criteria, or one for each strategy that a reply may declare."""
    return instrument.criteria_for(taxonomy.strategies if taxonomy is not None else ())


def instrument_evidence(
    instrument: Instrument, criteria: tuple[Criterion, ...]
) -> tuple[Evidence, dict[str, RowDetails]]:
    """Return a row per criterion, and row key -> what opens behind it."""
    has_weights = instrument.score.rule == "weighted_categories"
    columns = (
        *(["Category"] if instrument.categories else []),
        "Labels",
        *(["Weight"] if has_weights else []),
    )
    evidence = Evidence(
        "criteria",
        "What is asked",
        "Question",
        "",
        (),
        "",
        columns,
        (),
        tuple(_line(instrument, criterion, has_weights) for criterion in criteria),
        0.0,
        1.0,
    )
    return evidence, {criterion.id: _details(instrument, criterion) for criterion in criteria}


def _category(instrument: Instrument, criterion: Criterion) -> Category | None:
    return next((item for item in instrument.categories if item.id == criterion.category), None)


def _line(instrument: Instrument, criterion: Criterion, has_weights: bool) -> EvidenceRow:
    category = _category(instrument, criterion)
    weight = _weight(instrument, category) if has_weights and category is not None else None
    category_words = "" if category is None else category.name + (" (safety gate)" if category.gate else "")
    return EvidenceRow(
        criterion.id,
        criterion.name,
        "unknown",
        "",
        (),
        (
            *([category_words] if instrument.categories else []),
            ", ".join(level.name for level in instrument.permitted(criterion)),
            *(
                ["" if weight is None else f"{decimal(float(100 * weight), 1).removesuffix('.0')}%"]
                if has_weights
                else []
            ),
        ),
        (
            *([None] if instrument.categories else []),
            None,
            *([None if weight is None else float(weight)] if has_weights else []),
        ),
        (),
    )


def _weight(instrument: Instrument, category: Category) -> Fraction:
    """Of one criterion: its part of the weight of its category."""
    return category.weight / sum(criterion.category == category.id for criterion in instrument.criteria)


def _details(instrument: Instrument, criterion: Criterion) -> RowDetails:
    levels = instrument.permitted(criterion)
    labels = Table(
        "labels",
        "Labels",
        ("Label", "Key", "Counts", "Meaning"),
        [
            (level.name, level.key.upper(), "" if level.value is None else f"{level.value}", level.anchor)
            for level in levels
        ],
        (2,),
    )
    behind: list[Block] = [Paragraph(rule) for rule in _rules(instrument, criterion)]
    if criterion.failures:
        title = "Examples of failure" if instrument.score.rule == "weighted_categories" else "Examples"
        behind.append(Table("examples", title, ("",), [(example,) for example in criterion.failures]))
    return RowDetails(criterion.checks_for, (labels,), tuple(behind))


def _rules(instrument: Instrument, criterion: Criterion) -> list[str]:
    """When it is asked, and when it does not apply."""
    rules = []
    names = {other.id: other.name for other in instrument.criteria}
    for name, labels in criterion.asked_when.items():
        rules.append(f"Asked after {names.get(name, name)}: {' or '.join(labels)}.")
    label = instrument.not_applicable_name_of(criterion)
    if criterion.minimum_turns:
        rules.append(f"With fewer than {criterion.minimum_turns} turns, a rule fills in “{label}”.")
    note = criterion.not_applicable_note
    if criterion.not_applicable == "invalid":
        rules.append(f"“{label}” is not offered{f'. {note}' if note else ''}.")
    elif note:
        rules.append(f"{label} when: {note}.")
    return rules
