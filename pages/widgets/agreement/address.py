"""The filters of the Agreement page in the address, so that a reload, Back and a link restore them.

A run follows the address only if this tab didn't write it: then somebody opened it or went back. A run after
a choice never does, because it may still carry the address from before. Defaults are not written.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TypeVar
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text

NAMES = ("judge", "ratings", "rater", "condition", "since", "until", "criterion")
CRITERION = "agreement-criterion"  # the widget drawn last
WRITTEN, CHOSEN = "agreement-address", "agreement-chosen"
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2100, 12, 31)
T = TypeVar("T")


def chosen() -> None:
    """Note a change; every widget of the page calls this."""
    st.session_state[CHOSEN] = True


class Address:
    """Call `before` for each widget, `keep` with its choice, and `write` once all are drawn."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._given = {name: value for name in NAMES if (value := st.query_params.get(name))}
        self._follow = not st.session_state.pop(CHOSEN, False) and st.session_state.get(WRITTEN) != (
            study.key,
            self._given,
        )
        if self._follow:  # a run that stops before it writes hasn't followed the address
            st.session_state.pop(WRITTEN, None)
        self._kept: dict[str, str] = {}
        self._unknown: list[tuple[str, Callable[[], str]]] = []
        self._notes = st.container()  # always there, so that nothing below moves when the note appears

    def before(
        self,
        name: str,
        key: str,
        read: Callable[[str], T | None],
        default: T,
        asked_for: str,
        shown: Callable[[], str],
    ) -> None:
        """Give the widget its value from the address, or the default. If `read` returns None, the page says
        so and uses the default.
        """
        if not self._follow and key in st.session_state:
            return
        asked = self._given.get(name)
        value = None if asked is None else read(asked)
        if asked is not None and value is None:
            self._unknown.append((asked_for, shown))
        st.session_state[key] = default if value is None else value

    def keep(self, name: str, value: str) -> None:
        """Keep the value for the address; "" for the default, which is left out."""
        if value:
            self._kept[name] = value

    def way(self) -> str:
        """Return the link back to this page as it is now, without study and reader."""
        criterion = st.session_state.get(CRITERION, self._given.get("criterion"))
        said = urlencode({**self._kept, **({"criterion": criterion} if criterion else {})})
        return f"agreement?{said}" if said else "agreement"

    def write(self) -> None:
        """Write what was kept to the address, and show which parts of the old one were not understood."""
        with self._notes:
            for asked_for, shown in self._unknown:
                st.info(
                    untrusted_text.plain(
                        f"The page's address asks for {asked_for}, so the page shows {shown()} instead."
                    )
                )
        if self._kept != self._given:
            others = {name: value for name, value in st.query_params.to_dict().items() if name not in NAMES}
            st.query_params.from_dict(
                {**others, **self._kept}
            )  # one message makes one entry in the browser's history
        st.session_state[WRITTEN] = (self._study.key, self._kept)


def day(text: str) -> date | None:
    """Return the ISO date in a text from FIRST_DAY to LAST_DAY; None for any other text."""
    try:
        found = date.fromisoformat(text)
    except ValueError:
        return None
    return found if FIRST_DAY <= found <= LAST_DAY else None


def back_link(study: Study) -> None:
    """Return the link back for a lead's page of a unit that was opened from here, with the same choices; no
    other part of the address is trusted.
    """
    page, _, query = st.query_params.get("back", "").partition("?")
    if page == "overview":
        address = urlencode({"study": study.key, "reader": "lead"})
        untrusted_text.link("Back to the overview", f"overview?{address}")
    if page == "metrics":
        metric = dict(parse_qsl(query)).get("metric", "")
        address = urlencode({"study": study.key, "reader": "lead", "metric": metric})
        untrusted_text.link("Back to the metrics", f"metrics?{address}")
    if page == "agreement":
        choices = {name: value for name, value in parse_qsl(query) if name in NAMES}
        untrusted_text.link(
            "Back to the agreement",
            f"agreement?{urlencode({'study': study.key, 'reader': 'lead', **choices})}",
        )
