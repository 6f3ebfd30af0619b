"""How many more ratings a wished precision takes, and what a number of ratings gives, for a study lead."""

from __future__ import annotations

import math

from reports.verdict_table import FALLS_SHORT, MATCHES
from scoring.agreement.intervals.limits import TAIL
from scoring.agreement.rates.sample_size import failures_needed
from scoring.bad_input import BadInput
from scoring.precision import LabelsSoFar, half_width, units_needed
from words.plurals import inflect
from words.unit_nouns import CONVERSATION, UnitNoun


def ratings_needed_sentence(
    name: str, so_far: LabelsSoFar, wish: float, noun: UnitNoun = CONVERSATION
) -> str:
    """Return how many more ratings of `name` give the half width `wish` (0.05 is 5 points), as a sentence.

    Other sentences if nothing can be rated, if it is reached already, or if even all ratings don't reach
    it.
    """
    more = units_needed(so_far, wish)
    if more is None:
        best = half_width(so_far, so_far.left)
        return (
            f"For {name}, there is nothing to rate."
            if best is None
            else f"{_even_all(so_far, noun)} an interval of ±{points(best)} points{_at_worst(so_far)}."
        )
    if more == 0:
        return f"{name} already has an interval of ±{points(half_width(so_far) or 0.0)} points."
    return _gives(name, so_far, more, noun)


def precision_sentence(name: str, so_far: LabelsSoFar, ratings: int, noun: UnitNoun = CONVERSATION) -> str:
    """Return what precision `ratings` more ratings of `name` give, as a sentence. Raise BadInput for fewer
    than one.

    Other sentences if nothing is left to rate, if no unit would be complete, or if fewer can be given.
    """
    if ratings < 1:
        raise BadInput("ratings", f"expected at least 1, found {ratings}")
    more = ratings // so_far.overlap
    if so_far.left == 0:
        return f"For {name}, nothing is left to rate."
    if more == 0:
        return f"Each {noun.singular} takes {so_far.overlap} ratings: with {ratings} none is complete."
    if more > so_far.left:
        most = _ratings(so_far.left * so_far.overlap, "can be given")
        return (
            f"At most {most}. {_even_all(so_far, noun)} an interval of "
            f"±{points(half_width(so_far, so_far.left) or 0.0)} points{_at_worst(so_far)}."
        )
    return _gives(name, so_far, more, noun)


def gate_sentence(failed: int, so_far: LabelsSoFar, catches: float, noun: UnitNoun = CONVERSATION) -> str:
    """Return how many settled failures decide a safety gate, and whether the study holds enough of them.

    The first sentence gives the least number for a yes without a miss and with one, and for a no without a
    catch; the next how many the study holds at most. If `catches` is 1, one sentence that no number is
    enough.

    Args:
        failed: units in which any clinician saw a failure, of the `so_far.n` that are labelled.
        so_far: how many units are labelled, and left.
        catches: the share of failures that a judge has to catch.
        noun: what a unit is called.
    """
    if catches >= 1:
        return (
            "No number of settled failures is enough to show that a judge catches all of them. Ask for a "
            "smaller share in the plan."
        )
    yes, with_one, no = (
        failures_needed(rate, misses, TAIL)
        for rate, misses in ((1 - catches, 0), (1 - catches, 1), (catches, 0))
    )
    rule = (
        f'Settled failures decide this safety gate: "{MATCHES}" takes {yes:,} without a miss or '
        f'{with_one:,} with one, "{FALLS_SHORT}" {no:,} without a catch.'
    )
    if not so_far.n:
        return f"{rule} It is unknown how many this study has until some are labelled."
    others = f"{noun.plural} that are more likely to contain failures"
    if not failed:
        return f"{rule} No clinician has seen one so far: add {others}."
    held = round(failed * (so_far.n + so_far.left) / so_far.n)
    if held >= yes:
        return f"{rule} This study has at most about {held:,}."
    needed = noun.count(math.ceil(yes * so_far.n / failed))
    return (
        f"{rule} This study has at most about {held:,}, too few for a yes: it takes about {needed} or more, "
        f"or {others}."
    )


def _gives(name: str, so_far: LabelsSoFar, more: int, noun: UnitNoun) -> str:
    now, then = half_width(so_far), half_width(so_far, more) or 0.0
    ratings = more * so_far.overlap
    verb = inflect(ratings, "gives", "give")
    what = f"{ratings}{' more' if so_far.n else ''} {inflect(ratings, 'rating', 'ratings')} of {name}"
    each = f" ({more} {noun.inflect(more)}, {so_far.overlap} ratings each)" if so_far.overlap > 1 else ""
    before = f" (now ±{points(now)})" if now is not None else f"{_at_worst(so_far)} (none yet)"
    return f"{what}{each} {verb} an interval of ±{points(then)} points{before}."


def _even_all(so_far: LabelsSoFar, noun: UnitNoun) -> str:
    everything = so_far.n + so_far.left
    return inflect(
        everything, f"Even the only {noun.singular} gives", f"Even all {everything} {noun.plural} give"
    )


def _at_worst(so_far: LabelsSoFar) -> str:
    return "" if so_far.n else " at worst"


def _ratings(count: int, verb: str) -> str:
    return f"{count} more {inflect(count, 'rating', 'ratings')} {verb}"


def points(share: float) -> str:
    """Return a share as percentage points with at most one decimal: 0.05 is "5", 0.083 is "8.3"."""
    return f"{100 * share:.1f}".removesuffix(".0")
