"""The list of studies: what the person has begun, their own studies, and behind a line the samples."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial
from html import escape

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.labels.begun_work import BegunWork, find_begun_work
from data.labels.pace import own_minutes
from data.record import studies
from data.record.studies import Study
from data.work import successors, worklist
from pages.widgets import reader_session, untrusted_text
from pages.widgets.first_steps import show_first_steps
from pages.widgets.opening_line import open_line
from pages.widgets.overview.verdict_dots import WORDS, explain_signs, fill_dots, sight, sight_words
from pages.widgets.sample_list import show_samples_button
from pages.widgets.workbench.view import DATA_CLASSES
from reports.wording import describe_time, word_begun_work
from runs.sample_studies import ORDER
from words.plurals import count

REVEAL = {
    "after_unit": "the judge's labels are shown after each",
    "after_batch": "the judge's labels are shown after every",
    "never": "the judge's labels are not shown",
}
# Not after Dr. or e.g. (a capital or a single letter before the full stop), nor after these.
SENTENCE_END = re.compile(
    r"(?<=[^\WA-Z][^\WA-Z][.!?])(?<!Mrs\.)(?<!Prof\.)(?<!vs\.)(?<!approx\.)(?<!etc\.)\s+(?![a-z])"
)


def render() -> None:
    """Draw the page with the list of studies."""
    with reader_session.store().reading() as connection:
        listed = [(study, studies.unit_count(connection, study.id)) for study in studies.listing(connection)]
    archived = [(study, total) for study, total in listed if study.archived]
    listed = [(study, total) for study, total in listed if not study.archived]
    own = [(study, total) for study, total in reversed(listed) if study.key not in ORDER]
    samples = [(study, total) for study, total in listed if study.key in ORDER]
    begun = _find_begun([study for study, _ in listed])
    places: list[tuple[Study, DeltaGenerator | None]] = []

    def draw_rows(rows: list[tuple[Study, int]]) -> None:
        continued = begun.study.id if begun is not None else None
        places.extend((study, _row(study, total, study.id == continued)) for study, total in rows)

    def draw_samples(rows: list[tuple[Study, int]], listed: bool) -> None:
        draw_rows(rows)
        show_samples_button([study for study, _ in rows if study.key in ORDER], listed)

    with st.container(key="answer-page", gap="xsmall"):
        if begun is not None:
            _show_begun(begun)
        else:
            _introduce()
        if not listed:
            st.info("There are no studies here. To start one, choose Import at the top.")
        draw_rows(own)
        if samples:
            title = count(len(samples), "sample", "samples")
            open_line(title, "samples", partial(draw_samples, samples, True), at_once=not own)
        if archived:
            open_line(f"Archived: {len(archived)}", "archived", partial(draw_samples, archived, False))
        legend = st.container()
    has_signs = False
    for study, place in places:  # after the list is drawn
        if place is not None:
            has_signs = fill_dots(study, place) or has_signs
    if has_signs:
        with legend:
            explain_signs()


def _introduce() -> None:
    untrusted_text.heading("Studies", 1)
    untrusted_text.paragraph(
        "Read a conversation, rate it blind, then compare your labels with the judge's.", small=True
    )
    show_first_steps()


def _find_begun(listed: list[Study]) -> BegunWork | None:
    """Return what the person of this tab can go on with; None for nobody, a lead or finished work."""
    chosen = {
        int(reader): study for study in listed if (reader := reader_session.choice(study) or "").isdecimal()
    }
    with reader_session.store().reading() as connection:
        return find_begun_work(connection, chosen)


def _show_begun(work: BegunWork) -> None:
    words, button = st.columns([17, 4], vertical_alignment="center")
    with words:
        untrusted_text.heading(word_begun_work(work), 1)
        untrusted_text.paragraph(work.study.title, small=True)
    with button, st.container(horizontal=True, horizontal_alignment="right"):
        if st.button("Continue rating", key="continue", type="primary"):
            _open(work.study, "page_review")


def _row(study: Study, total: int, continued: bool) -> DeltaGenerator | None:
    """Show a study, the reader's progress and one button. Return the place for the judge's verdicts, or None
    if they may not be shown. `continued`: the headline says already how much time is left.
    """
    chosen = reader_session.choice(study)
    with reader_session.store().reading() as connection:
        planned = worklist.planned(connection, study)
    rated = 0 if planned else reader_session.committed_by_reader(study)
    with st.container(key=f"study-{study.key}"):
        about, progress, ways = st.columns([11, 6, 4], vertical_alignment="center")
        with about:
            st.html(_describe(study, total))
        with progress:
            if rated:
                st.html(
                    f'<p class="sr-small"><span class="sr-meter sr-alone"><b style="width: '
                    f'{min(100, round(100 * rated / max(total, 1)))}%"></b></span> '
                    f"{rated:,} of {total:,} rated</p>"
                    + ("" if continued else f'<p class="sr-small">{_time_left(chosen, total - rated)}</p>')
                )
            seen = sight(study)
            if seen in WORDS:
                untrusted_text.paragraph(sight_words(study, seen), small=True)
            place = st.empty() if seen == "now" else None
        with ways, st.container(horizontal=True, horizontal_alignment="right"):
            if chosen == reader_session.LEAD:
                if st.button("Open", key=f"open-{study.key}"):
                    _open(study, "page_overview")
                return place
            if chosen is None and st.button("Results", key=f"open-{study.key}", type="tertiary"):
                _open(study, "page_overview")
            if st.button("Continue rating" if rated else "Rate", key=f"rate-{study.key}"):
                _open(study, "page_review")
    return place


def _describe(study: Study, total: int) -> str:
    """Return HTML: the title, the first sentence, and behind a line that opens the other sentences, when the
    judge is shown, and the study's source.
    """
    sentence, *others = SENTENCE_END.split(study.description, maxsplit=1)
    lines = (sentence, *_relatives(study))
    facts = [f"{total:,} to rate", DATA_CLASSES[study.data_class]]
    if study.review == "open":
        facts.append("open review")
    lines_behind = (*others, _describe_reveal(study), study.provenance)
    summary = " · ".join(facts)
    return (
        f'<h2 class="sr-h3">{escape(study.title)}</h2>{_paragraphs(lines)}'
        '<details class="sr-about"><summary class="sr-small" '
        f'aria-label="{escape(f"{summary} about {study.title}", quote=True)}">{escape(summary)} <u>about</u>'
        f"</summary>{_paragraphs(lines_behind)}</details>"
    )


def _paragraphs(lines: Iterable[str]) -> str:
    return "".join(f'<p class="sr-small">{escape(line)}</p>' for line in lines if line)


def _time_left(reader: str | None, units_left: int) -> str:
    """Estimate the time left at the reader's own pace; "" without a rater or a pace."""
    if reader is None or not reader.isdecimal():
        return ""
    with reader_session.store().reading() as connection:
        return describe_time(own_minutes(connection, int(reader)), units_left)


def _describe_reveal(study: Study) -> str:
    """Say when a rater sees the judge."""
    if study.review == "open":
        return "The judge's labels are visible from the start."
    reveal = "after_unit" if study.reveal == "after_batch" and study.batch_size == 1 else study.reveal
    of_what = {
        "after_unit": f" {study.noun.singular}",
        "after_batch": f" {study.noun.count(study.batch_size)}",
    }
    return f"You rate blind; {REVEAL[reveal]}{of_what.get(reveal, '')}."


def _relatives(study: Study) -> list[str]:
    """Name the study that this one continues, and those that continue it."""
    with reader_session.store().reading() as connection:
        before, after = (
            successors.continues(connection, study.id),
            successors.continued_by(connection, study.id),
        )
    lines = [
        f"Continued by {version.title}, which uses version {version.version} of the rubric."
        for version in after
    ]
    if before is not None:
        lines.insert(
            0, f"This study continues {before.title} with version {study.instrument.version} of the rubric."
        )
    return lines


def _open(study: Study, page: str) -> None:
    st.session_state["study"] = study.key
    st.query_params.clear()
    st.switch_page(st.session_state[page], query_params={"study": study.key})
