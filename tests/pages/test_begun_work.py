"""What the list of studies tells a person who has begun to rate: where to go on, and their own studies first."""

from __future__ import annotations

from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from tests.pages.conftest import BarOfTest, has_workbench, text_of
from tests.studies.known_browsers import cookie_of_person
from tests.studies.planned import plan_for, workers
from tests.studies.small_study import Small

App = Callable[..., AppTest]
Make = Callable[..., Small]


def titles(at: AppTest) -> list[str]:
    bodies = [element.proto.body for element in at.get("html")]
    return [body.split("</h2>")[0].split(">")[-1] for body in bodies if body.startswith('<h2 class="sr-h3">')]


def is_open(at: AppTest) -> bool:
    """Whether the samples are listed."""
    return "Lend an Ear" in titles(at)


def test_the_page_begins_with_what_was_begun_and_one_button_goes_on(
    make_study: Make, app: App, bar: BarOfTest
) -> None:
    study = make_study(conversation_count=9)
    ann = study.desk()
    bar.remember(cookie_of_person(study.store, "Ann"))
    assert "Continue" not in text_of(app("studies"))
    for position in range(1, 6):
        ann.rate(position)
    at = app("studies")
    first = at.get("html")[0].proto.body
    assert first == '<h1 class="sr-h1">Continue: conversation 6 of 9</h1>'
    ann.rate(6)
    at = app("studies")
    assert at.get("html")[0].proto.body == (
        '<h1 class="sr-h1">Continue: conversation 7 of 9, about 1 min left</h1>'
    )
    at.button(key="continue").click().run()
    assert has_workbench(at) and at.query_params["unit"] == "7"


def test_the_study_that_was_answered_last_is_continued_until_nothing_is_left(
    make_study: Make, app: App, bar: BarOfTest
) -> None:
    first = make_study(key="first", title="First", conversation_count=3)
    second = make_study(key="second", title="Second", conversation_count=2)
    bar.remember(cookie_of_person(first.store, "Ann"))
    for small, position in ((first, 1), (second, 1)):
        small.desk().rate(position)
    assert "Continue: conversation 2 of 2" in text_of(app("studies"))
    second.desk().rate(2)
    assert "Continue: conversation 2 of 3" in text_of(app("studies"))
    bar.remember(cookie_of_person(first.store, "Ben"))
    assert "Continue" not in text_of(app("studies"))


def test_who_shares_the_work_is_told_no_total(make_study: Make, app: App, bar: BarOfTest) -> None:
    study = make_study(conversation_count=6)
    plan_for(study, overlap=1)
    ann = workers(study)[0]
    place = ann.take()
    assert isinstance(place, int)
    ann.rate(place)
    bar.remember(cookie_of_person(study.store, "Ann"))
    assert '<h1 class="sr-h1">Continue: number 2 of your list</h1>' in text_of(app("studies"))


def test_own_studies_come_first_and_the_samples_open_on_a_line(make_study: Make, app: App) -> None:
    at = app("studies")
    assert "6 samples" in text_of(at) and is_open(at)
    make_study(key="first", title="First")
    make_study(key="second", title="Second")
    at = app("studies")
    assert titles(at)[:2] == ["Second", "First"] and len(titles(at)) == 8
    at.session_state["section-samples"] = False
    at.run()
    assert titles(at) == ["Second", "First"] and "6 samples" in text_of(at)
