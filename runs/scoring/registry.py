"""Every metric that there is: ours, a file each in runs/scoring/metrics, and those of other packages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar, get_args

from configs.registry import ExtensionUnusable, Registry, RegistryEntry
from runs.scoring.metric_spec import (
    ConversationMetric,
    JudgeMetric,
    MetricSpec,
    Need,
    ShownColumn,
    ShownRow,
)

GROUP = "second_reader.metrics"
NEEDS: tuple[str, ...] = get_args(Need)
SpecKind = TypeVar("SpecKind", bound=MetricSpec)


def _check(spec: object, name: str, own: bool) -> MetricSpec:
    if not isinstance(spec, MetricSpec):
        raise ExtensionUnusable(f"it is of the type {type(spec).__name__}, not a metric")
    if spec.name != name:
        raise ExtensionUnusable(f"its name is {spec.name!r}")
    if not own:
        _check_foreign(spec)
    return spec


def _check_foreign(spec: MetricSpec) -> None:
    """What a metric of another package must hold to, so that no page stumbles over it. Raises
    ExtensionUnusable.
    """
    if not isinstance(spec, ConversationMetric | JudgeMetric):
        raise ExtensionUnusable("it must be a ConversationMetric or a JudgeMetric")
    if not isinstance(spec.title, str) or not spec.title.strip() or not isinstance(spec.version, str):
        raise ExtensionUnusable("its title and its version must be texts")
    if spec.name in names_of_our_numbers():
        raise ExtensionUnusable("a number of the program's own has this name")
    if isinstance(spec.order, bool) or not isinstance(spec.order, int):
        raise ExtensionUnusable("its order must be a whole number")
    if not _texts(spec.variants) or len(set(spec.variants)) != len(spec.variants):
        raise ExtensionUnusable("its variants must be a list of different texts")
    if not callable(spec.compute) or spec.inputs is not None:
        raise ExtensionUnusable("it must have compute, and leave inputs to the program")
    _check_rows(spec)
    if isinstance(spec, JudgeMetric):
        if spec.remark is not None or spec.rows:
            raise ExtensionUnusable("a metric of a judge's labels has neither remark nor rows")
        return
    if spec.compute_all is not None:
        raise ExtensionUnusable("compute_all is for metrics of the program's own")
    unknown = [need for need in spec.needs if need not in NEEDS]
    if unknown:
        raise ExtensionUnusable(f"it needs {unknown[0]!r}; there are {', '.join(NEEDS)}")
    for column in spec.columns:
        if not isinstance(column, ShownColumn) or not _texts([column.title]) or column.metric:
            raise ExtensionUnusable("its columns must be ShownColumn with a title and no metric")
        if (column.variant or spec.variants[0]) not in spec.variants:
            raise ExtensionUnusable(f"a column shows the variant {column.variant!r}, which it does not have")


def names_of_our_numbers() -> set[str]:
    """Return the names under which the program's own metrics store their numbers."""
    names: set[str] = set()
    for spec in METRICS.own_specs():
        names |= {spec.name, *spec.other_names, *(row.metric for row in spec.rows)}
        if isinstance(spec, ConversationMetric):
            names |= {column.metric for column in spec.columns}
    return names


def _check_rows(spec: MetricSpec) -> None:
    for row in spec.rows:
        if not isinstance(row, ShownRow) or not _texts([row.title, row.counted]) or row.metric:
            raise ExtensionUnusable("its rows must be ShownRow with a title and no metric")
        if row.curves or row.says_model:
            raise ExtensionUnusable("its rows may not ask for curves or the name of a model")


def _texts(values: object) -> bool:
    return (
        isinstance(values, Sequence)
        and not isinstance(values, str)
        and bool(values)
        and all(isinstance(value, str) and value.strip() for value in values)
    )


METRICS: Registry[MetricSpec] = Registry(GROUP, "metric", "runs.scoring.metrics", "METRIC", _check)


def metric_entries() -> list[RegistryEntry[MetricSpec]]:
    """Return all metrics in the order in which they are computed and shown, the program's own first."""
    return sorted(METRICS.all(), key=lambda entry: (not entry.is_own, entry.spec.order))


def metric_specs(kind: type[SpecKind]) -> list[SpecKind]:
    """Return the specifications of one kind of metric, in their order."""
    return [entry.spec for entry in metric_entries() if isinstance(entry.spec, kind)]
