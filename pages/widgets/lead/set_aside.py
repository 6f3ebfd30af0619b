"""Whose labels count: a lead may leave a rater out of the headline, with a reason, and include them again."""

from __future__ import annotations

from functools import partial

import streamlit as st

from data.record import studies
from data.record.rater_identities import rater_identities
from data.record.set_aside import SetAside, raters_set_aside, set_aside_history
from data.record.studies import Rater, Study
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.lead.flash_message import field_key, finish
from pages.widgets.opening_line import open_line
from services.raters import count_labels
from words.figures import moment
from words.plurals import count, inflect, join_words

NAMED = 3  # raters named before they are counted


def show(study: Study) -> None:
    """Show who is set aside, and the form that changes it."""
    with reader_session.store().reading() as connection:
        # For an imported rater who is also a person of the study, set the person aside.
        persons = rater_identities(connection, study.id)
        people = [rater for rater in studies.raters(connection, study.id) if rater.id not in persons]
        aside, history = raters_set_aside(connection, study.id), set_aside_history(connection, study.id)
    untrusted_text.heading(_answer(people, aside), 1)
    if not people:
        return
    names = {rater.id: rater.name for rater in people}
    untrusted_text.paragraph(
        "Headlines leave out raters who are set aside. Their labels stay unchanged, and every report "
        "shows the answers with and without them. A quick or strict rater isn't wrong: ask first.",
        small=True,
    )
    # To the browser an option with other words is another option, and the choice would jump.
    rater = st.selectbox(
        "Rater",
        list(names),
        index=None,
        placeholder="choose a rater",
        format_func=names.__getitem__,
        key="aside-rater",
    )
    if rater is not None:
        _decide(study, rater, names[rater], aside.get(rater))
    if history:
        open_line("Decisions, with reasons", "aside-history", partial(_history, history, names), at_once=True)


def _answer(people: list[Rater], aside: dict[int, str]) -> str:
    if not people:
        return "This study has no raters yet."
    left_out = [rater.name for rater in people if rater.id in aside]
    if not left_out:
        return f"Nobody is set aside, out of {count(len(people), 'rater', 'raters')}."
    named = join_words(left_out[:NAMED]) if len(left_out) <= NAMED else f"{len(left_out):,} raters"
    return f"{named} {inflect(len(left_out), 'is', 'are')} set aside, and nobody else."


def _history(history: list[SetAside], names: dict[int, str]) -> None:
    untrusted_text.table(
        "",
        ["Rater", "Decision", "By", "When (UTC)", "Why"],
        [
            [
                names.get(step.rater_id, "?"),
                "included again" if step.back else "set aside",
                step.by,
                moment(step.at),
                step.reason,
            ]
            for step in history
        ],
    )


def _decide(study: Study, rater: int, name: str, reason_aside: str | None) -> None:
    """`reason_aside`: why this rater is set aside; None if they are not set aside."""
    back = reason_aside is not None
    untrusted_text.paragraph(
        f"{name} is set aside. Reason: {reason_aside}" if back else f"{name} is not set aside.",
        small=True,
    )
    with st.form(field_key("aside", f"aside-form-{rater}"), border=False):
        left, right = st.columns(2)
        by = left.text_input("Your name", key=field_key("aside", f"aside-by-{rater}"))
        reason = right.text_input("Why", key=field_key("aside", f"aside-reason-{rater}"))
        if not st.form_submit_button(
            "Include again" if back else "Set aside", key=field_key("aside", f"aside-{rater}")
        ):
            return
    try:
        count_labels(
            reader_session.store(), reader_session.actor(study), study, rater, by, reason, counts=back
        )
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    finish(f"{name} is no longer set aside." if back else f"{name} is set aside.", "aside")
