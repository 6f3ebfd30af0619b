"""The sentence that the Metrics page opens with says what its numbers carry: planted relations of metrics with
labels, and what is too little, missing or not to be told.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from data.record.metrics import MetricSubject, MetricValue
from data.store.store import Store
from reports.document import Table
from reports.kinds import KINDS, ReportChoices
from reports.metrics.answer import NO_VALUE, headline, metrics_evidence, why_not_all
from reports.metrics.answer_of_study import MetricsAnswer, answer_blocks, answer_for_rater, metrics_answer
from reports.metrics.beside_labels import relate
from reports.metrics.findings import gather_metrics
from reports.metrics.metric_numbers import (
    MetricNumbers,
    numbers_of_conversations,
    numbers_of_units,
    round_end,
    spread_of,
)
from reports.metrics.missing_values import missing_title
from scoring.subject_numbers import SubjectNumbers
from tests.documents.report_honesty import complaints
from tests.studies.planted_metrics import RULES, ScoreRule, plant

STEPS, GOAL = "step_f1/published", "goal_alignment/actions/windowed"
Answer = Callable[..., MetricsAnswer]


@pytest.fixture
def answer(store: Store, tmp_path: Path) -> Answer:
    def of_planted(rules: Mapping[str, ScoreRule], **choices: int | None) -> MetricsAnswer:
        small = plant(store, tmp_path, rules, **choices)  # type: ignore[arg-type]
        with store.reading() as connection:
            return metrics_answer(connection, small.study, gather_metrics(connection, small.study))

    return of_planted


def values(*scores: float | None, metric: str = "step_f1", variant: str = "published") -> list[MetricValue]:
    return [
        MetricValue(
            MetricSubject(place),
            metric,
            variant,
            "1",
            score,
            "Nothing was said." if score is None else None,
            "x",
        )
        for place, score in enumerate(scores, start=1)
    ]


def numbers(*scores: float | None, of: int | None = None) -> MetricNumbers:
    return MetricNumbers(STEPS, "Step-F1", tuple(values(*scores)), of or len(scores))


# ---- planted relations ----


@pytest.mark.parametrize(
    ("rule", "sentence"),
    [
        ("perfect", "Step-F1 is higher where clinicians rated higher."),
        ("strong", "Step-F1 is higher where clinicians rated higher."),
        ("inverted", "Step-F1 is lower where clinicians rated higher."),
        (
            "none",
            "Step-F1 was computed for all 30 conversations; it is too early to say whether it goes with "
            "clinicians' labels.",
        ),
        (
            "constant",
            "Step-F1 was computed for all 30 conversations; it is too early to say whether it goes with "
            "clinicians' labels.",
        ),
        ("missing", NO_VALUE),
    ],
)
def test_the_sentence_says_what_was_planted(answer: Answer, rule: str, sentence: str) -> None:
    assert answer({STEPS: RULES[rule]}).headline == sentence


def test_a_strong_relation_of_few_conversations_cannot_be_told(answer: Answer) -> None:
    planted_answer = answer({STEPS: RULES["perfect"]}, conversations=9)
    assert planted_answer.headline == (
        "Step-F1 was computed for all 9 conversations, too few to compare with clinicians' labels."
    )
    assert (
        planted_answer.evidence is not None and planted_answer.evidence.rows[0].verdict == "too early to say"
    )


def test_few_labels_beside_many_values_cannot_be_told(answer: Answer) -> None:
    assert answer({STEPS: RULES["perfect"]}, labelled=4).headline == (
        "Step-F1 was computed for all 30 conversations; clinicians labelled 4, too few to compare."
    )


def test_without_labels_nothing_is_said_of_them(answer: Answer) -> None:
    planted_answer = answer({STEPS: RULES["perfect"]}, labelled=0)
    assert planted_answer.headline == "Step-F1 was computed for all 30 conversations."
    assert planted_answer.evidence is not None
    assert (
        planted_answer.evidence.series,
        planted_answer.evidence.verdict_name,
        planted_answer.evidence.rows[0].estimates,
    ) == (
        (),
        "",
        (),
    )


def test_several_metrics_are_told_apart(answer: Answer) -> None:
    planted_answer = answer(
        {STEPS: RULES["inverted"], GOAL: RULES["strong"], "step_f1/exclusive": RULES["none"]}
    )
    assert planted_answer.headline == (
        "Goal alignment is higher where clinicians rated higher, Step-F1 lower; too early to say for 1 other."
    )
    assert planted_answer.evidence is not None
    assert [(row.name, row.verdict, row.shape) for row in planted_answer.evidence.rows] == [
        ("Goal alignment", "higher with them", "yes"),
        ("Step-F1", "lower with them", "leans"),
        ("Step-F1, each step once", "too early to say", "unknown"),
    ]


def test_some_conversations_without_a_value_are_counted_and_a_metric_without_any_is_missing(
    answer: Answer,
) -> None:
    planted_answer = answer(
        {
            STEPS: lambda rng, level, place: None if place % 3 else level / 5,
            GOAL: RULES["missing"],
        }
    )
    assert planted_answer.evidence is not None
    [row] = planted_answer.evidence.rows
    assert row.cells == ("10 of 30", "0.600", "20 cannot be computed")
    assert ("Goal alignment", "none of 30: Nothing was said.") in planted_answer.missing
    assert dict(planted_answer.missing)["Entities at the last reply"] == "needs critical entities"


# ---- what may be told from how much ----


def relation_words(scores: list[float], *labels: list[float], persons: dict[int, int] | None = None) -> str:
    metric = numbers(*scores)
    means = [SubjectNumbers.of(dict(enumerate(label, start=1))) for label in labels]
    criteria = [f"Criterion {place}" for place in range(len(labels))]
    return relate([metric], criteria, means, persons or {}).relations[STEPS].words


RISING = [place / 20 for place in range(20)]
MIXED = [float((7 * place) % 20) for place in range(20)]


def test_each_criterion_is_counted() -> None:
    falling = [-value for value in RISING]
    assert relation_words(RISING, RISING, MIXED) == "higher with them on 1 of 2"
    assert relation_words(RISING, falling, MIXED) == "lower with them on 1 of 2"
    assert relation_words(RISING, RISING, falling, MIXED) == "up on 1, down on 1 of 3"


def test_a_perfect_order_that_chance_gives_often_is_not_told() -> None:
    """One YES among twenty stands at an end of any order in one of ten."""
    rare = [0.0] * 19 + [1.0]
    assert relation_words(rare, rare) == "too early to say"
    several = [0.0] * 12 + [1.0] * 8
    assert relation_words(several, several) == "higher with them"


def test_conversations_of_few_persons_are_few() -> None:
    persons = {place + 1: 1 + place % 4 for place in range(20)}
    assert relation_words(RISING, RISING, persons=persons) == "too early to say"


def test_many_criteria_have_to_be_clearer() -> None:
    """What one criterion alone would show, one of forty does not."""
    weak = [place + (9 if place % 2 else -9) for place in range(20)]
    assert relation_words(RISING, [float(value) for value in weak]) == "higher with them"
    rng = random.Random(7)
    others = [[rng.random() for _ in range(20)] for _ in range(39)]
    assert relation_words(RISING, [float(value) for value in weak], *others) == "too early to say"


# ---- sentences without labels ----


def test_the_fewest_and_the_most_are_said() -> None:
    two = [numbers(0.1, 0.2, of=5), numbers(0.1, 0.2, 0.3, 0.4, of=5)]
    assert headline(two, None) == "2 metrics were computed for 2 to 4 of 5 conversations."
    assert headline([numbers(0.5)], None) == "Step-F1 was computed for the one conversation."


def test_numbers_of_a_judge_and_of_the_study_alone() -> None:
    of_units = [
        MetricValue(MetricSubject(1, unit, 7), "rubric_score", "product", "1", score, why, "x")
        for unit, score, why in ((1, 0.5, None), (2, None, "Incomplete."))
    ]
    [of_judge] = numbers_of_units(of_units, {7: "Judge A"}, 2)
    assert (
        headline([of_judge], None)
        == "Rubric score from Judge A's labels was computed for 1 of 2 conversations."
    )
    [of_some] = numbers_of_units(of_units, {7: "Judge A"}, 5)
    assert why_not_all(of_some) == "1 cannot be computed; 3 without its labels"
    [of_few] = numbers_of_units(of_units, {7: "Judge A"}, 9, unread=3)
    assert (
        headline([of_few], None)
        == "Rubric score from Judge A's labels was computed for 1 of 9 conversations."
    )
    assert why_not_all(of_few) == "1 cannot be computed; 3 conversations are read for the files alone"
    shown = metrics_evidence([of_few], None)
    assert shown is not None and shown.rows[0].cells[0] == "1 of 9 conversations"
    assert headline([], None, 1) == "1 number was computed for the study as a whole."
    assert headline([], None, 3) == "3 numbers were computed for the study as a whole."
    assert headline([], None) == NO_VALUE


def test_a_rater_is_told_of_the_conversations_that_they_have_rated_and_of_no_others() -> None:
    planted_answer = answer_for_rater(values(0.1, 0.2), [], 6, {})
    assert planted_answer.headline == "Step-F1 was computed for 2 of 6 conversations that you have rated."
    assert planted_answer.evidence is not None
    assert planted_answer.evidence.rows[0].cells == ("2 of 6", "0.150", "needs gold steps")
    assert planted_answer.comparison is None and planted_answer.missing == []
    assert "that you have rated" in answer_for_rater([], [], 0, {}).headline


def test_what_a_rater_is_not_to_be_told_yet_lacks_nothing() -> None:
    planted_answer = answer_for_rater(values(0.1, 0.2), [], 3, {"step_f1": 1})
    assert planted_answer.headline == (
        "Step-F1 was computed for all 2 conversations that you have rated, without 1 whose steps you have not "
        "seen yet."
    )
    assert planted_answer.evidence is not None and planted_answer.evidence.rows[0].cells[2] == ""


# ---- how the values lie ----


def test_few_values_are_drawn_each_and_many_as_their_middle_half() -> None:
    few, many = spread_of(numbers(0.1, 0.5, None)), spread_of(numbers(*(n / 100 for n in range(41))))
    assert few is not None and few.points == (0.1, 0.5) and few.words == "0.100 to 0.500"
    assert many is not None and many.points == ()
    assert (many.low, many.quarter, many.median, many.three_quarters, many.high) == pytest.approx(
        (0, 0.1, 0.2, 0.3, 0.4)
    )
    assert many.words == "0.000 to 0.400, middle half 0.100 to 0.300"
    assert spread_of(numbers(None)) is None


def test_the_axis_begins_at_0_or_lies_around_it() -> None:
    above, around = spread_of(numbers(0.03, 0.13)), spread_of(numbers(-0.011, 0.004))
    assert above is not None and (above.axis_low, above.axis_high) == (0.0, 0.2)
    assert around is not None and (around.axis_low, around.axis_high) == (-0.02, 0.02)
    assert [round_end(value) for value in (0.0, 0.1, 0.3, 1.0, 7.0, 10.0)] == [1.0, 0.1, 0.5, 1.0, 10.0, 10.0]


def test_no_line_for_a_metric_without_a_value() -> None:
    assert metrics_evidence([numbers(None)], None) is None
    assert missing_title([("a", "b")]) == "1 metric has no value yet"


def test_other_embedders_and_judges_have_lines_of_their_own() -> None:
    both = numbers_of_conversations([*values(0.1), *values(0.2, variant="exclusive")], 1)
    assert [metric.key for metric in both] == [STEPS, "step_f1/exclusive"]


def test_in_a_file_every_estimate_stands_in_a_table(answer: Answer) -> None:
    planted_answer = answer({STEPS: RULES["strong"], GOAL: RULES["none"]})
    assert planted_answer.evidence is not None
    [_, table] = planted_answer.evidence.as_blocks()
    assert isinstance(table, Table) and table.header[:3] == (
        "Metric",
        "Compared with clinicians' labels",
        "Warm",
    )
    assert len(list(answer_blocks(planted_answer))) == 3


@pytest.mark.parametrize("labelled", [None, 4, 0])
def test_the_files_of_planted_relations_say_nothing_that_is_not_so(
    store: Store, tmp_path: Path, labelled: int | None
) -> None:
    rules = {STEPS: RULES["inverted"], GOAL: RULES["strong"], "step_f1/exclusive": RULES["missing"]}
    small = plant(store, tmp_path, rules, labelled=labelled)
    with store.reading() as connection:
        contents = KINDS["metrics"].write_files(connection, small.study, ReportChoices())
    assert complaints(contents, ["Ada Winter", "Boaz Lindqvist"]) == []
    assert ("Goal alignment is higher" in contents["report.html"].decode()) == (labelled is None)
