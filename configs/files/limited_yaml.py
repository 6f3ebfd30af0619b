"""The only reader and writer of YAML. It reads what JSON can express, within limits: a file of a few hundred
bytes can otherwise expand to gigabytes or nest too deeply.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml
from yaml.composer import Composer
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.resolver import BaseResolver
from yaml.scanner import Scanner

BYTES = 1_000_000
NODES = 50_000  # values; what an alias repeats counts each time
CHARACTERS = 1_000_000  # in all values; what an alias repeats counts each time
DEPTH = 60
DIGITS = 18  # of a whole number, so that each fits the store
FRACTION = 30  # characters of a number with a point; Python writes at most 24

_TAG = "tag:yaml.org,2002:"
_TEXT, _LIST, _FIELDS, _MERGE = f"{_TAG}str", f"{_TAG}seq", f"{_TAG}map", f"{_TAG}merge"
# Unquoted values follow YAML 1.1; but dates, times of day, octal numbers and numbers that JSON can't hold are
# texts.
_PLAIN = {
    _MERGE: (r"<<", "<"),
    f"{_TAG}null": (r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    f"{_TAG}bool": (
        r"yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF",
        "yYnNtTfFoO",
    ),
    f"{_TAG}int": (r"[-+]?(?:0|[1-9][0-9_]*)", "-+0123456789"),
    f"{_TAG}float": (
        r"[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+][0-9]+)?",
        "-+0123456789.",
    ),
}
_WORDS = {tag: re.compile(rf"(?:{pattern})\Z") for tag, (pattern, _) in _PLAIN.items()}
_TRUE = {"yes", "true", "on"}


class YamlProblem(ValueError):
    """A text that can't be read. `problem`: in terms of YAML's grammar or of a limit, for
    yaml_words.unreadable; `line`: from 1.
    """

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(f"line {line}: {problem}")
        self.problem, self.line = problem, line


class FieldTwice(YamlProblem):
    """A field occurs twice at the same level."""

    def __init__(self, field: str, line: int) -> None:
        super().__init__("this field occurs twice", line)
        self.field = field


class YamlDocument:
    """`value`: made of None, bool, int, float, str, list and dict, without shared lists or dicts."""

    def __init__(self, value: Any, top: Any) -> None:
        self.value = value
        self._top = top
        self._fields: dict[int, dict[str, tuple[int, Any]]] = {}

    def find_line(self, place: Sequence[int | str]) -> int:
        """Return the line, from 1, of the value at a path of names and positions, as far as the path
        exists.
        """
        node, line = self._top, self._top.start_mark.line + 1 if self._top else 1
        for part in place:
            if isinstance(node, yaml.MappingNode):
                line, node = self._fields_of(node).get(str(part), (line, None))
            elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
                node = node.value[part]
                line = node.start_mark.line + 1
            else:
                break
        return line

    def _fields_of(self, node: Any) -> dict[str, tuple[int, Any]]:
        if id(node) not in self._fields:
            self._fields[id(node)] = {key.value: (_line_of(key), child) for key, child in node.value}
        return self._fields[id(node)]


def read_yaml(text: str) -> YamlDocument:
    """Return the document of a YAML text. Raise YamlProblem if it can't be read or exceeds a limit."""
    if len(text) > BYTES:
        raise YamlProblem("file too large", 1)
    loader = None
    try:
        loader = _Loader(text)
        top = loader.get_single_node()
    except yaml.YAMLError as error:
        mark, position = getattr(error, "problem_mark", None), getattr(error, "position", 0)
        line = mark.line if mark else text.count("\n", 0, position)
        raise YamlProblem(getattr(error, "problem", None) or str(error), line + 1) from None
    except (ValueError, OverflowError):  # from a character \UFFFFFFFF, or a version with thousands of digits
        raise YamlProblem("unacceptable character", loader.line + 1 if loader else 1) from None
    return YamlDocument(None if top is None else _value(top), top)


def write_yaml(document: Any) -> str:
    """Return dicts, lists, texts, numbers and None as YAML, with fields in their order."""
    return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)


class _Resolver(BaseResolver):
    """Knows only the tags of JSON, and <<."""


for _tag, (_, _first) in _PLAIN.items():
    _Resolver.add_implicit_resolver(_tag, _WORDS[_tag], list(_first))


@dataclass(frozen=True)
class _Size:
    nodes: int
    characters: int
    depth: int


class _Loader(Reader, Scanner, Parser, Composer, _Resolver):
    """Composes nodes, and stops at a limit or a tag. Raises yaml.MarkedYAMLError with the place."""

    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)
        Composer.__init__(self)
        _Resolver.__init__(self)
        self._nodes = self._characters = self._depth = self._deepest = 0
        self._unfinished: set[str] = set()
        self._sizes: dict[str, _Size] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in self._unfinished:
                self._stop("it repeats itself", event)
            self._count(self._sizes.get(str(event.anchor), _Size(0, 0, 0)), event)
            return super().compose_node(parent, index)
        nodes, characters, deepest = self._nodes, self._characters, self._deepest
        self._deepest = self._depth
        self._count(_Size(1, len(event.value) if isinstance(event, yaml.ScalarEvent) else 0, 1), event)
        if event.tag not in (None, "!", _TEXT, _LIST, _FIELDS, *_PLAIN):
            self._stop("tag", event)
        self._depth += 1
        if event.anchor is not None:
            self._unfinished.add(event.anchor)
        node = super().compose_node(parent, index)
        self._depth -= 1
        if event.anchor is not None:
            self._unfinished.discard(event.anchor)
            self._sizes[event.anchor] = _Size(
                self._nodes - nodes, self._characters - characters, self._deepest - self._depth
            )
        self._deepest = max(deepest, self._deepest)
        return node

    def _count(self, size: _Size, event: Any) -> None:
        self._nodes += size.nodes
        self._characters += size.characters
        self._deepest = max(self._deepest, self._depth + size.depth)
        if self._deepest > DEPTH:
            self._stop("nested too deeply", event)
        if self._nodes > NODES:
            self._stop("too many values", event)
        if self._characters > CHARACTERS:
            self._stop("too many characters", event)

    def _stop(self, problem: str, event: Any) -> None:
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)


def _value(node: Any) -> Any:
    """Return the value of a node within the limits, with aliases expanded. Raises YamlProblem."""
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode) and node.tag == _LIST:
        return [_value(child) for child in node.value]
    if isinstance(node, yaml.MappingNode) and node.tag == _FIELDS:
        return _fields(node)
    raise YamlProblem("tag", _line_of(node))


def _fields(node: Any) -> dict[Any, Any]:
    own: dict[Any, Any] = {}
    merged: dict[Any, Any] = {}
    written: set[str] = set()
    for key, child in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise YamlProblem("complex key", _line_of(key))
        if key.value in written:
            raise FieldTwice(key.value, _line_of(key))
        written.add(key.value)
        if key.tag == _MERGE:
            for name, value in _merged(child):
                merged.setdefault(name, value)
            continue
        name = _scalar(key)
        if name in own:  # 1 and 1.0, yes and true
            raise FieldTwice(key.value, _line_of(key))
        own[name] = _value(child)
    return {**merged, **own}


def _merged(node: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the fields that << repeats; the first of two with one name comes first."""
    for part in node.value if isinstance(node, yaml.SequenceNode) else [node]:
        if not isinstance(part, yaml.MappingNode):
            raise YamlProblem("merge", _line_of(part))
        yield from _value(part).items()


def _scalar(node: Any) -> Any:
    written: str = node.value
    if node.tag == _TEXT:
        return _whole_text(written)
    if node.tag not in _WORDS or node.tag == _MERGE or not _WORDS[node.tag].match(written):
        raise YamlProblem("tag", _line_of(node))
    kind = node.tag.removeprefix(_TAG)
    if kind == "null":
        return None
    if kind == "bool":
        return written.lower() in _TRUE
    if len(written) > (DIGITS if kind == "int" else FRACTION):
        raise YamlProblem("too many digits", _line_of(node))
    digits = written.replace("_", "")
    if kind == "int":
        return int(digits)
    number = float(digits)
    if number in (float("inf"), float("-inf")):
        raise YamlProblem("too large a number", _line_of(node))
    return number


def _whole_text(text: str) -> str:
    """Return a text with a character written in two halves, as in JSON (\ud83d\ude42), joined; a single half
    is marked as lost.
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _line_of(node: Any) -> int:
    line: int = node.start_mark.line
    return line + 1
