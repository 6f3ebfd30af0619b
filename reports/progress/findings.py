"""How the work of a study stands, as it is read from a store."""

from __future__ import annotations

from dataclasses import dataclass

from data.labels import work_overview
from data.labels.work_overview import CriterionRow, OpenUnit, RaterRow, StudyProgress
from data.record.studies import Study
from data.store.store import Connection
from data.work import plan as plans
from data.work.plan import WorkPlan
from words.unit_nouns import UnitNoun


@dataclass(frozen=True)
class ProgressFindings:
    """`totals`, `untouched` (how many units nobody took; `open_units`: those of them that are listed) and
    `ran_out` (when, rater, position of the unit) only where there is a plan.
    """

    plan: WorkPlan | None
    totals: StudyProgress | None
    raters: list[RaterRow]
    criteria: list[CriterionRow]
    untouched: int
    open_units: list[OpenUnit]
    ran_out: list[tuple[str, int, int]]
    noun: UnitNoun

    def rater_names(self, named: bool) -> dict[int, str]:
        """Return rater -> name if `named`, else code."""
        return {row.id: row.name if named else row.code for row in self.raters}


def gather_progress(
    connection: Connection, study: Study, at: str | None = None, most: int | None = None
) -> ProgressFindings:
    """Read how far the work of a study is.

    `at`: the end of the last week, None for now. `most`: how many untaken units and expired reservations
    are listed, None for all.
    """
    plan = plans.current(connection, study.id)
    raters = work_overview.by_rater(connection, study, at)
    criteria = work_overview.by_criterion(connection, study)
    if plan is None:
        return ProgressFindings(None, None, raters, criteria, 0, [], [], study.noun)
    untouched, open_units = work_overview.still_open(connection, study, most, untouched=True)
    return ProgressFindings(
        plan,
        work_overview.study_progress(connection, study),
        raters,
        criteria,
        untouched,
        open_units,
        work_overview.ran_out(connection, study, most),
        study.noun,
    )
