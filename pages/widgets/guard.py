"""The guard of pages that show the labels of the whole study, and so the judge, to a rater who may still rate
blind.
"""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Action, Person, Reason, is_done, may
from data.record.studies import Study
from data.work import exposures
from pages.widgets import reader_session
from reports.refusals import word_decision
from services.rating import open_whole_study

JUDGES_SHOWN_LATER = (
    "What judges were asked, and where they failed, is shown to you once you have rated everything."
)
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
            "You opened the labels of the whole study earlier. What you have rated since then is recorded "
            "as given after seeing the judge's labels."
        )
    if decision:
        if not seen:  # nobody has anything left to rate blind, but a later change must know
            open_whole_study(reader_session.store(), study, rater)
        reader_session.saw_everything(study)  # the next name in this tab has seen it too
        return True
    if decision.reason is Reason.JUDGE_STAYS_HIDDEN:
        st.info(word_decision(decision))
        return False
    compared = (
        f"Below are only the {study.noun.plural} on which you have already compared your labels with the "
        "judge's."
    )
    st.info(f"{word_decision(decision)} {otherwise or compared}")
    with st.popover("Show the whole study ..."):
        st.text(
            f"This shows other raters' and the judge's labels for {study.noun.plural} that you have not "
            "rated.\nWhatever you rate afterwards in this study is recorded as given after seeing the "
            "judge's labels,\nand stays out of the blind numbers. This can't be "
            f"undone.{NO_MORE_SETTLING if decision.reason is Reason.SETTLES_UNSEEN else ''}"
        )
        if st.button("Show it and record this", key="guard-open"):
            open_whole_study(reader_session.store(), study, rater)
            st.rerun()
    return False
