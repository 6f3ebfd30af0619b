"""The scopes of plans of care: the study, its conditions and its conversations, as rows of one list."""

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
    """`counts`: how many conversations its own plan applies to. `conversation`: None for the study or a
    condition.
    """

    scope: str
    name: str
    counts: int
    conversation: ConversationPlan | None = None

    @property
    def address(self) -> str:
        """Return its name in an address, without the conversation's id."""
        return hashlib.sha256(self.scope.encode()).hexdigest()[:12]


def list_scopes(plans: Plans, conversations: Sequence[ConversationPlan]) -> list[PlanScope]:
    """Return the study, all conditions, those that only have a plan included, and every conversation, in
    this order.
    """
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
