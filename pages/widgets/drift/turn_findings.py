"""Curves over the turns of a study as every page has them: read and computed once."""

from __future__ import annotations

from dataclasses import dataclass

from data.record import curves
from data.record.curves import CurveTable
from data.record.studies import Study
from data.store.store import Connection
from data.store.study_heads import StudyHead
from pages.widgets import reader_session
from pages.widgets.memo import memoize, study_head
from reports.drift.conversation_curves import ConversationDrift, name_curves
from reports.drift.curve_kinds import CurveKind, Embedders, in_order


@dataclass(frozen=True)
class CurveChoice:
    """The kinds of curves that a study has, the one to begin with first."""

    kinds: list[CurveKind]
    embedders: Embedders


def curve_choice(study: Study) -> CurveChoice:
    """Return the kinds of curves that the study has."""
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)
        kinds = memoize("drift-kinds", study.id, head, lambda: curves.kinds(connection, study.id))
        embedders = memoize("drift-embedders", study.id, head, lambda: curves.embedders(connection, study.id))
    return CurveChoice(in_order(kinds, embedders), embedders)


def read_curves(connection: Connection, head: StudyHead, study: Study, kind: CurveKind) -> CurveTable:
    """Return the study's curves of one kind, computed once per state of the study."""
    return memoize("drift-table", (study.id, kind), head, lambda: curves.read(connection, study.id, *kind))


def divisions(study: Study, kind: CurveKind) -> list[str]:
    """Return the names of the facts that divide the study's conversations, the likeliest first; [] if none
    does.
    """
    with reader_session.store().reading() as connection:
        return read_curves(connection, study_head(connection, study), study, kind).divides()


def conversation_drift(
    study: Study, choice: CurveChoice, kind: CurveKind, by: str | None
) -> ConversationDrift:
    """Return the curves of one kind with a condition for each value of the fact `by` (one for all if it is
    None), computed once per state of the study.
    """
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)
        table = read_curves(connection, head, study, kind)
        return memoize(
            "drift-conditions",
            (study.id, kind, by),
            head,
            lambda: name_curves(table, by, kind, choice.embedders, study.noun),
        )
