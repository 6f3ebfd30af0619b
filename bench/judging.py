"""Judge runs beside a bare loop over the same SDK: the price of the ledger, of a kill, of a quota, and the
memory.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from bench import stores
from bench.judging_sides import ALLOWED, JUDGE, MODEL, WINDOW
from bench.scale import sized
from bench.table import Line, median, show
from data import schema

ROOT = Path(__file__).resolve().parents[1]
CRITERIA = 12  # of the coaching rubric
CONVERSATIONS = sized(167, 4)
QUOTA_CONVERSATIONS = sized(50, 2)
IN_FLIGHT = 32
ROUNDS = sized(3, 1)
MODELS = f"""\
judges:
  {JUDGE}:
    provider: gemini
    model: {MODEL}
    key: BENCH_KEY
    base_url: %s
    data_classes: [synthetic]
    in_flight: {IN_FLIGHT}
"""


def run() -> None:
    with tempfile.TemporaryDirectory(prefix="bench-judging-") as name:
        folder = Path(name)
        many, some = _study(folder / "many", CONVERSATIONS), _study(folder / "some", QUOTA_CONVERSATIONS)
        _beside(many, "well", 0.0, "an instant server", 0.9)
        _beside(many, "flaky", 0.05, "50 ms, one call in five fails once", None)
        _killed(many)
        for kind in ("fixed", "sliding"):
            _quota(some, kind, 0.02)
        _quota(some, "fixed", 0.3)


def _study(folder: Path, conversations: int) -> Path:
    folder.mkdir()
    source = stores.write_conversations(folder / "conversations.jsonl", conversations)
    stores.make(folder / "store.sqlite", source, instrument="coaching_rubric").close()
    return folder


# Beside the bare loop


def _beside(study: Path, kind: str, latency: float, what: str, rate: float | None) -> None:
    """`rate`: what share of the bare loop's calls a second is asked for; None: at most 1.25 of its time, and
    the memory.
    """
    sides = ["ours", "simple", "bare"]
    measures: dict[str, list[dict[str, Any]]] = {side: [] for side in sides}
    for _ in range(ROUNDS):
        sides = [*sides[1:], sides[0]]  # in turns, so that a busy minute hits all
        for side in sides:
            with _server(kind, latency) as url, _fresh(study, url) as folder:
                measures[side].append(_finish(_start(side, folder)))
    calls = CONVERSATIONS * CRITERIA
    ours, simple, bare = (
        median([measure["seconds"] for measure in measures[side]]) for side in ("ours", "simple", "bare")
    )
    processor, floor = (
        median([measure["processor"] for measure in measures[side]]) for side in ("ours", "bare")
    )
    if any(measure["outcome"] != "finished" for measure in measures["ours"]) or any(
        measure["answers"] != calls for measure in [*measures["bare"], *measures["simple"]]
    ):
        raise AssertionError(str(measures))
    if rate is not None:
        lines = [
            Line(
                "calls a second",
                f"{calls / ours:.0f}",
                f"{calls / bare:.0f}",
                bare / ours,
                f"{rate} times",
                bare / ours >= rate,
            ),
            Line(
                "calls a second (floor: a bare loop that commits each answer)",
                f"{calls / ours:.0f}",
                f"{calls / simple:.0f}",
                simple / ours,
                f"{rate} times",
                simple / ours >= rate,
            ),
        ]
    else:
        most = max(measure["peak"] for measure in measures["ours"]) / 1024
        lines = [
            Line(
                "time of all",
                f"{ours:.2f} s",
                f"{bare:.2f} s",
                ours / bare,
                "1.25 times",
                ours <= 1.25 * bare,
            ),
            Line(
                "memory of the process at most",
                f"{most:.0f} MB",
                f"{max(measure['peak'] for measure in measures['bare']) / 1024:.0f} MB",
                target="under 150 MB",
                met=most < 150,
            ),
        ]
    lines.append(Line("processor time", f"{processor:.2f} s", f"{floor:.2f} s", processor / floor))
    show(
        f"judging: {calls:,} calls, {what}, {IN_FLIGHT} in flight, median of {ROUNDS} (floor: a bare loop)",
        lines,
    )
    heavy = {name for measure in measures["ours"] for name in measure["heavy"]}
    if heavy:
        print(f"  loaded in our process: {', '.join(sorted(heavy))}")


# Killed in the middle


def _killed(study: Path) -> None:
    calls = CONVERSATIONS * CRITERIA
    with _server("flaky", 0.05) as url, _fresh(study, url) as folder:
        first = _start("ours", folder)
        while _counts(url)["good"] < calls // 2:
            if first.poll() is not None:
                raise AssertionError("it ended before it was killed")
            time.sleep(0.02)
        first.send_signal(signal.SIGKILL)
        first.wait()
        time.sleep(0.2)  # what it had sent arrives
        in_flight = _counts(url)["good"] - _kept(folder)[0]
        second = _finish(_start("ours", folder))
        counts, (answers, attempts, twice) = _counts(url), _kept(folder)
    show(
        f"judging: kill -9 at {calls // 2:,} of {calls:,}, and the same command again",
        [
            Line(
                "calls with a label",
                f"{answers:,}",
                target=f"{calls:,}",
                met=answers == calls and second["outcome"] == "finished",
            ),
            Line(
                "answered twice by the server (floor: answered at the kill and not yet kept)",
                str(counts["twice"]),
                str(in_flight),
                target=f"at most {IN_FLIGHT}",
                met=counts["twice"] <= min(IN_FLIGHT, in_flight),
            ),
            Line("recorded twice", str(twice), target="0", met=twice == 0),
            Line("tries in the ledger, of those at the server", f"{attempts:,}", f"{counts['hits']:,}"),
        ],
    )


def _kept(folder: Path) -> tuple[int, int, int]:
    """Labels; tries; labels or readable answers that stand twice."""
    label, attempt = schema.judgement, schema.attempt
    store = stores.open_at(folder / "store.sqlite")
    with store.reading() as connection:
        ok = label.c.status == "ok"
        labels = connection.execute(select(func.count()).select_from(label).where(ok)).scalar_one()
        each = select(label.c.unit_id, label.c.criterion, label.c.replicate).where(ok).distinct()
        apart = connection.execute(select(func.count()).select_from(each.subquery())).scalar_one()
        attempts = connection.execute(select(func.count()).select_from(attempt)).scalar_one()
        answers = connection.execute(
            select(func.count(), func.count(attempt.c.key.distinct())).where(attempt.c.status == "ok")
        ).one()
    store.close()
    return labels, attempts, labels - apart + answers[0] - answers[1]


# Under a quota


def _quota(study: Path, kind: str, refusing: float) -> None:
    """The ideal: a sender who knows the quota and has endless places sends the last call when the last window
    that is needed opens.
    """
    calls, latency = QUOTA_CONVERSATIONS * CRITERIA, 0.3
    with _server(kind, latency, refusing) as url, _fresh(study, url) as folder:
        took = _finish(_start("ours", folder))["seconds"]
        counts = _counts(url)
    ideal = ((calls + ALLOWED - 1) // ALLOWED - 1) * WINDOW + latency
    share = counts["refused"] / counts["hits"]
    required = kind == "fixed"
    show(
        f"judging: {calls} calls of {latency} s, {ALLOWED} in {WINDOW:.0f} s ({kind} window), refused after "
        f"{refusing} s",
        [
            Line(
                "time of all (floor: the ideal, from the windows alone)",
                f"{took:.2f} s",
                f"{ideal:.2f} s",
                took / ideal,
                "1.10 times",
                took <= 1.10 * ideal if required else None,
            ),
            Line(
                "refused calls",
                f"{counts['refused']} of {counts['hits']}",
                ratio=share,
                target="0.10 of all",
                met=share <= 0.10 if required else None,
            ),
        ],
    )


# Processes


@contextmanager
def _server(kind: str, latency: float, refusing: float | None = None) -> Iterator[str]:
    arguments = ["server", kind, str(latency), str(latency if refusing is None else refusing)]
    with subprocess.Popen(
        [sys.executable, "-m", "bench.judging_sides", *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None and process.stdin is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.stdin.close()
            process.wait(10)


@contextmanager
def _fresh(study: Path, url: str) -> Iterator[Path]:
    """A copy of the store of its own, and a models.yaml that points at the server."""
    with tempfile.TemporaryDirectory(dir=study) as name:
        shutil.copy(study / "store.sqlite", name)
        (Path(name) / "models.yaml").write_text(MODELS % url, encoding="utf-8")
        yield Path(name)


def _start(side: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "bench.judging_sides", side, str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "BENCH_KEY": "none"},
    )


def _finish(process: subprocess.Popen[str]) -> dict[str, Any]:
    said, _ = process.communicate()
    if process.returncode:
        raise AssertionError(f"a side of the bench ended with {process.returncode}")
    found: dict[str, Any] = json.loads(said)
    return found


def _counts(url: str) -> dict[str, int]:
    with urllib.request.urlopen(f"{url}/counts", timeout=10) as reply:
        found: dict[str, int] = json.load(reply)
    return found
