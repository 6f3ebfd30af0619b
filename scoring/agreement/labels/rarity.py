"""How much there is of the rarer labels: what the interval of a coefficient rests on.

Where nearly every label is the same one, a coefficient is made of the few conversations that hold another,
and the many others say nothing of how far it may be off. So its interval takes its degrees of freedom from
the conversations in which two gave a rarer label to the same unit, and with fewer than `MIN_RARER` of them
there is none. The number was found by simulation: from three on the limits hold the true value in at least
.92 of studies (`python -m bench coverage`; docs/reference_statistics.md has the table). A rarer label is
any but the commonest, so that on two labels it is the rarer one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.arrays import Array, IntArray, Mask
from words.plurals import inflect

MIN_RARER = 3
# conversations with a rarer label at all, which will do for the difference of two shares of the same label
MIN_CARRYING = 20


@dataclass(frozen=True, eq=False)
class Rarity:
    """Of each conversation (C,): whether anybody gave a rarer label in it (`carrying`), and whether two gave
    one to the same unit (`shared`).
    """

    carrying: Mask
    shared: Mask


def rarity_of_tables(tables: Array, times: IntArray) -> Rarity:
    """Return, for each conversation, whether anybody gave a rarer label, and whether two gave one to the
    same unit.

    Rarer is every label but the one given most often over all conversations and both sides.

    Args:
        tables: counts (C, k, k), one side in rows and the other in columns.
        times: (C,), how many identical conversations each table stands for.
    """
    return _rarity(tables, tables.sum(axis=-1) + tables.sum(axis=-2), times)


def rarity_of_spread(counts: Array, times: IntArray) -> Rarity:
    """Return, for each conversation, whether anybody gave a rarer label, and whether two gave one to the
    same unit.

    Rarer is every label but the one given most often over all conversations.

    Args:
        counts: (C, k + 1, k), pairs of labels on one unit and, in the last row, single labels (spread.py,
            krippendorff.py).
        times: (C,), how many identical conversations each entry stands for.
    """
    return _rarity(counts[:, :-1], counts[:, -1], times)


def _rarity(pairs: Array, labels: Array, times: IntArray) -> Rarity:
    rarer = np.ones(labels.shape[-1], dtype=bool)
    rarer[int((times[:, None] * labels).sum(axis=0).argmax())] = False
    return Rarity(
        np.asarray((labels[:, rarer] > 0).any(axis=-1)),
        np.asarray((pairs[:, rarer][:, :, rarer] > 0).any(axis=(-2, -1))),
    )


def too_few(shared: int) -> str:
    """Return the reason for no interval: both gave a rarer label in only `shared` conversations:
    "both labels in a pair are the rarer one in only 3 conversations".
    """
    return f"both labels in a pair are the rarer one in {_conversations(shared)}"


def too_few_carrying(carrying: int) -> str:
    """Return the reason for no interval: only `carrying` conversations hold a rarer label:
    "the rarer label was given in only 3 conversations".
    """
    return f"the rarer label was given in {_conversations(carrying)}"


def _conversations(number: int) -> str:
    if not number:
        return "no conversation"
    return f"only {inflect(number, 'one conversation', f'{number} conversations')}"
