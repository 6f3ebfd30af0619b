"""JSON objects that remember which of their values a comparison read, so that no key is passed over in
silence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any


class TrackedDict(dict[str, Any]):
    """A JSON object. `[]`, `get`, `items` and `values` read; `in`, `len` and going through the keys do not.

    An object inside it is read value by value, a list without objects as a whole. `plain` reads everything
    below.
    """

    def __init__(self, content: dict[str, Any], path: str = "") -> None:
        self.path = path
        self._read: set[str] = set()
        super().__init__({key: track(value, self._below(key)) for key, value in content.items()})

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        self._read.add(key)
        return value

    def get(self, key: str, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def items(self) -> list[tuple[str, Any]]:  # type: ignore[override]
        return [(key, self[key]) for key in self]

    def values(self) -> list[Any]:  # type: ignore[override]
        return [self[key] for key in self]

    def unread(self) -> Iterator[str]:
        """Where the values lie that nothing read: `expected.ols.se`, `rows[3].human`."""
        for key, value in super().items():
            inner = list(_objects(value))
            if inner:
                for part in inner:
                    yield from part.unread()
            elif key not in self._read:
                yield self._below(key)

    def _below(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key


def track(value: Any, path: str) -> Any:
    if isinstance(value, dict):
        return TrackedDict(value, path)
    if isinstance(value, list):
        return [track(item, f"{path}[{index}]") for index, item in enumerate(value)]
    return value


def plain(value: Any) -> Any:
    """The same as ordinary objects and lists, all of it read."""
    if isinstance(value, TrackedDict):
        return {key: plain(value[key]) for key in value}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def _objects(value: Any) -> Iterator[TrackedDict]:
    """The objects with a key that lie in a value; an empty one counts as a value of its own."""
    if isinstance(value, TrackedDict):
        if len(value):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item)


REFUSALS = ("expected_exception", "expected_error", "exception", "error")


def expects_refusal(case: TrackedDict) -> bool:
    """Whether the reference program failed on this case. Reads the keys that say so, in the case or in its
    `expected`."""
    expected = case.get("expected")
    places = [case, expected] if isinstance(expected, TrackedDict) else [case]
    return any([place.get(name) is not None for place in places for name in REFUSALS])
