"""What has to be said beside a file of labels: a judge's, or people's."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from data import studies
from data.errors import StoreError
from data.importers import transactions
from data.importers.report import ImportReport
from data.importers.turns import COUNTS, TurnCount, turn_count
from data.judgements import JudgeIdentity
from data.studies import Study
from pages.widgets import reader_session
from pages.widgets.importing.work import Work, actor_of

EXPOSURE = {
    "blind": "blind: they had not seen the judge",
    "judge_visible": "they saw the judge's label",
    "unknown": "not known",
}


def ask_about_judgements(study: Study) -> Work:
    left, right = st.columns(2)
    with left:
        name = st.text_input("Name of the judge", max_chars=80, key="import-judge")
        model = st.text_input("Model, as exactly as you know", max_chars=120, key="import-model")
    with right:
        provider = st.text_input("Provider", max_chars=80, key="import-provider")
        prompt = st.text_input("Version of the prompt", max_chars=120, key="import-prompt")

    turns = _turn_count(study)

    def work(path: Path, dry: bool) -> ImportReport:
        if not name.strip():
            raise StoreError("Name the judge: labels of different judges must not be mixed.")
        identity = JudgeIdentity(name.strip(), provider or "unknown", model or "unknown", prompt or "unknown")
        return transactions.import_judgements(
            reader_session.store(), study.key, path, actor_of(study), identity, dry_run=dry, turns=turns
        )

    return work


def ask_about_ratings(study: Study) -> Work:
    exposure = st.selectbox(
        "What had these raters seen of the judge?",
        list(EXPOSURE),
        index=None,
        placeholder="choose",
        format_func=EXPOSURE.__getitem__,
        key="import-exposure",
    )
    source = st.text_input(
        "How do you know?",
        placeholder="a protocol, a person, a publication",
        max_chars=300,
        key="import-source",
    )
    rater_column = st.text_input(
        "The column that names the person", placeholder="rater", max_chars=120, key="import-rater-column"
    )
    same_raters = st.multiselect(
        "Names of the file who are raters here",
        _persons(study),
        key="import-same-raters",
        help="Labels of a file are kept apart from what somebody rates here, also under the same name. Name "
        "those of whom you know "
        "that they are the same person: then they count as one.",
    )
    turns = _turn_count(study)

    def work(path: Path, dry: bool) -> ImportReport:
        if exposure is None or not source.strip():
            raise StoreError(
                "Say what these raters had seen of the judge, and how you know. "
                '"Not known" is an answer; such ratings never enter the headline.'
            )
        return transactions.import_ratings(
            reader_session.store(),
            study.key,
            path,
            actor_of(study),
            exposure,
            source.strip(),
            dry,
            turns,
            rater_column.strip(),
            same_raters,
        )

    return work


def _persons(study: Study) -> list[str]:
    with reader_session.store().reading() as connection:
        return [rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"]


def _turn_count(study: Study) -> TurnCount | None:
    """What the turn numbers of the file count; nobody is asked where whole conversations are rated."""
    if study.instrument.unit == "conversation":
        return None
    return turn_count(
        st.selectbox(
            "The turn numbers count",
            [None, *map(str, COUNTS)],
            format_func=lambda words: words or "not said; the check asks where it cannot be told",
            key="import-turns",
            help="A message is what one of the two said once; a turn is the user's message and the reply.",
        )
    )
