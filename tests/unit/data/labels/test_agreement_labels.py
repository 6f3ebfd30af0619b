"""Labels for agreement: each in the arm of what had been shown, failures and rules in none."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import CheckConstraint

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.labels import agreement_labels
from data.labels.counted import ARMS
from data.record import judgements
from data.record.judgements import JudgeIdentity
from scoring.agreement.labels.label_data import Arm
from tests.studies.small_study import Desk, Small


def warm(desk: Desk, arm: Arm, units_of: int | None = None) -> dict[int, str | None]:
    """The labels of "warm" by position."""
    with desk.store.reading() as connection:
        found = agreement_labels.human_labels(connection, desk.study.id, arm, units_of)
    return {label.position: label.label for label in found if label.criterion == "warm"}


def test_every_exposure_belongs_to_exactly_one_arm() -> None:
    [check] = [
        constraint
        for constraint in schema.rating.constraints
        if isinstance(constraint, CheckConstraint) and constraint.name == "exposure_known"
    ]
    listed = sorted(name for names in ARMS.values() for name in names)
    assert (
        str(check.sqltext) == "exposure IN "
        f"({', '.join(repr(x) for x in ('blind', 'revealed', 'open', 'page', 'judge_visible', 'unknown'))})"
    )
    assert listed == sorted(("blind", "revealed", "open", "page", "judge_visible", "unknown"))


def test_the_blind_label_stays_in_the_blind_arm_when_it_was_changed_after_the_reveal(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    assert (warm(desk, "blind"), warm(desk, "shown")) == ({2: "YES"}, {2: "NO"})


def test_a_change_before_the_reveal_replaces_the_label_in_the_blind_arm(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.change(2, "warm", "NO")
    assert (warm(desk, "blind"), warm(desk, "shown")) == ({2: "NO"}, {})


def test_of_two_changes_after_the_reveal_the_last_counts(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    desk.change(2, "warm", "NA")
    assert (warm(desk, "blind"), warm(desk, "shown")) == ({2: "YES"}, {2: "NA"})


@pytest.mark.parametrize("review", ["open", "blind"])
def test_open_and_page_are_never_blind(make_study: Callable[..., Small], review: str) -> None:
    desk = make_study(review=review).desk()
    if review == "blind":
        desk.open_page()
    desk.rate(2)
    assert (warm(desk, "blind"), warm(desk, "shown")) == ({}, {2: "YES"})


def test_drafts_are_no_labels(small: Small) -> None:
    small.desk().draft_all(2)
    assert warm(small.desk(), "blind") == {}


def test_what_a_rule_filled_in_is_nobodys_judgement(small: Small) -> None:
    desk = small.desk()
    desk.rate(1)
    with small.store.reading() as connection:
        assert {
            label.criterion for label in agreement_labels.human_labels(connection, small.study.id, "blind")
        } == {"warm", "safe"}


def test_cannot_rate_has_no_label(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", None, cannot_rate="other")
    desk.commit(2)
    assert warm(desk, "blind") == {2: None}


def test_a_failure_of_the_judge_is_no_label_and_is_counted(small: Small) -> None:
    with small.store.reading() as connection:
        found = agreement_labels.judge_labels(connection, small.study.id, small.judges[1])
        assert agreement_labels.failures(connection, small.study.id, small.judges[1]) == {"truncated": 1}
        assert agreement_labels.failures(connection, small.study.id, small.judges[0]) == {}
    assert len(found) == 11
    assert (2, "safe") not in {(label.position, label.criterion) for label in found}


def test_for_a_rater_only_units_that_were_revealed_to_them_count(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.rate(3)
    desk.reveal(2)
    assert warm(desk, "blind", units_of=desk.rater) == {2: "YES"}
    with small.store.reading() as connection:
        labels = agreement_labels.judge_labels(
            connection, small.study.id, small.judges[0], units_of=desk.rater
        )
        assert agreement_labels.failures(
            connection, small.study.id, small.judges[1], units_of=desk.rater
        ) == {"truncated": 1}
        assert (
            agreement_labels.failures(connection, small.study.id, small.judges[1], units_of=small.raters[1])
            == {}
        )
    assert {label.position for label in labels} == {2}


def say(small: Small, judge: str, *rows: dict[str, object]) -> int:
    """A judge says something of "warm" in c2; returns its id."""
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        numbered = [
            (n, {"conversation_id": "c2", "criterion": "warm", **row}) for n, row in enumerate(rows, start=1)
        ]
        add_judgements(
            connection, entry, small.study, numbered, ImportReport("x"), JudgeIdentity(judge), "tests"
        )
        return judgements.judges(connection, small.study.id)[-1].id


def test_of_replicates_only_the_first_verdict_counts(small: Small) -> None:
    judge = say(
        small,
        "Judge C",
        {"label": "NO", "replicate": 2},
        {"label": "YES", "replicate": 1},
        {"status": "failed", "replicate": 3},
    )
    with small.store.reading() as connection:
        assert [
            label.label for label in agreement_labels.judge_labels(connection, small.study.id, judge)
        ] == ["YES"]
        assert agreement_labels.failures(connection, small.study.id, judge) == {}


def test_a_first_verdict_that_failed_is_a_failure_whatever_its_replicates_say(small: Small) -> None:
    judge = say(small, "Judge C", {"status": "failed"}, {"label": "YES", "replicate": 1})
    with small.store.reading() as connection:
        assert agreement_labels.judge_labels(connection, small.study.id, judge) == []
        assert agreement_labels.failures(connection, small.study.id, judge) == {"failed": 1}


def test_for_a_rater_a_judge_counts_only_where_this_judge_was_revealed(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    judge = say(small, "Judge C", {"label": "NO"})
    for expected in ([], ["NO"]):
        with small.store.reading() as connection:
            assert [
                label.label
                for label in agreement_labels.judge_labels(
                    connection, small.study.id, judge, units_of=desk.rater
                )
            ] == expected
        desk.reveal(2)
