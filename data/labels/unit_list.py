"""The units of a study to choose from: how each begins, how long it is, who labelled it, and what it is used
for. For a study lead.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, Text, case, cast, exists, func, literal, or_, select

from data import schema
from data.record.studies import Study, select_rater_ids
from data.schema.vocabulary import UnitKind
from data.store.letter_case import contains

WORDS = 90  # letters of a beginning


@dataclass(frozen=True)
class ListedUnit:
    """`beginning`: of what is rated, None where its words are not there. `raters`: how many people labelled
    it, from a file too. `use`: "gold", "calibration", or "" where it is given for real.
    """

    id: int
    position: int
    conversation: str
    beginning: str | None
    turns: int
    raters: int
    use: str


@dataclass(frozen=True)
class UnitList:
    """`total` units match; `units` are the first of them, in the order of the study."""

    total: int
    units: list[ListedUnit]


def list_units(connection: Connection, study: Study, words: str = "", most: int = 500) -> UnitList:
    """Return the units of a study that match, the first `most` of them in the order of the study.

    `words`: part of the conversation's id or of the beginning of what is rated, or the unit's number; ""
    matches all.
    """
    unit, conversation, text, rating = schema.unit, schema.conversation, schema.content, schema.rating
    beginning = _beginning()
    columns = select(
        unit.c.id,
        unit.c.position,
        conversation.c.key,
        beginning.label("beginning"),
        conversation.c.turns,
        select(func.count(rating.c.rater_id.distinct()))
        .where(rating.c.unit_id == unit.c.id, rating.c.rater_id.in_(select_rater_ids(study.id)))
        .scalar_subquery()
        .label("raters"),
        case(
            (exists().where(schema.gold_label.c.unit_id == unit.c.id), "gold"),
            # Not correlated, so that the few units of practice rounds are read once.
            (unit.c.id.in_(select(schema.calibration_unit.c.unit_id)), "calibration"),
            else_="",
        ).label("use"),
    )
    source = unit.join(conversation, conversation.c.id == unit.c.conversation_id).outerjoin(
        text, text.c.id == conversation.c.transcript_content
    )
    matching = [unit.c.study_id == study.id, unit.c.kind == UnitKind.LISTED]
    if words.strip():
        matching.append(_holds(words.strip(), conversation.c.key, beginning))
    total = connection.execute(select(func.count()).select_from(source).where(*matching)).scalar_one()
    rows = connection.execute(
        columns.select_from(source).where(*matching).order_by(unit.c.position).limit(most)
    )
    return UnitList(
        total,
        [
            ListedUnit(row.id, row.position, row.key, _shorten(row.beginning), row.turns, row.raters, row.use)
            for row in rows
        ],
    )


def beginnings_at(connection: Connection, study: Study, positions: Collection[int]) -> dict[int, str]:
    """Return position -> how the rated text of that unit begins; positions whose text is erased are
    absent.
    """
    unit, conversation, text = schema.unit, schema.conversation, schema.content
    rows = connection.execute(
        select(unit.c.position, _beginning().label("beginning"))
        .join(conversation, conversation.c.id == unit.c.conversation_id)
        .join(text, text.c.id == conversation.c.transcript_content)
        .where(unit.c.study_id == study.id, unit.c.kind == UnitKind.LISTED, unit.c.position.in_(positions))
    )
    return {row.position: line for row in rows if (line := _shorten(row.beginning)) is not None}


def _beginning() -> ColumnElement[str | None]:
    """The first letters of the message that is rated, of a whole conversation of its first one."""
    message = func.coalesce(schema.unit.c.message, 0)
    place = literal("$[", Text) + cast(message, Text) + "][1]"
    return func.substr(func.json_extract(schema.content.c.text, place), 1, 4 * WORDS)


def _holds(words: str, key: ColumnElement[str], beginning: ColumnElement[str | None]) -> ColumnElement[bool]:
    return or_(
        contains(key, words),
        contains(beginning, words),
        *([schema.unit.c.position == int(words)] if words.isdecimal() and len(words) < 9 else []),
    )


def _shorten(beginning: str | None) -> str | None:
    if beginning is None:
        return None
    line = " ".join(beginning.split())
    return line if len(line) <= WORDS else f"{line[: WORDS - 1]}\u2026"
