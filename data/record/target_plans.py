"""The target plans of a study as a study lead sees them: every version, whom each is for, and which numbers
are older.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from data import schema
from data.record import conversations, references
from data.record.references import STUDY
from data.record.studies import Study
from data.schema.vocabulary import UnitKind
from data.store import content
from data.store.errors import Refused
from data.store.kept_parts import keep_part
from data.store.trail import TrailEntry

KIND: references.Kind = "target_plan"
LONGEST = 20_000  # characters
ON_THE_PAGE = "written on the page"


PLANS_REST_ON = (schema.reference, schema.conversation, schema.unit, schema.erasure)


@dataclass(frozen=True)
class PlanVersion:
    """`text` is None where it was erased. `by`: who saved it; `source`: the file or name that it came
    from.
    """

    scope: str
    version: int
    text: str | None
    source: str
    at: str
    by: str


@dataclass(frozen=True, slots=True)
class ConversationPlan:
    """A conversation with the scope of the plan that counts for it, or None. `position`: its first unit.
    `erased`: it has no words any more.
    """

    id: int
    key: str
    position: int | None
    condition: str | None
    scope: str | None
    erased: bool


def versions(connection: Connection, study_id: int) -> dict[str, list[PlanVersion]]:
    """Return scope -> its versions, newest first; the study's plan first, then conditions, then
    conversations.
    """
    table, trail = schema.reference, schema.trail
    rows = connection.execute(
        select(
            table.c.scope, table.c.version, table.c.body_content, table.c.source, table.c.at, trail.c.actor
        )
        .join(trail, trail.c.seq == table.c.trail)
        .where(table.c.study_id == study_id, table.c.kind == KIND)
        .order_by(table.c.version.desc())
    ).all()
    texts = content.get_many(connection, [row.body_content for row in rows])
    versions: dict[str, list[PlanVersion]] = {}
    for row in rows:
        text = texts.get(row.body_content)
        versions.setdefault(row.scope, []).append(
            PlanVersion(
                row.scope,
                row.version,
                None if text is None else str(json.loads(text)),
                row.source,
                row.at,
                row.actor,
            )
        )
    return {scope: versions[scope] for scope in sorted(versions, key=_order)}


def _order(scope: str) -> tuple[int, str]:
    return (("study", "condition", "conversation").index(scope.partition(":")[0]), scope)


def linked(
    connection: Connection, study_id: int, plans: dict[str, list[PlanVersion]]
) -> list[ConversationPlan]:
    """Return every conversation of a study, in order, with the scope of the plan that counts for it.

    An erased plan counts for none.
    """
    return keep_part(
        connection,
        study_id,
        "plans that count",
        PLANS_REST_ON,
        lambda: _read_linked(connection, study_id, plans),
    )


def _read_linked(
    connection: Connection, study_id: int, plans: dict[str, list[PlanVersion]]
) -> list[ConversationPlan]:
    conversation, unit, text = schema.conversation, schema.unit, schema.content
    scopes_with_plan = {scope for scope, versions in plans.items() if versions[0].text is not None}
    first = (
        select(func.min(unit.c.position))
        .where(unit.c.conversation_id == conversation.c.id, unit.c.kind == UnitKind.LISTED)
        .scalar_subquery()
    )
    words = (
        select(text.c.text.is_(None)).where(text.c.id == conversation.c.transcript_content).scalar_subquery()
    )
    condition = (
        select(func.json_extract(text.c.text, "$.condition"))
        .where(text.c.id == conversation.c.facts_content)
        .scalar_subquery()
    )
    rows = connection.execute(
        select(
            conversation.c.id,
            conversation.c.key,
            first.label("position"),
            words.label("erased"),
            condition.label("condition"),
        )
        .where(conversation.c.study_id == study_id)
        .order_by(conversation.c.position)
    )
    conversations = []
    for row in rows:
        named = (
            str(row.condition).strip()
            if isinstance(row.condition, str | int) and str(row.condition).strip()
            else None
        )
        scope = next(
            (
                candidate
                for candidate in references.scopes_of(row.key, named)
                if candidate in scopes_with_plan
            ),
            None,
        )
        conversations.append(
            ConversationPlan(
                row.id, row.key, row.position, named, scope, row.erased is None or bool(row.erased)
            )
        )
    return conversations


def waiting(
    connection: Connection,
    study_id: int,
    plans: dict[str, list[PlanVersion]],
    conversations: list[ConversationPlan],
) -> Counter[str]:
    """Return scope -> number of conversations whose session goal alignment is older than the plan, or not
    computed.
    """
    return keep_part(
        connection,
        study_id,
        "plans without a number",
        (*PLANS_REST_ON, schema.metric_value),
        lambda: _count_waiting(connection, study_id, plans, conversations),
    )


def _count_waiting(
    connection: Connection,
    study_id: int,
    plans: dict[str, list[PlanVersion]],
    conversations: list[ConversationPlan],
) -> Counter[str]:
    table = schema.metric_value
    newest = (
        select(func.max(table.c.id))
        .where(
            table.c.study_id == study_id,
            table.c.metric == "goal_alignment",
            table.c.variant == "actions/windowed",
        )
        .group_by(table.c.subject)
    )
    level, version = (
        func.json_extract(table.c.detail, "$.plan_level"),
        func.json_extract(table.c.detail, "$.plan_version"),
    )
    computed = {
        row[0]: (row[1], row[2])
        for row in connection.execute(
            select(table.c.conversation_id, level, version).where(table.c.id.in_(newest))
        )
    }
    return Counter(
        conversation.scope
        for conversation in conversations
        if conversation.scope is not None
        and not conversation.erased
        and computed.get(conversation.id)
        != (conversation.scope.partition(":")[0], plans[conversation.scope][0].version)
    )


def save(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    scope: str,
    text: str,
    after: int,
    source: str = ON_THE_PAGE,
) -> int | None:
    """Save a plan as the version after `after` (0: the first one); return its number, None if the text is
    unchanged.

    `source`: where it comes from, in words. Raise Refused for an empty text or one of more than LONGEST
    (20,000) characters, an unknown scope, or if another version was saved in the meantime.
    """
    text = text.replace("\x00", "�").strip()
    if not text:
        raise Refused("plan_empty")
    if len(text) > LONGEST:
        raise Refused("plan_too_long", length=len(text), most=LONGEST)
    table = schema.reference
    present = connection.execute(
        select(func.coalesce(func.max(table.c.version), 0)).where(
            table.c.study_id == study.id, table.c.kind == KIND, table.c.scope == scope
        )
    ).scalar_one()
    if present != after:
        raise Refused("plan_saved_meanwhile", present=present)
    is_new = references.put(
        connection, entry, study, KIND, scope, text, source, _conversation(connection, study, scope)
    )
    return present + 1 if is_new else None


def _conversation(connection: Connection, study: Study, scope: str) -> int | None:
    """The id of the conversation that a scope names, so that erasing it erases its plan. Raises Refused for
    an unknown one, and for one that was erased.
    """
    level, _, name = scope.partition(":")
    if scope == STUDY or (level == "condition" and name.strip()):
        return None
    table = schema.conversation
    conversation_id: int | None = connection.execute(
        select(table.c.id).where(table.c.study_id == study.id, table.c.key == name)
    ).scalar()
    if level != "conversation" or conversation_id is None:
        raise Refused("no_conversation", name=name)
    if conversations.find_erased(connection, [conversation_id]):
        raise Refused("plan_of_erased_words")
    return conversation_id
