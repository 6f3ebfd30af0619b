"""The curves over the turns that there are, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable

CurveKind = tuple[str, str]  # metric, variant
NAMES: dict[CurveKind, str] = {
    ("goal_alignment", "actions/windowed"): "Goal alignment",
    ("goal_alignment", "actions/truncated"): "Goal alignment, beginning only (truncated)",
    ("entity_recall", "searched"): "Critical entities recalled",
    ("extracted_entity_recall", "extracted"): "Critical entities recalled (recognised by a model)",
    ("knowledge_conflict", "product"): "Advice that contradicts the turn before",
}


def curve_name(kind: CurveKind) -> str:
    return NAMES.get(kind) or f"{kind[0].replace('_', ' ')}, {kind[1]}"


def in_order(kinds: Iterable[CurveKind]) -> list[CurveKind]:
    """Those with a name first, in their order; the others as they come."""
    order = list(NAMES)
    return sorted(kinds, key=lambda kind: (kind not in NAMES, order.index(kind) if kind in NAMES else 0))
