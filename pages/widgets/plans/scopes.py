"""Whom a plan of care may be for: the study, a condition, a conversation, as rows of one list."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.record.references import STUDY, condition_scope, conversation_scope
from data.record.target_plans import ConversationPlan, PlanVersion

Plans = Mapping[str, list[PlanVersion]]


@dataclass(frozen=True)
class PlanScope:
    """`counts`: for how many conversations its own plan counts. `conversation`: None for the study and a
    condition.
    """

    scope: str
    name: str
    counts: int
    conversation: ConversationPlan | None = None

    @property
    def address(self) -> str:
        """As an address names it: ids of conversations stay out of addresses."""
        return hashlib.sha256(self.scope.encode()).hexdigest()[:12]


def list_scopes(plans: Plans, conversations: Sequence[ConversationPlan]) -> list[PlanScope]:
    """The study, the conditions that there are or that have a plan, and every conversation."""
    counts = Counter(conversation.scope for conversation in conversations)
    conditions = sorted(
        {condition_scope(item.condition) for item in conversations if item.condition is not None}
        | {scope for scope in plans if scope.startswith("condition:")}
    )
    own = {conversation_scope(item.key): item for item in conversations}
    others = [scope for scope in plans if scope.startswith("conversation:") and scope not in own]
    return [
        PlanScope(STUDY, "The whole study", counts[STUDY]),
        *(PlanScope(scope, f"Condition {scope.partition(':')[2]}", counts[scope]) for scope in conditions),
        *(PlanScope(scope, item.key, counts[scope], item) for scope, item in own.items()),
        *(PlanScope(scope, scope.partition(":")[2], counts[scope]) for scope in others),
    ]
