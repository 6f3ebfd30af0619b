"""What most tests stand on: an empty store, a small hand-made study, and the sample studies."""

from __future__ import annotations

import gc
import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy import func, select

from configs.settings import Settings
from data import schema
from data.store.store import Store, open_store
from runs.prepare import ready_store
from runs.sample_studies import ORDER
from runs.scoring import score_study
from tests.models.forward_passes import remember_forward_passes
from tests.servers.extension_package import Packages
from tests.servers.statement_cache import share_compiled_statements
from tests.servers.tls_contexts import share_tls_contexts
from tests.studies import small_study
from tests.studies.small_study import Small
from tests.studies.templates import Templates
from tests.studies.usual_metrics import only_usual_metrics

# The same examples on every run, so that the same code gets the same verdict; nothing is timed.
settings.register_profile(
    "house",
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("house")
share_compiled_statements()
share_tls_contexts()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The slow tests first, as many for each worker, so that none is left with a long one when the others are
    done. xdist gives each worker a part of the list in one piece.
    """
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    slow = [item for item in items if item.get_closest_marker("slow")]
    others = [item for item in items if not item.get_closest_marker("slow")]
    ends = [len(others) * number // workers for number in range(workers + 1)]
    items[:] = [
        item
        for number in range(workers)
        for item in (*slow[number::workers], *others[ends[number] : ends[number + 1]])
    ]


def pytest_collection_finish() -> None:
    """What ten thousand tests consist of stays to the end: to look through it for garbage again and again takes a
    twentieth of the time.
    """
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """What the tests of a folder leave, such as modules and what is made once a run, stays as well."""
    if nextitem is not None and nextitem.path.parent != item.path.parent:
        gc.collect()
        gc.freeze()


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Unit tests never see, and never touch, the store of whoever runs them."""
    if request.node.get_closest_marker("browser") or "browser" in request.node.path.parts:
        return
    for name in [name for name in os.environ if name.startswith("SECOND_READER_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", "/nonexistent/second-reader-tests")


@pytest.fixture(autouse=True)
def _same_chance(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Who rates what next, and which units are drawn, is the same on every run of a test: what fails once in
    two hundred runs would fail for somebody who changed something else.
    """
    source = random.Random(request.node.nodeid)
    monkeypatch.setattr(random.SystemRandom, "random", lambda _: source.random())
    monkeypatch.setattr(random.SystemRandom, "getrandbits", lambda _, bits: source.getrandbits(bits))


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@pytest.fixture(scope="session")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Templates:
    return Templates.of_run(tmp_path_factory)


@pytest.fixture(scope="session")
def empty_file(templates: Templates) -> Path:
    """A new store, closed. To run all migrations takes ten times as long as to open what they made."""
    return templates.store("empty", lambda path: open_store(f"sqlite:///{path}").close())


@pytest.fixture
def store(empty_file: Path, store_path: Path) -> Iterator[Store]:
    """A fresh, empty store."""
    shutil.copy(empty_file, store_path)
    opened = open_store(f"sqlite:///{store_path}", busy_seconds=60)
    yield opened
    opened.close()


@pytest.fixture
def copy_study(store: Store, templates: Templates) -> Callable[..., Small]:
    """Put a study into the empty store that took long to make: a function such as tests.made_raters.twelve_weeks
    and its settings by name. It is made once a run.
    """
    return lambda make, **settings: templates.study(store, make, **settings)


@pytest.fixture
def make_study(store: Store, tmp_path: Path, copy_study: Callable[..., Small]) -> Callable[..., Small]:
    """Make a small study in the store; settings such as reveal="after_batch" go in by name. In a store in
    which nothing was written yet it is a copy.
    """

    def make(**settings: Any) -> Small:
        with store.reading() as connection:
            is_first = connection.execute(select(func.count()).select_from(schema.trail)).scalar() == 0
        if is_first:
            return copy_study(small_study.make, **settings)
        return small_study.make(store, tmp_path, **settings)

    return make


@pytest.fixture
def small(make_study: Callable[..., Small]) -> Small:
    """Four conversations, two judges, the raters Ann and Ben; the judge is revealed after each unit."""
    return make_study()


@pytest.fixture
def packages(tmp_path: Path) -> Iterator[Packages]:
    """A folder on the path for packages that add something to the program; gone with the test."""
    with pytest.MonkeyPatch.context() as patch:
        installed = Packages(tmp_path / "site", patch)
        yield installed
    installed.look()


@pytest.fixture(scope="session")
def samples_file(templates: Templates) -> Path:
    """A store with all sample studies, closed."""

    def make(path: Path) -> None:
        ready_store(Settings.read({"SECOND_READER_DATABASE_URL": f"sqlite:///{path}"})).close()

    return templates.store("samples", make)


@pytest.fixture
def sample_store(samples_file: Path, tmp_path: Path) -> Iterator[Store]:
    """A copy of the store with all sample studies."""
    opened = open_store(f"sqlite:///{shutil.copy(samples_file, tmp_path / 'samples.sqlite')}")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def scored_file(samples_file: Path, templates: Templates) -> Path:
    """The sample studies with everything computed by the packaged model, which takes some seconds: once for
    all.

    But for VERA-MH: its ninety long conversations take minutes.
    """

    def make(path: Path) -> None:
        store = open_store(f"sqlite:///{shutil.copy(samples_file, path)}")
        for key in ORDER:
            if key != "vera_mh":
                with only_usual_metrics():
                    assert score_study(store, key, "tests").missing == []
        store.close()

    return templates.store("scored", make)


@pytest.fixture
def usual_metrics() -> Iterator[None]:
    """Only the metrics that tests know which count all numbers."""
    with only_usual_metrics():
        yield


@pytest.fixture
def scored_store(scored_file: Path, tmp_path: Path) -> Iterator[Store]:
    """A copy of the store with all sample studies and their metrics."""
    opened = open_store(f"sqlite:///{shutil.copy(scored_file, tmp_path / 'scored.sqlite')}")
    yield opened
    opened.close()


@pytest.fixture
def remembered_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sentence model computes each batch of texts once for all tests that take this."""
    remember_forward_passes(monkeypatch)


@pytest.fixture
def raw(store_path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that goes around the program, as somebody with the file and a SQLite tool would."""
    with closing(sqlite3.connect(store_path, isolation_level=None)) as connection:
        yield connection


@pytest.fixture
def row_counts(store: Store) -> Callable[[], dict[str, Any]]:
    """How many rows every table has."""

    def count() -> dict[str, Any]:
        with store.reading() as connection:
            return {
                table.name: connection.execute(select(func.count()).select_from(table)).scalar()
                for table in schema.metadata.sorted_tables
            }

    return count
