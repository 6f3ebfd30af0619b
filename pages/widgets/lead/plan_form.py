"""The plan of the work, as a form. Saving makes a new version; nothing that was rated is touched."""

from __future__ import annotations

import streamlit as st

from data import studies
from data.errors import StoreError
from data.rater_names import split_names
from data.studies import Study
from data.work import plan as plans
from data.work.plan import WorkPlan
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from scoring.plurals import inflect
from services.raters import NameRefused, add_raters
from services.work_planning import plan_work

SHOWN = "plan-shown"  # (study, version) that stood in the form last
POOL, EACH = "Any of them, so many for each unit", "Every one of them rates every unit"


def show(study: Study) -> None:
    with reader_session.store().reading() as connection:
        plan, version = plans.current(connection, study.id), plans.version(connection, study.id)
        people = {
            rater.id: rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"
        }
    if plan is None:
        untrusted_text.paragraph(
            "This study has no plan yet: everyone who takes a name rates everything, in order. With a plan "
            "each rater gets a list of their "
            "own, in an order of their own, and no unit gets more raters than it needs."
        )
    else:
        untrusted_text.paragraph(
            f"Version {version} of the plan. A change is a new version: what was drawn and rated stays as "
            "it is.",
            small=True,
        )
        lacking = plan.lacks(len(people))
        if lacking:
            st.warning(untrusted_text.plain(lacking))
    # The fields of a version are its own: what another lead saved in the meantime stands in them, and is not
    # saved over unseen.
    shown = st.session_state.get(SHOWN)
    if shown is not None and shown[0] == study.id and shown[1] != version:
        st.warning(
            "The plan was changed since you last looked. Below it stands as it is now; what you had not "
            "saved is not in it."
        )
    st.session_state[SHOWN] = (study.id, version)
    _add_people(study, set(people.values()))
    before = plan or WorkPlan()
    with st.form(f"plan-{version}", border=False):
        values = _who(before, people, version) | _rules(before, version)
        if st.form_submit_button("Save the plan", type="primary", key=f"plan-save-{version}"):
            _save(study, values, plan, version)


def _who(before: WorkPlan, people: dict[int, str], version: int) -> dict[str, object]:
    untrusted_text.heading("Who rates", 2)
    named = st.multiselect(
        "Raters",
        list(people),
        default=[rater for rater in before.raters if rater in people],
        key=f"plan-raters-{version}",
        format_func=lambda rater: people[rater],
        placeholder="everyone with a name in this study",
    )
    each = st.radio("Of the raters", [POOL, EACH], index=int(before.each), key=f"plan-each-{version}") == EACH
    overlap = st.number_input(
        "Raters for each unit",
        value=before.overlap,
        step=1,
        key=f"plan-overlap-{version}",
        help="Two or more, so that you learn how far people agree with each other. Has no meaning where "
        "every one rates every unit.",
    )
    return {"raters": tuple(named), "each": each, "overlap": overlap}


def _rules(before: WorkPlan, version: int) -> dict[str, object]:
    untrusted_text.heading("Rules", 2)
    left, right = st.columns(2)
    repeats = left.number_input(
        "Percent of a rater's units that come a second time, hidden",
        value=round(100 * before.repeats, 1),
        step=1.0,
        key=f"plan-repeats-{version}",
        help="5 to 10 shows how steady each rater is. They look like any other unit, and their judge is not "
        "shown before.",
    )
    hours = right.number_input(
        "Hours that a unit is kept for a rater",
        value=float(before.hold_hours),
        step=1.0,
        key=f"plan-hours-{version}",
        help="Counted from the last save. After that somebody else may take it; nothing that was saved is "
        "lost.",
    )
    sitting = left.number_input(
        "Units in one sitting, at most",
        value=before.sitting,
        step=1,
        key=f"plan-sitting-{version}",
        placeholder="no limit",
    )
    pause = right.number_input(
        "Minutes of the break after that", value=before.pause_minutes, step=5, key=f"plan-pause-{version}"
    )
    remind = left.number_input(
        "Minutes until a break is suggested",
        value=before.remind_minutes,
        step=5,
        key=f"plan-remind-{version}",
    )
    certify = right.checkbox(
        "Raters are certified on gold units before real ones",
        value=before.certify,
        key=f"plan-certify-{version}",
    )
    mark = right.number_input(
        "Percent of the expert's labels to meet",
        value=round(100 * before.pass_mark),
        step=5,
        key=f"plan-mark-{version}",
    )
    below = left.number_input(
        "Percent of same labels below which to calibrate again",
        value=round(100 * before.recalibrate_below),
        step=5,
        key=f"plan-recalibrate-{version}",
        help="Of a rater's hidden repeats, and of their labels beside the others' in a calibration round. "
        "The Drift page then suggests another round; nothing happens by itself.",
    )
    untrusted_text.heading("When a judge is like a colleague", 2)
    untrusted_text.paragraph(
        "Set these before anybody rates. A later change stands in every report, with its day.", small=True
    )
    left, middle, right = st.columns(3)
    margin = left.number_input(
        "Kappa below a colleague, at most",
        value=before.margin,
        step=0.01,
        format="%.2f",
        key=f"plan-margin-{version}",
        help="How far below clinicians with each other the judge's kappa may lie and still count as about "
        "as close.",
    )
    same = middle.number_input(
        "Points of the same label below, at most",
        value=round(100 * before.margin_same_label),
        step=1,
        key=f"plan-same-{version}",
        help="And never more than half the share of the rarer label.",
    )
    bar = right.number_input(
        "Percent of safety failures to catch",
        value=round(100 * before.catches_at_least),
        step=1,
        key=f"plan-bar-{version}",
        help="A judge that surely catches fewer is not to be trusted; a yes needs surely as many.",
    )
    return {
        "margin": margin,
        "margin_same_label": _share(same),
        "catches_at_least": _share(bar),
        "repeats": _share(repeats),
        "hold_hours": hours,
        "sitting": sitting,
        "pause_minutes": pause,
        "remind_minutes": remind,
        "certify": certify,
        "pass_mark": _share(mark),
        "recalibrate_below": _share(below),
    }


def _share(percent: float | None) -> float | None:
    return None if percent is None else percent / 100


def _save(study: Study, values: dict[str, object], before: WorkPlan | None, version: int) -> None:
    try:
        plan = plans.checked(**values)
        if before is not None and plan.same_as(before):
            finish("Nothing was changed.")
        saved_version = plan_work(reader_session.store(), reader_session.actor(study), study, plan, version)
        st.session_state[SHOWN] = (study.id, saved_version)
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))
        return
    finish(f"Saved as version {saved_version}.")


def _add_people(study: Study, present_names: set[str]) -> None:
    with st.expander("Add raters"), st.form(field_key("people", "people"), border=False):
        typed = st.text_area(
            "Names or codes, one a line or separated by commas",
            key=field_key("people", "plan-names"),
            height=100,
        )
        if not st.form_submit_button("Add them", key=field_key("people", "plan-add")):
            return
        lines = [
            (number, name)
            for number, line in enumerate(typed.splitlines(), start=1)
            for name in split_names(line)
        ]
        if not lines:
            st.error("Write at least one name.")
            return
        try:
            add_raters(reader_session.store(), reader_session.actor(study), study, lines)
        except StoreError as error:
            where = f"Line {error.line}" if isinstance(error, NameRefused) else "The names"
            st.error(untrusted_text.plain(f"{where}: {error} Nobody was added."))
            return
        names = {name for _, name in lines}
        here = f" {len(names & present_names)} had a name here already." if names & present_names else ""
        new = len(names - present_names)
        finish(f"{new} {inflect(new, 'rater was', 'raters were')} added.{here}", "people")
