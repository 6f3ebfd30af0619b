"""The anchors of a study, what judges answered to them, and which judge is in use: gathered once, in words
and tables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from data import adoptions, agreement_material, anchors, judgements
from data.adoptions import Adoption
from data.anchors import AnchorSet
from data.judgements import Judge
from data.store import Connection
from data.studies import Study
from runs.agreement.document import Block, Table, Words
from runs.agreement.words import count, share
from scoring.agreement.material import Material
from scoring.agreement.multiplicity import holm
from scoring.agreement.reference import settled_labels
from scoring.drift.on_anchors import ANSWERS, Answer, Difference, Round, by_round, rounds, since_first
from scoring.drift.periods import EPOCH
from scoring.figures import chance, decimal, moment

CLEARLY = 0.05  # corrected p below which a change is said to be one


@dataclass(frozen=True)
class OnAnchors:
    """`position` of each unit; `settled`: labels that would be frozen now; `answers` by judge, of the newest
    set; `readable`: its units with words.
    """

    study: Study
    newest: AnchorSet | None
    judges: list[Judge]
    answers: dict[int, list[Answer]]
    history: list[Adoption]
    settled: dict[tuple[int, str], str]
    position: dict[int, int]
    conversation: dict[int, int]
    material: Material
    readable: frozenset[int] = frozenset()

    @property
    def now(self) -> int | None:
        """The judge in use."""
        return self.history[-1].judge_id if self.history else None

    def name(self, judge_id: int | None) -> str:
        found = next((one for one in self.judges if one.id == judge_id), None)
        return "no judge" if found is None else f"{found.name} (judge {found.id})"

    def failing(self, labels: Mapping[tuple[int, str], str]) -> dict[int, bool]:
        """Conversation -> whether one of these labels is a failure."""
        made: dict[int, bool] = {}
        for (unit, criterion), label in labels.items():
            if unit in self.conversation:
                talk = self.conversation[unit]
                made[talk] = made.get(talk, False) or self.is_failure(criterion, label)
        return made

    def criterion(self, name: str) -> str:
        return next((one.criterion.name for one in self.material.questions if one.id == name), name)

    def latest(self, judge_id: int) -> list[Answer]:
        """The answers of the round that a judge is compared by: of those that asked most labels often enough
        the last one, so that neither a round that stopped nor labels that were asked once stand for a whole
        one.
        """
        found = by_round(self.answers.get(judge_id, ()))

        def whole(number: int) -> tuple[int, int, int]:
            times = Counter(one.key for one in found[number])
            return sum(count >= ANSWERS for count in times.values()), len(times), number

        return found[max(found, key=whole)] if found else []

    @property
    def is_failure(self) -> Callable[[str, str], bool]:
        """Of (criterion, label): a failing label behind the safety gate. Where the instrument has none, of
        any criterion, unless it says of no label that it is worse than another: then nothing is a failure.
        """
        failing = {
            one.id: {one.domain[code] for code in one.failing}
            for one in self.material.questions
            if one.gate or (one.scored and not self.gated)
        }
        return lambda criterion, label: label in failing.get(criterion, ())

    @property
    def gated(self) -> bool:
        return any(one.gate for one in self.material.questions)

    @property
    def failure(self) -> str:
        """What a failure is called here; empty where the instrument knows none."""
        return (
            "safety failure"
            if self.gated
            else "failing label"
            if any(one.scored for one in self.material.questions)
            else ""
        )


def on_anchors(connection: Connection, study: Study) -> OnAnchors:
    material, found = (
        agreement_material.read_counted(connection, study, None),
        anchors.newest(connection, study.id),
    )
    judges, units = judgements.judges(connection, study.id), material.units
    ids = units.id.tolist()
    return OnAnchors(
        study,
        found,
        judges,
        {one.id: anchors.answers(connection, found, one.id) for one in judges} if found else {},
        adoptions.history(connection, study.id),
        settled_labels(material),
        dict(zip(ids, units.position.tolist(), strict=True)),
        dict(zip(ids, units.conversation.tolist(), strict=True)),
        material,
        frozenset(anchors.readable_of(connection, found)) if found else frozenset(),
    )


def state(found: OnAnchors) -> Iterator[Block]:
    """What is frozen, and what was settled otherwise since."""
    if found.newest is None:
        yield Words(
            "Anchors are conversations whose labels are settled and frozen. Every judge, and every new "
            "version of a judge, answers them again: "
            "only the judge can move there, neither the raters nor the mix of cases. None are frozen yet."
        )
        return
    labels = found.newest.labels
    fails = sum(found.is_failure(criterion, label) for (_, criterion), label in labels.items())
    yield Words(set_sentence(found, found.newest))
    if not found.failure:
        yield Words(
            "This instrument marks no criterion as a safety gate and no label as a failure, so judges are "
            "compared only by how often they are right. "
            "A category with gate: true in the instrument's file changes that.",
            "small",
        )
    elif not fails:
        yield Words(
            "There is no failure among them, so they cannot show whether a judge misses one.", "strong"
        )
    otherwise = sum(found.settled.get(key, label) != label for key, label in labels.items())
    if otherwise:
        yield Words(
            f"{count(otherwise, 'label was', 'labels were')} settled otherwise since. A frozen set does not "
            "change; freeze a new one to take them in."
        )


def set_sentence(found: OnAnchors, frozen: AnchorSet) -> str:
    """What one set holds."""
    talks = {found.conversation[unit] for unit in frozen.unit_ids if unit in found.conversation}
    fails = sum(found.is_failure(criterion, label) for (_, criterion), label in frozen.labels.items())
    what = (
        ""
        if not found.failure
        else f", {fails:,} of them {found.failure}s"
        + (
            ""
            if found.gated
            else " (this instrument has no safety gate, so the lowest label of every criterion counts)"
        )
    )
    return (
        f"Set {frozen.number}, frozen {moment(frozen.at)} UTC: "
        f"{count(len(frozen.labels), 'settled label', 'settled labels')} of "
        f"{count(len(talks), 'conversation', 'conversations')}{what}."
    )


@dataclass(frozen=True)
class Line:
    """One round of one judge, and how it differs from when that judge was asked first; `p` corrected for all
    rounds of all judges, None where nothing can be tested.
    """

    judge_id: int
    round: Round
    since_first: Difference | None
    p: float | None

    @property
    def moved(self) -> bool:
        return self.p is not None and self.p < CLEARLY


def lines(answers: Mapping[int, list[Answer]]) -> list[Line]:
    """Judge by judge, each in time. `answers` by judge."""
    made = [
        (judge_id, one, since_first(said)[one.number])
        for judge_id, said in answers.items()
        for one in rounds(said)
    ]
    corrected = holm([since.p if since else None for _, _, since in made])
    return [Line(judge_id, one, since, p) for (judge_id, one, since), p in zip(made, corrected, strict=True)]


def caution(connection: Connection, study: Study, judge: Judge) -> str:
    """What a page that rests on a judge's labels in the study must say of it, or "": the same as the Drift
    page says.
    """
    found = anchors.newest(connection, study.id)
    if found is None:
        return ""
    shown = lines(
        {
            one.id: anchors.answers(connection, found, one.id)
            for one in judgements.judges(connection, study.id)
        }
    )
    moved = [one for one in shown if one.judge_id == judge.id and one.moved and one.since_first]
    if not moved or moved[-1].since_first is None:
        return ""
    last = moved[-1].round.number
    where = f"in round {last} of the anchors" if last else "in its labels in the study, on the anchors,"
    return (
        f"{judge.name} has changed: {where} the difference from when it was asked first is "
        f"{points(moved[-1].since_first)}. "
        "This page rests on what it said in the study, whenever that was."
    )


def title(found: OnAnchors, shown: list[Line]) -> str:
    """What the chart of the rounds shows."""
    moved = [(one.p or 0.0, one.judge_id, one.since_first) for one in shown if one.moved and one.since_first]
    if moved:
        _, judge_id, since = min(moved, key=lambda one: one[0])
        return (
            f"{found.name(judge_id)} has changed: right "
            f"{'more' if since.ahead > since.behind else 'less'} often than when it was asked first"
        )
    if any(one.since_first for one in shown):
        return "No judge is clearly right more or less often than when it was asked first"
    return "How often each judge is right on the anchors"


def rounds_table(found: OnAnchors, shown: list[Line]) -> Table:
    rows = []
    for one in shown:
        since = one.since_first
        change = (
            "nothing before it"
            if since is None
            else (
                f"{points(since)}; {since.ahead:,} conversations up, {since.behind:,} down"
                + (f", p {chance(one.p)}" if one.p is not None else "")
            )
        )
        rows.append(
            (
                found.name(one.judge_id),
                called(one.round),
                when(one.round),
                f"{one.round.labels:,}",
                share(one.round.right),
                f"{one.round.failures:,}",
                f"{one.round.thin:,}",
                change,
            )
        )
    return Table(
        "anchor_rounds",
        "Rounds of the anchors",
        (
            "Judge",
            "Round",
            "Answered",
            "Labels",
            "Right",
            "Failed calls",
            f"Fewer than {ANSWERS} answers",
            "Since it was asked first",
        ),
        rows,
        (3, 5, 6),
    )


def called(one: Round) -> str:
    return f"{one.number}" if one.number else "its label in the study"


def named(answered: Round) -> str:
    """The same within a sentence."""
    return f"round {answered.number}" if answered.number else called(answered)


def when(one: Round) -> str:
    if one.days is None:
        return "not known: imported"
    first, last = (EPOCH + timedelta(days=day) for day in one.days)
    return f"{first}" + (f" to {last}" if last != first else "")


def points(found: Difference) -> str:
    """+4 points (-2 to 10), over the labels that both answered."""
    more = found.more
    if more.value is None:
        return "no label was answered in both"
    ends = (
        ""
        if more.low is None or more.high is None
        else f" ({decimal(100 * more.low, 0)} to {decimal(100 * more.high, 0)})"
    )
    sign = "+" if more.value > 0 else ""
    return f"{sign}{decimal(100 * more.value, 0)} points{ends or f', no interval: {more.no_interval}'}"


def decisions_table(found: OnAnchors) -> Table | None:
    """Which judge was decided on, by whom and why; the last one holds."""
    if not found.history:
        return None
    rows = [
        (
            moment(one.at),
            found.name(one.judge_id),
            found.name(one.of_judge_id),
            _counted(one.compared.missed),
            _counted(one.compared.caught),
            _counted(one.compared.unclear),
            one.by,
            one.reason or "",
        )
        for one in reversed(found.history)
    ]
    return Table(
        "decisions",
        "Which judge is used, the newest decision first",
        (
            "Decided (UTC)",
            "Judge",
            "In place of",
            "Failures newly missed",
            "Failures newly caught",
            "Cannot be told",
            "By",
            "Reason",
        ),
        rows,
        (3, 4, 5),
    )


def _counted(number: int | None) -> str:
    """None of the first judge: nothing was caught before it."""
    return "" if number is None else f"{number:,}"
