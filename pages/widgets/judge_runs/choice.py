"""Which judge is asked: those that can be asked now first, the others with what they need."""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text
from scoring.judges.catalogue import Catalogue


def choose_judge(study: Study, catalogue: Catalogue) -> str:
    needs = {name: _need(study, catalogue, name) for name in catalogue.judges}
    names = sorted(needs, key=lambda name: (bool(needs[name]), not _is_known_to_answer(catalogue, name)))
    name = st.selectbox(
        "Judge",
        names,
        key="runs-judge",
        format_func=lambda name: f"{name} ({needs[name]})" if needs[name] else name,
        help="The judges of models.yaml.",
    )
    entry, asked_as = catalogue.entry(name), catalogue.asked_as(name)
    what = "question" if asked_as.batching == "criterion" else study.noun.singular
    untrusted_text.paragraph(
        "Recorded: this judge repeats answers that were recorded earlier and asks no model. What was not "
        "recorded is a failure."
        if entry.is_replay
        else f"{asked_as.model}, through {entry.address}; one call for each {what}.",
        small=True,
    )
    return name


def _is_known_to_answer(catalogue: Catalogue, name: str) -> bool:
    """Recorded answers do, and a service that has a key; whether a server of one's own runs, nobody knows."""
    entry = catalogue.entry(name)
    return entry.is_replay or bool(entry.key)


def may_be_asked(study: Study, catalogue: Catalogue, name: str) -> bool:
    """Whether it may, after the page has said why not."""
    if study.data_class not in catalogue.entry(name).data_classes:
        st.warning(
            untrusted_text.plain(
                f"This study holds {study.data_class} data, and {name} is not marked for it in models.yaml. "
                "Nothing will be sent there."
            )
        )
        return False
    missing = catalogue.missing(name)
    if missing:
        st.warning(untrusted_text.plain(missing))
    return not missing


def _need(study: Study, catalogue: Catalogue, name: str) -> str:
    """In two or three words; nothing where it can be asked now."""
    if study.data_class not in catalogue.entry(name).data_classes:
        return "not for this data"
    missing = catalogue.missing(name)
    if not missing:
        return ""
    return "needs a key" if "environment variable" in missing else "not ready"
