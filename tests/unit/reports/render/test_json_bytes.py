"""JSON of reports: the bytes of json.dumps, faster."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from reports.render.files import json_bytes

SCALARS = some.none() | some.booleans() | some.integers() | some.floats(allow_nan=False, allow_infinity=False)
VALUES = some.recursive(
    SCALARS | some.text(),
    lambda inner: some.lists(inner) | some.dictionaries(some.text(), inner) | some.tuples(inner, inner),
    max_leaves=30,
)


@given(VALUES)
def test_the_bytes_are_those_of_json_dumps(value: Any) -> None:
    whole = json.dumps(value, ensure_ascii=False, sort_keys=True, indent=1, allow_nan=False)
    try:
        wanted = (whole + "\n").encode()
    except UnicodeEncodeError:  # a lone surrogate has no bytes
        with pytest.raises(UnicodeEncodeError):
            json_bytes(value)
        return
    assert json_bytes(value) == wanted


@pytest.mark.parametrize("value", [math.nan, {"a": math.inf}, {"a": {"b": [1.0, -math.inf]}}])
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_bytes(value)
