"""Changes to a study itself: its title, the archive, target plans, successors, erased texts."""

from __future__ import annotations

from typing import NamedTuple
from unicodedata import category

from data.access.permissions import Action, Person, require
from data.keeping.erase import erase_conversation, erase_study
from data.record import studies, study_changes, target_plans
from data.record.conversations import count_copies, find_copies
from data.record.studies import Study
from data.store import incoming
from data.store.errors import Refused
from data.store.store import Store
from data.work import successors


def rename_study(store: Store, actor: str, person: Person, study: Study, title: str) -> None:
    """Give a study another title; its key stays. Raise NotPermitted unless `person` leads it, and Refused for
    an unusable title.
    """
    with store.writing(actor, "rename the study", study.id) as (connection, entry):
        require(connection, person, Action.LEAD, study)
        study_changes.rename_study(connection, entry, study, title)


def set_archived(store: Store, actor: str, person: Person, study: Study, archived: bool) -> None:
    """Archive a study, or take it out of the archive. Raise NotPermitted unless `person` leads it."""
    action = "archive the study" if archived else "take the study out of the archive"
    with store.writing(actor, action, study.id) as (connection, entry):
        require(connection, person, Action.LEAD, study)
        study_changes.set_archived(connection, entry, study, archived)


def save_target_plan(store: Store, actor: str, study: Study, scope: str, text: str, after: int) -> int | None:
    """Save a target plan after the version that was read. Return the new version, or None if the text is
    unchanged. Raises Refused if another version was saved since.
    """
    with store.writing(actor, "write a target plan", study.id) as (connection, entry):
        return target_plans.save(connection, entry, study, scope, text, after)


def begin_successor(
    store: Store, actor: str, study: Study, instrument: str, key: str, title: str, reason: str
) -> None:
    """Create a study that continues this one under a later version of its instrument. Raise Refused as
    `begin` does.
    """
    with store.writing(actor, "begin a successor study", study.id) as (connection, entry):
        successors.begin(connection, entry, study, instrument, key, title, reason)


class Forgotten(NamedTuple):
    """`texts`: how many were erased. `elsewhere`: keys of the study and conversation that still have the same
    text.
    """

    texts: int
    elsewhere: list[tuple[str, str]]


def forget_conversation(store: Store, actor: str, study: Study, conversation: str, reason: str) -> Forgotten:
    """Erase a conversation's text and all notes about it, from the store, its log and files being imported.

    Return how many texts were erased, and which other conversations have the same words. Raise NotFound for
    an unknown conversation.
    """
    with store.writing(actor, "erase conversation", study.id) as (connection, entry):
        count = erase_conversation(connection, entry, study, conversation, reason)
    store.checkpoint()
    incoming.remove_all(store.path)
    with store.reading() as connection:
        return Forgotten(count, find_copies(connection, study.id, conversation))


def simplify_name(name: str) -> str:
    """Return a name with one kind of dash and space and no capitals, as any keyboard can type it."""
    plain = "".join("-" if category(sign) == "Pd" or sign == "\N{MINUS SIGN}" else sign for sign in name)
    return " ".join(plain.casefold().split())


class ForgottenStudy(NamedTuple):
    """`texts`: how many were erased. `elsewhere`: key of each study that still has the same words -> in how
    many conversations.
    """

    texts: int
    elsewhere: dict[str, int]


def forget_study(
    store: Store, actor: str, person: Person, study: Study, typed: str, reason: str
) -> ForgottenStudy:
    """Erase every text of a study, from the store, its log and files being imported. `typed`: the study's
    title or key, as a confirmation, with any dash and in any capitals.

    Raise NotPermitted unless `person` leads the study, and Refused if the name differs or the reason is
    blank.
    """
    with store.writing(actor, "erase the words of the study", study.id) as (connection, entry):
        require(connection, person, Action.LEAD, study)
        title = studies.get(connection, study.id).title
        if simplify_name(typed) not in (simplify_name(title), simplify_name(study.key)):
            raise Refused("study_name_differs", title=title)
        if not reason.strip():
            raise Refused("erasure_without_reason")
        count = erase_study(connection, entry, study, reason.strip())
    store.checkpoint()
    incoming.remove_all(store.path)
    with store.reading() as connection:
        return ForgottenStudy(count, count_copies(connection, study.id))
