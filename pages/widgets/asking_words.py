"""The words for a repeated call: nothing for the first one."""

from __future__ import annotations


def name_asking(anchor_round: int, replicate: int) -> str:
    """Return which round or repetition an answer belongs to, beginning with ", "; "" for the first answer."""
    if anchor_round > 0:
        return f", round {anchor_round} of the locked set"
    return f", asked again ({replicate})" if replicate else ""
