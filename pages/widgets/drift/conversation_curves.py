"""Curves over the turns on the page: by condition, where care leaves the plan, and one conversation."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl

import streamlit as st

from data import agreement_material, curves
from data import conversations as stored
from data.curves import CurveTable
from data.store import Connection
from data.studies import Study
from data.study_heads import StudyHead
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.drift.csv_button import csv_button
from pages.widgets.memo import memoize, study_head
from pages.widgets.plans.numbers import being_computed
from pages.widgets.unit_links import unit_links
from pages.widgets.untrusted_text import Link
from reports.document import Block
from reports.drift import conversation_curves as drift
from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import NAMES, Embedders, curve_name, in_order
from reports.drift.embedders import TITLE as EMBEDDERS
from reports.drift.embedders import compared_kinds, embedder_blocks
from reports.drift.label_correlation import beside_labels
from reports.figures import turn_curves
from scoring.clinical_actions import extract_clinical_actions, lexicon
from scoring.figures import decimal
from scoring.goal_alignment import BANDS_NOTE

NOBODY = "Nothing"
LISTED = 500  # conversations to choose one from


def conversations(study: Study) -> None:
    with reader_session.store().reading() as connection:
        kinds = memoize(
            "drift-kinds",
            study.id,
            study_head(connection, study),
            lambda: curves.kinds(connection, study.id),
        )
        embedders = memoize(
            "drift-embedders",
            study.id,
            study_head(connection, study),
            lambda: curves.embedders(connection, study.id),
        )
    if being_computed(study):
        st.info(
            "Numbers are being computed in the background, one study after the other. What is there already "
            "is shown; look again in a minute."
        )
    if not kinds:
        st.info(
            "No curve was computed for this study yet. It takes a plan of care (the page Plans of care) or "
            "critical entities, "
            f"and then, in a terminal: second-reader score {study.key}"
        )
        return
    left, middle, right = st.columns([2, 2, 3], vertical_alignment="bottom")
    kind = left.selectbox(
        "What",
        in_order(kinds, embedders),
        format_func=lambda kind: curve_name(kind, embedders),
        key="drift-what",
    )
    with reader_session.store().reading() as connection:
        table = _read(connection, study_head(connection, study), study, kind)
    by = middle.selectbox(
        "Divided by",
        [*table.divides(), NOBODY],
        format_func=lambda name: name.replace("_", " "),
        key=f"drift-by-{study.id}",
    )
    with right.container(horizontal=True):
        singles = st.checkbox("Single conversations", value=True, key="drift-singles")
        bands = (
            st.checkbox("Published bands", key="drift-bands", help=BANDS_NOTE)
            if kind[0] == "goal_alignment"
            else False
        )
    conversation_drift = ConversationDrift(table, None if by == NOBODY else by, curve_name(kind, embedders))
    _together(study, conversation_drift, singles, bands)
    if conversation_drift.has_local:
        untrusted_text.heading("Where does care leave the plan?", 2)
        show_blocks(study, drift.where_it_leaves(conversation_drift))
        csv_button("leaving", study, lambda: drift.leaving_table(conversation_drift))
    _one(study, conversation_drift, kind, bands)
    _labels(study, kind, curve_name(kind, embedders))
    _embedders(study, embedders)


def _read(connection: Connection, head: StudyHead, study: Study, kind: tuple[str, str]) -> CurveTable:
    return memoize("drift-table", (study.id, kind), head, lambda: curves.read(connection, study.id, *kind))


def _together(study: Study, conversation_drift: ConversationDrift, singles: bool, bands: bool) -> None:
    title = drift.title(conversation_drift)
    figure, drawn = turn_curves.multiples(conversation_drift, title, singles, bands)
    chosen = st.plotly_chart(
        figure,
        key=f"drift-multiples-{st.session_state.get('drift-opened', 0)}",
        config=turn_curves.CONFIG,
        on_select="rerun",
        selection_mode="points",
    )
    _open(study, conversation_drift, chosen)
    total = len(conversation_drift.table.key)
    notes = ["Bars are 95 % intervals over conversations; a turn without a value is a gap."]
    if singles:
        if drawn < total:
            notes.append(
                f"{drawn:,} of {total:,} conversations are drawn in grey, evenly chosen; means are of all."
            )
        notes.append("A click on a grey point opens that turn.")
    untrusted_text.paragraph(" ".join(notes), small=True)
    show_blocks(study, drift.blocks(conversation_drift))
    with st.expander("The chart as a table"):
        show_blocks(study, [drift.by_turn_table(conversation_drift)])
    csv_button("by_turn", study, lambda: drift.by_turn_table(conversation_drift))


def _one(study: Study, conversation_drift: ConversationDrift, kind: tuple[str, str], bands: bool) -> None:
    """One conversation, its actions on hover; a click opens the turn."""
    untrusted_text.heading("One conversation", 2)
    order = drift.order(conversation_drift)[:LISTED]
    if not order:
        return
    table = conversation_drift.table
    row = st.selectbox(
        "Conversation",
        order,
        format_func=lambda row_number: (
            f"{drift.named(conversation_drift, row_number)}: {table.key[row_number]} "
            f"({conversation_drift.names[row_number]})"
        ),
        key=f"drift-one-{study.id}",
    )
    with reader_session.store().reading() as connection:
        talk = stored.read(connection, [int(table.conversation[row])])[0]
        truncated, cut = (
            curves.of_one(connection, talk.id, "goal_alignment", "actions/truncated")
            if kind == ("goal_alignment", "actions/windowed")
            else ([], None)
        )
    actions = (
        [extract_clinical_actions(reply or "", lexicon()) for reply in talk.replies()]
        if talk.messages is not None and kind in NAMES
        else []
    )
    turns = int(table.turns[row])
    figure = turn_curves.single(
        _plain(table.values[row])[:turns],
        _plain(table.local[row])[:turns] if conversation_drift.has_local else [],
        truncated[:turns],
        cut,
        actions,
        drift.title_of_one(conversation_drift, row),
        bands,
    )
    chosen = st.plotly_chart(
        figure,
        key=f"drift-one-chart-{row}-{st.session_state.get('drift-opened', 0)}",
        config=turn_curves.CONFIG,
        on_select="rerun",
        selection_mode="points",
    )
    _open(study, conversation_drift, chosen, row)
    untrusted_text.paragraph(
        "A click on a point or a bar opens that turn of the conversation."
        + ("" if talk.messages is not None else " Its words were erased, so its actions are not shown."),
        small=True,
    )
    with st.expander("This chart as a table"):
        untrusted_text.table(
            "Turn by turn",
            ["Turn", "Everything so far", "Of this turn alone", "Clinical actions"],
            [
                [
                    str(turn),
                    _said(table.values[row][turn - 1]),
                    _said(table.local[row][turn - 1]) if conversation_drift.has_local else "",
                    actions[turn - 1] if turn <= len(actions) else "",
                ]
                for turn in range(1, turns + 1)
                if turn <= table.values.shape[1]
            ],
            numeric=(1, 2),
        )


def _plain(values: Any) -> list[float | None]:
    return [None if one != one else one for one in values.tolist()]


def _said(value: float) -> str:
    return "none" if value != value else decimal(value, 3)


def _open(study: Study, drift: ConversationDrift, chosen: Any, row: int | None = None) -> None:
    """The review page at the turn that was clicked. The chart gets a new key, so that coming back does not
    click it again.
    """
    points = chosen["selection"]["points"] if chosen else []
    data = next(
        (point_data["customdata"] for point_data in points if point_data.get("customdata") is not None), None
    )
    if data is None:
        return
    at, turn = turn_curves.point(int(data)) if row is None else (row, int(data))
    position = int(drift.table.position[at])
    target = unit_links(study, [position])[position]
    if position and isinstance(target, Link):
        st.session_state["drift-opened"] = st.session_state.get("drift-opened", 0) + 1
        st.switch_page(
            st.session_state["page_review"],
            query_params={**dict(parse_qsl(target.target.partition("?")[2])), "turn": str(turn)},
        )


def _labels(study: Study, kind: tuple[str, str], what: str) -> None:
    """Curve and labels are of one state of the store."""
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)

        def compute() -> list[Block]:
            labels = agreement_material.read(connection, study, None)
            return list(beside_labels(_read(connection, head, study, kind), labels, what))

        shown = memoize("drift-labels", (study.id, kind), head, compute)
    if shown:
        untrusted_text.heading("Does it go with what clinicians say?", 2)
        show_blocks(study, shown)


def _embedders(study: Study, embedders: Embedders) -> None:
    """Nothing where there is only one."""
    if not compared_kinds(embedders):
        return
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)

        def compute() -> list[Block]:
            labels = agreement_material.read(connection, study, None)
            return list(embedder_blocks(embedders, lambda kind: _read(connection, head, study, kind), labels))

        shown = memoize("drift-embedder-blocks", study.id, head, compute)
    untrusted_text.heading(EMBEDDERS, 2)
    show_blocks(study, shown)
