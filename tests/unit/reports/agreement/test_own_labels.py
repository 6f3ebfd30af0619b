"""A rater's own labels beside a judge's: only what they have seen, counted as it is, and nothing of others."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import Connection

from data.record import judgements, studies
from data.record.judgements import Judge
from data.record.studies import Rater, raters
from data.store.store import Store
from reports.agreement.own_labels import (
    OwnCriterion,
    OwnLabels,
    basis,
    headline,
    own_details,
    own_evidence,
    read_own_labels,
)
from reports.document import Heat, Paragraph, Table, UnitLink
from scoring.agreement.labels.label_data import Arm, question_of
from scoring.agreement.people.compare import compare, pair_up
from tests.studies.small_study import Small

ARMS: tuple[Arm, ...] = ("blind", "shown", "unknown")


def read(small: Small, judge: int = 0, rater: int = 0) -> dict[Arm, OwnLabels]:
    with small.store.reading() as connection:
        return read_own_labels(
            connection, small.study, _rater(connection, small, rater), _judge(connection, small, judge), ARMS
        )


def _judge(connection: Connection, small: Small, number: int) -> Judge:
    return next(
        judge for judge in judgements.judges(connection, small.study.id) if judge.id == small.judges[number]
    )


def _rater(connection: Connection, small: Small, number: int) -> Rater:
    return next(rater for rater in raters(connection, small.study.id) if rater.id == small.raters[number])


def seen(small: Small, number: int, position: int, label: str) -> None:
    small.desk(number).rate(position, label)
    small.desk(number).reveal(position)


def test_only_units_whose_judge_was_seen_and_only_own_labels(small: Small) -> None:
    seen(small, 0, 2, "YES")
    small.desk(0).rate(3, "NO")  # rated, and not compared
    seen(small, 1, 4, "NO")  # a colleague
    own = read(small)["blind"]
    assert own.units == 1
    assert {pair.unit for criterion in own.criteria for pair in criterion.comparison.pairs} == {2}
    assert {pair.first for criterion in own.criteria for pair in criterion.comparison.pairs} == {"YES"}


def test_before_anything_was_compared_there_is_a_sentence_and_no_number(small: Small) -> None:
    small.desk(0).rate(2, "YES")
    own = read(small)["blind"]
    assert headline(own) == "This judge has not labelled anything that you rated blind yet."
    assert own_details(own) == {}
    assert [row.cells for row in own_evidence(own, "own").rows] == [("nothing labelled by both", "")] * 3
    assert all(row.amounts == (None, None) for row in own_evidence(own, "own").rows)


def test_the_sentence_the_lines_and_what_opens_count_the_same(small: Small) -> None:
    for position, label in ((2, "YES"), (3, "NO"), (4, "NO")):
        seen(small, 0, position, label)
    own = read(small)["blind"]
    differ = [
        (criterion.question.id, pair.unit)
        for criterion in own.criteria
        for pair in criterion.comparison.pairs
        if pair.first != pair.second
    ]
    assert headline(own) == (
        f"You and the judge gave the same label on {own.pairs - len(differ)} of {own.pairs}."
    )
    assert own.pairs == 9 and differ
    assert basis(own) == "3 conversations whose judge you have seen; so few that every number is rough."
    listed = []
    for row, (key, details) in zip(own_evidence(own, "own").rows, own_details(own).items(), strict=True):
        assert row.key == key
        (matrix,), (table,) = details.beside, details.behind
        assert isinstance(matrix, Heat)
        assert sum(int(text) for line in matrix.texts for text in line if text) == 3
        if row.amounts[1] == 0:
            assert table == Paragraph("You differ nowhere.")
            continue
        assert isinstance(table, Table)
        for unit, you, judge in table.rows:
            assert isinstance(unit, UnitLink) and you != judge
            listed.append((unit.criterion, unit.position))
        assert row.amounts[1] == len(table.rows)
    assert sorted(listed) == sorted(differ)


def test_labels_given_after_the_reveal_stand_apart(make_study: Callable[..., Small]) -> None:
    small = make_study(review="open")
    seen(small, 0, 2, "YES")
    by_arm = read(small)
    assert (by_arm["blind"].pairs, by_arm["shown"].pairs, by_arm["unknown"].pairs) == (0, 3, 0)


def test_of_few_pairs_no_kappa_is_told(small: Small) -> None:
    seen(small, 0, 2, "YES")
    seen(small, 0, 3, "NO")
    for row in own_evidence(read(small)["blind"], "own").rows:
        assert row.notes == ("too early to say from 2 pairs",)


def test_of_labels_that_stand_apart_only_what_both_labelled_has_a_line(small: Small) -> None:
    seen(small, 0, 1, "YES")  # of one turn, where one criterion is filled in by rule
    own = read(small)["blind"]
    assert len(own_evidence(own, "own", only_compared=True).rows) < len(own_evidence(own, "own").rows)


@pytest.mark.parametrize(
    ("key", "end"),
    [("lend_an_ear", "near misses cost less"), ("vera_mh", '"does not apply" is left out')],
)
def test_what_does_not_apply_is_left_out_only_where_the_scale_has_it(
    sample_store: Store, key: str, end: str
) -> None:
    with sample_store.reading() as connection:
        study = studies.get_by_key(connection, key)
    question = next(
        question
        for question in (question_of(study.instrument, criterion) for criterion in study.instrument.criteria)
        if question.ordinal
    )
    given = [(unit, question.domain[unit % len(question.domain)]) for unit in range(20)]
    compared = compare(
        pair_up(given, given[1:] + given[:1]), question.domain, question.ordinal, question.not_applicable
    )
    note = own_evidence(OwnLabels((OwnCriterion(question, compared),)), "own").rows[0].notes[0]
    assert note.endswith(end), note
