"""The form of a study that is made with the file."""

from __future__ import annotations

import streamlit as st

from configs.settings import Settings
from data.importers import study_folder
from data.rater_names import split_names
from data.studies import StudySpec

DATA_CLASS = {
    "phi": "personal health information, or not known",
    "deidentified": "de-identified",
    "synthetic": "synthetic: no real person",
}
REVIEW = {"blind": "blind first", "open": "open review: the judge is visible from the start"}
REVEAL = {"after_batch": "after each batch", "after_unit": "after each unit", "never": "never"}


def ask_new_study() -> tuple[str, study_folder.NewStudy]:
    """The key of a study that is to be made, and the study."""
    settings = Settings.read()
    left, right = st.columns(2)
    with left:
        key = st.text_input("Key", placeholder="short, such as pilot_2026", max_chars=60, key="import-key")
        title = st.text_input("Title", max_chars=120, key="import-title")
        instrument = st.selectbox(
            "Instrument", sorted(p.stem for p in settings.instruments.glob("*.yaml")), key="import-instrument"
        )
        taxonomy = st.selectbox(
            "Taxonomy of declared plans",
            [None, *sorted(p.stem for p in settings.taxonomies.glob("*.yaml"))],
            format_func=lambda x: x or "none",
            key="import-taxonomy",
        )
    with right:
        data_class = st.selectbox(
            "What kind of data", list(DATA_CLASS), format_func=DATA_CLASS.__getitem__, key="import-class"
        )
        review = st.selectbox("Review", list(REVIEW), format_func=REVIEW.__getitem__, key="import-review")
        reveal = st.selectbox(
            "The judge is shown", list(REVEAL), format_func=REVEAL.__getitem__, key="import-reveal"
        )
        raters = st.text_input(
            "Raters, separated by commas or semicolons", max_chars=2000, key="import-raters"
        )
    names_given = split_names(raters)
    spec = StudySpec(key, title or key, 0, data_class=data_class, review=review, reveal=reveal)
    return key, study_folder.NewStudy(
        spec, instrument, taxonomy, names_given, settings.instruments, settings.taxonomies
    )
