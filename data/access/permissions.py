"""Who may see and do what in a study. `may` decides it: pages, commands, search, imports, exports and the
writers of reveals and settlements ask it, the writers within their own transaction.

It doesn't decide which units a rater is given (data/work/next_unit.py), which of several units are listed as
ready to compare or to settle (`exposures.due_units`, which it asks about a single unit too, and
data/labels/disagreements.py), and which labels count (data/labels/counted.py).

The rule behind all of it: nobody who may still rate something blind learns what the judge or a colleague
said. An import tells as much as a page ("is there already with another label" is an answer about a hidden
label), and so does a number in an export.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum, auto
from functools import cached_property

from sqlalchemy import Connection

from data.labels import disagreements, settlements
from data.record import studies, units
from data.record.studies import Rater, Study, name_key
from data.record.units import Unit
from data.schema.vocabulary import UnitKind
from data.store.actors import person_of
from data.store.errors import NotFound, Refused
from data.work import conflicts, exposures, rated_units, repeats, roles, worklist
from data.work.raised_notes import has_note
from data.work.worklist import Worklist, open_worklist


@dataclass(frozen=True)
class Person:
    """Who asks. `rater` is None for somebody who does not rate in this study: its lead or an analyst. `name`:
    theirs, where they gave one.
    """

    rater: Rater | None
    name: str = ""

    @property
    def leads(self) -> bool:
        return self.rater is None

    @property
    def rater_id(self) -> int | None:
        return self.rater.id if self.rater else None


class Action(StrEnum):
    LEAD = auto()  # open and do what is for the study lead
    SEE_LABELS = auto()  # of the whole study, which is recorded
    SEE_LABELS_UNRECORDED = auto()  # and ids and facts of conversations, where no page records it
    HANDLE_FILES = auto()  # import, check, export, or report in a terminal
    SEE_NUMBERS = auto()  # about conversations, if they tell no label
    SEARCH_WORDS = auto()
    SETTLE = auto()  # see the list of what is to be settled
    OPEN_UNIT = auto()  # and see what colleagues said of it
    SETTLE_UNIT = auto()
    SEE_JUDGE = auto()  # of a unit on one's own list
    SEE_JUDGE_TO_SETTLE = auto()  # of a unit, where it differs from people who agree
    SEE_JUDGE_OF_NOTE = auto()  # of a unit that a note to the study lead is about
    SEE_JUDGE_AFTER_SETTLING = auto()  # of a unit on which people differed


class Reason(StrEnum):
    """Why not; reports/refusals.toml has the words."""

    FOR_LEAD = auto()
    NEEDS_RATER = auto()
    OTHER_STUDY = auto()
    JUDGE_STAYS_HIDDEN = auto()
    SETTLES_UNSEEN = auto()
    LEFT_TO_RATE = auto()
    MORE_MAY_COME = auto()
    NOT_SEEN_YET = auto()  # it is not on record that the rater saw the labels
    COMES_AGAIN = auto()  # words would tell which unit comes again
    CONFLICT = auto()
    ON_OWN_LIST = auto()
    RATED_IT = auto()
    NOT_DUE = auto()
    JUDGE_STAYS_HIDDEN_FROM_SETTLERS = auto()
    JUDGE_WAITS_FOR_SETTLING = auto()
    NOTHING_TO_SETTLE = auto()


@dataclass(frozen=True)
class Decision:
    """True where the person may. `left`: how many units they have left to rate, where that is the reason."""

    reason: Reason | None = None
    left: int = 0

    def __bool__(self) -> bool:
        return self.reason is None


class NotPermitted(Refused):
    """Raised where somebody asks for what they may not see or do."""

    @classmethod
    def of(cls, decision: Decision, person: Person, study: Study) -> NotPermitted:
        assert decision.reason is not None
        name = person.rater.name if person.rater else person.name
        return cls(decision.reason, left=decision.left, name=name, noun=study.noun)


def may(
    connection: Connection, person: Person, action: Action, study: Study, unit: Unit | None = None
) -> Decision:
    """Decide whether a person may do something in a study, and why not. Writes nothing: a page that shows the
    labels of the whole study to a rater records that (`exposures.record_page`).

    Args:
        unit: the unit, for `OPEN_UNIT`, `SETTLE_UNIT` and the actions that show a judge; None for others.
    """
    if unit is not None and unit.study_id != study.id:
        return Decision(Reason.OTHER_STUDY)
    rater = person.rater
    if rater is None:
        return Decision(Reason.NEEDS_RATER if action in _IN_OWN_NAME else None)
    if rater.study_id != study.id or rater.kind != "person":
        return Decision(Reason.NEEDS_RATER)
    return _RULES[action](_Case(connection, study, rater, unit))


def require(
    connection: Connection, person: Person, action: Action, study: Study, unit: Unit | None = None
) -> None:
    """Raise NotPermitted where `may` says no."""
    decision = may(connection, person, action, study, unit)
    if not decision:
        raise NotPermitted.of(decision, person, study)


def find_person(connection: Connection, study: Study, actor: str) -> Person:
    """Return who works under this name in a terminal or an import: the rater of the study who has the name,
    however it is written, or else somebody who does not rate.
    """
    name = name_key(person_of(actor))
    namesakes = (
        rater
        for rater in studies.raters(connection, study.id)
        if rater.kind == "person" and name_key(rater.name) == name
    )
    return Person(next(namesakes, None), actor)


def read_rater(connection: Connection, study: Study, rater_id: int) -> Rater:
    """Return the person of the study with this id. Raises NotPermitted for any other id."""
    try:
        rater = studies.rater(connection, rater_id)
    except NotFound:
        rater = None
    if rater is None or rater.study_id != study.id or rater.kind != "person":
        raise NotPermitted.of(Decision(Reason.NEEDS_RATER), Person(rater), study)
    return rater


def is_done(connection: Connection, study: Study, rater_id: int) -> bool:
    """Tell whether nothing of the study is left that could be given to this rater to rate, now or later."""
    own = open_worklist(connection, study, rater_id)
    return own.finished and (own.plan is None or worklist.over(connection, study))


def somebody_rates_blind(connection: Connection, study: Study) -> bool:
    """Tell whether one of the study's raters could still be given something to rate blind: until nobody
    could, no import and no check says whether a file differs from the labels that are there.
    """
    return any(
        rater.kind == "person" and not may(connection, Person(rater), Action.SEE_NUMBERS, study)
        for rater in studies.raters(connection, study.id)
    )


class _Case:
    """What the rules look at, read when a rule asks for it."""

    def __init__(self, connection: Connection, study: Study, rater: Rater, unit: Unit | None) -> None:
        self.connection, self.study, self.rater, self._unit = connection, study, rater, unit

    @property
    def unit(self) -> Unit:
        assert self._unit is not None
        return self._unit

    @cached_property
    def saw_labels(self) -> bool:
        """Whether the study hides nothing from this rater any more."""
        return self.study.review == "open" or exposures.saw_page(self.connection, self.rater.id)

    @cached_property
    def is_done(self) -> bool:
        return is_done(self.connection, self.study, self.rater.id)

    @cached_property
    def is_settler(self) -> bool:
        return roles.is_settler(self.connection, self.rater.id)

    @cached_property
    def worklist(self) -> Worklist:
        return open_worklist(self.connection, self.study, self.rater.id)

    @cached_property
    def uncommitted(self) -> int:
        """Units of the whole study that this rater has not committed."""
        committed = units.rater_progress(self.connection, self.rater.id).committed
        return studies.unit_count(self.connection, self.study.id) - committed

    def left_to_rate(self) -> Decision:
        work = self.worklist.remaining_work
        left = work.held + work.may_come
        if self.is_settler:
            return Decision(Reason.SETTLES_UNSEEN)
        return Decision(Reason.LEFT_TO_RATE, left) if work.whole and left else Decision(Reason.MORE_MAY_COME)


def _see_labels(case: _Case) -> Decision:
    if case.saw_labels:
        return Decision()
    if not case.study.shows_judge:
        return Decision(Reason.JUDGE_STAYS_HIDDEN)
    return Decision() if case.is_done else case.left_to_rate()


def _has_seen_labels(case: _Case) -> Decision:
    return Decision() if case.saw_labels else Decision(Reason.NOT_SEEN_YET)


def _see_numbers(case: _Case) -> Decision:
    return Decision() if case.saw_labels or case.is_done else case.left_to_rate()


def _search_words(case: _Case) -> Decision:
    """Words at two places of a list would tell which unit comes again unseen."""
    plan = case.worklist.plan
    comes_again = plan is not None and (plan.repeats > 0 or repeats.any_given(case.connection, case.rater.id))
    return Decision(Reason.COMES_AGAIN) if comes_again and not case.is_done else Decision()


def _settle(case: _Case) -> Decision:
    """With a plan of work each unit is asked about when it is opened; without one everybody rates everything
    first, unless they chose to settle.
    """
    if worklist.planned(case.connection, case.study) or case.is_settler:
        return Decision()
    if case.uncommitted <= 0 or case.saw_labels:
        return Decision()
    return Decision(Reason.LEFT_TO_RATE, case.uncommitted)


def _open_unit(case: _Case) -> Decision:
    connection, rater_id, unit = case.connection, case.rater.id, case.unit
    if unit.kind != UnitKind.LISTED:
        return Decision(Reason.OTHER_STUDY)
    rules = conflicts.stated_rules(connection, rater_id)
    if conflicts.barred_conversations(connection, rules, {unit.conversation_id}):
        return Decision(Reason.CONFLICT)
    if worklist.planned(connection, case.study) and rated_units.is_on_list(connection, unit, rater_id):
        return Decision(Reason.ON_OWN_LIST)
    return _settle(case)


def _settle_unit(case: _Case) -> Decision:
    if rated_units.has_rated(case.connection, case.unit, case.rater.id):
        return Decision(Reason.RATED_IT)
    return _open_unit(case)


def _see_judge(case: _Case) -> Decision:
    is_due = case.study.review == "open" or exposures.due_units(case.worklist, [case.unit.id])
    return Decision() if is_due else Decision(Reason.NOT_DUE)


def _settle_with_judge(case: _Case) -> Decision:
    """A failure at a safety gate is settled first, by somebody who hasn't seen the judge."""
    permitted = _settle_unit(case)
    if not permitted:
        return permitted
    if not case.study.shows_judge:
        return Decision(Reason.JUDGE_STAYS_HIDDEN_FROM_SETTLERS)
    waits = len(disagreements.find_failures_waiting(case.connection, case.study, unit=case.unit))
    return Decision(Reason.JUDGE_WAITS_FOR_SETTLING) if waits else Decision()


def _see_judge_to_settle(case: _Case) -> Decision:
    permitted = _settle_with_judge(case)
    differing = disagreements.differ(case.connection, case.study, case.unit)
    if permitted and "human_judge" not in differing.values():
        return Decision(Reason.NOTHING_TO_SETTLE)
    return permitted


def _people_settled(case: _Case) -> Decision:
    """The judge waits for all criteria of the unit, because its label on one tells of the others."""
    permitted = _settle_with_judge(case)
    if permitted and disagreements.between_people(case.connection, case.study, 1, case.unit).total:
        return Decision(Reason.JUDGE_WAITS_FOR_SETTLING)
    return permitted


def _see_judge_of_note(case: _Case) -> Decision:
    permitted = _people_settled(case)
    if permitted and not has_note(case.connection, case.unit):
        return Decision(Reason.NOTHING_TO_SETTLE)
    return permitted


def _see_judge_after_settling(case: _Case) -> Decision:
    permitted = _people_settled(case)
    if permitted and not settlements.has_settled(case.connection, case.unit, case.rater.id):
        return Decision(Reason.JUDGE_WAITS_FOR_SETTLING)
    return permitted


_IN_OWN_NAME = (
    Action.OPEN_UNIT,
    Action.SETTLE_UNIT,
    Action.SEE_JUDGE_TO_SETTLE,
    Action.SEE_JUDGE_OF_NOTE,
    Action.SEE_JUDGE_AFTER_SETTLING,
)
_RULES: dict[Action, Callable[[_Case], Decision]] = {
    Action.LEAD: lambda case: Decision(Reason.FOR_LEAD),
    Action.SEE_LABELS: _see_labels,
    Action.SEE_LABELS_UNRECORDED: _has_seen_labels,
    Action.HANDLE_FILES: _has_seen_labels,
    Action.SEE_NUMBERS: _see_numbers,
    Action.SEARCH_WORDS: _search_words,
    Action.SETTLE: _settle,
    Action.OPEN_UNIT: _open_unit,
    Action.SETTLE_UNIT: _settle_unit,
    Action.SEE_JUDGE: _see_judge,
    Action.SEE_JUDGE_TO_SETTLE: _see_judge_to_settle,
    Action.SEE_JUDGE_OF_NOTE: _see_judge_of_note,
    Action.SEE_JUDGE_AFTER_SETTLING: _see_judge_after_settling,
}
