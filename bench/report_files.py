"""The files of an agreement report of a large study, by the command line: seconds and the highest memory of
the process. The judge's reasons quote the conversations, so that every quotation is looked up. BENCH_BEFORE
names the folder of another checkout to measure beside this one.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from bench import stores
from bench.commands import run_command
from bench.table import Line, show
from data import studies
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.judgements import JudgeIdentity
from data.store import Store
from scoring.instruments import load_instrument

ROOT = Path(__file__).resolve().parent.parent
INSTRUMENT = "coaching_rubric"
COUNTS = (10_000, 100_000)  # conversations
RATINGS = 10  # a conversation
RATERS = ("Rater 1", "Rater 2")
LABELS, COMMON = ("YES", "NO", "NA"), (85, 12, 3)
MOST_SECONDS, MOST_MEMORY = 20.0, 500.0  # MB; of the larger study


def run() -> None:
    checkouts = {"": ROOT}
    if os.environ.get("BENCH_BEFORE"):
        checkouts[", before"] = Path(os.environ["BENCH_BEFORE"])
    for count in COUNTS:
        show(
            f"the files of a report: {count:,} conversations, {count * RATINGS:,} ratings, "
            f"{count * len(_criteria()):,} labels of a judge",
            _lines(count, checkouts),
        )


def _lines(count: int, checkouts: dict[str, Path]) -> list[Line]:
    has_targets = count == COUNTS[-1]
    lines = []
    for label, checkout in checkouts.items():
        with tempfile.TemporaryDirectory(prefix="bench-report-") as name:
            store = stores.copied(Path(name), "report", count, lambda path: _fill(path, count))
            seconds, memory = run_command(
                checkout, store, "report", stores.STUDY, "--to", str(Path(name) / "report")
            )
        lines += [
            Line(
                f"seconds{label}",
                f"{seconds:.1f}",
                target=f"{MOST_SECONDS:.0f}" if has_targets else "",
                met=seconds <= MOST_SECONDS if has_targets and not label else None,
            ),
            Line(
                f"highest memory{label}",
                f"{memory:,.0f} MB",
                target=f"{MOST_MEMORY:.0f} MB" if has_targets else "",
                met=memory <= MOST_MEMORY if has_targets and not label else None,
            ),
        ]
    return lines


def _criteria() -> list[str]:
    instrument, _ = load_instrument(ROOT / "configs" / "instruments" / f"{INSTRUMENT}.yaml")
    return [criterion.id for criterion in instrument.criteria]


def _fill(path: Path, count: int) -> Store:
    source = stores.write_conversations(
        path.with_suffix(".jsonl"), count, facts=lambda number: {"condition": "AB"[number % 2]}
    )
    quotes = _quotes(source)
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
            enumerate(_judgements(count, quotes), start=1),
            report,
            JudgeIdentity("Judge"),
            "bench",
        )
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
    chance, criteria = random.Random(count), _criteria()
    for number in range(count):
        for criterion in criteria:
            yield {
                "conversation_id": f"conversation-{number:06}",
                "criterion": criterion,
                "label": _label(chance),
                "reasoning": f'The client says "{quote(number, chance)}", and nothing else speaks to it.',
                "cited_turns": [4],
            }


def _ratings(count: int) -> Iterator[dict[str, object]]:
    """Of both raters on the first five criteria."""
    chance = random.Random(count + 1)
    criteria = _criteria()[: RATINGS // len(RATERS)]
    for number in range(count):
        for rater in RATERS:
            for criterion in criteria:
                yield {
                    "conversation_id": f"conversation-{number:06}",
                    "criterion": criterion,
                    "rater": rater,
                    "label": _label(chance),
                }


def _label(chance: random.Random) -> str:
    return chance.choices(LABELS, COMMON)[0]
