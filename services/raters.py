"""What a study lead does about raters: names, conflicts of interest, certification, who counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from data.record import studies
from data.record.rater_names import refuse_unusable_names
from data.record.set_aside import set_rater_aside
from data.record.studies import Rater, Study
from data.schema.vocabulary import StudyRole
from data.store.errors import StoreError
from data.store.store import Store
from data.work import assignment, certification, conflict_rules, conflicts, roles
from data.work.permissions import read_rater


class NameRefused(StoreError):
    """A name among several cannot be added. `line`: where it stands, from 1."""

    def __init__(self, line: int, error: StoreError) -> None:
        super().__init__(error.reason, **error.facts)
        self.line = line


def add_rater(store: Store, actor: str, study: Study, name: str) -> Rater:
    """The rater of this name, made where there is none. Raises Refused for a name that nobody can have."""
    with store.writing(actor, "add rater", study.id) as (connection, entry):
        rater_id = studies.add_rater(connection, entry, study.id, name)
        return studies.rater(connection, rater_id)


def add_settler(store: Store, actor: str, study: Study, name: str) -> Rater:
    """The person of this name, who settles from now on. Raises Refused for a name that nobody can have, or
    that belongs to imported ratings.
    """
    with store.writing(actor, "settle instead of rating", study.id) as (connection, entry):
        rater_id = studies.add_rater(connection, entry, study.id, name)
        rater = read_rater(connection, study, rater_id)
        roles.choose_role(connection, entry, rater.id, StudyRole.SETTLER)
        return rater


def add_raters(
    store: Store, actor: str, study: Study, names: Iterable[tuple[int, str]], action: str = "add raters"
) -> None:
    """All or none of them. `names`: with the line that each stands in. Raises Refused for too many, and where
    two are spelled nearly alike; NameRefused.
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
    """Leave the labels of a rater out of the headline, or let them count again. Raises Refused."""
    action = "take a rater back" if counts else "set a rater aside"
    with store.writing(actor, action, study.id) as (connection, entry):
        set_rater_aside(connection, entry, study, rater_id, by, reason, back=counts)


def free_reservations(store: Store, actor: str, study: Study, rater_id: int) -> int:
    """Free what is kept for a rater who leaves; how many units."""
    with store.writing(actor, "free what a rater holds", study.id) as (connection, entry):
        return assignment.free(connection, entry, study, rater_id)


def let_in(store: Store, actor: str, study: Study, rater_id: int, reason: str) -> None:
    """Let a rater in without the certification. Raises Refused without a reason."""
    with store.writing(actor, "let a rater in", study.id) as (connection, entry):
        certification.grant(connection, entry, rater_id, reason)


@dataclass(frozen=True)
class ConflictChange:
    """`changed`: whether it was not so already. `conversations`: how many it is about now."""

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
    """Bar a rater from a conversation, by its name, or from all whose fact has a value; or lift that. Raises
    Refused and NotFound.
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
