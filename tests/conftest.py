"""What most tests stand on: an empty store, a small hand-made study, and the sample studies."""

from __future__ import annotations

import os
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
from data.store import Store, open_store
from runs.prepare import ready_store
from runs.sample_studies import ORDER
from runs.scoring import score_study
from tests import small_study
from tests.extension_package import Packages
from tests.small_study import Small

# The same examples on every run, so that the same code gets the same verdict; nothing is timed.
settings.register_profile(
    "house",
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
settings.load_profile("house")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Unit tests never see, and never touch, the store of whoever runs them."""
    if request.node.get_closest_marker("browser") or "browser" in request.node.path.parts:
        return
    for name in [name for name in os.environ if name.startswith("SECOND_READER_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", "/nonexistent/second-reader-tests")


@pytest.fixture
def store_path(tmp_path: Path) -> Path:
    return tmp_path / "store.sqlite"


@pytest.fixture
def store(store_path: Path) -> Iterator[Store]:
    """A fresh, empty store."""
    opened = open_store(f"sqlite:///{store_path}", busy_seconds=5)
    yield opened
    opened.close()


@pytest.fixture
def make_study(store: Store, tmp_path: Path) -> Callable[..., Small]:
    """Make a small study in the store; settings such as reveal="after_batch" go in by name."""
    return lambda **settings: small_study.make(store, tmp_path, **settings)


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
def samples_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("samples") / "samples.sqlite"
    ready_store(Settings.read({"SECOND_READER_DATABASE_URL": f"sqlite:///{path}"})).close()
    return path


@pytest.fixture
def sample_store(samples_file: Path, tmp_path: Path) -> Iterator[Store]:
    """A copy of the store with all sample studies."""
    opened = open_store(f"sqlite:///{shutil.copy(samples_file, tmp_path / 'samples.sqlite')}")
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def scored_file(samples_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample studies with everything computed by the packaged model, which takes some seconds: once for
    all.

    But for VERA-MH: its ninety long conversations take minutes.
    """
    path = Path(shutil.copy(samples_file, tmp_path_factory.mktemp("scored") / "scored.sqlite"))
    store = open_store(f"sqlite:///{path}")
    for key in ORDER:
        if key != "vera_mh":
            assert score_study(store, key, "tests").missing == []
    store.close()
    return path


@pytest.fixture
def scored_store(scored_file: Path, tmp_path: Path) -> Iterator[Store]:
    """A copy of the store with all sample studies and their metrics."""
    opened = open_store(f"sqlite:///{shutil.copy(scored_file, tmp_path / 'scored.sqlite')}")
    yield opened
    opened.close()


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
