"""Many processes at once: nothing is lost, nothing is there twice, and the trail holds."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.verify import verify
from data.record import studies, units
from data.store.store import Store, open_store
from runs.sample_studies import ORDER
from tests.faults.racing import prepare, race, rate
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow

EIGHT = tuple(f"Rater {n}" for n in range(8))
POSITIONS = (2, 1)


@pytest.fixture
def crowd(make_study: Callable[..., Small]) -> Small:
    """Two units, eight raters with a tab each, and a ninth with four tabs."""
    return make_study(raters=(*EIGHT, "Four tabs"), conversation_count=len(POSITIONS))


def test_raters_and_tabs_that_rate_the_same_units_at_once_lose_nothing_and_double_nothing(
    crowd: Small, store_path: Path
) -> None:
    path, key, last = store_path, crowd.study.key, crowd.raters[-1]
    alone = [(path, key, rater, "YES", POSITIONS, f"rater-{rater}") for rater in crowd.raters[:-1]]
    tabs = [(path, key, last, label, POSITIONS, "tabs") for label in ("YES", "NO", "YES", "NO")]
    answers = race(rate, [*alone, *tabs])
    promised = Counter(event for events in answers for event in events)
    assert max(promised.values()) == 1
    with crowd.store.reading() as connection:
        assert verify(connection).problems == []
        assert Counter(connection.execute(sa.select(schema.draft.c.event)).scalars()) == promised
        for rater in crowd.raters:
            assert ordinals(crowd.store, rater) == [1, 2]
            assert units.rater_progress(connection, rater) == units.RaterProgress(3, 2, 0)
            assert ratings(crowd.store, rater) == {
                (position, criterion): 1 for position in POSITIONS for criterion in ("warm", "safe", "deep")
            }


def ordinals(store: Store, rater: int) -> list[int]:
    with store.reading() as connection:
        return list(
            connection.execute(
                sa.select(schema.commit.c.ordinal)
                .where(schema.commit.c.rater_id == rater)
                .order_by(schema.commit.c.ordinal)
            ).scalars()
        )


def ratings(store: Store, rater: int) -> Counter[tuple[int, str]]:
    """How many ratings a rater has of each criterion of each unit."""
    r, u = schema.rating, schema.unit
    with store.reading() as connection:
        rows = connection.execute(
            sa.select(u.c.position, r.c.criterion).join(u, u.c.id == r.c.unit_id).where(r.c.rater_id == rater)
        )
        return Counter((row.position, row.criterion) for row in rows)


def test_four_programs_that_start_at_once_make_one_store_with_each_sample_once(store_path: Path) -> None:
    assert race(prepare, [(store_path,)] * 4) == ["ready"] * 4
    store = open_store(f"sqlite:///{store_path}")
    with store.reading() as connection:
        assert sorted(study.key for study in studies.listing(connection)) == sorted(ORDER)
        assert verify(connection).problems == []
    store.close()


def test_programs_do_not_open_the_page_that_ran_here_before(
    store_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit's test harness leaves the file of the page as the program of the process that ran it."""
    page, opened = store_path.with_name("page.py"), store_path.with_name("opened")
    page.write_text(f"open({str(opened)!r}, 'w').close()")
    program = ModuleType("__main__")
    program.__file__ = str(page)
    monkeypatch.setitem(sys.modules, "__main__", program)
    assert race(prepare, [(store_path,)]) == ["ready"]
    assert not opened.exists()
