"""Changing the rubric: people's notes, a new version, and a study that rates the affected units again."""

from __future__ import annotations

import streamlit as st

from data.labels import settlements
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.new_version import write_version
from pages.widgets.unit_links import unit_links
from words.figures import moment

MAX_ROWS_LISTED = 200


def rubric_change(study: Study) -> None:
    """Show the notes on the rubric to a person who may see the whole study."""
    with reader_session.store().reading() as connection:
        notes = settlements.rubric_notes(connection, study.id)
    untrusted_text.heading("Change the rubric", 2)
    if notes:
        names = {c.id: c.name for c in study.instrument.criteria}
        links = unit_links(study, {note.position for note in notes[:MAX_ROWS_LISTED]})
        some = f", the first {MAX_ROWS_LISTED} listed" if len(notes) > MAX_ROWS_LISTED else ""
        untrusted_text.table(
            f"Notes on the rubric: {len(notes):,}{some}",
            ["Criterion", study.noun.heading, "Note", "By", "When (UTC)"],
            [
                [
                    names.get(note.criterion, note.criterion),
                    links[note.position],
                    note.text,
                    note.by,
                    moment(note.at),
                ]
                for note in notes[:MAX_ROWS_LISTED]
            ],
        )
    else:
        untrusted_text.paragraph(
            "There are no notes on the rubric yet. You can add one when you settle a label.", small=True
        )
    if not st.toggle("Write a new version", key=f"rubric-open-{study.id}"):
        return
    write_version(study)
