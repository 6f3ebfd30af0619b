"""Three small pictures below the verdicts, each with a link to its page: the work, agreement over time, and
care over the turns. They share slow results with the Drift page.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from urllib.parse import urlencode

import streamlit as st

from data.labels import work_overview
from data.labels.pace import own_minutes
from data.labels.work_overview import RaterRow
from data.record import studies
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study
from data.work import plan as plans
from pages.widgets import reader_session, untrusted_text
from pages.widgets.drift.period_findings import view_over_time
from pages.widgets.drift.turn_findings import conversation_drift, curve_choice, divisions
from reports.agreement.findings import Findings
from reports.drift.curve_kinds import curve_words
from reports.drift.turn_words import turns_headline
from reports.drift.what_moved import headline
from reports.overview.small_lines import agreement_line, turns_line
from reports.overview.work_words import RatedUnits, rated_units, work_sentence
from reports.pictures.small_line import SmallLine
from reports.render.small_pictures import small_line_svg
from words.plurals import count

RATERS = 8  # raters with their own bar


def small_pictures(study: Study, findings: Findings, raters: Sequence[RaterRow]) -> None:
    """Show the pictures to a person who may see the labels of the whole study."""
    with st.container(key="small-pictures"):
        work, time, turns = st.columns(3, gap="medium")
        with work, st.container(gap="xsmall"):
            _work(study, rated_units(raters, findings))
        with time, st.container(gap="xsmall"):
            _over_time(study)
        with turns, st.container(gap="xsmall"):
            _over_the_turns(study)


def _opening(study: Study, title: str, sentence: str, page: str, **choices: str) -> None:
    """Return the link to the picture's page, and a sentence on what it shows."""
    reader = st.query_params.get("reader", "")
    address = f"{page}?{urlencode({'study': study.key, 'reader': reader, **choices})}"
    link = untrusted_text.Link(title, address).__html__()
    st.html(f'<h2 class="sr-h3">{link}</h2><p class="sr-small" dir="auto">{escape(sentence)}</p>')


def _work(study: Study, rated: Sequence[RatedUnits]) -> None:
    """Draw one bar per rater, relative to the rater with the most units."""
    with reader_session.store().reading() as connection:
        minutes = {row.rater: own_minutes(connection, row.rater) for row in rated if row.committed}
        planned = plans.current(connection, study.id) is not None
        totals = work_overview.study_progress(connection, study) if planned else None
        units = studies.unit_count(connection, study.id)
    paces = {rater: pace for rater, pace in minutes.items() if pace is not None}
    _opening(study, "The work", work_sentence(rated, units, totals, paces), "lead")
    if not rated:
        return
    from_file = ", file" if any(row.committed for row in rated) else ""
    bars = "".join(
        f'<li><span>{escape(row.name)}{"" if row.committed else from_file}</span><span class="sr-meter"><b '
        f'style="width: {round(100 * row.units / rated[0].units)}%"></b></span>'
        f'<span class="sr-num">{row.units:,}</span></li>'
        for row in rated[:RATERS]
    )
    st.html(f'<ul class="sr-bars">{bars}</ul>')
    if len(rated) > RATERS:
        untrusted_text.paragraph(f"and {count(len(rated) - RATERS, 'rater', 'raters')} more", small=True)


def _over_time(study: Study) -> None:
    shown = view_over_time(study)
    if isinstance(shown, str):
        _opening(study, "Over time", f"Can't be estimated, {shown}.", "drift", part="time")
        return
    with reader_session.store().reading() as connection:
        codes = read_rater_codes(connection, study)
    _opening(study, "Over time", headline(shown, codes)[0], "drift", part="time")
    _line(agreement_line(shown))


def _over_the_turns(study: Study) -> None:
    title, part = "Over the turns", "conversations"
    choice = curve_choice(study)
    if not choice.kinds:
        _opening(study, title, "Not computed.", "drift", part=part)
        return
    kind = choice.kinds[0]
    divides = divisions(study, kind)
    shown = conversation_drift(study, choice, kind, divides[0] if divides else None)
    sentence = turns_headline(shown, curve_words(kind, choice.embedders))
    _opening(study, title, sentence, "drift", part=part)
    _line(turns_line(shown))


def _line(picture: SmallLine | None) -> None:
    """Draw the line, if there is one; otherwise the sentence says why."""
    if picture is not None:
        st.image(small_line_svg(picture), width="stretch", alt=picture.words)
