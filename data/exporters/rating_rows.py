"""Every answer of a study as a row: one for each question that a rater answered, and one for each answer of a
judge, unit by unit.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import groupby, repeat
from operator import itemgetter
from typing import Any, NamedTuple, get_args, get_type_hints

from sqlalchemy import Connection, Row, Select, and_, func, null, select

from data import schema
from data.exporters.assessments import EXPOSURE_ARMS
from data.exporters.marked_places import NONE, MarkedPlaces, describe_turns
from data.labels.counted import ARMS, counted_units
from data.labels.event_days import stated_moment
from data.labels.headline_labels import HeadlineLabels
from data.labels.headline_reasons import HeadlineReasons, WhyNot
from data.labels.rating_durations import SecondsPerUnit, rating_moments
from data.labels.settlements import settled
from data.record.judgements import first_labels_only
from data.record.known_words import was_unseen
from data.record.rater_codes import read_rater_codes
from data.record.rater_identities import rater_identities
from data.record.studies import Study, select_rater_ids
from data.schema.vocabulary import UnitKind

UNITS_AT_ONCE = 100  # so few that Python needs not look through their rows again for what is unused
SEEN_JUDGE = "judge_visible"
EXPOSURES = {  # exposure of a rating -> its word in files
    exposure: word for word, arm in EXPOSURE_ARMS.items() for exposure in ARMS[arm]
}
# Returns the words for a reason: of a person (None: of a judge), with the status of the call.
Explain = Callable[[WhyNot, int | None, str | None], str]


class RatingRow(NamedTuple):
    """One row; None is an empty cell. reports/agreement/rating_columns.py says what each field means."""

    conversation: str
    unit: int
    turn: int | None
    criterion: str
    giver: str
    rater: str | None
    judge: str | None
    judge_key: str | None
    provider: str | None
    model: str | None
    prompt: str | None
    replicate: int
    anchor_round: int
    source: str
    status: str | None
    first_label: str | None
    final_label: str | None
    headline_label: str | None
    cannot_rate: str | None
    changes: int | None
    exposure: str | None
    final_exposure: str | None
    time: str | None
    final_time: str | None
    seconds: float | None
    confidence: int | None
    also_defensible: str | None
    evidence: str | None
    note: str | None
    reasoning: str | None
    settled_label: str | None
    settled_cause: str | None
    in_headline: str
    why_not: str | None


class _Unit(NamedTuple):
    """A unit with its conversation. `counts`: whether its labels may count."""

    id: int
    kind: str
    message: int | None
    position: int
    counts: bool
    key: str
    turns: int
    transcript: int | None


class _Rating(NamedTuple):
    """A stored rating. `unseen`: its rater had not seen the judge of the same words elsewhere."""

    id: int
    unit_id: int
    rater_id: int
    criterion: str
    label: str | None
    cannot_rate: str | None
    source: str
    exposure: str
    also: str
    confidence: int | None
    evidence: str
    at: str | None
    unseen: bool
    note: str | None

    @property
    def shown(self) -> str:
        return EXPOSURES[self.exposure] if self.unseen else SEEN_JUDGE


def column_types() -> dict[str, type]:
    """Return field of `RatingRow` -> str, int or float."""
    return {name: next(iter(get_args(hint)), hint) for name, hint in get_type_hints(RatingRow).items()}


def count_rating_rows(connection: Connection, study: Study) -> int:
    """Return how many rows `read_rating_rows` yields."""
    rating, judgement = schema.rating, schema.judgement
    questions = (
        select(rating.c.rater_id, rating.c.unit_id, rating.c.criterion)
        .where(rating.c.rater_id.in_(select_rater_ids(study.id)))
        .distinct()
        .subquery()
    )
    answered = connection.execute(select(func.count()).select_from(questions)).scalar_one()
    judged = select(func.count()).select_from(judgement).where(judgement.c.study_id == study.id)
    return int(answered + connection.execute(judged).scalar_one())


def read_rating_rows(
    connection: Connection,
    study: Study,
    headline: HeadlineLabels,
    columns: Sequence[str],
    explain: Explain,
    words: bool = True,
) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a few units at a time, in the order of the units, people by code before judges.

    Args:
        headline: which labels the headline compares.
        columns: fields of `RatingRow` in the order of the cells; "unit" is one of them.
        explain: returns the words for a reason.
        words: False leaves out what people and judges wrote and the words that were marked.
    """
    table = _Table(connection, study, headline, columns, explain, words)
    units = connection.execute(_select_units(study.id), execution_options={"yield_per": UNITS_AT_ONCE})
    for some in units.partitions():
        yield table.rows_of([_Unit._make(unit) for unit in some])


def _select_units(study_id: int) -> Select[Any]:
    """Units in the order of the study; one that comes again stands with the unit that it shows."""
    unit, conversation, again = schema.unit, schema.conversation, schema.repeat
    shown = unit.alias()
    position = func.coalesce(shown.c.position, unit.c.position)
    return (
        select(
            unit.c.id,
            unit.c.kind,
            unit.c.message,
            position.label("position"),
            and_(*counted_units()).label("counts"),
            conversation.c.key,
            conversation.c.turns,
            conversation.c.transcript_content,
        )
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .outerjoin(again, again.c.unit_id == unit.c.id)
        .outerjoin(shown, shown.c.id == again.c.of_unit_id)
        .where(unit.c.study_id == study_id)
        .order_by(position, unit.c.id)
    )


class _Table:
    """Makes the rows of some units at a time."""

    def __init__(
        self,
        connection: Connection,
        study: Study,
        headline: HeadlineLabels,
        columns: Sequence[str],
        explain: Explain,
        words: bool,
    ) -> None:
        self._connection, self._study, self._headline = connection, study, headline
        self._columns = columns
        self._explain, self._words = cache(explain), words
        self._codes = read_rater_codes(connection, study)
        self._persons = rater_identities(connection, study.id)
        self._judges = _read_judges(connection, study.id)
        self._settled = {
            (each.unit_id, each.criterion): (each.label, each.cause) for each in settled(connection, study.id)
        }
        self._seconds = SecondsPerUnit(rating_moments(connection, study))

    def rows_of(self, units: Sequence[_Unit]) -> list[tuple[Any, ...]]:
        """Return the rows of these units in their order."""
        ids = [unit.id for unit in units]
        ratings = list(map(_Rating._make, self._connection.execute(self._select_ratings(ids))))
        verdicts = self._connection.execute(self._select_verdicts(ids)).all()
        marked = {rating.unit_id for rating in ratings if rating.evidence != NONE}
        places = MarkedPlaces(
            self._connection,
            [unit.transcript for unit in units if unit.message is not None or unit.id in marked],
        )
        reasons = HeadlineReasons(self._study, self._headline, ids, [rating.id for rating in ratings])
        turn_by_unit = {unit.id: places.turn_of(unit.transcript, unit.message) for unit in units}
        unit_by_id = {unit.id: unit for unit in units}
        rows = [
            (unit_by_id[answers[0].unit_id], answers)
            for _, of_question in groupby(ratings, itemgetter(slice(1, 4)))
            if (answers := list(of_question))
        ]
        # By code, because the order of ids would tell who joined first.
        rows.sort(key=lambda row: self._codes[row[1][0].rater_id])
        seconds = self._seconds.of_units(ids)
        choose = itemgetter(*map(RatingRow._fields.index, self._columns))
        rating_rows = [
            choose(self._row_of_rater(unit, turn_by_unit[unit.id], answers, seconds, places, reasons))
            for unit, answers in rows
        ]
        rating_rows += self._rows_of_judges(unit_by_id, turn_by_unit, verdicts, reasons)
        rating_rows.sort(key=itemgetter(self._columns.index("unit")))
        return rating_rows

    def _select_ratings(self, unit_ids: Sequence[int]) -> Select[Any]:
        rating, text = schema.rating, schema.content
        stored = _Rating._fields[:-3]
        at = stated_moment(rating, rating.c.source == "imported")
        return (
            select(*(rating.c[name] for name in stored), at, was_unseen(rating), text.c.text)
            .outerjoin_from(rating, schema.trail, schema.trail.c.seq == rating.c.trail)
            .outerjoin(text, text.c.id == rating.c.note_content)
            .where(rating.c.unit_id.in_(unit_ids), rating.c.rater_id.in_(select_rater_ids(self._study.id)))
            .order_by(rating.c.unit_id, rating.c.rater_id, rating.c.criterion, rating.c.id)
        )

    def _select_verdicts(self, unit_ids: Sequence[int]) -> Select[Any]:
        table, text = schema.judgement, schema.content
        return (
            select(
                table.c.unit_id,
                table.c.judge_id,
                table.c.criterion,
                table.c.status,
                table.c.anchor_round,
                table.c.replicate,
                first_labels_only(),
                table.c.label,
                table.c.cited,
                table.c.origin,
                stated_moment(table, table.c.origin == "import"),
                text.c.text if self._words else null(),
            )
            .outerjoin_from(table, schema.trail, schema.trail.c.seq == table.c.trail)
            .outerjoin(text, text.c.id == table.c.reasoning_content)
            .where(table.c.unit_id.in_(unit_ids))
            .order_by(
                table.c.unit_id,
                table.c.judge_id,
                table.c.criterion,
                table.c.anchor_round,
                table.c.replicate,
                table.c.id,
            )
        )

    def _row_of_rater(
        self,
        unit: _Unit,
        turn: int | None,
        answers: Sequence[_Rating],
        seconds: dict[tuple[int, int], float],
        places: MarkedPlaces,
        reasons: HeadlineReasons,
    ) -> RatingRow:
        """Return the row of a question that a rater answered: `answers` are the first one and its changes."""
        first, final = answers[0], answers[-1]
        person = self._persons.get(final.rater_id, final.rater_id)
        why_not = reasons.of_rating(unit, person, answers)
        settled_label, settled_cause = self._settled.get((unit.id, final.criterion), (None, None))
        return RatingRow(
            conversation=unit.key,
            unit=unit.position,
            turn=turn,
            criterion=final.criterion,
            giver="person",
            rater=self._codes[final.rater_id],
            judge=None,
            judge_key=None,
            provider=None,
            model=None,
            prompt=None,
            replicate=int(unit.kind != UnitKind.LISTED),
            anchor_round=0,
            source=final.source,
            status=None,
            first_label=first.label,
            final_label=final.label,
            headline_label=None
            if why_not
            else next(answer.label for answer in answers if answer.id in reasons.compared),
            cannot_rate=final.cannot_rate,
            changes=len(answers) - 1,
            exposure=first.shown,
            final_exposure=final.shown,
            time=first.at,
            final_time=final.at,
            seconds=seconds.get((final.rater_id, unit.id)),
            confidence=final.confidence,
            also_defensible=_join_labels(final.also),
            evidence=places.describe(unit.transcript, final.evidence, self._words),
            note=(final.note or None) if self._words else None,
            reasoning=None,
            settled_label=settled_label,
            settled_cause=settled_cause,
            in_headline="no" if why_not else "yes",
            why_not=self._explain(why_not, person, None) if why_not else None,
        )

    def _rows_of_judges(
        self,
        unit_by_id: dict[int, _Unit],
        turn_by_unit: dict[int, int | None],
        verdicts: Sequence[Row[Any]],
        reasons: HeadlineReasons,
    ) -> list[tuple[Any, ...]]:
        """Return a row for each verdict, made column by column: there are very many."""
        if not verdicts:
            return []
        columns = list(zip(*verdicts, strict=True))
        unit_ids, judge_ids, criteria, statuses, rounds, replicates = columns[:6]
        labels, cited, origins, moments, texts = columns[7:]
        units = [unit_by_id[unit_id] for unit_id in unit_ids]
        why_not = list(map(reasons.of_verdict, units, *columns[1:7]))
        judges = zip(*(self._judges[judge_id] for judge_id in judge_ids), strict=True)
        decisions = [
            self._settled.get(question, (None, None)) for question in zip(unit_ids, criteria, strict=True)
        ]
        name, key, provider, model, prompt = judges
        cells = {
            "conversation": [unit.key for unit in units],
            "unit": [unit.position for unit in units],
            "turn": [turn_by_unit[unit_id] for unit_id in unit_ids],
            "criterion": criteria,
            "giver": repeat("judge"),
            "judge": name,
            "judge_key": key,
            "provider": provider,
            "model": model,
            "prompt": prompt,
            "replicate": replicates,
            "anchor_round": rounds,
            "source": origins,
            "status": statuses,
            "first_label": labels,
            "final_label": labels,
            "headline_label": [None if why else label for why, label in zip(why_not, labels, strict=True)],
            "time": moments,
            "final_time": moments,
            "evidence": map(describe_turns, cited),
            "reasoning": [text or None for text in texts],
            "settled_label": [label for label, _ in decisions],
            "settled_cause": [cause for _, cause in decisions],
            "in_headline": ["no" if why else "yes" for why in why_not],
            "why_not": [
                self._explain(why, None, status) if why else None
                for why, status in zip(why_not, statuses, strict=True)
            ],
        }
        return list(zip(*(cells.get(name, repeat(None)) for name in self._columns), strict=False))


@cache
def _join_labels(also: str) -> str | None:
    return "; ".join(json.loads(also)) or None


def _read_judges(connection: Connection, study_id: int) -> dict[int, tuple[str, str, str, str, str]]:
    """Return judge -> name, key, provider, model and prompt."""
    judges = {}
    for row in connection.execute(select(schema.judge).where(schema.judge.c.study_id == study_id)):
        identity = json.loads(row.identity)
        provider, model, prompt = (
            str(identity.get(part, "unknown")) for part in ("provider", "model", "prompt")
        )
        judges[row.id] = (row.name, row.key, provider, model, prompt)
    return judges
