"""Whose labels count: a lead may leave a rater out of the headline, with a reason, and take them back."""

from __future__ import annotations

import streamlit as st

from data import studies
from data.errors import StoreError
from data.rater_identities import rater_identities
from data.studies import Study
from data.work.set_aside import raters_set_aside, set_aside_history
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from scoring.figures import moment
from services.raters import count_labels


def show(study: Study) -> None:
    with reader_session.store().reading() as connection:
        # Of an imported rater who is a person of the study, the person is set aside.
        persons = rater_identities(connection, study.id)
        people = [rater for rater in studies.raters(connection, study.id) if rater.id not in persons]
        aside, history = raters_set_aside(connection, study.id), set_aside_history(connection, study.id)
    if not people:
        st.info("Nobody has a name in this study yet.")
        return
    untrusted_text.paragraph(
        "Labels of a rater who is set aside are in no headline. Nothing that they rated is changed, and "
        "every report prints the answers with "
        "and without them. Whoever is quick or strict is not wrong for that: ask first.",
        small=True,
    )
    names = {rater.id: rater.name for rater in people}
    if history:
        untrusted_text.table(
            "What was decided",
            ["Rater", "Decision", "By", "When (UTC)", "Why"],
            [
                [
                    names.get(step.rater_id, "?"),
                    "taken back" if step.back else "set aside",
                    step.by,
                    moment(step.at),
                    step.reason,
                ]
                for step in history
            ],
        )
    # An option whose words change is another one to the browser, and the choice would jump.
    rater = st.selectbox(
        "Rater",
        list(names),
        index=None,
        placeholder="choose a rater",
        format_func=names.__getitem__,
        key="aside-rater",
    )
    if rater is None:
        return
    back = rater in aside
    untrusted_text.paragraph(
        f"{names[rater]} is set aside now: {aside[rater]}"
        if back
        else f"The labels of {names[rater]} count.",
        small=True,
    )
    with st.form(field_key("aside", f"aside-form-{rater}"), border=False):
        left, right = st.columns(2)
        by = left.text_input("Your name", key=field_key("aside", f"aside-by-{rater}"))
        reason = right.text_input("Why", key=field_key("aside", f"aside-reason-{rater}"))
        if not st.form_submit_button(
            "Take back" if back else "Set aside", key=field_key("aside", f"aside-{rater}")
        ):
            return
    try:
        count_labels(
            reader_session.store(), reader_session.actor(study), study, rater, by, reason, counts=back
        )
    except StoreError as error:
        st.error(untrusted_text.plain(str(error)))
        return
    finish(f"The labels of {names[rater]} count again." if back else f"{names[rater]} is set aside.", "aside")
