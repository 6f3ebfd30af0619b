"""Read average recall curves of models in the published form: [{"model", "recall_curve": [...],
"usable_cases", "tdr"}, ...].
"""

from __future__ import annotations

import math
from typing import Any

from data.importers.report import ImportReport
from data.record.run_summaries import RunCurve, RunSummary
from scoring.drift.curves import drift_slope

TOLD_CLOSE = 1e-6


def curve(row: dict[str, Any], line: int, report: ImportReport) -> RunSummary | None:
    """Return one curve; None if it is wrong, which is reported.

    A slope in the file ("tdr") is compared with ours, and a difference is reported.
    """
    model, turn_values, cases = (
        row.get("model"),
        row["recall_curve"],
        row.get("usable_cases", row.get("total_cases")),
    )
    if not isinstance(model, str) or not model.strip() or len(model) > 200:
        report.error(line, "there is no model, or its name is longer than 200 characters")
        return None
    bad = next((turn for turn, value in enumerate(turn_values, start=1) if not _is_share(value)), None)
    if bad is not None or not turn_values:
        report.error(
            line,
            f"the curve of {model!r} "
            + (
                f"has no number from 0 to 1 at turn {bad}; write null for a turn without a value"
                if turn_values
                else "is empty"
            ),
        )
        return None
    if cases is not None and (isinstance(cases, bool) or not isinstance(cases, int) or cases < 1):
        report.error(line, f"usable_cases of {model!r} must be a whole number from 1")
        return None
    values = tuple(None if value is None else float(value) for value in turn_values)
    slope, published = drift_slope(values).value, row.get("tdr")
    if slope is not None and isinstance(published, int | float) and not abs(slope - published) <= TOLD_CLOSE:
        report.notice(
            line,
            f"the file gives a slope of {published:.6f} per turn for the curve of {model!r}, but the curve's "
            f"slope is {slope:.6f}",
        )
    return RunSummary(model.strip(), "curve", model.strip(), curve=RunCurve(values, cases))


def _is_share(value: object) -> bool:
    return value is None or (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and 0 <= value <= 1
    )
