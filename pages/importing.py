"""Import: a dropped file is recognised by its contents, checked, and imported whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.importers.bundle_files import is_bundle
from data.importers.importer import Importer
from data.importers.new_study import NewStudy
from data.importers.registry import IMPORTERS, importers_on_page
from data.importers.report import ImportReport, counted
from data.record import studies
from data.record.studies import Study, name_key
from pages.widgets import reader_session, untrusted_text
from pages.widgets.ask_reader import ask_reader
from pages.widgets.guard import labels_permitted
from pages.widgets.importing.check import CheckOutcome, check_once, forget_check, show_lines
from pages.widgets.importing.import_form import ImportForm, ask_beside_file
from pages.widgets.importing.next_steps import came_in, import_file, show_way_on, was_stopped
from pages.widgets.importing.preview import show_preview
from pages.widgets.importing.steps import show_steps
from pages.widgets.importing.target_study import ask_study
from pages.widgets.importing.template_files import show_templates
from pages.widgets.importing.upload import KIND, Upload, ask_file, describe_size
from pages.widgets.importing.whole_study import offer_whole_study
from pages.widgets.importing.work import actor_of

NO_IMPORT_WHILE_BLIND = (
    "You can't import under this name, because checking a file reveals what is in the study. A study lead "
    "who doesn't rate can import."
)
STEPS = ("File", "What it is", "Who has seen what", "Check and import")


def render() -> None:
    """Draw the Import page."""
    with st.container(key="answer-page", gap="small"):
        if (arrival := came_in()) is not None:
            show_way_on(*arrival)
            return
        head = st.container(gap=None)
        upload = ask_file()
        if upload is None:
            _invite(head)
            return
        if is_bundle(upload.path):
            with head:
                offer_whole_study(upload)
            return
        form, look = st.columns([3, 1.2], gap="large")
        with form, st.container(gap="small"):
            problem = st.container()
            kind, into = st.columns(2)
            with kind:
                importer = _what_it_is(upload)
            if importer is None and upload.recognition.problem:
                problem.info(untrusted_text.plain(upload.recognition.problem))
            state = _ask_and_check(importer, upload, into, look) if importer else _State("Not recognised", 1)
        with head:
            untrusted_text.heading(state.title, 1)
            untrusted_text.paragraph(
                f"{upload.name} · {describe_size(upload.size)} · nothing is imported yet", small=True
            )
            show_steps(STEPS, state.step, [] if state.asks_who_saw else [STEPS[2]])


def _invite(head: DeltaGenerator) -> None:
    with head:
        untrusted_text.heading("Import conversations or labels", 1)
        untrusted_text.paragraph(
            "Drop a file from Excel or another program. The app recognises its contents, and imports "
            "nothing until you confirm.",
            term="JSONL, CSV, Excel or Parquet.",
        )
        show_steps(STEPS, 0)
    show_templates(reader_session.study())
    for problem in IMPORTERS.problems():
        untrusted_text.paragraph(problem, small=True)


class _State(NamedTuple):
    """The title of the page, the number of the open step, and whether the third step is needed."""

    title: str
    step: int
    asks_who_saw: bool = True


def _what_it_is(upload: Upload) -> Importer | None:
    kinds = importers_on_page()
    kind = st.selectbox(
        "Contents",
        list(kinds),
        index=None if st.session_state.get(KIND) is None else 0,  # else Escape would empty it
        placeholder="not recognised: choose one",
        format_func=lambda key: kinds[key].title,
        key=KIND,
    )
    importer = kinds.get(kind or "")
    if importer is not None and importer is not upload.recognition.importer:
        untrusted_text.paragraph(importer.layout, small=True)
    return importer


def _ask_and_check(importer: Importer, upload: Upload, into: DeltaGenerator, look: DeltaGenerator) -> _State:
    """Show the questions, the check and the button."""
    with reader_session.store().reading() as connection:
        all_studies = [study for study in studies.listing(connection) if not study.archived]
    title = upload.recognition.title if importer is upload.recognition.importer else importer.title
    with into:
        study = ask_study(importer, upload, all_studies)
    if not (importer.makes_study if study is None else _permitted(study)):
        forget_check()
        return _State(title, 1, any(getattr(option, "exposes", False) for option in importer.options))
    form = ask_beside_file(importer, study, upload, all_studies)
    with look:
        show_preview(importer, upload, form.answers)
    if form.is_open:
        forget_check()
        return _State(title, 1, form.asks_who_saw)
    statement = (importer.name, form.key, form.answers, actor_of(study))
    outcome = check_once(upload, form.work, statement)
    if outcome is None:
        st.info("The import was stopped. Nothing was imported.")
        st.button("Check again", key="import-check-again", on_click=forget_check)
        return _State(title, 3, form.asks_who_saw)
    if outcome.report is None:
        st.info(untrusted_text.plain(outcome.problem))
        return _State(title, 2 if form.asks_who_saw else 1, form.asks_who_saw)
    _offer(upload, form, outcome, is_new=study is None)
    if study is None:
        _name_namesake(form, all_studies)
    recognised = _recognised(outcome.report, is_new=study is None)
    return _State(recognised or title, 3, form.asks_who_saw)


def _offer(upload: Upload, form: ImportForm, outcome: CheckOutcome, is_new: bool) -> None:
    report = outcome.report
    assert report is not None
    with st.container(horizontal=True, vertical_alignment="center"):
        go = st.button("Import", type="primary", disabled=not outcome.is_good, key="import-go")
        if outcome.is_good:
            untrusted_text.paragraph(report.summary(), small=True)
    if facts := report.facts_sentence():
        untrusted_text.paragraph(facts, small=True)
    show_lines(report)
    if go:
        result = import_file(upload, form, is_new)
        if result.is_good:
            st.rerun()
        st.error(untrusted_text.plain(result.problem or "Nothing was imported: see below."))
        if result.report is not None:
            show_lines(result.report)
    elif was_stopped():
        st.info("The import was stopped. Nothing was imported.")


def _name_namesake(form: ImportForm, all_studies: Sequence[Study]) -> None:
    """Warn that a study has the same title, perhaps made from the same file. The list of studies shows titles
    to everybody; this says nothing about its conversations.
    """
    new_study = form.answers.get("new_study")
    if not isinstance(new_study, NewStudy):
        return
    title = name_key(new_study.spec.title)
    namesake = next((study for study in all_studies if name_key(study.title) == title), None)
    if namesake is not None:
        untrusted_text.paragraph(
            f"There is a study “{namesake.title}” already. To add to it, choose it under “Into”. "
            "Otherwise there will be two with this title.",
            small=True,
        )


def _recognised(report: ImportReport, is_new: bool) -> str:
    """Say what the check counted, and how much of it the chosen study holds already; "" if it counted
    nothing.
    """
    counts = report.added + report.already
    if report.errors or not counts:
        return ""
    what, number = next(iter(counts.items()))
    if is_new:
        return f"Recognised: {counted(number, what)}."
    held = report.already[what]
    where = "all of them" if held == number else f"{held:,} of them" if held else "none"
    return f"Recognised: {counted(number, what)}, {where} in this study {'already' if held else 'yet'}."


def _permitted(study: Study) -> bool:
    """Tell whether this person may import into the study. A check reveals what the study holds, so somebody
    who still rates it blind may not.
    """
    reader_session.turn_to(study)
    reader = reader_session.reader(study)
    if reader is None:
        ask_reader(study, rating=False, adds_rater=False)
        return False
    name = reader.rater.name if reader.rater else reader.name or "somebody who doesn't rate in this study"
    with st.container(horizontal=True, vertical_alignment="center"):
        untrusted_text.paragraph(f"Imported by: {name}", small=True)
        st.button(
            "Choose another name",
            key="import-leave",
            type="tertiary",
            on_click=reader_session.forget_reader,
            args=(study,),
        )
    permitted = labels_permitted(
        study,
        reader,
        f"Until then: {NO_IMPORT_WHILE_BLIND}",
    )
    if not permitted and not study.shows_judge:
        untrusted_text.paragraph(NO_IMPORT_WHILE_BLIND)
    return permitted
