"""Pages that show the labels of the whole study, which would show the judge to a rater who still rates
blind.
"""

from __future__ import annotations

import streamlit as st

from data.record.studies import Study
from data.work import exposures
from data.work.permissions import Action, Person, Reason, is_done, may
from pages.widgets import reader_session
from reports.refusals import word_decision
from services.rating import open_whole_study

JUDGES_SHOWN_LATER = "What judges were asked, and where they failed, is shown once you have rated everything."
NO_MORE_SETTLING = "\nYou also can no longer settle safety failures in this study."


def labels_permitted(study: Study, reader: Person, otherwise: str = "") -> bool:
    """Tell whether the page may show the labels of the whole study to its reader, and record that it does.
    Where it may not, the page says why and offers to show them all the same: that is recorded, and what the
    rater rates afterwards is not blind.

    Args:
        otherwise: what the page shows instead, if that isn't what the rater has compared already.
    """
    rater = reader.rater
    if rater is None:
        reader_session.saw_everything(study)
        return True
    with reader_session.store().reading() as connection:
        decision = may(connection, reader, Action.SEE_LABELS, study)
        seen = exposures.saw_page(connection, rater.id)
        all_rated = is_done(connection, study, rater.id)
    if seen and not all_rated:
        st.info(
            "You opened the labels of the whole study earlier: what you rate since then counts as given "
            "after seeing the judge."
        )
    if decision:
        if not seen:  # nothing is left to rate blind for anybody, but a later change must know
            open_whole_study(reader_session.store(), study, rater)
        reader_session.saw_everything(study)  # and so has whoever takes the next name in this tab
        return True
    if decision.reason is Reason.JUDGE_STAYS_HIDDEN:
        st.info(word_decision(decision))
        return False
    compared = f"Below are only the {study.noun.plural} whose judge you have already compared with."
    st.info(f"{word_decision(decision)} {otherwise or compared}")
    with st.popover("Show the whole study ..."):
        st.text(
            f"This shows other people's labels and the judge's for {study.noun.plural} that you have not "
            f"rated.\n"
            "Whatever you rate afterwards in this study is recorded as given after seeing the judge,\n"
            "and stays out of the blind numbers. This can't be undone."
            f"{NO_MORE_SETTLING if decision.reason is Reason.SETTLES_UNSEEN else ''}"
        )
        if st.button("Show it, and record that", key="guard-open"):
            open_whole_study(reader_session.store(), study, rater)
            st.rerun()
    return False
