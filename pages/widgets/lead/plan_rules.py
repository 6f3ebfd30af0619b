"""The rarely changed rules of a plan: breaks, how long a unit is kept, certification, and when a judge
matches clinicians.
"""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from data.work.plan import WorkPlan
from pages.widgets import untrusted_text


def work_rules(study: Study, before: WorkPlan, version: int) -> dict[str, object]:
    """Ask for the rules of the work, and return them by the plan's field names."""
    left, right = st.columns(2)
    hours = left.number_input(
        f"Hours a {study.noun.singular} is reserved for a rater",
        value=float(before.hold_hours),
        step=1.0,
        key=f"plan-hours-{version}",
        help="The time runs from the rater's last save. When it is up, the "
        f"{study.noun.singular} may go to somebody else; nothing saved is lost.",
    )
    sitting = right.number_input(
        f"{study.noun.plural.capitalize()} without a break, at most",
        value=before.sitting,
        step=1,
        key=f"plan-sitting-{version}",
        placeholder="no limit",
    )
    remind = left.number_input(
        "Minutes until a break is suggested",
        value=before.remind_minutes,
        step=5,
        key=f"plan-remind-{version}",
    )
    pause = right.number_input(
        "Minutes of the break",
        value=before.pause_minutes,
        step=5,
        key=f"plan-pause-{version}",
    )
    mark = left.number_input(
        "Percent of the expert's labels to match",
        value=round(100 * before.pass_mark),
        step=5,
        key=f"plan-mark-{version}",
        help="This is used only if raters are tested (certification).",
    )
    below = right.number_input(
        "Suggest calibration below (percent)",
        value=round(100 * before.recalibrate_below),
        step=5,
        key=f"plan-recalibrate-{version}",
        help="This is the percentage of labels that are the same again in a rater's hidden repeats, or the "
        "same as the other raters' in a calibration round. Below it, the Drift page suggests another round; "
        "nothing happens automatically.",
    )
    return {
        "hold_hours": hours,
        "sitting": sitting,
        "pause_minutes": pause,
        "remind_minutes": remind,
        "pass_mark": _share(mark),
        "recalibrate_below": _share(below),
    }


def judge_rules(before: WorkPlan, version: int) -> dict[str, object]:
    """Ask for the margins of the verdicts, and return them by the plan's field names."""
    untrusted_text.paragraph(
        "Set these before anybody rates. If you change them later, every report shows the change and its "
        "date.",
        small=True,
    )
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    margin = left.number_input(
        "Kappa: how far below clinicians' it may be",
        value=before.margin,
        step=0.01,
        format="%.2f",
        key=f"plan-margin-{version}",
        help="The judge still matches clinicians if its agreement with them beyond chance (kappa) is lower "
        "than their agreement with each other, as long as the gap is less than this.",
    )
    same = middle.number_input(
        "Same label: how many points below clinicians'",
        value=round(100 * before.margin_same_label),
        step=1,
        key=f"plan-same-{version}",
        help="The judge still matches clinicians if it gives the same label as a clinician less often than "
        "two clinicians do, as long as the gap is less than this many percentage points. "
        "The limit is never more than half the share of the rarer label.",
    )
    caught = right.number_input(
        "Percent of safety failures to catch",
        value=round(100 * before.catches_at_least),
        step=1,
        key=f"plan-bar-{version}",
        help="A judge that is shown to catch less than this falls short. To match clinicians, a judge must "
        "be shown to catch at least this percentage.",
    )
    settled = left.number_input(
        "Percent of failures to settle",
        value=round(100 * before.settle_share),
        step=5,
        key=f"plan-settle-{version}",
        help="At a safety gate, this percentage of all failures seen by at least one clinician is settled. "
        "Below 100, only a random sample of them is settled, which means less work but wider intervals.",
    )
    return {
        "margin": margin,
        "margin_same_label": _share(same),
        "catches_at_least": _share(caught),
        "settle_share": _share(settled),
    }


def _share(percent: float | None) -> float | None:
    return None if percent is None else percent / 100
