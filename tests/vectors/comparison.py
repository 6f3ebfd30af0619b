"""The product against one vector file: every case, every key, every variant."""

from __future__ import annotations

import json
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from configs.settings import ROOT
from tests.vectors import tracked
from tests.vectors.families import COMPARERS, Comparer
from tests.vectors.not_compared import reason_not_to_compare
from tests.vectors.stated import INDEX, note_missing, read_stated
from tests.vectors.tally import Tally
from tests.vectors.tracked import REFUSALS, TrackedDict

COPIES = Path(__file__).with_name("reference")
PRODUCT = ROOT.parent / "scoring"
TRACKED = tracked.__file__


def vector_files(folder: Path) -> list[Path]:
    """The vector files of a folder. Raises ValueError where there is none."""
    files = sorted(folder.glob("*.json"))
    if not files:
        raise ValueError(f"{folder} has no vector files (*.json)")
    return files


def compare_file(path: Path) -> Tally:
    """What the product gives for one file. A file that cannot be read, or has no cases, is a failure of that
    file, and so is one of the copies that gives or compares another number of values than is stated.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return _failed(path.stem, f"{path.name} cannot be read: {error}")
    tally = compare_document(path.stem, document)
    if path.parent == COPIES and tally.cases:
        stated = read_stated().get(path.stem)
        if stated is None:
            tally.fail(f"{path.stem}: {INDEX.name} does not state how many values it compares")
        else:
            note_missing(tally, document, stated)
    return tally


def compare_document(name: str, document: Any, comparers: Mapping[str, Comparer] = COMPARERS) -> Tally:
    """`name`: of the file, without its ending; it says which comparer answers."""
    comparer = comparers.get(name)
    if comparer is None:
        return _failed(name, f"nothing in the product answers to {name}.json")
    cases = document.get("cases") if isinstance(document, dict) else None
    if not isinstance(cases, list) or not cases:
        return _failed(name, f"{name}.json has no cases")
    header = TrackedDict({key: value for key, value in document.items() if key != "cases"}, "document")
    tally = Tally(name, tolerance=float(header.get("tolerance", 1e-9)), cases=len(cases))
    if "n" in header:
        tally.same("document.n", len(cases), header["n"])
    for number, case in enumerate(cases):
        if isinstance(case, dict):
            _compare_case(TrackedDict({"id": f"case {number}", **case}), comparer, tally, header)
        else:
            tally.fail(f"case {number}: expected an object, found {type(case).__name__}")
    _report_unread("", header, tally)
    return tally


def _compare_case(case: TrackedDict, comparer: Comparer, tally: Tally, document: TrackedDict) -> None:
    """A crash is this case's failure. A key that nothing read is one too, by its name."""
    where, before = case["id"], tally.compared
    try:
        comparer(case, tally, document)
    except Exception as error:  # noqa: BLE001  # whatever it is, the other cases are still to be compared
        _note_exception(where, case, error, tally)
        return
    if _unread_refusals(case):
        tally.fail(f"{where}: expected the product to refuse it, and it did not")
        return
    if tally.compared == before:
        tally.fail(f"{where}: nothing was compared")
    _report_unread(f"{where}: ", case, tally)


def _note_exception(where: str, case: TrackedDict, error: Exception, tally: Tally) -> None:
    """Where the file expects an exception, the product must refuse the input in clear words: a ValueError of
    its own code."""
    place = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != TRACKED][-1]
    if (
        _unread_refusals(case)
        and isinstance(error, ValueError)
        and Path(place.filename).is_relative_to(PRODUCT)
    ):
        tally.same(f"{where} is refused with a reason", bool(str(error)), True)
        return
    tally.fail(f"{where}: {type(error).__name__}: {error} ({Path(place.filename).name}, line {place.lineno})")


def _unread_refusals(case: TrackedDict) -> set[str]:
    """Keys that expect an exception which the comparer left to be looked for here; others compare it by
    themselves."""
    return set(case.unread()) & {*REFUSALS, *(f"expected.{name}" for name in REFUSALS)}


def _report_unread(where: str, content: TrackedDict, tally: Tally) -> None:
    for path in content.unread():
        if reason_not_to_compare(tally.name, path) is None:
            tally.fail(f"{where}{path} is given, and nothing compares it")


def _failed(name: str, problem: str) -> Tally:
    tally = Tally(name)
    tally.fail(problem)
    return tally
