"""Drift of the judge on the page: the anchors, their rounds, and whether a new judge may take the place of
the one in use.
"""

from __future__ import annotations

import streamlit as st

from data import adoptions, trail
from data.errors import StoreError
from data.studies import Study
from pages.widgets import foreign, place
from pages.widgets.blocks import show_blocks
from pages.widgets.drift.anchor_chart import anchor_chart
from pages.widgets.drift.charts import CONFIG
from pages.widgets.drift.csv_button import csv_button
from pages.widgets.kept import kept
from pages.widgets.lead import done
from pages.widgets.place import Reader
from runs.drift import anchors as drift
from runs.drift import swap
from runs.drift.anchors import OnAnchors
from runs.drift.freezing import NOTHING_SETTLED, Offer, freeze_anchors
from runs.drift.swap import Compare


def judge(study: Study, reader: Reader) -> None:
    with place.store().reading() as connection:
        found = kept(
            "drift-anchors", (study.id, trail.head(connection)), lambda: drift.on_anchors(connection, study)
        )
    lead = reader.rater is None
    done.show()
    _meanwhile(found)
    foreign.heading("Anchors", 2)
    show_blocks(study, drift.state(found))
    if lead:
        _freeze(found)
    if found.newest is None:
        return
    _rounds(found)
    foreign.heading("Which judge is used", 2)
    decided = drift.decisions_table(found)
    if decided is None:
        foreign.paragraph(
            "Nobody has decided on a judge yet, so any judge may be run on this study. Once one is in use, "
            "another has to be compared with it "
            "on the anchors before it is run on the study."
        )
    else:
        foreign.paragraph(f"{found.name(found.now)} is in use.")
        show_blocks(study, [decided])
    _swap(found, lead)


def _meanwhile(found: OnAnchors) -> None:
    """Somebody else decided while this page stood open; what was typed here was not kept."""
    key = f"judge-in-use-{found.study.id}"
    before, st.session_state[key] = st.session_state.get(key, found.now), found.now
    if before != found.now and found.history:
        last = found.history[-1]
        st.warning(
            foreign.plain(
                f"In the meantime {last.by} decided on {found.name(last.judge_id)}. "
                "If you were deciding as well, that was not kept: look again."
            )
        )


def _freeze(found: OnAnchors) -> None:
    """A new set of what is settled now."""
    offer = Offer(found)
    if not offer.fails:
        st.info(NOTHING_SETTLED)
        return
    with (
        st.expander(
            "Freeze anchors" if found.newest is None else "Freeze a new set", expanded=found.newest is None
        ),
        st.form("anchors-freeze", border=False),
    ):
        for line in offer.lines():
            foreign.paragraph(line, small=True)
        size = st.number_input("Conversations", value=offer.usual, step=1, key="anchors-size")
        key, number = f"anchors-seen-{found.study.id}", found.newest.number if found.newest else 0
        seen = st.session_state.get(key, number)
        st.session_state[key] = number
        if st.form_submit_button("Freeze", key="anchors-freeze-now"):
            if seen != number:  # pressed twice, or somebody else was first
                st.info("A set was frozen in the meantime; nothing more was done.")
            else:
                _frozen(found.study, int(size or 0))


def _frozen(study: Study, size: int) -> None:
    try:
        result = freeze_anchors(place.store(), place.actor(study), study, size)
    except StoreError as error:
        st.error(foreign.plain(str(error)))
        return
    done.done(
        result.sentence()
        + (
            ""
            if result.already
            else " What judges said of them in the study stands below; to ask them three times each, start "
            "a run "
            "with \u201cOnly the anchors\u201d on the Runs page."
        )
    )


def _rounds(found: OnAnchors) -> None:
    shown = drift.lines(found.answers)
    if not shown:
        st.info(
            "No judge has answered the anchors yet. Start a run with \u201cOnly the anchors\u201d on the "
            "Runs page."
        )
        return
    if any(one.round.days for one in shown):
        st.plotly_chart(anchor_chart(found, shown), key="drift-anchor-rounds", config=CONFIG)
        foreign.paragraph(
            "Bars are 95 % intervals over conversations; beside each mark stands how many labels it rests "
            "on.",
            small=True,
        )
    else:
        foreign.paragraph(f"{drift.title(found, shown)}.")
    foreign.paragraph(
        "A label is asked three times in a round, and all answers count. A judge's label in the study "
        "stands before its rounds. Where it says "
        "that a judge has changed, it is another one under the same name: providers change models silently.",
        small=True,
    )
    table = drift.rounds_table(found, shown)
    show_blocks(found.study, [table])
    csv_button("anchor_rounds", found.study, lambda: table)


def _swap(found: OnAnchors, lead: bool) -> None:
    others = [one.id for one in found.judges if one.id != found.now]
    if not others:
        return
    foreign.heading("A new judge beside the one in use" if found.now is not None else "The judge to use", 2)
    chosen = st.selectbox(
        "Judge", others, index=len(others) - 1, format_func=found.name, key=f"drift-swap-{found.study.id}"
    )
    one = swap.compare(found, chosen)
    blocks = [*swap.verdict(one), *(swap.right(one) if one.asked else ())]
    show_blocks(found.study, blocks)
    if not one.asked:
        return
    if lead:
        _decide(one)
    if one.before is not None:
        show_blocks(found.study, [swap.apart(one)])
    csv_button("swap", found.study, lambda: swap.as_table(one), "Both judges on every anchor label, as CSV")


def _decide(one: Compare) -> None:
    needed = one.compared.needs_reason
    key = f"adopt-seen-{one.found.study.id}-{one.now}"
    seen = st.session_state.get(
        key, one
    )  # what stood on the page when the button was pressed, not what was written since
    st.session_state[key] = one
    with st.form(f"adopt-{one.now}"):
        by = st.text_input("Your name", max_chars=adoptions.NAME_LIMIT, key=f"adopt-by-{one.now}")
        reason = st.text_area(
            "Reason" if needed else "Reason, if you want to give one",
            max_chars=2_000,
            height=80,
            placeholder="without words of a conversation: they could not be forgotten",
            key=f"adopt-reason-{one.now}",
        )
        if not st.form_submit_button(
            "Use this judge from now on", type="primary", key=f"adopt-now-{one.now}"
        ):
            return
    found = one.found
    try:
        swap.decide(place.store(), place.actor(found.study), seen, by or "", reason or "")
    except StoreError as error:
        st.error(foreign.plain(str(error)))
        return
    st.session_state[f"judge-in-use-{found.study.id}"] = one.now
    done.done(f"{found.name(one.now)} is in use from now on.")
