"""The instrument of a study: its questions, how labels become a score, its versions; and a form to write,
check and try a new version.
"""

from __future__ import annotations

import streamlit as st

from data.record.instrument_versions import list_versions
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.evidence.component import draw_evidence
from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.lead.lead_context import lead_context
from pages.widgets.new_version import try_version, write_version
from pages.widgets.opening_line import open_line
from reports.instrument_rows import criteria_of, instrument_evidence, instrument_headline, score_sentence
from words.figures import moment


def render() -> None:
    """Draw the Instrument page."""
    study = lead_context("Instrument", "This page is for study leads.")
    if study is None:
        return
    instrument = study.instrument
    criteria = criteria_of(instrument, study.taxonomy)
    with st.container(key="answer-page", gap="small"):
        untrusted_text.heading(instrument_headline(instrument, criteria), 1)
        untrusted_text.paragraph(
            f"{instrument.title}, version {instrument.version}. {score_sentence(instrument)}", small=True
        )
        evidence, details = instrument_evidence(instrument, criteria)
        draw_evidence("evidence-instrument", evidence_data(evidence, details, {}))
        open_line("Versions, and the studies that use them", "versions", lambda: _versions(study))
        open_line("Write a new version, or check a file", "new-version", lambda: _new_version(study))


def _versions(study: Study) -> None:
    with reader_session.store().reading() as connection:
        versions = list_versions(connection, study.instrument.key)
    untrusted_text.table(
        "",
        ["Version", "Since (UTC)", "Studies"],
        [[version.version, moment(version.at), ", ".join(version.studies) or "none"] for version in versions],
    )


def _new_version(study: Study) -> None:
    instrument = write_version(study)
    if instrument is not None:
        try_version(study, instrument)
