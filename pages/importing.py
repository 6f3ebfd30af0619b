"""Import: conversations, judgements and ratings from files, checked first, all or nothing."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import streamlit as st

from data import studies
from data.errors import StoreError
from data.importers.registry import IMPORTERS, importers_on_page
from data.importers.report import ImportRefused, ImportReport
from data.private_files import open_private
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.ask_reader import ask_reader
from pages.widgets.guard import whole_study_permitted
from pages.widgets.importing.import_form import ask_beside_file
from pages.widgets.importing.work import Work
from scoring.yaml_files import ConfigFileError

SHOWN = 100  # lines of a report on the page


def render() -> None:
    untrusted_text.heading("Bring in", 1)
    st.text("A file is checked line by line. It is imported whole or not at all.")
    with reader_session.store().reading() as connection:
        all_studies = studies.listing(connection)
    kinds = importers_on_page()
    kind = st.segmented_control(
        "What is in the file",
        list(kinds),
        format_func=lambda key: kinds[key].title,
        default="conversations",
        required=True,
        key="import-kind",
    )
    importer = kinds[kind]
    for problem in IMPORTERS.problems():
        untrusted_text.paragraph(problem, small=True)
    form, outcome = st.columns([3, 2], gap="large")
    with form:
        untrusted_text.paragraph(importer.layout, small=True)
        study = _into(all_studies, importer.makes_study)
        if not (importer.makes_study if study is None else _permitted(study)):
            return
        work = ask_beside_file(importer, study)
        file = st.file_uploader("File", key=f"import-file-{kind}", type=list(importer.endings))
        with st.container(horizontal=True):
            check = st.button("Check only", disabled=file is None, key="import-check")
            bring = st.button("Import", type="primary", disabled=file is None, key="import-go")
    with outcome:
        untrusted_text.heading("What came of it", 3)
        if file is not None and (check or bring):
            _run(file, work, dry_run=check)
        else:
            untrusted_text.paragraph("Choose a file, then check it. Nothing is kept by a check.", small=True)


def _into(studies: list[Study], new_too: bool) -> Study | None:
    """The study to import into; None where it is to be made, or not chosen yet."""
    keys = [study.key for study in studies]
    here = reader_session.study()
    if new_too:
        chosen = st.selectbox(
            "Into",
            [None, *keys],
            format_func=lambda key: _title(studies, key) if key else "a new study",
            key="import-into",
        )
    else:
        chosen = st.selectbox(
            "Into",
            keys,
            index=keys.index(here.key) if here else None,
            placeholder="choose a study",
            format_func=lambda key: _title(studies, key),
            key="import-into-known",
        )
    return next((study for study in studies if study.key == chosen), None)


def _title(studies: list[Study], key: str) -> str:
    return next(study.title for study in studies if study.key == key)


def _permitted(study: Study) -> bool:
    """Whether whoever sits here may import into a study: what is there already is answered by a check, so it
    is nobody who still rates it blind.
    """
    reader_session.turn_to(study)
    reader = reader_session.reader(study)
    if reader is None:
        ask_reader(study, rating=False, adds_rater=False)
        return False
    name = reader.rater.name if reader.rater else reader.name or "somebody who does not rate in this study"
    with st.container(horizontal=True, vertical_alignment="center"):
        untrusted_text.paragraph(f"Imported by: {name}")
        st.button(
            "Choose another name",
            key="import-leave",
            type="tertiary",
            on_click=reader_session.forget_reader,
            args=(study,),
        )
    if reader.rater is None:
        return True
    permitted = whole_study_permitted(
        study,
        reader.rater,
        "Until then nothing is imported under this name, because a check already tells what is there. "
        "A study lead who does not rate can.",
    )
    if not permitted and study.reveal == "never":
        untrusted_text.paragraph(
            "Nothing is imported under this name, because a check already tells what is there. A study lead "
            "who does not rate can."
        )
    return permitted


def _run(file: Any, work: Work, dry_run: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / Path(file.name).name
        with open_private(path, "wb") as target:
            while block := file.read(1 << 20):
                target.write(block)
        file.seek(0)
        try:
            report = work(path, dry_run)
        except ImportRefused as refused:
            st.error(untrusted_text.plain(refused.report.summary()))
            _list(refused.report)
            return
        except (StoreError, ConfigFileError) as error:
            st.error(untrusted_text.plain(str(error)))
            return
    st.success(untrusted_text.plain(report.summary()))
    _list(report)


def _list(report: ImportReport) -> None:
    lines = report.lines()
    for line in lines[:SHOWN]:
        untrusted_text.paragraph(line, small=True)
    if len(lines) > SHOWN:
        untrusted_text.paragraph(
            f"... and {len(lines) - SHOWN:,} more lines, all of them in the list.", small=True
        )
        st.download_button(
            "All lines as a text file",
            "\n".join(lines),
            file_name="import.txt",
            mime="text/plain",
            key="import-lines",
            on_click="ignore",
        )
