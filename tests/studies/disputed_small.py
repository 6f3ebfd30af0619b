"""A small study in which people differ, a judge differs from them, and one label is settled."""

from __future__ import annotations

from collections.abc import Callable

from data.record.answers import Span
from data.schema.vocabulary import StudyRole
from data.settling import adjudications, unit_openings
from data.settling.adjudications import SettlementBasis, SettlementDecision
from data.work import roles
from tests.studies.small_study import Small

NOTE = "cold ![x](https://example.org/a.png) <b>\n# and loud"


def dispute(make_study: Callable[..., Small]) -> Small:
    """Judges say YES to all. Conversation 2: Ann says NO to "warm", Ben YES. 3: both say NO to "safe", and Ann
    sees the judge, then says YES. 4: Ann alone says YES to all. Cleo settled "warm" of 2.
    """
    small = make_study(raters=("Ann", "Ben", "Cleo"))
    ann, ben, cleo = (small.desk(number) for number in range(3))
    ann.draft(2, "warm", "NO", note=NOTE, evidence=[Span(message=0, start=0, end=6)])
    ann.draft(2, "safe")
    ann.draft(2, "deep")
    ann.commit(2)
    ben.rate(2)
    for desk in (ann, ben):
        desk.draft(3, "warm")
        desk.draft(3, "safe", "NO")
        desk.draft(3, "deep")
        desk.commit(3)
    ann.reveal(3)
    ann.change(3, "safe", "YES", reason="the judge is right")
    ann.rate(4)
    unit = ann.unit(2)
    with small.store.writing("Cleo", "settle", small.study.id) as (connection, entry):
        roles.choose_role(connection, entry, cleo.rater, StudyRole.SETTLER)
        unit_openings.open_unit(connection, entry, small.study, unit, cleo.rater)
        adjudications.settle(
            connection,
            entry,
            small.study,
            unit,
            cleo.rater,
            "settle-1",
            "human_human",
            SettlementDecision("warm", "NO", "confirmed", "it is cold", ""),
            SettlementBasis(None, adjudications.ratings_of(connection, small.study, unit, "warm")),
        )
    return small
