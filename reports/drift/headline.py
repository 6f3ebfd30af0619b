"""What moved, in one sentence for the top of a page: over time (and the rest in a line each), a judge on the
same conversations, the raters, over the runs of an experiment, over the turns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.record.run_summaries import RunSummary
from reports.document import Shape
from reports.drift import rater_words
from reports.drift.agreement_by_date import PeriodView
from reports.drift.anchor_rounds import AnchorRoundRow, in_round
from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import CurveWords
from reports.drift.level_words import NAME, level_sentence
from reports.drift.rater_movement import CALLED, sentence
from reports.drift.raters import RaterDrift
from reports.drift.run_correlations import METRICS, RISES, RunCorrelation, comparable_runs, run_correlations
from reports.wording import listed
from scoring.drift.findings import Finding
from services.anchors import AnchorDrift
from words.plurals import count, inflect, join_words

JUDGES_NAMED = 2  # judges that changed, each with a sentence
CONDITIONS_NAMED = 3  # in a sentence about the turns
MIN_ANSWERED_TWICE = 6  # conversations; with fewer, a sign test can't find any change
NO_RUNS = "This study has no runs of an experiment."


@dataclass(frozen=True)
class MovedRow:
    """One thing that may have moved: `shape` no where it did, yes where no change is clear, unknown where it
    cannot be told.
    """

    shape: Shape
    words: str


def headline(shown: PeriodView, names: Mapping[int, str]) -> str:
    """Everything that is seen to move, the level first; else that nothing is, and of what it cannot be told.
    `names`: what each rater is called here.
    """
    moved = [finding for finding in _findings(shown) if finding.named]
    if moved:
        return " ".join(_words(finding, shown, names) for finding in _without_repetition(moved, shown))
    any_tested = any(finding.untold is None for finding in shown.findings)
    periods = count(shown.line.known, shown.length, f"{shown.length}s")
    if not any_tested:
        return f"Whether anything moved cannot be told yet, from {periods}."
    if any(finding.named for finding in shown.findings):  # agreement itself, and none of its sources
        return f"Agreement with the judge moved over {periods}; who or what moved it is not seen."
    untold = [_called(finding) for finding in _findings(shown) if finding.untold is not None]
    limitation = f"; of {join_words(untold)} it cannot be told" if untold else ""
    return f"Nothing is seen to move over {periods}{limitation}."


def rows(shown: PeriodView, names: Mapping[int, str]) -> list[MovedRow]:
    """Each source, and the level, that the headline does not name; what moved first."""
    in_headline = _without_repetition([finding for finding in _findings(shown) if finding.named], shown)
    return [
        MovedRow(
            "no" if finding.named else "yes" if finding.untold is None else "unknown",
            _words(finding, shown, names),
        )
        for finding in sorted(_findings(shown), key=lambda finding: (not finding.named, finding.untold or ""))
        if finding not in in_headline
    ]


def _findings(shown: PeriodView) -> list[Finding]:
    return [shown.level, *shown.moved]


def _without_repetition(moved: list[Finding], shown: PeriodView) -> list[Finding]:
    """Where the level says that the judge moved on the anchors as well, the anchors say nothing more."""
    by_level = shown.level.named and shown.mover[0] == "judge" and shown.mover[1] is not None
    return [finding for finding in moved if not (by_level and finding.kind == "judge")]


def _words(finding: Finding, shown: PeriodView, names: Mapping[int, str]) -> str:
    return level_sentence(shown) if finding.kind == "level" else sentence(finding, shown, names)


def _called(finding: Finding) -> str:
    name = NAME if finding.kind == "level" else CALLED[finding.kind]
    return name[:1].lower() + name[1:]


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
        more = len(sentences) - JUDGES_NAMED
        return " ".join(
            [
                *sentences[:JUDGES_NAMED],
                *([f"{count(more, 'other judge', 'other judges')} changed too."] if more > 0 else []),
            ]
        )
    again = {row.judge_id for row in shown if row.since_first is not None and row.since_first.labels}
    compared = {row.judge_id for row in shown if _conversations(row) >= MIN_ANSWERED_TWICE}
    untold = list(dict.fromkeys(drift.name(row.judge_id) for row in shown if row.judge_id not in compared))
    if not compared:
        why = (
            f"it takes {MIN_ANSWERED_TWICE} conversations that were answered twice"
            if again
            else "none was asked a second time"
        )
        return f"Whether the judge changed cannot be told yet, because {why}."
    rounds = sorted({sum(row.judge_id == judge for row in shown) for judge in compared})
    times = f"{rounds[0]:,} times" if len(rounds) == 1 else f"{rounds[0]:,} to {rounds[-1]:,} times"
    limitation = f"; of {listed(untold, JUDGES_NAMED)} it cannot be told" if untold else ""
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


def rater_headline(drift: RaterDrift) -> str:
    """Who moved beside the others; else that nobody is seen to, or why nobody can tell."""
    untold = [movement for movement in drift.movements.values() if movement.p is None]
    if len(untold) == len(drift.movements):
        who = "you" if drift.own else "a rater"
        return f"Whether {who} moved cannot be told, because {_reason_of_raters(drift)}."
    never = len(untold) + len(drift.names) - len(drift.movements)
    limitation = f"; of {count(never, 'rater', 'raters')} it cannot be told" if never else ""
    return f"{rater_words.moved(drift)}{limitation}."


def _reason_of_raters(drift: RaterDrift) -> str:
    if any(drift.withheld(rater) for rater in drift.names):
        return rater_words.why_withheld(drift)
    reasons = list(
        dict.fromkeys(
            movement.undefined for movement in drift.movements.values() if movement.undefined is not None
        )
    )
    if not reasons:
        return f"nobody rated the same {drift.source.noun.plural} as a colleague"
    return reasons[0] if len(reasons) == 1 else "too little was rated beside colleagues"


def runs_headline(summaries: Sequence[RunSummary]) -> str:
    """What rises or falls with the temperature, or as the dialogue grows, all tested together; else that
    nothing clearly does, or why nobody can tell.
    """
    runs = [run_summary for run_summary in summaries if run_summary.source != "curve"]
    if not runs:
        return (
            "Over the runs nothing can be told to move, because averages do not tell how cases vary."
            if summaries
            else NO_RUNS
        )
    correlations = run_correlations(comparable_runs(runs))
    tested = [correlation for correlation in correlations if correlation.corrected is not None]
    over = f"over {count(len(runs), 'run', 'runs')}"
    if not tested:
        reason = correlations[0].rho.undefined or correlations[0].rho.no_interval if correlations else None
        why = reason or "no run has a temperature or a depth beside a number"
        return f"Whether anything moves {over} cannot be told, because {why}."
    sentences = [
        f"{_joined(names)} {inflect(len(names), verb, verb[:-1])} as {rising}"
        for rising in dict.fromkeys(RISES[correlation.runs.axis] for correlation in tested)
        for direction, verb in ((-1, "falls"), (1, "rises"))
        if (names := _names(tested, rising, direction))
    ]
    if not sentences:
        rising = listed(list(dict.fromkeys(RISES[correlation.runs.axis] for correlation in tested)))
        return f"Nothing is seen to change as {rising}, {over}."
    first, *others = sentences
    return f"{'; '.join([first, *(part[:1].lower() + part[1:] for part in others)])}."


def _names(tested: Sequence[RunCorrelation], rising: str, direction: int) -> list[str]:
    """Numbers that move this way; of runs that are compared apart (another tier or source) with which."""
    several = len({correlation.runs.name for correlation in tested}) > 1
    return [
        METRICS[correlation.metric] + (f" ({correlation.runs.name})" if several else "")
        for correlation in tested
        if RISES[correlation.runs.axis] == rising and correlation.direction == direction
    ]


def _joined(names: Sequence[str]) -> str:
    """As the beginning of a sentence."""
    first, *others = names
    return " and ".join([first, *(name[:1].lower() + name[1:] for name in others)])


def turns_headline(drift: ConversationDrift, words: CurveWords) -> str:
    """Under which condition it rises or falls from turn to turn, tested together; else that no change is
    clear, or why it is too early to say.
    """
    by_condition = [
        (condition.name, change) for condition, change in zip(drift.conditions, drift.changes, strict=True)
    ]
    rising = [name for name, change in by_condition if change.direction > 0]
    falling = [name for name, change in by_condition if change.direction < 0]
    still = [name for name, change in by_condition if change.untold is None and not change.direction]
    untold = [name for name, change in by_condition if change.untold is not None]
    if len(untold) == len(by_condition):
        return f"It is too early to say whether anything changes turn by turn, {_reason_of_turns(drift)}."
    moved = [
        _sentence(drift, names, sentence)
        for sentence, names in ((words.falls, falling), (words.rises, rising))
        if names
    ]
    if not moved:
        moved, still = [_sentence(drift, still, f"no change is clear in {words.follows}")], []
    rest = [
        _sentence(drift, names, state)
        for state, names in (("no change is clear", still), ("it is too early to say", untold))
        if names
    ]
    return " ".join([*moved, *rest])


def _sentence(drift: ConversationDrift, names: list[str], words: str) -> str:
    """Under which condition; without one where it is of all."""
    if drift.by is None:
        return f"{words[:1].upper()}{words[1:]}."
    return f"With {listed(names, CONDITIONS_NAMED)}, {words}."


def _reason_of_turns(drift: ConversationDrift) -> str:
    """The one that holds for all of them, else the commonest need."""
    reasons = list(dict.fromkeys(change.untold for change in drift.changes if change.untold is not None))
    if not reasons:
        return "because no conversation has numbers"
    return f"because {reasons[0]}" if len(reasons) == 1 else "because too few conversations are known"
