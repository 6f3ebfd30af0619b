"""Whether a judge changed on the same conversations, in one sentence for the top of a page."""

from __future__ import annotations

from collections.abc import Sequence

from reports.drift.anchor_rounds import AnchorRoundRow, in_round
from reports.wording import listed
from services.anchors import AnchorDrift
from words.plurals import count

NAMED = 2  # judges that changed, each with a sentence
FEWEST = 6  # conversations answered twice, of which a sign test of fewer could name no change


def judge_headline(drift: AnchorDrift, shown: Sequence[AnchorRoundRow]) -> str:
    """Each judge that changed, in the last round that shows it; else that none is seen to, or why nobody can
    tell. `shown`: the rounds of all judges, tested together.
    """
    if drift.newest is None:
        return "Whether the judge changed cannot be told, because no conversations are fixed to ask it again."
    if not shown:
        return (
            "Whether the judge changed cannot be told, because it has not answered the fixed conversations."
        )
    changed = {row.judge_id: row for row in shown if row.moved}
    if changed:
        last = {row.judge_id: row for row in shown}
        sentences = [_changed(drift, row, row is last[row.judge_id]) for row in changed.values()]
        more = len(sentences) - NAMED
        return " ".join(
            [
                *sentences[:NAMED],
                *([f"{count(more, 'other judge', 'other judges')} changed too."] if more > 0 else []),
            ]
        )
    again = {row.judge_id for row in shown if row.since_first is not None and row.since_first.labels}
    compared = {row.judge_id for row in shown if _conversations(row) >= FEWEST}
    untold = list(dict.fromkeys(drift.name(row.judge_id) for row in shown if row.judge_id not in compared))
    if not compared:
        why = (
            f"it takes {FEWEST} conversations that were answered twice"
            if again
            else "none was asked a second time"
        )
        return f"Whether the judge changed cannot be told yet, because {why}."
    rounds = sorted({sum(row.judge_id == judge for row in shown) for judge in compared})
    times = f"{rounds[0]:,} times" if len(rounds) == 1 else f"{rounds[0]:,} to {rounds[-1]:,} times"
    limitation = f"; of {listed(untold, NAMED)} it cannot be told" if untold else ""
    alone = len(compared) == 1
    who = f"{drift.name(next(iter(compared)))} is not" if alone else "No judge is"
    return f"{who} seen to change on the same conversations, asked {times}{limitation}."


def _conversations(row: AnchorRoundRow) -> int:
    """How many were answered in this round and in the first."""
    return (row.since_first.more.conversations or 0) if row.since_first is not None else 0


def _changed(drift: AnchorDrift, row: AnchorRoundRow, is_last: bool) -> str:
    since = row.since_first
    assert since is not None  # a round that was tested is compared with the first
    often, onward, back = (
        ("more", since.ahead, since.behind)
        if since.ahead > since.behind
        else ("less", since.behind, since.ahead)
    )
    place = in_round(row.round.number, is_last)
    return (
        f"{drift.name(row.judge_id)} changed: {place} it gives the settled label {often} often than when "
        f"first asked, in {onward:,} of "
        f"{count(_conversations(row), 'fixed conversation', 'fixed conversations')} (the other way in "
        f"{back:,})."
    )
