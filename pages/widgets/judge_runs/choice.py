"""The choice of a judge: those that can run now come first, the others with what they need."""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text
from scoring.judges.catalogue import Catalogue


def choose_judge(study: Study, catalogue: Catalogue) -> str:
    """Ask for a judge of models.yaml, and return its name."""
    needs = {name: _need(study, catalogue, name) for name in catalogue.judges}
    names = sorted(needs, key=lambda name: (bool(needs[name]), not _is_known_to_answer(catalogue, name)))
    name = st.selectbox(
        "Judge",
        names,
        key="runs-judge",
        format_func=lambda name: f"{name} ({needs[name]})" if needs[name] else name,
        help="The judges listed in models.yaml.",
    )
    entry, asked_as = catalogue.entry(name), catalogue.asked_as(name)
    what = "question" if asked_as.batching == "criterion" else study.noun.singular
    untrusted_text.paragraph(
        "Recorded: this judge replays recorded answers and asks no model. A question without a recorded "
        "answer counts as a failed call."
        if entry.is_replay
        else f"{asked_as.model}, through {entry.address}; one call for each {what}.",
        small=True,
    )
    return name


def _is_known_to_answer(catalogue: Catalogue, name: str) -> bool:
    """Tell whether this judge can surely run now: recordings can, and a hosted model with its key. A
    self-hosted server may be down.
    """
    entry = catalogue.entry(name)
    return entry.is_replay or bool(entry.key)


def may_be_asked(study: Study, catalogue: Catalogue, name: str) -> bool:
    """Tell whether the judge may be asked about this study; if not, show why."""
    if study.data_class not in catalogue.entry(name).data_classes:
        st.warning(
            untrusted_text.plain(
                f"This study contains {study.data_class} data, and models.yaml does not allow {name} for "
                "such data. Nothing will be sent to it."
            )
        )
        return False
    missing = catalogue.missing(name)
    if missing:
        st.warning(untrusted_text.plain(missing))
    return not missing


def _need(study: Study, catalogue: Catalogue, name: str) -> str:
    """Return two or three words on what is missing; "" if the judge can run now."""
    if study.data_class not in catalogue.entry(name).data_classes:
        return "not for this data"
    missing = catalogue.missing(name)
    if not missing:
        return ""
    return "needs a key" if "environment variable" in missing else "not ready"
