"""How far each rater is, who has stopped, and what a plan means, word by word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from data.labels.work_overview import RaterRow, StudyProgress
from data.work.plan import WorkPlan
from reports.progress.findings import ProgressFindings
from reports.progress.rater_work import headline, list_rater_work, plan_outlook, rater_remark
from words.unit_nouns import CONVERSATION

NOW = "2026-11-24T12:00:00.000+00:00"
ROW = RaterRow(
    1, "Ada", "Rater A1", 0, 0, 0, 0, 0, 0, None, 0, None, "", admitted=True, saw_judge=False, imported=0
)
BEA = replace(ROW, id=2, name="Bea", code="Rater B2")


def findings(
    *rows: RaterRow, plan: WorkPlan | None = None, totals: StudyProgress | None = None
) -> ProgressFindings:
    return ProgressFindings(plan, totals, list(rows), [], 0, [], [], CONVERSATION)


def progress(given: int, wanted: int = 28, drawn: int = 14) -> StudyProgress:
    return StudyProgress(drawn, 0, 0, given, wanted, 0)


def said(of: ProgressFindings, units: int = 14) -> str:
    return headline(of, list_rater_work(of, units, NOW), units)


def test_without_a_plan_everyone_rates_everything() -> None:
    assert said(findings(ROW)) == "There is no plan yet, so everyone rates everything."
    rated = replace(ROW, committed=3, last=NOW)
    assert (
        said(findings(rated, BEA))
        == "There is no plan yet, so everyone rates everything; 3 of 28 ratings have been made."
    )
    assert said(findings()) == "Nobody is assigned yet. Add raters under “Plan”."
    assert said(findings(ROW), units=0) == "There is nothing to rate yet. Import conversations."


def test_with_a_plan_the_ratings_are_counted() -> None:
    plan = WorkPlan()
    assert (
        said(findings(ROW, plan=plan, totals=progress(0, 0, 0)))
        == "Nothing is given out yet. Select something under “What is rated”."
    )
    assert said(findings(ROW, plan=plan, totals=progress(27))) == "27 of 28 ratings have been made."
    assert said(findings(ROW, plan=plan, totals=progress(28))) == "All 28 ratings have been made."


def test_who_has_rated_nothing_for_a_week_is_named_while_work_is_left() -> None:
    late = replace(ROW, committed=2, last="2026-11-15T09:00:00.000+00:00")
    later = replace(BEA, committed=2, last="2026-11-10T09:00:00.000+00:00")
    plan = WorkPlan()
    assert (
        said(findings(late, plan=plan, totals=progress(4)))
        == "4 of 28 ratings have been made. Ada has not rated for 9 days."
    )
    assert (
        said(findings(late, later, plan=plan, totals=progress(4)))
        == "4 of 28 ratings have been made. Bea has not rated for 14 days, and 1 other has not rated for a "
        "week."
    )
    assert said(findings(late, plan=plan, totals=progress(28))) == "All 28 ratings have been made."
    six = replace(late, last="2026-11-18T09:00:00.000+00:00")
    assert said(findings(six, plan=plan, totals=progress(4))) == "4 of 28 ratings have been made."


def test_the_part_of_a_rater_is_an_even_share_of_what_is_open() -> None:
    rated = replace(ROW, committed=2, minutes=4.0, last="2026-11-23T09:00:00.000+00:00")
    first, second = list_rater_work(
        findings(rated, BEA, plan=WorkPlan(), totals=progress(8)), units=14, now=NOW
    )
    assert (first.rated_words, first.last, first.pace, first.left) == (
        "2 of about 12",
        "yesterday",
        "about 4 min",
        "40 min",
    )
    assert round(first.share, 3) == round(2 / 12, 3)
    assert (second.rated_words, second.last, second.pace, second.left) == ("0 of about 10", "", "", "")


def test_where_every_one_rates_every_unit_the_part_is_exact() -> None:
    plan = WorkPlan(each=True, raters=(1, 2))
    (first, _) = list_rater_work(findings(ROW, BEA, plan=plan, totals=progress(0)), 14, NOW)
    assert first.rated_words == "0 of 14"


def test_of_nobody_who_gets_no_more_anything_is_forecast() -> None:
    seen = replace(ROW, committed=3, saw_judge=True)
    out = replace(BEA, committed=1, admitted=False)
    work = list_rater_work(findings(seen, out, plan=WorkPlan(), totals=progress(4)), 14, NOW)
    assert [item.rated_words for item in work] == ["3 of 3", "1 of 1"]
    assert [rater_remark(item.row, WorkPlan()) for item in work] == [
        "has seen the judge's labels, so gets nothing to rate blind",
        "not in the plan",
    ]


def test_nobody_is_forecast_to_rate_a_unit_twice() -> None:
    (only,) = list_rater_work(findings(ROW, plan=WorkPlan(), totals=progress(0)), 14, NOW)
    assert only.rated_words == "0 of about 14", "of 28 ratings one rater can give 14"


@pytest.mark.parametrize(
    ("units", "raters", "plan", "words"),
    [
        (
            14,
            4,
            WorkPlan(repeats=0.0),
            "14 conversations, 2 raters each: 28 ratings, 7 per rater (more for faster raters).",
        ),
        (
            14,
            4,
            WorkPlan(repeats=0.1),
            "14 conversations, 2 raters each: 28 ratings, 7 per rater (more for faster raters), plus about "
            "3 hidden repeats.",
        ),
        (
            15,
            4,
            WorkPlan(repeats=0.0),
            "15 conversations, 2 raters each: 30 ratings, about 8 per rater (more for faster raters).",
        ),
        (
            1,
            1,
            WorkPlan(overlap=1, repeats=0.0),
            "1 conversation, 1 rater each: 1 rating, all by one rater.",
        ),
        (14, 0, WorkPlan(repeats=0.0), "14 conversations, 2 raters each: 28 ratings."),
        (14, 1, WorkPlan(repeats=0.0), "2 raters for each are asked for, and there is 1."),
        (
            14,
            3,
            WorkPlan(each=True, raters=(1, 2, 3), repeats=0.0),
            "14 conversations, 3 raters each: 42 ratings, 14 per rater.",
        ),
        (0, 4, WorkPlan(), ""),
    ],
)
def test_what_a_plan_means(units: int, raters: int, plan: WorkPlan, words: str) -> None:
    assert plan_outlook(units, raters, plan, None, CONVERSATION) == words


def test_what_was_drawn_counts_and_not_the_whole_study() -> None:
    words = plan_outlook(14, 2, WorkPlan(repeats=0.0), progress(0, 8, 4), CONVERSATION)
    assert words == "4 conversations, 2 raters each: 8 ratings, 4 per rater."
