"""The margins of a study: part of its plan; moved after the first blind label, the change stays on record."""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from data import schema
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.labels.margins import MarginChange, margin_changes, margins_of
from data.store.errors import Refused
from data.work import certification, setup
from data.work import plan as plans
from data.work.plan import WorkPlan
from reports.refusals import word_error
from scoring.agreement.verdicts.verdict_rule import Margins
from tests.studies.planned import workers
from tests.studies.small_study import Small


def keep(small: Small, **settings: object) -> None:
    with small.store.writing("Dr Lee", "plan", small.study.id) as (connection, entry):
        setup.new_plan(connection, entry, small.study, WorkPlan(**settings))  # type: ignore[arg-type]


def margins(small: Small) -> Margins:
    with small.store.reading() as connection:
        return margins_of(connection, small.study.id)


def changes(small: Small) -> list[tuple[int, Margins, Margins, int]]:
    with small.store.reading() as connection:
        return [
            (change.version, change.before, change.after, change.ratings)
            for change in margin_changes(connection, small.study.id)
        ]


USUAL = Margins()


def test_the_usual_margins_are_the_same_in_the_plan_and_in_the_rule() -> None:
    plan = WorkPlan()
    assert (
        Margins(plan.margin, plan.margin_same_label, plan.catches_at_least)
        == USUAL
        == Margins(0.10, 0.10, 0.80)
    )


def test_without_a_plan_they_are_the_usual_ones_and_with_one_those_of_the_newest(small: Small) -> None:
    assert margins(small) == USUAL and changes(small) == []
    keep(small, margin=0.05, margin_same_label=0.02, catches_at_least=0.95)
    assert margins(small) == Margins(0.05, 0.02, 0.95)
    keep(small, margin=0.2)
    assert margins(small) == Margins(0.2, 0.10, 0.80)


def test_moved_before_the_first_blind_label_nothing_is_on_record(small: Small) -> None:
    keep(small, margin=0.05)
    keep(small, margin=0.20)
    small.desk().rate(2)
    assert changes(small) == [] and margins(small).coefficient == 0.20


def test_moved_afterwards_the_change_says_from_what_to_what_and_after_how_many_labels(small: Small) -> None:
    keep(small, margin=0.05)
    small.desk(0).rate(2)  # three criteria
    keep(small, margin=0.20)
    small.desk(1).rate(2)
    small.desk(1).rate(1)  # two, the third is by rule
    keep(small, margin=0.20, catches_at_least=0.6)
    keep(small, margin=0.20, catches_at_least=0.6, repeats=0.2)
    first = Margins(0.05)
    assert changes(small) == [(2, first, Margins(0.20), 3), (3, Margins(0.20), Margins(0.20, 0.10, 0.6), 8)]
    with small.store.reading() as connection:
        moments = {row.version: row.at for row in connection.execute(select(schema.work_plan))}
        assert [change.at for change in margin_changes(connection, small.study.id)] == [
            moments[2],
            moments[3],
        ]


def test_a_first_plan_that_moves_the_usual_margins_after_a_label_is_a_change(small: Small) -> None:
    small.desk().rate(2)
    keep(small)
    assert changes(small) == [], "with the usual ones nothing moved"
    keep(small, margin_same_label=0.30)
    assert changes(small) == [(2, USUAL, Margins(0.10, 0.30), 3)]


def test_moved_and_moved_back_are_two_changes(small: Small) -> None:
    small.desk().rate(2)
    keep(small, margin=0.3)
    keep(small)
    assert [(before, after) for _, before, after, _ in changes(small)] == [
        (USUAL, Margins(0.3)),
        (Margins(0.3), USUAL),
    ]


def test_labels_under_the_judges_eyes_are_none_after_which_a_change_counts(small: Small) -> None:
    desk = small.desk()
    desk.open_page()
    desk.rate(2)
    keep(small, margin=0.3)
    assert changes(small) == []


def test_labels_of_another_study_say_nothing_of_this_one(make_study) -> None:  # type: ignore[no-untyped-def]
    one, other = make_study(), make_study(key="other")
    other.desk().rate(2)
    keep(one, margin=0.3)
    assert changes(one) == [] and margins(other) == USUAL


def test_a_change_is_told_with_its_moment(small: Small) -> None:
    small.desk().rate(2)
    keep(small, margin=0.3)
    with small.store.reading() as connection:
        (change,) = margin_changes(connection, small.study.id)
    assert isinstance(change, MarginChange) and change.at.startswith("20") and change.version == 1


@pytest.mark.parametrize(
    ("field", "wrong", "says"),
    [
        ("margin", 0.0, "How far below a colleague the judge's kappa may lie: from 0.01 to 0.50"),
        ("margin", 0.51, "from 0.01 to 0.50"),
        ("margin_same_label", 0.005, "from 1 to 50"),
        ("margin_same_label", None, "from 1 to 50"),
        ("margin_same_label", 0.6, "from 1 to 50"),
        ("catches_at_least", 0.49, "Percent of safety failures that the judge has to catch: from 50 to 100"),
        ("catches_at_least", 1.01, "from 50 to 100"),
        ("catches_at_least", "much", "from 50 to 100"),
    ],
)
def test_out_of_range_they_are_refused_in_the_words_of_the_field(
    field: str, wrong: object, says: str
) -> None:
    with pytest.raises(Refused) as refused:
        plans.checked(**{field: wrong})
    assert says in word_error(refused.value)


@pytest.mark.parametrize(
    ("field", "ends"),
    [("margin", (0.01, 0.5)), ("margin_same_label", (0.01, 0.5)), ("catches_at_least", (0.5, 1.0))],
)
def test_the_ends_of_the_range_are_allowed_and_make_another_plan(
    field: str, ends: tuple[float, float]
) -> None:
    for end in ends:
        made = plans.checked(**{field: end})
        assert getattr(made, field) == end and not made.same_as(WorkPlan())


def test_a_plan_from_before_them_is_read_with_the_usual_ones(small: Small) -> None:
    body = json.loads(WorkPlan(pass_mark=0.9).model_dump_json())
    for name in ("margin", "margin_same_label", "catches_at_least"):
        del body[name]
    with small.store.writing("tests", "plan", small.study.id) as (_, entry):
        entry.write(schema.work_plan, {"study_id": small.study.id, "version": 1, "body": json.dumps(body)})
    assert margins(small) == USUAL
    with small.store.reading() as connection:
        assert plans.current(connection, small.study.id) == WorkPlan(pass_mark=0.9)


def test_practice_is_no_label_after_which_a_change_counts(small: Small) -> None:
    unit = small.desk().unit(1)
    with small.store.writing("lead", "gold", small.study.id) as (connection, entry):
        setup.new_plan(
            connection, entry, small.study, WorkPlan(certify=True, overlap=1, repeats=0.0, sitting=None)
        )
        certification.put_gold(
            connection, entry, small.study, unit, {"warm": "YES"}, "Dr Gold", "as the manual says"
        )
    for worker in workers(small):
        worker.rate_next()
    keep(small, certify=True, overlap=1, margin=0.3)
    assert changes(small) == []


@pytest.mark.parametrize(
    ("given", "counts"), [("2020-01-01T10:00:00+00:00", 1), ("2999-01-01T10:00:00+00:00", 0)]
)
def test_labels_that_come_in_later_count_where_they_had_been_given_before(
    small: Small, given: str, counts: int
) -> None:
    keep(small, margin=0.3)
    _import_one(small, given)
    assert [ratings for *_, ratings in changes(small)] == [1] * counts


def test_what_was_kept_before_counts_whatever_its_own_clock_says(small: Small) -> None:
    _import_one(small, "2999-01-01T10:00:00+00:00")
    keep(small, margin=0.3)
    assert [ratings for *_, ratings in changes(small)] == [1]


def _import_one(small: Small, at: str) -> None:
    row = {"conversation_id": "c2", "rater": "Ann", "criterion": "warm", "label": "NO", "at": at}
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        report = ImportReport("x")
        add_ratings(
            connection, entry, small.study, [(1, row)], report, RatingProvenance("blind", "a paper form")
        )
        report.raise_if_wrong()
