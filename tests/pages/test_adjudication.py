"""The page of disagreements, as a lead, as somebody who settles, and as somebody who is still to rate."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.labels import disagreements, settlements
from data.record import studies
from data.settling import escalations
from data.store.store import Store
from data.work import exposures, successors
from data.work.worklist import open_worklist
from pages.widgets import hints, settle_queue
from pages.widgets.settle_list import component, rows
from pages.widgets.settle_list.contract import LabelList
from pages.widgets.workbench.view import view
from services.raters import add_settler
from tests.pages.conftest import settle_list, text_of
from tests.studies import disputed_demo, settling, small_study
from tests.studies.disputed_demo import KEY, NOTE, SETTLER
from tests.studies.settling import Colleague
from tests.studies.small_study import Desk

Ids = dict[str, int]


@pytest.fixture
def ids(store: Store) -> Ids:
    return disputed_demo.dispute(store)[1]


def study_of(store: Store) -> studies.Study:
    with store.reading() as connection:
        found = studies.find(connection, KEY)
    assert found is not None
    return found


def count(store: Store, table: object) -> int:
    with store.reading() as connection:
        return len(connection.execute(select(table.c.id)).all())  # type: ignore[attr-defined]


def everything(at: AppTest) -> str:
    return text_of(at) + "\n".join(str(element) for element in at.main)


def test_a_lead_sees_the_queues_and_is_asked_for_a_name(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    Colleague(store, study_of(store), ids["Reader 1"]).tell(4, note="speaks of pills")
    at = app("adjudication", study=KEY, reader="lead", note="seen")
    page_text = text_of(at)
    assert not at.exception
    assert "Choose your name: it is saved with every label you settle." in page_text
    assert "24 labels need settling." in page_text and "1 note to the study lead" in page_text
    assert list(at.segmented_control[0].options) == [
        "To settle 24",
        "The judge differs 6",
        "Notes to you 1",
    ]
    shown_list = settle_list(at)
    assert (shown_list["total"], shown_list["leaves"], len(shown_list["rows"])) == (24, True, 24)
    unanimous = [row for row in shown_list["rows"] if len(set(row["labels"])) == 1]
    assert len(unanimous) == 3 and all(
        row["labels"][0] == "No" and "safety" in row["marks"] for row in unanimous
    )
    assert shown_list["rows"][0]["address"].startswith(f"review?study={KEY}&reader=lead&unit=")
    assert not [button for button in at.button if button.key == "settle"]
    at = app("adjudication", study=KEY, reader="lead", note="seen", queue="escalation")
    assert "speaks of pills" in text_of(at) and "1 not answered" in text_of(at)


def test_where_replies_are_rated_a_line_leads_to_the_whole_reply(app: Callable[..., AppTest]) -> None:
    page_text = text_of(app("adjudication", study="plan_demo", reader="lead", note="seen"))
    assert "Click a line to open the whole reply." in page_text


def test_one_person_alone_is_nobody_who_agrees(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path)
    small.desk(0).rate(2, "NO")  # three criteria against a judge, labelled by nobody else
    for number in (0, 1):
        small.desk(number).rate(3, "NO")  # and three that two people agree on
    small.desk(0).rate(1)
    at = app("adjudication", study="small", reader="lead", note="seen", queue="human_judge")
    assert not at.exception and "6 labels on which the judge differs from clinicians." in text_of(at)
    rows = settle_list(at)["rows"]
    assert [row["name"] for row in rows] == ["c3"] * 3 + ["c2"] * 3
    assert ["one rater" in row["marks"] for row in rows] == [False] * 3 + [True] * 3
    assert (rows[0]["labels"], rows[0]["judge"], rows[3]["labels"]) == (["No", "No"], ["Yes"], ["No"])
    with store.reading() as connection:
        queue = disagreements.with_judges(connection, small.study)
    assert [item.position for item in queue.items] == [3, 3, 3, 2, 2, 2]


def test_the_content_note_comes_first(app: Callable[..., AppTest], ids: Ids) -> None:
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]))
    assert "To settle" not in everything(at) and at.button(key="content-note-open")


def opened(app: Callable[..., AppTest], ids: Ids, **query: str) -> AppTest:
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen", **query)
    assert not at.exception
    at.button(key="open-next").click().run()
    assert not at.exception
    return at


def decide(at: AppTest, label: str, cause: str, why: str) -> AppTest:
    at.button(key=f"label-{label}").click().run()
    at.button(key=f"cause-{cause}").click().run()
    at.text_area[0].input(why)
    at.button(key="settle").click().run()
    assert not at.exception
    return at


def test_nothing_is_shown_or_recorded_before_the_first_one_is_opened(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen")
    said = everything(at)
    assert not re.search(r"Raters? A", said) and "you will never get it to rate" in said
    assert count(store, schema.conflict) == 0
    rows = settle_list(at)["rows"]
    assert len(rows) == 24 and all(row["about"] and not row["labels"] for row in rows)
    assert {mark for row in rows for mark in row["marks"]} <= {"safety"}, "how far apart tells of the labels"


def test_where_the_answer_is_is_shown_until_a_label_is_open(app: Callable[..., AppTest], ids: Ids) -> None:
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen")
    assert hints.SETTLE in everything(at)
    assert hints.SETTLE not in everything(at.button(key="open-next").click().run())


def test_in_which_unit_and_on_what_a_judge_differs_is_not_told_before_it_is_shown(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen", queue="human_judge")
    for row in settle_list(at)["rows"]:
        assert (row["name"], row["about"], row["labels"], row["judge"]) == (rows.HIDDEN, "", [], [])
        assert row["marks"] == [] and "criterion=" not in row["address"] and "unit=" not in row["address"]
        assert re.fullmatch(r"hidden \d+", row["key"])
    assert len({row["key"] for row in settle_list(at)["rows"]}) == len(settle_list(at)["rows"])
    assert count(store, schema.exposure) == 0 and not at.selectbox
    at.button(key="open-next").click().run()
    shown_list = settle_list(at)
    (opened_row,) = [row for row in shown_list["rows"] if row["key"] == shown_list["current"]]
    assert opened_row["about"] and opened_row["labels"] and opened_row["judge"]


def test_what_a_lead_was_shown_is_not_shown_to_a_person(app: Callable[..., AppTest], ids: Ids) -> None:
    lead = app("adjudication", study=KEY, reader="lead", note="seen")
    assert all(row["labels"] for row in settle_list(lead)["rows"])
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen")
    assert not any(row["labels"] for row in settle_list(at)["rows"])


def test_an_address_does_not_tell_on_what_a_judge_differs(
    app: Callable[..., AppTest], store: Store, ids: Ids, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 4)
    monkeypatch.setattr(settle_queue, "PAGE", 4)
    with store.reading() as connection:
        listed = disagreements.with_judges(connection, study_of(store), rater_id=ids[SETTLER]).items
    for item in (listed[0], listed[-1]):
        query = {"queue": "human_judge", "unit": str(item.position), "criterion": item.criterion}
        at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen", **query)
        assert (settle_list(at)["after"], settle_list(at)["current"]) == (0, "")
        assert at.button(key="open-next").label == "Open the first one"


def test_the_list_of_the_judge_turns_to_the_page_of_what_opens_next(
    app: Callable[..., AppTest], store: Store, ids: Ids, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 1)
    monkeypatch.setattr(settle_queue, "PAGE", 1)
    study = study_of(store)
    for name in ("Reader 1", "Reader 2"):
        Desk(store, study, ids[name]).rate(3, "NO")
    with store.reading() as connection:
        listed = disagreements.with_judges(connection, study, rater_id=ids[SETTLER]).items
    place, other = next((n, item) for n, item in enumerate(listed) if item.unit_id != listed[0].unit_id)
    at = opened(app, ids, queue="human_judge")
    passed = at.session_state[f"settling-{study.id}-{ids[SETTLER]}"]["passed"]
    passed |= {("human_judge", item.unit_id, item.criterion) for item in listed[:place]}
    at.run()
    at.button(key="pass").click().run()
    assert not at.exception and at.query_params["unit"] == str(other.position)
    assert settle_list(at)["after"] == place and settle_list(at)["current"]


def test_one_after_the_other_is_settled_and_the_judge_waits(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    with store.reading() as connection:
        waiting = disagreements.between_people(connection, study_of(store), rater_id=ids[SETTLER]).items
    units = Counter(item.position for item in waiting)
    first = next(item for item in waiting if units[item.position] == 2)
    at = opened(app, ids, unit=str(first.position), criterion=first.criterion)
    page_text = everything(at)
    assert (
        re.search(r"Raters? A", page_text)
        and "Demonstration judge" not in page_text
        and "the judge is wrong" not in page_text
    )
    assert count(store, schema.conflict) == 1 and count(store, schema.exposure) == 0
    decide(at, "NO", "rater_slip", "Nothing is named that helps.")
    # The same unit's other criterion has opened by itself.
    assert "Settled: Conversation " in text_of(at) and count(store, schema.conflict) == 1
    at.button(key="look-back").click().run()
    page_text = everything(at)
    assert (
        "Nothing is named that helps." in page_text
        and SETTLER in page_text
        and "Demonstration judge" not in page_text
    )
    at.button(key="open-next").click().run()
    decide(at, "YES", "rubric_ambiguous", "It asks and waits.")
    assert "Demonstration judge" not in everything(at) and count(store, schema.exposure) == 0
    at.button(key="look-back").click().run()
    assert "Demonstration judge" in everything(at)
    with store.reading() as connection:
        settled = settlements.settled(connection, study_of(store).id)
    assert [(settlement.by, settlement.is_reference) for settlement in settled] == [
        (SETTLER, True),
        (SETTLER, True),
    ]
    assert count(store, schema.exposure) == 1


def test_the_next_one_opens_and_the_list_keeps_its_place(
    app: Callable[..., AppTest], store: Store, ids: Ids, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rows, "PAGE", 4)
    monkeypatch.setattr(settle_queue, "PAGE", 4)
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen")
    pressed = iter([component.ListPress(after=8)])
    mount = component.mount

    def press(data: LabelList) -> component.ListPress | None:
        mount(data)
        return next(pressed, None)

    monkeypatch.setattr(component, "mount", press)
    at.run()
    before = settle_list(at)
    assert (before["after"], before["total"], len(before["rows"])) == (8, 24, 4)
    pressed = iter([component.ListPress(before["rows"][1]["key"])])
    at.run()
    assert settle_list(at)["current"] == before["rows"][1]["key"] and not at.exception
    decide(at, "NO", "rater_slip", "First.")
    after = settle_list(at)
    assert (after["after"], after["total"]) == (8, 23) and at.query_params["criterion"]
    assert before["rows"][1]["key"] not in [row["key"] for row in after["rows"]]
    with store.reading() as connection:
        opened_units = connection.execute(select(schema.conflict.c.conversation_id)).all()
    assert 1 <= len(opened_units) <= 2


def test_both_readings_may_stand(app: Callable[..., AppTest], store: Store, ids: Ids) -> None:
    at = opened(app, ids)
    at.button(key="label-NO").click().run()
    at.button(key="cause-legitimate_difference").click().run()
    assert at.button(key="label-NO").disabled
    at.text_area[0].input("Either may be said.")
    at.button(key="settle").click().run()
    at.button(key="look-back").click().run()
    assert "both readings are valid" in everything(at)
    with store.reading() as connection:
        assert [row.label for row in settlements.settled(connection, study_of(store).id)] == [None]


def test_what_is_missing_is_said(app: Callable[..., AppTest], store: Store, ids: Ids) -> None:
    at = opened(app, ids)
    at.button(key="settle").click().run()
    assert "Say why: " in text_of(at).replace("\\", "")
    at.button(key="cause-rater_slip").click().run()
    at.button(key="settle").click().run()
    assert "needs a reason" in text_of(at).replace("\\", "")
    assert count(store, schema.adjudication) == 0


def test_it_can_be_settled_again_and_left_for_now(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    at = opened(app, ids)
    decide(at, "NO", "rater_slip", "First.")
    at.button(key="look-back").click().run()
    at.button(key="settle-again").click().run()
    decide(at, "YES", "rater_slip", "On second thoughts.")
    with store.reading() as connection:
        rows = connection.execute(select(schema.adjudication.c.label, schema.adjudication.c.replaces)).all()
    assert [tuple(row) for row in rows] == [("NO", None), ("YES", 1)]
    here = at.query_params["criterion"]
    at.button(key="pass").click().run()
    assert not at.exception and at.query_params["criterion"] != here


def test_whoever_rated_a_unit_is_not_offered_it(app: Callable[..., AppTest], store: Store, ids: Ids) -> None:
    at = app("adjudication", study=KEY, reader=str(ids["Reader 2"]), note="seen", unit="7", criterion="CQ9")
    assert not at.exception and NOTE not in everything(at)
    at = opened(app, {**ids, SETTLER: ids["Reader 2"]})
    assert str(at.query_params["unit"]).strip("[]'") != "7" and NOTE not in everything(at)


def test_an_address_alone_opens_nothing(app: Callable[..., AppTest], store: Store, ids: Ids) -> None:
    for unit in ("7", "²", "-1", "999999999"):
        at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen", unit=unit, criterion="CQ9")
        assert not at.exception and NOTE not in everything(at) and not re.search(r"Raters? A", everything(at))
    assert count(store, schema.conflict) == 0


def test_an_address_does_not_bring_the_judge_to_what_people_differ_about(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    study = study_of(store)
    disputed_demo.colleague(store, study, ids).open(7)
    at = app(
        "adjudication",
        study=KEY,
        reader=str(ids[SETTLER]),
        note="seen",
        queue="human_human",
        unit="7",
        criterion="CQ9",
    )
    assert NOTE in everything(at) and "Demonstration judge" not in everything(at)
    at = app(
        "adjudication",
        study=KEY,
        reader=str(ids[SETTLER]),
        note="seen",
        queue="human_judge",
        unit="7",
        criterion="CQ9",
    )
    assert not at.exception and "Demonstration judge" not in everything(at) and NOTE not in everything(at)
    assert count(store, schema.exposure) == 0


def test_a_unit_on_ones_own_list_is_not_offered(app: Callable[..., AppTest], store: Store, ids: Ids) -> None:
    study = study_of(store)
    with store.writing("tests", "assign", study.id) as (connection, entry):
        for place, unit in enumerate(
            connection.execute(select(schema.unit.c.id).where(schema.unit.c.study_id == study.id))
            .scalars()
            .all()
        ):
            entry.write(
                schema.assignment,
                {"rater_id": ids[SETTLER], "unit_id": unit, "purpose": "real", "place": place, "hold": ""},
            )
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen")
    assert "Nothing is left to settle here" in everything(at) and "To settle 0" in str(at.segmented_control)
    assert "Nothing is left for you to settle." in text_of(at)
    assert "Clinicians differ on no label" not in text_of(at)


def test_the_judges_queue_shows_the_judge_and_records_it_first(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    at = opened(app, ids, queue="human_judge")
    assert "Demonstration judge" in everything(at) and count(store, schema.exposure) == 1
    decide(at, "NO", "judge_error", "It praises a plan that nobody made.")
    with store.reading() as connection:
        (one,) = settlements.settled(connection, study_of(store).id)
    assert (one.trigger, one.judge_seen, one.is_reference) == ("human_judge", True, False)


def test_a_note_to_the_study_lead_is_read_and_answered(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    study = study_of(store)
    Colleague(store, study, ids["Reader 1"]).tell(4, note="speaks of <b>pills</b>")
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen", queue="escalation")
    assert "somebody may be in danger" in everything(at) and "pills" not in everything(at)
    at.button(key="open-next").click().run()
    assert "speaks of &lt;b&gt;pills&lt;/b&gt;" in text_of(at) and count(store, schema.exposure) == 1
    at.text_area[0].input("Called the service.")
    at.button(key="answer").click().run()
    assert not at.exception and "No notes are waiting for your answer" in everything(at)
    with store.reading() as connection:
        assert escalations.open_ones(connection, study.id) == []


def test_a_note_shows_nothing_of_the_judge_while_people_differ_about_the_unit(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    study = study_of(store)
    Colleague(store, study, ids["Reader 1"]).tell(7, note="speaks of pills")
    disputed_demo.colleague(store, study, ids).open(7)
    at = app("adjudication", study=KEY, reader=str(ids[SETTLER]), note="seen", queue="escalation")
    page_text = everything(at)
    assert "speaks of pills" in page_text and "Rater A" in page_text
    assert (
        "Demonstration judge" not in page_text
        and "you settle that without seeing the judge&#39;s labels" in page_text
    )
    assert count(store, schema.exposure) == 0


def test_whoever_rated_the_unit_answers_without_seeing_labels_or_the_judge(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    Colleague(store, study_of(store), ids["Reader 2"]).tell(7, "question", "does a number count?")
    at = app("adjudication", study=KEY, reader=str(ids["Reader 1"]), note="seen", queue="escalation")
    page_text = everything(at)
    assert (
        "does a number count?" in page_text
        and not re.search(r"Raters? [AB]", page_text)
        and "Demonstration judge" not in page_text
    )
    assert count(store, schema.exposure) == 0 and count(store, schema.conflict) == 0


def test_without_a_plan_whoever_has_units_left_is_asked_first_and_that_is_recorded(
    app: Callable[..., AppTest], store: Store, rater_id: Callable[..., int]
) -> None:
    at = app("adjudication", study=KEY, reader=str(rater_id(KEY, "Reader 1")), note="seen")
    assert (
        "left to rate blind" in text_of(at)
        and not at.segmented_control
        and "Change the rubric" not in text_of(at)
    )
    at.button(key="guard-open").click().run()
    assert not at.exception and count(store, schema.exposure) == 1
    at.button(key="open-next").click().run()
    decide(at, "NO", "rater_slip", "Nothing is named.")
    with store.reading() as connection:
        assert [
            settlement.is_reference for settlement in settlements.settled(connection, study_of(store).id)
        ] == [False]


def test_ones_own_settlement_is_readable_and_the_form_says_what_it_can_count_as(
    app: Callable[..., AppTest], store: Store, rater_id: Callable[..., int]
) -> None:
    at = app("adjudication", study=KEY, reader=str(rater_id(KEY, "Reader 1")), note="seen")
    at.button(key="guard-open").click().run()
    at.button(key="open-next").click().run()
    why = (
        "No reference label: you opened the labels of the whole study, which counts as having seen the judge."
    )
    assert why in everything(at)
    decide(at, "NO", "rater_slip", "Nothing is named.")
    at.button(key="look-back").click().run()
    assert "Nothing is named." in everything(at) and "Settled before" not in everything(at)


def test_the_form_says_that_a_label_can_be_a_reference_label(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    at = opened(app, ids)
    assert "Can be a reference label: you have not seen the judge" in everything(at)
    judged = opened(app, ids, queue="human_judge")
    assert "No reference label: the judge is in view here." in everything(judged)


@pytest.mark.parametrize("sight", ["study", "unit"])
def test_a_settlement_that_waits_says_who_settled_it_and_what_they_had_seen(
    app: Callable[..., AppTest], store: Store, ids: Ids, sight: str
) -> None:
    study, words = study_of(store), "I follow what stands there."
    with store.writing("tests", "add rater", study.id) as (connection, entry):
        fourth = studies.add_rater(connection, entry, study.id, "Dr. Fourth")
    earlier = Colleague(store, study, fourth)
    earlier.open(5)
    with store.writing("tests", "shown", study.id) as (connection, entry):
        if sight == "study":
            exposures.record_page(connection, entry, fourth)
        else:
            unit = Desk(store, study, fourth).unit(5)
            (judge_id, *_) = exposures.judges_of(connection, unit.id)
            entry.write(
                schema.exposure,
                {"rater_id": fourth, "unit_id": unit.id, "judge_id": judge_id, "kind": "reveal"},
            )
    earlier.settle(5, "CQ2", "NO", reason=words)
    with store.writing("tests", "shown later", study.id) as (connection, entry):
        exposures.record_page(connection, entry, fourth)
    disputed_demo.colleague(store, study, ids).open(5)
    query = {"study": KEY, "note": "seen", "queue": "human_human", "unit": "5", "criterion": "CQ2"}
    waiting = everything(app("adjudication", reader=str(ids[SETTLER]), **query))
    had_seen = {
        "study": "Dr. Fourth had opened the labels of the whole study",
        "unit": "Dr. Fourth had seen the judge",
    }
    assert words not in waiting and "by Dr. Fourth; you will see the result later" in waiting
    assert [name for name, sentence in had_seen.items() if sentence in waiting] == [sight]
    own = everything(app("adjudication", reader=str(fourth), **query))
    assert words in own and "you will see the result later" not in own


def test_a_study_that_never_shows_the_judge_offers_no_queue_with_it(
    app: Callable[..., AppTest], store: Store
) -> None:
    with store.writing("tests", "make", None) as (connection, entry):
        demo = studies.find(connection, KEY)
        assert demo is not None
        number = studies.create(connection, entry, studies.StudySpec("quiet", "Quiet", 1, reveal="never"))
        rater = studies.add_rater(connection, entry, number, "Third")
        study = studies.get(connection, number)
    settling.plan(store, study)
    at = app("adjudication", study="quiet", reader=str(rater), queue="human_judge")
    assert not at.exception and "does not show the judge" in text_of(at)
    assert "The judge differs" not in str(at.segmented_control)
    assert "Nothing is left" not in text_of(at)
    assert "you settle only disagreements between clinicians." in text_of(at)


def test_a_new_version_of_the_rubric_makes_a_study_and_both_say_so(
    app: Callable[..., AppTest], store: Store, ids: Ids
) -> None:
    study = study_of(store)
    third = disputed_demo.colleague(store, study, ids)
    third.open(7)
    third.settle(7, "CQ9", "NO", note="Say what handling means.")
    at = app("adjudication", study=KEY, reader="lead", note="seen")
    assert "Say what handling means." in text_of(at)
    at.toggle(key=f"rubric-open-{study.id}").set_value(True).run()
    assert "The version is still" in text_of(at).replace("\\", "")
    with store.reading() as connection:
        body = successors.body(connection, study)
    area = at.text_area(key=f"rubric-{study.id}")
    area.input("key: [").run()
    assert not at.exception and "be read from here on" in text_of(at).replace("\\", "")
    name = next(c.name for c in study.instrument.criteria if c.id == "CQ9")
    reworded = body.replace(f'version: "{study.instrument.version}"', 'version: "9"').replace(
        name, f"{name}, tonight"
    )
    assert reworded.count("tonight") == 1
    at.text_area(key=f"rubric-{study.id}").input(reworded).run()
    assert f"{name}, tonight (CQ9): its name changed." in text_of(at) and "have to be rated again" in text_of(
        at
    )
    next(area for area in at.text_area if "Why" in area.label).input("It was read in two ways.")
    at.button(key="successor-begin").click().run()
    assert not at.exception and "is in the list of studies" in text_of(at)
    page_text = text_of(app("studies"))
    title = f"{study.title}, rubric 9"
    assert (
        f"This study continues {study.title} with version 9 of the rubric." in page_text
        and f"Continued by {title}, which uses version 9 of the rubric." in page_text
    )


def test_a_hostile_note_is_shown_as_text(app: Callable[..., AppTest], store: Store, ids: Ids) -> None:
    study = study_of(store)
    desk = Desk(store, study, ids[SETTLER])
    evil = "<script>window.hurt = 1</script>"
    desk.draft_all(1)
    desk.draft(1, "CQ1", "NO", note=evil)
    desk.commit(1)
    other = Desk(store, study, ids["Reader 1"])
    other.draft_all(1)
    other.commit(1)
    reader = Colleague(store, study, ids["Reader 2"])
    reader.open(1)
    at = app("adjudication", study=KEY, reader=str(ids["Reader 2"]), note="seen", unit="1", criterion="CQ1")
    assert "Rater B" in text_of(at)
    html = "\n".join(str(element.proto.body) for element in at.get("html"))
    assert not at.exception and "&lt;script&gt;" in html and "<script>" not in html


@pytest.mark.parametrize("key", ["coaching_example", "coaching_demo", "plan_demo", "lend_an_ear", "vera_mh"])
def test_every_sample_study_has_its_queues(app: Callable[..., AppTest], store: Store, key: str) -> None:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
    at = app("adjudication", study=key, reader="lead", note="seen")
    assert not at.exception and "Change the rubric" in text_of(at)
    with store.writing("tests", "add rater", study.id) as (connection, entry):
        third = studies.add_rater(connection, entry, study.id, SETTLER)
    settling.plan(store, study)
    for queue in ("human_human", "human_judge", "escalation"):
        at = app("adjudication", study=key, reader=str(third), note="seen", queue=queue)
        assert not at.exception
        if [button for button in at.button if button.key == "open-next"]:
            at.button(key="open-next").click().run()
            assert not at.exception and "Rater A" in text_of(at)


def test_the_words_of_an_answer_wait_until_the_judge_is_shown(store: Store, tmp_path: Path) -> None:
    small = small_study.make(store, tmp_path)
    desk = small.desk()

    def told() -> dict[str, object]:
        with store.reading() as connection:
            panel: dict[str, object] = view(
                open_worklist(connection, small.study, desk.rater),
                desk.unit(2),
                studies.rater(connection, desk.rater),
                with_transcript=False,
            )["told"][0]
            return panel

    desk.rate(2)
    number = Colleague.of(small, 0).tell(2)
    assert number is not None
    small.desk(1).open_page()
    Colleague.of(small, 1).answer(number, "called them")
    assert told()["answered_at"] and (told()["may_read"], told()["answer"]) == (False, None)
    desk.reveal(2)
    assert told()["answer"] == "called them"


def test_who_settles_has_nothing_to_rate_and_is_shown_no_judge(
    app: Callable[..., AppTest], store: Store
) -> None:
    person = add_settler(store, "lead", study_of(store), "Dr New")
    for page in ("review", "my_work"):
        assert "You settle in this study, so nothing is given to you to rate." in everything(
            app(page, study=KEY, reader=str(person.id), note="seen")
        ).replace("\\", "")
    for page in ("agreement", "judges", "metrics", "drift"):
        shown = everything(app(page, study=KEY, reader=str(person.id)))
        assert "Demonstration judge" not in shown, page
    with store.reading() as connection:
        assert not exposures.saw_page(connection, person.id)
