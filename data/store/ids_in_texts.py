"""The columns of text that hold ids of rows. A row that gets new ids, as in an import, gets a new text."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

NewId = Callable[[str, int], int]  # name of a table, id -> the row's id now
_SUBJECT = re.compile(r"(unit|conversation|judge):(\d+)")


def _replace_in_subject(text: str, new_id: NewId) -> str:
    return _SUBJECT.sub(lambda part: f"{part[1]}:{new_id(part[1], int(part[2]))}", text)


def _replace_in_raters(text: str, new_id: NewId) -> str:
    return json.dumps(sorted(new_id("rater", number) for number in json.loads(text)))


def _replace_in_plan(text: str, new_id: NewId) -> str:
    plan = json.loads(text)
    plan["raters"] = [new_id("rater", number) for number in plan.get("raters", [])]
    return json.dumps(plan, ensure_ascii=False, separators=(",", ":"))


# Table -> its column with ids, and what replaces them there.
COLUMNS: Mapping[str, tuple[str, Callable[[str, NewId], str]]] = MappingProxyType(
    {
        "metric_value": ("subject", _replace_in_subject),
        "calibration": ("raters", _replace_in_raters),
        "work_plan": ("body", _replace_in_plan),
    }
)


def replace_ids(table: str, row: dict[str, Any], new_id: NewId) -> None:
    """Put the new ids into the text of a row of one of COLUMNS, in place.

    Raises ValueError, TypeError or KeyError for a text of another form.
    """
    column, replace = COLUMNS[table]
    row[column] = replace(row[column], new_id)
