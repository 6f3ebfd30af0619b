"""Labels as files write them."""

from __future__ import annotations

import pytest

from scoring.instruments import Scale

SCALE = Scale.model_validate(
    {
        "kind": "ordinal",
        "levels": [
            {"id": "0", "name": "No", "key": "0", "value": 0},
            {"id": "4", "name": "Very good", "key": "4", "value": 4},
        ],
    }
)


@pytest.mark.parametrize(
    ("written", "label"),
    [
        ("4", "4"),
        (4, "4"),
        (4.0, "4"),
        ("4.0", "4"),
        (" 4.00 ", "4"),
        ("0.0", "0"),
        ("very GOOD", "4"),
        ("4.5", None),
        (4.5, None),
        ("4.", None),
        (".0", None),
        ("-4.0", None),
        ("", None),
        ("nan", None),
        (float("nan"), None),
        (float("inf"), None),
        ("44.0", None),
        (None, None),
    ],
)
def test_a_spreadsheet_may_write_4_as_4_0(written: object, label: str | None) -> None:
    assert SCALE.label(written) == label
