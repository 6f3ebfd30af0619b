"""The plan of a study's work: how many rate each unit, who, and under which rules.

A study without a plan is rated whole, in order, by everyone who takes a name. A plan is never edited: a new
version is a new row, and what was drawn and rated before stays.
"""

from __future__ import annotations

from functools import lru_cache

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from sqlalchemy import Connection, bindparam, func, select

from data import schema
from data.record import studies
from data.record.studies import Study
from data.store.errors import Notice, Refused
from data.store.trail import TrailEntry


class WorkPlan(BaseModel):
    """What a lead decides. `raters` empty: everyone with a name in the study.

    `each`: every one of `raters` rates every drawn unit, and `overlap` says nothing. `repeats` is a share of
    a rater's units.
    `recalibrate_below`: of labels that are the same as a rater's own before, or as those of the others in a
    calibration round.
    `margin`, `margin_same_label`, `catches_at_least`: what the verdicts on a judge go by
    (scoring/agreement/verdicts/verdict_rule.py). `settle_share`: the chance of each failure that a clinician
    saw at a safety gate to be settled.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")
    overlap: int = Field(default=2, ge=1, le=50)
    raters: tuple[int, ...] = ()
    each: bool = False
    repeats: float = Field(default=0.05, ge=0, le=0.2)
    hold_hours: float = Field(default=8, ge=0.05, le=24 * 14)
    sitting: int | None = Field(default=25, ge=1, le=1000)
    pause_minutes: int = Field(default=15, ge=1, le=24 * 60)
    remind_minutes: int = Field(default=45, ge=5, le=480)
    certify: bool = False
    pass_mark: float = Field(default=0.8, ge=0.5, le=1)
    recalibrate_below: float = Field(default=0.8, ge=0.5, le=1)
    margin: float = Field(default=0.10, ge=0.01, le=0.5)
    margin_same_label: float = Field(default=0.10, ge=0.01, le=0.5)
    catches_at_least: float = Field(default=0.80, ge=0.5, le=1)
    settle_share: float = Field(default=1.0, ge=0.05, le=1)

    @property
    def wanted(self) -> int:
        return len(self.raters) if self.each else self.overlap

    def admits(self, rater_id: int) -> bool:
        """Tell whether the plan includes this rater; a plan that names nobody includes everyone."""
        return not self.raters or rater_id in self.raters

    def same_as(self, other: WorkPlan) -> bool:
        """Tell whether both plans are equal, ignoring the order of the raters."""
        return self.model_copy(update={"raters": tuple(sorted(self.raters))}) == other.model_copy(
            update={"raters": tuple(sorted(other.raters))}
        )

    def lacks(self, people: int) -> Notice | None:
        """Return a warning where fewer people have a name in the study than are to rate each unit, else None.

        It is not an error, because names may still be added.
        """
        if self.raters or self.each or self.overlap <= people:
            return None
        if people == 0:
            return Notice("nobody_has_name", overlap=self.overlap)
        return Notice("too_few_have_names", overlap=self.overlap, people=people)


def checked(**settings: object) -> WorkPlan:
    """Return a plan from the fields of a form. Raise Refused that names the fields out of range."""
    try:
        return WorkPlan.model_validate(settings)
    except ValidationError as error:
        fields = [str(problem["loc"][0]) if problem["loc"] else "" for problem in error.errors()]
        raise Refused("plan_out_of_range", fields=fields) from None


def current(connection: Connection, study_id: int) -> WorkPlan | None:
    """Return the study's newest plan; None without a plan."""
    body = connection.execute(_LATEST, {"study": study_id}).scalar()
    return _read(body) if body is not None else None


def version(connection: Connection, study_id: int) -> int:
    """Return the number of the study's newest plan; 0 without a plan."""
    return (
        connection.execute(
            select(func.max(schema.work_plan.c.version)).where(schema.work_plan.c.study_id == study_id)
        ).scalar()
        or 0
    )


def put(
    connection: Connection, entry: TrailEntry, study: Study, plan: WorkPlan, seen_version: int | None = None
) -> int:
    """Save a plan as the study's newest version; return its number.

    Raises:
        Refused: another version came in since `seen_version`, the plan names somebody of another study,
            nobody although each named rater rates everything, or fewer raters than are to rate each unit.
    """
    before = version(connection, study.id)
    if seen_version is not None and before != seen_version:
        raise Refused("work_changed_meanwhile")
    people = {rater.id for rater in studies.raters(connection, study.id) if rater.kind == "person"}
    if not set(plan.raters) <= people:
        raise Refused("planned_rater_elsewhere")
    if plan.each and not plan.raters:
        raise Refused("plan_names_nobody", noun=study.noun)
    if plan.raters and not plan.each and plan.overlap > len(plan.raters):
        raise Refused("plan_names_too_few", overlap=plan.overlap, noun=study.noun, named=len(plan.raters))
    entry.write(
        schema.work_plan, {"study_id": study.id, "version": before + 1, "body": plan.model_dump_json()}
    )
    return before + 1


_read = lru_cache(maxsize=256)(WorkPlan.model_validate_json)
_LATEST = (
    select(schema.work_plan.c.body)
    .where(schema.work_plan.c.study_id == bindparam("study"))
    .order_by(schema.work_plan.c.version.desc())
    .limit(1)
)
