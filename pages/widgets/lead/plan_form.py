"""The plan of the work on one screen: who rates, how many raters per unit, and a sentence on what that means,
which follows every change. Saving makes a new version and changes no rating.
"""

from __future__ import annotations

import streamlit as st

from data.labels import work_overview
from data.record import studies
from data.record.studies import Study
from data.store.errors import StoreError
from data.work import draws
from data.work import plan as plans
from data.work.plan import WorkPlan
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead import new_raters
from pages.widgets.lead.flash_message import finish
from pages.widgets.lead.plan_rules import judge_rules, work_rules
from pages.widgets.write_address import write_address
from reports.progress.rater_work import plan_outlook
from reports.refusals import word_error, word_notice
from services.work_planning import draw_units, plan_work
from words.plurals import inflect

SHOWN_PLAN_KEY = "plan-shown"  # (study, version) that the form showed last
POOL, EACH = "a number of them", "all of them"
NO_PLAN_YET = "There is no plan yet, so everyone who chooses a name rates everything, in order."


def show(study: Study) -> None:
    """Show the plan of work as a form."""
    with reader_session.store().reading() as connection:
        plan, version = plans.current(connection, study.id), plans.version(connection, study.id)
        people = {
            rater.id: rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"
        }
        units = studies.unit_count(connection, study.id)
        drawn_before = bool(draws.last_number(connection, study.id))
    answer = st.container(gap="xsmall")
    _warn(study, plan, version, len(people))
    before = plan or WorkPlan()
    left, right = st.columns(2, gap="large")
    with left:
        typed = new_raters.ask(study)
        values = _who(before, people, version)
    with right:
        values |= _rules(before, version)
        draws_all = not drawn_before and st.checkbox(
            f"Give out everything now: {_units(study, units)}",
            value=plan is None,
            key=f"plan-draw-{version}",
            help="To give out only some, select them under \u201cWhat is rated\u201d: at random, by group or "
            "by number.",
        )
        with st.expander("Breaks, and how long work is reserved for a rater", type="compact"):
            values |= work_rules(study, before, version)
        with st.expander("When a judge matches clinicians", type="compact"):
            values |= judge_rules(before, version)
        pressed = st.button("Save the plan", type="primary", key=f"plan-save-{version}")
    raters = len(set(people.values()) | set(typed)) if not values["raters"] else _named(values, people, typed)
    with answer:
        _answer(study, values, units, raters, version)
    if pressed:
        _save(study, values, typed, plan, version, draws_all)


def _units(study: Study, number: int) -> str:
    return study.noun.count(number)


def _named(values: dict[str, object], people: dict[int, str], typed: list[str]) -> int:
    named = values["raters"]
    assert isinstance(named, tuple)
    return len({people[rater] for rater in named} | set(typed))


def _warn(study: Study, plan: WorkPlan | None, version: int, people: int) -> None:
    if plan is not None and (lacking := plan.lacks(people)):
        st.warning(untrusted_text.plain(word_notice(lacking)))
    # Each version has its own fields, so that nobody overwrites another lead's version unseen.
    shown = st.session_state.get(SHOWN_PLAN_KEY)
    if shown is not None and shown[0] == study.id and shown[1] != version:
        st.warning(
            "The plan has changed since you last looked. Below is the current version, without your "
            "unsaved changes."
        )
    st.session_state[SHOWN_PLAN_KEY] = (study.id, version)


def _answer(study: Study, values: dict[str, object], units: int, raters: int, version: int) -> None:
    """Say what the current entries of the form mean."""
    with reader_session.store().reading() as connection:
        totals = work_overview.study_progress(connection, study) if version else None
    try:
        # Typed names are no raters yet, so the sentence counts raters instead of naming them.
        outlook = plan_outlook(units, raters, plans.checked(**values), totals, study.noun)
    except StoreError:
        outlook = ""
    untrusted_text.heading(outlook or "Who rates, and how much", 1)
    untrusted_text.paragraph(
        f"Version {version}. A change makes a new version. {study.noun.plural.capitalize()} that were "
        "already selected or rated stay as they are."
        if version
        else NO_PLAN_YET,
        small=True,
    )


def _who(before: WorkPlan, people: dict[int, str], version: int) -> dict[str, object]:
    named = st.multiselect(
        "Who rates",
        list(people),
        default=[rater for rater in before.raters if rater in people],
        key=f"plan-raters-{version}",
        format_func=lambda rater: people[rater],
        placeholder=f"everyone with a name: {len(people):,}",
    )
    which, number = st.columns([3, 2], vertical_alignment="bottom")
    each = (
        which.radio(
            "Each is rated by",
            [POOL, EACH],
            index=int(before.each),
            key=f"plan-each-{version}",
            horizontal=True,
        )
        == EACH
    )
    if each:
        return {"raters": tuple(named), "each": True, "overlap": before.overlap}
    overlap = number.number_input(
        "Raters for each",
        value=before.overlap,
        step=1,
        key=f"plan-overlap-{version}",
        help="With two or more, you learn how far raters agree with each other.",
    )
    return {"raters": tuple(named), "each": False, "overlap": overlap}


def _rules(before: WorkPlan, version: int) -> dict[str, object]:
    repeats = st.number_input(
        "Percent of each rater's work that is given again, hidden",
        value=round(100 * before.repeats, 1),
        step=1.0,
        key=f"plan-repeats-{version}",
        help="With 5 to 10 percent, you see how consistent each rater is. Repeats look like any other work, "
        "and the rater doesn't see the judge's labels for them beforehand.",
    )
    certify = st.checkbox(
        "Raters are tested on an expert's labels first",
        value=before.certify,
        key=f"plan-certify-{version}",
        help="Certification.",
    )
    return {"repeats": None if repeats is None else repeats / 100, "certify": certify}


def _save(
    study: Study,
    values: dict[str, object],
    typed: list[str],
    before: WorkPlan | None,
    version: int,
    draws_all: bool,
) -> None:
    """Save the typed raters, the plan and the draw, or nothing if the plan is invalid."""
    store, actor = reader_session.store(), reader_session.actor(study)
    steps = []
    try:
        plan = plans.checked(**values)
        if typed:
            added = new_raters.add(study)
            if added is None:
                return
            steps.append(added.words)
            if plan.raters:
                plan = plans.checked(**{**values, "raters": tuple({*plan.raters, *added.ids})})
        if before is not None and plan.same_as(before):
            steps.insert(0, "" if typed else "Nothing was changed.")
        else:
            saved_version = plan_work(store, actor, study, plan, version)
            st.session_state[SHOWN_PLAN_KEY] = (study.id, saved_version)
            steps.insert(0, f"Saved as version {saved_version}.")
        if draws_all:
            draw = draw_units(store, actor, study, draws.read_spec({"method": "all"}), 0)
            drawn = len(draw.unit_ids)
            steps.append(f"{study.noun.count(drawn)} {inflect(drawn, 'was', 'were')} selected.")
    except StoreError as error:
        st.error(untrusted_text.plain(" ".join([*steps, word_error(error)])))
        return
    if before is None and draws_all:
        steps.append("Hand out the links.")
        write_address(part="How it stands")
    finish(" ".join(word for word in steps if word), new_raters.FORM if typed else "")
