"""Whom this browser remembers until accounts come: a name, and the studies that it leads; nothing else.

The cookie is written by the script of the top bar and comes back with the next tab. Whoever can write it
could as well type the name, so it grants nothing; what cannot be read as one is nobody.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

import streamlit as st

from data.record.studies import KEY

COOKIE = "second_reader"
LONGEST = 3800  # characters; a browser drops a cookie of more than 4,096
NAME_LIMIT = 80


@dataclass(frozen=True)
class RememberedPerson:
    """`leads`: keys of studies, the newest last. `change`: how often that was changed in this tab; the
    browser keeps each change once, and none where nothing was changed since it was read.
    """

    name: str = ""
    leads: tuple[str, ...] = ()
    change: int = 0

    def with_name(self, name: str) -> RememberedPerson:
        return self._changed(name, self.leads)

    def leading(self, key: str) -> RememberedPerson:
        return self if key in self.leads else self._changed(self.name, (*self.leads, key))

    def not_leading(self, key: str) -> RememberedPerson:
        return self._changed(self.name, tuple(other for other in self.leads if other != key))

    def forgotten(self) -> RememberedPerson:
        """Nobody, for the browser to keep."""
        return RememberedPerson(change=self.change + 1)

    def _changed(self, name: str, leads: tuple[str, ...]) -> RememberedPerson:
        if (name, leads) == (self.name, self.leads):
            return self
        return RememberedPerson(name, leads, self.change + 1)


def cookie_value(person: RememberedPerson) -> str:
    """What the browser keeps; empty for nobody. Of very many studies the first are left out."""
    if not person.name and not person.leads:
        return ""
    leads = list(person.leads)
    while len(value := _encode(person.name, leads)) > LONGEST and leads:
        leads.pop(0)
    return value


def _encode(name: str, leads: list[str]) -> str:
    return quote(json.dumps({"name": name, "leads": leads}, ensure_ascii=False), safe="")


def read_cookie(value: object) -> RememberedPerson:
    """Nobody where it is not what `cookie_value` makes."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return RememberedPerson()
    try:
        content: Any = json.loads(unquote(value, errors="strict"))
    except (ValueError, RecursionError):
        return RememberedPerson()
    if not isinstance(content, dict) or set(content) != {"name", "leads"}:
        return RememberedPerson()
    name, leads = content["name"], content["leads"]
    if not isinstance(name, str) or not _is_name(name) or not isinstance(leads, list):
        return RememberedPerson()
    if not all(isinstance(key, str) and KEY.fullmatch(key) for key in leads):
        return RememberedPerson()
    return RememberedPerson(name, tuple(dict.fromkeys(leads)))


def _is_name(name: str) -> bool:
    """Whether a rater may have it, or it is empty."""
    return len(name) <= NAME_LIMIT and name.isprintable() and name == " ".join(name.split())


def sent_cookie() -> str:
    """As the browser told when this tab began."""
    return st.context.cookies.get(COOKIE, "")


def of_this_browser() -> RememberedPerson:
    return read_cookie(sent_cookie())
