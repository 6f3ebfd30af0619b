"""A cache of slow results, shared by all tabs. A value stays while its inputs are the same and a tab that
asked for it is open.

Every tab that asks with the same name and key gets the value. So the key holds everything that decides what a
person may see, and nobody may change a value.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Protocol, TypeVar, runtime_checkable
from weakref import WeakKeyDictionary

from streamlit.runtime.scriptrunner import get_script_run_ctx

from data.record.studies import Study
from data.store.store import Connection, Store
from data.store.study_heads import StudyHead, StudyHeads
from pages.widgets import reader_session
from runs.memory import free_memory

# Per name and tab: the whole study, and a filtered part. A million labels take 100 MB.
KEPT = 2
PAGES_KEPT = 2  # per tab: its page, and the one before, because people often go back
Value = TypeVar("Value")


@runtime_checkable
class HasSteps(Protocol):
    """A value that keeps its intermediate results while a page asks for one number after another."""

    def forget_steps(self) -> None:
        """Free the intermediate results; they are computed again when needed."""


class SharedResult:
    """One value, and the sessions of the tabs that asked for it. A lock stops two tabs from making it at
    once.
    """

    def __init__(self, head: StudyHead) -> None:
        self.head = head
        self.lock = threading.Lock()
        self.pages: dict[str, str] = {}  # tab -> the page on which it last asked
        self.value: Any = None
        self.is_made = False


class SharedResults:
    """The values made from one store: per name the last ones that each tab asked for."""

    def __init__(self) -> None:
        self.heads = StudyHeads()
        self._lock = threading.Lock()
        self._last_pages: dict[str, list[str]] = {}
        # The last requested value is last, so the others of its name are dropped from the front.
        self._results: OrderedDict[tuple[str, Hashable], SharedResult] = OrderedDict()

    def get(
        self,
        tab: str,
        name: str,
        key: Hashable,
        head: StudyHead,
        make: Callable[[], Value],
        page: str = "",
    ) -> Value:
        """See `memoize`. `page`: the page on which the tab asks."""
        result = self._find(tab, page, name, key, head)
        with result.lock:
            if not result.is_made:
                result.value = make()
                result.is_made = True
                free_memory.give_back()
            value: Value = result.value
            return value

    def _find(self, tab: str, page: str, name: str, key: Hashable, head: StudyHead) -> SharedResult:
        with self._lock:
            for place in [place for place, result in self._results.items() if _is_older(result.head, head)]:
                del self._results[place]
            result = self._results.setdefault((name, key), SharedResult(head))
            result.pages[tab] = page
            self._results.move_to_end((name, key))
            self._forget(tab, [place for place in self._places(tab) if place[0] == name][:-KEPT])
            last_pages = self._go_to_page(tab, page)
            places = self._places(tab)
            self._forget(tab, [p for p in places if self._results[p].pages[tab] not in last_pages])
            return result

    def _go_to_page(self, tab: str, page: str) -> list[str]:
        """Return the tab's last pages, ending with this one."""
        pages = [*(before for before in self._last_pages.get(tab, ()) if before != page), page][-PAGES_KEPT:]
        self._last_pages[tab] = pages
        return pages

    def _places(self, tab: str) -> list[tuple[str, Hashable]]:
        """Return the keys of a tab's values, in the order of their last request by any tab."""
        return [place for place, result in self._results.items() if tab in result.pages]

    def _forget(self, tab: str, places: Iterable[tuple[str, Hashable]]) -> None:
        for place in places:
            self._results[place].pages.pop(tab, None)
            if not self._results[place].pages:
                del self._results[place]

    def forget_tab(self, tab: str) -> None:
        """Drop the values that only this tab asked for."""
        with self._lock:
            self._forget(tab, self._places(tab))
            self._last_pages.pop(tab, None)

    def forget_steps(self, tab: str) -> None:
        """Drop intermediate results once a page is drawn, because a closed tab would hold them for two
        minutes.
        """
        with self._lock:
            values = [self._results[place].value for place in self._places(tab)]
        for value in values:
            if isinstance(value, HasSteps):
                value.forget_steps()

    def __len__(self) -> int:
        with self._lock:
            return len(self._results)


def _is_older(head: StudyHead, current: StudyHead) -> bool:
    return head.study_id == current.study_id and head != current


_results_by_store: WeakKeyDictionary[Store, SharedResults] = WeakKeyDictionary()
_stores_lock = threading.Lock()


def memoize(name: str, key: Hashable, head: StudyHead, make: Callable[[], Value]) -> Value:
    """Return the value for a key, or make it now. `head`: the study's head when the page began to read
    (`study_head`); values from an earlier state are dropped.
    """
    context = get_script_run_ctx()
    tab, page = (context.session_id, context.page_script_hash) if context else ("", "")
    return _results_of(reader_session.store()).get(tab, name, key, head, make, page)


def study_head(connection: Connection, study: Study) -> StudyHead:
    """Return the head of the study for `memoize`."""
    return _results_of(reader_session.store()).heads.find(connection, study.id)


def forget_steps() -> None:
    """Drop the intermediate results of a page once it is drawn."""
    context = get_script_run_ctx()
    _results_of(reader_session.store()).forget_steps(context.session_id if context else "")


def forget_tab(tab: str) -> None:
    """Drop what only this tab asked for, in every store. The last tab also drops the store's cache. `tab`:
    its session's id.
    """
    with _stores_lock:
        all_results = list(_results_by_store.items())
    for store, results in all_results:
        results.forget_tab(tab)
        if not len(results):
            store.forget_parts()


def _results_of(store: Store) -> SharedResults:
    with _stores_lock:
        return _results_by_store.setdefault(store, SharedResults())
