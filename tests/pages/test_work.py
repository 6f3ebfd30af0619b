"""My work, the lead's page and calibration."""

from __future__ import annotations

import html
import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import text
from streamlit.testing.v1 import AppTest

from data import schema
from data.labels import work_overview
from data.record import conversations, studies, units
from data.record.studies import Study
from data.store import content, triggers
from data.store.store import Store
from data.work import calibration, certification, draws, exposures, open_slots, setup
from data.work import plan as plans
from data.work.plan import WorkPlan
from data.work.worklist import open_worklist
from reports.criterion_names import criterion_names
from services.work_planning import put_gold
from tests.pages import conftest
from tests.studies.planned import Worker
from tests.studies.small_study import Small

KEY = "coaching_demo"


def text_of(at: AppTest) -> str:
    """Without the backslashes that keep a message from being read as Markdown."""
    return html.unescape(conftest.text_of(at)).replace("\\", "")


def study_of(store: Store) -> Study:
    with store.reading() as connection:
        found = studies.find(connection, KEY)
    assert found is not None
    return found


def people(store: Store) -> list[int]:
    with store.reading() as connection:
        return [
            rater.id for rater in studies.raters(connection, study_of(store).id) if rater.kind == "person"
        ]


def worker(store: Store, number: int = 0) -> Worker:
    return Worker(
        Small(store, study_of(store), (), tuple(people(store))), people(store)[number], random.Random(number)
    )


def planned(store: Store, **settings: Any) -> None:
    study = study_of(store)
    with store.writing("lead", "plan", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan(**{"repeats": 0.0, "sitting": None, **settings}))
        if not draws.last_number(connection, study.id):
            draws.draw(connection, entry, study, draws.read_spec({"method": "all"}), 0)
            setup.open_drawn_units(connection, study)


def rows_of(at: AppTest, who: str) -> list[list[str]]:
    """The first three cells of each row of a table that begins with this name, each row once."""
    rows = [
        re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.S)[:3]
        for row in re.findall(r"<tr.*?</tr>", text_of(at), re.S)
    ]
    return [row for number, row in enumerate(rows) if row[:1] == [who] and row not in rows[:number]]


def raters_shown(at: AppTest) -> list[dict[str, Any]]:
    """What the table of raters is told."""
    (element,) = [element for element in at.get("bidi_component") if "raters" in element.proto.component_name]
    rows: list[dict[str, Any]] = json.loads(element.proto.json)["rows"]
    return rows


def details(app: Callable[..., AppTest], store: Store) -> AppTest:
    """The page with the details of the first rater open."""
    return app("lead", study=KEY, reader="lead", part="How it stands", rater=str(people(store)[0]))


def pressed(at: AppTest, label: str) -> AppTest:
    return next(one for one in at.button if one.label.replace("\\", "") == label).click().run()


# ---- the lead's page ----


def test_a_study_is_set_up_from_the_page(app: Callable[..., AppTest], store: Store) -> None:
    at = app("lead", study=KEY, reader="lead")
    assert "There is no plan yet, so everyone who chooses a name rates everything" in text_of(at)
    at.checkbox(key="plan-draw-0").set_value(False)
    at.text_area(key="plan-names").input("Ada; ada")
    at = pressed(at, "Add them")
    assert "The names: Ada and ada are the same name" in text_of(at) and len(people(store)) == 3
    at.text_area(key="plan-names").input("Ada; Bea\n\n  Bea  \nAda")
    at = pressed(at, "Add them")
    at.number_input(key="plan-repeats-0").set_value(10.0)
    at = at.number_input(key="plan-overlap-0").set_value(3).run()
    assert (
        "14 conversations, 3 raters each: 42 ratings, about 8 per rater (more for faster raters), plus about 4 "
        "hidden repeats." in text_of(at)
    )
    at = pressed(at, "Save the plan")
    assert not at.exception and "Saved as version 1." in text_of(at)
    study = study_of(store)
    with store.reading() as connection:
        plan = plans.current(connection, study.id)
        names = [rater.name for rater in studies.raters(connection, study.id)]
    assert plan is not None and (plan.overlap, plan.repeats) == (3, 0.1)
    assert names.count("Ada") == names.count("Bea") == 1
    at = app("lead", study=KEY, reader="lead", part="What is rated")
    assert "Nothing has been selected yet." in text_of(at)
    at = pressed(at, "Preview the selection")
    assert "This would select 14" in text_of(at)
    at = pressed(at, "Select")
    assert "14 conversations were selected." in text_of(
        at
    ) and "Every conversation was selected, so none has to be weighted." in text_of(at)
    assert worker(store).take() == 1
    at = app("lead", study=KEY, reader="lead", part="How it stands")
    assert "0 of 42 ratings have been made." in text_of(at)
    assert "0 of 14 conversations have all their raters, 0 have some. 1 under way." in text_of(at)


def test_one_press_adds_the_raters_saves_the_plan_and_gives_everything_out(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = app("lead", study=KEY, reader="lead")
    at = at.text_area(key="plan-names").input("Ada, Bea\nCleo; Dora").run()
    assert "14 conversations, 2 raters each: 28 ratings, 4 per rater" in text_of(at), "of seven people"
    at = pressed(at, "Save the plan")
    assert not at.exception
    assert (
        "Saved as version 1. 4 raters were added. 14 conversations were selected. Hand out the links."
        in text_of(at)
    )
    assert at.query_params["part"] in ("How it stands", ["How it stands"])
    rows = {row["name"]: row for row in raters_shown(at)}
    assert {"Ada", "Bea", "Cleo", "Dora"} <= rows.keys() and rows["Ada"]["rated"] == "0 of about 4"
    assert rows["Ada"]["address"] == f"my_work?study={KEY}&reader={people(store)[3]}"
    study = study_of(store)
    with store.reading() as connection:
        plan = plans.current(connection, study.id)
        assert plan is not None and (plan.overlap, plan.raters) == (2, ())
        assert draws.last_number(connection, study.id) == 1


def test_a_plan_that_cannot_be_adds_nobody(app: Callable[..., AppTest], store: Store) -> None:
    at = app("lead", study=KEY, reader="lead")
    at.text_area(key="plan-names").input("Ada")
    at.number_input(key="plan-overlap-0").set_value(0)
    at = pressed(at, "Save the plan")
    assert "Raters for each: from 1 to 50." in text_of(at) and len(people(store)) == 3


def test_who_is_typed_in_beside_named_raters_is_one_of_them(
    app: Callable[..., AppTest], store: Store
) -> None:
    at = app("lead", study=KEY, reader="lead")
    first = people(store)[0]
    at.multiselect(key="plan-raters-0").set_value([first])
    at = at.text_area(key="plan-names").input("Ada").run()
    assert "14 conversations, 2 raters each: 28 ratings, 14 per rater" in text_of(at)
    pressed(at, "Save the plan")
    with store.reading() as connection:
        plan = plans.current(connection, study_of(store).id)
    assert plan is not None and set(plan.raters) == {first, people(store)[3]}


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("plan-overlap-0", 0, "Raters for each: from 1 to 50."),
        ("plan-overlap-0", 51, "Raters for each: from 1 to 50."),
        ("plan-repeats-0", 90.0, "Percent of what each rater gets that comes a second time: from 0 to 20."),
        ("plan-hours-0", 0.0, "Hours that each is reserved for a rater: from 0.05 to 336"),
        ("plan-mark-0", 3, "Percent of the expert's labels to meet: from 50 to 100."),
        ("plan-remind-0", 1, "Minutes until a break is suggested: from 5 to 480."),
    ],
)
def test_what_cannot_be_a_plan_is_said_and_nothing_is_saved(
    app: Callable[..., AppTest], store: Store, key: str, value: Any, said: str
) -> None:
    at = app("lead", study=KEY, reader="lead")
    at.number_input(key=key).set_value(value)
    at = pressed(at, "Save the plan")
    assert not at.exception and said in text_of(at)
    with store.reading() as connection:
        assert plans.current(connection, study_of(store).id) is None


def test_a_draw_by_groups_says_what_it_would_do_and_what_is_wrong(
    app: Callable[..., AppTest], store: Store
) -> None:
    planned(store)
    at = app("lead", study=KEY, reader="lead", part="What is rated")
    at = at.selectbox(key="draw-method").set_value("strata").run()
    assert "one to three different things" in text_of(at)
    assert "Select" not in [button.label for button in at.button]


def test_another_draw_in_the_meantime_is_not_added_to(app: Callable[..., AppTest], store: Store) -> None:
    study = study_of(store)
    with store.writing("lead", "plan", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan())
    at = app("lead", study=KEY, reader="lead", part="What is rated")
    at = at.selectbox(key="draw-method").set_value("random").run()
    at = at.number_input(key="draw-size").set_value(4).run()
    at = pressed(at, "Select")
    assert "4 conversations were selected." in text_of(at)
    with store.reading() as connection:
        assert draws.last_number(connection, study.id) == 1
        assert len(draws.chances(connection, study.id)) == 4
        assert {
            round(inclusion.chance or 0, 3) for inclusion in draws.chances(connection, study.id).values()
        } == {round(4 / 14, 3)}


@pytest.mark.parametrize("part", ["How it stands", "Raters"])
def test_raters_stand_by_name_with_the_code_of_the_reports(
    app: Callable[..., AppTest], store: Store, part: str
) -> None:
    planned(store)
    worker(store).rate_next()
    at = app("lead", study=KEY, reader="lead", part=part)
    rows = raters_shown(at)
    assert [row["name"] for row in rows] == ["Reader 1", "Reader 2", "Reader 3"]
    assert all(re.fullmatch(r"Rater [A-Z][0-9]", row["code"]) for row in rows)
    assert (rows[0]["rated"], rows[0]["last"]) == ("1 of about 10", "today")


def test_the_leads_page_holds_nothing_of_agreement_and_is_not_for_raters(
    app: Callable[..., AppTest], store: Store
) -> None:
    planned(store)
    worker(store).rate_next()
    said = text_of(app("lead", study=KEY, reader="lead", part="How it stands")).lower()
    assert "kappa" not in said and "agree" not in said and "judge" not in said
    at = app("lead", study=KEY, reader=str(people(store)[0]))
    assert "This page is for study leads" in text_of(at)
    assert "By rater" not in text_of(at)


def test_who_leaves_gives_back_what_was_kept(app: Callable[..., AppTest], store: Store) -> None:
    planned(store, overlap=1)
    worker(store).take()
    at = details(app, store)
    at = pressed(at, "Release them")
    assert "1 conversation that was reserved for Reader 1 is free for others again." in text_of(at)


def test_a_conflict_of_interest_is_stated_and_lifted(app: Callable[..., AppTest], store: Store) -> None:
    planned(store, overlap=1)
    at = details(app, store)
    at.text_input(key="conflict-key").input("no such")
    at = pressed(at, "Bar")
    assert "'no such' is neither the number of a conversation nor the id of a conversation" in text_of(at)
    assert at.text_input(key="conflict-key").value == "no such"
    at.text_input(key="conflict-key").input("demo-03")
    at = pressed(at, "Bar")
    assert "Not given to this rater" in text_of(at) and "demo-03" in text_of(at)
    desk = worker(store)
    assert desk.rate_all() == 13
    assert "Barred for Reader 1: demo-03 (1 conversation now)." in text_of(at)
    at.text_input(key="conflict-key-1").input("3")
    at = pressed(at, "Allow again")
    assert "Not given to this rater" not in text_of(at)
    assert desk.rate_all() == 1


def test_a_conflict_by_a_fact_is_chosen_from_what_the_study_has_and_says_how_many_it_bars(
    app: Callable[..., AppTest], store: Store
) -> None:
    study = study_of(store)
    planned(store, overlap=1)
    with store.writing("tests", "facts", study.id) as (connection, _):
        first, second = conversations.ids(connection, study.id)[:2]
        for conversation in (first, second):
            content_id, mac = content.put(connection, json.dumps({"clinician": "Dr <b>"}), conversation)
            connection.execute(
                text("DROP TRIGGER conversation_no_update")
            )  # an import would have brought the facts
            connection.execute(
                schema.conversation.update()
                .where(schema.conversation.c.id == conversation)
                .values(facts_content=content_id, facts_mac=mac)
            )
            triggers.install(connection)
    at = details(app, store)
    at = at.selectbox(key="conflict-fact").set_value("clinician").run()
    assert at.selectbox(key="conflict-value-clinician").options == ["Dr <b>"]
    at.selectbox(key="conflict-value-clinician").set_value("Dr <b>")
    at = pressed(at, "Bar")
    assert "Barred for Reader 1: clinician is Dr <b> (2 conversations now)." in text_of(at)
    assert at.selectbox(key="conflict-fact-1").value is None


def test_names_that_are_refused_stay_and_the_line_is_named(app: Callable[..., AppTest], store: Store) -> None:
    at = app("lead", study=KEY, reader="lead", part="Plan")
    typed = f"Ada\n\n{'x' * 81}"
    at.text_area(key="plan-names").input(typed)
    at = pressed(at, "Add them")
    assert "Line 3: A rater's name must have 1 to 80 printable characters. Nobody was added." in text_of(at)
    assert at.text_area(key="plan-names").value == typed and len(people(store)) == 3
    at.text_area(key="plan-names").input("Ada\nReader 1")
    at = pressed(at, "Add them")
    assert "1 rater was added. 1 was here already." in text_of(at)
    assert at.text_area(key="plan-names-1").value == "" and len(people(store)) == 4


def test_a_plan_saved_without_a_change_is_no_new_version(app: Callable[..., AppTest], store: Store) -> None:
    planned(store, overlap=3, sitting=25)
    at = pressed(app("lead", study=KEY, reader="lead", part="Plan"), "Save the plan")
    assert "Nothing was changed." in text_of(at)
    with store.reading() as connection:
        assert plans.version(connection, study_of(store).id) == 1
    at.number_input(key="plan-overlap-1").set_value(10)
    at = pressed(at, "Save the plan")
    assert "Saved as version 2." in text_of(at)
    assert (
        "10 raters should rate each, but only 3 have a name here. Add raters, or ask for fewer."
        in text_of(at)
    )


def test_what_another_lead_saved_in_the_meantime_is_not_saved_over_unseen(
    app: Callable[..., AppTest], store: Store
) -> None:
    planned(store, overlap=1)
    at = app("lead", study=KEY, reader="lead", part="Plan")
    at.number_input(key="plan-overlap-1").set_value(2)
    study = study_of(store)
    with store.writing("another lead", "plan", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan(overlap=3, hold_hours=2))
    at = pressed(at, "Save the plan")
    assert "The plan has changed since you last looked." in text_of(at)
    assert (at.number_input(key="plan-overlap-2").value, at.number_input(key="plan-hours-2").value) == (
        3,
        2.0,
    )
    with store.reading() as connection:
        assert plans.version(connection, study.id) == 2
    at.number_input(key="plan-overlap-2").set_value(2)
    at = pressed(at, "Save the plan")
    assert "Saved as version 3." in text_of(at) and "since you last looked" not in text_of(at)
    with store.reading() as connection:
        plan = plans.current(connection, study.id)
    assert plan is not None and (plan.overlap, plan.hold_hours) == (2, 2.0)


def test_a_smaller_overlap_makes_no_more_than_all_of_it(app: Callable[..., AppTest], store: Store) -> None:
    planned(store, overlap=2)
    for number in (0, 1):
        worker(store, number).rate_all()
    planned(store, overlap=1)
    said = text_of(app("lead", study=KEY, reader="lead", part="How it stands"))
    assert "14 of 14 conversations have all their raters, 0 have some." in said
    assert "All 14 ratings have been made." in said


def test_only_what_was_committed_is_given_and_the_week_counts_what_was_rated(
    app: Callable[..., AppTest], store: Store
) -> None:
    planned(store, overlap=1, certify=True)
    study = study_of(store)
    with store.writing("lead", "gold", study.id) as (connection, entry):
        unit = units.at_position(connection, study.id, 2)
        assert unit is not None
        certification.put_gold(connection, entry, study, unit, {"CQ1": "YES"}, "Dr Gold", "")
    desk = worker(store)
    desk.rate_next("YES")
    with store.reading() as connection:
        row = next(row for row in work_overview.by_rater(connection, study) if row.id == desk.rater)
    assert (row.committed, row.practice, row.this_week, row.certified) == (0, 1, 0, "certified")
    desk.rate_next()
    desk.take()
    with store.reading() as connection:
        assert work_overview.study_progress(connection, study) == work_overview.StudyProgress(
            13, 1, 0, 1, 13, 1
        )
        row = next(row for row in work_overview.by_rater(connection, study) if row.id == desk.rater)
    assert (row.committed, row.this_week) == (1, 1)
    page_text = text_of(app("lead", study=KEY, reader="lead", part="How it stands"))
    assert "1 of 13 ratings have been made." in page_text
    assert "1 of 13 conversations has all its raters, 0 have some. 1 under way." in page_text


def test_a_second_draw_says_what_was_not_drawn_before_and_the_planner_on_what_it_rests(
    app: Callable[..., AppTest], store: Store
) -> None:
    study = study_of(store)
    with store.writing("lead", "draw", study.id) as (connection, entry):
        for number in range(2):
            draws.draw(
                connection, entry, study, draws.read_spec({"method": "random", "size": 4}), number, seed=1
            )
    at = app("lead", study=KEY, reader="lead", part="What is rated")
    assert '<td class="sr-num">14</td><td class="sr-num">10</td>' in text_of(at)
    assert "imported labels included." in text_of(at)
    assert "Settled failures decide this safety gate" not in text_of(at)
    at = at.selectbox(key="planner-criterion").set_value("CQ9").run()
    assert "Settled failures decide this safety gate" in text_of(
        at
    ) and "This study has at most about" in text_of(at)
    at = at.selectbox(key="draw-method").set_value("strata").run()
    size = at.number_input(key="draw-size-2")
    assert (size.label, size.value) == ("How many conversations in all", 14 - taken_by(store))
    assert not [option for option in at.multiselect(key="draw-keys").options if "\\" in option]


def taken_by(store: Store) -> int:
    with store.reading() as connection:
        return len(draws.chances(connection, study_of(store).id))


def test_the_row_of_a_study_leads_to_its_results_and_asks_who_reads(app: Callable[..., AppTest]) -> None:
    at = app("studies")
    at.button(key=f"open-{KEY}").click().run()
    assert not at.exception and "Choose your name." in text_of(at)
    assert "I lead this study or read its results" in [button.label for button in at.button]


# ---- practice ----


def test_gold_units_are_made_and_certify(app: Callable[..., AppTest], store: Store) -> None:
    planned(store, certify=True)
    study = study_of(store)
    with store.reading() as connection:
        unit = units.at_position(connection, study.id, 2)
    assert unit is not None
    put_gold(store, "lead", study, unit, {"CQ1": "NO"}, "Dr Gold", "It loses the thread in turn 3.")
    page_text = text_of(app("lead", study=KEY, reader="lead", part="Practice"))
    assert "1 conversation with an expert's labels, and no calibration round." in page_text
    assert f'href="gold?study={KEY}&reader=lead&unit=2"' in page_text
    desk = worker(store)
    at = app("my_work", study=KEY, reader=str(desk.rater))
    assert "First come conversations whose labels an expert has settled" in text_of(at)
    desk.rate_next("YES")
    page_text = text_of(app("my_work", study=KEY, reader=str(desk.rater)))
    assert (
        "0 of your 1 label was the same as the expert's" in page_text
        and "It loses the thread in turn 3." in page_text
    )
    at = details(app, store)
    at.text_input(key="let-in-reason").input("Talked over.")
    at = pressed(at, "Admit")
    with store.reading() as connection:
        assert certification.certification_status(connection, study_of(store), desk.rater).certified
    assert "Reader 1 was admitted." in text_of(at)
    assert "Admitted by the study lead; 0 of 1 labels match the expert's. Reason: Talked over." in text_of(at)


def test_a_round_that_cannot_begin_keeps_what_was_typed(app: Callable[..., AppTest], store: Store) -> None:
    planned(store, overlap=1)
    at = app("lead", study=KEY, reader="lead", part="Practice")
    at.text_input(key="calibration-title").input("First round")
    at.multiselect(key="calibration-raters").set_value(people(store)[:2])
    at.text_input(key="calibration-units").input("3, 4, abc")
    at = pressed(at, "Start the round")
    assert at.error and at.text_input(key="calibration-title").value == "First round"
    assert (
        at.text_input(key="calibration-units").value == "3, 4, abc"
        and at.multiselect(key="calibration-raters").value == people(store)[:2]
    )
    at.text_input(key="calibration-units").input("3, 4")
    at = pressed(at, "Start the round")
    assert "The round “First round” has started." in text_of(at) and not at.error
    assert at.text_input(key="calibration-title-1").value == ""


def test_a_calibration_round_from_the_page_to_its_discussion(
    app: Callable[..., AppTest], store: Store
) -> None:
    planned(store, overlap=1)
    at = app("lead", study=KEY, reader="lead", part="Practice")
    at.text_input(key="calibration-title").input("First round")
    at.multiselect(key="calibration-raters").set_value(people(store)[:2])
    at.text_input(key="calibration-units").input("3, 5")
    at = pressed(at, "Start the round")
    assert "First round: 2 conversations, is being rated blind. 0 of 2 raters" in text_of(at)
    first, second = worker(store, 0), worker(store, 1)
    assert isinstance(first.take(), int)
    assert "You see the others' labels here once you have rated the whole set." in text_of(
        app("calibration", study=KEY, reader=str(first.rater))
    )
    for _ in range(2):
        first.rate_next("YES")
        second.rate_next("NO")
    assert "still being rated blind" in text_of(app("calibration", study=KEY, reader=str(first.rater)))
    at = pressed(app("lead", study=KEY, reader="lead", part="Practice"), "Show the labels to everyone")
    assert "is being discussed" in text_of(at)
    page_text = text_of(app("calibration", study=KEY, reader=str(first.rater)))
    assert (
        "Reader 1" in page_text
        and "Reader 2" in page_text
        and "Pairs of raters who gave the same label" in page_text
    )
    assert "Gemini" not in page_text and "Demonstration judge" not in page_text
    at = pressed(app("lead", study=KEY, reader="lead", part="Practice"), "Start the second rating")
    for _ in range(2):
        second.rate_next("YES")
    # Who has not answered again sees nobody's second answers.
    page_text = text_of(app("calibration", study=KEY, reader=str(first.rater)))
    assert (
        "The labels of the second rating are shown here once you have rated the whole set again" in page_text
        and "not shown yet" in page_text
    )
    at = app("calibration", study=KEY, reader=str(first.rater))
    assert rows_of(at, "Reader 2") == [["Reader 2", "No", ""]]
    assert rows_of(app("calibration", study=KEY, reader=str(second.rater)), "Reader 2") == [
        ["Reader 2", "No", "Yes"]
    ]
    assert rows_of(app("calibration", study=KEY, reader="lead"), "Reader 2") == [["Reader 2", "No", "Yes"]]
    for _ in range(2):
        first.rate_next("YES")
    page_text = text_of(app("calibration", study=KEY, reader=str(second.rater)))
    assert "100%" in page_text and "+100 points" in page_text
    outsider = people(store)[2]
    assert "This study has no calibration round." in text_of(
        app("calibration", study=KEY, reader=str(outsider))
    )


# ---- my work ----


def test_my_work_says_what_is_left_where_i_stopped_and_what_i_skipped(
    app: Callable[..., AppTest], store: Store
) -> None:
    planned(store, overlap=1)
    desk = worker(store)
    desk.rate_next()
    desk.take()
    desk.skip(2)
    desk.take()
    desk.draft(3, "CQ1")
    page_text = text_of(app("my_work", study=KEY, reader=str(desk.rater)))
    assert "1 rated. 1 reserved for you. Up to 11 more may be given to you, because" in page_text
    assert "You stopped at number 3, with 1 of" in page_text
    assert "Number 2 of your list" in page_text
    for word in ("kappa", "percent", "judge's labels", "Demonstration judge"):
        assert word not in page_text


def test_my_work_without_a_plan(app: Callable[..., AppTest], store: Store) -> None:
    said = text_of(app("my_work", study=KEY, reader=str(people(store)[0])))
    assert "0 of 14 rated. 14 left." in said


def test_a_break_is_asked_for_and_said(app: Callable[..., AppTest], store: Store) -> None:
    planned(store, overlap=1, sitting=1, pause_minutes=30)
    one = worker(store)
    one.rate_next()
    at = app("my_work", study=KEY, reader=str(one.rater))
    assert "as many as this study wants at a time" in text_of(at)
    assert "Continue rating" not in [button.label for button in at.button]


@pytest.mark.parametrize("page", ["my_work", "lead", "calibration"])
def test_the_pages_ask_who_sits_there(app: Callable[..., AppTest], page: str) -> None:
    at = app(page, study=KEY)
    assert not at.exception and "Choose your name." in text_of(at)


# ---- review with a plan ----


def test_before_anything_was_drawn_the_review_page_says_so(app: Callable[..., AppTest], store: Store) -> None:
    study = study_of(store)
    with store.writing("lead", "plan", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan())
    at = app("review", study=KEY, reader=str(people(store)[0]), note="seen")
    assert not at.exception and "has not chosen yet what is to be rated" in text_of(at)


def test_opening_the_review_page_takes_one_unit_and_a_reload_no_second(
    app: Callable[..., AppTest], store: Store
) -> None:
    planned(store)
    rater = people(store)[0]
    for _ in range(2):
        at = app("review", study=KEY, reader=str(rater), note="seen")
        assert not at.exception
    with store.reading() as connection:
        assert open_worklist(connection, study_of(store), rater).length == 1


def test_a_rater_who_saw_the_judges_labels_is_told_and_gets_no_blind_units(
    app: Callable[..., AppTest], store: Store
) -> None:

    planned(store)
    rater = people(store)[0]
    with store.writing("x", "page", study_of(store).id) as (connection, entry):
        exposures.record_page(connection, entry, rater)
    assert "The judge's labels of this study were opened" in text_of(
        app("my_work", study=KEY, reader=str(rater))
    )
    assert "has seen the judge" in text_of(app("lead", study=KEY, reader="lead", part="How it stands"))
    with store.reading() as connection:
        assert open_slots.still_open(connection, study_of(store).id, rater, 50) == 14
        assert calibration.rounds(connection, study_of(store).id) == []
        assert units.rater_progress(connection, rater).committed == 0


def test_while_more_may_be_given_the_whole_study_is_not_shown_without_asking(
    app: Callable[..., AppTest], store: Store
) -> None:
    """A plan, and nothing drawn yet: nothing is left for anybody now, and everything may come."""
    study = study_of(store)
    with store.writing("lead", "plan", study.id) as (connection, entry):
        setup.new_plan(connection, entry, study, WorkPlan(overlap=1))
    rater = people(store)[0]
    page_text = text_of(app("agreement", study=KEY, reader=str(rater)))
    assert "You may still be given more to rate blind." in page_text
    with store.reading() as connection:
        assert not exposures.saw_page(connection, rater)


def test_a_calibration_round_names_the_strategies_that_units_declare(store: Store) -> None:
    with store.reading() as connection:
        study = studies.find(connection, "plan_demo")
        assert study is not None and study.taxonomy is not None
        shown = units.by_ids(connection, units.ids(connection, study.id))
    names = criterion_names(study, shown)
    known = {one.id: one.name for one in study.taxonomy.strategies}
    assert names and names == {name: known[name] for name in names}
