"""Sentences and tables about a study's anchors, the judges' answers to them, and which judge is in use."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from data.record import anchors, judgements
from data.record.anchors import AnchorSet
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Paragraph, Table
from reports.wording import listed, share, signed_points
from scoring.agreement.significance_tests.multiplicity import holm
from scoring.confidence import ALPHA
from scoring.drift.anchor_answers import (
    ANSWERS,
    AnchorAnswer,
    AnchorRound,
    RoundDifference,
    split_into_rounds,
)
from scoring.drift.periods import EPOCH
from services.anchors import AnchorDrift
from words.figures import chance, decimal, moment
from words.plurals import count, inflect, join_words

JUDGES_NAMED = 2  # judges that changed, each with a sentence
MIN_ANSWERED_TWICE = 6  # conversations; with fewer, a sign test can't find any change


def state(drift: AnchorDrift) -> Iterator[Paragraph]:
    """Yield what the newest set holds, and how many of its labels were settled differently since."""
    if drift.newest is None:
        yield Paragraph(
            "In a locked set, settled labels stay as they are and every new version of a judge labels the "
            "set again, so only the judge can change. No set has been locked yet."
        )
        return
    labels = drift.newest.labels
    fails = sum(drift.is_failure(criterion, label) for (_, criterion), label in labels.items())
    yield Paragraph(set_sentence(drift, drift.newest))
    if not drift.failure:
        yield Paragraph(
            "This instrument marks no criterion as a safety gate and no label as a failure, so judges are "
            "compared only by how often they are right. "
            "To change that, mark a category of criteria as a safety gate in the instrument's file (gate: "
            "true).",
            "small",
        )
    elif not fails:
        yield Paragraph("The set contains no failure, so it can't show whether a judge misses one.", "strong")
    otherwise = sum(drift.settled.get(key, label) != label for key, label in labels.items())
    if otherwise:
        yield Paragraph(
            f"{count(otherwise, 'label was', 'labels were')} settled differently since. A locked set does "
            "not change; lock a new one to include them."
        )


def set_sentence(drift: AnchorDrift, frozen: AnchorSet) -> str:
    """Return "Set 2 of fixed conversations, since 2026-03-23 09:30:00 UTC: 60 settled labels of 30
    conversations, 12 of them failures."

    The last part is left out if the instrument knows no failure.
    """
    talks = {drift.conversation[unit] for unit in frozen.unit_ids if unit in drift.conversation}
    fails = sum(drift.is_failure(criterion, label) for (_, criterion), label in frozen.labels.items())
    what = (
        ""
        if not drift.failure
        else f", {fails:,} of them {drift.failure}s"
        + (
            ""
            if drift.gated
            else " (this instrument has no safety gate, so the lowest label of every criterion counts)"
        )
    )
    return (
        f"Locked set {frozen.number}, since {moment(frozen.at)} UTC: "
        f"{count(len(frozen.labels), 'settled label', 'settled labels')} for "
        f"{count(len(talks), 'conversation', 'conversations')}{what}."
    )


@dataclass(frozen=True)
class AnchorRoundRow:
    """One round of one judge; `p` of its difference from that judge's first round, corrected for all rounds
    of all judges, None where nothing can be tested.
    """

    judge_id: int
    round: AnchorRound
    p: float | None

    @property
    def moved(self) -> bool:
        return self.p is not None and self.p < ALPHA


@dataclass(frozen=True)
class JudgeChange:
    """A judge gives other labels than it did. `round`: the last of the anchors that shows it, 0 for its
    labels in the study, which is no statement of when it changed; `is_last`: it was not asked since;
    `difference`: from its first answers.
    """

    round: int
    is_last: bool
    difference: RoundDifference


def lines(answers: Mapping[int, list[AnchorAnswer]]) -> list[AnchorRoundRow]:
    """Return the rounds judge by judge (judge id -> answers), each judge's in time, with p corrected over
    all.
    """
    every = [(judge_id, each) for judge_id, said in answers.items() for each in split_into_rounds(said)]
    corrected = holm([each.since_first.p if each.since_first else None for _, each in every])
    return [AnchorRoundRow(judge_id, each, p) for (judge_id, each), p in zip(every, corrected, strict=True)]


def caution(connection: Connection, study: Study, judge: Judge) -> str:
    """Return the warning that a judge has changed, for pages that use its labels in the study; "" if it has
    not.

    It begins "NAME has changed. In round 3, its share of right answers on the locked set differs by ...".
    """
    change = change_of_judge(connection, study, judge)
    if change is None:
        return ""
    place = in_round(change.round, change.is_last)
    return (
        f"{judge.name} has changed. {place[:1].upper()}{place[1:]}, its share of right answers on the locked "
        f"set differs by {in_points(change.difference)} from that of its first answers. This page uses the "
        "judge's labels in the study, whenever they were given."
    )


def change_of_judge(connection: Connection, study: Study, judge: Judge) -> JudgeChange | None:
    """Return the last change of this judge that the anchors show, as on the Drift page; None if there is
    none.
    """
    anchor_set = anchors.newest(connection, study.id)
    if anchor_set is None:
        return None
    shown = lines(
        {
            candidate.id: anchors.answers(connection, anchor_set, candidate.id)
            for candidate in judgements.judges(connection, study.id)
        }
    )
    own = [row for row in shown if row.judge_id == judge.id]
    moved = [row for row in own if row.moved]
    if not moved or moved[-1].round.since_first is None:
        return None
    return JudgeChange(moved[-1].round.number, moved[-1] is own[-1], moved[-1].round.since_first)


def title(drift: AnchorDrift, shown: list[AnchorRoundRow]) -> str:
    """Return the title of the chart of the rounds, such as "gpt5 has changed: right less often than when
    first asked".

    Without a change "No judge is clearly right more or less often than when first asked"; with nothing to
    compare "How often each judge is right on the fixed conversations".
    """
    moved = [row for row in shown if row.moved]
    clearest = min(moved, key=lambda row: row.p or 0.0, default=None)
    if clearest is not None and (since := clearest.round.since_first) is not None:
        return (
            f"{drift.name(clearest.judge_id)} has changed: right "
            f"{'more' if since.ahead > since.behind else 'less'} often than when first asked"
        )
    if any(row.round.since_first for row in shown):
        return "No judge is clearly right more or less often than when first asked"
    return "How often each judge is right on the locked set"


def rounds_table(drift: AnchorDrift, shown: list[AnchorRoundRow]) -> Table:
    """Return the table "anchor_rounds": per round judge, round, when, labels, right, failed, thin, and the
    change.
    """
    rows = []
    for row in shown:
        since = row.round.since_first
        change = (
            "nothing earlier"
            if since is None
            else (
                f"{in_points(since)}; {count(since.ahead, 'conversation', 'conversations')} up, "
                f"{since.behind:,} down" + (f", p {chance(row.p)}" if row.p is not None else "")
            )
        )
        rows.append(
            (
                drift.name(row.judge_id),
                number_of_round(row.round),
                days_of_round(row.round),
                f"{row.round.labels:,}",
                share(row.round.right),
                f"{row.round.failures:,}",
                f"{row.round.thin:,}",
                change,
            )
        )
    return Table(
        "anchor_rounds",
        "Rounds of the locked set",
        (
            "Judge",
            "Round",
            "Answered",
            "Labels",
            "Right",
            "Failed calls",
            f"Fewer than {ANSWERS} answers",
            "Since first asked",
        ),
        rows,
        (3, 5, 6),
    )


def number_of_round(anchor_round: AnchorRound) -> str:
    """Return the round's number, or "its label in the study" for round 0."""
    return f"{anchor_round.number}" if anchor_round.number else "its label in the study"


def drawn_rounds(shown: list[AnchorRoundRow]) -> list[AnchorRoundRow]:
    """Return the rounds that have a mark in the picture: with a day and a share right."""
    return [row for row in shown if row.round.days and row.round.right.value is not None]


def marks_sentence(shown: list[AnchorRoundRow]) -> str:
    """Return what the picture's marks stand for if a judge's labels in the study are among them; else ""."""
    drawn = drawn_rounds(shown)
    if all(row.round.number for row in drawn):
        return ""
    rounds_of_one = [row.round.number for row in drawn if row.round.number]
    if not rounds_of_one:
        marks = inflect(len(drawn), "mark is", "marks are")
        return f"The {marks} for labels in the study."
    if len({row.judge_id for row in drawn}) > 1:
        return "A judge's labels in the study have their own mark, next to those of its rounds."
    others = (
        f"the other is round {rounds_of_one[0]}"
        if len(rounds_of_one) == 1
        else f"the others are rounds {_places(rounds_of_one)}"
    )
    return f"One mark shows the judge's labels in the study; {others}."


def _places(numbers: list[int]) -> str:
    """1 to 6; 1, 2 and 4, where some are missing."""
    first, last = min(numbers), max(numbers)
    if len(numbers) > 2 and sorted(numbers) == list(range(first, last + 1)):
        return f"{first} to {last}"
    return join_words([str(number) for number in sorted(numbers)])


def name_round(answered: AnchorRound) -> str:
    """Return what a round is called within a sentence: "round 2", or "its label in the study"."""
    return f"round {answered.number}" if answered.number else number_of_round(answered)


def in_round(number: int, is_last: bool) -> str:
    """Return where a judge was seen to answer differently: "in round 3", "in the last round, 3,".

    "in its labels in the study" for round 0. The words do not claim that it changed then.
    """
    if not number:
        return "in its labels in the study"
    return f"in the last round (round {number})" if is_last else f"in round {number}"


def days_of_round(anchor_round: AnchorRound) -> str:
    """Return the days of a round: "2026-03-23", "2026-03-23 to 2026-03-25", or "unknown: imported"."""
    if anchor_round.days is None:
        return "unknown: imported"
    first, last = (EPOCH + timedelta(days=day) for day in anchor_round.days)
    return f"{first}" + (f" to {last}" if last != first else "")


def in_points(difference: RoundDifference) -> str:
    """Return a difference such as "+4 points (-2 to 10)", or "no label was answered in both"."""
    more = difference.more
    if more.value is None:
        return "no label was answered in both"
    ends = (
        ""
        if more.low is None or more.high is None
        else f" ({decimal(100 * more.low, 0)} to {decimal(100 * more.high, 0)})"
    )
    return f"{signed_points(more.value)} points{ends or f', no interval: {more.no_interval}'}"


def decisions_table(drift: AnchorDrift) -> Table | None:
    """Return the table "decisions" of adopted judges, newest first; None if none was adopted."""
    if not drift.history:
        return None
    rows = [
        (
            moment(adoption.at),
            drift.name(adoption.judge_id),
            drift.name(adoption.of_judge_id),
            _counted(adoption.compared.missed),
            _counted(adoption.compared.caught),
            _counted(adoption.compared.unclear),
            adoption.by,
            adoption.reason or "",
        )
        for adoption in reversed(drift.history)
    ]
    return Table(
        "decisions",
        "Which judge is used, the newest decision first",
        (
            "Decided (UTC)",
            "Judge",
            "Replaces",
            "Failures newly missed",
            "Failures newly caught",
            "Unclear",
            "By",
            "Reason",
        ),
        rows,
        (3, 4, 5),
    )


def _counted(number: int | None) -> str:
    """None of the first judge: nothing was caught before it."""
    return "" if number is None else f"{number:,}"


def judge_headline(drift: AnchorDrift, shown: Sequence[AnchorRoundRow]) -> str:
    """Name each judge that changed, in the last round that shows it; otherwise say that none did or why it
    is unknown.

    Args:
        shown: The rounds of all judges, tested together.
    """
    if drift.newest is None:
        return "No set is locked yet, so it is unknown whether the judge has changed."
    if not shown:
        return "The judge has not answered the locked set, so it is unknown whether it changed."
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
    again = any(row.round.since_first is not None and row.round.since_first.labels for row in shown)
    compared = {row.judge_id for row in shown if _conversations(row) >= MIN_ANSWERED_TWICE}
    untold = list(dict.fromkeys(drift.name(row.judge_id) for row in shown if row.judge_id not in compared))
    if not compared:
        why = (
            f"{MIN_ANSWERED_TWICE} conversations must be answered twice"
            if again
            else "no judge was asked a second time"
        )
        return f"It is too early to say whether the judge changed: {why}."
    rounds = sorted({sum(row.judge_id == judge for row in shown) for judge in compared})
    times = f"{rounds[0]:,} times" if len(rounds) == 1 else f"{rounds[0]:,} to {rounds[-1]:,} times"
    limitation = f"; {listed(untold, JUDGES_NAMED)} could not be tested" if untold else ""
    alone = len(compared) == 1
    who = f"{drift.name(next(iter(compared)))} is not" if alone else "No judge is"
    return f"{who} shown to change on the same conversations, asked {times}{limitation}."


def _conversations(row: AnchorRoundRow) -> int:
    """How many were answered in this round and in the first."""
    return (row.round.since_first.more.conversations or 0) if row.round.since_first is not None else 0


def _changed(drift: AnchorDrift, row: AnchorRoundRow, is_last: bool) -> str:
    since = row.round.since_first
    assert since is not None  # a round that was tested is compared with the first
    often, onward, back = (
        ("more", since.ahead, since.behind)
        if since.ahead > since.behind
        else ("less", since.behind, since.ahead)
    )
    place = in_round(row.round.number, is_last)
    return (
        f"{drift.name(row.judge_id)} has changed: {place}, it gives the settled label {often} often than "
        f"when first asked in {onward:,} of {count(_conversations(row), 'conversation', 'conversations')} in "
        f"the locked set, and {'less' if often == 'more' else 'more'} often in {back:,}."
    )
