"""My work: what is left, where I stopped, what I skipped. Nothing of agreement and nothing of the judge."""

from __future__ import annotations

import streamlit as st

from data import exposures, ratings, units
from data.studies import Rater, Study
from data.work import assignment, calibration, certification, choosing, overview, worklist
from data.work import plan as plans
from data.work.choosing import Nothing
from data.work.plan import Plan
from pages.widgets import foreign, place
from pages.widgets.arrival import arrive
from scoring.figures import decimal, percent


def render() -> None:
    arrived = arrive(rating=True)
    if arrived is None:
        return
    study, reader = arrived
    foreign.heading(f"My work: {study.title}", 1)
    if reader.rater is None:
        st.info("You do not rate in this study, so there is no work of yours here.")
        st.button("Choose a name", key="work-leave-lead", on_click=place.forget_reader, args=(study,))
        return
    rater = reader.rater
    st.button(
        f"{foreign.plain(rater.name)}. Not you? Choose another name",
        key="work-leave",
        type="tertiary",
        on_click=place.forget_reader,
        args=(study,),
    )
    with place.store().reading() as connection:
        plan = plans.current(connection, study.id)
    _where_i_am(study, rater, plan)
    if plan is not None and plan.certify:
        _certification(study, rater, plan)
    _rounds(study, rater)


def _where_i_am(study: Study, rater: Rater, plan: Plan | None) -> None:
    with place.store().reading() as connection:
        seat, left = units.seat(connection, rater.id), worklist.left(connection, study, rater.id)
        compare = exposures.first_to_compare(connection, study, rater.id)
        skipped, open_place = (
            worklist.skipped(connection, rater.id),
            worklist.next_open(connection, study, rater.id),
        )
        nothing = _nothing(study, rater, plan) if open_place is None else None
        begun = (
            _begun(study, rater, open_place)
            if open_place is not None and (plan is not None or seat.committed)
            else ""
        )
        sat = overview.sitting_of(connection, study, rater.id)
        practised = worklist.practised(connection, rater.id)
    stopped = nothing is not None and nothing.kind not in ("done", "pause")
    foreign.paragraph(_counts(seat.committed, practised, left, stopped))
    if nothing is not None:
        st.info(foreign.plain(nothing.said))
    if begun:
        foreign.paragraph(begun)
    if plan is not None and sat is not None and sat[0]:
        count, minutes = sat
        cap = f" A sitting ends after {plan.sitting}." if plan.sitting else ""
        foreign.paragraph(f"This sitting: {count} rated, {decimal(minutes, 0)} min.{cap}", small=True)
        if minutes >= plan.remind_minutes:
            st.info(
                "You have been at it for a while. A short break keeps labels steady; everything is saved."
            )
    with st.container(horizontal=True):
        if nothing is None and st.button(
            "Go on rating" if seat.committed else "Begin", key="work-go", type="primary"
        ):
            _to_review(study)
        if compare is not None and st.button("Compare with the judge", key="work-compare"):
            _to_review(study, compare)
    if skipped:
        foreign.heading("Skipped", 2)
        foreign.paragraph(
            "Skipping costs nothing. What somebody else has rated since is full; the rest you may still "
            "take up.",
            small=True,
        )
        for number in skipped[:50]:
            foreign.link(
                f"Number {number} of your list", f"review?study={study.key}&reader={rater.id}&unit={number}"
            )


def _nothing(study: Study, rater: Rater, plan: Plan | None) -> Nothing | None:
    if plan is None:
        return Nothing("done", "Nothing is left: you have rated or skipped everything.")
    with place.store().reading() as connection:
        found = choosing.choose(connection, study, plan, rater, assignment.CHANCE)
    return found if isinstance(found, Nothing) else None


def _counts(committed: int, practised: int, left: worklist.Left, stopped: bool) -> str:
    """`stopped`: nothing is given to this rater for now, whatever is open."""
    before = left.held + left.may_come
    if left.whole:
        return f"{committed:,} of {committed + before:,} rated." + (f" {before:,} left." if before else "")
    more = (
        f"more than {worklist.COUNTED}" if left.may_come >= worklist.COUNTED else f"up to {left.may_come:,}"
    )
    parts = [f"{committed:,} rated{f', {practised:,} of them for practice' if practised else ''}."]
    if left.held:
        parts.append(f"{left.held} kept for you.")
    if left.practice:
        parts.append("Practice comes first.")
    if left.may_come and not stopped:
        parts.append(f"{more[:1].upper()}{more[1:]} more may come to you; others take from the same ones.")
    return " ".join(parts)


def _begun(study: Study, rater: Rater, number: int) -> str:
    """Where I stopped."""
    with place.store().reading() as connection:
        unit = worklist.at(connection, study, rater.id, number)
        assert unit is not None
        answered = sum(answer.answered for answer in ratings.drafts(connection, rater.id, unit.id).values())
    total = sum(study.instrument.forced_not_applicable(c, unit.turns) is None for c in unit.criteria(study))
    return f"You stopped at number {number}, with {answered} of {total} answered." if answered else ""


def _to_review(study: Study, number: int | None = None) -> None:
    target = {
        "study": study.key,
        "reader": st.query_params.get("reader", ""),
        **({"unit": str(number)} if number is not None else {}),
    }
    st.switch_page(st.session_state["page_review"], query_params=target)


def _certification(study: Study, rater: Rater, plan: Plan) -> None:
    with place.store().reading() as connection:
        found = certification.standing(connection, study, rater.id)
        differences = (
            certification.differences(connection, study, rater.id) if found.next_unit is None else []
        )
    foreign.heading("Certification", 2)
    if not differences:
        foreign.paragraph(found.said)
    if found.next_unit is not None:
        foreign.paragraph(
            f"{percent(plan.pass_mark)} of your labels should be the expert's. What differed is shown here "
            "when all are done.",
            small=True,
        )
        return
    if not differences:
        return
    names = {c.id: c.name for c in study.instrument.criteria}
    different = [one for one in differences if one.given != one.gold.label]
    foreign.paragraph(f"{len(differences) - len(different)} of {len(differences)} labels were the expert's.")
    if different:
        with place.store().reading() as connection:
            numbers = {
                one.gold.unit_id: worklist.unit_by_id(connection, study, rater.id, one.gold.unit_id).position
                for one in different
            }
        foreign.table(
            "Where you and the expert differ",
            ["Number", "Criterion", "You", "The expert", "Why"],
            [
                [
                    foreign.Link(
                        f"{numbers[one.gold.unit_id]}",
                        f"review?study={study.key}&reader={rater.id}&unit={numbers[one.gold.unit_id]}",
                    ),
                    names.get(one.gold.criterion, one.gold.criterion),
                    one.given or "cannot rate",
                    one.gold.label,
                    one.gold.reason or "",
                ]
                for one in different
            ],
        )


def _rounds(study: Study, rater: Rater) -> None:
    with place.store().reading() as connection:
        mine = [
            one
            for one in calibration.rounds(connection, study.id)
            if rater.id in one.raters and one.step != "closed"
        ]
        done = {one.id: rater.id in calibration.finished(connection, one) for one in mine}
        again = {
            one.id: rater.id in calibration.finished(connection, one, again=True)
            for one in mine
            if one.step == "again"
        }
    if not mine:
        return
    foreign.heading("Calibration", 2)
    for one in mine:
        if one.step == "":
            said = (
                "you have rated the set; it is talked over when the others have, too."
                if done[one.id]
                else "rate the set first; it comes by itself."
            )
        else:
            said = {
                "discussed": "the labels of everyone are laid beside each other.",
                "again": "you have rated the set again; nothing more is needed."
                if again.get(one.id)
                else "rate the set once more, as you see it now; it comes by itself.",
            }[one.step]
        foreign.paragraph(f"{one.title}: {said}")
        if one.step != "" and done[one.id]:
            foreign.link(
                "Who said what, and why", f"calibration?study={study.key}&reader={rater.id}&round={one.id}"
            )


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "my_work"})
