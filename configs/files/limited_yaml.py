"""YAML within limits: a file of a few hundred bytes may otherwise stand for gigabytes, or for a nesting that
no program can follow.
"""

from __future__ import annotations

from typing import Any

import yaml

BYTES = 1_000_000
NODES = 50_000  # values, what an alias repeats counted each time
DEPTH = 60
DIGITS = 18  # of a whole number, so that each fits the store
FRACTION = 30  # characters of a number with a point; Python writes at most 24


class _Loader(yaml.SafeLoader):
    """Composes as SafeLoader does, and stops at a limit. Raises yaml.MarkedYAMLError with the place."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self._depth = 0
        self._nodes = 0
        self._unfinished: set[str] = set()
        self._sizes: dict[str, int] = {}

    def compose_node(self, parent: Any, index: Any) -> Any:
        event: Any = self.peek_event()  # type: ignore[no-untyped-call]
        if isinstance(event, yaml.AliasEvent):
            if event.anchor in self._unfinished:
                self._stop("it repeats itself", event)
            self._count(self._sizes.get(str(event.anchor), 0), event)
            return super().compose_node(parent, index)
        before = self._nodes
        self._count(1, event)
        self._depth += 1
        if self._depth > DEPTH:
            self._stop("nested too deeply", event)
        if event.anchor is not None:
            self._unfinished.add(event.anchor)
        node = super().compose_node(parent, index)
        if event.anchor is not None:
            self._unfinished.discard(event.anchor)
            self._sizes[event.anchor] = self._nodes - before
        self._depth -= 1
        return node

    def _count(self, nodes: int, event: Any) -> None:
        self._nodes += nodes
        if self._nodes > NODES:
            self._stop("too many values", event)

    def _stop(self, problem: str, event: Any) -> None:
        raise yaml.MarkedYAMLError(problem=problem, problem_mark=event.start_mark)

    def whole_text(self, node: Any) -> str:
        """A character that is written as JSON writes it, in two halves (\\ud83d\\ude42), is one character; a
        half alone, which no file can hold, is marked as lost.
        """
        text: str = self.construct_yaml_str(node)
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return text

    def short_int(self, node: Any) -> Any:
        self._check_length(node, DIGITS)
        return self.construct_yaml_int(node)

    def short_float(self, node: Any) -> Any:
        self._check_length(node, FRACTION)
        return self.construct_yaml_float(node)

    def _check_length(self, node: Any, most: int) -> None:
        if len(str(node.value)) > most:
            raise yaml.MarkedYAMLError(problem="too many digits", problem_mark=node.start_mark)


_Loader.add_constructor("tag:yaml.org,2002:str", _Loader.whole_text)
_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.short_int)
_Loader.add_constructor("tag:yaml.org,2002:float", _Loader.short_float)


def read(text: str) -> tuple[Any, Any]:
    """The node and the value of a YAML text. Raises yaml.YAMLError, ValueError for a date that does not
    exist.
    """
    if len(text) > BYTES:
        raise yaml.MarkedYAMLError(problem="file too large")
    loader = _Loader(text)
    try:
        node = loader.get_single_node()
        return node, None if node is None else loader.construct_document(node)
    finally:
        loader.dispose()
