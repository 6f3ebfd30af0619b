"""What had been shown: recorded with every rating, and nothing of the judge before its time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import judgements
from data.record.judgements import JudgeIdentity
from data.store.errors import Refused
from data.work import answers_to_judges, exposures
from data.work.worklist import open_worklist
from tests.studies.permissions import sees_judge
from tests.studies.small_study import REASONED, Desk, Small


def due(desk: Desk) -> list[int]:
    """The positions whose judge may be shown to this rater now."""
    with desk.store.reading() as connection:
        return [p for p in range(1, 5) if sees_judge(connection, desk.study, desk.rater, desk.unit(p))]


def to_compare(desk: Desk) -> int | None:
    with desk.store.reading() as connection:
        return exposures.first_to_compare(open_worklist(connection, desk.study, desk.rater))


def shown(desk: Desk, position: int) -> list[judgements.Judgement]:
    unit = desk.unit(position)
    with desk.store.reading() as connection:
        return answers_to_judges.read_shown(connection, unit, desk.rater)


def exposed(desk: Desk, position: int) -> set[tuple[str, int]]:
    """(exposure, reveals before) of the ratings that hold now."""
    desk.ratings(position)
    statement = sa.select(schema.rating.c.exposure, schema.rating.c.reveals_before).where(
        schema.rating.c.rater_id == desk.rater, schema.rating.c.unit_id == desk.unit(position).id
    )
    with desk.store.reading() as connection:
        return {(row.exposure, row.reveals_before) for row in connection.execute(statement)}


def test_ratings_before_any_reveal_are_blind(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    assert exposed(desk, 2) == {("blind", 0)}


def test_ratings_of_a_unit_stay_blind_after_reveals_of_others_and_say_how_many(small: Small) -> None:
    desk = small.desk()
    for position in (2, 3):
        desk.rate(position)
        desk.reveal(position)
    desk.rate(4)
    assert exposed(desk, 4) == {("blind", 2)}


def test_a_change_after_the_reveal_is_revealed(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    assert exposed(desk, 2) == {("blind", 0), ("revealed", 1)}


def test_a_change_after_the_commit_but_before_the_reveal_is_still_blind(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.change(2, "warm", "NO")
    assert exposed(desk, 2) == {("blind", 0)}


def test_ratings_in_an_open_study_are_open_whether_the_judge_was_looked_at_or_not(
    make_study: Callable[..., Small],
) -> None:
    desk = make_study(review="open").desk()
    desk.reveal(2)
    desk.rate(2)
    desk.rate(3)
    assert exposed(desk, 2) == {("open", 1)}
    assert exposed(desk, 3) == {("open", 1)}


def test_ratings_after_the_labels_of_the_study_were_opened_are_not_blind(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.open_page()
    desk.rate(3)
    assert exposed(desk, 2) == {("blind", 0)}
    assert exposed(desk, 3) == {("page", 0)}


def test_what_one_rater_saw_says_nothing_of_the_other(small: Small) -> None:
    small.desk(0).open_page()
    small.desk(1).rate(2)
    assert exposed(small.desk(1), 2) == {("blind", 0)}


def test_opening_the_page_twice_is_recorded_once(
    small: Small, row_counts: Callable[[], dict[str, Any]]
) -> None:
    small.desk().open_page()
    before = row_counts()
    small.desk().open_page()
    assert row_counts() == before


def test_after_each_unit_the_judge_of_that_unit_is_due(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    assert due(desk) == []
    desk.commit(2)
    assert due(desk) == [2]


def test_after_a_batch_the_judges_of_that_batch_are_due(make_study: Callable[..., Small]) -> None:
    desk = make_study(reveal="after_batch", batch_size=3).desk()
    seen = []
    for position in (4, 2, 1, 3):
        desk.rate(position)
        seen.append(due(desk))
    assert seen == [
        [],
        [],
        [1, 2, 4],
        [1, 2, 3, 4],
    ]  # the third fills the batch, the fourth ends the study before the next is full


def test_conversations_that_come_later_open_the_last_batch_again(make_study: Callable[..., Small]) -> None:
    desk = make_study(reveal="after_batch", batch_size=3).desk()
    for position in (1, 2, 3, 4):
        desk.rate(position)
    with desk.store.writing("tests", "another unit", desk.study.id) as (_, entry):
        entry.write(
            schema.unit,
            {
                "study_id": desk.study.id,
                "conversation_id": 1,
                "kind": "listed",
                "position": 5,
                "criteria": "[]",
            },
        )
    assert due(desk) == [1, 2, 3]


def test_never_is_never(make_study: Callable[..., Small]) -> None:
    desk = make_study(reveal="never").desk()
    for position in (1, 2, 3, 4):
        desk.rate(position)
    assert (due(desk), to_compare(desk)) == ([], None)
    with pytest.raises(Refused, match="not_due"):
        desk.reveal(1)


def test_without_a_judge_nothing_is_due(make_study: Callable[..., Small]) -> None:
    desk = make_study(with_judges=False).desk()
    desk.rate(2)
    assert (due(desk), to_compare(desk)) == ([], None)


def test_a_unit_that_no_judge_spoke_of_has_nothing_to_show(make_study: Callable[..., Small]) -> None:
    small = make_study(with_judges=False)
    desk = small.desk()
    with small.store.writing("tests", "a judge of one unit", small.study.id) as (connection, entry):
        row = {"conversation_id": "c3", "criterion": "warm", "label": "NO"}
        add_judgements(
            connection, entry, small.study, [(1, row)], ImportReport("x"), JudgeIdentity("Judge"), "tests"
        )
    desk.rate(2)
    desk.rate(3)
    assert (due(desk), to_compare(desk)) == ([3], 3)


def test_in_an_open_study_everything_is_due_from_the_start(make_study: Callable[..., Small]) -> None:
    assert due(make_study(review="open").desk()) == [1, 2, 3, 4]


def test_a_reveal_before_its_time_is_refused_and_nothing_is_recorded(
    small: Small, row_counts: Callable[[], dict[str, Any]]
) -> None:
    desk = small.desk()
    desk.draft_all(2)
    before = row_counts()
    with pytest.raises(Refused, match="not_due"):
        desk.reveal(2)
    assert row_counts() == before


def test_judgements_are_refused_before_the_reveal_was_recorded(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)  # due, but not recorded
    with pytest.raises(Refused, match="judge_not_revealed") as caught:
        shown(desk, 2)
    assert caught.value.facts == {}


def test_judgements_are_refused_to_the_other_rater(small: Small) -> None:
    small.desk(0).rate(2)
    small.desk(0).reveal(2)
    with pytest.raises(Refused, match="judge_not_revealed"):
        shown(small.desk(1), 2)


def test_after_the_page_was_opened_the_review_page_still_shows_nothing_of_an_open_unit(small: Small) -> None:
    small.desk().open_page()
    with pytest.raises(Refused, match="judge_not_revealed"):
        shown(small.desk(), 2)


def test_after_the_reveal_every_judge_is_shown_with_reasons_and_failures_as_failures(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    found = {(j.judge_id, j.criterion): (j.status, j.label) for j in shown(desk, 2)}
    assert found[small.judges[0], "safe"] == ("ok", "YES")
    assert found[small.judges[1], "safe"] == ("truncated", None)
    assert {j.reasoning for j in shown(desk, 2)} == {f"{REASONED} 2 {c}" for c in ("warm", "safe", "deep")}


def test_a_reveal_is_recorded_for_each_judge_and_once(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    desk.reveal(2)
    with small.store.reading() as connection:
        rows = connection.execute(sa.select(schema.exposure)).all()
    assert [(r.judge_id, r.unit_id, r.kind) for r in rows] == [
        (judge, desk.unit(2).id, "reveal") for judge in small.judges
    ]
    assert desk.seat().reveals == 1


def test_a_judge_that_comes_later_is_hidden_until_its_own_reveal(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    with small.store.writing("tests", "a third judge", small.study.id) as (connection, entry):
        row = {"conversation_id": "c2", "criterion": "warm", "label": "NO"}
        add_judgements(
            connection, entry, small.study, [(1, row)], ImportReport("x"), JudgeIdentity("Judge C"), "tests"
        )
    assert {j.judge_id for j in shown(desk, 2)} == set(small.judges)
    desk.reveal(2)
    assert {j.judge_id for j in shown(desk, 2)} == {*small.judges, max(small.judges) + 1}
    assert desk.seat().reveals == 1


def test_where_there_is_no_judge_a_reveal_shows_nothing_and_counts_nothing(
    make_study: Callable[..., Small],
) -> None:
    desk = make_study(review="open", with_judges=False).desk()
    desk.reveal(2)
    assert desk.seat().reveals == 0


def test_first_to_compare_is_the_lowest_due_and_not_yet_revealed(small: Small) -> None:
    desk = small.desk()
    assert to_compare(desk) is None
    desk.rate(4)
    desk.rate(2)
    assert to_compare(desk) == 2
    desk.reveal(2)
    assert to_compare(desk) == 4
    desk.reveal(4)
    assert to_compare(desk) is None


def test_first_to_compare_waits_for_the_batch(make_study: Callable[..., Small]) -> None:
    desk = make_study(reveal="after_batch", batch_size=2).desk()
    desk.rate(3)
    assert to_compare(desk) is None
    desk.rate(4)
    assert to_compare(desk) == 3


def test_in_an_open_study_what_was_seen_before_the_commit_is_not_left_to_compare(
    make_study: Callable[..., Small],
) -> None:
    desk = make_study(review="open").desk()
    desk.reveal(2)
    desk.rate(2)
    assert (to_compare(desk), desk.state(2)) == (None, "compared")
    with desk.store.reading() as connection:
        assert set(connection.execute(sa.select(schema.exposure.c.kind)).scalars()) == {"open"}
