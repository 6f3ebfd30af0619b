"""What may be estimated from the draws of a study, in words."""

from __future__ import annotations

from data.work.draw_status import DrawStatus
from words.plurals import inflect
from words.unit_nouns import UnitNoun


def word_draw_status(draw_status: DrawStatus, noun: UnitNoun) -> list[str]:
    """Return the sentences about what may be estimated from the draws so far."""
    sentences = []
    reached = draw_status.reachable
    if not draw_status.draws:
        return ["Nothing has been selected yet."]
    if reached == 0:
        sentences.append(
            "Nothing was selected at random: no rate for the whole study can be estimated."
            if draw_status.chosen
            else f"No {noun.singular} had a chance to be selected."
        )
    elif draw_status.unreachable == 0:
        apart = " or ".join(
            [
                *(["chosen by hand"] if draw_status.chosen else []),
                *(["for practice"] if draw_status.practice else []),
            ]
        )
        every = f"Every {noun.singular}{f' that is not {apart}' if apart else ''}"
        if not draw_status.weighted:
            sentences.append(f"{every} was selected, so none has to be weighted.")
        else:
            sentences.append(
                f"{every} had a chance: rates for {'these' if apart else 'the whole study'} can be "
                "estimated, weighted."
            )
    else:
        if draw_status.came_after:
            sentences.append(
                f"{noun.count(draw_status.came_after)} came after the selection and had no chance: rates "
                f"speak of the other {reached} until "
                f"{inflect(draw_status.came_after, 'it is', 'they are')} selected."
            )
        if draw_status.passed_over:
            sentences.append(
                f"{noun.count(draw_status.passed_over)} had no chance in any selection: rates speak of "
                f"the other {reached} only."
            )
    if draw_status.chosen:
        sentences.append(
            f"{noun.count(draw_status.chosen)} {inflect(draw_status.chosen, 'was', 'were')} chosen by hand; "
            f"{inflect(draw_status.chosen, 'it counts', 'they count')} "
            f"in no rate."
        )
    if draw_status.chosen and draw_status.chosen_after_draw and reached:
        sentences.append(
            "After a selection, some were chosen by hand. If they were chosen for what they are, the rest is "
            "no longer like the whole study, and rates may lean."
        )
    if draw_status.practice:
        sentences.append(
            f"{noun.count(draw_status.practice)} {inflect(draw_status.practice, 'is', 'are')} for practice; "
            f"{inflect(draw_status.practice, 'it counts', 'they count')} "
            f"in no rate."
        )
    return sentences
