"""Plans of care, for leads: the list of conversations, conditions and the study, and the plan of the chosen
one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from data.exporters import target_plans as plans_file
from data.labels.unit_list import beginnings_at, list_units
from data.record import target_plans
from data.record.studies import Study
from data.record.target_plans import ConversationPlan
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead import flash_message
from pages.widgets.lead.lead_context import lead_context
from pages.widgets.opening_line import open_line
from pages.widgets.plans import edit, numbers, proposals
from pages.widgets.plans.scopes import Plans, PlanScope, list_scopes
from pages.widgets.settle_list import component
from pages.widgets.settle_list.contract import LabelList, SettleRow
from pages.widgets.write_address import write_address
from words.plurals import count

FOR = "for"  # in the address: the open scope
PAGE_SIZE = 50
WORDS_MATCHED = 10_000  # conversations that a search lists
WORDS = 52  # characters of a beginning or a plan
ALL, WITHOUT, OWN = "All", "Without a plan", "With their own plan"
ABOUT = (
    "A plan says what the assistant should do. Session goal alignment measures how similar "
    "the wording of the assistant's clinical actions is to the plan. It is supplementary: don't rank "
    "models by it."
)


@dataclass(frozen=True)
class PlanList:
    """The scopes that match the filter. The list shows one page of them, after the first `after`."""

    scopes: list[PlanScope]
    after: int

    @property
    def page(self) -> list[PlanScope]:
        return self.scopes[self.after : self.after + PAGE_SIZE]


def render() -> None:
    """Draw the Plans of care page."""
    study = lead_context(
        "Plans of care",
        "This page is for study leads: it names conversations and their conditions.",
    )
    if study is None:
        return
    with reader_session.store().reading() as connection:
        plans = target_plans.versions(connection, study.id)
        conversations = target_plans.linked(connection, study.id, plans)
        waiting = target_plans.waiting(connection, study.id, plans, conversations)
    with st.container(key="answer-page", gap="small"):
        untrusted_text.heading(_answer(plans, conversations), 1)
        untrusted_text.paragraph(ABOUT, small=True)
        flash_message.show()
        proposals.show(study)
        left, right = st.columns([2, 3], gap="large")
        with left:
            opened = _list(study, plans, list_scopes(plans, conversations))
        with right:
            edit.show(study, opened, plans.get(opened.scope, ()))
            if plans:
                numbers.show(study, conversations, sum(waiting.values()))
            if any(versions[0].text is not None for versions in plans.values()):
                open_line("Export the plans", "plans-file", partial(_offer_export, study))


def _answer(plans: Plans, conversations: list[ConversationPlan]) -> str:
    if not conversations:
        return "The study has no conversations yet."
    without = sum(conversation.scope is None for conversation in conversations)
    if not plans:
        return "This study has no care plans yet."
    if not without:
        return f"All {count(len(conversations), 'conversation has', 'conversations have')} a plan."
    return f"{without:,} of {count(len(conversations), 'conversation has', 'conversations have')} no plan."


def _list(study: Study, plans: Plans, scopes: list[PlanScope]) -> PlanScope:
    """Show the list and return the open scope."""
    asked = st.query_params.get(FOR, "")
    opened = next((item for item in scopes if asked and item.address == asked), None) or next(
        (item for item in scopes if item.scope in plans), scopes[0]
    )
    listed = _filter(study, plans, scopes)
    with st.container(key="plans-list"):
        pressed = component.mount(_rows(study, plans, listed, opened))
    if pressed is not None and pressed.after is not None:
        st.session_state[_after_key(study)] = pressed.after
        st.rerun()
    if pressed is not None and pressed.key and pressed.key != opened.address:
        write_address(**{FOR: pressed.key})
        st.rerun()
    return opened


def _after_key(study: Study) -> str:
    return f"plans-after-{study.id}"


def _filter(study: Study, plans: Plans, scopes: list[PlanScope]) -> PlanList:
    words_field, kind_field = st.columns([3, 2])
    words = words_field.text_input(
        "Find",
        key="plans-words",
        placeholder="id, condition or first words",
        label_visibility="collapsed",
    )
    kind = kind_field.selectbox("Which", [ALL, WITHOUT, OWN], key="plans-kind", label_visibility="collapsed")
    key = _after_key(study)
    if st.session_state.get(f"{key}-of") != (words, kind):
        st.session_state[f"{key}-of"], st.session_state[key] = (words, kind), 0
    matching = [item for item in scopes if _is_of_kind(item, plans, kind)]
    if words.strip():
        with reader_session.store().reading() as connection:
            units = list_units(connection, study, words, WORDS_MATCHED).units
        conversations = {unit.conversation for unit in units}
        matching = [
            item
            for item in matching
            if words.strip().casefold() in item.name.casefold()
            or (item.conversation is not None and item.name in conversations)
        ]
    return PlanList(matching, min(st.session_state[key], max(0, len(matching) - 1)))


def _is_of_kind(item: PlanScope, plans: Plans, kind: str) -> bool:
    if kind == WITHOUT:
        return item.conversation is not None and item.conversation.scope is None
    return kind == ALL or item.scope in plans


def _rows(study: Study, plans: Plans, listed: PlanList, opened: PlanScope) -> LabelList:
    positions = [
        item.conversation.position
        for item in listed.page
        if item.conversation is not None and item.conversation.position is not None
    ]
    with reader_session.store().reading() as connection:
        beginnings = beginnings_at(connection, study, positions)
    return LabelList(
        title="Who a plan is for",
        rows=[_row(study, item, plans, beginnings) for item in listed.page],
        after=listed.after,
        total=len(listed.scopes),
        page_size=PAGE_SIZE,
        current=opened.address,
        empty="No conversation's name or first words match that.",
        leaves=False,
    )


def _row(study: Study, item: PlanScope, plans: Plans, beginnings: dict[int, str]) -> SettleRow:
    versions, conversation = plans.get(item.scope, []), item.conversation
    if conversation is not None:
        line = beginnings.get(conversation.position or 0, "")
    else:
        line = " ".join((versions[0].text or "").split()) if versions else ""
    marks = [f"version {versions[0].version}"] if versions else []
    if versions and conversation is None:
        marks.append(f"applies to {item.counts:,}")
    elif (not versions and conversation is None) or (conversation is not None and conversation.scope is None):
        marks.append("no plan")
    query = urlencode({"study": study.key, "reader": reader_session.LEAD, FOR: item.address})
    return SettleRow(
        key=item.address,
        name=item.name,
        about=(conversation.condition or "") if conversation is not None else "",
        labels=[line if len(line) <= WORDS else f"{line[:WORDS]}\u2026"] if line else [],
        judge=[],
        marks=marks,
        address=f"plans?{query}",
    )


def _offer_export(study: Study) -> None:
    with reader_session.store().reading() as connection:
        text, _ = plans_file.text(connection, study)
    st.download_button(
        "Download all plans",
        text,
        file_name="target_plans.json",
        mime="application/json",
        key="plans-file",
        on_click="ignore",
    )
