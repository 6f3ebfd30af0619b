"""Pages that would show the judge to somebody who still has units to rate blind."""

from __future__ import annotations

import streamlit as st

from data.record.studies import Rater, Study
from data.work import blindness, exposures, roles
from data.work.worklist import open_worklist
from pages.widgets import reader_session
from pages.widgets.reader_session import Reader
from services.rating import open_whole_study

NO_MORE_SETTLING = "\nYou also can no longer settle safety failures in this study."


def whole_study_permitted(
    study: Study,
    rater: Rater,
    otherwise: str = "",
) -> bool:
    """Whether this rater may see the labels of the whole study on a page; `otherwise` says what the page
    shows instead of it, where that is not what was compared already.

    With units left to rate, only those that were already revealed to them are shown. They may open the rest,
    and then that is recorded: their later ratings are not blind.
    """
    with reader_session.store().reading() as connection:
        before = open_worklist(connection, study, rater.id).remaining_work
        left = before.held + before.may_come
        all_rated = blindness.is_done(connection, study, rater.id)
        seen = exposures.saw_page(connection, rater.id)
        permitted = blindness.may_learn_labels(connection, study, rater.id)
        settles = roles.is_settler(connection, rater.id)
    if seen and not all_rated:
        st.info(
            "You opened the labels of the whole study earlier: what you rate since then counts as given "
            "after seeing the judge."
        )
    if study.reveal == "never" and study.review != "open" and not seen:
        st.info(
            "This study does not show its raters what a judge or colleagues said. A study lead reads the "
            "agreement."
        )
        return False
    if permitted:
        if not seen:  # nothing is left to rate blind for anybody, but a later change must know
            open_whole_study(reader_session.store(), study, rater)
        reader_session.saw_everything(study)  # and so has whoever takes the next name in this tab
        return True
    sentence = (
        "You settle in this study, so the judge stays hidden."
        if settles
        else f"You have {left:,} left to rate blind."
        if before.whole and left
        else "More may still be given to you to rate blind."
    )
    compared = f"Below stand only the {study.noun.plural} whose judge you have already compared with."
    st.info(f"{sentence} {otherwise or compared}")
    with st.popover("Show the whole study ..."):
        st.text(
            f"This shows other people's labels and the judge's for {study.noun.plural} that you have not "
            f"rated.\n"
            "Whatever you rate afterwards in this study is recorded as given after seeing the judge,\n"
            "and stays out of the blind numbers. This cannot be taken back."
            f"{NO_MORE_SETTLING if settles else ''}"
        )
        if st.button("Show it, and record that", key="guard-open"):
            open_whole_study(reader_session.store(), study, rater)
            st.rerun()
    return False


def judges_permitted(study: Study, reader: Reader) -> bool:
    """Whether a page about judges, their calls and failures may be shown: to a lead, or to a rater as the
    labels of the whole study.
    """
    if reader.rater is None:
        reader_session.saw_everything(study)
        return True
    return whole_study_permitted(
        study,
        reader.rater,
        "What judges were asked, and where they failed, is shown once you have rated everything.",
    )
