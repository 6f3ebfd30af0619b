"""What a browser keeps in which somebody was asked who they are, and answered as a person would."""

from __future__ import annotations

from data.record import studies
from data.store import actors
from data.store.errors import NotFound
from data.store.store import Store
from data.work import lead_openings
from pages.widgets.reader_session import LEAD
from pages.widgets.remembered_person import RememberedPerson, cookie_value, read_cookie
from services.leading import open_as_lead


def cookie_of_person(store: Store, name: str = "", *leads: str) -> str:
    """The cookie of a browser that knows this name, and opened the studies with these keys as their lead."""
    person = RememberedPerson(name)
    with store.reading() as connection:
        led = [studies.get_by_key(connection, key) for key in leads]
    for study in led:
        person = person.leading(study.key, open_as_lead(store, name or actors.LEAD, study))
    return cookie_value(person)


def cookie_of_reader(store: Store, key: str, reader: str, before: str = "") -> str:
    """The cookie of a browser in which somebody opened the study as its lead ("lead"), or chose the name of the
    rater with this id. `before`: what it kept until then, and keeps where there is no such study or rater.
    """
    person = read_cookie(before)
    with store.reading() as connection:
        study = studies.find(connection, key)
        try:
            rater = studies.rater(connection, int(reader[:18])) if reader.isdecimal() else None
        except NotFound:
            rater = None
    if study is not None and reader == LEAD:
        with store.reading() as connection:
            if lead_openings.is_recorded(connection, study.id, person.leads.get(key, "")):
                return before
        person = person.leading(key, open_as_lead(store, actors.LEAD, study))
    elif study is not None and rater is not None and (rater.study_id, rater.kind) == (study.id, "person"):
        person = person.rating(key, rater.name)
    return cookie_value(person)
