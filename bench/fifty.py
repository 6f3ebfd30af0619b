"""Fifty raters in one process, each with one action in ten seconds, beside one rater alone."""

from __future__ import annotations

import asyncio
import os
import random
import tempfile
import time
from collections import Counter
from pathlib import Path

from sqlalchemy import func, select

from bench import serving, stores
from bench.scale import sized
from bench.table import Line, median, ms, percentile, show
from bench.wire import NotTaken, Tab
from data import schema
from data.store.store import Store

RATERS = sized(50, 3)
SLOT = sized(10.0, 0.5)
SLOTS = sized(6, 2)
ALONE = sized(28, 8)
SIZE = sized(1_000, 20)  # conversations


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-fifty-") as name:
        folder = Path(name)
        path = stores.half_done(folder, SIZE)
        store = stores.open_at(path)
        readers = stores.rater_ids(store)
        with serving.app(path, folder / "server.log") as (url, process):
            names = [f"Reader {i}" for i in range(1, RATERS + 1)]
            tabs = [Tab(url, stores.STUDY, readers[name], name) for name in names]
            alone, times, errors, cores = asyncio.run(_work(tabs, process))
        acked = {event: kind for tab in tabs for event, kind in tab.acked.items()}
        lost = _lost(store, acked)
        store.close()
    kinds = Counter(acked.values())
    p50, p95 = percentile(times, 0.5), percentile(times, 0.95)
    title = f"fifty: {RATERS} raters in one process, {len(times)} actions in {SLOT * SLOTS:.0f} s"
    show(
        f"{title} (with the warm-up {kinds['draft']} drafts, {kinds['commit']} commits)",
        [
            Line(
                "action to acknowledgement, p50 (floor: one rater alone)",
                ms(p50),
                ms(median(alone)),
                p50 / median(alone),
            ),
            Line(
                "action to acknowledgement, p95 (floor: one rater alone)",
                ms(p95),
                ms(percentile(alone, 0.95)),
                p95 / percentile(alone, 0.95),
                "under 300 ms",
                p95 < 0.3,
            ),
            Line("errors", str(sum(errors.values())), target="0", met=not errors),
            Line("acknowledged and not in the database", str(lost), target="0", met=lost == 0),
            Line("processor of the server, share of one core", f"{cores:.0%}"),
        ],
    )
    for message, count in errors.most_common(5):
        print(f"  {count} x {message}")


async def _work(tabs: list[Tab], process: int) -> tuple[list[float], list[float], Counter[str], float]:
    errors: Counter[str] = Counter()
    await tabs[0].open()
    alone = []
    for _ in range(ALONE):
        alone.append(await tabs[0].act())
        await asyncio.sleep(0.2)
    for number, tab in enumerate(
        tabs
    ):  # each begins elsewhere in a unit, so that commits are spread over the time
        if number:
            await tab.open()
        for _ in range(number % 7):
            await tab.act()
    await asyncio.sleep(1)
    times: list[float] = []
    before, began = _processor(process), time.perf_counter()
    await asyncio.gather(
        *(_rate(tab, random.Random(number), times, errors) for number, tab in enumerate(tabs))
    )
    cores = (_processor(process) - before) / (time.perf_counter() - began)
    await asyncio.gather(*(tab.close() for tab in tabs))
    return alone[4:], times, errors, cores


async def _rate(tab: Tab, chance: random.Random, times: list[float], errors: Counter[str]) -> None:
    began = time.perf_counter()
    for slot in range(SLOTS):
        await asyncio.sleep(max(0.0, began + (slot + chance.random()) * SLOT - time.perf_counter()))
        try:
            times.append(await tab.act())
        except (NotTaken, TimeoutError, OSError) as error:
            errors[str(error) or type(error).__name__] += 1


def _processor(process: int) -> float:
    """Seconds of processor time that the process has had; 0 where the system does not say."""
    path = Path(f"/proc/{process}/stat")
    if not path.exists():
        return 0.0
    fields = path.read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _lost(store: Store, acked: dict[str, str]) -> int:
    """Acknowledged events that are not in the database; a commit counts only with a rating for each
    criterion.
    """
    with store.reading() as connection:
        drafts = set(connection.execute(select(schema.draft.c.event)).scalars())
        whole = set(
            connection.execute(
                select(schema.commit.c.event)
                .join(
                    schema.rating,
                    (schema.rating.c.unit_id == schema.commit.c.unit_id)
                    & (schema.rating.c.rater_id == schema.commit.c.rater_id),
                )
                .group_by(schema.commit.c.event)
                .having(func.count() == 6)
            ).scalars()
        )
    return sum(event not in (drafts if kind == "draft" else whole) for event, kind in acked.items())
