"""The questions about a file, made from what its importer asks for: its columns, and who saw what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from data.importers import file_import
from data.importers.import_options import (
    AnyImportOption,
    ImportOption,
    NewStudyOption,
    SamePersonOption,
    SameRatersOption,
)
from data.importers.importer import Importer
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.mapping.mapped_rows import possible_givers
from data.importers.report import ImportReport
from data.importers.turns import COUNTS, TurnCount, turn_count
from data.record import studies
from data.record.rater_names import split_names
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing.mapping_form import ask_mapping
from pages.widgets.importing.new_study import ask_new_study
from pages.widgets.importing.same_person import ask_same_person
from pages.widgets.importing.upload import Upload
from pages.widgets.importing.work import Progress, Work, actor_of


@dataclass(frozen=True)
class ImportForm:
    """The answers. `work` checks or imports the file; `is_open`: the form itself says what must be answered
    first. `asks_who_saw`: whether what people had seen of the judge is asked.
    """

    key: str
    answers: dict[str, Any]
    work: Work
    is_open: bool = False
    asks_who_saw: bool = False


def ask_beside_file(
    importer: Importer, study: Study | None, upload: Upload, all_studies: Sequence[Study]
) -> ImportForm:
    """Ask the questions about the file, and return the answers. `study` None: one is to be created."""
    answers: dict[str, Any] = {}
    key = study.key if study else ""
    if study is None and any(isinstance(option, NewStudyOption) for option in importer.options):
        key, answers["new_study"] = ask_new_study(all_studies, upload.name)
    if importer.page_note:
        untrusted_text.paragraph(importer.page_note.format(study=key), small=True)
    asked = sorted(
        (option for option in importer.options if not isinstance(option, NewStudyOption)),
        key=lambda option: option.place,
    )
    seen = [option for option in asked if isinstance(option, ImportOption) and option.exposes]
    rare = [option for option in asked if not isinstance(option, ImportOption) or option.rare]
    is_open, may_ask = False, bool(seen)
    if isinstance(importer, MappedFiles):
        answers["mapping"], is_open = ask_mapping(upload, study, answers.get("new_study"))
        mapping = answers["mapping"]
        by_people = mapping is not None and "person" in possible_givers(mapping)
        may_ask = by_people or (is_open and mapping is not None and mapping.has_labels)
        if not by_people:
            asked, seen = [option for option in asked if option not in seen], []
    _ask_all([option for option in asked if option not in (*seen, *rare)], study, answers)
    if rare:
        with st.expander("More about this file", key="import-more-of-file", type="compact"):
            _ask_all(rare, study, answers)
    if seen:
        untrusted_text.heading("Who has seen what", 3)
        _ask_all(seen, study, answers)

    def work(path: Path, dry: bool, progress: Progress) -> ImportReport:
        return file_import.import_file(
            reader_session.store(), key, path, actor_of(study), importer, answers, dry, progress
        )

    return ImportForm(key, answers, work, is_open, may_ask)


def _ask_all(options: Sequence[AnyImportOption], study: Study | None, answers: dict[str, Any]) -> None:
    columns: list[Any] = []
    for option in options:
        if isinstance(option, ImportOption):
            if option.label:
                if option.column and not columns:
                    columns = list(st.columns(2, gap="small"))
                answers[option.name] = _ask(option, columns[option.column - 1] if option.column else st)
        elif isinstance(option, SamePersonOption):
            answers["same_person"] = ask_same_person(option.column)
        elif study is not None and isinstance(option, SameRatersOption):
            answers["same_raters"] = _ask_same_raters(study)
        elif study is not None and not isinstance(option, NewStudyOption):
            answers["turns"] = _ask_turn_count(study)


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
        "Names in the file who also rate here",
        _persons(study),
        key="import-same-raters",
        help="Labels from a file stay apart from labels given here, even under the same name. Choose the "
        "names of people who you know are the same person. Their labels are then treated as one "
        "person's.",
    )


def _persons(study: Study) -> list[str]:
    with reader_session.store().reading() as connection:
        return [rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person"]


def _ask_turn_count(study: Study) -> TurnCount | None:
    """Ask what the file's turn numbers count, unless whole conversations are rated."""
    if study.instrument.unit == "conversation":
        return None
    return turn_count(
        st.selectbox(
            "The turn numbers count",
            [None, *map(str, COUNTS)],
            format_func=lambda words: words or "not answered; the check asks if it can't tell",
            key="import-turns",
            help="A message is one entry of either speaker; a turn is the user's message and the reply.",
        )
    )
