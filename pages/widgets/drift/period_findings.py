"""Agreement over time of a study as every page has it: read and computed once."""

from __future__ import annotations

from collections.abc import Callable

from data.record.studies import Study
from pages.widgets import reader_session
from pages.widgets.memo import memoize, study_head
from reports.drift.agreement_by_date import AgreementByDate, PeriodChoice, PeriodView
from reports.drift.over_time import JudgeChoice, judge_choice, read_over_time

NO_JUDGE = "because no judge has labelled this study"
NO_PAIRS = "because nothing this judge labelled was rated blind"
NO_DAYS = "because no label has a known date"


def view_over_time(
    study: Study,
    choose_judge: Callable[[JudgeChoice], int] = lambda choice: choice.usual,
    choose_periods: Callable[[AgreementByDate], PeriodChoice] = lambda source: source.usual_choice,
) -> PeriodView | str:
    """Return what Drift over time shows, or the reason why it cannot, as the end of a sentence ("because
    ...").
    """
    with reader_session.store().reading() as connection:
        choice = judge_choice(connection, study)
    if choice is None:
        return NO_JUDGE
    judge = choose_judge(choice)
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)
        source = memoize(
            "drift-time", (study.id, judge), head, lambda: read_over_time(connection, study, judge)
        )
    if not len(source.pairs.same):
        return NO_PAIRS
    if not source.axes:
        return NO_DAYS
    periods = choose_periods(source)
    shown = memoize(
        "drift-time-shown", (study.id, judge, *periods), head, lambda: PeriodView(source, *periods)
    )
    too_many = shown.too_many
    return shown if too_many is None else f"because {too_many[:1].lower()}{too_many[1:]}"
