"""Scoring beside the app: one at a time, killed half way it goes on, and a page can tell that it is under
way.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.store import locks
from data.store.store import Store
from runs.scoring import background, score_study
from runs.scoring import run as scoring
from tests.studies.small_study import Small
from tests.unit.data.record.test_target_plans import save, waiting

pytestmark = pytest.mark.slow


def until(true: Callable[[], bool], seconds: float = 600) -> None:
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def numbers(store: Store) -> int:
    with store.reading() as connection:
        return connection.execute(sa.select(sa.func.count()).select_from(schema.metric_value)).scalar_one()


@pytest.fixture
def planned(make_study: Callable[..., Small]) -> Small:
    """Forty conversations, three batches, with a plan."""
    made = make_study(conversation_count=40)
    save(made, "study", "Ask about the week, plan a walk and follow up.")
    return made


def test_killed_half_way_the_next_one_goes_on_from_there(
    planned: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, path = planned.store, planned.store.path
    first = background.start(store, ["small"])
    until(lambda: background.under_way(store))
    first.kill()
    first.wait()
    assert not background.under_way(store), "the lock goes with its holder"
    monkeypatch.setattr(scoring, "BATCH", 4)

    def broken(count: int, _: int) -> None:
        if count >= 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        score_study(store, "small", "tests", progress=broken)
    numbers_before = numbers(store)
    assert numbers_before and waiting(planned)["study"] < 40
    second, third = (
        background.start(store, ["small"]),
        background.start(store, ["small"]),
    )  # the third one waits its turn and finds nothing to do
    assert (second.wait(600), third.wait(600)) == (0, 0)
    assert waiting(planned)["study"] == 0 and numbers(store) > numbers_before
    assert score_study(store, "small", "tests").computed == 0
    with store.reading() as connection:
        twice = connection.execute(
            sa.select(schema.metric_value.c.id)
            .group_by(
                schema.metric_value.c.subject,
                schema.metric_value.c.metric,
                schema.metric_value.c.variant,
                schema.metric_value.c.inputs,
            )
            .having(sa.func.count() > 1)
        ).all()
        assert twice == [] and verify(connection).problems == []
    assert Path(f"{path}.scoring.lock").stat().st_mode & 0o777 == 0o600


def test_an_unknown_study_is_a_sentence_and_the_lock_is_free_again(planned: Small) -> None:
    assert background.start(planned.store, ["nobody"]).wait(600) == 1
    assert not background.under_way(planned.store)


def test_whoever_asks_does_not_take_the_lock(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with locks.in_turn(store, "scoring"):
        assert locks.held(store, "scoring") and not locks.held(store, "worker")
    assert not locks.held(store, "scoring") and not locks.held(store, "scoring")
