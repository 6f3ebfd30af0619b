"""What is said of agreement over time, of simulated studies in a store."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from data.labels import agreement_material, event_dates
from data.record import judgements, studies
from data.record.studies import Study
from data.store.store import Store
from reports.document import Paragraph, Table
from reports.drift import period_agreement, what_moved
from reports.drift.agreement_by_date import AgreementByDate, Axis, PeriodView, find_days
from reports.drift.over_time import changes_of_judge
from scoring.agreement.labels.label_data import LabelData
from scoring.drift.judge_movement import AnchorAnswers
from scoring.drift.periods import UNKNOWN, Length
from tests.studies.dated_study import BEGINS, put
from tests.studies.simulated_studies import Simulated, simulate


def read_labels(store: Store, study: Study, judge: int = 0) -> LabelData:
    with store.reading() as connection:
        known = judgements.judges(connection, study.id)
        return agreement_material.read(connection, study, known[judge].id)


def source(store: Store, study: Study, judge: int = 0, material: LabelData | None = None) -> AgreementByDate:
    """`material`: other labels than those that the store has."""
    with store.reading() as connection:
        known = judgements.judges(connection, study.id)
        return AgreementByDate.of(
            material or read_labels(store, study, judge),
            event_dates.read_event_dates(connection, study.id, [known[judge].id]),
            changes_of_judge(connection, study, known),
        )


def shown(
    store: Store,
    kind: str,
    number: int,
    weeks: int = 99,
    axis: Axis = "rated",
    length: Length = "week",
    by: str | None = "condition",
) -> PeriodView:
    return PeriodView(
        source(store, put(store, simulate(kind, number), f"{kind}{number}", weeks)), axis, by, length
    )


def said(found: PeriodView) -> list[str]:
    return [block.text for block in what_moved.blocks(found) if isinstance(block, Paragraph)]


def of(found: PeriodView, begin: str) -> str:
    """The one sentence that begins so."""
    (sentence,) = [one for one in said(found) if one.startswith(begin)]
    return sentence


def words(found: PeriodView) -> str:
    return " ".join(block.text for block in period_agreement.blocks(found) if isinstance(block, Paragraph))


def first(kind: str) -> tuple[int, Simulated]:
    """The first simulated study in which this was named, and nothing else."""
    return next(
        (number, made)
        for number, made in ((n, simulate(kind, n)) for n in range(50))
        if [one.kind for one in made.found() if one.named] == [kind]
    )


def test_out_of_the_store_come_the_numbers_that_went_in(store: Store) -> None:
    number, simulation = first("mix")
    period_view = shown(store, "mix", number)
    expected = {finding.kind: finding for finding in simulation.found()}
    for finding in period_view.findings:
        if finding.kind != "judge":  # the anchors are not in the store
            assert finding.p == pytest.approx(expected[finding.kind].p), finding.kind
    assert (
        of(period_view, "The judge:")
        == "The judge: not tested, there is no locked set of conversations yet; lock one under \u201cThe "
        "judge\u201d."
    )
    mix = said(period_view)[0]  # what moved comes first
    assert (
        mix.startswith("The mix of cases changed: \u201c")
        and "of the earlier half of the conversations and" in mix
        and "(180 conversations)" in mix
    )
    anchored = replace(period_view, source=replace(period_view.source, anchors=simulation.evidence.anchors))
    assert next(finding.p for finding in anchored.findings if finding.kind == "judge") == pytest.approx(
        expected["judge"].p
    )


def test_the_rater_who_moved_is_named(store: Store) -> None:
    number, made = first("raters")
    study = put(store, simulate("raters", number))
    period_view = PeriodView(source(store, study), "rated", "condition", "week")
    sentence = " ".join(what_moved.headline(period_view, read_labels(store, study).people))
    moving = next(one for one in made.found() if one.kind == "raters").who
    assert (
        sentence.startswith("A rater changed: compared with colleagues")
        and f"Clinician {(moving or 0) + 1} gives lower levels" in sentence
    )


def test_a_model_that_got_worse_is_seen_by_people_and_judge(store: Store) -> None:
    assert said(shown(store, "model", first("model")[0]))[0].startswith(
        "The model under study changed: within the same condition, clinicians and the judge both give lower"
    )


@pytest.mark.parametrize(
    ("right", "sentence"),
    [
        (
            False,
            "its levels fall with time on 12 of 12 locked conversations and rise on 0",
        ),
        (
            True,
            "it gives the settled label less often with time on 12 of 12 locked conversations, more often on 0",
        ),
    ],
)
def test_a_judge_that_moved_is_told_by_its_anchors(store: Store, right: bool, sentence: str) -> None:
    talk, day = np.repeat(np.arange(12), 3), np.tile([0, 7, 14], 12)
    falls = 1 - day / 14
    anchors = AnchorAnswers(
        talk,
        np.zeros(36, dtype=np.int64),
        day,
        np.full(36, np.nan) if right else falls,
        falls > 0.2 if right else np.full(36, True),
    )
    period_view = shown(store, "none", 1)
    assert (
        said(replace(period_view, source=replace(period_view.source, anchors=anchors)))[0]
        == f"The judge changed: over all its answers, {sentence}."
    )


def test_nothing_moved_is_told_with_numbers_and_without_alarm(store: Store) -> None:
    period_view = shown(store, "none", 1)
    assert [sentence.split(" (")[0] for sentence in said(period_view)[1:4]] == [
        f"{who}: no clear change" for who in ("The raters", "The mix of cases", "The model under study")
    ]
    assert (
        said(period_view)[4]
        == "The judge compared with the clinicians: no clear change of level (180 conversations)."
    )
    assert (
        period_agreement.title(period_view)
        == "Agreement with the judge: no clear steady rise or fall over 12 weeks"
    )
    assert "Agreement: no clear steady rise or fall (p " in words(
        period_view
    ) and "percentage points per 4 weeks (" in words(period_view)
    table = period_agreement.periods_table(period_view)
    assert (
        len(table.rows) == 12
        and table.rows[0][0] == "2026-01-05"
        and sum(int(str(row[2])) for row in table.rows) == 180 * 10
    )
    mix = period_agreement.mix_table(period_view)
    assert mix.header == ("Week", "easy", "hard", "middling") and all(
        sum(int(str(cell)) for cell in row[1:]) == 15 for row in mix.rows
    )
    assert [row[0] for row in what_moved.table(period_view).rows] == [
        "The judge",
        "The raters",
        "The mix of cases",
        "The model under study",
        "Agreement, rise or fall",
        "The judge compared with the clinicians",
    ]


def test_a_judge_that_always_gives_the_commonest_label_stands_beside_the_line(store: Store) -> None:
    study = put(store, simulate("none", 1))
    period_view = PeriodView(source(store, study), "rated", "condition", "week")
    material = read_labels(store, study)
    counted = pairs = 0
    for number in range(
        len(material.questions)
    ):  # by hand: the commonest label of each question, among those beside the judge's
        codes = material.pairs(number).first.tolist()
        counted, pairs = counted + max(codes.count(code) for code in set(codes)), pairs + len(codes)
    assert f"would agree on {counted:,} of {pairs:,} labels" in words(period_view)
    table = period_agreement.periods_table(period_view)
    assert (
        table.header[8] == "Same if it always gave the commonest label"
        and sum(int(str(row[8])) for row in table.rows) == counted
    )
    assert all(
        share is not None and share == pytest.approx(int(str(row[8])) / int(str(row[2])))
        for row, (_, share) in zip(table.rows, period_view.always, strict=True)
    )


def test_fewer_than_eight_periods_are_told_in_words(store: Store) -> None:
    three = shown(store, "none", 1, weeks=3)
    assert period_agreement.title(three) == "Agreement with the judge in 3 weeks: too few to test a trend"
    assert "Agreement in the week of 5 January 2026: " in words(
        three
    ) and "A trend needs 8 weeks with a value; there are 3." in words(three)
    period_view = shown(store, "none", 2, weeks=1)
    assert (
        period_agreement.title(period_view) == "Agreement with the judge in 1 week: too few to test a trend"
        and words(period_view).count("plausible") == 1
    )


def test_periods_too_short_for_every_condition_say_so(store: Store) -> None:
    period_view = shown(store, "none", 1, length="day")
    assert (
        "a condition is missing, so the line with the mix of cases kept the same is mostly gaps: choose longer periods or "
        "another division." in words(period_view)
    )
    gap = next(
        row
        for row in period_agreement.periods_table(period_view).rows
        if str(row[6]).startswith("none: no pair of ")
    )
    assert gap[7] == ""
    undivided = replace(period_view, by=None)
    assert "under \u201cGroup cases by\u201d, choose a fact that differs between cases" in words(undivided)
    assert (
        "The mix of cases: not tested, all conversations are of one condition, or nothing is known of it."
        in said(undivided)
    )


@pytest.mark.parametrize("axis", ["rated", "judged", "held"])
def test_every_axis_that_has_days_can_be_chosen(store: Store, axis: Axis) -> None:
    period_view = shown(store, "none", 1, axis=axis)
    assert (
        period_view.source.axes == ["rated", "judged", "held"]
        and period_view.undated == 0
        and period_view.line.known == 12
    )
    late = PeriodView(source(store, found_study(store), 1), axis, "condition", "week")
    assert late.line.known == 6 and late.changes == [
        ("2026-01-05", "Judge <one> first answered"),
        ("2026-02-16", "Judge two first answered"),
    ]
    assert (
        period_agreement.changes_words(late)
        == "Vertical lines: Judge <one> first answered on 2026-01-05; Judge two first answered on 2026-02-16."
    )


def found_study(store: Store) -> Study:
    with store.reading() as connection:
        found = studies.find(connection, "none1")
    assert found is not None
    return found


def test_labels_without_a_day_are_counted_and_left_out(store: Store) -> None:
    period_view = shown(store, "none", 1)
    who, unit, day = period_view.source.moments.rated
    gone = replace(
        period_view,
        source=replace(
            period_view.source,
            moments=replace(period_view.source.moments, rated=(who[5:], unit[5:], day[5:])),
        ),
    )
    assert (
        gone.undated == 25
        and "25 labels compared with the judge's have no known day and are not on the line" in words(gone)
    )


def test_too_many_periods_are_refused_in_words(store: Store) -> None:
    period_view = shown(store, "none", 1)
    who, unit, day = period_view.source.moments.rated
    far = day.copy()
    far[0] = BEGINS - 365 * 20
    wide = replace(
        period_view,
        source=replace(
            period_view.source, moments=replace(period_view.source.moments, rated=(who, unit, far))
        ),
    )
    assert (
        wide.too_many is not None
        and wide.too_many.startswith("From 2006")
        and wide.source.fitting("rated") == "month"
    )


def test_a_changed_line_is_told_as_such(store: Store) -> None:
    period_view = shown(store, "none", 1)
    pairs = period_view.source.pairs
    rising = replace(period_view)
    rising.source.__dict__["pairs"] = replace(
        pairs,
        same=np.random.default_rng(1).random(len(pairs.same)) < 0.2 + 0.6 * pairs.talk / pairs.talk.max(),
    )
    assert period_agreement.title(rising) == "Agreement with the judge is rising over 12 weeks"
    assert "Agreement: rising (p below 0.001" in words(rising) and "+" in words(rising)


def test_no_cell_is_a_number_that_is_none(store: Store) -> None:
    for period_view in (shown(store, "none", 1, length="day"), shown(store, "none", 2, weeks=1)):
        tables: list[Table] = [
            what_moved.table(period_view),
            period_agreement.periods_table(period_view),
            period_agreement.mix_table(period_view),
        ]
        assert not any(
            "nan" in str(cell).lower().split() or cell == "None"
            for table in tables
            for row in table.rows
            for cell in row
        )


@given(
    st.lists(st.tuples(st.integers(0, 12) | st.integers(0, 4000), st.integers(-1, 9)), max_size=30),
    st.lists(st.integers(-3, 20) | st.integers(0, 4100), max_size=30),
)
def test_a_label_has_the_first_of_the_days_that_are_known_of_it(
    known: list[tuple[int, int]], asked: list[int]
) -> None:
    """Numbers close together are looked up in a table, others are searched."""
    days: dict[int, int] = {}
    for number, day in known:
        days[number] = min(day, days.get(number, day))
    names, day_of = (np.array([pair[place] for pair in known], dtype=np.int64) for place in (0, 1))
    found = find_days(names, day_of, np.array(asked, dtype=np.int64))
    assert found.tolist() == [days.get(number, UNKNOWN) for number in asked]
