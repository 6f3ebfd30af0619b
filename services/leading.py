"""Opening a study as its lead, which is recorded before anything is shown."""

from __future__ import annotations

from data.record.studies import Study
from data.store.store import Store
from data.work import lead_openings


def open_as_lead(store: Store, actor: str, study: Study) -> str:
    """Record in the trail that somebody opens the study as its lead and sees every label. Returns the proof
    for their browser (lead_openings.is_recorded).
    """
    token, browser = lead_openings.make_token()
    with store.writing(actor, lead_openings.ACTION, study.id, browser=browser) as (_, entry):
        entry.record_act()
    return lead_openings.make_proof(entry.seq, token)
