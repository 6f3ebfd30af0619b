"""Agreement over time of a study as every page has it: read and computed once."""

from __future__ import annotations

from data.record.studies import Study
from data.store.study_heads import StudyHead
from pages.widgets import reader_session
from pages.widgets.memo import memoize, study_head
from reports.drift.agreement_by_date import AgreementByDate, Axis, PeriodView
from reports.drift.over_time import JudgeChoice, judge_choice, read_over_time
from scoring.drift.periods import Length

NO_JUDGE = "because no judge has labelled this study"
NO_PAIRS = "because nobody has rated blind what this judge labelled"
NO_DAYS = "because no day is known of any label"


def judges_over_time(study: Study) -> JudgeChoice | None:
    """None where the study has no judge."""
    with reader_session.store().reading() as connection:
        return judge_choice(connection, study)


def labels_over_time(study: Study, judge: int) -> tuple[StudyHead, AgreementByDate]:
    """What was said beside this judge, and the head of the study that it was read of."""
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)
        return head, memoize(
            "drift-time", (study.id, judge), head, lambda: read_over_time(connection, study, judge)
        )


def untold_reason(source: AgreementByDate) -> str | None:
    """Why there is nothing to follow."""
    if not len(source.pairs.same):
        return NO_PAIRS
    return None if source.axes else NO_DAYS


def period_view(
    study: Study,
    judge: int,
    head: StudyHead,
    source: AgreementByDate,
    axis: Axis | None = None,
    by: str | None = "",
    length: Length | None = None,
) -> PeriodView:
    """By default as the page begins: the first axis, divided by the likeliest fact, in periods that fit. `by`
    None: not divided.
    """
    axis = axis or source.axes[0]
    divides = source.moments.divides()
    division = (divides[0] if divides else None) if by == "" else by
    length = length or source.fitting(axis)
    return memoize(
        "drift-time-shown",
        (study.id, judge, axis, division, length),
        head,
        lambda: PeriodView(source, axis, division, length),
    )


def usual_view(study: Study) -> PeriodView | str:
    """What Drift over time opens with, or why it cannot be told."""
    choice = judges_over_time(study)
    if choice is None:
        return NO_JUDGE
    head, source = labels_over_time(study, choice.usual)
    reason = untold_reason(source)
    if reason is not None:
        return reason
    shown = period_view(study, choice.usual, head, source)
    return in_words(shown.too_many) if shown.too_many is not None else shown


def in_words(too_many: str) -> str:
    """Why there is nothing to show, within a sentence."""
    return f"because {too_many[:1].lower()}{too_many[1:]}"
