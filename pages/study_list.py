"""The studies, one sentence each, and one obvious way on."""

from __future__ import annotations

import streamlit as st

from data import studies
from data.studies import Study
from data.work import successors, worklist
from pages.widgets import reader_session, untrusted_text
from pages.widgets.workbench.view import DATA_CLASSES

REVEAL = {
    "after_unit": "the judge is shown after each unit",
    "after_batch": "the judge is shown after each batch",
    "never": "the judge is not shown",
}


def render() -> None:
    untrusted_text.heading("Studies", 1)
    st.text("Read a conversation, rate it without knowing what the judge said, then compare.")
    with reader_session.store().reading() as connection:
        study_rows = [
            (
                study,
                studies.unit_count(connection, study.id),
                0 if worklist.planned(connection, study) else reader_session.committed_by_reader(study),
            )
            for study in studies.listing(connection)
        ]
    if not study_rows:
        st.info("There is no study yet. Bring in conversations, at the top.")
    for number, (study, total, begun) in enumerate(study_rows):
        with st.container(border=True, key=f"study-{study.key}"):
            untrusted_text.heading(study.title, 2)
            untrusted_text.paragraph(study.description)
            untrusted_text.paragraph(_facts(study, total, begun), small=True)
            _relatives(study)
            if study.provenance:
                untrusted_text.paragraph(study.provenance, small=True)
            with st.container(horizontal=True):
                if st.button(
                    "Rate" if not begun else "Go on rating",
                    key=f"rate-{study.key}",
                    type="primary" if number == 0 else "secondary",
                ):
                    _open(study, "page_review")
                if st.button("Agreement", key=f"agreement-{study.key}"):
                    _open(study, "page_agreement")
                if st.button("Metrics", key=f"metrics-{study.key}"):
                    _open(study, "page_metrics")
                if st.button("Set-up", key=f"lead-{study.key}"):
                    _open(study, "page_lead")


def _facts(study: Study, total: int, begun: int) -> str:
    how = (
        "open review: the judge is visible from the start"
        if study.review == "open"
        else f"blind first; {REVEAL[study.reveal]}"
    )
    if study.reveal == "after_batch" and study.review == "blind":
        how += f" of {study.batch_size}"
    return " · ".join(
        [
            f"{total:,} to rate",
            *([f"{begun:,} done by you"] if begun else []),
            DATA_CLASSES[study.data_class],
            how,
        ]
    )


def _relatives(study: Study) -> None:
    """Which study this one continues, and which continue it."""
    with reader_session.store().reading() as connection:
        before, after = (
            successors.continues(connection, study.id),
            successors.continued_by(connection, study.id),
        )
    if before is not None:
        untrusted_text.paragraph(
            f"Continues {before.title} under version {study.instrument.version} of the rubric.", small=True
        )
    for version in after:
        untrusted_text.paragraph(
            f"Continued by {version.title} under version {version.version} of the rubric.", small=True
        )


def _open(study: Study, page: str) -> None:
    st.session_state["study"] = study.key
    st.query_params.clear()
    st.switch_page(st.session_state[page], query_params={"study": study.key})


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "studies"})
