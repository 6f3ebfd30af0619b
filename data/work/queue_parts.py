"""A part of a queue of disagreements, safety first, then how far apart, and what stands before it: only what
is shown is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Subquery, case, func, literal, select

from data.studies import Study
from data.work.scale_places import levels_apart


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One criterion of one unit. `distance` is how far the labels are apart, as a share of the scale (1: as
    far as can be, or in kind); `reopened`: it had been settled, and blind labels came since.
    """

    unit_id: int
    position: int
    criterion: str
    gate: bool
    distance: float
    raters: int
    reopened: bool


@dataclass(frozen=True)
class DisagreementList:
    """A part of a queue, behind its first `after`, and how many are in all of it."""

    items: list[Disagreement]
    total: int
    after: int = 0


@dataclass(frozen=True)
class QueuePart:
    """Which part of a queue is asked for: the page of `at_most` behind the first `after`, or the one on which
    `beside` stands, a unit's id and a criterion, where it stands in the queue. `criterion`: of this one only;
    `levels`: only what is at least so far apart on a scale with an order.
    """

    after: int = 0
    beside: tuple[int, str] | None = None
    criterion: str = ""
    levels: int = 0


FIRST_PART = QueuePart()


def read_part(
    connection: Connection, study: Study, statement: Select[Any], at_most: int, part: QueuePart
) -> DisagreementList:
    """`statement` selects what is in the queue: unit_id, position, criterion, gate, apart, raters and
    reopened.
    """
    inner = statement.subquery("queue")
    order = {c.id: number for number, c in enumerate(study.instrument.criteria)}
    place = case(order, value=inner.c.criterion, else_=len(order)) if order else literal(0)
    narrowed = [inner.c.criterion == part.criterion] if part.criterion else []
    if part.levels:
        apart = levels_apart(study, inner.c.criterion, inner.c.apart)
        narrowed.append(apart > part.levels - 0.5)  # a distance is a fraction that was computed
    in_order = (
        inner.c.gate.desc(),
        (inner.c.raters == 1).asc(),
        inner.c.apart.desc(),
        inner.c.position,
        place,
        inner.c.criterion,
    )
    if part.beside is None and not part.after:
        numbered = select(inner, func.count().over().label("total"), literal(0).label("after"))
        rows = connection.execute(numbered.where(*narrowed).order_by(*in_order).limit(at_most)).all()
    else:
        rows = connection.execute(_page(inner, narrowed, in_order, at_most, part)).all()
    items = [
        Disagreement(
            row.unit_id,
            row.position,
            row.criterion,
            bool(row.gate),
            float(row.apart),
            row.raters,
            bool(row.reopened),
        )
        for row in rows
    ]
    if not rows and part.after:  # the queue has become shorter
        return read_part(connection, study, statement, at_most, replace(part, after=0))
    return DisagreementList(items, rows[0].total, rows[0].after) if rows else DisagreementList([], 0)


def _page(
    inner: Subquery,
    narrowed: Sequence[ColumnElement[bool]],
    in_order: Sequence[ColumnElement[Any]],
    at_most: int,
    part: QueuePart,
) -> Select[Any]:
    """The rows of one page, with what stands before it."""
    queue = (
        select(
            inner,
            func.count().over().label("total"),
            (func.row_number().over(order_by=in_order) - 1).label("place"),
        )
        .where(*narrowed)
        .cte("numbered")
    )
    page_number = part.after // at_most
    page: ColumnElement[int] = literal(page_number)
    if part.beside is not None:
        own = select(queue.c.place // at_most).where(
            queue.c.unit_id == part.beside[0], queue.c.criterion == part.beside[1]
        )
        page = func.coalesce(own.scalar_subquery(), page_number)
    after = (page * at_most).label("after")
    return (
        select(queue, after)
        .where(queue.c.place >= page * at_most, queue.c.place < (page + 1) * at_most)
        .order_by(queue.c.place)
    )
