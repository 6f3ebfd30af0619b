"""Saving what a browser still holds of an archived study that shows its rater nothing more to rate."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import streamlit as st

from data.record.studies import Rater, Study
from data.store import trail
from data.store.trail import now
from pages.widgets import reader_session
from pages.widgets.scripts.modules import assemble
from pages.widgets.workbench.component import state
from pages.widgets.workbench.window_state import rating_window
from reports.refusals import word_error
from services import rating_events

_COMPONENT = st.components.v2.component(
    "second_reader_waiting_answers",
    html='<p class="waiting" role="status" aria-live="polite"></p>',
    js=assemble(Path(__file__).with_suffix(".js")),
)


@st.fragment(run_every=timedelta(days=1))  # as on the Rate page: a restarted server runs it again
def save_waiting_answers(study: Study, rater: Rater) -> None:
    """Save the answers that this browser kept from before the study was archived. Run the page anew once
    some are saved or refused: what they began opens again, and a refusal is shown.
    """
    store, key = reader_session.store(), f"waiting-{study.id}-{rater.id}"
    window = rating_window(study.id, rater.id)
    count_before = len(window.receipts)
    outcome = rating_events.take(
        store, study, rater, list(state(key).events or []), window.receipts, 1, word_error
    )
    if len(window.receipts) > count_before:
        st.rerun()
    with store.reading() as connection:
        owner = f"{trail.store_name(connection)}-{rater.id}"
    _COMPONENT(
        key=key,
        data={
            "owner": owner,
            "acked": outcome.acked,
            "refused": outcome.refused,
            "trouble": outcome.trouble,
            "now": now(),
            "session": window.run,
        },
        on_events_change=lambda: None,
    )
