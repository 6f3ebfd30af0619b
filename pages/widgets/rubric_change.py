"""Changing the rubric: what people noted, a new version, and the study in which the units concerned are rated
again.
"""

from __future__ import annotations

import re

import streamlit as st

from data.errors import Refused, StoreError
from data.studies import Study
from data.work import adjudications, successors
from data.work.successors import VersionProposal
from pages.widgets import reader_session, untrusted_text
from pages.widgets.unit_links import unit_links
from scoring.figures import moment
from services.study_changes import begin_successor

LISTED = 200


def rubric_change(study: Study) -> None:
    """For somebody who may see the whole study."""
    with reader_session.store().reading() as connection:
        notes = adjudications.rubric_notes(connection, study.id)
        body = successors.body(connection, study)
    untrusted_text.heading("Change the rubric", 2)
    if notes:
        names = {c.id: c.name for c in study.instrument.criteria}
        links = unit_links(study, {note.position for note in notes[:LISTED]})
        some = f", the first {LISTED} listed" if len(notes) > LISTED else ""
        untrusted_text.table(
            f"What was noted on the rubric: {len(notes):,}{some}",
            ["Criterion", "Unit", "Note", "By", "When (UTC)"],
            [
                [
                    names.get(note.criterion, note.criterion),
                    links[note.position],
                    note.text,
                    note.by,
                    moment(note.at),
                ]
                for note in notes[:LISTED]
            ],
        )
    else:
        untrusted_text.paragraph(
            "Nobody noted anything on the rubric yet. Whoever settles a label may.", small=True
        )
    if not st.toggle("Write a new version", key=f"rubric-open-{study.id}"):
        return
    untrusted_text.paragraph(
        "Labels stay with the wording under which they were given. A new version makes a new study of the "
        "units whose wording "
        "changed, and they are rated again there.",
        small=True,
    )
    text = st.text_area("The rubric, with a new version number", body, height=420, key=f"rubric-{study.id}")
    try:
        with reader_session.store().reading() as connection:
            proposal = successors.propose(connection, study, text)
    except Refused as error:
        st.error(untrusted_text.plain(str(error)))
        return
    _show(proposal)
    if proposal.unit_ids:
        _begin(study, text, proposal)


def _show(proposal: VersionProposal) -> None:
    if not proposal.changes.notes:
        st.info("Nothing that is read on the pages changed.")
    for note in proposal.changes.notes:
        untrusted_text.paragraph(note)
    if not proposal.unit_ids:
        st.info("There is nothing to rate again: no criterion that anybody rated is worded anew.")
        return
    listed = ", ".join(f"{position:,}" for position in proposal.positions[:LISTED])
    more = " and so on" if len(proposal.positions) > LISTED else ""
    untrusted_text.paragraph(
        f"{len(proposal.positions):,} to rate again, by their numbers in this study: {listed}{more}."
    )
    if proposal.forgotten:
        untrusted_text.paragraph(
            f"{proposal.forgotten:,} more were rated, but their words were erased; they stay behind."
        )


def _begin(study: Study, text: str, proposal: VersionProposal) -> None:
    version = proposal.instrument.version
    with st.form(f"successor-{study.id}", border=False):
        title = st.text_input("Title of the new study", f"{study.title}, rubric {version}", max_chars=200)
        key = st.text_input(
            "Its key (letters, digits, - and _)",
            re.sub(r"[^\w-]", "-", f"{study.key}-{version}")[:60],
            max_chars=60,
        )
        reason = st.text_area("Why the rubric was changed", height=68, max_chars=2000)
        pressed = st.form_submit_button("Begin the new study", type="primary", key="successor-begin")
    if not pressed:
        return
    try:
        begin_successor(reader_session.store(), reader_session.actor(study), study, text, key, title, reason)
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))
        return
    st.success(
        untrusted_text.plain(
            f"{title} is among the studies now, with {len(proposal.positions):,} to rate. Labels and "
            "judgements were not carried over."
        )
    )
