"""Curves over the turns on the page: what moves, by condition, and behind it where care leaves the plan."""

from __future__ import annotations

import streamlit as st

from data.labels import agreement_material
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.drift.clicked_turn import draw_turns
from pages.widgets.drift.one_conversation import one_conversation
from pages.widgets.drift.part_lines import csv_button, show_with_tables, table_with_file
from pages.widgets.drift.turn_findings import (
    CurveChoice,
    conversation_drift,
    curve_choice,
    divisions,
    read_curves,
)
from pages.widgets.memo import memoize, study_head
from pages.widgets.opening_line import open_line
from pages.widgets.plans.numbers import being_computed
from reports.document import Block
from reports.drift import turn_words
from reports.drift.conversation_curves import ConversationDrift
from reports.drift.curve_kinds import CurveKind, curve_name, curve_words
from reports.drift.embedders import TITLE as EMBEDDERS
from reports.drift.embedders import compared_kinds, embedder_blocks
from reports.drift.label_correlation import beside_labels
from reports.figures import turn_curves
from scoring.goal_alignment import BANDS_NOTE

NOBODY = "Nothing"
MAX_CONVERSATIONS_LISTED = 500  # conversations furthest from their plan; the file has all
COMING = (
    "Numbers are being computed in the background, one study at a time. The page shows what is ready; look "
    "again in a minute."
)


def conversations(study: Study) -> None:
    """Show how a metric moves over the turns of conversations."""
    choice = curve_choice(study)
    with st.container(key="answer-page", gap="small"):
        if not choice.kinds:
            _nothing(study)
            return
        answer, choices = st.columns([3, 2], gap="medium")
        with (
            choices,
            st.container(horizontal=True, horizontal_alignment="right"),
            st.popover("Chart options"),
        ):
            kind, by, singles, bands = _chosen(study, choice)
        shown = conversation_drift(study, choice, kind, by)
        with answer:
            untrusted_text.heading(turn_words.turns_headline(shown, curve_words(kind, choice.embedders)), 1)
        if being_computed(study):
            st.info(COMING)
        leaving = turn_words.leaving_sentence(shown)
        if leaving:
            untrusted_text.paragraph(leaving, small=True)
        _picture(study, shown, singles, bands)
        open_line(
            "Everything behind it", "everything", lambda: _everything(study, choice, kind, shown, bands)
        )


def _nothing(study: Study) -> None:
    coming = being_computed(study)
    untrusted_text.heading(
        "Numbers are being computed."
        if coming
        else "It is too early to say how anything changes from turn to turn.",
        1,
    )
    if coming:
        st.info(COMING)
        return
    untrusted_text.paragraph(
        "No curve has been computed for this study. Add a plan of care and press “Compute it” on the page "
        "Plans of care. Or add critical entities and have the server compute their numbers."
    )


def _chosen(study: Study, choice: CurveChoice) -> tuple[CurveKind, str | None, bool, bool]:
    kind = st.selectbox(
        "What",
        choice.kinds,
        format_func=lambda kind: curve_name(kind, choice.embedders),
        key="drift-what",
    )
    by = st.selectbox(
        "Group by",
        [*divisions(study, kind), NOBODY],
        format_func=lambda name: name.replace("_", " "),
        key=f"drift-by-{study.id}",
    )
    singles = st.checkbox("Single conversations", value=True, key="drift-singles")
    bands = (
        st.checkbox("Published bands", key="drift-bands", help=BANDS_NOTE)
        if kind[0] == "goal_alignment"
        else False
    )
    return kind, None if by == NOBODY else by, singles, bands


def _picture(study: Study, shown: ConversationDrift, singles: bool, bands: bool) -> None:
    figure, drawn = turn_curves.multiples(shown, singles, bands)
    draw_turns(study, shown, figure, "drift-multiples")
    total = len(shown.table.key)
    notes = ["Bars are 95% intervals over conversations."]
    if singles:
        if drawn < total:
            notes.append(
                f"{drawn:,} of {total:,} conversations are shown in grey; the means cover all of them."
            )
        notes.append("Click a grey point to open that turn.")
    untrusted_text.paragraph(" ".join(notes), small=True)


def _everything(
    study: Study, choice: CurveChoice, kind: CurveKind, shown: ConversationDrift, bands: bool
) -> None:
    if shown.has_local:
        open_line(
            "Conversations least similar to their plan", "drift-leaving", lambda: _leaving(study, shown)
        )
    open_line(
        "One conversation, turn by turn",
        "drift-one",
        lambda: one_conversation(study, shown, kind, bands),
    )
    open_line("How it was tested", "drift-tested", lambda: show_with_tables(study, turn_words.blocks(shown)))
    open_line(
        "The chart as a table",
        "drift-by_turn",
        lambda: table_with_file(study, turn_words.by_turn_table(shown)),
    )
    open_line(
        "Does it correlate with clinicians' labels?", "drift-labels", lambda: _labels(study, kind, shown.what)
    )
    if compared_kinds(choice.embedders):
        open_line(EMBEDDERS, "drift-embedders", lambda: _embedders(study, choice))


def _leaving(study: Study, shown: ConversationDrift) -> None:
    untrusted_text.paragraph(
        "The line includes everything said before, so the actions of each turn alone show where care "
        "departs from the plan. A turn without a clinical action has no value.",
        small=True,
    )
    show_with_tables(study, [turn_words.leaving_table(shown, MAX_CONVERSATIONS_LISTED)])
    csv_button("leaving", study, lambda: turn_words.leaving_table(shown))


def _labels(study: Study, kind: CurveKind, what: str) -> None:
    """Curve and labels are of one state of the store."""
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)

        def compute() -> list[Block]:
            labels = agreement_material.read(connection, study, None)
            return list(beside_labels(read_curves(connection, head, study, kind), labels, what))

        shown = memoize("drift-labels", (study.id, kind), head, compute)
    if shown:
        show_blocks(study, shown)
    else:
        untrusted_text.paragraph("No criterion has both ordered levels and blind labels.")


def _embedders(study: Study, choice: CurveChoice) -> None:
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)

        def compute() -> list[Block]:
            labels = agreement_material.read(connection, study, None)
            return list(
                embedder_blocks(
                    choice.embedders, lambda kind: read_curves(connection, head, study, kind), labels
                )
            )

        shown = memoize("drift-embedder-blocks", study.id, head, compute)
    show_with_tables(study, shown)
