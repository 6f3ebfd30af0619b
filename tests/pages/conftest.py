"""Pages run inside Streamlit's own test harness, on a copy of the sample studies."""

from __future__ import annotations

import contextlib
import functools
import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.local_script_runner import LocalScriptRunner

from data.record import judgements, studies
from data.store.store import Store, open_store
from pages.widgets import remembered_person
from pages.widgets.bar import component
from pages.widgets.bar.component import Press
from pages.widgets.bar.contents import BarContents, BarMenu
from tests.studies.known_browsers import cookie_of_reader

# What opens on the Agreement page: open in every test, so that all of its words are read.
LINES = (
    "draws",
    "samples",
    "precision",
    "proposals",
    "work-raters",
    "work-criteria",
    "work-open",
    "versions",
    "without_value",
    "comparisons",
    "everything",
    "safety",
    "answer",
    "trust",
    "colleague",
    "low-alpha",
    "criteria",
    "matrices",
    "paths",
    "not_applicable",
    "raters",
    "when_judge_says",
    "defensible",
    "shown",
    "settled",
    "decisions",
    "reasons",
    "stand_in",
    "appendix",
    "differences",
    *(
        f"drift-{name}"
        for name in (
            "leaving",
            "one",
            "tested",
            "by_turn",
            "labels",
            "embedders",
            "line",
            "level",
            "control",
            "swap",
            "freeze",
            "levels_table",
            "same_table",
            "minutes_table",
            "calibration",
        )
    ),
    "runs-earlier",
    "import-notices",
)
APP = str(Path(__file__).resolve().parents[2] / "app.py")


@pytest.fixture(scope="session", autouse=True)
def _packages_scanned_once() -> Iterator[None]:
    """The harness looks for components in the description of every installed package, anew for every session,
    which takes longer than most pages; what is installed does not change while tests run.
    """
    with pytest.MonkeyPatch.context() as patch:
        scan = functools.cache(manifest_scanner.scan_component_manifests)
        patch.setattr(manifest_scanner, "scan_component_manifests", scan)
        yield


@pytest.fixture
def database(samples_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    copy = Path(shutil.copy(samples_file, tmp_path / "store.sqlite"))
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{copy}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    st.cache_resource.clear()
    yield copy
    st.cache_resource.clear()


@pytest.fixture
def store(database: Path) -> Iterator[Store]:
    opened = open_store(f"sqlite:///{database}")
    yield opened
    opened.close()


@pytest.fixture
def rater_id(store: Store) -> Callable[[str, str], int]:
    def find(study: str, name: str) -> int:
        with store.reading() as connection:
            found = studies.find(connection, study)
            assert found is not None
            return next(r.id for r in studies.raters(connection, found.id) if r.name == name)

    return find


@dataclass
class BarOfTest:
    """The bar as the page filled it last, and what is pressed in it next."""

    monkeypatch: pytest.MonkeyPatch
    shown: BarContents | None = None
    pressed: Press | None = None

    def __post_init__(self) -> None:
        self._mount = component.mount
        self.monkeypatch.setattr(component, "mount", self.mount)

    def mount(self, contents: BarContents) -> Press | None:
        self.shown = contents
        self._mount(contents)
        pressed, self.pressed = self.pressed, None
        return pressed

    def press(self, at: AppTest, page: str = "", study: str = "", forgets: bool = False) -> AppTest:
        self.pressed = Press(page, study, forgets)
        return at.run()

    def remember(self, cookie: str) -> None:
        """What the browser sends when the next tab begins."""
        self.monkeypatch.setattr(remembered_person, "sent_cookie", lambda: cookie)

    def remembered(self) -> str:
        """What the browser keeps now."""
        assert self.shown is not None
        return self.shown.cookie

    def texts(self) -> list[str]:
        """The pages that stand there, those of menus after the menu's word."""
        assert self.shown is not None
        return [
            text
            for item in self.shown.pages
            for text in (
                [f"{item.text}: {link.text}" for link in item.links]
                if isinstance(item, BarMenu)
                else [item.text]
            )
        ]


@pytest.fixture
def bar(monkeypatch: pytest.MonkeyPatch) -> BarOfTest:
    return BarOfTest(monkeypatch)


def _judge_to_open(database: Path, key: str) -> str:
    """The judge of a study that came last; nothing where there is none."""
    with contextlib.closing(open_store(f"sqlite:///{database}")) as store, store.reading() as connection:
        study = studies.find(connection, key)
        judges = judgements.judges(connection, study.id) if study else []
        return str(judges[-1].id) if judges else ""


class BrowserOfTest:
    """The browser of a test, another one for each session, unless the test says what it remembers
    (BarOfTest.remember).
    """

    def __init__(self, database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._database, self._kept = database, ""
        monkeypatch.setattr(remembered_person, "sent_cookie", self.send)

    def send(self) -> str:
        return self._kept

    def forget(self) -> None:
        self._kept = ""

    def answer(self, query: dict[str, str]) -> None:
        """Who opens this address was asked before, and gave the answer that it names; where it names nobody,
        nobody was asked.
        """
        self.forget()
        if query.get("reader") and remembered_person.sent_cookie == self.send:
            with contextlib.closing(open_store(f"sqlite:///{self._database}")) as store:
                self._kept = cookie_of_reader(store, query.get("study", ""), query["reader"])


@pytest.fixture
def browser(database: Path, monkeypatch: pytest.MonkeyPatch) -> BrowserOfTest:
    return BrowserOfTest(database, monkeypatch)


@pytest.fixture
def app(database: Path, browser: BrowserOfTest) -> Callable[..., AppTest]:
    """The whole app as a fresh session on a page. Who sits there was asked before."""

    def start(page: str, **query: str) -> AppTest:
        browser.answer(query)
        return open_address(database, page, **query)

    return start


@pytest.fixture
def by_address(database: Path, browser: BrowserOfTest) -> Callable[..., AppTest]:
    """The whole app by an address alone, in a browser in which nobody was asked yet."""

    def start(page: str, **query: str) -> AppTest:
        browser.forget()
        return open_address(database, page, **query)

    return start


def open_address(database: Path, page: str, **query: str) -> AppTest:
    # From a script in a folder of its own: beside app.py, the harness would take each file of pages/ for
    # a page again at every run, which a server never does.
    app_test = AppTest.from_string(
        f"import runpy\nrunpy.run_path({APP!r}, run_name='__main__')", default_timeout=120
    )
    # Function pages have no file to switch to; a deep link names its page in the address.
    if page == "judges":  # the card of one judge is open, as the lines below are
        query = {"judge": _judge_to_open(database, query.get("study", "")), **query}
    for name, value in {"page": page, **query}.items():
        app_test.query_params[name] = value
    for key in LINES:
        app_test.session_state[f"section-{key}"] = True
    return app_test.run()


@contextlib.contextmanager
def messages() -> Iterator[list[Any]]:
    """Every message that the server would send."""
    sent: list[Any] = []
    original = LocalScriptRunner.forward_msgs

    def keep(self: LocalScriptRunner) -> Any:
        queue = original(self)
        sent.extend(queue)
        return queue

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LocalScriptRunner, "forward_msgs", keep)
        yield sent


def has_workbench(at: AppTest) -> bool:
    return any("workbench" in element.proto.component_name for element in at.get("bidi_component"))


def evidence_tables(at: AppTest) -> list[dict[str, Any]]:
    """What the evidence tables of the page are told."""
    return [
        json.loads(element.proto.json)
        for element in at.get("bidi_component")
        if "evidence" in element.proto.component_name
    ]


def pictures(at: AppTest) -> list[str]:
    """The pictures of the page, as SVG."""
    return [
        str(json.loads(element.proto.json)["html"])
        for element in at.get("bidi_component")
        if "picture" in element.proto.component_name
    ]


def settle_list(at: AppTest) -> dict[str, Any]:
    """What the list of labels to settle is told."""
    (element,) = [
        element for element in at.get("bidi_component") if "settle_list" in element.proto.component_name
    ]
    told: dict[str, Any] = json.loads(element.proto.json)
    return told


def text_of(at: AppTest) -> str:
    """Everything on the page that is text: plain text, HTML, messages."""
    parts = [
        str(getattr(element, "value", "") or getattr(element, "body", ""))
        for kind in ("text", "info", "error", "success", "warning")
        for element in at.get(kind)
    ]
    parts += [str(element.proto.body) for element in at.get("html")]
    parts += [json.dumps(table, ensure_ascii=False) for table in evidence_tables(at)]
    parts += pictures(at)
    parts += [expander.label for expander in at.expander]
    return "\n".join(parts)
