"""Searches a study, within a scope: criteria, people, conversations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Literal

from data.record import studies
from data.record.conversation_search import CANDIDATES, ConversationMatch, ListUnit, conversations_with
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study
from data.record.unit_names import name_by_key, read_unit_names
from data.store.store import Connection
from data.work import conflicts
from scoring.transcripts import Message
from services.search_scope import SearchScope

Kind = Literal["criterion", "person", "unit"]
MAX_HITS: dict[Kind, int] = {"criterion": 5, "person": 5, "unit": 10}
LONGEST = 200  # characters of a query
MIN_LETTERS = 2  # characters of a word searched in conversations
AROUND = 32  # characters on each side of a word
_NUMBER = re.compile(r"(?:conversation|reply|unit|number|no\.?|#)?\s*(\d{1,3}(?:,\d{3})+|\d{1,8})")


@dataclass(frozen=True)
class SearchHit:
    """A search result. `about`: why it was found. `target`: a criterion's or person's id, the code of an
    imported rater, or the unit's place in the reader's list.
    """

    kind: Kind | Literal["imported_rater"]
    name: str
    about: str
    target: str


@dataclass(frozen=True)
class HitGroup:
    """`more`: the number of further results; None if they were not counted."""

    kind: Kind
    hits: tuple[SearchHit, ...]
    more: int | None = 0


def search_study(
    connection: Connection, study: Study, scope: SearchScope, text: str, with_excerpts: bool = True
) -> list[HitGroup]:
    """Return the groups of results for `text`, criteria first, then people, then units; [] for a blank
    text.

    Every word has to occur, ignoring letter case. Groups without results are left out. `with_excerpts`:
    include the words around each result.
    """
    # The store can't search for half a character.
    words = text[:LONGEST].encode("utf-8", "replace").decode("utf-8").casefold().split()
    if not words:
        return []
    groups = [
        _criteria(study, words) if scope.criteria else None,
        _people(connection, study, words) if scope.people else None,
        _units(connection, study, scope, words, with_excerpts),
    ]
    return [group for group in groups if group is not None and (group.hits or group.more is None)]


def _criteria(study: Study, words: Sequence[str]) -> HitGroup:
    """Find criteria by name, or by a complete id such as CP3."""
    hits = [
        SearchHit("criterion", name, "", key)
        for key, name in study.criterion_names().items()
        if _has(words, name) or words == [key.casefold()]
    ]
    return _group("criterion", hits)


def _people(connection: Connection, study: Study, words: Sequence[str]) -> HitGroup:
    """Find people by name or by their complete code in results; imported raters only by the code."""
    codes = read_rater_codes(connection, study)
    hits = []
    for rater in studies.raters(connection, study.id):
        code = codes.get(rater.id, "")
        is_code = " ".join(words) in (code.casefold(), code.casefold().removeprefix("rater "))
        if rater.kind == "person" and (is_code or _has(words, rater.name)):
            hits.append(SearchHit("person", rater.name, code, str(rater.id)))
        elif rater.kind != "person" and is_code:
            hits.append(SearchHit("imported_rater", code, "labels from a file", code.removeprefix("Rater ")))
    return _group("person", hits)


def _group(kind: Kind, hits: list[SearchHit]) -> HitGroup:
    most = MAX_HITS[kind]
    return HitGroup(kind, tuple(hits[:most]), max(0, len(hits) - most))


def _units(
    connection: Connection, study: Study, scope: SearchScope, words: Sequence[str], with_excerpts: bool
) -> HitGroup | None:
    left = CANDIDATES
    hits = list(_by_number(connection, study, scope, " ".join(words)))
    if scope.words and all(len(word) >= MIN_LETTERS for word in words):
        matches = conversations_with(
            connection,
            study.id,
            words,
            keys_and_facts=scope.keys_and_facts,
            instructions=scope.instructions,
            rater_id=None if scope.whole_study else scope.rater_id,
        )
        for match in matches:
            left -= 1
            hit = _hit(study, scope, match, words, with_excerpts)
            if hit is None or _is_barred(connection, scope, match):
                continue
            if hit.target not in {other.target for other in hits}:
                hits.append(hit)
            if len(hits) > MAX_HITS["unit"]:
                break
    is_cut = len(hits) > MAX_HITS["unit"] or not left
    return HitGroup("unit", tuple(hits[: MAX_HITS["unit"]]), None if is_cut else 0)


def _by_number(connection: Connection, study: Study, scope: SearchScope, text: str) -> Iterator[SearchHit]:
    number = _NUMBER.fullmatch(text)
    if number is None:
        return
    place = int(number[1].replace(",", ""))
    own = scope.worklist
    length = studies.unit_count(connection, study.id) if own is None else own.length
    if 1 <= place <= length:
        names = read_unit_names(connection, study, [place]) if _shows_ids(scope) else {}
        yield SearchHit("unit", names.get(place, study.unit_name(place)), "", str(place))


def find_place_to_rate(scope: SearchScope) -> int:
    """Return the place where a rater continues in their list; 1 for people who don't rate."""
    return 1 if scope.worklist is None else scope.worklist.next_open() or 1


def _is_barred(connection: Connection, scope: SearchScope, match: ConversationMatch) -> bool:
    """Tell whether a conflict of interest bars this rater from the conversation."""
    if scope.rater_id is None:
        return False
    rules = conflicts.rules(connection, scope.rater_id)
    return bool(conflicts.barred_conversations(connection, rules, {match.conversation.id}))


def _hit(
    study: Study, scope: SearchScope, match: ConversationMatch, words: Sequence[str], with_excerpts: bool
) -> SearchHit | None:
    """Return the first unit whose text or facts contain every word."""
    conversation = match.conversation
    facts_of_it = _facts(conversation.key, conversation.facts) if scope.keys_and_facts else []
    for unit in match.units:
        text = _text(conversation.messages or [], unit, scope.instructions)
        if not _has(words, "\n".join([*facts_of_it, text])):
            continue
        named = _shows_ids(scope)
        facts = [line for line in facts_of_it[named:] if _has_any(words, line)][:2]
        excerpt = _excerpt(text, words) if with_excerpts else ""
        about = " · ".join(part for part in (*facts, excerpt) if part)
        name = name_by_key(study, unit.place, conversation.key) if named else study.unit_name(unit.place)
        return SearchHit("unit", name, about, str(unit.place))
    return None


def _shows_ids(scope: SearchScope) -> bool:
    """Tell whether results are called by their ids: not for a rater, to whom an id may name the model."""
    return scope.rater_id is None and scope.keys_and_facts


def _facts(key: str, facts: dict[str, object]) -> list[str]:
    return [
        key,
        *(f"{name}: {value}" for name, value in facts.items() if isinstance(value, str | int | float)),
    ]


def _text(messages: Sequence[Message], unit: ListUnit, instructions: bool) -> str:
    """Return the part of the conversation that the unit's raters read."""
    read = messages if unit.message is None else messages[: unit.message + 1]
    return "\n".join(message.text for message in read if instructions or message.role != "system")


def _excerpt(text: str, words: Sequence[str]) -> str:
    folded = text.casefold()
    places = [place for word in words if (place := folded.find(word)) >= 0]
    if not places:
        return ""
    at = _place_before_folding(text, min(places)) if len(folded) != len(text) else min(places)
    first, last = max(0, at - AROUND), min(len(text), at + 2 * AROUND)
    first = text.find(" ", first, at) + 1 or first if first else 0
    last = max(text.rfind(" ", at, last), at + 1) if last < len(text) else last
    part = " ".join(text[first:last].split())
    return f"{'…' if first else ''}{part}{'…' if last < len(text) else ''}"


def _place_before_folding(text: str, place: int) -> int:
    """Return the place before case folding, because some letters fold to two."""
    ends = accumulate(len(letter.casefold()) for letter in text)
    return next(number for number, end in enumerate(ends) if end > place)


def _has(words: Sequence[str], text: str) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def _has_any(words: Sequence[str], text: str) -> bool:
    folded = text.casefold()
    return any(word in folded for word in words)
