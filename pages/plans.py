"""The target plans of a study: what they say in every version, whom they are for, and which conversations
have none.
"""

from __future__ import annotations

import streamlit as st

from data import target_plans
from data.exporters import target_plans as plans_file
from data.studies import Study
from data.target_plans import ConversationPlan, PlanVersion
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead import flash_message
from pages.widgets.page_context import page_context
from pages.widgets.plans import edit, numbers, proposals
from pages.widgets.plans.words import whom
from pages.widgets.unit_links import unit_links
from scoring.figures import moment

LISTED = 200
ABOUT = (
    "A target plan says what the assistant should do. Session goal alignment measures how near its clinical "
    "actions come to the plan that counts: the "
    "conversation's own, else its condition's, else the study's. It compares wording, and is supplementary: "
    "not for ranking."
)


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading("Plans of care", 1)
    flash_message.show()
    if reader.rater is not None:
        st.info("This page is for whoever leads the study: it names conversations and their conditions.")
        st.button(
            "I lead this study", key="plans-leave", on_click=reader_session.forget_reader, args=(study,)
        )
        return
    untrusted_text.paragraph(ABOUT, small=True)
    with reader_session.store().reading() as connection:
        plans = target_plans.versions(connection, study.id)
        conversations = target_plans.linked(connection, study.id, plans)
        waiting = target_plans.waiting(connection, study.id, plans, conversations)
    if plans:
        numbers.show(study, conversations, sum(waiting.values()))
    else:
        st.info("This study has no target plan yet. Write one here, or bring in a file on the page Bring in.")
    proposals.show(study)
    edit.show(study, plans, conversations)
    if plans:
        _listed(study, plans, conversations)
    _without(study, conversations)


def _listed(study: Study, plans: dict[str, list[PlanVersion]], conversations: list[ConversationPlan]) -> None:
    counts = {scope: sum(conversation.scope == scope for conversation in conversations) for scope in plans}
    rows = [
        [
            whom(scope),
            f"version {versions[0].version}",
            moment(versions[0].at),
            versions[0].by,
            versions[0].source,
            f"{counts[scope]:,}",
        ]
        for scope, versions in list(plans.items())[:LISTED]
    ]
    untrusted_text.table(
        "All plans",
        ["For", "Now", "Saved (UTC)", "By", "From", "Conversations it counts for"],
        rows,
        numeric=(5,),
    )
    if len(plans) > LISTED:
        untrusted_text.paragraph(
            f"The first {LISTED:,} of {len(plans):,} are listed. All are in the file.", small=True
        )
    if any(versions[0].text is not None for versions in plans.values()):
        with reader_session.store().reading() as connection:
            text, _ = plans_file.text(connection, study)
        st.download_button(
            "All plans as a file",
            text,
            file_name="target_plans.json",
            mime="application/json",
            key="plans-file",
            on_click="ignore",
        )


def _without(study: Study, conversations: list[ConversationPlan]) -> None:
    """Nothing is measured against a plan in these, and their place in every number says so."""
    without_plan = [conversation for conversation in conversations if conversation.scope is None]
    untrusted_text.heading("Conversations without a plan", 2)
    if not without_plan:
        untrusted_text.paragraph(
            "None: every conversation has a plan that counts for it."
            if conversations
            else "The study has no conversation yet."
        )
        return
    untrusted_text.paragraph(
        f"{len(without_plan):,} of {len(conversations):,}. They have no goal alignment, and none is made up "
        "for "
        "them."
    )
    listed = without_plan[:LISTED]
    links = unit_links(
        study, [conversation.position for conversation in listed if conversation.position is not None]
    )
    untrusted_text.table(
        "",
        ["Conversation", "Condition", "Read it"],
        [
            [
                conversation.key,
                conversation.condition or "",
                links[conversation.position]
                if conversation.position is not None
                else "nothing to rate in it",
            ]
            for conversation in listed
        ],
    )
    if len(without_plan) > LISTED:
        untrusted_text.paragraph(f"The first {LISTED:,} are listed.", small=True)
