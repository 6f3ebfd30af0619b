"""Pairs of steps that raters are asked about on the metrics tab of a unit, before its scores are shown to
them.
"""

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
    """The steps of a conversation, and the pairs of them that are asked about, in the order in which they
    are. `inputs`: the digest of the steps.
    """

    inputs: str
    steps: tuple[str, ...]
    gold: tuple[str, ...]
    offered: tuple[StepPair, ...]

    def pair_at(self, places: Places) -> RatedStepPair:
        """Raises Refused for a pair that is not asked about."""
        if places not in {(pair.model, pair.gold) for pair in self.offered}:
            raise Refused("steps_changed")
        one, other = tokens(self.steps[places[0]]), tokens(self.gold[places[1]])
        return RatedStepPair(self.inputs, *places, len(one & other), len(one) + len(other))


def offered_pairs(replies: list[str | None], gold: list[str]) -> StepPairs:
    """The pairs of what an assistant said with gold steps; none offered where none comes near."""
    steps = steps_of_replies(replies)
    inputs = inputs_hash("step_pairs", "1", steps, gold)
    return StepPairs(inputs, tuple(steps), tuple(gold), tuple(choose_pairs(steps, gold, inputs)))


def is_hidden(reference: Reference, committed: bool) -> bool:
    """Whether a reference is kept from somebody: what is given for a condition tells the condition, and
    numbers made with it do too, so it is not for a blind rater.
    """
    return not committed and reference.level == "condition"


def step_pairs_of_unit(connection: Connection, study: Study, unit: Unit, rater_id: int) -> StepPairs | None:
    """What this rater may be asked about in a unit of their list; None where there are no gold steps for the
    whole of it, or not for them, or its words were erased.
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
    """Raises Refused for a pair that this rater is not asked about, and once its score was shown to them."""
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
    """From now on the page shows this rater how the steps meet. Raises Refused."""
    _present_pairs(connection, study, unit, rater_id, inputs)
    step_pairs.show_scores(connection, entry, unit, rater_id, event, inputs)


def _present_pairs(connection: Connection, study: Study, unit: Unit, rater_id: int, inputs: str) -> StepPairs:
    pairs = step_pairs_of_unit(connection, study, unit, rater_id)
    if pairs is None or pairs.inputs != inputs:
        raise Refused("steps_changed")
    return pairs
