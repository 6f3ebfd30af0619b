"""Readers of JSON replies: where in a reply the answer is. A reader has a name, which is part of the identity
of the judge.

`strict-1` takes a reply that is JSON and nothing else. `one-object-1` takes exactly one JSON object wherever
it is: in a code fence, between other words, after closed think tags, among invisible characters; and a label
in other capitals. Whatever leaves a doubt about the answer is unreadable: two objects, a broken object, think
tags that are not closed or may be quoted from the conversation.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from scoring.judges import reply_parsing
from scoring.judges.reply_parsing import UNCLEAR_THOUGHTS, Cites, UnreadableReply, Verdict
from words.plurals import join_words

ReaderName = Literal["one-object-1", "strict-1"]
STRICT: ReaderName = "strict-1"
ONE_OBJECT: ReaderName = "one-object-1"  # of every judge that is new to a study

_TAG = re.compile(r"<(/?)(think|thinking|thought)>", re.IGNORECASE)
_TAG_OR_BRACE = re.compile(rf"{_TAG.pattern}|\{{", re.IGNORECASE)
_FENCE = re.compile(r"```[\w+-]*|~~~[\w+-]*")


def choose_reader(named: ReaderName | None, has_answered: Callable[[ReaderName], bool]) -> ReaderName:
    """Return the reader of a judge: `named` (in models.yaml) if given.

    Else the strict one if only it has read answers of this judge before (`has_answered`), else ONE_OBJECT.
    """
    if named is not None:
        return named
    return STRICT if has_answered(STRICT) and not has_answered(ONE_OBJECT) else ONE_OBJECT


def read_answer(reader: ReaderName, reply: str, labels: tuple[str, ...], cites: Cites, turns: int) -> Verdict:
    """Return the answer to one question. Raise UnreadableReply, naming what surrounded the answer.

    `cites` and `turns`: whether turns are cited, and how many there are.
    """
    try:
        text, any_case = _take(reader, reply)
        return reply_parsing.read_one(text, labels, cites, turns, any_case)
    except UnreadableReply as problem:
        raise _with_surroundings(problem, reply) from None


def read_answers(
    reader: ReaderName,
    reply: str,
    questions: tuple[tuple[str, tuple[str, ...]], ...],
    cites: Cites,
    turns: int,
) -> dict[str, Verdict | None]:
    """Return the answer to each question by its name, None where it is missing or can't be read.

    Raise UnreadableReply, naming what surrounded the answers, where the reply is no object.
    """
    try:
        text, any_case = _take(reader, reply)
        return reply_parsing.read_trial(text, questions, cites, turns, any_case)
    except UnreadableReply as problem:
        raise _with_surroundings(problem, reply) from None


def find_object(reply: str) -> str:
    """Return the text of the one JSON object in a reply. Raise UnreadableReply if there is none or more
    than one.
    """
    if _is_plain(reply):
        return reply
    scan = _scan(reply)
    if scan.problem:
        raise UnreadableReply(scan.problem)
    if len(scan.objects) != 1:
        raise UnreadableReply(
            "the reply has two JSON objects" if scan.objects else "the reply has no JSON object"
        )
    begin, end = scan.objects[0]
    return reply[begin:end]


def describe_surroundings(reply: str) -> str:
    """Return what a reply holds besides JSON objects, such as "around the JSON: a code fence and words
    before it".

    "it holds only words" without any object; "" if there is nothing else. The kinds: think tags, a code
    fence, invisible characters, words before it, words after it. Never the reply's own words.
    """
    if _is_plain(reply):
        return ""
    scan = _scan(reply)
    taken = sorted([*scan.objects, *scan.broken, *scan.thoughts])
    first = min((begin for begin, _ in [*scan.objects, *scan.broken]), default=len(reply))
    before, after = "", ""
    for begin, end in zip(
        [0, *(end for _, end in taken)], [*(begin for begin, _ in taken), len(reply)], strict=True
    ):
        if end <= first:
            before += reply[begin:end]
        else:
            after += reply[begin:end]
    has_object = bool(scan.objects or scan.broken)
    has = {
        "think tags": scan.thoughts or _TAG.search(before + after),
        "a code fence": _FENCE.search(before + after),
        "invisible characters": any(_is_invisible(character) for character in before + after),
        "words before it" if has_object else "words": _has_words(before),
        "words after it": _has_words(after),
    }
    kinds = join_words([kind for kind, is_there in has.items() if is_there])
    return f"around the JSON: {kinds}" if kinds and has_object else f"it holds only {kinds}" if kinds else ""


def _take(reader: ReaderName, reply: str) -> tuple[str, bool]:
    """The text that is read, and whether labels may have other capitals."""
    return (reply, False) if reader == STRICT else (find_object(reply), True)


def _with_surroundings(problem: UnreadableReply, reply: str) -> UnreadableReply:
    around = describe_surroundings(reply)
    return UnreadableReply(f"{problem}; {around}") if around else problem


def _has_words(text: str) -> bool:
    plain = _FENCE.sub("", _TAG.sub("", text))
    return any(not character.isspace() and not _is_invisible(character) for character in plain)


def _is_invisible(character: str) -> bool:
    return unicodedata.category(character) == "Cf"


def _is_plain(reply: str) -> bool:
    """Whether the whole reply is one JSON object, each field once."""
    begin = len(reply) - len(reply.lstrip(" \t\r\n"))
    return reply.startswith("{", begin) and _end_of_object(reply, begin) == len(reply.rstrip(" \t\r\n"))


@dataclass
class _Scan:
    """Places in a reply: objects outside of thoughts (two at most), what begins like one and is none (up to
    the end of the reply), and thoughts with their tags.
    """

    objects: list[tuple[int, int]] = field(default_factory=list)
    broken: list[tuple[int, int]] = field(default_factory=list)
    thoughts: list[tuple[int, int]] = field(default_factory=list)
    problem: str = ""


def _scan(reply: str) -> _Scan:
    """Ends at the first doubt. A reply may quote the conversation, with tags and objects in it; so thoughts
    that do not begin the reply may hold no brace.
    """
    scan, at, is_first = _Scan(), 0, True
    while not scan.problem and len(scan.objects) < 2 and (mark := _TAG_OR_BRACE.search(reply, at)):
        is_first = is_first and not _has_words(reply[at : mark.start()])
        begin, at = mark.span()
        if mark.group() == "{":
            is_first, end = False, _end_of_object(reply, begin)
            if isinstance(end, str):
                scan.broken.append((begin, len(reply)))
                scan.problem = end
            else:
                scan.objects.append((begin, end))
                at = end
        elif mark.group(1):  # some servers leave the opening tag out: then all before are thoughts
            scan.problem = UNCLEAR_THOUGHTS if scan.thoughts or scan.objects else ""
            scan.objects, scan.thoughts = [], [(0, at)]
        else:
            closed = _end_of_thought(reply, mark)
            at = closed or len(reply)
            scan.thoughts.append((begin, at))
            if closed is None:
                scan.problem = "a think tag is not closed"
            elif not is_first and "{" in reply[begin:at]:
                scan.problem = UNCLEAR_THOUGHTS
    return scan


def _end_of_thought(reply: str, opening: re.Match[str]) -> int | None:
    """Where the tag that closes this one ends; None where there is none."""
    depth, name = 1, opening.group(2).lower()
    for tag in _TAG.finditer(reply, opening.end()):
        if tag.group(2).lower() == name:
            depth += -1 if tag.group(1) else 1
            if depth == 0:
                return tag.end()
    return None


def _end_of_object(reply: str, begin: int) -> int | str:
    """Where the JSON object that begins here ends, or what is wrong with it."""
    try:
        return _DECODER.raw_decode(reply, begin)[1]
    except UnreadableReply as problem:
        return str(problem)
    except (ValueError, RecursionError):
        return "a JSON object in the reply is broken off or not valid"


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise UnreadableReply("a field stands twice")
    return members


_DECODER = json.JSONDecoder(object_pairs_hook=_each_once)
