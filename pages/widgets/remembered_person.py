"""The person that this browser remembers: a name, earlier names, and the studies that they lead.

The script of the top bar writes the cookie, and the next tab sends it. A name in it grants nothing, because
its author could choose that name anyway. Leading a study needs a proof that the server gave when somebody
opened the study as its lead (data/work/lead_openings.py). An unreadable cookie is nobody.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import quote, unquote

import streamlit as st

from data.record.studies import KEY

COOKIE = "second_reader"
LONGEST = 3800  # characters; a browser drops a cookie of more than 4,096
NAME_LIMIT = 80
MOST_OTHERS = 10


@dataclass(frozen=True)
class RememberedPerson:
    """`name`: the last chosen name. `others`: earlier names, for other studies, the newest last. `leads`: the
    proof by study key, the newest last. `change`: counts the changes in this tab; the browser keeps each one
    once.
    """

    name: str = ""
    others: tuple[str, ...] = ()
    leads: Mapping[str, str] = field(default_factory=dict)
    change: int = 0

    def rating(self, key: str, name: str, colleagues: Collection[str] = ()) -> RememberedPerson:
        """Return the person as a rater with this name, who then doesn't lead the study. `colleagues`: its
        other raters, whose names are dropped.
        """
        leads = {other: proof for other, proof in self.leads.items() if other != key}
        return self._changed(name, leads, colleagues)

    def leading(self, key: str, proof: str, name: str = "") -> RememberedPerson:
        """Return the person with the proof that they lead the study `key`; `name` replaces the last name if
        given.
        """
        return self._changed(name or self.name, {**self.leads, key: proof})

    def forgotten(self) -> RememberedPerson:
        """Return nobody, for the browser to keep."""
        return RememberedPerson(change=self.change + 1)

    def _changed(
        self, name: str, leads: Mapping[str, str], colleagues: Collection[str] = ()
    ) -> RememberedPerson:
        before = dict.fromkeys((*self.others, self.name))
        others = tuple(other for other in before if other and other != name and other not in colleagues)
        person = RememberedPerson(name, others[-MOST_OTHERS:], leads, self.change)
        return self if person == self else replace(person, change=self.change + 1)


def cookie_value(person: RememberedPerson) -> str:
    """Return the cookie; "" for nobody. If it would be too long, the oldest studies are left out."""
    if not person.name and not person.leads:
        return ""
    others, leads = list(person.others), dict(person.leads)
    while len(value := _encode(person.name, others, leads)) > LONGEST and (others or leads):
        if others:
            others.pop(0)
        else:
            del leads[next(iter(leads))]
    return value


def _encode(name: str, others: list[str], leads: dict[str, str]) -> str:
    content = {"name": name, "others": others, "leads": leads}
    return quote(json.dumps(content, ensure_ascii=False), safe="")


def read_cookie(value: object) -> RememberedPerson:
    """Return the person in a cookie that `cookie_value` made; nobody for any other value."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return RememberedPerson()
    try:
        content: Any = json.loads(unquote(value, errors="strict"))
    except (ValueError, RecursionError):
        return RememberedPerson()
    if not isinstance(content, dict) or set(content) != {"name", "others", "leads"}:
        return RememberedPerson()
    name, others, leads = content["name"], content["others"], content["leads"]
    if not isinstance(others, list) or not isinstance(leads, dict):
        return RememberedPerson()
    if not all(map(_is_name, (name, *others, *leads.values()))) or not all(map(KEY.fullmatch, leads)):
        return RememberedPerson()
    return RememberedPerson(name, tuple(others[-MOST_OTHERS:]), leads)


def _is_name(name: object) -> bool:
    """Tell whether it is empty or valid as a rater's name; proofs use the same characters."""
    return (
        isinstance(name, str)
        and len(name) <= NAME_LIMIT
        and name.isprintable()
        and name == " ".join(name.split())
    )


def sent_cookie() -> str:
    """Return the cookie that the browser sent when this tab opened."""
    return st.context.cookies.get(COOKIE, "")


def of_this_browser() -> RememberedPerson:
    """Return the person in the cookie that the browser sent when this tab opened."""
    return read_cookie(sent_cookie())
