"""What takes long to make, kept in this tab for as long as what it was made of stays the same."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

KEPT = 2  # of a whole study, and as it is narrowed down; a million labels take a good part of a gigabyte
Made = TypeVar("Made")


def memoize(name: str, key: Hashable, make: Callable[[], Made]) -> Made:
    """What was made for a key; of each name the last ones asked for. Let the number of the last trail entry
    be part of the key.
    """
    values: OrderedDict[Hashable, Made] = st.session_state.setdefault(name, OrderedDict())
    if key not in values:
        values[key] = make()
    values.move_to_end(key)
    while len(values) > KEPT:
        values.popitem(last=False)
    return values[key]
