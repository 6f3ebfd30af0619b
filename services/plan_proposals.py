"""Accepting a proposed target plan, with or without changes, or refusing it."""

from __future__ import annotations

from data.record import plan_proposals
from data.record.plan_proposals import PlanProposal
from data.record.studies import Study
from data.schema.vocabulary import PlanDecisionKind
from data.store.store import Store


def accept_plan(
    store: Store, actor: str, study: Study, proposal: PlanProposal, text: str
) -> PlanDecisionKind:
    """Make the text the conversation's target plan; return whether it was accepted as proposed or edited.

    Raise Refused if somebody decided or saved a plan meanwhile.
    """
    with store.writing(actor, "accept a proposed plan", study.id) as (connection, entry):
        return plan_proposals.accept(connection, entry, study, proposal, text)


def refuse_plan(store: Store, actor: str, study: Study, proposal: PlanProposal, reason: str) -> None:
    """Record that the proposal is refused. Raise Refused for a blank reason, or if somebody decided
    meanwhile.
    """
    with store.writing(actor, "refuse a proposed plan", study.id) as (connection, entry):
        plan_proposals.refuse(connection, entry, proposal, reason)
