"""What is needed to audit the reasons of one judge: its first verdicts with their words, and what clinicians
said of the same, blind."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any

from sqlalchemy import Connection, Row, select

from data import schema
from data.labels.counted import counted_ratings
from data.labels.reason_counts import count_labels, units_with_marks
from data.labels.reasoning_comments import of_judge, verdicts_on_reasoning
from data.record import conversations, units
from data.record.quotation_counts import Quotations, is_counted, missing_quotations, read_quotations
from data.record.rater_identities import rater_identities
from data.record.studies import Study
from data.record.units import Unit
from scoring.instruments import Criterion
from scoring.judge_reasons import ClinicianReading, JudgeReasons, ReasonedLabel, ReasoningComment
from scoring.quotations import says, searchable
from scoring.transcripts import turn_numbers

CONVERSATIONS_PER_BATCH = 250  # conversations whose words and labels are held at a time
IDS_AT_ONCE = 5_000  # a statement takes only so many
CITATIONS_HELD = 4096  # most labels cite the same few turns
Place = tuple[int, str]  # unit and criterion


def read_reasons(connection: Connection, study: Study, judge_id: int) -> JudgeReasons:
    """Return the judge's labels with their reasons, to be iterated once; they are read from the store then.

    Failures, replicates and hidden repeats are left out. Labels read one by one come with the clinicians'
    blind labels of the same unit and what anybody wrote about the reasons. A quotation of the rubric does
    not count as one of the conversation.
    """
    remarks = Remarks(connection, study.id, judge_id)
    criteria = _criteria(connection, study, judge_id)
    counts, ids = count_labels(connection, study.id, judge_id, criteria, remarks.units)
    conversation_ids = conversations.ids(connection, study.id)
    in_order = {number: ids[number] for number in conversation_ids if number in ids}
    labels = LabelReader(connection, study, remarks).labels(in_order)
    return JudgeReasons(labels, counts, conversation_ids, criteria)


class LabelReader:
    """Labels one by one, where their number is not enough."""

    def __init__(self, connection: Connection, study: Study, remarks: Remarks) -> None:
        self._connection, self._study = connection, study
        self._remarks, self._rubric = remarks, _RubricTexts(study)

    def labels(self, ids: Mapping[int, Sequence[int]]) -> Iterator[ReasonedLabel]:
        """Yield the labels with these ids, conversation by conversation in the order of `ids`."""
        for some in _parts(ids, CONVERSATIONS_PER_BATCH):
            rows: dict[int, list[Any]] = defaultdict(list)
            for part in _parts(sorted(label_id for number in some for label_id in ids[number]), IDS_AT_ONCE):
                for row in self._rows(part):
                    rows[row.unit_id].append(row)
            listed = [
                unit for unit in units.of_conversations(self._connection, list(some)) if unit.id in rows
            ]
            remarked = {unit.id for unit in listed if unit.id in self._remarks.units}
            quoted = {row.id: _quotations(row) for unit in listed for row in rows[unit.id]}
            transcripts = self._transcripts(
                unit
                for unit in listed
                if unit.id in remarked or any(quoted[row.id].missing is None for row in rows[unit.id])
            )
            ratings = _blind(self._connection, self._study.id, remarked)
            for unit in listed:
                texts = self._rubric.of(unit)
                for row in rows[unit.id]:
                    yield _reasoned_label(
                        unit,
                        transcripts.get(unit.id),
                        row,
                        quoted[row.id],
                        texts.get(row.criterion, ""),
                        ratings.get((unit.id, row.criterion), ()),
                        self._remarks,
                    )

    def _rows(self, ids: Sequence[int]) -> Sequence[Row[Any]]:
        """Labels with their reasons, in the order in which they came."""
        table, unit, words, counted = (
            schema.judgement,
            schema.unit,
            schema.content,
            schema.quotation_count,
        )
        transcript = words.alias()
        return self._connection.execute(
            select(
                table.c.id,
                table.c.unit_id,
                table.c.criterion,
                table.c.label,
                table.c.cited,
                table.c.reasoning_content,
                words.c.text.label("reasoning"),
                transcript.c.text.is_(None).label("without_transcript"),
                counted.c.quotations,
                counted.c.missing,
            )
            .join(unit, unit.c.id == table.c.unit_id)
            .join(schema.conversation, schema.conversation.c.id == unit.c.conversation_id)
            .outerjoin(counted, is_counted())
            .outerjoin(words, words.c.id == table.c.reasoning_content)
            .outerjoin(transcript, transcript.c.id == schema.conversation.c.transcript_content)
            .where(table.c.id.in_(ids))
            .order_by(table.c.id)
        ).all()

    def _transcripts(self, needed: Iterable[Unit]) -> dict[int, _Transcript]:
        """Of the units whose words are needed: where turns were marked, or quotations were not counted."""
        listed = list(needed)
        messages = conversations.read_messages(
            self._connection, sorted({unit.conversation_id for unit in listed})
        )
        return {unit.id: _Transcript(unit, messages[unit.conversation_id]) for unit in listed}


def _quotations(row: Any) -> Quotations:
    if _is_erased(row):
        return Quotations([], [])
    return read_quotations(row.reasoning or "", row.quotations, row.missing)


def _is_erased(row: Any) -> bool:
    """The conversation of a label, or its reasons."""
    return bool(row.without_transcript) or (row.reasoning is None and row.reasoning_content is not None)


def _criteria(connection: Connection, study: Study, judge_id: int) -> list[str]:
    """Those of the study, and behind them those that it no longer asks."""
    table = schema.judgement
    named = connection.execute(
        select(table.c.criterion).where(table.c.study_id == study.id, table.c.judge_id == judge_id).distinct()
    ).scalars()
    strategies = study.taxonomy.strategies if study.taxonomy is not None else ()
    asked = [criterion.id for criterion in study.instrument.criteria_for(strategies)]
    return [*asked, *sorted(set(named) - set(asked))]


def _parts(numbers: Iterable[int], size: int) -> Iterator[list[int]]:
    rest = iter(numbers)
    while part := list(islice(rest, size)):
        yield part


class Remarks:
    """What people wrote about the judge's reasons, and how far they called them right; for an imported rater
    who is a person, what the person said. `units`: those with such remarks, or with marked evidence for a
    label.
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
        self.units = units_with_marks(connection, study_id)
        self.units |= {unit for _, (unit, _) in self.verdicts} | {unit for unit, _ in self.comments}


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
    transcript: _Transcript | None,
    row: Any,
    quoted: Quotations,
    rubric: str,
    ratings: Sequence[Any],
    remarks: Remarks,
) -> ReasonedLabel:
    """`transcript`: None where its words are not needed. `rubric`: what it says of the criterion, for `says`;
    "" where the criterion is not asked there.
    """
    place = (unit.id, row.criterion)
    quotes, missing = quoted
    if missing is None:
        missing = missing_quotations(quotes, transcript.text) if transcript else []
    lost = [quotes[number] for number in missing]
    own = [quote for quote in lost if rubric and says(rubric, quote)]
    return ReasonedLabel(
        unit.conversation_id,
        unit.id,
        unit.position,
        row.criterion,
        row.label,
        sum(quote not in own for quote in quotes) if own else len(quotes),
        tuple(quote for quote in lost if quote not in own),
        frozenset() if row.without_transcript else _cited(row.cited),
        tuple(
            ClinicianReading(
                rating.label,
                frozenset() if transcript is None else transcript.turns_of(rating.evidence),
                remarks.verdicts.get((rating.rater_id, place)),
            )
            for rating in ratings
        ),
        _is_erased(row),
        row.reasoning_content is None,
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


def _blind(connection: Connection, study_id: int, unit_ids: Collection[int]) -> dict[Place, list[Any]]:
    """Clinicians' labels of some units."""
    rating = schema.rating
    labels: dict[Place, list[Any]] = defaultdict(list)
    for part in _parts(sorted(unit_ids), IDS_AT_ONCE):
        for row in connection.execute(
            counted_ratings(study_id, "blind", part)
            .with_only_columns(
                rating.c.unit_id, rating.c.criterion, rating.c.rater_id, rating.c.label, rating.c.evidence
            )
            .where(rating.c.label.is_not(None))
            .order_by(rating.c.id)
        ):
            labels[row.unit_id, row.criterion].append(row)
    return labels
