"""What is needed to audit the reasons of one judge: its first verdicts with their words, and what clinicians
said of the same, blind."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, select

from data import conversations, schema, units
from data.judgements import first_labels_only
from data.rater_identities import rater_identities
from data.reasoning_comments import of_judge, verdicts_on_reasoning
from data.studies import Study
from data.units import Unit
from data.work.label_groups import blind_labels
from scoring.instruments import Criterion
from scoring.quotations import quotations, says, searchable
from scoring.rationale import ClinicianReading, ReasonedLabel, ReasoningComment
from scoring.transcripts import turn_numbers

AT_ONCE = 50  # conversations whose words and labels are held at a time
RATINGS_HELD = 1000
CITATIONS_HELD = 4096  # most labels cite the same few turns
Place = tuple[int, str]  # unit and criterion


def reasoned(connection: Connection, study: Study, judge_id: int) -> Iterator[ReasonedLabel]:
    """The judge's labels in the order of the conversations; failures, replicates and units that are shown
    again stay out.

    Beside each stand the clinicians who labelled the same blind and for real, and what anybody wrote of its
    reasons. A quotation of the rubric is none of the conversation.
    """
    remarks = _Remarks(connection, study.id, judge_id)
    ratings = _RatingsInOrder(connection, study.id)
    rubric = _RubricTexts(study)
    conversation_ids = conversations.ids(connection, study.id)
    for start in range(0, len(conversation_ids), AT_ONCE):
        some = conversation_ids[start : start + AT_ONCE]
        ratings_by_place = ratings.take(some)
        verdicts = _verdicts(connection, study.id, judge_id, some)
        if not verdicts:
            continue
        messages = conversations.read_messages(connection, some)
        for unit in units.of_conversations(connection, some):
            if unit.id not in verdicts:
                continue
            transcript = _Transcript(unit, messages[unit.conversation_id])
            texts = rubric.of(unit)
            for row in verdicts[unit.id]:
                given = ratings_by_place.get((unit.id, row.criterion), ())
                yield _reasoned_label(unit, transcript, row, texts.get(row.criterion, ""), given, remarks)
    ratings.check_end()


class _Remarks:
    """What people wrote of the judge's reasons, and how far they called them right; of an imported rater that
    is a person, what the person said.
    """

    def __init__(self, connection: Connection, study_id: int, judge_id: int) -> None:
        self.verdicts = verdicts_on_reasoning(connection, study_id, judge_id)
        for imported_id, person_id in rater_identities(connection, study_id).items():
            self.verdicts |= {
                (imported_id, place): value
                for (rater_id, place), value in self.verdicts.items()
                if rater_id == person_id
            }
        self.comments: dict[Place, list[ReasoningComment]] = defaultdict(list)
        for comment in of_judge(connection, study_id, judge_id):
            self.comments[comment.unit, comment.criterion].append(comment)


class _RatingsInOrder:
    """Clinicians' blind labels, read along with the conversations."""

    def __init__(self, connection: Connection, study_id: int) -> None:
        self._by_conversation = groupby(_blind(connection, study_id), key=attrgetter("conversation_id"))
        self._next = next(self._by_conversation, None)

    def take(self, conversation_ids: Sequence[int]) -> dict[Place, list[Any]]:
        """Those of the next conversations, in the order of `conversations.ids`."""
        ratings: dict[Place, list[Any]] = defaultdict(list)
        for conversation_id in conversation_ids:
            if self._next is not None and self._next[0] == conversation_id:
                for rating in self._next[1]:
                    ratings[rating.unit_id, rating.criterion].append(rating)
                self._next = next(self._by_conversation, None)
        return ratings

    def check_end(self) -> None:
        if self._next is not None:
            raise RuntimeError("clinicians' labels and conversations do not stand in the same order")


class _RubricTexts:
    """What the rubric says of each criterion, for `says`."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._texts: dict[str, str] = {}

    def of(self, unit: Unit) -> dict[str, str]:
        """By criterion, of those that are asked of the unit."""
        criteria = unit.criteria(self._study)
        for criterion in criteria:
            if criterion.id not in self._texts:
                self._texts[criterion.id] = searchable(_words(self._study, criterion))
        return {criterion.id: self._texts[criterion.id] for criterion in criteria}


class _Transcript:
    """What was said up to a unit, made ready when it is asked for. `messages`: [role, text] of the whole
    conversation, None where its words are gone.
    """

    def __init__(self, unit: Unit, messages: Sequence[list[str]] | None) -> None:
        self.is_erased = messages is None
        self._messages = (messages or ())[: None if unit.message is None else unit.message + 1]

    @cached_property
    def text(self) -> str:
        """For `says`."""
        return searchable(text for _, text in self._messages)

    @cached_property
    def turns(self) -> list[int]:
        return turn_numbers([role for role, _ in self._messages])

    def turns_of(self, evidence: str) -> frozenset[int]:
        """The turns of the marked messages, which are kept as positions from 0. What stands before the first
        turn is in none.
        """
        if evidence == "[]":
            return frozenset()
        turns = self.turns
        return frozenset(
            turns[span["message"]] for span in json.loads(evidence) if span["message"] < len(turns)
        ) - {0}


def _reasoned_label(
    unit: Unit,
    transcript: _Transcript,
    row: Any,
    rubric: str,
    ratings: Sequence[Any],
    remarks: _Remarks,
) -> ReasonedLabel:
    """`rubric`: what it says of the criterion, for `says`; "" where the criterion is not asked there."""
    place = (unit.id, row.criterion)
    silent = row.reasoning_content is None
    erased = transcript.is_erased or (row.reasoning is None and not silent)
    quotes = [] if erased else quotations(row.reasoning or "")
    lost = [quote for quote in quotes if not says(transcript.text, quote)]
    own = [quote for quote in lost if rubric and says(rubric, quote)]
    return ReasonedLabel(
        unit.conversation_id,
        unit.id,
        unit.position,
        row.criterion,
        row.label,
        sum(quote not in own for quote in quotes) if own else len(quotes),
        tuple(quote for quote in lost if quote not in own),
        frozenset() if transcript.is_erased else _cited(row.cited),
        tuple(
            ClinicianReading(
                rating.label,
                transcript.turns_of(rating.evidence),
                remarks.verdicts.get((rating.rater_id, place)),
            )
            for rating in ratings
        ),
        erased,
        silent,
        tuple(remarks.comments.get(place, ())),
    )


@lru_cache(CITATIONS_HELD)
def _cited(turns: str) -> frozenset[int]:
    return frozenset(json.loads(turns))


def _words(study: Study, criterion: Criterion) -> list[str]:
    """What the rubric says of a criterion."""
    scale = study.instrument.scale_of(criterion)
    return [
        criterion.name,
        criterion.checks_for,
        criterion.not_applicable_note,
        *criterion.failures,
        *(words for level in scale.labels() for words in (level.name, level.anchor)),
    ]


def _verdicts(
    connection: Connection, study_id: int, judge_id: int, conversation_ids: Sequence[int]
) -> dict[int, list[Any]]:
    """Unit -> the judge's labels with their reasons, in the order in which they came."""
    table, unit, words = schema.judgement, schema.unit, schema.content
    verdicts: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(
        select(
            table.c.unit_id,
            table.c.criterion,
            table.c.label,
            table.c.cited,
            table.c.reasoning_content,
            words.c.text.label("reasoning"),
        )
        .join(unit, unit.c.id == table.c.unit_id)
        .outerjoin(words, words.c.id == table.c.reasoning_content)
        .where(
            unit.c.conversation_id.in_(conversation_ids),
            # With "+ 0" the rows are found by their units and not among all that the judge ever said.
            table.c.study_id + 0 == study_id,
            table.c.judge_id + 0 == judge_id,
            table.c.status == "ok",
            first_labels_only(),
        )
        .order_by(table.c.id)
    ):
        verdicts[row.unit_id].append(row)
    return verdicts


def _blind(connection: Connection, study_id: int) -> Iterator[Any]:
    """Clinicians' labels in the order of `conversations.ids`, a part of them held at a time."""
    rating, unit, conversation = schema.rating, schema.unit, schema.conversation
    yield from connection.execute(
        select(
            unit.c.conversation_id,
            rating.c.unit_id,
            rating.c.criterion,
            rating.c.rater_id,
            rating.c.label,
            rating.c.evidence,
        )
        .join(unit, unit.c.id == rating.c.unit_id)
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .where(rating.c.id.in_(blind_labels(study_id)), rating.c.label.is_not(None))
        .order_by(conversation.c.position, conversation.c.id, rating.c.id),
        execution_options={"yield_per": RATINGS_HELD},
    )
