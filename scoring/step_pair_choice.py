"""Which pairs of steps clinicians are asked about, so that a threshold can be read off their answers.

What a threshold decides on is each model step with its best gold step (`published` matching). Of a
conversation with many, some are chosen so that the whole range of the score is among them: a band of it after
the other gives a pair until there are enough. Which pair of a band, and the order in which they are asked,
follow from a digest, so that they are the same for everybody and tell nothing of the score.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Sequence

from scoring.step_f1 import StepPair, best_partners

LOWEST = 0.3  # below, two steps have hardly more than their everyday words in common
MAX_PAIRS = 8  # of one conversation: two or three minutes
BANDS = 7  # of a tenth each, from LOWEST to 1


def choose_pairs(model_steps: Sequence[str], gold_steps: Sequence[str], name: str) -> list[StepPair]:
    """Return at most MAX_PAIRS (8) pairs with a Dice coefficient of at least LOWEST (0.3), in the order to
    be asked.

    [] without steps on either side. The choice and order depend only on the steps and on `name`.
    """
    if not model_steps or not gold_steps:
        return []
    pairs = sorted(
        best_partners(model_steps, gold_steps, LOWEST), key=lambda pair: _digest(name, "choice", pair)
    )
    bands: defaultdict[int, list[StepPair]] = defaultdict(list)
    for pair in pairs:
        bands[min(BANDS - 1, int((pair.dice - LOWEST) * 10 + 1e-9))].append(pair)
    places = {pair: place for band in bands.values() for place, pair in enumerate(band)}
    chosen = sorted(pairs, key=lambda pair: (places[pair], _digest(name, "turn", pair)))[:MAX_PAIRS]
    return sorted(chosen, key=lambda pair: _digest(name, "order", pair))


def _digest(name: str, use: str, pair: StepPair) -> bytes:
    return hashlib.sha256(f"{use} {pair.model} {pair.gold} {name}".encode()).digest()
