"""Studies in which it is planted how a metric goes with what clinicians said."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path

from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.record import metrics
from data.record.metrics import MetricSubject, MetricValue
from data.record.units import conversations_of
from data.store.store import Store
from tests.studies import small_study
from tests.studies.small_study import Small

CRITERION = "warm"
LEVELS = tuple("12345")
INSTRUMENT = """\
key: small
version: "1"
title: Five levels
unit: conversation
scales:
  five:
    kind: ordinal
    levels:
      - {id: "1", name: "Never", key: "1", value: 1}
      - {id: "2", name: "Seldom", key: "2", value: 2}
      - {id: "3", name: "At times", key: "3", value: 3}
      - {id: "4", name: "Often", key: "4", value: 4}
      - {id: "5", name: "Always", key: "5", value: 5}
criteria:
  - {id: warm, name: Warm, scale: five}
"""
# The level of a conversation, from 1 to 5, and its place among the others -> its value; None for none.
ScoreRule = Callable[[random.Random, int, int], "float | None"]
RULES: Mapping[str, ScoreRule] = {
    "perfect": lambda rng, level, place: level / 5,
    "strong": lambda rng, level, place: level / 5 + rng.gauss(0, 0.15),
    "inverted": lambda rng, level, place: 1 - level / 5 + rng.gauss(0, 0.05),
    "none": lambda rng, level, place: rng.random(),
    "constant": lambda rng, level, place: 0.5,
    "missing": lambda rng, level, place: None,
}


def plant(
    store: Store,
    folder: Path,
    rules: Mapping[str, ScoreRule],
    conversations: int = 30,
    labelled: int | None = None,
    key: str = "small",
) -> Small:
    """`rules`: by "metric/variant". `labelled`: so many conversations have labels of two clinicians; None:
    all.
    """
    rng = random.Random(20261123)
    small = small_study.make(
        store,
        folder,
        key=key,
        conversation_count=conversations,
        with_judges=False,
        raters=(),
        instrument=INSTRUMENT,
    )
    levels = [1 + place % 5 for place in range(conversations)]
    ratings = [
        {"conversation_id": f"c{place + 1}", "criterion": CRITERION, "label": str(level), "rater": rater}
        for place, level in enumerate(levels[:labelled])
        for rater in ("Ada Winter", "Boaz Lindqvist")
    ]
    report = ImportReport("planted")
    with store.writing("tests", "plant", small.study.id) as (connection, entry):
        if ratings:
            provenance = RatingProvenance("blind", "tests")
            add_ratings(connection, entry, small.study, enumerate(ratings, start=1), report, provenance)
        ids = sorted(set(conversations_of(connection, small.study.id).values()))
        values = [
            _value(name, conversation, rule(rng, level, place))
            for name, rule in rules.items()
            for place, (conversation, level) in enumerate(zip(ids, levels, strict=True))
        ]
        metrics.keep(connection, entry, small.study.id, values)
    report.raise_if_wrong()
    return small


def _value(name: str, conversation: int, value: float | None) -> MetricValue:
    metric, _, variant = name.partition("/")
    undefined = None if value is not None else "Nothing was said."
    return MetricValue(MetricSubject(conversation), metric, variant, "1", value, undefined, "x")
