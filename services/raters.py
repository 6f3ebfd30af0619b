"""What a study lead does with raters: names, conflicts of interest, certification, whose labels count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from data.access.permissions import read_rater
from data.record import studies
from data.record.rater_names import refuse_unusable_names
from data.record.set_aside import set_rater_aside
from data.record.studies import Rater, Study
from data.schema.vocabulary import StudyRole
from data.store.errors import StoreError
from data.store.store import Store
from data.work import assignment, certification, conflict_rules, conflicts, roles


class NameRefused(StoreError):
    """One of several names can't be added. `line`: its line, from 1."""

    def __init__(self, line: int, error: StoreError) -> None:
        super().__init__(error.reason, **error.facts)
        self.line = line


def add_rater(store: Store, actor: str, study: Study, name: str) -> Rater:
    """Return the rater with this name, or add one. Raises Refused for an invalid name."""
    with store.writing(actor, "add rater", study.id) as (connection, entry):
        rater_id = studies.add_rater(connection, entry, study.id, name)
        return studies.rater(connection, rater_id)


def add_settler(store: Store, actor: str, study: Study, name: str) -> Rater:
    """Return the person with this name, who settles from now on. Raises Refused for an invalid name, or one
    of imported ratings.
    """
    with store.writing(actor, "settle instead of rating", study.id) as (connection, entry):
        rater_id = studies.add_rater(connection, entry, study.id, name)
        rater = read_rater(connection, study, rater_id)
        roles.choose_role(connection, entry, rater.id, StudyRole.SETTLER)
        return rater


def add_raters(
    store: Store, actor: str, study: Study, names: Iterable[tuple[int, str]], action: str = "add raters"
) -> None:
    """Add all raters or none. `names`: each with its line. Raises Refused for too many or two nearly
    identical names, and NameRefused for a single one.
    """
    listed = list(names)
    refuse_unusable_names([name for _, name in listed])
    with store.writing(actor, action, study.id) as (connection, entry):
        rater_names = studies.RaterNames(connection, study.id)
        for line, name in listed:
            try:
                rater_names.add(entry, name)
            except StoreError as error:
                raise NameRefused(line, error) from error


def count_labels(
    store: Store, actor: str, study: Study, rater_id: int, by: str, reason: str, *, counts: bool
) -> None:
    """Leave a rater's labels out of the headlines, or with `counts` include them again.

    Raise Refused as `set_rater_aside` does.
    """
    action = "take a rater back" if counts else "set a rater aside"
    with store.writing(actor, action, study.id) as (connection, entry):
        set_rater_aside(connection, entry, study, rater_id, by, reason, back=counts)


def free_reservations(store: Store, actor: str, study: Study, rater_id: int) -> int:
    """Release the units reserved for a rater who leaves; return their number."""
    with store.writing(actor, "free what a rater holds", study.id) as (connection, entry):
        return assignment.free(connection, entry, study, rater_id)


def let_in(store: Store, actor: str, study: Study, rater_id: int, reason: str) -> None:
    """Certify a rater without a test. Raise Refused for a blank reason."""
    with store.writing(actor, "let a rater in", study.id) as (connection, entry):
        certification.grant(connection, entry, rater_id, reason)


@dataclass(frozen=True)
class ConflictChange:
    """`changed`: False if it was so already. `conversations`: how many it covers now."""

    changed: bool
    conversations: int


def state_conflict(
    store: Store,
    actor: str,
    study: Study,
    rater_id: int,
    conversation: str,
    fact: str | None,
    value: str,
    *,
    lifted: bool,
) -> ConflictChange:
    """Bar a rater from a conversation, or from all with a value of a fact; with `lifted`, undo that.

    `conversation`: its number or id, "" if `fact` is given. Raise Refused for a conversation that can't be
    found, for both or neither, a blank value, or a bar that can't be lifted.
    """
    with store.writing(actor, "conflict of interest", study.id) as (connection, entry):
        before = conflicts.rules(connection, rater_id)
        conversation_id = (
            conflict_rules.conversation_named(connection, study.id, conversation, study.noun)
            if conversation.strip()
            else None
        )
        conflicts.state_conflict(
            connection,
            entry,
            rater_id,
            conversation_id=conversation_id,
            fact=fact,
            value=value,
            lifted=lifted,
        )
        return ConflictChange(
            conflicts.rules(connection, rater_id) != before,
            1 if fact is None else conflict_rules.barred_now(connection, study.id, (fact, value.strip())),
        )
