"""The curves over the turns that there are, and what they are called."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from data.record.curves import CurveEmbedder
from scoring.drift.average_curves import ANY_NUMBER

CurveKind = tuple[str, str]  # metric, variant
Embedders = Mapping[CurveKind, CurveEmbedder]
NO_EMBEDDERS: Embedders = MappingProxyType({})
COSINE, SHARE = (-1.0, 1.0), (0.0, 1.0)
_BOUNDS = {
    "goal_alignment": COSINE,
    "entity_recall": SHARE,
    "extracted_entity_recall": SHARE,
    "knowledge_conflict": SHARE,
}


@dataclass(frozen=True)
class CurveWords:
    """What it means that a curve rises or falls from turn to turn, each as a sentence without its full stop;
    `follows`: what is looked at, to go on behind "in".
    """

    rises: str
    falls: str
    follows: str


_CARE = CurveWords(
    "replies become more similar to the care plan turn by turn",
    "replies become less similar to the care plan turn by turn",
    "how similar replies are to the care plan",
)
_TALK = CurveWords(
    "everything said becomes more similar to the plan turn by turn",
    "everything said becomes less similar to the plan turn by turn",
    "how similar everything said is to the plan",
)
_ENTITIES = CurveWords(
    "more of the critical facts are recalled turn by turn",
    "fewer of the critical facts are recalled turn by turn",
    "how many critical facts are recalled",
)
_CONFLICTS = CurveWords(
    "advice contradicts the turn before more and more often",
    "advice contradicts the turn before less and less often",
    "how often advice contradicts the turn before",
)
# In the order in which they are shown.
KNOWN: dict[CurveKind, tuple[str, CurveWords]] = {
    ("goal_alignment", "actions/windowed"): ("Goal alignment", _CARE),
    ("goal_alignment", "actions/truncated"): ("Goal alignment, beginning only (truncated)", _CARE),
    ("goal_alignment", "full/windowed"): ("Goal alignment of everything said", _TALK),
    ("goal_alignment", "full/truncated"): (
        "Goal alignment of everything said, beginning only (truncated)",
        _TALK,
    ),
    ("entity_recall", "searched"): ("Critical entities recalled", _ENTITIES),
    ("extracted_entity_recall", "extracted"): (
        "Critical entities recalled (recognised by a model)",
        _ENTITIES,
    ),
    ("knowledge_conflict", "product"): ("Advice that contradicts the turn before", _CONFLICTS),
}


def curve_name(kind: CurveKind, embedders: Embedders = NO_EMBEDDERS) -> str:
    """Return the name of a kind of curve, such as that in KNOWN, else "METRIC, VARIANT" with "_" as blanks.

    With an embedder other than the default, its counterpart's name, a comma, and the embedder's.
    """
    embedder = embedders.get(kind)
    if embedder and embedder.counterpart:
        return f"{curve_name((kind[0], embedder.counterpart))}, {embedder.name}"
    return KNOWN[kind][0] if kind in KNOWN else f"{kind[0].replace('_', ' ')}, {kind[1]}"


def curve_words(kind: CurveKind, embedders: Embedders = NO_EMBEDDERS) -> CurveWords:
    """Return what it means that a curve rises or falls; worded from its name if the kind is unknown."""
    default, name = _counterpart(kind, embedders), curve_name(kind, embedders)
    if default in KNOWN:
        return KNOWN[default][1]
    return CurveWords(f"{name} rises turn by turn", f"{name} falls turn by turn", name)


def curve_bounds(kind: CurveKind, embedders: Embedders = NO_EMBEDDERS) -> tuple[float, float]:
    """Return the lowest and highest possible value of a kind of curve; infinite if unknown."""
    return _BOUNDS.get(_counterpart(kind, embedders)[0], ANY_NUMBER)


def _counterpart(kind: CurveKind, embedders: Embedders) -> CurveKind:
    """The same of the default embedder."""
    embedder = embedders.get(kind)
    return (kind[0], embedder.counterpart) if embedder and embedder.counterpart else kind


def in_order(kinds: Iterable[CurveKind], embedders: Embedders = NO_EMBEDDERS) -> list[CurveKind]:
    """Return the kinds with a known name first, each before the same with other embedders; the rest as
    given.
    """
    order = list(KNOWN)

    def place(kind: CurveKind) -> tuple[int, str]:
        default = _counterpart(kind, embedders)
        if default not in KNOWN:
            return len(order), ""
        return order.index(default), embedders[kind].name if default != kind else ""

    return sorted(kinds, key=place)
