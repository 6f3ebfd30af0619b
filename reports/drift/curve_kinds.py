"""The curves over the turns that there are, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from data.curves import CurveEmbedder

CurveKind = tuple[str, str]  # metric, variant
Embedders = Mapping[CurveKind, CurveEmbedder]
NO_EMBEDDERS: Embedders = MappingProxyType({})
NAMES: dict[CurveKind, str] = {
    ("goal_alignment", "actions/windowed"): "Goal alignment",
    ("goal_alignment", "actions/truncated"): "Goal alignment, beginning only (truncated)",
    ("goal_alignment", "full/windowed"): "Goal alignment of everything said",
    ("goal_alignment", "full/truncated"): "Goal alignment of everything said, beginning only (truncated)",
    ("entity_recall", "searched"): "Critical entities recalled",
    ("extracted_entity_recall", "extracted"): "Critical entities recalled (recognised by a model)",
    ("knowledge_conflict", "product"): "Advice that contradicts the turn before",
}


def curve_name(kind: CurveKind, embedders: Embedders = NO_EMBEDDERS) -> str:
    """With the embedder, where it is not the default."""
    embedder = embedders.get(kind)
    if embedder and embedder.counterpart:
        return f"{curve_name((kind[0], embedder.counterpart))}, {embedder.name}"
    return NAMES.get(kind) or f"{kind[0].replace('_', ' ')}, {kind[1]}"


def in_order(kinds: Iterable[CurveKind], embedders: Embedders = NO_EMBEDDERS) -> list[CurveKind]:
    """Those with a name first, in their order, each before its counterparts of other embedders; the rest as
    they come.
    """
    order = list(NAMES)

    def place(kind: CurveKind) -> tuple[int, str]:
        embedder = embedders.get(kind)
        if embedder and embedder.counterpart and (kind[0], embedder.counterpart) in NAMES:
            return order.index((kind[0], embedder.counterpart)), embedder.name
        return (order.index(kind) if kind in NAMES else len(order)), ""

    return sorted(kinds, key=place)
