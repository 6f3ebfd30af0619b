"""The form of an importer on the Import page, made of what it asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from data import studies
from data.importers import transactions
from data.importers.import_options import (
    ImportOption,
    NewStudyOption,
    SamePersonOption,
    SameRatersOption,
)
from data.importers.importer import Importer
from data.importers.report import ImportReport
from data.importers.turns import COUNTS, TurnCount, turn_count
from data.rater_names import split_names
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing.new_study import ask_new_study
from pages.widgets.importing.same_person import ask_same_person
from pages.widgets.importing.work import Work, actor_of


def ask_beside_file(importer: Importer, study: Study | None) -> Work:
    """Ask what has to be said beside the file; the study is to be made where there is none."""
    answers: dict[str, Any] = {}
    key = study.key if study else ""
    if study is None and any(isinstance(option, NewStudyOption) for option in importer.options):
        key, answers["new_study"] = ask_new_study()
    if importer.page_note:
        untrusted_text.paragraph(importer.page_note.format(study=key), small=True)
    columns: list[Any] = []
    asked = [option for option in importer.options if not isinstance(option, NewStudyOption)]
    for option in sorted(asked, key=lambda option: option.place):
        if isinstance(option, ImportOption):
            if option.label:
                if option.column and not columns:
                    columns = list(st.columns(2))
                where = columns[option.column - 1] if option.column else st
                answers[option.name] = _ask(option, where)
        elif isinstance(option, SamePersonOption):
            answers["same_person"] = ask_same_person(option.column)
        elif study is not None and isinstance(option, SameRatersOption):
            answers["same_raters"] = _ask_same_raters(study)
        elif study is not None:
            answers["turns"] = _ask_turn_count(study)

    def work(path: Path, dry: bool) -> ImportReport:
        return transactions.import_file(
            reader_session.store(), key, path, actor_of(study), importer, answers, dry
        )

    return work


def _ask(option: ImportOption, where: Any) -> Any:
    if option.choices:
        return where.selectbox(
            option.label,
            list(option.choices),
            index=None,
            placeholder="choose",
            format_func=option.choices.__getitem__,
            key=option.key,
        )
    text: str = where.text_input(
        option.label, placeholder=option.placeholder or None, max_chars=option.longest, key=option.key
    )
    return split_names(text) if option.several else text.strip()


def _ask_same_raters(study: Study) -> list[str]:
    return st.multiselect(
        "Names of the file who are raters here",
        _persons(study),
        key="import-same-raters",
        help="Labels of a file are kept apart from what somebody rates here, also under the same name. Name "
        "those of whom you know "
        "that they are the same person: then they count as one.",
    )


def _persons(study: Study) -> list[str]:
    with reader_session.store().reading() as connection:
        return [rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"]


def _ask_turn_count(study: Study) -> TurnCount | None:
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
