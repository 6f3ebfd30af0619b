"""The metrics page for a lead and for raters, and the metrics of one unit as the workbench is given them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from sqlalchemy import Connection, select
from streamlit.testing.v1 import AppTest

from configs.settings import ROOT
from data import schema
from data.importers import study_folder
from data.keeping.erase import erase_conversation
from data.record import conversations, judgements, metrics, references, studies, units
from data.record.references import Kind, condition_scope, conversation_scope
from data.record.studies import Study
from data.store.store import Store
from data.work import exposures
from pages.widgets.workbench.metrics import metrics_panel
from reports.metrics.findings import MetricsFindings, gather_metrics
from runs.sample_studies import SAMPLES
from runs.scoring import score_study
from tests.pages.conftest import evidence_tables, pictures, text_of
from tests.pages.unit_panels import desk, panel, show_steps
from tests.studies import importing
from tests.studies.planted_metrics import RULES, plant

pytestmark = pytest.mark.usefixtures("usual_metrics")

JUDGED = (
    "Demonstration judge",
    "rubric score",
    "plan alignment",
    "judged trials only",
    "By strategy",
    "Numbers of judges, conversation by conversation",
    "rejected by the safety gate",
)


@pytest.fixture
def database(scored_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the sample studies with everything computed."""
    copy = Path(shutil.copy(scored_file, tmp_path / "store.sqlite"))
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{copy}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    st.cache_resource.clear()
    yield copy
    st.cache_resource.clear()


def everything(at: AppTest) -> str:
    """Whatever the page sends, text or not: the protocol buffers of every element."""
    return (
        text_of(at)
        + "\n".join(str(element.proto) for element in at.main if hasattr(element, "proto"))
        + str(at.main)
    )


def judges_numbers(store: Store, key: str) -> set[str]:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        found = [
            m
            for m in metrics.present(connection, study.id, judges=True)
            if m.subject.judge_id and m.value is not None
        ]
    return {f"{m.value:.3f}" for m in found} - {"1.000", "0.500"}


def exposed(store: Store, rater: int) -> list[str]:
    with store.reading() as connection:
        return list(
            connection.execute(
                select(schema.exposure.c.kind).where(schema.exposure.c.rater_id == rater)
            ).scalars()
        )


# ---- the page ----


def test_a_lead_sees_every_number_with_its_basis(app: Callable[..., AppTest], store: Store) -> None:
    at = app("metrics", study="coaching_demo", reader="lead")
    page_text = text_of(at)
    assert not at.exception
    for words in (
        "7 metrics were computed for 2 of 14 conversations, too few to compare with clinicians",
        "Conversation by conversation",
        "demo-03",
        "demo-14",
        "Step-F1",
        "0.091",
        "0.133",
        "0.551",
        "0.565",
        "Goal alignment: slope of the average curve",
        "2 conversations",
        *(
            "Numbers of judges, conversation by conversation",
            "Demonstration judge",
            "0.700, rejected by the safety gate",
        ),
    ):
        assert words in page_text
    assert len(judges_numbers(store, "coaching_demo")) >= 5
    assert not [number for number in judges_numbers(store, "coaching_demo") if number not in page_text]


def test_a_line_a_metric_and_what_is_missing_behind_one_line(app: Callable[..., AppTest]) -> None:
    at = app("metrics", study="coaching_demo", reader="lead")
    [table] = evidence_tables(at)
    rows = {row["name"]: row for row in table["rows"]}
    assert rows["Step-F1"]["cells"] == ["2 of 14", "0.112", "needs gold steps"]
    assert rows["Step-F1"]["spread"].count("<circle") == 2
    assert rows["Rubric score from Demonstration judge's labels"]["cells"] == [
        "11 of 14 conversations",
        "0.900",
        "3 cannot be computed",
    ]
    assert (table["scale"], table["verdict_name"]) == ("", ""), "one conversation alone has labels"
    assert not [row for row in table["rows"] if "none:" in " ".join(row["cells"])]
    page_text = text_of(at)
    assert "metrics have no value yet" in page_text and "needs paired runs" in page_text


def test_what_is_behind_lines_is_not_drawn_before_they_open(app: Callable[..., AppTest]) -> None:
    at = app("metrics", study="coaching_demo", reader="lead")
    for key in ("everything", "without_value"):
        at.session_state[f"section-{key}"] = False
    at.run()
    page_text = text_of(at)
    assert "7 metrics were computed" in page_text
    for words in (
        "Conversation by conversation",
        "Numbers of judges, conversation by conversation",
        "needs paired runs",
        "none: ",
    ):
        assert words not in page_text
    assert not at.get("plotly_chart") and not pictures(at)


def test_a_metric_opens_with_its_values_from_the_smallest_up(app: Callable[..., AppTest]) -> None:
    at = app("metrics", study="coaching_demo", reader="lead", metric="goal_alignment_slope/windowed")
    assert not at.exception
    [table] = evidence_tables(at)
    assert table["opened"] == "goal_alignment_slope/windowed"
    assert "Drift shows the mean of these slopes" in text_of(at)
    listed = at.dataframe[0].value
    assert list(listed["Name"]) == ["demo-14", "demo-03"]
    assert [round(value, 3) for value in listed["Value"]] == [0.029, 0.064]
    assert "review?study=coaching_demo&reader=lead&unit=14&back=metrics" in listed["Open"][0]


def test_a_metric_of_a_judge_opens_with_units_and_those_without_a_number_last(
    app: Callable[..., AppTest],
) -> None:
    at = app("metrics", study="coaching_demo", reader="lead")
    [table] = evidence_tables(at)
    key = next(row["key"] for row in table["rows"] if row["name"].startswith("Rubric score"))
    listed = app("metrics", study="coaching_demo", reader="lead", metric=key).dataframe[0].value
    assert list(listed["Name"][:1]) == ["demo-08"] and len(listed) == 14
    assert [str(value) for value in listed["Value"][-3:]] == ["nan"] * 3
    assert "Incomplete: no answer to CQ9." in list(listed["Why it is missing"][-3:])


def test_an_unknown_metric_in_the_address_opens_nothing(app: Callable[..., AppTest]) -> None:
    at = app("metrics", study="coaching_demo", reader="lead", metric="<b>/nothing")
    assert not at.exception and not at.dataframe and "<b>" not in text_of(at)


def test_how_metrics_go_with_labels_is_for_study_leads(
    app: Callable[..., AppTest], store: Store, tmp_path: Path, rater_id: Callable[..., int]
) -> None:
    rules = {"step_f1/published": RULES["strong"], "entity_recall/searched": RULES["none"]}
    small = plant(store, tmp_path, rules, key="planted")
    at = app("metrics", study="planted", reader="lead", metric="step_f1/published")
    assert not at.exception
    [table] = evidence_tables(at)
    assert "Step-F1 is higher where clinicians rated higher" in text_of(at)
    assert [row["verdict"] for row in table["rows"]] == ["higher with them", "too early to say"]
    assert ['class="full"' in row["marks"] for row in table["rows"]] == [True, False]
    assert len(at.get("plotly_chart")) == 2
    who = rater_id("planted", "Ada Winter")
    page_text = everything(app("metrics", study="planted", reader=str(who)))
    assert small.study.key == "planted"
    assert not [words for words in ("clinicians rated", "higher with them", "Spearman") if words in page_text]


def test_numbers_that_come_while_the_page_is_made_are_in_its_answer_afterwards(
    app: Callable[..., AppTest], store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = plant(store, tmp_path, {"step_f1/published": RULES["strong"]}, labelled=0, key="planted")

    def gather_before_more(connection: Connection, study: Study, most: int | None = None) -> MetricsFindings:
        findings = gather_metrics(connection, study, most)
        with store.writing("tests", "score", study.id) as (writing, entry):
            ids = conversations.ids(writing, study.id)
            subject = metrics.MetricSubject(ids[0])
            more = metrics.MetricValue(subject, "entity_recall", "searched", "1", 0.5, None, "more")
            metrics.keep(writing, entry, study.id, [more])
        return findings

    with monkeypatch.context() as patch:
        patch.setattr("pages.metrics.gather_metrics", gather_before_more)
        assert "Step-F1 was computed for all 30" in text_of(app("metrics", study="planted", reader="lead"))
    assert small.study.key == "planted"
    assert "2 metrics were computed for 1 to 30" in text_of(app("metrics", study="planted", reader="lead"))


def test_what_cannot_be_computed_is_a_reason_and_no_0(app: Callable[..., AppTest]) -> None:
    said = text_of(app("metrics", study="coaching_demo", reader="lead"))
    assert "none: Incomplete: no answer to CQ9." in said
    assert "none: The judge did not score every declared strategy." in text_of(
        app("metrics", study="plan_demo", reader="lead")
    )
    for wrong in ("nan", "None", "null"):
        assert wrong not in said.split()


def test_a_lead_sees_the_plans_and_the_mean_of_each_judge(app: Callable[..., AppTest]) -> None:
    page_text = text_of(app("metrics", study="plan_demo", reader="lead"))
    for words in (
        "Plans with one or two known strategies",
        "0.929",
        "judged trials only",
        "12 of 14",
        "0.924",
        "as published: skipped and failed trials and unscored strategies are 0",
        "0.827",
        "By strategy, Demonstration judge",
    ):
        assert words in page_text


@pytest.mark.parametrize("key", ["coaching_demo", "plan_demo"])
def test_a_rater_with_units_left_sees_nothing_of_the_judge(
    app: Callable[..., AppTest], rater_id: Callable[..., int], store: Store, key: str
) -> None:
    at = app("metrics", study=key, reader=str(rater_id(key, "Reader 1")))
    page_text = everything(at)
    assert not at.exception
    noun = {"coaching_demo": "conversation", "plan_demo": "reply"}[key]
    assert f"left to rate blind. The Metrics tab of a {noun} shows the judge's numbers" in page_text
    assert len(page_text) > 1000
    numbers = judges_numbers(store, key)
    assert numbers and not [number for number in numbers if number in page_text]
    assert not [words for words in JUDGED if words in page_text]
    assert exposed(store, rater_id(key, "Reader 1")) == []


def test_a_rater_reads_what_is_not_computed_here_and_no_command(
    app: Callable[..., AppTest], store: Store
) -> None:
    who = desk(store, "coaching_demo")
    for position in (1, 2, 3):
        who.rate(position)
    page_text = text_of(app("metrics", study="coaching_demo", reader=str(who.rater)))
    assert "Not computed here: conflict of advice and steps that follow." in page_text
    assert "second-reader" not in page_text
    assert "were computed for 1 of 3 conversations that you have rated." in page_text
    assert "needs a target plan" in page_text


def test_a_rater_sees_units_by_position_and_not_by_the_id_of_the_conversation(
    app: Callable[..., AppTest], rater_id: Callable[..., int]
) -> None:
    at = app("metrics", study="coaching_demo", reader=str(rater_id("coaching_demo", "Reader 1")))
    page_text = everything(at)
    assert (
        "Conversation 3" not in page_text
        and "0.091" not in page_text
        and "that you have finished rating" in page_text
    )
    assert "demo-03" not in page_text and "demo-14" not in page_text


def test_a_number_of_the_study_waits_until_no_conversation_is_left_to_rate(
    app: Callable[..., AppTest], store: Store
) -> None:
    """A curve's late turns rest on one conversation, and a mean of two tells the other."""
    who = desk(store, "coaching_demo")

    def sent() -> str:
        at = app("metrics", study="coaching_demo", reader=str(who.rater))
        assert not at.exception
        return everything(at) + "".join(f"a chart: {picture}" for picture in pictures(at))

    of_study = ("The study as a whole", "Numbers by turn", "slope of the average curve", "a chart:")
    page_text = sent()
    assert (
        "that you have finished rating; there are none yet. You will see means and curves for the whole study"
        in page_text
    )
    assert not [words for words in of_study if words in page_text]
    assert "Conversation by conversation" not in page_text
    positions = range(1, unit_count_of(store, who.study) + 1)
    for position in positions[:-1]:
        who.rate(position)
    page_text = sent()
    assert "that you have finished rating. You will see means and curves" in page_text
    assert "Conversation by conversation" in page_text and "Conversation 3" in page_text
    assert not [words for words in of_study if words in page_text]
    who.rate(positions[-1])
    page_text = sent()
    assert "that you have finished rating." in page_text and "means and curves" not in page_text
    assert not [words for words in of_study if words not in page_text]


def unit_count_of(store: Store, study: Study) -> int:
    with store.reading() as connection:
        return studies.unit_count(connection, study.id)


def test_opening_the_whole_study_is_recorded_before_anything_is_shown(
    app: Callable[..., AppTest], rater_id: Callable[..., int], store: Store
) -> None:
    who = rater_id("coaching_demo", "Reader 1")
    at = app("metrics", study="coaching_demo", reader=str(who))
    at.button(key="guard-open").click().run()
    assert not at.exception
    assert exposed(store, who) == ["page"]
    assert "0.700, rejected by the safety gate" in text_of(at)
    with store.reading() as connection:
        assert exposures.saw_page(connection, who)


def test_a_rater_who_has_done_everything_sees_the_judge_and_that_is_recorded(
    app: Callable[..., AppTest], rater_id: Callable[..., int], store: Store
) -> None:
    who = desk(store, "coaching_example")
    who.rate(1)
    at = app("metrics", study="coaching_example", reader=str(who.rater))
    assert "rubric score" in text_of(at) and "1.000, pass" in text_of(at)
    assert exposed(store, who.rater) == ["page"]


def test_a_study_that_never_shows_its_judge_does_not_show_it_here(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    folder = tmp_path / "never"
    shutil.copytree(SAMPLES / "coaching_example", folder)
    file = folder / "study.yaml"
    file.write_text(
        file.read_text()
        .replace("key: coaching_example", "key: never")
        .replace("reveal: after_unit", "reveal: never")
    )
    assert "reveal: never" in file.read_text()
    study_folder.add_study(store, folder, ROOT / "instruments", ROOT / "taxonomies", "tests")
    score_study(store, "never", "tests")
    who = desk(store, "never")
    who.rate(1)
    page_text = everything(app("metrics", study="never", reader=str(who.rater)))
    assert (
        "This study doesn't show its raters the judge's or colleagues' labels" in page_text
        and "Metrics tab" not in page_text
    )
    assert not [words for words in JUDGED if words in page_text]
    assert "1.000, pass" in text_of(app("metrics", study="never", reader="lead"))


@pytest.mark.parametrize("reader", ["lead", "Reader 1"])
def test_a_study_without_numbers_says_how_to_get_them(
    app: Callable[..., AppTest], rater_id: Callable[..., int], reader: str
) -> None:
    at = app(
        "metrics", study="vera_mh", reader=reader if reader == "lead" else str(rater_id("vera_mh", reader))
    )
    assert not at.exception
    assert "Nothing has been computed for this study yet." in text_of(at).replace("\\", "")
    assert ("In a terminal: second-reader score vera_mh" in text_of(at)) == (reader == "lead")


@pytest.mark.parametrize("reader", ["lead", "Reader 1"])
def test_a_study_to_which_no_metric_applies_says_so_and_why(
    app: Callable[..., AppTest], rater_id: Callable[..., int], store: Store, reader: str
) -> None:
    def page_text() -> str:
        name = reader if reader == "lead" else str(rater_id("lend_an_ear", reader))
        at = app("metrics", study="lend_an_ear", reader=name)
        assert not at.exception
        return text_of(at)

    assert (
        "No metric applies to this study, so there is nothing to compute: it has no gold steps, target plans, "
        "critical entities, reasoning that the assistant marked as such, declared plans, paired runs or judge labels that its instrument turns into a score."
    ) in page_text()
    assert "In a terminal" not in page_text()
    assert score_study(store, "lend_an_ear", "tests").computed == 0
    study = desk(store, "lend_an_ear").study
    put(store, study, "critical_entities", references.STUDY, ["sleep"])
    assert ("In a terminal: second-reader score lend_an_ear" in page_text()) == (reader == "lead")
    assert "No metric applies" not in page_text()
    assert score_study(store, "lend_an_ear", "tests").computed > 0, "the sentence would promise in vain"
    assert "In a terminal" not in page_text()


def test_a_deep_link_asks_for_the_name_first(app: Callable[..., AppTest]) -> None:
    at = app("metrics", study="coaching_demo")
    said = everything(at)
    assert not at.exception
    assert "Choose your name." in said and "0.091" not in said and "Demonstration judge" not in said


@pytest.mark.parametrize("reader", ["999999", "x", "²", "9" * 30])
def test_a_wrong_reader_is_asked_for_a_name(app: Callable[..., AppTest], reader: str) -> None:
    at = app("metrics", study="coaching_demo", reader=reader)
    assert not at.exception and "Choose your name." in text_of(at)


def test_a_rater_of_another_study_is_asked_for_a_name(
    app: Callable[..., AppTest], rater_id: Callable[..., int]
) -> None:
    assert "Choose your name." in text_of(
        app("metrics", study="coaching_demo", reader=str(rater_id("plan_demo", "Reader 1")))
    )


@pytest.mark.parametrize(
    "query", [{}, {"study": "nothing-of-the-kind"}, {"study": "nothing-of-the-kind", "reader": "lead"}]
)
def test_an_unknown_study_leads_back_to_the_list(app: Callable[..., AppTest], query: dict[str, str]) -> None:
    at = app("metrics", **query)
    assert not at.exception and "Choose a study first" in text_of(at)


EVIL = "<img src=x onerror=alert(1)>![x](http://127.0.0.1:9/b.png)<b>"


def test_markup_in_the_id_of_a_conversation_stays_text(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    talks, steps = tmp_path / "talks.jsonl", tmp_path / "steps.jsonl"
    talks.write_text(json.dumps({"id": EVIL, "turns": [{"user": "hello", "assistant": "hi"}]}))
    steps.write_text(json.dumps({"conversation_id": EVIL, "gold_steps": ["She asks about it."]}))
    importing.import_conversations(store, "coaching_example", talks, "tests")
    importing.import_references(store, "coaching_example", "gold_steps", steps, "tests")
    score_study(store, "coaching_example", "tests")
    page_text = text_of(app("metrics", study="coaching_example", reader="lead"))
    assert "&lt;img src=x onerror=alert(1)&gt;![x](http://127.0.0.1:9/b.png)&lt;b&gt;" in page_text
    assert EVIL not in page_text and "<img" not in page_text


def test_the_name_of_a_model_full_of_markup_stays_text(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "runs.jsonl"
    file.write_text(
        "\n".join(
            json.dumps(
                {"id": "a", "mode": mode, "model_name": EVIL, "gold_answer": "GAD", "output_text": "GAD"}
            )
            for mode in ("cot", "direct")
        )
    )
    importing.import_paired_runs(store, "coaching_example", file, "tests")
    score_study(store, "coaching_example", "tests")
    at = app("metrics", study="coaching_example", reader="lead")
    page_text = text_of(at)
    assert not at.exception
    assert (
        "Faithfulness gap" in page_text
        and "&lt;img src=x onerror=alert(1)&gt;" in page_text
        and "<img" not in page_text
    )


def test_faithfulness_beside_step_f1_is_for_study_leads_and_bands_are_asked_for(
    app: Callable[..., AppTest], store: Store, tmp_path: Path
) -> None:
    file = tmp_path / "runs.jsonl"
    rows = [
        {"id": str(case), "mode": mode, "model_name": "Quokka-7", "gold_answer": "GAD", "output_text": "GAD"}
        for case in range(30)
        for mode in ("cot", "direct")
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    importing.import_paired_runs(store, "coaching_demo", file, "tests")
    at = app("metrics", study="coaching_demo", reader="lead")
    page_text = text_of(at)
    assert "Faithfulness and Step-F1" in page_text and "Quokka-7" in page_text
    assert "Step-F1 decides correctness only if the published bands are on" in page_text
    at.checkbox[0].check().run()
    assert "published bands, uncalibrated" in text_of(at)
    who = desk(store, "coaching_demo")
    assert "Quokka-7" not in everything(app("metrics", study="coaching_demo", reader=str(who.rater)))


# ---- one unit, as the workbench is given it ----


def put(store: Store, study: Study, kind: Kind, scope: str, body: Any) -> None:
    with store.writing("tests", "import a reference", study.id) as (connection, entry):
        assert references.put(connection, entry, study, kind, scope, body, "tests")


def test_before_the_commit_the_unit_has_its_own_numbers_and_none_of_the_judge(store: Store) -> None:
    show_steps(store, "coaching_demo", 3)
    shown = panel(store, "coaching_demo", 3)
    assert shown is not None
    assert (
        shown["judges"] == []
        and shown["goal"]["stale"] == shown["steps"]["stale"] == shown["entities"]["stale"] == ""
    )
    assert shown["goal"]["plan"].startswith("Explore carer strain")
    assert len(shown["steps"]["pairs"]) == 2 and len(shown["goal"]["windowed"]) == 12
    assert "demo-03" not in json.dumps(shown), "the id of a conversation may tell a model or a condition"


def test_a_unit_without_references_and_without_a_reveal_has_no_metrics(store: Store) -> None:
    assert panel(store, "coaching_demo", 1) is None
    assert panel(store, "lend_an_ear", 1) is None
    assert panel(store, "plan_demo", 1) is None


def test_after_the_reveal_the_judges_numbers_are_there(store: Store) -> None:
    who = desk(store, "coaching_demo")
    who.rate(6)
    assert panel(store, "coaching_demo", 6) is None
    who.reveal(6)
    unit_panel = panel(store, "coaching_demo", 6)
    assert unit_panel is not None
    assert [
        (judge["name"], judge["value"], judge["passed"], judge["gate_failed"])
        for judge in unit_panel["judges"]
    ] == [("Demonstration judge", 0.7, False, True)]
    assert panel(store, "coaching_demo", 6, "Reader 2") is None


def test_a_judge_that_was_not_revealed_is_not_in_the_panel(store: Store) -> None:
    who = desk(store, "coaching_demo")
    with store.reading() as connection:
        found = metrics_panel(connection, who.study, who.unit(6), who.rater, True, [], [])
    assert found is None


@pytest.mark.parametrize(
    ("kind", "body", "part"),
    [
        ("target_plan", "Another plan.", "goal"),
        ("gold_steps", ["Another step."], "steps"),
        ("critical_entities", ["another"], "entities"),
    ],
)
@pytest.mark.parametrize("is_fixed", [False, True])
def test_numbers_of_another_text_than_the_present_one_are_called_so(
    store: Store, kind: Kind, body: Any, part: str, is_fixed: bool
) -> None:
    study = desk(store, "coaching_demo").study
    show_steps(store, "coaching_demo", 3)
    put(store, study, kind, conversation_scope("demo-03"), body)
    if is_fixed:
        score_study(store, "coaching_demo", "tests")
    unit_panel = panel(store, "coaching_demo", 3)
    assert unit_panel is not None
    assert unit_panel[part]["stale"] == (
        "" if is_fixed else "These numbers are out of date. A study lead can compute them again."
    )
    others = {"goal", "steps", "entities"} - {part}
    assert [unit_panel[other]["stale"] for other in others] == ["", ""]


def test_a_first_plan_of_its_own_makes_the_numbers_of_the_studys_first_plan_stale(store: Store) -> None:
    study = desk(store, "coaching_demo").study
    put(store, study, "target_plan", references.STUDY, "Assess the risk, plan the week and follow up.")
    score_study(store, "coaching_demo", "tests")
    before = panel(store, "coaching_demo", 1)
    assert (
        before is not None
        and before["goal"]["stale"] == ""
        and before["goal"]["plan_label"] == "version 1, for the study"
    )
    put(store, study, "target_plan", conversation_scope("demo-01"), "Talk about the father.")
    after = panel(store, "coaching_demo", 1)
    assert after is not None
    assert after["goal"]["plan_label"] == "version 1, for this conversation"
    assert after["goal"]["stale"]


def test_references_that_were_not_scored_yet_say_so(store: Store) -> None:
    put(store, desk(store, "coaching_demo").study, "gold_steps", conversation_scope("demo-01"), ["She asks."])
    found = panel(store, "coaching_demo", 1)
    assert found is not None
    assert (
        found["note"] == "The metrics of this conversation are not computed yet. A study lead can start that."
    )


def test_a_text_kept_for_a_condition_waits_for_the_commit(store: Store, tmp_path: Path) -> None:
    key, words = _with_condition(store, tmp_path)
    before = panel(store, key, 2)
    told = json.dumps(before)
    assert not [word for word in words if word in told] and "warm" not in told
    desk(store, key).rate(2)
    after = json.dumps(panel(store, key, 2))
    assert [word for word in words if word in after] == words


def _with_condition(store: Store, folder: Path) -> tuple[str, list[str]]:
    """Conversation 2 of the worked example stands under the condition "warm", for which everything is
    given.
    """
    key = "coaching_example"
    talks = folder / "talks.jsonl"
    talks.write_text(
        json.dumps(
            {
                "id": "c2",
                "condition": "warm",
                "turns": [
                    {
                        "user": "hello",
                        "assistant": "Let us assess the risk and plan a follow-up with your doctor. " * 3,
                    }
                ],
            }
        )
    )
    importing.import_conversations(store, key, talks, "tests")
    study = desk(store, key).study
    put(store, study, "target_plan", condition_scope("warm"), "Assess Quixotic risk.")
    put(store, study, "gold_steps", condition_scope("warm"), ["Quokka steps come first."])
    put(store, study, "critical_entities", condition_scope("warm"), ["Quinine"])
    assert score_study(store, key, "tests").problems == []
    with store.reading() as connection:
        assert conversations.read(connection, conversations.ids(connection, study.id))[1].condition == "warm"
    return key, ["Quixotic", "Quokka", "Quinine"]


def test_a_reply_is_measured_only_as_far_as_it_may_be_read(store: Store) -> None:
    """In a study of replies the numbers of the whole conversation would tell of turns that are not shown
    yet.
    """
    study = desk(store, "plan_demo").study
    put(store, study, "target_plan", references.STUDY, "Assess the risk and follow up.")
    put(store, study, "gold_steps", references.STUDY, ["She asks about it."])
    assert score_study(store, "plan_demo", "tests").problems == []
    unit_panel = panel(store, "plan_demo", 1)
    assert unit_panel is not None
    with store.reading() as connection:
        unit = units.at_position(connection, study.id, 1)
        assert unit is not None
        seen = sum(message.role == "assistant" for message in units.transcript(connection, unit) or [])
    assert len(unit_panel["goal"]["windowed"]) == seen == 2
    assert (
        "actions_windowed" not in unit_panel["goal"]
        and unit_panel["goal"]["slope"] is None
        and unit_panel["steps"] is None
        and unit_panel["judges"] == []
    )


def test_plan_alignment_after_the_reveal_has_each_strategy_with_score_and_reasoning(store: Store) -> None:
    who = desk(store, "plan_demo")
    who.rate(1, "2")
    who.reveal(1)
    unit_panel = panel(store, "plan_demo", 1)
    assert unit_panel is not None
    [judge] = unit_panel["judges"]
    assert (judge["value"], [strategy["score"] for strategy in judge["strategies"]]) == (1.0, [2, 2])
    assert all(
        "the car park" in strategy["reasoning"]
        or "ten minutes" in strategy["reasoning"]
        or "shaking leg" in strategy["reasoning"]
        for strategy in judge["strategies"]
    )


def test_a_failure_of_the_judge_is_no_0_in_the_panel(store: Store) -> None:
    who = desk(store, "plan_demo")
    who.rate(9, "1")
    who.reveal(9)
    unit_panel = panel(store, "plan_demo", 9)
    assert unit_panel is not None
    [judge] = unit_panel["judges"]
    assert (judge["value"], judge["why"]) == (None, "The judge did not score every declared strategy.")
    assert [strategy["score"] for strategy in judge["strategies"]] == [None, None]
    with store.reading() as connection:
        assert len(judgements.judges(connection, who.study.id)) == 1


def test_an_erased_conversation_keeps_its_numbers_and_loses_its_words(store: Store) -> None:
    study = desk(store, "coaching_demo").study
    with store.writing("lead", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, "demo-03", "consent withdrawn")
    unit_panel = panel(store, "coaching_demo", 3)
    assert unit_panel is not None
    assert unit_panel["steps"]["published"]["value"] == pytest.approx(1 / 11)
    assert (
        unit_panel["goal"]["plan"] is None
        and unit_panel["steps"]["pairs"] is None
        and unit_panel["entities"]["entities"] is None
    )
