"""How strict each rater is beside the others on the same units, so that who rated which cases does not count.

Per rater: the mean level less the mean of the others' levels on each unit that somebody else rated too. Between raters: the
largest less the smallest effect of a rater in level = unit + rater, by least squares, because where each unit has two of many
raters, differences from whoever else happened to be there are no common measure. Where all rated everything, that is the
difference of the highest and the lowest mean.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from scoring.agreement.additive import over_conversations, ratio
from scoring.agreement.estimate import Estimate, cannot
from scoring.agreement.levels import Levels
from scoring.agreement.rounds import Label

ALONE = "no unit of this rater was rated by another one"
NOBODY = "no two raters labelled the same unit"
APART = "the raters fall into groups that share no unit, so nobody can say how far the groups are apart"
LARGEST = "it is the largest of several differences, for which leaving out conversations gives no interval"
FAR = 0.5  # levels; a wider spread is warned of
_DIFFERENCE = ratio("rater's mean less the others' on the same units", ALONE, low=-np.inf, high=np.inf)
_SPREAD = "largest less smallest rater effect"

Panel = list[tuple[int, float]]  # (rater, level) of one criterion of one unit


@dataclass(frozen=True)
class RaterLevel:
    """Over the `labels` that others gave too: the rater's mean level, the mean of the others', and the difference in levels. With
    values from scoring.agreement.levels.failing, shares of failing labels instead."""

    labels: int
    mean: float | None
    others: float | None
    difference: Estimate


@dataclass(frozen=True)
class Severity:
    """`spread` in levels (or as a difference of shares). Every rater who gave a label with a place in the order is in `raters`."""

    raters: Mapping[int, RaterLevel]
    spread: Estimate

    @property
    def far_apart(self) -> bool:
        """For ordered scales: whether two raters differ by more than half a level."""
        return self.spread.value is not None and self.spread.value > FAR + 1e-9


def severity(labels: Iterable[Label], values: Levels) -> Severity:
    """`values`: criterion -> label -> level. Labels without one, such as "does not apply", are left out, and so is "cannot rate"."""
    panels: dict[tuple[int, int, str], Panel] = defaultdict(list)
    for one in labels:
        place = None if one.label is None else values.get(one.criterion, {}).get(one.label)
        if place is not None:
            panels[one.conversation, one.unit, one.criterion].append((one.rater, float(place)))
    everybody = sorted({rater for panel in panels.values() for rater, _ in panel})
    shared = [(conversation, panel) for (conversation, _, _), panel in panels.items() if len(panel) > 1]
    own: dict[int, list[tuple[int, float, float]]] = {rater: [] for rater in everybody}
    for conversation, panel in shared:
        total = sum(level for _, level in panel)
        for rater, level in panel:
            own[rater].append((conversation, level, (total - level) / (len(panel) - 1)))
    return Severity({rater: _rater(beside) for rater, beside in own.items()}, _spread([panel for _, panel in shared]))


def _rater(beside: list[tuple[int, float, float]]) -> RaterLevel:
    number = len(beside)
    difference = over_conversations(_DIFFERENCE, ((conversation, (level - others, 1)) for conversation, level, others in beside), (2,), number)
    if not number:
        return RaterLevel(0, None, None, difference)
    return RaterLevel(number, sum(level for _, level, _ in beside) / number, sum(others for _, _, others in beside) / number, difference)


def _spread(panels: list[Panel]) -> Estimate:
    raters = {rater: place for place, rater in enumerate(sorted({rater for panel in panels for rater, _ in panel}))}
    number = sum(map(len, panels))
    if not raters:
        return cannot(NOBODY, 0, _SPREAD)
    normal, right = np.zeros((len(raters), len(raters))), np.zeros(len(raters))
    for panel in panels:
        places = [raters[rater] for rater, _ in panel]
        levels = np.array([level for _, level in panel])
        normal[np.ix_(places, places)] += np.eye(len(panel)) - 1 / len(panel)
        right[places] += levels - levels.mean()
    if connected_components(normal, directed=False, return_labels=False) > 1:
        return cannot(APART, number, _SPREAD)
    effects = np.linalg.lstsq(normal, right, rcond=None)[0]
    return Estimate(float(effects.max() - effects.min()), number, _SPREAD, no_interval=LARGEST)
