"""Every vector file against the product: all cases, all expectations, all variants."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.vectors.comparison import compare_file


def test_every_expectation_of_the_file_holds(
    vector_file: Path, record_property: Callable[[str, object], None]
) -> None:
    tally = compare_file(vector_file)
    record_property("vectors", (tally.line(), tally.compared, len(tally.failures)))
    assert tally.compared and not tally.failures, tally.report()
