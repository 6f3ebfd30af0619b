"""One rater of a planned study in a process of their own, that may be killed at any moment."""

from __future__ import annotations

import random
import sys
import time

from data.record import studies
from data.store.errors import Refused
from data.store.store import open_store
from data.work.next_unit import NoUnit
from tests.studies.planned import Worker
from tests.studies.small_study import Small


def main(path: str, study_key: str, rater_id: int, seed: int) -> None:
    """Take, answer, commit or skip until nothing more comes; prints each commit after it was made."""
    store = open_store(f"sqlite:///{path}", busy_seconds=100)
    with store.reading() as connection:
        study = studies.find(connection, study_key)
        assert study is not None
        raters = tuple(rater.id for rater in studies.raters(connection, study.id))
    worker, rng, idle = (
        Worker(Small(store, study, (), raters), rater_id, random.Random(seed)),
        random.Random(seed),
        0,
    )
    print("ready", flush=True)
    while idle < 40:
        try:
            place = worker.take()
            if isinstance(place, NoUnit):
                idle += 1
                time.sleep(0.1)
                continue
            idle = 0
            unit = worker.unit(place)
            if rng.random() < 0.1:
                worker.skip(place)
                continue
            worker.rate(place, rng.choice(["YES", "NO"]))
            print(f"committed {unit.id}", flush=True)
        except Refused:  # its time ran out and others were quicker
            continue
    store.close()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
