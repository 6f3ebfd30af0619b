"""How many values each vector file gives and how many comparisons it leads to, as `stated_values.json` says: so
that an expectation that was removed is noticed although nothing is left to compare.

`python -m tests.vectors.stated` writes the numbers anew, after a file was changed on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.vectors.not_compared import reason_not_to_compare
from tests.vectors.tally import Tally

INDEX = Path(__file__).with_name("stated_values.json")


class StatedValues(NamedTuple):
    """`given`: values in the file, inputs and expectations, without what is compared with nothing. `compared`:
    comparisons that the runner makes of them.
    """

    given: int
    compared: int


def count_given(name: str, document: dict[str, Any]) -> int:
    """Count the values of a vector file; a list is one value more than those in it."""
    return sum(
        reason_not_to_compare(name, path) is None
        for part, content in (("document.", {**document, "cases": []}), ("", document["cases"]))
        for path in _paths(content, part.rstrip("."))
    )


def _paths(content: Any, path: str) -> Iterator[str]:
    if isinstance(content, dict):
        for key, value in content.items():
            yield from _paths(value, f"{path}.{key}" if path else key)
        return
    yield path
    for value in content if isinstance(content, list) else ():
        yield from _paths(value, path)


def note_missing(tally: Tally, document: dict[str, Any], stated: StatedValues) -> None:
    """Fail where the file gives or compares another number of values than is stated."""
    for what, found, expected in (
        ("values given", count_given(tally.name, document), stated.given),
        ("values compared", tally.compared, stated.compared),
    ):
        if found != expected:
            tally.fail(f"{tally.name}: {found:,} {what}, and {expected:,} are stated")


def read_stated() -> dict[str, StatedValues]:
    """The stated numbers by the name of the file, without its ending."""
    return {name: StatedValues(*numbers) for name, numbers in json.loads(INDEX.read_text("utf-8")).items()}


def _write_stated() -> None:
    from tests.vectors.comparison import COPIES, compare_document, vector_files

    stated = {}
    for path in vector_files(COPIES):
        document = json.loads(path.read_text("utf-8"))
        tally = compare_document(path.stem, document)
        if tally.failures:
            raise SystemExit(tally.report())
        stated[path.stem] = [count_given(path.stem, document), tally.compared]
    lines = ",\n".join(f'  "{name}": {numbers}' for name, numbers in stated.items())
    INDEX.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    _write_stated()
