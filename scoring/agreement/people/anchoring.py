"""How far raters follow the judge once they have seen it.

A reveal: a rater committed a label blind, saw the judge's, and kept or changed their own. Anchoring index =
(moves toward the judge - moves away from it) / reveals, from -1 to 1. On an ordered scale toward means nearer
to the judge's label; where one of the three labels has no place in the order ("does not apply", or any of a
nominal scale), toward means that the label became the judge's and away that it ceased to be. Where both were
the same already nobody can move toward, so toward is also given as a share of the reveals where they
differed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.agreement.coefficients.levels import Levels
from scoring.agreement.intervals.additive_counts import over_conversations, ratio
from scoring.agreement.intervals.estimate import Estimate

NO_REVEALS = "no blind label has been followed by a reveal of this judge yet"
NO_DIFFERENCE = "no blind label differed from the judge's at a reveal"
_INDEX = ratio("anchoring index", NO_REVEALS, low=-1.0)
_FOLLOWED = ratio("moves toward the judge, of reveals where the labels differed", NO_DIFFERENCE)


@dataclass(frozen=True, slots=True)
class Reveal:
    """`before`: the blind label when the judge was shown; `after`: the one that holds since, the same where
    it was kept.
    """

    conversation: int
    rater: int
    criterion: str
    before: str
    judge: str
    after: str


@dataclass(frozen=True)
class Anchoring:
    """Counts of reveals. `aside`: changed, but neither toward nor away. `followed`: toward, of those that
    differed.
    """

    reveals: int
    differed: int
    toward: int
    away: int
    aside: int
    index: Estimate
    followed: Estimate

    @property
    def changed(self) -> int:
        return self.toward + self.away + self.aside


@dataclass(frozen=True)
class AnchoringSummary:
    together: Anchoring
    by_rater: Mapping[int, Anchoring]
    by_criterion: Mapping[str, Anchoring]


def anchoring(reveals: Iterable[Reveal], levels: Levels) -> AnchoringSummary:
    """Return how often raters moved toward or away from the judge after a reveal: in all, by rater, by
    criterion.

    The index is (toward - away) / reveals, -1 to 1; its value is None without reveals. Intervals leave out
    one conversation at a time. `levels` maps criterion -> label -> place on an ordered scale.
    """
    moved = [(reveal, move(reveal, levels.get(reveal.criterion, {}))) for reveal in reveals]
    by_rater: dict[int, list[tuple[Reveal, int]]] = defaultdict(list)
    by_criterion: dict[str, list[tuple[Reveal, int]]] = defaultdict(list)
    for reveal, direction in moved:
        by_rater[reveal.rater].append((reveal, direction))
        by_criterion[reveal.criterion].append((reveal, direction))
    return AnchoringSummary(
        _counted(moved),
        {who: _counted(own) for who, own in by_rater.items()},
        {name: _counted(own) for name, own in by_criterion.items()},
    )


def move(reveal: Reveal, values: Mapping[str, int]) -> int:
    """Return 1 if the rater moved toward the judge's label, -1 if away from it, 0 if neither.

    `values`: label -> place on an ordered scale; empty for a nominal one. Where any of the three labels has
    no place, toward means that the label became the judge's, and away that it ceased to be.
    """
    before, judge, after = (values.get(label) for label in (reveal.before, reveal.judge, reveal.after))
    if before is None or judge is None or after is None:
        return (reveal.after == reveal.judge) - (reveal.before == reveal.judge)
    was, now = abs(before - judge), abs(after - judge)
    return (now < was) - (now > was)


def _counted(moved: Sequence[tuple[Reveal, int]]) -> Anchoring:
    differed = [(reveal, direction) for reveal, direction in moved if reveal.before != reveal.judge]
    toward, away = sum(direction > 0 for _, direction in moved), sum(direction < 0 for _, direction in moved)
    return Anchoring(
        len(moved),
        len(differed),
        toward,
        away,
        sum(reveal.before != reveal.after and direction == 0 for reveal, direction in moved),
        over_conversations(
            _INDEX, ((reveal.conversation, (direction, 1)) for reveal, direction in moved), (2,), len(moved)
        ),
        over_conversations(
            _FOLLOWED,
            ((reveal.conversation, (direction > 0, 1)) for reveal, direction in differed),
            (2,),
            len(differed),
        ),
    )
