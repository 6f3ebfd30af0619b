"""Session goal alignment: how near an assistant's clinical actions come to a plan of care, turn by turn.

Seed "Session Goal Alignment": the cosine between the sentence embedding of the actions so far and that of the
plan. Two ways with long texts: `truncated` is the seed's definition to the letter, where the model reads the
beginning only (256 word pieces with its markers) and the curve stands still from there on; `windowed` is the
mean over consecutive windows, weighted by their word pieces, and keeps moving. It compares wording: a plan
carried out in other words scores low, and one contradicted in its own words scores high.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.bad_input import BadInput, text, texts
from scoring.clinical_actions import Lexicon, clean, extract_clinical_actions, lexicon

Pieces = tuple[int, ...]
Vector = NDArray[np.float64]
Mode = Literal["actions", "full"]
Variant = Literal["truncated", "windowed"]

# As the seed prints them; end points belong to the middle band. Real conversations lie far below:
# uncalibrated.
BANDS = ((0.6, 0.8), ("poor", "moderate", "strong"))
BANDS_NOTE = "Uncalibrated: nearly every real conversation lies below 0.6."

NO_PLAN = "There is no plan of care for this conversation."
NO_ACTION = "The assistant's replies contain no clinical action."
NO_TEXT = "The assistant says nothing."
NO_LENGTH = "The model gives this text no direction."


class TextEmbedder(Protocol):
    """A sentence-embedding model.

    `window`: how many word pieces it reads at once. `label`: the name of the model and its weights.
    `pieces`: the word pieces of each text. `vectors`: one row per window of word pieces.
    """

    window: int
    label: str

    def pieces(self, texts: Sequence[str]) -> list[Pieces]:
        """Return the word pieces of each text."""

    def vectors(self, windows: Sequence[Pieces]) -> Vector:
        """Return one row per window of word pieces."""


@dataclass(frozen=True)
class AlignedTurn:
    """One turn's clinical actions, and cosines (-1 to 1) with the plan of care.

    `truncated`, `windowed`: of all actions up to this turn. `local`: of this turn's actions alone, windowed.
    `full_truncated`, `full_windowed`: of everything said up to this turn. Each is None where there is no plan
    or no such text (yet). `tokens`: the word pieces of all actions up to this turn, without the model's
    markers; 0 without a plan.
    """

    actions: str
    tokens: int
    truncated: float | None
    windowed: float | None
    local: float | None
    full_truncated: float | None = None
    full_windowed: float | None = None


@dataclass(frozen=True)
class GoalAlignment:
    """The four scores of a conversation (cosines, -1 to 1, without an interval) and its turns.

    `truncated_from`: the first turn, from 1, whose actions so far no longer fit into the model; None if all
    fit. `tokens_full`: the word pieces of everything the assistant said; 0 without a plan. `model`,
    `lexicon`: the names of what was used.
    """

    actions_truncated: Estimate
    actions_windowed: Estimate
    full_truncated: Estimate
    full_windowed: Estimate
    turns: tuple[AlignedTurn, ...]
    truncated_from: int | None
    tokens_full: int
    model: str
    lexicon: str

    def curve(self, variant: Variant = "windowed", mode: Mode = "actions") -> list[float | None]:
        """Return one cosine per turn: of all actions up to it, or with mode "full" of everything said.

        A value is None where there is no plan or no text yet.
        """
        name = variant if mode == "actions" else f"{mode}_{variant}"
        return [getattr(turn, name) for turn in self.turns]


def band(score: float | None) -> str | None:
    """Return "poor" below 0.6, "strong" above 0.8, else "moderate"; None without a score.

    The bands are uncalibrated: show `BANDS_NOTE` with them.
    """
    if score is None:
        return None
    (low, high), (poor, moderate, strong) = BANDS
    return poor if score < low else strong if score > high else moderate


def calculate_alignment_score(
    model_actions: Sequence[str | None],
    target_plan: str | None,
    mode: Mode = "actions",
    variant: Variant = "truncated",
    words: Lexicon | None = None,
    embedder: TextEmbedder | None = None,
) -> float | None:
    """Return the cosine, -1 to 1, between the plan of care and the actions of a whole conversation.

    Args:
        model_actions: the assistant's replies, one per turn; None for no reply.
        target_plan: the plan of care.
        mode: "actions" compares the clinical actions in the replies, "full" the whole replies.
        variant: "truncated" reads only the beginning of a long text; "windowed" averages over all of it.
        words: the lexicon of clinical actions; None for the product's own.
        embedder: the model; None for the configured one.

    Returns:
        None where there is no plan, or no action or text.

    Raises:
        BadInput: an argument of the wrong type, an unknown mode or an unknown variant.
        ModelMissing: the configured model cannot be used (scoring.models.model_settings).
    """
    if mode not in ("actions", "full"):
        raise BadInput("mode", f'expected "actions" or "full", found {mode!r}')
    if variant not in ("truncated", "windowed"):
        raise BadInput("variant", f'expected "truncated" or "windowed", found {variant!r}')
    estimate: Estimate = getattr(align(model_actions, target_plan, words, embedder), f"{mode}_{variant}")
    return estimate.value


def calculate_alignment_curve_actions(
    model_actions: Sequence[str | None],
    target_plan: str | None,
    variant: Variant = "truncated",
    words: Lexicon | None = None,
    embedder: TextEmbedder | None = None,
) -> list[float | None]:
    """Return one cosine per turn, -1 to 1, between the plan of care and all actions up to that turn.

    The arguments and errors are those of `calculate_alignment_score`.

    Returns:
        None for the turns before the first action; [] without turns or without a plan.
    """
    if variant not in ("truncated", "windowed"):
        raise BadInput("variant", f'expected "truncated" or "windowed", found {variant!r}')
    if not text("target_plan", target_plan).strip():
        texts("model_actions", model_actions)
        return []
    return align(model_actions, target_plan, words, embedder).curve(variant)


def align(
    model_actions: Sequence[str | None],
    target_plan: str | None,
    words: Lexicon | None = None,
    embedder: TextEmbedder | None = None,
) -> GoalAlignment:
    """Return all scores of one conversation; arguments and errors as in `calculate_alignment_score`."""
    return align_all([(model_actions, target_plan)], words, embedder)[0]


def align_all(
    sessions: Sequence[tuple[Sequence[str | None], str | None]],
    words: Lexicon | None = None,
    embedder: TextEmbedder | None = None,
) -> list[GoalAlignment]:
    """Return all scores of many conversations, in order; the model reads each distinct window only once.

    Args:
        sessions: (replies, plan) of each conversation.
        words: the lexicon of clinical actions; None for the product's own.
        embedder: the model; None for the configured one.

    Raises:
        BadInput: an argument of the wrong type.
        ModelMissing: the configured model cannot be used (scoring.models.model_settings).
    """
    if isinstance(sessions, (str, bytes)) or not isinstance(sessions, Sequence):
        raise BadInput("sessions", f"expected a list of (replies, plan), found {type(sessions).__name__}")
    for number, session in enumerate(sessions):
        if not isinstance(session, (tuple, list)) or len(session) != 2:
            raise BadInput(
                f"sessions[{number}]", f"expected replies and a plan, found {type(session).__name__}"
            )
    action_lexicon = words or lexicon()
    read = [
        SessionTexts(texts("model_actions", replies), text("target_plan", plan), action_lexicon)
        for replies, plan in sessions
    ]
    model: TextEmbedder = embedder or _configured()
    embedded = _EmbeddedTexts(model, [session_text for session in read for session_text in session.texts()])
    return [_aligned(session, embedded, model.label, action_lexicon.label) for session in read]


def _configured() -> TextEmbedder:
    from scoring.models.embedder import configured_embedder

    return configured_embedder()


class SessionTexts:
    """The texts of one conversation that are embedded."""

    def __init__(self, replies: list[str], plan: str, words: Lexicon) -> None:
        self.plan = plan if plan.strip() else ""
        self._replies = [clean(reply) for reply in replies]
        self.actions = [extract_clinical_actions(reply, words) for reply in replies]

    @property
    def full(self) -> str:
        """Return everything the assistant said; "" if nothing."""
        return self.full_so_far[-1] if self.full_so_far else ""

    @cached_property
    def so_far(self) -> list[str]:
        return _joined_so_far(self.actions)

    @cached_property
    def full_so_far(self) -> list[str]:
        return _joined_so_far(self._replies)

    def texts(self) -> Iterator[str]:
        """Yield the texts to embed, without empty ones, the plan first; nothing without a plan."""
        if self.plan:
            parts = (self.plan, *self.full_so_far, *self.so_far, *self.actions)
            yield from (part for part in parts if part)


def _joined_so_far(parts: Sequence[str]) -> list[str]:
    """By turn, all parts up to it."""
    joined: list[str] = []
    for part in parts:
        joined.append(" ".join(text_part for text_part in (joined[-1] if joined else "", part) if text_part))
    return joined


class _EmbeddedTexts:
    """Distinct texts as windows of word pieces, and the vector of each distinct window."""

    def __init__(self, model: TextEmbedder, said: list[str]) -> None:
        distinct = list(dict.fromkeys(said))
        self._pieces = dict(zip(distinct, model.pieces(distinct), strict=True))
        self._window = model.window
        windows = list(
            dict.fromkeys(window for pieces in self._pieces.values() for window in self._windows(pieces))
        )
        self._vectors: dict[Pieces, Vector] = dict(zip(windows, model.vectors(windows), strict=True))

    def _windows(self, pieces: Pieces) -> list[Pieces]:
        return [pieces[start : start + self._window] for start in range(0, len(pieces), self._window)] or [()]

    def tokens(self, said: str) -> int:
        return len(self._pieces.get(said, ()))

    def fits(self, said: str) -> bool:
        return self.tokens(said) <= self._window

    def cosine(self, said: str, plan: str, variant: Variant) -> float | None:
        """None where either is empty, or its vector has no length."""
        if not said or not plan:
            return None
        one, other = self._vector(said, variant), self._vector(plan, variant)
        length = float(np.linalg.norm(one) * np.linalg.norm(other))
        return float(np.clip(np.dot(one, other) / length, -1.0, 1.0)) if length > 0 else None

    def _vector(self, said: str, variant: Variant) -> Vector:
        windows = self._windows(self._pieces[said])
        if variant == "truncated" or len(windows) == 1:
            windows = windows[:1]
        weights = [max(1, len(window)) for window in windows]
        return np.asarray(np.average([self._vectors[window] for window in windows], axis=0, weights=weights))


def _aligned(session: SessionTexts, embedded: _EmbeddedTexts, model: str, words: str) -> GoalAlignment:
    turns = tuple(
        AlignedTurn(
            actions,
            embedded.tokens(so_far) if session.plan else 0,
            embedded.cosine(so_far, session.plan, "truncated"),
            embedded.cosine(so_far, session.plan, "windowed"),
            embedded.cosine(actions, session.plan, "windowed"),
            embedded.cosine(full, session.plan, "truncated"),
            embedded.cosine(full, session.plan, "windowed"),
        )
        for actions, so_far, full in zip(session.actions, session.so_far, session.full_so_far, strict=True)
    )
    everything = session.so_far[-1] if session.so_far else ""

    def estimate(actions_text: str, variant: Variant, nothing: str) -> Estimate:
        value, method = embedded.cosine(actions_text, session.plan, variant), f"cosine, {variant}, {model}"
        reason = NO_PLAN if not session.plan else nothing if not actions_text else NO_LENGTH
        return (
            Estimate(value, embedded.tokens(actions_text), method)
            if value is not None
            else undefined_estimate(reason, 0, method)
        )

    nothing = NO_ACTION if session.full else NO_TEXT
    return GoalAlignment(
        actions_truncated=estimate(everything, "truncated", nothing),
        actions_windowed=estimate(everything, "windowed", nothing),
        full_truncated=estimate(session.full, "truncated", NO_TEXT),
        full_windowed=estimate(session.full, "windowed", NO_TEXT),
        turns=turns,
        truncated_from=next(
            (
                number
                for number, actions_text in enumerate(session.so_far, start=1)
                if not embedded.fits(actions_text)
            ),
            None,
        ),
        tokens_full=embedded.tokens(session.full),
        model=model,
        lexicon=words,
    )
