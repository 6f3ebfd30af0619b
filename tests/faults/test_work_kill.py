"""Twenty raters in processes of their own, some of them killed in the middle: nobody too many, nothing lost,
nothing held for ever.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from configs.settings import ROOT
from data import schema
from data.keeping.verify import verify
from tests.studies.planned import plan_for, taken
from tests.studies.small_study import Small

pytestmark = pytest.mark.slow

RATERS, UNITS, OVERLAP = 20, 40, 3


def test_twenty_raters_with_kills_fill_every_unit_and_no_unit_twice_over(
    make_study: Callable[..., Small], store_path: Path
) -> None:
    small = make_study(raters=tuple(f"Rater {n}" for n in range(RATERS)), conversation_count=UNITS)
    plan_for(small, overlap=OVERLAP, repeats=0.1, hold_hours=0.05)
    output_by_rater: dict[int, list[str]] = {rater: [] for rater in small.raters}

    def start(rater: int, seed: int) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.faults.working",
                str(store_path),
                small.study.key,
                str(rater),
                str(seed),
            ],
            cwd=ROOT.parent,
            stdout=subprocess.PIPE,
            text=True,
        )

    running = {rater: start(rater, rater) for rater in small.raters}
    rng = random.Random(5)
    deadline = time.monotonic() + 240
    killed = 0
    for rater in rng.sample(list(small.raters), 8):
        process = running[rater]
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(rng.random() * 0.4)
        process.kill()
        killed += 1
        output_by_rater[rater] += process.communicate()[0].splitlines()
        running[rater] = start(rater, rater + 1000)
    # What a killed process held is kept for it for a while; the same rater coming back goes on with it.
    for rater, process in running.items():
        out, _ = process.communicate(timeout=max(1.0, deadline - time.monotonic()))
        assert process.returncode == 0
        output_by_rater[rater] += out.splitlines()
    assert killed == 8
    with small.store.reading() as connection:
        assert verify(connection).problems == []
        commits = [
            (row.rater_id, row.unit_id)
            for row in connection.execute(select(schema.commit.c.rater_id, schema.commit.c.unit_id))
        ]
        ratings = Counter(
            connection.execute(
                select(schema.rating.c.rater_id, schema.rating.c.unit_id, schema.rating.c.criterion)
            ).all()
        )
    promised = {
        (rater, int(line.split()[1]))
        for rater, lines in output_by_rater.items()
        for line in lines
        if line.startswith("committed")
    }
    assert promised <= set(commits)
    assert len(commits) == len(set(commits)) and max(ratings.values()) == 1
    assert taken(small) == dict.fromkeys(range(1, UNITS + 1), (OVERLAP, OVERLAP))
