"""The chance on record is the chance: every plan of draws, made again and again on a real store and rolled
back each time.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from data.importers import conversations
from data.importers.report import ImportReport
from data.record import studies
from data.work import draws
from data.work.draws import read_spec
from scoring.sampling import SampledUnit, weighted
from tests.unit.data.bench import Bench, turns

pytestmark = pytest.mark.slow

AGAIN = 160
ARRIVE = "arrive"
SITE = {"kind": "fact", "name": "site"}
JUDGED = {"kind": "label", "name": "safe", "judge": 1}
PLANS: dict[str, list[Any]] = {
    "all": [{"method": "all"}],
    "random": [{"method": "random", "size": 13}],
    "strata by size": [{"method": "strata", "size": 11, "keys": [SITE]}],
    "strata equal with a random share": [
        {"method": "strata", "size": 12, "keys": [SITE, JUDGED], "allocation": "equal", "random_share": 0.4}
    ],
    "random with certain": [{"method": "random", "size": 9, "certain": {"judge": 1}}],
    "twice by the same strata": [
        {"method": "strata", "size": 9, "keys": [SITE]},
        {"method": "strata", "size": 8, "keys": [SITE], "allocation": "equal"},
    ],
    "by other strata the second time": [
        {"method": "strata", "size": 12, "keys": [SITE], "allocation": "equal"},
        {"method": "strata", "size": 7, "keys": [JUDGED], "allocation": "equal", "random_share": 0.05},
    ],
    "random, then what is certain and strata": [
        {"method": "random", "size": 10},
        {"method": "strata", "size": 8, "keys": [SITE], "certain": {"judge": 1}},
    ],
    "units arrive between the draws": [
        {"method": "random", "size": 10},
        ARRIVE,
        {"method": "strata", "size": 9, "keys": [SITE], "allocation": "equal"},
    ],
    "three draws": [
        {"method": "random", "size": 6},
        {"method": "strata", "size": 5, "keys": [SITE]},
        {"method": "strata", "size": 6, "keys": [JUDGED]},
    ],
}


class RolledBack(Exception):
    """Ends a transaction that is to leave nothing behind."""


@dataclass(frozen=True)
class Simulated:
    """`taken` (AGAIN, N): whether each draw took each unit; `chance` (N,): on record; `truth` (N,): 1 where
    the unit has the property.
    """

    taken: NDArray[np.bool_]
    chance: NDArray[np.float64]
    truth: NDArray[np.float64]


def simulate(sites: Bench, plan: Sequence[Any]) -> Simulated:
    more = sites.store.path.with_name("late.jsonl")
    more.write_text(
        "\n".join(
            json.dumps({"id": f"late{n}", "turns": turns(1000 + n), "site": "south" if n % 2 else "east"})
            for n in range(10)
        ),
        encoding="utf-8",
    )
    runs: list[dict[int, float]] = []
    for seed in range(AGAIN):
        try:
            with sites.store.writing("lead", "draw", sites.study.id) as (connection, entry):
                for step in plan:
                    if step == ARRIVE:
                        conversations.add(connection, entry, sites.study, more, ImportReport("late"))
                    else:
                        number = draws.last_number(connection, sites.study.id)
                        draws.draw(
                            connection, entry, sites.study, read_spec(step), number, seed=1000 * number + seed
                        )
                count = studies.unit_count(connection, sites.study.id)
                places = sites.places(connection)
                runs.append(
                    {
                        places[unit_id]: inclusion.chance or 0.0
                        for unit_id, inclusion in draws.chances(connection, sites.study.id).items()
                    }
                )
                raise RolledBack
        except RolledBack:
            pass
    recorded = [{run[position] for run in runs if position in run} for position in range(1, count + 1)]
    assert all(len(chances) == 1 for chances in recorded), "the chance of a unit depends on who was drawn"
    taken = np.array([[position in run for position in range(1, count + 1)] for run in runs])
    # The property goes with the site, with the judge's label and with nothing, so that a wrong chance would
    # show.
    truth = np.array(
        [float(position > 36 or position % 5 == 0 or position % 7 == 1) for position in range(1, count + 1)]
    )
    return Simulated(taken, np.array([chances.pop() for chances in recorded]), truth)


def assert_unbiased(simulated: Simulated) -> None:
    again = len(simulated.taken)
    often, chance = simulated.taken.mean(axis=0), simulated.chance
    assert np.all(np.abs(often - chance) <= 4 * np.sqrt(chance * (1 - chance) / again))
    estimates = [
        weighted(
            [SampledUnit(unit, chance[unit], simulated.truth[unit]) for unit in np.flatnonzero(draw).tolist()]
        )
        for draw in simulated.taken
    ]
    totals = np.array([estimate.total for estimate in estimates], dtype=float)
    assert abs(totals.mean() - simulated.truth.sum()) <= 3 * totals.std(ddof=1) / np.sqrt(again) + 1e-9
    numbers = (simulated.taken / chance).sum(axis=1)
    assert abs(numbers.mean() - len(chance)) <= 3 * numbers.std(ddof=1) / np.sqrt(again) + 1e-9
    shares = np.array([estimate.share.value for estimate in estimates], dtype=float)
    # A ratio of two estimates leans by an order of 1/n.
    assert abs(shares.mean() - simulated.truth.mean()) <= 3 * shares.std(ddof=1) / np.sqrt(again) + 0.01


@pytest.mark.parametrize("plan", PLANS)
def test_the_recorded_chances_make_unbiased_estimates(sites: Bench, plan: str) -> None:
    simulated = simulate(sites, PLANS[plan])
    assert simulated.taken.sum(axis=1).min() > 0
    assert_unbiased(simulated)


def test_a_wrong_chance_would_be_noticed(sites: Bench) -> None:
    simulated = simulate(sites, PLANS["by other strata the second time"])
    assert_unbiased(simulated)
    last = np.array([0.25 if unit % 5 == 4 else 0.4 for unit in range(40)])
    for wrong in (
        np.full(40, simulated.taken.sum(axis=1).mean() / 40),
        last,
        np.where(simulated.truth == 1, 0.85 * simulated.chance, simulated.chance),
    ):
        with pytest.raises(AssertionError):
            assert_unbiased(Simulated(simulated.taken, wrong, simulated.truth))
