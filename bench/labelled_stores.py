"""Stores of labelled conversations: two clinicians beside a judge whose reasons quote the conversation, dated
over half a year, and with curves over the turns where these are asked for.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import numpy as np
from sqlalchemy import select

from bench import stores
from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.record import metrics, studies
from data.record.judgements import JudgeIdentity
from data.record.metrics import MetricSubject, MetricValue
from data.record.quotation_counts import count_quotations
from data.store.store import Store
from scoring.instruments import load_instrument

ROOT = Path(__file__).resolve().parent.parent
INSTRUMENT = "coaching_rubric"
RATINGS = 10  # a conversation
RATERS = ("Rater 1", "Rater 2")
LABELS, COMMON = ("YES", "NO", "NA"), (85, 12, 3)
CURVE = ("goal_alignment", "actions/windowed")
WEEKS, FIRST_DAY = 26, date(2026, 1, 5)


def list_criteria() -> list[str]:
    instrument, _ = load_instrument(ROOT / "configs" / "instruments" / f"{INSTRUMENT}.yaml")
    return [criterion.id for criterion in instrument.criteria]


def fill(path: Path, count: int, rated: bool = True) -> Store:
    """`rated` False: without the clinicians' labels."""
    source = stores.write_conversations(
        path.with_suffix(".jsonl"), count, facts=lambda number: {"condition": "AB"[number % 2]}
    )
    quote = _quotes(source)
    store = stores.make(path, source, instrument=INSTRUMENT)
    source.unlink()
    with store.writing("bench", "import labels") as (connection, entry):
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        report = ImportReport("bench")
        add_judgements(
            connection,
            entry,
            study,
            enumerate(_judgements(count, quote), start=1),
            report,
            JudgeIdentity("Judge"),
            "bench",
        )
        count_quotations(connection)
        if rated:
            add_ratings(
                connection,
                entry,
                study,
                enumerate(_ratings(count), start=1),
                report,
                RatingProvenance("blind", "bench"),
            )
        report.raise_if_wrong()
    return store


def fill_with_curves(path: Path, count: int) -> Store:
    store = fill(path, count)
    chance = np.random.default_rng(3)
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        ids = list(
            connection.execute(
                select(schema.conversation.c.id).where(schema.conversation.c.study_id == study.id)
            ).scalars()
        )
    with store.writing("bench", "score", study.id) as (connection, entry):
        for start in range(0, len(ids), 1000):
            metrics.keep(
                connection,
                entry,
                study.id,
                [_curve(number, chance) for number in ids[start : start + 1000]],
            )
    return store


def _curve(conversation: int, chance: np.random.Generator) -> MetricValue:
    curve = chance.normal(0.5, 0.1, stores.TURNS).tolist()
    local = chance.normal(0.4, 0.1, stores.TURNS).tolist()
    return MetricValue(
        MetricSubject(conversation_id=conversation),
        *CURVE,
        "1",
        curve[-1],
        None,
        f"bench{conversation}",
        {"curve": curve, "local": local},
    )


def _quotes(source: Path) -> Callable[[int, random.Random], str]:
    """Some words of a conversation by its number; of one in ten words that nobody said there."""
    pool: list[str] = []
    with source.open(encoding="utf-8") as file:
        for line in file:
            text = json.loads(line)["messages"][7]["content"]
            pool.append(" ".join(text.split()[1:8]))

    def quote(number: int, chance: random.Random) -> str:
        return pool[number if chance.random() < 0.9 else chance.randrange(len(pool))]

    return quote


def _judgements(count: int, quote: Callable[[int, random.Random], str]) -> Iterator[dict[str, object]]:
    chance, criteria = random.Random(count), list_criteria()
    for number in range(count):
        for criterion in criteria:
            yield {
                "conversation_id": f"conversation-{number:06}",
                "criterion": criterion,
                "label": _label(chance),
                "reasoning": f'The client says "{quote(number, chance)}", and nothing else speaks to it.',
                "cited_turns": [4],
                "at": _day(number, count),
            }


def _ratings(count: int) -> Iterator[dict[str, object]]:
    """Of both raters on the first five criteria."""
    chance = random.Random(count + 1)
    criteria = list_criteria()[: RATINGS // len(RATERS)]
    for number in range(count):
        for rater in RATERS:
            for criterion in criteria:
                yield {
                    "conversation_id": f"conversation-{number:06}",
                    "criterion": criterion,
                    "rater": rater,
                    "label": _label(chance),
                    "at": _day(number, count),
                }


def _day(number: int, count: int) -> str:
    """The first conversations in the first week, the last in the last."""
    return f"{FIRST_DAY + timedelta(days=7 * WEEKS * number // count)}T09:00:00Z"


def _label(chance: random.Random) -> str:
    return chance.choices(LABELS, COMMON)[0]
