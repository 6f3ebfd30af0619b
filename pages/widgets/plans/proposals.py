"""Proposed target plans: each part with the sentence that supports it. A study lead accepts, changes or
refuses them.
"""

from __future__ import annotations

from functools import partial

import streamlit as st

from data.record import plan_proposals
from data.record.plan_proposals import PlanProposal
from data.record.studies import Study
from data.record.target_plans import LONGEST
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from pages.widgets.opening_line import open_line
from pages.widgets.unit_links import unit_links
from services.plan_proposals import accept_plan, refuse_plan
from words.plurals import count

FORM = "proposal"


def show(study: Study) -> None:
    """Show the waiting proposals, if there are any."""
    with reader_session.store().reading() as connection:
        proposals = plan_proposals.undecided(connection, study)
    if not proposals:
        return
    with_plan = sum(proposal.plan is not None for proposal in proposals)
    waiting = count(with_plan, "proposal is waiting", "proposals are waiting")
    open_line(
        f"{waiting} for your decision", "proposals", partial(_show_proposals, study, proposals, with_plan)
    )


def _show_proposals(study: Study, proposals: list[PlanProposal], with_plan: int) -> None:
    sentence = "A proposal has no effect until you accept it."
    if without := len(proposals) - with_plan:
        sentence += (
            f" For {count(without, 'more case', 'more cases')} the model proposes no plan: write a plan or "
            "refuse."
        )
    untrusted_text.paragraph(sentence, small=True)
    by_id = {proposal.id: proposal for proposal in proposals}
    chosen = st.selectbox(
        "Conversation",
        list(by_id),
        key=field_key(FORM, "proposal-open"),
        format_func=lambda number: by_id[number].key,
    )
    _open(study, by_id[chosen])


def _open(study: Study, proposal: PlanProposal) -> None:
    left, right = st.columns(2, gap="large")
    with right:
        _show_reasons(study, proposal)
    with left:
        if proposal.after:
            st.warning(
                f"This conversation has a plan of its own, version {proposal.after}. The plan that "
                "you accept here replaces it."
            )
        text = st.text_area(
            "What the assistant should do",
            value=proposal.plan or "",
            height=120,
            max_chars=LONGEST,
            key=field_key(FORM, f"proposal-text-{proposal.id}"),
            persist_state="session",
        )
        reason = st.text_input(
            "Reason, if you refuse it",
            max_chars=2000,
            key=field_key(FORM, f"proposal-reason-{proposal.id}"),
        )
        with st.container(horizontal=True):
            taken = st.button("Accept this plan", key="proposal-take", type="primary")
            refused = st.button("Refuse", key="proposal-refuse")
    if taken or refused:
        _decide(study, proposal, text if taken else None, reason)


def _show_reasons(study: Study, proposal: PlanProposal) -> None:
    if proposal.plan is None:
        untrusted_text.paragraph(proposal.undefined or "")
    else:
        untrusted_text.table(
            "Why each part is proposed",
            ["Part of the plan", "The model's reason, from the text"],
            [[part, sentence] for part, sentence in proposal.evidence.items()],
        )
    with st.expander(f"The text it was read from ({proposal.source})"):
        untrusted_text.paragraph(proposal.case_text)
        if proposal.position is not None:
            links = unit_links(study, [proposal.position])
            untrusted_text.table("", ["The conversation"], [[links[proposal.position]]])
    untrusted_text.paragraph(f"Proposed by {proposal.model}, with {proposal.components}.", small=True)


def _decide(study: Study, proposal: PlanProposal, text: str | None, reason: str) -> None:
    """`text`: the accepted plan; None refuses it."""
    store, actor = reader_session.store(), reader_session.actor(study)
    try:
        if text is None:
            refuse_plan(store, actor, study, proposal, reason)
        else:
            accept_plan(store, actor, study, proposal, text)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    if text is None:
        finish("The proposal was refused. No plan was saved.", FORM)
    finish(f"The target plan for conversation {proposal.key} has been saved.", FORM)
