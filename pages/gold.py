"""Gold: a study lead labels a conversation while reading it and makes it a gold unit. Shows no judge, and
makes nobody a rater.
"""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from data.labels import unit_labels
from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.store.errors import StoreError
from data.work import certification
from data.work import plan as plans
from data.work.practice import practice_units
from pages.widgets import reader_session, untrusted_text
from pages.widgets.address_number import number_in_address
from pages.widgets.content_note import content_note_seen
from pages.widgets.lead.lead_context import lead_context
from pages.widgets.lead_pad.component import mount_pad
from pages.widgets.lead_pad.contract import GoldSent, LeadPadData, PadReceipt
from pages.widgets.lead_pad.view import label_sources, pad_data
from reports.refusals import word_error, word_reason
from services.work_planning import put_gold
from words.plurals import count

RECEIPT = "gold-receipt"


def render() -> None:
    """Draw the page with the expert's labels."""
    study = lead_context(
        "The expert's labels", "This page is for study leads: it sets the labels that raters are tested on."
    )
    if study is None or not content_note_seen(study):
        return
    asked = number_in_address("unit")
    with reader_session.store().reading() as connection:
        unit = units.at_position(connection, study.id, asked) if asked is not None else None
        planned = plans.current(connection, study.id) is not None
    if unit is None or not planned:
        st.info(
            word_reason("save_plan_first") if unit is not None else f"There is no such {study.noun.singular}."
        )
        text, part = ("Practice", "Practice") if unit is None else ("Plan of the work", "Plan")
        untrusted_text.link(text, _address(study, part))
        return
    sent = mount_pad(_pad(study, unit))
    if sent is not None:
        st.session_state[RECEIPT] = _save(study, unit, sent)
        st.rerun()


def _address(study: Study, part: str) -> str:
    return f"lead?{urlencode({'study': study.key, 'reader': reader_session.LEAD, 'part': part})}"


def _pad(study: Study, unit: Unit) -> LeadPadData:
    with reader_session.store().reading() as connection:
        gold = certification.gold_labels(connection, study).get(unit.id, {})
        messages = units.transcript(connection, unit)
        labels = unit_labels.of_people(connection, unit)
        is_practice = unit.id in practice_units(connection, study.id)
    sources = label_sources(labels)
    notes = []
    if sources and not is_practice:
        notes.append(
            f"{count(len(sources), 'person', 'people')} rated this as part of their work. Once it has an "
            "expert's labels, no number about the judge includes it."
        )
    newest = list(gold.values())[-1] if gold else None
    reader, name = reader_session.reader(study), study.unit_name(unit.position)
    return pad_data(
        study,
        unit,
        messages,
        f"{name}, with the expert's labels" if gold else f"{name}, without an expert's labels yet",
        labels={criterion: label.label for criterion, label in gold.items()},
        expert=newest.said_by if newest else reader.name if reader else "",
        reason=(newest.reason or "") if newest else "",
        sources=sources,
        notes=notes,
        back=(_address(study, "Practice"), "‹ Practice"),
        receipt=st.session_state.get(RECEIPT),
    )


def _save(study: Study, unit: Unit, sent: GoldSent) -> PadReceipt:
    try:
        put_gold(
            reader_session.store(),
            reader_session.actor(study),
            study,
            unit,
            sent.labels,
            sent.expert,
            sent.reason,
        )
    except StoreError as error:
        return PadReceipt(id=sent.id, words=f"{word_error(error)} Nothing was saved.", trouble=True)
    words = f"saved {count(len(sent.labels), 'label', 'labels')} as the expert's"
    return PadReceipt(id=sent.id, words=words, trouble=False)
