"""Why kappa may be low though agreement is high, on two labels (Byrt, Bishop and Carlin 1993). Of tables
(..., 2, 2).

Prevalence index: how much commoner one label is than the other, |both first - both second| / n. Bias index:
how differently often the two sides use a label, |only one side - only the other| / n. PABAK, kappa if both
were 0, is Brennan and Prediger's coefficient (brennan_prediger.py).
"""

from __future__ import annotations

import numpy as np

from scoring.agreement.coefficients.chance import share
from scoring.agreement.coefficients.kappa import NO_PAIR
from scoring.agreement.intervals.jackknife import Statistic
from scoring.arrays import Array

TWO_LABELS = "it is made for scales of two labels"


def _of(tables: Array, difference: Array) -> Array:
    return share(np.abs(difference), tables.sum(axis=(-2, -1)))


def _prevalence(tables: Array) -> Array:
    return (
        _of(tables, tables[..., 0, 0] - tables[..., 1, 1])
        if tables.shape[-1] == 2
        else np.full(tables.shape[:-2], np.nan)
    )


def _bias(tables: Array) -> Array:
    return (
        _of(tables, tables[..., 0, 1] - tables[..., 1, 0])
        if tables.shape[-1] == 2
        else np.full(tables.shape[:-2], np.nan)
    )


def _reason(table: Array) -> str:
    return NO_PAIR if table.shape[-1] == 2 else TWO_LABELS


PREVALENCE = Statistic("prevalence index", _prevalence, _reason, low=0.0, all_agree=None, kind="amount")
BIAS = Statistic("bias index", _bias, _reason, low=0.0, all_agree=None, kind="amount")
