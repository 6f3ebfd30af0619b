"""What a metric returns, made true: a number that is one, or the reason why there is none. One of another
package may say less of its numbers than one of ours.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any

from configs.registry import RegistryEntry
from data.record.metrics import MetricValue
from runs.scoring.metric_spec import MetricResult, MetricSpec

LONGEST_REASON = 300  # characters
LARGEST_DETAIL = 20_000  # characters of JSON
# Pages read these of the detail of ours; a curve of a stranger's would be drawn on the Drift page unasked.
RESERVED = ("curve", "local", "tokens", "truncated_from", "passed", "per_strategy", "of", "model", "person")
NUMBERS = ("low", "high", "reference")
COUNTS = ("n", "conversations", "persons", "biased")


def checked_results(returned: object, variants: Sequence[str]) -> list[MetricResult]:
    """A result for each variant, in order. What is not a finite number under a declared variant is
    undefined, with the reason.
    """
    results = list(returned) if isinstance(returned, list | tuple) else [returned]
    by_variant: dict[str, MetricResult] = {}
    strangers = []
    for result in results:
        checked = _checked(result, variants[0])
        if checked.variant not in variants:
            strangers.append(checked.variant)
        elif checked.variant in by_variant:
            by_variant[checked.variant] = _undefined(
                checked.variant, "The metric gave two numbers for the same variant."
            )
        else:
            by_variant[checked.variant] = checked
    missing = (
        "The metric gave a number for a variant that it does not declare, and none for this one."
        if strangers
        else "The metric gave no number."
    )
    return [by_variant.get(variant) or _undefined(variant, missing) for variant in variants]


def results_of(
    entry: RegistryEntry[MetricSpec], returned: object, variants: Sequence[str]
) -> list[MetricResult]:
    """What a metric returned, checked as far as it may be trusted."""
    return own_results(returned) if entry.is_own else checked_results(returned, variants)


def own_results(returned: object) -> list[MetricResult]:
    """What one of our metrics returned: nothing, or its results, of which each number is checked."""
    results = list(returned) if isinstance(returned, list | tuple) else [returned]
    return [_own_result(result) for result in results]


def _own_result(result: object) -> MetricResult:
    if not isinstance(result, MetricResult):
        return _of_number(result, "", {})
    if result.undefined is not None:
        return result
    checked = _of_number(result.value, result.variant, result.detail)
    return replace(result, value=checked.value, undefined=checked.undefined)


def failed_results(error: BaseException, variants: Sequence[str]) -> list[MetricResult]:
    """Of a metric that raised. Its message may hold words of the transcript, so only its kind is kept."""
    return [_undefined(variant, f"The metric failed ({type(error).__name__}).") for variant in variants]


def _undefined(variant: str, reason: str) -> MetricResult:
    return MetricResult(None, reason, variant)


def _checked(result: object, first: str) -> MetricResult:
    if isinstance(result, MetricValue):
        return _undefined(
            first,
            "The metric says itself what its number is about; it may only speak of what it was given.",
        )
    if not isinstance(result, MetricResult):
        return _of_number(result, first, {})
    variant = result.variant or first
    if not isinstance(variant, str):
        return _undefined(first, "The metric gave a variant that is no text.")
    if result.metric or result.version or result.inputs:
        return _undefined(variant, "The metric gave a number under another name than its own.")
    if result.undefined is not None:
        if result.value is not None:
            return _undefined(variant, "The metric gave a number, and a reason why there is none.")
        return _undefined(variant, _reason(result.undefined))
    wrong = _wrong_detail(result.detail)
    if wrong:
        return _undefined(variant, wrong)
    return _of_number(result.value, variant, result.detail)


def _of_number(value: object, variant: str, detail: Mapping[str, Any]) -> MetricResult:
    if value is None:
        return _undefined(variant, "The metric gave no number and no reason.")
    if isinstance(value, bool) or not isinstance(value, Real):
        return _undefined(variant, f"The metric gave something that is no number ({type(value).__name__}).")
    try:
        number = float(value)
    except (OverflowError, ValueError, TypeError):
        return _undefined(variant, "The metric gave a number that is too large.")
    if not math.isfinite(number):
        return _undefined(variant, f"The metric gave a number that is not finite ({number}).")
    return MetricResult(number, None, variant, detail)


def _reason(reason: object) -> str:
    text = " ".join(str(reason).split()) if isinstance(reason, str) else ""
    text = text.encode("utf-8", "replace").decode("utf-8")[:LONGEST_REASON]
    return text or "The metric gave no number and no reason."


def _wrong_detail(detail: object) -> str | None:
    """Why the detail of a number cannot be kept; None where it can."""
    if not isinstance(detail, Mapping):
        return "The metric gave a detail that is no mapping."
    try:
        size = len(json.dumps(dict(detail), allow_nan=False).encode("utf-8"))
    except (TypeError, ValueError, RecursionError):
        return "The metric gave a detail that cannot be written as JSON."
    if size > LARGEST_DETAIL:
        return "The metric gave a detail that is too large."
    if reserved := [name for name in RESERVED if name in detail]:
        return f"The metric gave a detail called {reserved[0]}, which is a name of the program's own."
    wrong = [name for name in NUMBERS if not (detail.get(name) is None or _is_finite(detail[name]))]
    wrong += [name for name in COUNTS if name in detail and not _is_count(detail[name])]
    wrong += [name for name in ("no_interval",) if not isinstance(detail.get(name, ""), str | None)]
    if wrong:
        return f"The metric gave a detail {wrong[0]} that is not what it is called."
    if (detail.get("low") is None) != (detail.get("high") is None):
        return "The metric gave one end of an interval."
    return None


def _is_finite(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_count(value: object) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0
