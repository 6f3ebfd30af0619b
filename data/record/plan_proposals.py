"""Target plans that were proposed from the text of a case. None counts before a person took it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, exists, func, select

from data import schema
from data.record import conversations, target_plans
from data.record.conversations import Conversation
from data.record.references import References, conversation_scope
from data.record.studies import Study
from data.schema.vocabulary import PlanDecisionKind
from data.store import content
from data.store.errors import Refused
from data.store.trail import TrailEntry

FACTS = ("case_text", "counsellor_think", "counselor_think")
GOLD_STEPS = "gold steps"
CONVERSATIONS_PER_BATCH = 50


@dataclass(frozen=True)
class CaseText:
    """What a counsellor thought of a case, or another text about it; never what the assistant said, which is
    measured against the plan. `source`: the gold steps, or the name of a fact.
    """

    conversation_id: int
    source: str
    text: str


@dataclass(frozen=True)
class NewProposal:
    """`evidence`: by the sentence of the plan, the one that follows from the text. Exactly one of `plan` and
    `undefined`.
    """

    conversation_id: int
    components: str
    model: str
    source: str
    evidence: Mapping[str, str]
    plan: str | None
    undefined: str | None
    inputs: str


@dataclass(frozen=True)
class PlanProposal:
    """One that nobody decided on. `after`: the version of the conversation's own plan that is there already,
    0 for none.
    """

    id: int
    conversation_id: int
    key: str
    position: int | None
    components: str
    model: str
    source: str
    evidence: Mapping[str, str]
    plan: str | None
    undefined: str | None
    case_text: str
    after: int


def case_texts(connection: Connection, study: Study) -> Iterator[CaseText]:
    """Yield the text about the case of every conversation that has one, in order."""
    present = References(connection, study.id)
    ids = conversations.ids(connection, study.id)
    for start in range(0, len(ids), CONVERSATIONS_PER_BATCH):
        for conversation in conversations.read(connection, ids[start : start + CONVERSATIONS_PER_BATCH]):
            case_text = _case_text(present, conversation)
            if case_text is not None:
                yield case_text


def _case_text(present: References, conversation: Conversation) -> CaseText | None:
    if conversation.messages is None:
        return None
    for name in FACTS:
        value = conversation.facts.get(name)
        if isinstance(value, str) and value.strip():
            return CaseText(conversation.id, name, value)
    gold = present.of("gold_steps", conversation.key, None)
    if gold is not None and gold.level == "conversation":
        return CaseText(conversation.id, GOLD_STEPS, " ".join(gold.body))
    return None


def known_inputs(connection: Connection, study_id: int) -> set[str]:
    """Return the digests of the inputs of all proposals of a study."""
    table = schema.plan_proposal
    return set(connection.execute(select(table.c.inputs).where(table.c.study_id == study_id)).scalars())


def keep(
    connection: Connection, entry: TrailEntry, study_id: int, proposals: Sequence[NewProposal]
) -> list[NewProposal]:
    """Write the proposals; return those that were written.

    Left out are those proposed already, and those of conversations that were erased meanwhile.
    """
    present = known_inputs(connection, study_id)
    gone = conversations.find_erased(connection, {proposal.conversation_id for proposal in proposals})
    proposals = [
        proposal
        for proposal in proposals
        if proposal.inputs not in present and proposal.conversation_id not in gone
    ]
    texts = [
        (text, proposal.conversation_id)
        for proposal in proposals
        for text in (json.dumps(proposal.evidence), proposal.plan)
        if text
    ]
    stored_texts = iter(content.put_many(connection, texts))
    rows = []
    for proposal in proposals:
        evidence_content, evidence_mac = next(stored_texts)
        plan_content, plan_mac = next(stored_texts) if proposal.plan else (None, None)
        rows.append(
            {
                "study_id": study_id,
                "conversation_id": proposal.conversation_id,
                "components": proposal.components,
                "model": proposal.model,
                "source": proposal.source,
                "evidence_content": evidence_content,
                "evidence_mac": evidence_mac,
                "plan_content": plan_content,
                "plan_mac": plan_mac,
                "undefined": proposal.undefined,
                "inputs": proposal.inputs,
            }
        )
    if rows:
        entry.write_many(schema.plan_proposal, rows)
    return proposals


def undecided(connection: Connection, study: Study) -> list[PlanProposal]:
    """Return the newest proposal of each conversation if nobody decided on it, in the order of the
    conversations.

    Left out are erased conversations, and proposals made from another text than the conversation has now.
    """
    table, conversation, unit = schema.plan_proposal, schema.conversation, schema.unit
    newest = (
        select(func.max(table.c.id)).where(table.c.study_id == study.id).group_by(table.c.conversation_id)
    )
    position = (
        select(func.min(unit.c.position))
        .where(unit.c.conversation_id == conversation.c.id, unit.c.kind == "listed")
        .scalar_subquery()
    )
    rows = connection.execute(
        select(table, conversation.c.key, position.label("first_position"))
        .join(conversation, conversation.c.id == table.c.conversation_id)
        .where(
            table.c.id.in_(newest),
            ~exists().where(schema.plan_decision.c.proposal_id == table.c.id),
        )
        .order_by(conversation.c.position, conversation.c.id)
    ).all()
    texts = (
        {case_text.conversation_id: case_text for case_text in case_texts(connection, study)} if rows else {}
    )
    plans = content.get_many(connection, [row.plan_content for row in rows])
    evidence = content.get_many(connection, [row.evidence_content for row in rows])
    own = _own_versions(connection, study.id)
    steps = _newest_steps(connection, study.id)
    return [
        PlanProposal(
            row.id,
            row.conversation_id,
            row.key,
            row.first_position,
            row.components,
            row.model,
            row.source,
            json.loads(evidence.get(row.evidence_content) or "{}"),
            plans.get(row.plan_content),
            row.undefined,
            texts[row.conversation_id].text,
            own.get(conversation_scope(row.key), 0),
        )
        for row in rows
        if row.conversation_id in texts
        and texts[row.conversation_id].source == row.source
        and not (row.source == GOLD_STEPS and steps.get(conversation_scope(row.key), 0) > row.trail)
    ]


def _newest_steps(connection: Connection, study_id: int) -> dict[str, int]:
    """By scope, the entry of the trail that wrote the present gold steps. Facts never change."""
    table = schema.reference
    rows = connection.execute(
        select(table.c.scope, func.max(table.c.trail))
        .where(table.c.study_id == study_id, table.c.kind == "gold_steps")
        .group_by(table.c.scope)
    )
    return {row[0]: row[1] for row in rows}


def _own_versions(connection: Connection, study_id: int) -> dict[str, int]:
    table = schema.reference
    rows = connection.execute(
        select(table.c.scope, func.max(table.c.version))
        .where(table.c.study_id == study_id, table.c.kind == target_plans.KIND)
        .group_by(table.c.scope)
    )
    return {row[0]: row[1] for row in rows}


def accept(
    connection: Connection, entry: TrailEntry, study: Study, proposal: PlanProposal, text: str
) -> PlanDecisionKind:
    """Make the text the next version of the conversation's target plan; return whether it was edited.

    Raise Refused if somebody decided meanwhile, saved another plan or erased the conversation, or if the
    text can't be a plan.
    """
    _refuse_decided(connection, proposal)
    decision = PlanDecisionKind.ACCEPTED if text.strip() == (proposal.plan or "") else PlanDecisionKind.EDITED
    source = f"proposed from {proposal.source} with {proposal.components} by {proposal.model}; {decision}"
    version = target_plans.save(
        connection, entry, study, conversation_scope(proposal.key), text, proposal.after, source
    )
    _decide(connection, entry, proposal, decision, version or proposal.after, None)
    return decision


def refuse(connection: Connection, entry: TrailEntry, proposal: PlanProposal, reason: str) -> None:
    """Record that a proposal is refused.

    Raise Refused for a blank reason, or if somebody decided or erased the words meanwhile.
    """
    if not reason.strip():
        raise Refused("plan_refusal_needs_reason")
    _refuse_decided(connection, proposal)
    _decide(connection, entry, proposal, PlanDecisionKind.REFUSED, None, reason.strip())


def _refuse_decided(connection: Connection, proposal: PlanProposal) -> None:
    table = schema.plan_decision
    row = connection.execute(select(table.c.decision).where(table.c.proposal_id == proposal.id)).first()
    if row is not None:
        raise Refused("proposal_decided", decision=row.decision)
    if conversations.find_erased(connection, [proposal.conversation_id]):
        raise Refused("erased_before_saving")


def _decide(
    connection: Connection,
    entry: TrailEntry,
    proposal: PlanProposal,
    decision: PlanDecisionKind,
    version: int | None,
    reason: str | None,
) -> None:
    reason_content, reason_mac = content.put(connection, reason, proposal.conversation_id)
    entry.write(
        schema.plan_decision,
        {
            "proposal_id": proposal.id,
            "decision": decision,
            "reference_version": version,
            "reason_content": reason_content,
            "reason_mac": reason_mac,
        },
    )
