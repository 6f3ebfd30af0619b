"""Agreement with the judge over time as it is read from a store: which judge, and what was said beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from data.labels import agreement_material, event_dates
from data.record import adoptions, judgements
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Panel, PanelPoint, Panels
from reports.drift.agreement_by_date import AgreementByDate, PeriodView
from reports.drift.judge_changes import changes_of_judge, judges_of_line
from reports.drift.level_words import level_scale, level_title
from reports.drift.period_agreement import title

AS_USED = 0  # the judges that were in use, one after the other; no judge has this number


@dataclass(frozen=True)
class JudgeChoice:
    """`names` by number, `AS_USED` among them where several were in use; `usual`: what to begin with."""

    names: Mapping[int, str]
    usual: int


def judge_choice(connection: Connection, study: Study) -> JudgeChoice | None:
    """None where the study has no judge."""
    judges = judgements.judges(connection, study.id)
    if not judges:
        return None
    names: dict[int, str] = (
        {AS_USED: "The judge in use at the time"} if len(_in_use(connection, study)) > 1 else {}
    )
    names |= {judge.id: f"{judge.name}, {judge.identity.get('model', 'unknown')}" for judge in judges}
    usual = AS_USED if AS_USED in names else judges[adoptions.default_judge(connection, study.id, judges)].id
    return JudgeChoice(names, usual)


def read_over_time(connection: Connection, study: Study, judge: int) -> AgreementByDate:
    """`judge`: its number, or `AS_USED`."""
    judges = _in_use(connection, study) if judge == AS_USED else [judge]
    material = agreement_material.read_counted(connection, study, judges[0])
    if len(judges) > 1:
        material = agreement_material.as_used(connection, study, material, judges)
    return AgreementByDate.of(
        material,
        event_dates.read_event_dates(connection, study.id, judges),
        changes_of_judge(connection, study, judgements.judges(connection, study.id)),
        judges_of_line(connection, study, material, judges),
    )


def agreement_chart(shown: PeriodView) -> Panels:
    """The share of labels that equal the judge's, period by period."""
    points = [
        PanelPoint(period.agreement.value, period.agreement.low, period.agreement.high, period.pairs)
        for period in shown.line.periods
    ]
    return Panels(
        "agreement_over_time",
        title(shown),
        f"each {shown.length}",
        "labels equal to the judge's",
        shown.periods.names,
        (Panel("", tuple(points)),),
        "labels",
        percents=True,
    )


def level_chart(shown: PeriodView) -> Panels:
    """How much higher or lower the judge rates than clinicians, period by period."""
    scale = level_scale(shown)
    scaled = [scale.of(estimate) for estimate in shown.levels]
    points = [PanelPoint(level.value, level.low, level.high, level.n) for level in scaled]
    return Panels(
        "level_over_time",
        level_title(shown),
        f"each {shown.length}",
        scale.axis,
        shown.periods.names,
        (Panel("", tuple(points)),),
        "labels",
        scale.digits + 1,
        0.0,
        "as clinicians",
    )


def _in_use(connection: Connection, study: Study) -> list[int]:
    """The judges that were adopted, each once, the first one first."""
    history = adoptions.adoption_history(connection, study.id)
    return list(dict.fromkeys(adoption.judge_id for adoption in history))
