"""Lead, "Whose labels count": a rater is set aside with a name and a reason, the report says both numbers,
and it is undone likewise.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.keeping.verify import verify
from data.record import studies
from data.record.adoptions import judge_in_use
from data.record.set_aside import raters_set_aside
from data.store.store import Store
from tests.pages import conftest
from tests.studies.rater_codes import codes_of

KEY = "lend_an_ear"


def words(at: AppTest) -> str:
    return html.unescape(conftest.text_of(at)).replace("\\", "")


def aside(store: Store) -> dict[int, str]:
    with store.reading() as connection:
        study = studies.find(connection, KEY)
        assert study is not None
        return raters_set_aside(connection, study.id)


def decide(app: Callable[..., AppTest], rater: int, by: str, reason: str, button: str) -> AppTest:
    at = app("lead", study=KEY, reader="lead", part="Whose labels count")
    at.selectbox(key="aside-rater").set_value(rater).run()
    next(field for field in at.text_input if field.label == "Your name").set_value(by)
    next(field for field in at.text_input if field.label == "Why").set_value(reason)
    next(one for one in at.button if one.label == button).click().run()
    assert not at.exception
    return at


def test_a_rater_is_set_aside_told_in_the_report_and_taken_back(
    app: Callable[..., AppTest], store: Store
) -> None:
    with store.reading() as connection:
        study = studies.find(connection, KEY)
        assert study is not None
        rater = [person for person in studies.raters(connection, study.id) if person.kind == "imported"][1]
        judge = judge_in_use(connection, study.id)
    decide(app, rater.id, "Dr Lead", "pressed keys without reading", "Set aside")
    assert aside(store) == {rater.id: "pressed keys without reading"}
    code = codes_of(store, KEY)[rater.name]
    report = words(app("agreement", study=KEY, reader="lead"))
    assert (
        f"{code} was set aside (pressed keys without reading), so no headline includes this rater's labels."
        in report
    )
    assert "With the raters who were set aside: 440 of 900" in report and f"With {code}" in report
    assert "The judge agreed with the clinician on 287 of 600 labels" in report
    assert "287 of the clinicians' 600 blind labels are the same as this judge's:" in words(
        app("judges", study=KEY, reader="lead", judge=str(judge))
    ), "one rule on every page"
    again = decide(app, rater.id, "Dr Lead", "a mix-up of names", "Include again")
    assert "pressed keys without reading" in words(again) and aside(store) == {}
    assert "set aside" not in words(app("agreement", study=KEY, reader="lead"))
    with store.reading() as connection:
        assert verify(connection).problems == []


def test_a_rater_stays_chosen_after_the_step_and_is_taken_back_at_once(
    app: Callable[..., AppTest], store: Store
) -> None:
    with store.reading() as connection:
        study = studies.find(connection, KEY)
        assert study is not None
        people = studies.raters(connection, study.id)
    at = app("lead", study=KEY, reader="lead", part="Whose labels count")
    box = at.selectbox(key="aside-rater")
    assert box.value is None and not any(button.label == "Set aside" for button in at.button)
    offered = list(box.options)
    assert offered == [rater.name for rater in people]
    at = decide(app, people[1].id, "Dr Lead", "pressed keys", "Set aside")
    for button, next_button in (("Include again", "Set aside"), ("Set aside", "Include again")):
        box = at.selectbox(key="aside-rater")
        assert (box.value, list(box.options)) == (people[1].id, offered)
        next(field for field in at.text_input if field.label == "Your name").set_value("Dr Lead")
        next(field for field in at.text_input if field.label == "Why").set_value("a mix-up")
        next(field for field in at.button if field.label == button).click().run()
        assert not at.exception and any(field.label == next_button for field in at.button)
        assert (people[1].id in aside(store)) == (button == "Set aside")
    assert re.search(r"<td>20\d\d-\d\d-\d\d \d\d:\d\d:\d\d</td>", words(at)), "the time stands there too"


def test_without_a_name_or_a_reason_nothing_happens(app: Callable[..., AppTest], store: Store) -> None:
    with store.reading() as connection:
        study = studies.find(connection, KEY)
        assert study is not None
        rater = studies.raters(connection, study.id)[0].id
    assert "Write your name" in words(decide(app, rater, "", "why", "Set aside"))
    assert "Give a reason" in words(decide(app, rater, "Dr Lead", "", "Set aside"))
    assert aside(store) == {}
