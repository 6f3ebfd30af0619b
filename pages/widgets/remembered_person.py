"""Whom this browser remembers until accounts come: a name, the names before it, and the studies that it
leads.

The cookie is written by the script of the top bar and comes back with the next tab. A name in it grants
nothing: its author could as well choose the name. That it leads a study counts only with a proof that
the server gave it when somebody opened the study as its lead (data/work/lead_openings.py). What cannot be
read as a cookie of ours is nobody.
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
    """`name`: the last one that was chosen. `others`: names that were chosen before it in other studies, the
    newest last. `leads`: the proof by the key of each study, the newest last. `change`: how often that was
    changed in this tab; the browser keeps each change once, and none where nothing was changed since it was
    read.
    """

    name: str = ""
    others: tuple[str, ...] = ()
    leads: Mapping[str, str] = field(default_factory=dict)
    change: int = 0

    def rating(self, key: str, name: str, colleagues: Collection[str] = ()) -> RememberedPerson:
        """Of this name in a study, which they do not lead then. `colleagues`: the other raters of the study,
        who sit here no more.
        """
        leads = {other: proof for other, proof in self.leads.items() if other != key}
        return self._changed(name, leads, colleagues)

    def leading(self, key: str, proof: str, name: str = "") -> RememberedPerson:
        return self._changed(name or self.name, {**self.leads, key: proof})

    def forgotten(self) -> RememberedPerson:
        """Nobody, for the browser to keep."""
        return RememberedPerson(change=self.change + 1)

    def _changed(
        self, name: str, leads: Mapping[str, str], colleagues: Collection[str] = ()
    ) -> RememberedPerson:
        before = dict.fromkeys((*self.others, self.name))
        others = tuple(other for other in before if other and other != name and other not in colleagues)
        person = RememberedPerson(name, others[-MOST_OTHERS:], leads, self.change)
        return self if person == self else replace(person, change=self.change + 1)


def cookie_value(person: RememberedPerson) -> str:
    """What the browser keeps; empty for nobody. Of very many studies the first are left out."""
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
    """Nobody where it is not what `cookie_value` makes."""
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
    """Whether a rater may have it, or it is empty; a proof is written like one."""
    return (
        isinstance(name, str)
        and len(name) <= NAME_LIMIT
        and name.isprintable()
        and name == " ".join(name.split())
    )


def sent_cookie() -> str:
    """As the browser told when this tab began."""
    return st.context.cookies.get(COOKIE, "")


def of_this_browser() -> RememberedPerson:
    return read_cookie(sent_cookie())
