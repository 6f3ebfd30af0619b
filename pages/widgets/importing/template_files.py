"""Spreadsheets to download and fill in, next to the place where a file is dropped."""

from __future__ import annotations

from functools import partial

import streamlit as st

from configs.settings import Settings
from data.importers.mapping.templates import conversations_template, judge_template, people_template
from data.record.studies import Study
from pages.widgets import untrusted_text
from scoring.instruments import Instrument, Taxonomy, load_instrument

TEMPLATES = {
    "conversations": ("Conversations", conversations_template),
    "people": ("People's labels", people_template),
    "judge": ("A judge's labels", judge_template),
}
EXAMPLE_INSTRUMENT = "coaching_rubric.yaml"
EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def show_templates(study: Study | None) -> None:
    """Show one button per spreadsheet, made on a press. Its columns are the study's criteria; without a study
    those of the coaching rubric, or nothing is shown if it isn't there.
    """
    example = Settings.read().instruments / EXAMPLE_INSTRUMENT
    if study is None and not example.exists():
        return
    untrusted_text.paragraph(
        "No file yet? Download a spreadsheet, replace its example rows, and drop it above. Criteria: "
        f"{study.title if study else 'those of the coaching rubric, as an example'}.",
        small=True,
    )

    def make(template: str) -> bytes:
        instrument: Instrument = study.instrument if study else load_instrument(example)[0]
        taxonomy: Taxonomy | None = study.taxonomy if study else None
        return TEMPLATES[template][1](instrument, taxonomy)

    with st.container(horizontal=True):
        for name, (label, _) in TEMPLATES.items():
            st.download_button(
                label,
                partial(make, name),
                f"{name}.xlsx",
                EXCEL,
                key=f"import-template-{name}",
                on_click="ignore",
            )
