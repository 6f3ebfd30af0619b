"""Counts of points of the plane that lie below and to the left of others, many at a time.

The points are kept as a wavelet matrix (Claude, Navarro and Ordonez 2015): their codes bit by bit, the
highest first, at each bit all zeros before all ones in their order so far. A count walks down the bits, so
that n points take O(n log m) to keep and q counts O(q log m), m being the number of codes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.intp]


class DominanceCounts:
    """Of points in an order. `codes`: from 0, one a point, in that order."""

    def __init__(self, codes: Codes) -> None:
        self._bits = int(codes.max(initial=0)).bit_length()
        self._zeros: list[Codes] = []  # at each bit, how many of the first p points have a zero there
        for bit in range(self._bits - 1, -1, -1):
            ones = (codes >> bit) & 1
            self._zeros.append(np.concatenate(([0], np.cumsum(1 - ones))))
            codes = np.concatenate((codes[ones == 0], codes[ones == 1]))

    def below(self, first: Codes, code: Codes) -> Codes:
        """Return, for each pair, how many of the first `first` points have a code smaller than `code`."""
        start, end = np.zeros_like(first), first.copy()
        count = np.zeros_like(first)
        beyond = code >> self._bits > 0  # larger than every code
        for level, zeros in enumerate(self._zeros):
            set_bit = (code >> (self._bits - 1 - level)) & 1 == 1
            zeros_before, zeros_through = zeros[start], zeros[end]
            count += np.where(set_bit, zeros_through - zeros_before, 0)
            start = np.where(set_bit, zeros[-1] + start - zeros_before, zeros_before)
            end = np.where(set_bit, zeros[-1] + end - zeros_through, zeros_through)
        counts: Codes = np.where(beyond, first, count)
        return counts
