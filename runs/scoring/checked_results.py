"""Check what a metric returned: a number, or the reason why there is none. Metrics of other packages are
checked more strictly.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Real
from typing import Any

from configs.registry import RegistryEntry
from runs.scoring.metric_spec import MetricResult, MetricSpec

LONGEST_REASON = 300  # characters
LARGEST_DETAIL = 20_000  # characters of JSON
# Pages read these from the detail of our metrics; another package's curve must not appear on the Drift page.
RESERVED = ("curve", "local", "tokens", "truncated_from", "passed", "per_strategy", "of", "model", "person")
NUMBERS = ("low", "high", "reference", "n", "conversations", "persons", "biased")  # that pages show


def checked_results(returned: object, variants: Sequence[str]) -> list[MetricResult]:
    """Return a result for each variant, in order: a finite number, or undefined with the reason.

    Raises whatever reading a wrong value raises, so that the metric counts as failed (failed_results).
    """
    results = returned if isinstance(returned, list | tuple) else [returned]
    by_variant = {checked.variant or variants[0]: checked for checked in map(_strangers_result, results)}
    return [
        replace(by_variant[variant], variant=variant)
        if variant in by_variant
        else _undefined(variant, "The metric gave no number.")
        for variant in variants
    ]


def results_of(
    entry: RegistryEntry[MetricSpec], returned: object, variants: Sequence[str]
) -> list[MetricResult]:
    """Return a metric's results, checked as far as the metric is not trusted."""
    return own_results(returned) if entry.is_own else checked_results(returned, variants)


def own_results(returned: object) -> list[MetricResult]:
    """Return the results of one of our metrics: a single value, or a list or tuple of them.

    What is no finite number becomes an undefined result with the reason; nothing is raised for it.
    """
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
    """Return the results of a metric that raised: only the kind of the error, because its message may hold
    words of the transcript.
    """
    return [_undefined(variant, f"The metric failed ({type(error).__name__}).") for variant in variants]


def _undefined(variant: str, reason: str) -> MetricResult:
    return MetricResult(None, reason, variant)


def _strangers_result(result: object) -> MetricResult:
    """Return the result of another package's metric, without a metric, version or inputs of ours."""
    if not isinstance(result, MetricResult):
        return _of_number(result, "", {})
    if result.undefined is not None:
        return _undefined(result.variant, _reason(result.undefined))
    _check_detail(result.detail)
    return _of_number(result.value, result.variant, result.detail)


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


def _reason(reason: str) -> str:
    text = " ".join(reason.split()).encode("utf-8", "replace").decode("utf-8")[:LONGEST_REASON]
    return text or "The metric gave no number and no reason."


def _check_detail(detail: Mapping[str, Any]) -> None:
    """Raise if the store can't keep the detail or a page can't show it."""
    size = len(json.dumps(dict(detail), allow_nan=False).encode("utf-8"))
    if size > LARGEST_DETAIL or any(name in detail for name in RESERVED):
        raise ValueError("a detail that is too large, or under a name of the program's own")
    for name in NUMBERS:
        format(detail.get(name) or 0, ",.2f")
