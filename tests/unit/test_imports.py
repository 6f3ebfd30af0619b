"""What a command and the first page do not load: whoever types a command waits for it every time, and the process
that waits for the app holds it for days.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from data.store.store import open_store

ROOT = Path(__file__).resolve().parents[2]
STATISTICS = ["scipy.special", "scipy.stats", "pandas", "sqlite_utils", "sklearn", "statsmodels", "torch"]
PAGES = ["streamlit", "plotly"]
MODELS = ["openai", "google.genai"]
MIGRATIONS = ["alembic"]
STORE = ["sqlalchemy", "pydantic", "numpy"]


def loaded(statement: str, modules: list[str]) -> list[str]:
    """Those of the modules that a fresh process has after a statement."""
    child = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{statement}\nimport sys\nprint(*(m for m in {modules} if m in sys.modules))",
        ],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return child.stdout.split()


def test_the_process_that_waits_for_the_app_holds_no_store() -> None:
    everything = [*STATISTICS, *PAGES, *MODELS, *MIGRATIONS, *STORE]
    assert loaded("import cli.running, runs.serve", everything) == []


@pytest.mark.parametrize("module", ["store", "importing", "setting_aside", "judging"])
def test_a_command_loads_no_statistics_and_no_pages(module: str) -> None:
    unwanted = [*STATISTICS, *PAGES, *MODELS, *MIGRATIONS]
    assert loaded(f"import cli.{module}", unwanted) == []


def test_opening_a_store_of_the_newest_form_loads_no_migrations(store_path: Path) -> None:
    open_store(f"sqlite:///{store_path}").close()
    statement = f"from data.store.store import open_store\nopen_store({f'sqlite:///{store_path}'!r}).close()"
    assert loaded(statement, MIGRATIONS) == []


def test_the_pages_load_no_statistics_before_somebody_asks_for_them() -> None:
    assert loaded("import pages.widgets.navigation", [*STATISTICS, *MODELS, *MIGRATIONS]) == []


def test_the_server_answers_a_browser_before_it_loads_the_pages() -> None:
    """A browser fetches the platform's files, a second of work, while the pages are loaded beside it."""
    pages = ["pages.widgets.navigation", "sqlalchemy", "pydantic", "reports.document", "data.store.store"]
    assert loaded("import streamlit.web.cli, app", [*pages, *STATISTICS, *MODELS, *MIGRATIONS]) == []
