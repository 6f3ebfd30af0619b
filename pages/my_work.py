"""My work: what is left, where the rater stopped, what they skipped. Shows no agreement and no judge."""

from __future__ import annotations

import streamlit as st

from data.labels import work_overview
from data.labels.pace import own_minutes
from data.record.asked_questions import asked_in_unit
from data.record.studies import Rater, Study
from data.store.errors import Notice
from data.work import assignment, calibration, certification, exposures, next_unit, ratings, roles, worklist
from data.work import plan as plans
from data.work.next_unit import NoUnit
from data.work.plan import WorkPlan
from data.work.worklist import open_worklist
from pages.widgets import reader_session, untrusted_text
from pages.widgets.page_context import page_context
from pages.widgets.workbench.waiting_answers import save_waiting_answers
from reports.refusals import word_notice
from reports.wording import describe_time
from words.figures import decimal, percent


def render() -> None:
    """Draw the My work page."""
    arrived = page_context(rating=True)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading("My work", 1)
    if reader.rater is None:
        st.info("You do not rate in this study, so you have no work here.")
        st.button(
            "Choose a name", key="work-leave-lead", on_click=reader_session.forget_reader, args=(study,)
        )
        return
    rater = reader.rater
    with reader_session.store().reading() as connection:
        plan = plans.current(connection, study.id)
    _where_i_am(study, rater, plan)
    if plan is not None and plan.certify:
        _certification(study, rater, plan)
    _rounds(study, rater)


def _where_i_am(study: Study, rater: Rater, plan: WorkPlan | None) -> None:
    with reader_session.store().reading() as connection:
        own = open_worklist(connection, study, rater.id)
        progress, left = own.progress, own.remaining_work
        compare = exposures.first_to_compare(own)
        skipped, open_place = worklist.skipped(connection, rater.id), own.next_open()
        nothing = _nothing(study, rater, plan, own.length, bool(skipped)) if open_place is None else None
        if study.archived and open_place is None:
            nothing = NoUnit("left_out", Notice("study_archived"))
        if roles.is_settler(connection, rater.id):
            nothing = NoUnit("left_out", Notice("settles_here"))
        begun = (
            _begun(study, rater, open_place)
            if open_place is not None and (plan is not None or progress.committed)
            else ""
        )
        sitting = work_overview.sitting_of(connection, study, rater.id)
        practised = worklist.practised(connection, rater.id)
        pace = own_minutes(connection, rater.id)
    stopped = nothing is not None and nothing.kind not in ("done", "pause")
    untrusted_text.paragraph(_counts(progress.committed, practised, left, stopped))
    if nothing is None and (time := describe_time(pace, left.held + left.may_come if left.whole else None)):
        untrusted_text.paragraph(f"{time[0].upper()}{time[1:]}.", small=True)
    if nothing is not None:
        st.info(untrusted_text.plain(word_notice(nothing.notice)))
        if study.archived:
            save_waiting_answers(study, rater)
    if begun:
        untrusted_text.paragraph(begun)
    if plan is not None and sitting is not None and sitting.units:
        cap = f" Take a break after {plan.sitting}." if plan.sitting else ""
        untrusted_text.paragraph(
            f"Since your last break: {sitting.units} rated, {decimal(sitting.minutes, 0)} min.{cap}",
            small=True,
        )
        if sitting.minutes >= plan.remind_minutes:
            st.info("You have rated for a while. A short break keeps labels steady; everything is saved.")
    with st.container(horizontal=True):
        if nothing is None and st.button(
            "Continue rating" if progress.committed else "Start rating", key="work-go", type="primary"
        ):
            _to_review(study)
        if compare is not None and st.button("Compare with the judge", key="work-compare"):
            _to_review(study, compare)
    if skipped:
        untrusted_text.heading("Skipped", 2)
        untrusted_text.paragraph(
            "You can still rate the ones that you skipped, unless others have rated them since.",
            small=True,
        )
        for number in skipped[:50]:
            untrusted_text.link(
                f"Number {number} of your list", f"review?study={study.key}&reader={rater.id}&unit={number}"
            )


def _nothing(study: Study, rater: Rater, plan: WorkPlan | None, length: int, skipped: bool) -> NoUnit | None:
    """`length` is the length of the rater's list."""
    if plan is None:
        rated = Notice("rated_everything" if length else "nothing_to_rate_yet")
        return NoUnit("done", Notice("only_skipped_left") if skipped else rated)
    with reader_session.store().reading() as connection:
        choice = next_unit.choose_next_unit(connection, study, plan, rater, assignment.CHANCE)
    return choice if isinstance(choice, NoUnit) else None


def _counts(committed: int, practised: int, left: worklist.RemainingWork, stopped: bool) -> str:
    """`stopped`: the rater gets nothing for now, even if units are open."""
    before = left.held + left.may_come
    if left.whole:
        return f"{committed:,} of {committed + before:,} rated." + (f" {before:,} left." if before else "")
    more = (
        f"more than {worklist.COUNTED}" if left.may_come >= worklist.COUNTED else f"up to {left.may_come:,}"
    )
    parts = [f"{committed:,} rated{f', {practised:,} of them for practice' if practised else ''}."]
    if left.held:
        parts.append(f"{left.held} reserved for you.")
    if left.practice:
        parts.append("Practice comes first.")
    if left.may_come and not stopped:
        parts.append(
            f"{more[:1].upper()}{more[1:]} more may be given to you, because you share these with other "
            "raters."
        )
    return " ".join(parts)


def _begun(study: Study, rater: Rater, number: int) -> str:
    """Say where the rater stopped; "" if the unit has no answer yet."""
    with reader_session.store().reading() as connection:
        unit = open_worklist(connection, study, rater.id).at(number)
        assert unit is not None
        drafts = ratings.drafts(connection, rater.id, unit.id)
    answered = sum(answer.answered for answer in drafts.values())
    asked = asked_in_unit(study, unit, {name: answer.label for name, answer in drafts.items()})
    total = sum(
        study.instrument.forced_not_applicable(c, unit.turns) is None
        for c in unit.criteria(study)
        if c.id in asked
    )
    return f"You stopped at number {number}, with {answered} of {total} answered." if answered else ""


def _to_review(study: Study, number: int | None = None) -> None:
    target = {
        "study": study.key,
        "reader": st.query_params.get("reader", ""),
        **({"unit": str(number)} if number is not None else {}),
    }
    st.switch_page(st.session_state["page_review"], query_params=target)


def _certification(study: Study, rater: Rater, plan: WorkPlan) -> None:
    with reader_session.store().reading() as connection:
        status = certification.certification_status(connection, study, rater.id)
        differences = (
            certification.differences(connection, study, rater.id) if status.next_unit is None else []
        )
    untrusted_text.heading("Certification", 2)
    if not differences:
        untrusted_text.paragraph(word_notice(status.notice))
    if status.next_unit is not None:
        untrusted_text.paragraph(
            f"At least {percent(plan.pass_mark)} of your labels should match the expert's. You see the "
            "differences once you have rated all of the set.",
            small=True,
        )
        return
    if not differences:
        return
    names = {c.id: c.name for c in study.instrument.criteria}
    different = [difference for difference in differences if difference.given != difference.gold.label]
    untrusted_text.paragraph(
        f"{len(differences) - len(different)} of {len(differences)} labels match the expert's."
    )
    if different:
        with reader_session.store().reading() as connection:
            own = open_worklist(connection, study, rater.id)
            numbers = {
                difference.gold.unit_id: own.unit_by_id(difference.gold.unit_id).position
                for difference in different
            }
        untrusted_text.table(
            "Where you and the expert differ",
            ["Number", "Criterion", "You", "The expert", "Why"],
            [
                [
                    untrusted_text.Link(
                        f"{numbers[difference.gold.unit_id]}",
                        f"review?study={study.key}&reader={rater.id}&unit={numbers[difference.gold.unit_id]}",
                    ),
                    names.get(difference.gold.criterion, difference.gold.criterion),
                    difference.given or ("cannot rate" if difference.asked else "not asked"),
                    difference.gold.label,
                    difference.gold.reason or "",
                ]
                for difference in different
            ],
        )


def _rounds(study: Study, rater: Rater) -> None:
    with reader_session.store().reading() as connection:
        mine = [
            calibration_round
            for calibration_round in calibration.rounds(connection, study.id)
            if rater.id in calibration_round.raters and calibration_round.step != "closed"
        ]
        set_rated = {
            calibration_round.id: rater.id in calibration.finished(connection, calibration_round)
            for calibration_round in mine
        }
        again = {
            calibration_round.id: rater.id in calibration.finished(connection, calibration_round, again=True)
            for calibration_round in mine
            if calibration_round.step == "again"
        }
    if not mine:
        return
    untrusted_text.heading("Calibration", 2)
    for calibration_round in mine:
        if calibration_round.step == "":
            status_words = (
                "you have rated the set. The discussion starts once the others have rated it too."
                if set_rated[calibration_round.id]
                else "first rate the set, which is in your list."
            )
        else:
            status_words = {
                "discussed": "you can compare everyone's labels.",
                "again": "you have rated the set again. You are done."
                if again.get(calibration_round.id)
                else "rate the set again, as you see it now. It is in your list.",
            }[calibration_round.step]
        untrusted_text.paragraph(f"{calibration_round.title}: {status_words}")
        if calibration_round.step != "" and set_rated[calibration_round.id]:
            untrusted_text.link(
                "Who said what, and why",
                f"calibration?study={study.key}&reader={rater.id}&round={calibration_round.id}",
            )
