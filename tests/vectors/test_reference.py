"""Every vector file against the product: all cases, all expectations, all variants."""

from __future__ import annotations

import json
from pathlib import Path

from tests.vectors.families import COMPARERS, NOT_YET
from tests.vectors.tally import Tally


def test_every_expectation_of_the_file_holds(vector_file: Path, lines: list[str]) -> None:
    name = vector_file.stem
    if name.startswith(NOT_YET) and name not in COMPARERS:
        lines.append(f"{name}: not yet")
        return
    document = json.loads(vector_file.read_text(encoding="utf-8"))
    tally = Tally(name, tolerance=float(document.get("tolerance", 1e-9)), cases=len(document["cases"]))
    comparer = COMPARERS.get(name)
    assert comparer is not None, f"nothing in the product answers to {vector_file.name}"
    for case in document["cases"]:
        before = tally.compared
        comparer(case, tally, document)
        assert tally.compared > before, f"{name}: nothing was compared in case {case['id']}"
    lines.append(tally.line())
    assert tally.compared and not tally.failures, "\n".join([tally.line(), *tally.failures[:40]])
