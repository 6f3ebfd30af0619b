"""What the server does before its first visitor comes."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit import config, delta_generator, env_util, runtime
from streamlit.testing.v1 import AppTest

from pages.widgets import closed_tabs, server_lifetime
from pages.widgets.server_lifetime import VisitsWait, load_pages, skip_prompt_check
from runs.memory import free_memory
from runs.web_access import Receive, Scope, Send


def test_the_first_element_of_a_server_looks_through_no_sources(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def is_repl() -> bool:
        calls.append(True)
        return False

    monkeypatch.setattr(env_util, "is_repl", is_repl)
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    st.empty()
    assert calls == [True], "Streamlit asks this nowhere else"
    monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
    skip_prompt_check()
    st.empty()
    assert calls == [True]


def test_a_visit_waits_for_the_pages_and_a_file_does_not() -> None:
    served: list[str] = []

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        served.append(scope["type"])

    async def visit() -> list[str]:
        loaded = asyncio.Event()
        application = VisitsWait(serve, loaded)

        async def request(kind: str) -> None:
            await application({"type": kind}, None, None)  # type: ignore[arg-type]

        visiting = asyncio.create_task(request("websocket"))
        await request("http")
        for _ in range(10):
            await asyncio.sleep(0)
        before = list(served)
        loaded.set()
        await visiting
        return before

    assert asyncio.run(visit()) == ["http"]
    assert served == ["http", "websocket"]


def test_pages_that_cannot_be_loaded_keep_no_visitor_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever visits is told by the page itself what is wrong."""

    def fail() -> None:
        raise RuntimeError("broken")

    async def start() -> bool:
        loaded = asyncio.Event()
        monkeypatch.setattr(server_lifetime, "pages_loaded", loaded)
        monkeypatch.setattr(server_lifetime, "load_pages", fail)
        monkeypatch.setattr(delta_generator, "_use_warning_has_been_displayed", False)
        async with server_lifetime.server_lifetime(None):  # type: ignore[arg-type]
            await asyncio.wait_for(loaded.wait(), 60)
        return loaded.is_set() and delta_generator._use_warning_has_been_displayed

    assert asyncio.run(start())


@pytest.mark.usefixtures("database")
def test_loading_the_pages_opens_the_store_and_leaves_garbage_to_be_collected() -> None:
    gc.unfreeze()
    try:
        load_pages()
        assert gc.isenabled()
        assert gc.get_freeze_count() > 10_000
    finally:
        st.cache_resource.clear()


def test_the_platform_is_told_to_collect_no_garbage_after_the_run_of_a_page() -> None:
    """A full collection would hold up the next unit after a commit: runs/memory.py collects instead."""
    assert config.get_option("runner.postScriptGC") is False


class Garbage:
    """Refers to itself, so that only the collector can let it go."""

    def __init__(self) -> None:
        self.itself = self


@pytest.fixture
def garbage(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], object]]:
    """Gives what nothing but a collection of ours removes, as long as it is there. The process has grown."""
    monkeypatch.setattr(free_memory, "_least_in_use", 0)
    gc.disable()
    yield weakref.ref(Garbage())
    gc.enable()


def test_when_a_page_has_run_its_garbage_is_collected(
    garbage: Callable[[], object], app: Callable[..., AppTest]
) -> None:
    assert garbage() is not None
    app("help")
    assert garbage() is None


def test_garbage_that_no_page_collects_is_collected_while_the_server_runs(
    garbage: Callable[[], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fragment and an error end a run before its page does."""
    monkeypatch.setattr(closed_tabs, "LOOK_EVERY", 0.01)
    server = SimpleNamespace(is_active_session=lambda session_id: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)

    async def serve() -> None:
        closing = asyncio.create_task(closed_tabs.close_left_tabs())
        while garbage() is not None and not closing.done():
            await asyncio.sleep(0.01)
        assert closing.cancel()

    assert garbage() is not None
    asyncio.run(asyncio.wait_for(serve(), 60))
