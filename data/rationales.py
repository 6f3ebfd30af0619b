"""What is needed to audit the reasons of one judge: its first verdicts with their words, and what clinicians
said of the same, blind."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from data import content, conversations, schema, units
from data.conversations import Conversation
from data.judgements import first_verdict
from data.rater_identities import rater_identities
from data.reasoning_comments import of_judge, verdicts_on_reasoning
from data.studies import Study
from data.units import Unit
from data.work.disagreements import blind_labels
from scoring.instruments import Criterion
from scoring.quotations import quotations, says, searchable
from scoring.rationale import ClinicianReading, ReasonedLabel, ReasoningComment
from scoring.transcripts import turn_numbers

AT_ONCE = 50  # conversations whose words are held at a time
Place = tuple[int, str]  # unit and criterion


def reasoned(connection: Connection, study: Study, judge_id: int) -> Iterator[ReasonedLabel]:
    """The judge's labels in the order of the conversations; failures, replicates and units that are shown
    again stay out.

    Beside each stand the clinicians who labelled the same blind and for real, and what anybody wrote of its
    reasons. A quotation of the rubric is none of the conversation.
    """
    table, given = schema.judgement, _blind(connection, study.id)
    called = verdicts_on_reasoning(connection, study.id, judge_id)
    for imported_id, person_id in rater_identities(connection, study.id).items():
        called |= {
            (imported_id, place): value
            for (rater_id, place), value in called.items()
            if rater_id == person_id
        }
    comments: dict[Place, list[ReasoningComment]] = defaultdict(list)
    for comment in of_judge(connection, study.id, judge_id):
        comments[comment.unit, comment.criterion].append(comment)
    rows: dict[int, list[Any]] = defaultdict(list)
    for row in connection.execute(
        select(table.c.unit_id, table.c.criterion, table.c.label, table.c.cited, table.c.reasoning_content)
        .where(
            table.c.study_id == study.id,
            table.c.judge_id == judge_id,
            table.c.status == "ok",
            first_verdict(),
        )
        .order_by(table.c.id)
    ):
        rows[row.unit_id].append(row)
    conversation_ids = conversations.ids(connection, study.id)
    for start in range(0, len(conversation_ids), AT_ONCE):
        some = conversation_ids[start : start + AT_ONCE]
        read = {
            stored_conversation.id: stored_conversation
            for stored_conversation in conversations.read(connection, some)
        }
        of_these = [unit for unit in units.of_conversations(connection, some) if unit.id in rows]
        texts = content.get_many(
            connection, [row.reasoning_content for unit in of_these for row in rows[unit.id]]
        )
        for unit in of_these:
            conversation = read[unit.conversation_id]
            for label in _of_unit(study, unit, conversation, rows[unit.id], texts, given, called):
                yield replace(label, comments=tuple(comments.get((unit.id, label.criterion), ())))


def _of_unit(
    study: Study,
    unit: Unit,
    conversation: Conversation,
    rows: list[Any],
    texts: dict[int, str],
    given: dict[Place, list[Any]],
    called: dict[tuple[int, Place], str | None],
) -> Iterator[ReasonedLabel]:
    messages = (
        None
        if conversation.messages is None
        else conversation.messages[: None if unit.message is None else unit.message + 1]
    )
    turns = turn_numbers([message.role for message in messages or ()])
    transcript_text = searchable(message.text for message in messages or ())
    asked = {criterion.id: criterion for criterion in unit.criteria(study)}
    for row in rows:
        place = (unit.id, row.criterion)
        reasons = texts.get(row.reasoning_content)
        silent = row.reasoning_content is None
        erased = messages is None or (reasons is None and not silent)
        quotes = [] if erased else quotations(reasons or "")
        lost = [quote for quote in quotes if not says(transcript_text, quote)]
        if lost and row.criterion in asked:
            rubric = searchable(_words(study, asked[row.criterion]))
            own = [quote for quote in lost if says(rubric, quote)]
            quotes, lost = (
                [quote for quote in quotes if quote not in own],
                [quote for quote in lost if quote not in own],
            )
        yield ReasonedLabel(
            unit.conversation_id,
            unit.id,
            unit.position,
            row.criterion,
            row.label,
            len(quotes),
            tuple(lost),
            frozenset(json.loads(row.cited)) if messages is not None else frozenset(),
            tuple(
                ClinicianReading(
                    rating.label, _turns(rating.evidence, turns), called.get((rating.rater_id, place))
                )
                for rating in given.get(place, ())
            ),
            erased,
            silent,
        )


def _turns(evidence: str, turns: list[int]) -> frozenset[int]:
    """The turns of the marked messages, which are kept as positions from 0. What stands before the first turn
    is in none."""
    return frozenset(
        turns[span["message"]] for span in json.loads(evidence) if span["message"] < len(turns)
    ) - {0}


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


def _blind(connection: Connection, study_id: int) -> dict[Place, list[Any]]:
    rating = schema.rating
    made: dict[Place, list[Any]] = defaultdict(list)
    for row in connection.execute(
        select(rating.c.unit_id, rating.c.criterion, rating.c.rater_id, rating.c.label, rating.c.evidence)
        .where(rating.c.id.in_(blind_labels(study_id)), rating.c.label.is_not(None))
        .order_by(rating.c.id)
    ):
        made[row.unit_id, row.criterion].append(row)
    return made
