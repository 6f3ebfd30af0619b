"""Which numbers are older than the plans, and having them computed beside the app."""

from __future__ import annotations

import streamlit as st

from data import target_plans
from data.studies import Study
from data.target_plans import Linked
from pages.widgets import foreign, place
from pages.widgets.lead.done import done
from runs.scoring import beside
from scoring.models.configured import ModelMissing, embedders

BEGUN = "plans-scoring"  # the process that this tab has started


def show(study: Study, conversations: list[Linked], waiting: int) -> None:
    measured = sum(one.scope is not None and not one.erased for one in conversations)
    if not waiting:
        foreign.paragraph(
            f"Goal alignment is computed for all {measured:,} conversations with a plan, against the plan "
            "as it is now.",
            small=True,
        )
        return
    begun = st.session_state.get(BEGUN)
    if beside.under_way(place.store()) or (begun is not None and begun.poll() is None):
        st.info(
            f"Goal alignment is being computed: {measured - waiting:,} of {measured:,} conversations have "
            "it against the plan as it is now. "
            "That goes on when you leave this page."
        )
        st.button("Look again", key="plans-look")
        return
    foreign.paragraph(
        f"In {waiting:,} of {measured:,} conversations goal alignment is older than the plan, or was not "
        "computed yet."
    )
    try:
        embedders().entry().path()
    except ModelMissing as missing:
        foreign.paragraph(str(missing), small=True)
        return
    if st.button(
        "Compute it",
        key="plans-compute",
        help="In the background: some seconds for a few conversations, minutes for a hundred. "
        f"What stays missing is explained by: second-reader score {study.key}",
    ):
        st.session_state[BEGUN] = beside.start(place.store(), [study.key])
        done("Computing has begun, in the background.")


def being_computed(study: Study) -> bool:
    """Whether this study waits for numbers while some are being computed, of it or of another study of the
    store.
    """
    if not beside.under_way(place.store()):
        return False
    with place.store().reading() as connection:
        plans = target_plans.versions(connection, study.id)
        return bool(plans) and bool(
            target_plans.waiting(
                connection, study.id, plans, target_plans.linked(connection, study.id, plans)
            )
        )
