"""How precise a share gets with more ratings, and how many units a wished precision takes. In words:
reports/progress/precision_words.py.

Half the width of the Wilson interval (Wilson 1927; Brown, Cai and DasGupta 2001) for a share p of n units:
z / (1 + z²/n) * sqrt(p(1-p)/n + z²/(4n²)), z = 1.96. Conversations whose units are alike tell less: n is
divided by the design effect (Kish 1965). Where only these N units are meant, not others like them, n counts
(N-1)/(N-n) times (the finite population correction: with all N units nothing is left to chance). Several
ratings of one unit tell of raters, not of more units, so only units count.
"""

from __future__ import annotations

from dataclasses import dataclass

from scoring.agreement.intervals.proportions import wilson_half_width
from scoring.bad_input import BadInput

WORST = 0.5
MISS_RATES = (0.10, 0.05, 0.02)


@dataclass(frozen=True)
class LabelsSoFar:
    """`n` units have a label, `successes` of them the one that is counted; `left` more could be rated, each
    by `overlap` raters.
    """

    n: int
    successes: int
    left: int
    overlap: int = 1
    design_effect: float = 1.0
    these_only: bool = False

    def __post_init__(self) -> None:
        if self.n < 0 or not 0 <= self.successes <= self.n:
            raise BadInput("successes", f"expected 0 to {max(self.n, 0)}, found {self.successes} of {self.n}")
        if self.left < 0 or self.overlap < 1:
            raise BadInput(
                "left",
                f"expected units from 0 and at least 1 rater each, found {self.left} and {self.overlap}",
            )
        if not self.design_effect > 0:
            raise BadInput("design_effect", f"expected a number above 0, found {self.design_effect}")


def half_width(so_far: LabelsSoFar, more: int = 0) -> float | None:
    """Return half the width of the 95% interval, 0 to 0.5, after `more` units, if the share stays the same.

    None without any unit. Without labels the share is taken as one half, the worst case. Raise BadInput
    unless `more` is 0 to `so_far.left`.
    """
    if not 0 <= more <= so_far.left:
        raise BadInput("more", f"expected 0 to {so_far.left} units, found {more}")
    units, everything = so_far.n + more, so_far.n + so_far.left
    if units == 0:
        return None
    if so_far.these_only and units == everything:
        return 0.0
    n = units / so_far.design_effect * ((everything - 1) / (everything - units) if so_far.these_only else 1.0)
    p = so_far.successes / so_far.n if so_far.n else WORST
    return wilson_half_width(p, n)


def units_needed(so_far: LabelsSoFar, wish: float) -> int | None:
    """Return the fewest further units that give at most the half width `wish`.

    None if even all that are left do not. Raise BadInput unless `wish` is between 0 and 1.
    """
    if not 0 < wish < 1:
        raise BadInput("wish", f"expected a half width between 0 and 1, found {wish}")
    if not _enough(so_far, so_far.left, wish):
        return None
    low, high = -1, so_far.left
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _enough(so_far, middle, wish) else (middle, high)
    return high


def _enough(so_far: LabelsSoFar, more: int, wish: float) -> bool:
    half = half_width(so_far, more)
    return half is not None and half <= wish
