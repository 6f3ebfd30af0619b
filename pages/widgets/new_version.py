"""A new version of an instrument: typed or from a file, checked line by line, tried on the rating pad, and
started as a study of the units whose wording changed. Nothing is saved before that.
"""

from __future__ import annotations

import re
from dataclasses import replace

import streamlit as st

from configs.files.limited_yaml import BYTES
from configs.files.yaml_files import ConfigFileError
from data.record import units
from data.record.studies import Study
from data.store.errors import Refused, StoreError
from data.work import successors
from data.work.successors import VersionProposal
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead_pad.component import mount_pad
from pages.widgets.lead_pad.view import pad_data
from pages.widgets.opening_line import opening_line
from reports.refusals import word_error
from scoring.instruments import Instrument, parse_instrument
from services.study_changes import begin_successor
from words.plurals import count

MAX_ROWS_LISTED = 200
FOR_NEW_STUDY = (
    "For a new study, put the file into the folder of instruments (configs/instruments): the page "
    "Import then offers it."
)


def write_version(study: Study) -> Instrument | None:
    """Return the text of the field if it is valid. None after showing what is wrong."""
    untrusted_text.paragraph(
        "Labels stay with the wording under which they were given. A new version makes a new study of the "
        f"{study.noun.plural} whose wording changed, and they are rated again there.",
        small=True,
    )
    with reader_session.store().reading() as connection:
        body = successors.body(connection, study)
    file = st.file_uploader("Use a file instead of the text below", type=["yaml", "yml"], key="version-file")
    if file is not None:
        uploaded = _read(file.getvalue())
        if uploaded is None:
            return None
        body = uploaded
    text = st.text_area(
        "The rubric, with a new version number",
        body,
        height=320,
        key=f"rubric-{study.id}" + (f"-{file.file_id}" if file is not None else ""),
    )
    try:
        instrument = parse_instrument(text, "rubric")
    except ConfigFileError as error:
        _show_problems(error.problems)
        return None
    _propose(study, text)
    return instrument


def _read(raw: bytes) -> str | None:
    if len(raw) > BYTES:
        st.error("The file is too large to be an instrument.")
        return None
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        st.error("The file is not UTF-8 text. Save it as UTF-8.")
        return None


def _show_problems(problems: tuple[str, ...]) -> None:
    """List each problem with its line."""
    st.error(f"{count(len(problems), 'thing needs', 'things need')} fixing. Nothing was saved.")
    untrusted_text.table("", ["What is wrong"], [[problem] for problem in problems[:MAX_ROWS_LISTED]])


def _propose(study: Study, text: str) -> None:
    try:
        with reader_session.store().reading() as connection:
            proposal = successors.propose(connection, study, text)
    except Refused as error:
        st.info(untrusted_text.plain(f"{word_error(error)} {FOR_NEW_STUDY}"))
        return
    _show_proposal(proposal)
    if proposal.unit_ids:
        _begin(study, text, proposal)


def _show_proposal(proposal: VersionProposal) -> None:
    if not proposal.changes.notes:
        st.info("No text on the pages changed.")
    for note in proposal.changes.notes:
        untrusted_text.paragraph(note)
    if not proposal.unit_ids:
        st.info("Nothing has to be rated again: no rated criterion has new wording.")
        return
    listed = ", ".join(f"{position:,}" for position in proposal.positions[:MAX_ROWS_LISTED])
    more = " and so on" if len(proposal.positions) > MAX_ROWS_LISTED else ""
    untrusted_text.paragraph(
        f"{len(proposal.positions):,} have to be rated again. Their numbers in this study: {listed}{more}."
    )
    if proposal.forgotten:
        untrusted_text.paragraph(
            f"{proposal.forgotten:,} more were rated, but their text was erased, so they stay in this study."
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
        pressed = st.form_submit_button("Start the new study", type="primary", key="successor-begin")
    if not pressed:
        return
    try:
        begin_successor(reader_session.store(), reader_session.actor(study), study, text, key, title, reason)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    st.success(
        untrusted_text.plain(
            f"{title} is in the list of studies, with {len(proposal.positions):,} to rate. Labels and "
            "judgements were not copied."
        )
    )


def try_version(study: Study, instrument: Instrument) -> None:
    """Show the first conversation and the criteria as raters would see them. Nothing is saved."""
    line = opening_line("Try it on the rating pad", "try-version")
    if not line.open:
        return
    with reader_session.store().reading() as connection:
        unit = units.at_position(connection, study.id, 1)
        messages = units.transcript(connection, unit) if unit is not None else None
    with line:
        if unit is None:
            untrusted_text.paragraph("The study has no conversations to try it on yet.")
            return
        trial = replace(study, instrument=instrument)
        mount_pad(
            pad_data(trial, unit, messages, f"{instrument.title}, version {instrument.version}", saves=False)
        )
