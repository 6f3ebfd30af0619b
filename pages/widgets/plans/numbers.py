"""Numbers that are older than the plans, and a button that computes them in the background."""

from __future__ import annotations

import streamlit as st

from data.record import target_plans
from data.record.studies import Study
from data.record.target_plans import ConversationPlan
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import finish
from runs.scoring import background
from scoring.models.model_settings import ModelMissing, embedders

BEGUN = "plans-scoring"  # the process that this tab started


def show(study: Study, conversations: list[ConversationPlan], waiting: int) -> None:
    """Show whether goal alignment is up to date with the plans, and a button that computes it.

    `waiting`: how many conversations have no number of their present plan.
    """
    measured = sum(
        conversation.scope is not None and not conversation.erased for conversation in conversations
    )
    if not waiting:
        untrusted_text.paragraph(
            f"Goal alignment is up to date for all {measured:,} conversations with a plan.",
            small=True,
        )
        return
    begun = st.session_state.get(BEGUN)
    if background.under_way(reader_session.store()) or (begun is not None and begun.poll() is None):
        st.info(
            f"Goal alignment is being computed: {measured - waiting:,} of {measured:,} conversations "
            "are up to date. You can leave this page."
        )
        st.button("Refresh", key="plans-look")
        return
    untrusted_text.paragraph(
        "Goal alignment is older than the plan, or has not been computed yet, for "
        f"{waiting:,} of {measured:,} conversations."
    )
    try:
        embedders().entry().path()
    except ModelMissing as missing:
        untrusted_text.paragraph(str(missing), small=True)
        return
    if st.button(
        "Compute it",
        key="plans-compute",
        help="The numbers are computed in the background. This takes seconds for a few conversations and "
        f"minutes for a hundred. To see why some stay missing, run: second-reader score {study.key}",
    ):
        st.session_state[BEGUN] = background.start(reader_session.store(), [study.key])
        finish("Computing has started in the background.")


def being_computed(study: Study) -> bool:
    """Tell whether this study waits for numbers while some are being computed, for any study of the store."""
    if not background.under_way(reader_session.store()):
        return False
    with reader_session.store().reading() as connection:
        plans = target_plans.versions(connection, study.id)
        return bool(plans) and bool(
            target_plans.waiting(
                connection, study.id, plans, target_plans.linked(connection, study.id, plans)
            )
        )
