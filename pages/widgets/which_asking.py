"""Which asking of a question a call was: nothing for the first one."""

from __future__ import annotations

from scoring.drift.anchor_answers import FIRST, round_of


def which_asking(replicate: int) -> str:
    if replicate >= FIRST:
        return f", round {round_of(replicate)} of the anchors"
    return f", asked again ({replicate})" if replicate else ""
