"""An archived study: out of the list, nothing more is given, and what somebody is rating can be saved."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sqlalchemy import func, select
from streamlit.testing.v1 import AppTest

from configs.settings import Settings
from data import schema
from data.access.permissions import Person
from data.record import studies
from data.work.next_unit import NoUnit
from data.work.worklist import open_worklist
from pages.widgets.workbench.next_step import next_step
from reports.refusals import word_error
from runs.prepare import add_samples
from runs.sample_studies import ORDER
from services import rating_events
from services.study_changes import set_archived
from tests.pages.conftest import BarOfTest, has_workbench, text_of
from tests.studies.known_browsers import cookie_of_person
from tests.studies.planned import plan_for, workers
from tests.studies.small_study import Small

App = Callable[..., AppTest]
Make = Callable[..., Small]
NAMES = ("warm", "safe", "deep")
TOLD = "This study is archived, so nothing more is given to you to rate"
PART = "Title and archive"


def archive(small: Small, archived: bool = True) -> None:
    set_archived(small.store, "Lea", Person(None, "Lea"), small.study, archived)


def send(small: Small, position: int, *events: dict[str, object]) -> rating_events.Outcome:
    with small.store.reading() as connection:
        rater = studies.rater(connection, small.raters[0])
    return rating_events.take(small.store, small.study, rater, list(events), {}, position, word_error)


def drafts(small: Small, position: int) -> list[dict[str, object]]:
    """The answers to a unit, and its commit."""
    unit = small.desk().unit(position).id
    answers = [
        {"id": f"0000000{position}-{number}", "kind": "draft", "unit": unit, "criterion": criterion}
        for number, criterion in enumerate(NAMES)
    ]
    return [
        *({**answer, "answer": {"label": "YES"}} for answer in answers),
        {"id": f"0000000{position}-9", "kind": "commit", "unit": unit, "shown": dict.fromkeys(NAMES, "YES")},
    ]


@pytest.mark.parametrize("planned", [False, True])
def test_who_is_rating_when_it_is_archived_can_save_and_is_given_nothing_more(
    make_study: Make, planned: bool
) -> None:
    study = make_study(reveal="never", conversation_count=5)
    if planned:
        plan_for(study, overlap=2)
        place = workers(study)[0].take()
        assert place == 1
        with study.store.reading() as connection:
            worklist = open_worklist(connection, study.study, study.raters[0])
            unit = worklist.at(1)
            assert unit is not None
            name, position = worklist.name_of(unit), unit.position
        answers = [{**event, "unit": name} for event in drafts(study, 2)]
    else:
        answers, position = drafts(study, 2), 2
    archive(study)
    outcome = send(study, position, *answers)
    assert not outcome.refused and outcome.trouble is None and len(outcome.acked) == 4
    assert outcome.position == position
    assert send(study, position, {"id": "00000009-0", "kind": "go", "position": position + 1}).position == (
        position
    )
    with study.store.reading() as connection:
        worklist = open_worklist(connection, study.study, study.raters[0])
        unit, rater = worklist.at(position), studies.rater(connection, study.raters[0])
        assert unit is not None and worklist.progress.committed == 1 and worklist.next_open() is None
        onward = next_step(worklist, unit, rater, True, False)
    assert onward["next"] is None and onward["after_commit"].endswith("Everything that you saved is kept.")
    if planned:
        assert isinstance(workers(study)[0].take(), NoUnit)
    archive(study, False)
    with study.store.reading() as connection:
        has_more = open_worklist(connection, study.study, study.raters[0]).next_open() is not None
    assert has_more is not planned and (not planned or isinstance(workers(study)[0].take(), int))


def test_what_was_begun_opens_and_the_rest_does_not(make_study: Make, app: App) -> None:
    study = make_study(conversation_count=5, reveal="never")
    ann = study.desk()
    ann.rate(1)
    ann.draft(3, "warm")
    archive(study)
    who = {"study": "small", "reader": str(ann.rater)}
    for asked in ({}, {"unit": "2"}, {"unit": "3"}):
        at = app("review", **who, **asked)
        assert has_workbench(at) and at.query_params["unit"] == "3"
    assert "You stopped at number 3" in text_of(app("my_work", **who))
    for criterion in ("safe", "deep"):
        ann.draft(3, criterion)
    ann.commit(3)
    for page in ("review", "my_work"):
        at = app(page, **who)
        assert TOLD in text_of(at) and not has_workbench(at)
    at = app("review", study="small", reader=str(study.raters[1]))
    assert TOLD in text_of(at) and not has_workbench(at)


def test_an_open_window_stays_open(make_study: Make, app: App) -> None:
    study = make_study(conversation_count=3)
    at = app("review", study="small", reader=str(study.raters[0]))
    assert has_workbench(at)
    archive(study)
    at.run()
    assert has_workbench(at) and at.query_params["unit"] == "1"


def test_the_lead_renames_and_archives_on_set_up(small: Small, app: App, bar: BarOfTest) -> None:
    at = app("lead", study="small", reader="lead", part=PART)
    at.text_input(key=f"title-of-{small.study.id}").set_value("Sleep, second wave")
    at.button(key="rename-go").click().run()
    assert '<h1 class="sr-h1">Sleep, second wave</h1>' in text_of(at)
    at.button(key="archive-go").click().run()
    assert "The study is archived" in text_of(at)
    assert at.button(key="archive-go").label == "Restore this study"
    listed = app("studies")
    assert "Archived: 1" in text_of(listed) and "Sleep, second wave" not in text_of(listed)
    assert bar.shown is not None and "small" not in [link.study for link in bar.shown.studies]
    listed.session_state["section-archived"] = True
    assert "Sleep, second wave" in text_of(listed.run())
    listed.button(key="rate-small").click().run()
    assert "Sleep, second wave" in text_of(listed)
    at.button(key="archive-go").click().run()
    assert "Archived" not in text_of(app("studies"))


def test_the_overview_of_an_archived_study_says_so_first_and_urges_nothing(small: Small, app: App) -> None:
    for number, label in enumerate(("YES", "NO")):
        small.desk(number).rate(2, label)
    before = text_of(app("overview", study="small", reader="lead"))
    assert "labels to settle" in before and "is archived" not in before
    archive(small)
    page_text = text_of(app("overview", study="small", reader="lead"))
    assert "This study is archived. A study lead can bring it back under" in page_text
    assert page_text.index("This study is archived") < page_text.index("<h1")
    assert "to settle" not in page_text and "Next steps" not in page_text


def test_a_lead_takes_the_samples_out_of_the_list_and_no_start_brings_them_back(
    small: Small, app: App, bar: BarOfTest
) -> None:
    assert "samples-remove" not in {button.key for button in app("studies").button}
    bar.remember(cookie_of_person(small.store, "Lea", "small"))
    at = app("studies")
    at.button(key="samples-remove").click().run()
    assert "6 samples" not in text_of(at) and f"Archived: {len(ORDER)}" in text_of(at)
    assert "New here?" not in text_of(at)
    assert list(add_samples(small.store, Settings.read({}))) == []
    at = app("studies")
    assert "samples" not in text_of(at)
    at.session_state["section-archived"] = True
    at.run()
    at.button(key="samples-restore").click().run()
    assert "6 samples" in text_of(at) and "Archived" not in text_of(at)


def test_the_lead_erases_all_words_after_typing_the_name(small: Small, app: App) -> None:
    small.desk().rate(1)
    at = app("lead", study="small", reader="lead", part=PART)
    assert "the words of" in text_of(at) and "be undone" in text_of(at)

    def erase(name: str, reason: str) -> str:
        at.text_input(key="erase-name").set_value(name)
        at.text_input(key="erase-reason").set_value(reason)
        return text_of(at.button(key="erase-go").click().run())

    assert "so nothing was erased" in erase("Another", "consent withdrawn")
    assert "Say why" in erase("Small study", " ")
    assert " texts erased" in erase("Small study", "consent withdrawn")
    assert "All words of this study are erased" in text_of(at)
    with small.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.rating)).scalar_one() > 0
