"""Pairs of steps that raters judge on a unit's Metrics tab before they see its scores."""

from __future__ import annotations

from dataclasses import dataclass

from data.record import conversations, step_pairs
from data.record.metrics import inputs_hash
from data.record.references import Reference, References, scopes_of
from data.record.step_pairs import Places, RatedStepPair
from data.record.studies import Study
from data.record.units import Unit
from data.schema.vocabulary import StepVerdict
from data.store.errors import Refused
from data.store.store import Connection
from data.store.trail import TrailEntry
from data.work import ratings
from scoring.step_f1 import StepPair, steps_of_replies, tokens
from scoring.step_pair_choice import choose_pairs


@dataclass(frozen=True)
class StepPairs:
    """The steps of a conversation, and the pairs to judge, in order. `inputs`: the digest of the steps."""

    inputs: str
    steps: tuple[str, ...]
    gold: tuple[str, ...]
    offered: tuple[StepPair, ...]

    def pair_at(self, places: Places) -> RatedStepPair:
        """Return the pair of two steps. Raises Refused if it isn't one to judge."""
        if places not in {(pair.model, pair.gold) for pair in self.offered}:
            raise Refused("steps_changed")
        one, other = tokens(self.steps[places[0]]), tokens(self.gold[places[1]])
        return RatedStepPair(self.inputs, *places, len(one & other), len(one) + len(other))


def offered_pairs(replies: list[str | None], gold: list[str]) -> StepPairs:
    """Return the assistant's steps and the gold steps with the pairs to judge; no pairs if none is
    similar.
    """
    steps = steps_of_replies(replies)
    inputs = inputs_hash("step_pairs", "1", steps, gold)
    return StepPairs(inputs, tuple(steps), tuple(gold), tuple(choose_pairs(steps, gold, inputs)))


def is_hidden(reference: Reference, committed: bool) -> bool:
    """Tell whether a reference is hidden from this person. A reference for a condition, and numbers made with
    it, reveal the condition, so a blind rater must not see them.
    """
    return not committed and reference.level == "condition"


def step_pairs_of_unit(connection: Connection, study: Study, unit: Unit, rater_id: int) -> StepPairs | None:
    """Return the pairs that this rater may judge in a unit of their list. None if it has no gold steps as a
    whole, they are hidden from the rater, or the text was erased.
    """
    if unit.message is not None:
        return None
    conversation = conversations.read(connection, [unit.conversation_id])[0]
    scopes = scopes_of(conversation.key, conversation.condition)
    gold = References(connection, study.id, scopes).of("gold_steps", conversation.key, conversation.condition)
    committed = ratings.committed_at(connection, rater_id, unit.id) is not None
    if gold is None or conversation.messages is None or is_hidden(gold, committed):
        return None
    return offered_pairs(conversation.replies(), gold.body)


def rate_step_pair(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    unit: Unit,
    rater_id: int,
    event: str,
    inputs: str,
    places: Places,
    verdict: str,
) -> None:
    """Save an answer on a pair. Raises Refused if this rater may not judge it, or has seen its score."""
    pairs = _present_pairs(connection, study, unit, rater_id, inputs)
    step_pairs.rate(connection, entry, unit, rater_id, event, pairs.pair_at(places), StepVerdict(verdict))


def show_step_scores(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    unit: Unit,
    rater_id: int,
    event: str,
    inputs: str,
) -> None:
    """Record that this rater sees how the steps match, and judges no pair from now on.

    Raise Refused if the steps have changed or may not be judged by this rater.
    """
    _present_pairs(connection, study, unit, rater_id, inputs)
    step_pairs.show_scores(connection, entry, unit, rater_id, event, inputs)


def _present_pairs(connection: Connection, study: Study, unit: Unit, rater_id: int, inputs: str) -> StepPairs:
    pairs = step_pairs_of_unit(connection, study, unit, rater_id)
    if pairs is None or pairs.inputs != inputs:
        raise Refused("steps_changed")
    return pairs
