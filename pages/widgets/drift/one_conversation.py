"""One conversation over its turns, with the clinical actions of each."""

from __future__ import annotations

from typing import Any

import streamlit as st

from data.record import conversations as stored
from data.record import curves
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.drift.clicked_turn import draw_turns
from pages.widgets.long_table import show_table
from reports.document import Table
from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import KNOWN, CurveKind
from reports.drift.turn_words import furthest_first, name_conversation, title_of_one
from reports.figures import turn_curves
from scoring.clinical_actions import extract_clinical_actions, lexicon
from words.figures import decimal

MAX_CONVERSATIONS_LISTED = 500  # conversations to choose one from


def one_conversation(study: Study, shown: ConversationDrift, kind: CurveKind, bands: bool) -> None:
    """Ask for a conversation, and show its curve. `bands`: with the published bands."""
    table = shown.table
    row = st.selectbox(
        "Conversation",
        furthest_first(shown)[:MAX_CONVERSATIONS_LISTED],
        format_func=lambda row_number: (
            f"{name_conversation(shown, row_number)}: {table.key[row_number]} ({shown.names[row_number]})"
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
        if talk.messages is not None and kind in KNOWN
        else []
    )
    turns = int(table.turns[row])
    figure = turn_curves.single(
        _plain(table.values[row])[:turns],
        _plain(table.local[row])[:turns] if shown.has_local else [],
        truncated[:turns],
        cut,
        actions,
        title_of_one(shown, row),
        bands,
    )
    draw_turns(study, shown, figure, f"drift-one-chart-{row}", row)
    untrusted_text.paragraph(
        "Click a point or a bar to open that turn of the conversation."
        + ("" if talk.messages is not None else " Its text was erased, so its actions are not shown."),
        small=True,
    )
    show_table(study, _turns_table(shown, row, turns, actions))


def _turns_table(shown: ConversationDrift, row: int, turns: int, actions: list[str]) -> Table:
    """What its chart draws."""
    table = shown.table
    return Table(
        "one_conversation",
        "Turn by turn",
        ("Turn", "Everything so far", "This turn alone", "Clinical actions"),
        [
            (
                str(turn),
                _value_words(table.values[row][turn - 1]),
                _value_words(table.local[row][turn - 1]) if shown.has_local else "",
                actions[turn - 1] if turn <= len(actions) else "",
            )
            for turn in range(1, turns + 1)
            if turn <= table.values.shape[1]
        ],
        (1, 2),
    )


def _plain(values: Any) -> list[float | None]:
    return [None if value != value else value for value in values.tolist()]


def _value_words(value: float) -> str:
    return "none" if value != value else decimal(value, 3)
