"""What the metrics report says of the threshold of Step-F1: the curve, and what raters say of pairs."""

from __future__ import annotations

import random
import re

import pytest

from data.record import step_pairs, studies, units
from data.record.metrics import MetricSubject, MetricValue
from data.record.step_pairs import RatedStepPair
from data.record.studies import Study
from data.schema.vocabulary import StepVerdict
from data.store.store import Store
from reports.document import Panels, Paragraph, Table
from reports.metrics.findings import gather_metrics
from reports.metrics.step_threshold import threshold_blocks
from runs.scoring import score_study
from runs.scoring.metric_spec import MetricResult
from runs.scoring.metrics.step_f1_thresholds import METRIC


@pytest.fixture
def study(scored_store: Store) -> Study:
    with scored_store.reading() as connection:
        study = studies.find(connection, "coaching_demo")
    assert study is not None
    score_study(scored_store, study.key, "tests")
    return study


def rate(store: Store, study: Study, verdicts: list[tuple[int, StepVerdict]], raters: int = 1) -> None:
    """Pairs of so many shared words of 20 in all, spread over the units of the study."""
    with store.writing("tests", "rate pairs of steps", study.id) as (connection, entry):
        people = [rater.id for rater in studies.raters(connection, study.id)][:raters]
        for number, (shared, verdict) in enumerate(verdicts):
            unit = units.at_position(connection, study.id, 1 + (number + number // 8) % 13)
            assert unit is not None
            for person in people:
                pair = RatedStepPair(f"digest {unit.id}", number, 0, shared, 20)
                step_pairs.rate(connection, entry, unit, person, f"e-{person}-{number}", pair, verdict)


def told(store: Store, study: Study) -> tuple[str, dict[str, Table]]:
    with store.reading() as connection:
        values = gather_metrics(connection, study).of_study
        blocks = list(threshold_blocks(connection, study, values))
    text = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    return text, {block.key: block for block in blocks if isinstance(block, Table)}


def clean(number: int) -> tuple[int, StepVerdict]:
    """Right from 0.7 on, in part from 0.5 on."""
    shared = 3 + number % 8
    verdict = StepVerdict.RIGHT if shared >= 7 else StepVerdict.PARTLY if shared >= 5 else StepVerdict.WRONG
    return shared, verdict


def test_the_curve_is_a_figure_and_a_table(scored_store: Store, study: Study) -> None:
    with scored_store.reading() as connection:
        values = gather_metrics(connection, study).of_study
        blocks = list(threshold_blocks(connection, study, values))
    [figure] = [block for block in blocks if isinstance(block, Panels)]
    [table] = [block for block in blocks if isinstance(block, Table)]
    assert len(table.rows) == len(figure.x) == 13
    used = next(row for row in table.rows if row[0] == "0.60 (used)")
    assert (
        used[1] == "0.112" and used[3] == "2" and str(used[2]).endswith(", too little data to rely on")
    )  # the mean of 1/11 and 2/15
    means = [float(str(row[1])) for row in table.rows]
    assert means == sorted(means, reverse=True) and means[0] > means[-1]


def test_below_sixty_pairs_it_says_how_many_are_missing(scored_store: Store, study: Study) -> None:
    assert "No pair of steps was rated yet. 60 more pairs are needed" in told(scored_store, study)[0]
    rate(scored_store, study, [clean(number) for number in range(59)], raters=2)
    text, tables = told(scored_store, study)
    assert "59 pairs of steps were rated by 2 clinicians who had not been shown the score. 1 more" in text
    assert set(tables) == {"step_f1_by_threshold"}


def test_with_sixty_both_ways_of_counting_in_part_are_told(scored_store: Store, study: Study) -> None:
    rate(scored_store, study, [clean(number) for number in range(80)])
    text, tables = told(scored_store, study)
    assert "All answers come from one person." in text
    rows = tables["step_pair_threshold"].rows
    assert [row[0] for row in rows] == ["“in part” counts as not the same", "“in part” counts as the same"]
    values = [float(re.findall(r"[\d.]+", str(row[4]))[0]) for row in rows]
    assert 0.6 < values[0] <= 0.7 and 0.4 < values[1] <= 0.5
    assert [row[6] for row in rows] == ["0", "0"]
    assert text.count("At 0.6, which is used here, it is 10, clearly more.") == 2
    bands = tables["step_pairs_by_score"].rows
    assert sum(int(str(row[1])) for row in bands) == 80
    assert bands[0][2:] == ("0", "0", "10")


def test_answers_without_relation_name_no_threshold(scored_store: Store, study: Study) -> None:
    generator = random.Random(4)
    answers = [
        (3 + number % 8, generator.choice((StepVerdict.RIGHT, StepVerdict.WRONG))) for number in range(80)
    ]
    rate(scored_store, study, answers)
    text, tables = told(scored_store, study)
    assert (
        "no threshold is named: these ratings do not show that, within a conversation, pairs with more words"
        in text
    )
    assert {row[4] for row in tables["step_pair_threshold"].rows} == {"none"}


def test_answers_that_are_always_the_same_name_no_threshold(scored_store: Store, study: Study) -> None:
    rate(scored_store, study, [(3 + number % 8, StepVerdict.PARTLY) for number in range(60)])
    text, _ = told(scored_store, study)
    assert "every rated pair counts as wrong" in text and "every rated pair counts as right" in text


def add(
    store: Store, study: Study, position: int, person: int, pair: RatedStepPair, verdict: StepVerdict
) -> None:
    with store.writing("tests", "rate pairs of steps", study.id) as (connection, entry):
        unit = units.at_position(connection, study.id, position)
        assert unit is not None
        rater = studies.raters(connection, study.id)[person].id
        event = f"e-{position}-{rater}-{pair.inputs}-{pair.model_step}"
        step_pairs.rate(connection, entry, unit, rater, event, pair, verdict)


def test_a_pair_counts_once_after_a_gold_step_was_added_and_in_a_copy(
    scored_store: Store, study: Study
) -> None:
    """The last word of a rater on it counts, and another one's stands beside it."""
    before, since, other = (RatedStepPair(name, 3, 1, 6, 20) for name in ("before", "since", "other"))
    add(scored_store, study, 1, 0, before, StepVerdict.WRONG)
    add(scored_store, study, 1, 0, since, StepVerdict.RIGHT)
    add(scored_store, study, 1, 1, since, StepVerdict.RIGHT)
    add(scored_store, study, 2, 0, since, StepVerdict.RIGHT)
    assert "1 pair of steps was rated by 2 clinicians" in told(scored_store, study)[0]
    add(scored_store, study, 3, 0, other, StepVerdict.RIGHT)
    add(scored_store, study, 1, 0, RatedStepPair("later", 3, 2, 7, 21), StepVerdict.RIGHT)
    assert "3 pairs of steps were rated by 2 clinicians" in told(scored_store, study)[0]


def test_answers_that_are_mostly_of_one_person_or_of_few_conversations_say_so(
    scored_store: Store, study: Study
) -> None:
    for number in range(64):
        shared, verdict = clean(number)
        pair = RatedStepPair(f"digest {number % 4}", number, 0, shared, 20)
        add(scored_store, study, 1 + number % 4, 0, pair, verdict)
    assert (
        "All answers come from one person. The pairs come from 4 conversations or persons, too few to rely on."
        in told(scored_store, study)[0]
    )
    add(scored_store, study, 5, 1, RatedStepPair("digest", 0, 0, 8, 20), StepVerdict.RIGHT)
    text = told(scored_store, study)[0]
    assert "64 of 65 answers come from one person." in text
    assert "No pair was rated by two, so it is too early to say whether clinicians agree." in text


def test_how_often_clinicians_agree_is_told(scored_store: Store, study: Study) -> None:
    rate(scored_store, study, [clean(number) for number in range(80)], raters=2)
    assert (
        "Of 80 pairs that two or more rated, they gave the same answer to 80." in told(scored_store, study)[0]
    )


def test_conversations_of_one_person_are_one_part_and_none_is_named(
    scored_store: Store, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate(scored_store, study, [clean(number) for number in range(80)])
    monkeypatch.setattr(
        "reports.metrics.step_threshold.conversations.shared_persons",
        lambda connection, study_id: dict.fromkeys(range(1_000), 1),
    )
    text, _ = told(scored_store, study)
    assert "The pairs come from 1 conversation or person, too few to rely on." in text
    assert text.count("no threshold is named: one conversation can't show how much this varies") == 2


def test_a_threshold_above_every_score_is_called_so(scored_store: Store, study: Study) -> None:
    """Of pairs with the highest score fewer than half are the same, of the others none."""
    answers = [
        (10 if number % 2 else 4, StepVerdict.RIGHT if number % 6 == 1 else StepVerdict.WRONG)
        for number in range(78)
    ]
    rate(scored_store, study, answers)
    text, _ = told(scored_store, study)
    assert (
        "fewest pairs are on the wrong side of the threshold if it is above 1, so that no steps match" in text
    )


def test_the_curve_over_thresholds_rests_on_persons() -> None:
    """Two conversations of each of two persons are two parts, and what is lost is too."""

    def value(conversation: int, f1: float) -> MetricValue:
        detail = {"f1": [f1] * 12 + [0.0], "person": conversation // 2}
        return MetricValue(
            MetricSubject(conversation), "step_f1_thresholds", "published", "1", f1, None, "", detail
        )

    def only_result(values: list[MetricValue]) -> MetricResult:
        assert METRIC.together is not None
        results = METRIC.together(values)
        assert isinstance(results, list)
        (result,) = results
        assert isinstance(result, MetricResult)
        return result

    mean = only_result([value(2, 0.2), value(3, 0.4), value(4, 0.6), value(5, 0.8)])
    assert mean.value == pytest.approx(0.5)
    assert (mean.detail["conversations"], mean.detail["persons"]) == (4, 2)
    # Of two persons' means, 0.3 and 0.7: half their distance times t of 1 degree of freedom.
    assert mean.detail["high"] - 0.5 == pytest.approx(min(0.5, 12.7062 * 0.2), abs=1e-4)
    alone = only_result([value(2, 0.2), value(3, 0.4)]).detail
    assert alone["low"] is None and "one conversation can't show how much this varies" in alone["no_interval"]
