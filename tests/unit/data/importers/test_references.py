"""Files of gold steps, plans of care and critical entities, in the published forms and as tables."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from data.importers.report import ImportRefused, ImportReport
from data.record.references import Kind, References
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import lines

BringKind = Callable[..., ImportReport]
Counts = Callable[[], dict[str, int]]
GOLD: Kind = "gold_steps"
PLAN: Kind = "target_plan"
ENTITIES: Kind = "critical_entities"


@pytest.fixture
def bring(small: Small, write: Callable[..., Path]) -> BringKind:
    """Import references of a kind into the small study with the conversations c1 to c4."""
    return lambda kind, content, name="file.jsonl", **more: importing.import_references(
        small.store, "small", kind, write(content, name), "tests", **more
    )


@pytest.fixture
def refuse(bring: BringKind) -> Callable[..., list[str]]:
    """What the report says of a file that is refused."""

    def run(*arguments: Any) -> list[str]:
        with pytest.raises(ImportRefused) as caught:
            bring(*arguments)
        return caught.value.report.lines()

    return run


def of(small: Small, kind: Kind, key: str, condition: str | None = None) -> Any:
    with small.store.reading() as connection:
        found = References(connection, small.study.id).of(kind, key, condition)
    return found.body if found else None


STEPS = ["She asks.", "She waits."]


@pytest.mark.parametrize("name", ["gold_steps", "gold_reasoning", "steps"])
def test_gold_steps_one_conversation_a_line(small: Small, bring: BringKind, name: str) -> None:
    report = bring(GOLD, lines({"conversation_id": "c1", name: STEPS}, {"id": "c2", name: ["She rests."]}))
    assert report.summary() == "Added 2 gold steps from file.jsonl."
    assert (of(small, GOLD, "c1"), of(small, GOLD, "c2"), of(small, GOLD, "c3")) == (
        STEPS,
        ["She rests."],
        None,
    )


def test_the_samples_of_study_a(small: Small, bring: BringKind) -> None:
    content = {
        "samples": [
            {"id": "c1", "prompt": "p", "gold_answer": "a", "gold_reasoning": STEPS},
            {"id": "c3", "gold_reasoning": ["She rests."]},
        ]
    }
    assert bring(GOLD, json.dumps(content, indent=2), "study_a.json").added["gold steps"] == 2
    assert (of(small, GOLD, "c1"), of(small, GOLD, "c3")) == (STEPS, ["She rests."])


def test_the_cases_of_study_c(small: Small, bring: BringKind) -> None:
    content = {
        "cases": [{"id": "c1", "patient_summary": "s", "critical_entities": ["insulin", "GP"], "turns": []}]
    }
    assert bring(ENTITIES, json.dumps(content), "study_c.json").added["critical entities"] == 1
    assert of(small, ENTITIES, "c1") == ["insulin", "GP"]


@pytest.mark.parametrize(
    "content",
    [
        {"meta": {"notes": "by hand"}, "plans": {"c1": {"plan": " Rest more. "}, "c2": {"plan": "Walk."}}},
        {"meta": {"notes": "by hand"}, "c1": {"plan": "Rest more."}, "c2": {"plan": "Walk."}},
        {"c1": "Rest more.", "c2": "Walk."},
    ],
)
@pytest.mark.parametrize("indent", [None, 1])
def test_target_plans_by_conversation(
    small: Small, bring: BringKind, content: Any, indent: int | None
) -> None:
    report = bring(PLAN, json.dumps(content, indent=indent), "target_plans.json")
    assert (report.summary(), report.lines()) == ("Added 2 target plans from target_plans.json.", [])
    assert (of(small, PLAN, "c1"), of(small, PLAN, "c2")) == ("Rest more.", "Walk.")


def test_a_plan_for_the_study_and_for_conditions_beside_those_for_conversations(
    small: Small, bring: BringKind
) -> None:
    content = {
        "study": {"plan": "For all.", "source": "Written  by the team"},
        "conditions": {"warm": {"plan": "Be warm."}, "cold": ""},
        "plans": {"c1": "Rest."},
    }
    report = bring(PLAN, json.dumps(content, indent=1), "target_plans.json")
    assert report.summary() == "Added 3 target plans from target_plans.json."
    assert report.lines() == ["target_plans.json, line 1: condition 'cold' has no plan; left out"]
    assert (of(small, PLAN, "c1", "warm"), of(small, PLAN, "c2", "warm"), of(small, PLAN, "c2")) == (
        "Rest.",
        "Be warm.",
        "For all.",
    )
    with small.store.reading() as connection:
        references = References(connection, small.study.id)
        assert [
            reference.source for key in ("c1", "c2") if (reference := references.of(PLAN, key, None))
        ] == [
            "target_plans.json",
            "Written by the team",
        ]


def test_the_name_of_a_study_in_a_published_file_is_no_plan(small: Small, bring: BringKind) -> None:
    assert (
        bring(
            PLAN,
            json.dumps({"study": "Study C", "conditions": 3, "plans": {"c1": "Rest."}}),
            "target_plans.json",
        ).added["target plans"]
        == 1
    )
    assert of(small, PLAN, "c2") is None


@pytest.mark.parametrize("empty", [{"plan": ""}, {"plan": "  "}, {}, None, "", {"plan": 3}, 7])
def test_a_plan_without_words_in_a_map_is_left_out_and_said(
    small: Small, bring: BringKind, empty: Any
) -> None:
    report = bring(PLAN, json.dumps({"plans": {"c1": {"plan": "Rest."}, "c2": empty}}), "target_plans.json")
    assert report.lines() == ["target_plans.json, line 1: 'c2' has no plan; left out"]
    assert (of(small, PLAN, "c1"), of(small, PLAN, "c2")) == ("Rest.", None)


def test_target_plans_one_a_line_for_a_conversation_or_a_condition(small: Small, bring: BringKind) -> None:
    report = bring(
        PLAN,
        lines({"conversation_id": "c1", "plan": "Rest."}, {"condition": "warm", "target_plan": "Be warm."}),
    )
    assert report.added["target plans"] == 2
    assert (of(small, PLAN, "c1", "warm"), of(small, PLAN, "c2", "warm"), of(small, PLAN, "c2")) == (
        "Rest.",
        "Be warm.",
        None,
    )


def test_a_plan_of_a_conversation_whose_id_is_a_number(
    small: Small, bring: BringKind, bring_conversations: Callable[..., ImportReport]
) -> None:
    bring_conversations(lines({"id": 17, "turns": [{"user": "hello", "assistant": "hi"}]}))
    assert bring(PLAN, lines({"id": 17, "plan": "Rest."})).added["target plans"] == 1
    assert bring(GOLD, lines({"id": 17, "gold_steps": STEPS})).added["gold steps"] == 1
    assert (of(small, PLAN, "17"), of(small, GOLD, "17")) == ("Rest.", STEPS)


def test_a_table_of_plans(small: Small, bring: BringKind) -> None:
    report = bring(
        PLAN,
        'conversation_id,condition,plan\nc1,,Rest.\n,warm,"Be warm,\nalways."\n,,For all.\n',
        "plans.csv",
    )
    assert report.added["target plans"] == 3
    assert (of(small, PLAN, "c1", "warm"), of(small, PLAN, "c2", "warm"), of(small, PLAN, "c2")) == (
        "Rest.",
        "Be warm,\nalways.",
        "For all.",
    )


@pytest.mark.parametrize(
    ("kind", "column"),
    [(GOLD, "step"), (GOLD, "gold_step"), (ENTITIES, "entity"), (ENTITIES, "critical_entity")],
)
def test_a_table_of_steps_or_entities_keeps_their_order(
    small: Small, bring: BringKind, kind: Kind, column: str
) -> None:
    bring(kind, f"conversation_id;{column}\nc1;second\nc2;other\nc1;first\n", "table.csv")
    assert (of(small, kind, "c1"), of(small, kind, "c2")) == (["second", "first"], ["other"])


def test_a_table_without_ids_is_for_the_whole_study(small: Small, bring: BringKind) -> None:
    bring(ENTITIES, "entity\ninsulin\nGP\n", "table.csv")
    assert of(small, ENTITIES, "c4") == ["insulin", "GP"]


def test_an_unknown_conversation_is_left_out_and_said(small: Small, bring: BringKind) -> None:
    report = bring(
        GOLD,
        lines(
            {"conversation_id": "nobody", "gold_steps": STEPS}, {"conversation_id": "c1", "gold_steps": STEPS}
        ),
    )
    assert report.lines() == ["file.jsonl, line 1: the study has no conversation 'nobody'; left out"]
    assert report.added["gold steps"] == 1


def test_a_file_about_other_conversations_only_is_refused(refuse: Callable[..., list[str]]) -> None:
    found = refuse(GOLD, lines({"conversation_id": "nobody", "gold_steps": STEPS}))
    assert found[0] == "file.jsonl: the file contains no gold steps for a conversation of this study"


def test_the_same_file_again_adds_nothing_and_a_changed_text_is_a_new_version(
    small: Small, bring: BringKind
) -> None:
    bring(PLAN, json.dumps({"c1": "Rest.", "c2": "Walk."}), "plans.json")
    assert (
        bring(PLAN, json.dumps({"c1": "Rest.", "c2": "Walk."}), "plans.json").summary()
        == "Added nothing from plans.json. Already there: 2 target plans."
    )
    report = bring(PLAN, json.dumps({"c1": "Rest.", "c2": "Walk slowly."}), "plans.json")
    assert report.summary() == "Added 1 target plan from plans.json. Already there: 1 target plan."
    with small.store.reading() as connection:
        references = References(connection, small.study.id)
        assert [
            (reference.version, reference.body)
            for key in ("c1", "c2")
            if (reference := references.of(PLAN, key, None))
        ] == [
            (1, "Rest."),
            (2, "Walk slowly."),
        ]


def test_the_same_text_in_another_form_is_there_already(bring: BringKind) -> None:
    bring(PLAN, json.dumps({"plans": {"c1": {"plan": "Rest."}}}), "target_plans.json")
    assert bring(PLAN, "conversation_id,plan\nc1,Rest.\n", "plans.csv").already["target plans"] == 1


@pytest.mark.parametrize(
    ("kind", "content", "name", "says"),
    [
        (
            GOLD,
            lines(
                {"id": "c1", "steps": STEPS},
                {"id": "c2", "steps": STEPS},
                {"conversation_id": "c1", "steps": ["x"]},
            ),
            "f.jsonl",
            "f.jsonl, line 3: conversation c1 is already on line 1",
        ),
        (
            PLAN,
            lines({"condition": "warm", "plan": "a"}, {"condition": "warm", "plan": "b"}),
            "f.jsonl",
            "f.jsonl, line 2: condition warm is already on line 1",
        ),
        (PLAN, "plan\nRest.\nWalk.\n", "f.csv", "f.csv, line 3: study is already on line 2"),
        (
            PLAN,
            "id,plan\nc1,Rest.\nc1,Rest.\n",
            "f.csv",
            "f.csv, line 3: conversation c1 is already on line 2",
        ),
    ],
)
def test_two_for_the_same_are_refused(
    refuse: Callable[..., list[str]], kind: Kind, content: str, name: str, says: str
) -> None:
    assert refuse(kind, content, name) == [says]


LIST = "gold_steps must be a list of texts, none of them empty"


@pytest.mark.parametrize(
    ("kind", "content", "says"),
    [
        (GOLD, lines({"id": "c1", "steps": "She asks."}), f"line 1: {LIST}"),
        (GOLD, lines({"id": "c1", "steps": []}), f"line 1: {LIST}"),
        (GOLD, lines({"id": "c1", "steps": ["a", 2]}), f"line 1: {LIST}"),
        (GOLD, lines({"id": "c1", "steps": ["a", " "]}), f"line 1: {LIST}"),
        (GOLD, lines({"id": "c1", "steps": None}), f"line 1: {LIST}"),
        (GOLD, lines({"id": "c1"}), "line 1: there is no gold_steps, a list of texts"),
        (GOLD, json.dumps({"samples": ["a"]}), "line 1: expected an object with a conversation_id"),
        (GOLD, json.dumps({"samples": [{"id": "c1", "gold_reasoning": {}}]}), f"line 1: {LIST}"),
        (GOLD, lines("c1"), "line 1: expected an object with a conversation_id"),
        (GOLD, lines({"id": "c1", "steps": STEPS}, 3), "line 2: expected an object with a conversation_id"),
        (
            ENTITIES,
            lines({"id": "c1", "critical_entities": {"a": 1}}),
            "line 1: critical_entities must be a list of texts, none of them empty",
        ),
        (PLAN, lines({"id": "c1", "plan": 3}), "line 1: there is no plan, or it is not a text"),
        (PLAN, lines({"id": "c1", "plan": " "}), "line 1: there is no plan, or it is not a text"),
        (PLAN, lines(["c1"]), "line 1: expected an object with a conversation_id"),
        (GOLD, "", "line 1: the file is empty"),
        (GOLD, "\n\n", "line 1: the file is empty"),
        (GOLD, "{broken", "line 1: not valid JSON"),
        (PLAN, "{}", "the file contains no target plans for a conversation of this study"),
        (GOLD, "[]", "the file contains no gold steps for a conversation of this study"),
        (PLAN, '{"c1": "half \\ud800"}', "the text holds half a character"),
    ],
)
def test_what_has_another_form_is_refused_with_its_place(
    refuse: Callable[..., list[str]], kind: Kind, content: str, says: str
) -> None:
    found = refuse(kind, content)
    assert says in found[0]


@pytest.mark.parametrize(
    ("content", "name", "says"),
    [
        (
            "conversation_id,steps_of_it\nc1,She asks.\n",
            "t.csv",
            "t.csv, line 2: there is no text in the column step",
        ),
        (
            "conversation_id,step\nc1,She asks.\nc1,\n",
            "t.csv",
            "t.csv, line 3: there is no text in the column step",
        ),
        ("", "t.csv", "t.csv, line 1: the file is empty or has no header"),
        (
            "conversation_id,step\n",
            "t.csv",
            "t.csv: the file contains no gold steps for a conversation of this study",
        ),
        (
            "conversation_id,step\nc1,a,b\n",
            "t.csv",
            "t.csv, line 2: this row has more cells than the header has names",
        ),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_its_line(
    refuse: Callable[..., list[str]], content: str, name: str, says: str
) -> None:
    assert refuse(GOLD, content, name)[0] == says


@pytest.mark.parametrize("name", ["steps.jsonl", "steps.csv"])
def test_another_encoding_is_named_with_its_line(refuse: Callable[..., list[str]], name: str) -> None:
    content = (
        lines({"id": "c1", "steps": ["x"]}) + '{"id": "c2", "steps": ["caf\u00e9"]}'
        if name.endswith("jsonl")
        else "id,step\nc1,caf\u00e9\n"
    )
    found = refuse(GOLD, content.encode("latin-1"), name)
    assert found[0].startswith(f"{name}, line 2: a letter such as")


def test_half_a_file_is_not_imported(small: Small, bring: BringKind, row_counts: Counts) -> None:
    before = row_counts()
    with pytest.raises(ImportRefused, match=r"Nothing was imported from file\.jsonl: 1 problem to fix"):
        bring(GOLD, lines({"id": "c1", "steps": STEPS}, {"id": "c2", "steps": "no list"}))
    assert row_counts() == before
    assert of(small, GOLD, "c1") is None


def test_a_dry_run_keeps_nothing(bring: BringKind, row_counts: Counts) -> None:
    before = row_counts()
    assert (
        bring(GOLD, lines({"id": "c1", "steps": STEPS}), dry_run=True).summary()
        == "Would add 1 gold step from file.jsonl."
    )
    assert row_counts() == before


def test_a_file_that_is_gone_is_a_sentence(small: Small, tmp_path: Path) -> None:
    with pytest.raises(ImportRefused) as caught:
        importing.import_references(small.store, "small", GOLD, tmp_path / "nowhere.jsonl", "tests")
    assert caught.value.report.lines() == ["nowhere.jsonl: the file can't be read: No such file or directory"]


def test_a_field_that_no_row_has_is_told_once(refuse: Callable[..., list[str]]) -> None:
    rows = lines({"conversation_id": "c1", "text": "a"}, {"conversation_id": "c2", "text": "b"})
    assert refuse(GOLD, rows) == [
        "file.jsonl, line 1: there is no gold_steps, a list of texts (2 rows; this is the first)"
    ]
