"""Hidden repeats: shown again as any other unit, never revealed before, and in no headline."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import select

from data import schema
from data.access import reveals
from data.labels import agreement_labels
from data.record import studies, units
from data.record.studies import unit_count
from data.store.errors import Refused
from data.work import answers_to_judges, repeats
from data.work.worklist import open_worklist
from pages.widgets.workbench.view import view
from tests.studies.planned import Worker, plan_for, taken, workers
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow

Make = Callable[..., Small]


def everything(worker: Worker) -> dict[int, str]:
    """Rate to the end; place -> why it was given."""
    worker.rate_all()
    with worker.store.reading() as connection:
        rows = connection.execute(
            select(schema.assignment)
            .where(schema.assignment.c.rater_id == worker.rater)
            .order_by(schema.assignment.c.place)
        )
        return {row.place: row.purpose for row in rows}


def test_the_share_of_a_raters_units_that_comes_again_is_the_plans(make_small: Make) -> None:
    small = make_small(60, 1)
    plan_for(small, overlap=1, repeats=0.1)
    given = everything(workers(small)[0])
    assert list(given.values()).count("real") == 60
    assert 5 <= list(given.values()).count("repeat") <= 7


def test_a_repeat_shows_the_same_words_after_some_others(make_small: Make) -> None:
    small = make_small(60, 1)
    plan_for(small, overlap=1, repeats=0.1)
    worker = workers(small)[0]
    given = everything(worker)
    again = [place for place, purpose in given.items() if purpose == "repeat"]
    assert again
    for place in again:
        first = next(
            p for p, purpose in given.items() if purpose == "real" and worker.shown(p) == worker.shown(place)
        )
        assert place - first >= 2 if place > 60 else place - first > repeats.APART


def test_no_list_of_the_study_and_no_headline_has_a_repeat(make_small: Make) -> None:
    small = make_small(20, 1)
    plan_for(small, overlap=1, repeats=0.2)
    worker = workers(small)[0]
    given = everything(worker)
    assert "repeat" in given.values()
    with small.store.reading() as connection:
        assert unit_count(connection, small.study.id) == 20 == len(units.ids(connection, small.study.id))
        labels = agreement_labels.human_labels(connection, small.study.id, "blind")
        assert {label.position for label in labels} == set(range(1, 21))
        assert len(labels) == 59  # three criteria each, one by rule
        assert len(units.of_conversation(connection, 1)) == 1
    assert taken(small) == dict.fromkeys(range(1, 21), (1, 1))


@pytest.mark.parametrize("reveal", ["after_unit", "after_batch"])
def test_the_judge_of_a_unit_that_comes_again_is_not_shown_before(make_small: Make, reveal: str) -> None:
    small = make_small(40, 1, reveal=reveal, batch_size=4)
    plan_for(small, overlap=1, repeats=0.2)
    worker = workers(small)[0]
    place_of: dict[tuple[int, int | None], int] = {}
    seen_again: set[int] = set()
    while isinstance(place := worker.rate_next(), int):
        key = worker.shown(place)
        if worker.purpose(place) == "repeat":
            seen_again.add(place_of[key])
        else:
            place_of[key] = place
        with small.store.reading() as connection:
            coming = (
                set(
                    connection.execute(
                        select(schema.assignment.c.place).where(schema.assignment.c.hold == "repeat")
                    ).scalars()
                )
                - seen_again
            )
        for earlier in sorted(coming):
            assert not worker.may_see(earlier)
            with (
                pytest.raises(Refused, match="not_due"),
                small.store.writing("x", "reveal", small.study.id) as (connection, entry),
            ):
                reveals.record_reveal(connection, entry, small.study, worker.unit(earlier), worker.rater)
            with pytest.raises(Refused, match="judge_not_revealed"), small.store.reading() as connection:
                answers_to_judges.read_shown(connection, worker.unit(earlier), worker.rater)
    assert seen_again
    assert all(
        worker.may_see(place) for place in place_of.values()
    )  # at the end everything that was given for real may be compared


def test_a_judge_that_is_not_shown_yet_does_not_tell_which_unit_comes_again(make_small: Make) -> None:
    """As many others are held back for a while: right after the commit half of those that are not shown never
    come again.
    """
    small = make_small(60, 1)
    plan_for(small, overlap=1, repeats=0.1)
    worker = workers(small)[0]
    hidden = []
    while isinstance(place := worker.rate_next(), int):
        if worker.purpose(place) == "real" and not worker.may_see(place):
            hidden.append(place)
    with small.store.reading() as connection:
        holds = dict(connection.execute(select(schema.assignment.c.place, schema.assignment.c.hold)).all())
    counted = [holds[place] for place in hidden]
    assert set(counted) == {"repeat", "decoy"} and abs(counted.count("repeat") - counted.count("decoy")) <= 1


def test_what_is_shown_of_a_repeat_tells_it_from_nothing_else(make_small: Make) -> None:
    """The workbench of a repeat and of a unit that is met for the first time have the same shape and no word
    of the first time.
    """
    small = make_small(20, 1)
    plan_for(small, overlap=1, repeats=0.2)
    worker = workers(small)[0]
    views: dict[str, dict[str, object]] = {}
    while isinstance(place := worker.take(), int):
        with small.store.reading() as connection:
            rater = studies.rater(connection, worker.rater)
            shown = view(open_worklist(connection, small.study, rater.id), worker.unit(place), rater, True)
        views[worker.purpose(place)] = shown
        worker.rate(place)
    first, again = views["real"], views["repeat"]
    assert first.keys() == again.keys()
    for name in (
        "answers",
        "ratings",
        "responses",
        "reveal",
        "committed_at",
        "exposure",
        "study",
        "reader",
        "score",
    ):
        assert first[name] == again[name], name
    assert not again["answers"] and again["reveal"] is None
    assert isinstance(again["unit"], dict) and again["unit"]["position"] > 0


def test_a_repeat_that_was_skipped_or_ran_out_is_no_loss(make_small: Make) -> None:
    small = make_small(20, 1)
    plan_for(small, overlap=1, repeats=0.2)
    worker = workers(small)[0]
    while isinstance(place := worker.take(), int):
        worker.skip(place) if worker.purpose(place) == "repeat" else worker.rate(place)
    assert taken(small) == dict.fromkeys(range(1, 21), (1, 1))
    assert worker.left().none


def test_in_an_open_review_nothing_is_repeated(make_small: Make) -> None:
    """The judge stands beside every unit there, and its absence would tell which one comes again."""
    small = make_small(20, 1, review="open")
    plan_for(small, overlap=1, repeats=0.2)
    assert set(everything(workers(small)[0]).values()) == {"real"}


def test_without_a_share_nothing_comes_again(make_small: Make) -> None:
    small = make_small(20, 1)
    plan_for(small, overlap=1, repeats=0.0)
    assert set(everything(workers(small)[0]).values()) == {"real"}
    assert {repeats.hold("seed", 1, place, 0.0) for place in range(1, 100)} == {""}


def test_in_every_run_of_places_one_is_repeated_and_one_other_is_a_decoy() -> None:
    for rater in range(1, 20):
        for block in range(10):
            kinds = [repeats.hold("study", rater, block * 10 + n, 0.1) for n in range(1, 11)]
            assert sorted(kinds) == [""] * 8 + ["decoy", "repeat"]
