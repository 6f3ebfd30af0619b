"""The anchors of a study: the frozen labels, the judges' answers to them, the judge in use, and the freezing
of a new set.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from data.labels import agreement_material
from data.record import adoptions, anchors, judgements
from data.record.adoptions import Adoption
from data.record.anchors import AnchorSet
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.errors import Refused
from data.store.store import Connection, Store
from scoring.agreement.judges.reference import SettledLabels
from scoring.agreement.labels.label_data import Question
from scoring.drift.anchor_answers import ANSWERS, AnchorAnswer, by_round
from scoring.drift.anchor_choice import USUAL, choose


@dataclass(frozen=True)
class AnchorDrift:
    """The anchors and the answers to them. `position`: by unit. `settled`: labels that a freeze would take
    now. `answers`: by judge, of the newest set. `readable`: its units whose text is there.
    """

    study: Study
    newest: AnchorSet | None
    judges: list[Judge]
    answers: dict[int, list[AnchorAnswer]]
    history: list[Adoption]
    settled: Mapping[tuple[int, str], str]
    position: dict[int, int]
    conversation: dict[int, int]
    questions: tuple[Question, ...]
    readable: frozenset[int] = frozenset()

    @property
    def judge_in_use(self) -> int | None:
        """Return the id of the judge adopted last; None if none was."""
        return self.history[-1].judge_id if self.history else None

    def name(self, judge_id: int | None) -> str:
        """Return the judge's name, with its id if another judge has the same name; "no judge" if unknown or
        None.
        """
        judge = next((judge for judge in self.judges if judge.id == judge_id), None)
        if judge is None:
            return "no judge"
        namesakes = sum(other.name == judge.name for other in self.judges)
        return f"{judge.name} (judge {judge.id})" if namesakes > 1 else judge.name

    def failing(self, labels: Mapping[tuple[int, str], str]) -> dict[int, bool]:
        """Return by conversation whether one of these labels is a failure."""
        fails: dict[int, bool] = {}
        for (unit, criterion), label in labels.items():
            if unit in self.conversation:
                conversation = self.conversation[unit]
                fails[conversation] = fails.get(conversation, False) or self.is_failure(criterion, label)
        return fails

    def criterion(self, name: str) -> str:
        """Return the name of the criterion with this id, or the id itself if it is unknown."""
        return next((question.criterion.name for question in self.questions if question.id == name), name)

    def latest(self, judge_id: int) -> list[AnchorAnswer]:
        """Return the answers of the round by which a judge is compared: the last of the rounds that asked the
        most labels often enough. So a stopped round or a single repeat never replaces a complete round.
        """
        answers = by_round(self.answers.get(judge_id, ()))

        def whole(number: int) -> tuple[int, int, int]:
            times = Counter(answer.key for answer in answers[number])
            return sum(count >= ANSWERS for count in times.values()), len(times), number

        return answers[max(answers, key=whole)] if answers else []

    @property
    def is_failure(self) -> Callable[[str, str], bool]:
        """Tell whether (criterion, label) is a failure: a failing label behind the safety gate, or, without a
        gate, of any criterion. If the instrument ranks no label below another, nothing is a failure.
        """
        failing = {
            question.id: {question.domain[code] for code in question.failing}
            for question in self.questions
            if question.gate or (question.scored and not self.gated)
        }
        return lambda criterion, label: label in failing.get(criterion, ())

    @property
    def gated(self) -> bool:
        return any(question.gate for question in self.questions)

    @property
    def failure(self) -> str:
        """Return the word for a failure; "" if the instrument has none."""
        return (
            "safety failure"
            if self.gated
            else "failing label"
            if any(question.scored for question in self.questions)
            else ""
        )


def on_anchors(connection: Connection, study: Study) -> AnchorDrift:
    """Read the study's newest anchors with every judge's answers; `newest` is None if there are none."""
    material, anchor_set = (
        agreement_material.read_counted(connection, study, None),
        anchors.newest(connection, study.id),
    )
    judges, units = judgements.judges(connection, study.id), material.units
    ids = units.id.tolist()
    return AnchorDrift(
        study,
        anchor_set,
        judges,
        {judge.id: anchors.answers(connection, anchor_set, judge.id) for judge in judges}
        if anchor_set
        else {},
        adoptions.adoption_history(connection, study.id),
        SettledLabels(material),
        dict(zip(ids, units.position.tolist(), strict=True)),
        dict(zip(ids, units.conversation.tolist(), strict=True)),
        material.questions,
        frozenset(anchors.readable_of(connection, anchor_set)) if anchor_set else frozenset(),
    )


@dataclass(frozen=True)
class FreezeOffer:
    """The labels that can be frozen now."""

    anchors: AnchorDrift

    @cached_property
    def fails(self) -> dict[int, bool]:
        """Return by conversation whether one of its settled labels is a failure."""
        return self.anchors.failing(self.anchors.settled)

    @cached_property
    def keep(self) -> set[int]:
        """Return the conversations that failed in the previous set and still do; they stay in."""
        before = self.anchors.failing(self.anchors.newest.labels if self.anchors.newest else {})
        return {
            conversation for conversation, failed in before.items() if failed and self.fails.get(conversation)
        }

    @property
    def usual(self) -> int:
        return min(max(USUAL, len(self.keep)), len(self.fails))


@dataclass(frozen=True)
class FreezeResult:
    """`already`: the newest set has exactly these labels, so nothing changed."""

    number: int
    labels: int
    conversations: int
    already: bool


def freeze_anchors(store: Store, actor: str, study: Study, size: int | None = None) -> FreezeResult:
    """Freeze a set of `size` conversations, or of the usual number if None, in one transaction.

    The draw is the same each time for a study, so nobody can redraw until they like the set, and a second
    draw from the same labels changes nothing. Raise Refused if nothing is settled yet or `size` is out of
    range.
    """
    with store.writing(actor, "freeze anchors", study.id) as (connection, entry):
        offer = FreezeOffer(on_anchors(connection, study))
        if not offer.fails:
            raise Refused("nothing_settled")
        wanted, least = offer.usual if size is None else size, max(1, len(offer.keep))
        if not least <= wanted <= len(offer.fails):
            raise Refused("anchor_count_out_of_range", least=least, most=len(offer.fails))
        chosen = set(choose(offer.fails, wanted, study.key, offer.keep))
        labels = {
            key: label
            for key, label in offer.anchors.settled.items()
            if offer.anchors.conversation[key[0]] in chosen
        }
        before = offer.anchors.newest.number if offer.anchors.newest else 0
        number = anchors.freeze(connection, entry, study, labels)
    return FreezeResult(number, len(labels), len(chosen), number == before)
