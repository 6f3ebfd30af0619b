"""A run folder of plan-output alignment comes in as a study, and goes out as the same folder."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from configs.settings import ROOT
from data import schema
from data.exporters import run_folders
from data.importers.new_study import NewStudy
from data.importers.report import ImportRefused, ImportReport
from data.importers.turns import OWN_COUNT
from data.keeping.erase import erase_conversation
from data.record import conversations, judgements, metrics, studies
from data.record.judgements import JudgeIdentity
from data.record.metrics import MetricValue
from data.record.studies import Study, StudySpec
from data.store import content
from data.store.errors import Refused
from data.store.store import Store
from runs.scoring import score_study
from tests.studies import importing

HISTORY: list[dict[str, str | None]] = [
    {"content": "A monster chases me.", "role": "user", "stage": None},
    {"content": "And then?", "role": "assistant", "stage": "recording"},
    {"content": "I wake up.", "role": "user", "stage": None},
]


def trial(*ids: str, response: str = "A wall rises before you.", plan: str | None = None) -> dict[str, Any]:
    return {
        "temperature": 0.7,
        "plan": f"<plan>{' / '.join(ids)}</plan>" if plan is None else plan,
        "response": response,
        "plan_usage": {},
        "response_usage": {},
        "strategies": sorted(ids),
    }


def judged(number: int, **scores: int) -> dict[str, Any]:
    return {
        "trial": number,
        "raw_output": "raw",
        "parsed": {name: {"reasoning": f"why {name}", "score": score} for name, score in scores.items()},
        "trial_alignment": sum(scores.values()) / 2 / len(scores),
        "usage": {},
    }


TRIALS = [
    trial("safety", "confrontation"),
    trial("safety"),
    trial("safety", response="  "),
    trial("safety", "confrontation", "self_empowerment"),
    trial("safety", "confrontation"),
    trial("confrontation"),
]
JUDGMENTS = [
    judged(1, safety=2, confrontation=1),
    judged(2, safety=0),
    {"trial": 3, "skipped": True, "reason": "empty strategies or response"},
    judged(4, safety=2, confrontation=2, self_empowerment=1),
    {"trial": 5, "error": "429 quota"},
    {
        "trial": 6,
        "raw_output": "",
        "parsed": {"confrontation": {"reasoning": "not scored by judge", "score": 0}},
        "trial_alignment": 0.0,
    },
]
MEAN = (3 / 4 + 0 + 0 + 5 / 6 + 0 + 0) / 6
MEAN_JUDGED = (3 / 4 + 0 + 5 / 6) / 3


def folder_of(
    path: Path, trials: list[Any], judgments: Any = None, history: Any = None, told: Any = None
) -> Path:
    (path / "trials").mkdir(parents=True)
    for number, one in enumerate(trials, start=1):
        (path / "trials" / f"trial_{number:02d}.json").write_text(json.dumps(one), encoding="utf-8")
    for name, value in (("judgments", judgments), ("frozen_history", history), ("metrics", told)):
        if value is not None:
            (path / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    return path


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Six trials: judged, scored 0, blank, of three ids, failed, and not scored."""
    return folder_of(
        tmp_path / "run",
        TRIALS,
        JUDGMENTS,
        {"session_id": "s", "messages": HISTORY, "stages": [], "language": "en"},
    )


@pytest.fixture
def bring(store: Store) -> Callable[..., ImportReport]:
    def go(folder: Path, key: str = "dreams", dry_run: bool = False) -> ImportReport:
        new = NewStudy(
            StudySpec(key, "Dreams", 0),
            "plan_alignment",
            "dream_code_7",
            (),
            ROOT / "instruments",
            ROOT / "taxonomies",
        )
        return importing.import_run_folder(store, key, folder, "tests", JudgeIdentity("Judge"), dry_run, new)

    return go


@pytest.fixture
def refuse(bring: Callable[..., ImportReport]) -> Callable[[Path], list[str]]:
    def go(folder: Path) -> list[str]:
        with pytest.raises(ImportRefused) as caught:
            bring(folder)
        return caught.value.report.lines()

    return go


@pytest.mark.parametrize(
    "name", ["trials/trial_07.json", "frozen_history.json", "judgments.json", "metrics.json", "config.yaml"]
)
def test_a_run_folder_reads_no_file_from_elsewhere(
    run: Path, refuse: Callable[[Path], list[str]], tmp_path: Path, name: str
) -> None:
    (tmp_path / "elsewhere").write_text("{}")
    (run / name).unlink(missing_ok=True)
    (run / name).symlink_to(tmp_path / "elsewhere")
    assert refuse(run) == [
        f"run: {name}: this is a link that leads out of the folder; put the file itself there"
    ]


def test_nor_does_it_take_its_trials_from_another_folder(
    run: Path, refuse: Callable[[Path], list[str]], tmp_path: Path
) -> None:
    (run / "trials").rename(tmp_path / "others")
    (run / "trials").symlink_to(tmp_path / "others")
    assert len(refuse(run)) == 6


def test_a_tool_call_in_the_history_is_not_dropped(run: Path, bring: Callable[..., ImportReport]) -> None:
    call = {
        "role": "assistant",
        "content": "One moment.",
        "tool_calls": [{"function": {"name": "call_crisis_line", "arguments": "{}"}}],
    }
    (run / "frozen_history.json").write_text(json.dumps({"messages": [HISTORY[0], call, HISTORY[2]]}))
    assert (
        "run: frozen_history.json: shown in brackets, because it is not text: 1 tool call"
        in bring(run).lines()
    )


@pytest.mark.parametrize("name", ["trials/trial_02.json", "frozen_history.json"])
def test_a_key_that_stands_twice_in_a_file_of_a_run_is_named_with_its_line(
    run: Path, refuse: Callable[[Path], list[str]], name: str
) -> None:
    (run / name).write_text('{"plan": "a",\n "plan": "b"}')
    assert refuse(run)[0].endswith(
        f"{Path(name).name}, line 2: the field 'plan' occurs twice in the same object; only the second would be read"
    )


def of(store: Store, key: str = "dreams") -> Study:
    with store.reading() as connection:
        found = studies.find(connection, key)
    assert found is not None
    return found


def labels(store: Store) -> dict[tuple[str, str], tuple[str, str | None, str | None]]:
    """(conversation, strategy) -> status, label, reasoning or detail."""
    j, u, c = schema.judgement, schema.unit, schema.conversation
    with store.reading() as connection:
        statement = (
            sa.select(c.c.key, j).join(u, u.c.id == j.c.unit_id).join(c, c.c.id == u.c.conversation_id)
        )
        return {
            (row.key, row.criterion): (row.status, row.label, content.get(connection, row.reasoning_content))
            for row in connection.execute(statement)
        }


def declared(store: Store) -> list[tuple[str, list[str]]]:
    c, u = schema.conversation, schema.unit
    with store.reading() as connection:
        rows = connection.execute(
            sa.select(c.c.key, u.c.criteria).join(u, u.c.conversation_id == c.c.id).order_by(u.c.position)
        )
        return [(row.key, json.loads(row.criteria)) for row in rows]


def present(store: Store) -> dict[tuple[str, str], MetricValue]:
    """What score_study says of the study as a whole."""
    score_study(store, "dreams", "tests")
    with store.reading() as connection:
        found = metrics.present(connection, of(store).id, judges=True)
    return {(m.metric, m.variant): m for m in found if m.subject.conversation_id is None}


def write(store: Store, folder: Path, key: str = "dreams") -> int:
    study = of(store, key)
    with store.reading() as connection:
        return run_folders.write(connection, study, judgements.judges(connection, study.id)[0], folder)


def read(folder: Path) -> dict[str, Any]:
    """The values of all files of a run folder by their names."""
    return {
        path.relative_to(folder).as_posix(): json.loads(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.json"))
    }


# ---- in ----


def test_each_trial_is_the_history_with_its_own_reply(
    store: Store, bring: Callable[..., ImportReport], run: Path
) -> None:
    report = bring(run)
    assert report.added == {
        "conversations": 6,
        "replies to rate": 5,
        "judgements": 6,
        "failed judge calls": 3,
    }
    with store.reading() as connection:
        trials = conversations.read(connection, conversations.ids(connection, of(store).id))
    assert [conversation.key for conversation in trials] == [f"trial_0{n}" for n in range(1, 7)]
    assert [[(m.role, m.text) for m in conversation.messages or []] for conversation in trials[:2]] == [
        [
            ("user", "A monster chases me."),
            ("assistant", "And then?"),
            ("user", "I wake up."),
            ("assistant", f"<plan>{plan}</plan>\n\nA wall rises before you."),
        ]
        for plan in ("safety / confrontation", "safety")
    ]
    assert trials[0].facts["run"] == "run" and trials[0].facts["temperature"] == 0.7


def test_every_shape_of_a_judgment_is_read_as_what_it_is(
    store: Store, bring: Callable[..., ImportReport], run: Path
) -> None:
    report = bring(run)
    judge_labels = labels(store)
    assert judge_labels["trial_01", "safety"] == ("ok", "2", "why safety")
    assert judge_labels["trial_02", "safety"] == ("ok", "0", "why safety")
    assert [key for key in judge_labels if key[0] == "trial_03"] == []
    assert {judge_labels["trial_05", name] for name in ("safety", "confrontation")} == {
        ("failed", None, "429 quota")
    }
    assert judge_labels["trial_06", "confrontation"] == ("missing", None, None)
    assert (
        "run/judgments.json, line 3: trial 3 was skipped by the judge (empty strategies or response)"
        in report.lines()
    )


def test_a_plan_of_three_ids_is_rated_and_no_valid_plan(
    store: Store, bring: Callable[..., ImportReport], run: Path
) -> None:
    bring(run)
    assert dict(declared(store))["trial_04"] == ["safety", "confrontation", "self_empowerment"]
    assert present(store)["validity_rate", "product"].value == 5 / 6


def test_a_blank_response_is_skipped_in_the_published_mean_and_not_in_the_other(
    store: Store, bring: Callable[..., ImportReport], run: Path
) -> None:
    bring(run)
    numbers = present(store)
    assert numbers["alignment_mean", "reference"].value == pytest.approx(MEAN)
    assert numbers["alignment_mean", "judged"].value == pytest.approx(MEAN_JUDGED)
    assert (
        numbers["alignment_mean", "judged"].detail["n"],
        numbers["alignment_mean", "judged"].detail["of"],
    ) == (3, 6)


def test_the_plan_of_a_blank_response_counts_as_a_plan(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    write(store, tmp_path / "out")
    told = read(tmp_path / "out")["metrics.json"]
    found = present(store)
    for name in ("validity_rate", "jaccard_all", "jaccard_valid_only", "modal_set_agreement"):
        assert found[name, "product"].value == pytest.approx(told[name])
        assert found[name, "product"].detail["reference"] == pytest.approx(told[name])


def test_without_a_history_the_trials_stand_alone_and_it_is_said(
    store: Store, bring: Callable[..., ImportReport], tmp_path: Path
) -> None:
    report = bring(folder_of(tmp_path / "run", [trial("safety")]))
    assert report.lines() == ["run: there is no frozen_history.json; the trials have no earlier messages"]
    assert declared(store) == [("trial_01", ["safety"])]


def test_without_judgments_there_is_no_judge(
    store: Store, bring: Callable[..., ImportReport], tmp_path: Path
) -> None:
    bring(folder_of(tmp_path / "run", [trial("safety")]))
    with store.reading() as connection:
        assert judgements.judges(connection, of(store).id) == []


@pytest.mark.parametrize("plan", ["", None])
def test_a_trial_without_a_plan_is_kept_and_nothing_in_it_is_rated(
    store: Store, bring: Callable[..., ImportReport], tmp_path: Path, plan: str | None
) -> None:
    report = bring(
        folder_of(
            tmp_path / "run",
            [{**trial("safety"), "plan": plan, "strategies": []}, trial("safety")],
            history={"messages": HISTORY},
        )
    )
    assert [key for key, _ in declared(store)] == ["trial_02"]
    assert any("nothing to rate" in line for line in report.lines())


def test_what_metrics_json_says_otherwise_is_said(bring: Callable[..., ImportReport], tmp_path: Path) -> None:
    metrics_file = {
        "n_trials": 3,
        "validity_rate": 0.5,
        "jaccard_all": 1.0,
        "jaccard_valid_only": None,
        "modal_set_agreement": "high",
    }
    report = bring(
        folder_of(
            tmp_path / "run",
            [trial("safety"), trial("safety", response="Another wall.")],
            history={"messages": HISTORY},
            told=metrics_file,
        )
    )
    assert report.lines() == [
        "run: metrics.json says validity_rate 0.5000, the trials give 1.0000",
        "run: metrics.json counts 3 trials, the folder has 2",
    ]


@pytest.mark.parametrize("told", ["[]", "3", "broken", "{}"])
def test_a_metrics_json_of_another_form_is_no_reason_to_refuse(
    store: Store, bring: Callable[..., ImportReport], tmp_path: Path, told: str
) -> None:
    folder = folder_of(tmp_path / "run", [trial("safety")], history={"messages": HISTORY})
    (folder / "metrics.json").write_text(told)
    bring(folder)
    assert declared(store) == [("trial_01", ["safety"])]


@pytest.mark.parametrize("strategies", [None, [], ""])
def test_a_trial_that_says_it_has_no_strategies_is_no_crash(
    store: Store, bring: Callable[..., ImportReport], tmp_path: Path, strategies: Any
) -> None:
    bring(
        folder_of(
            tmp_path / "run",
            [{**trial("safety"), "strategies": strategies}],
            history={"messages": HISTORY},
            told={"validity_rate": 1.0},
        )
    )
    assert declared(store) == [("trial_01", ["safety"])]


def test_trials_that_do_not_say_their_strategies_are_compared_by_their_plans(
    bring: Callable[..., ImportReport], tmp_path: Path
) -> None:
    bare = {"plan": "<plan>safety</plan>", "response": "A wall rises."}
    assert (
        bring(
            folder_of(
                tmp_path / "run",
                [bare, {**bare, "response": "Another wall."}],
                history={"messages": HISTORY},
                told={"validity_rate": 1.0},
            )
        ).lines()
        == []
    )


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ("{broken", "trial_02.json can't be read (Expecting property name"),
        ("", "trial_02.json can't be read (Expecting value"),
        ("[]", "trials/trial_02.json is not an object"),
        ('{"plan": 3, "response": "x"}', "trials/trial_02.json: plan and response must be texts"),
        (
            '{"plan": "<plan>safety</plan>", "response": ["x"]}',
            "trials/trial_02.json: plan and response must be texts",
        ),
        ('{"plan": "<plan>safety</plan>", "response": "half \\ud800"}', "trial_02.json"),
        (
            '{"plan": "<plan>safety</plan>", "response": "x", "strategies": 5}',
            "trials/trial_02.json: strategies must be a list of ids",
        ),
        (
            '{"plan": "<plan>safety</plan>", "response": "x", "strategies": [["safety"]]}',
            "trials/trial_02.json: strategies must be a list of ids",
        ),
    ],
)
def test_a_trial_of_another_form_refuses_the_whole_run(
    store: Store, refuse: Callable[[Path], list[str]], tmp_path: Path, wrong: str, says: str
) -> None:
    folder = folder_of(
        tmp_path / "run",
        [trial("safety"), trial("safety")],
        history={"messages": HISTORY},
        told={"validity_rate": 1.0},
    )
    (folder / "trials" / "trial_02.json").write_text(wrong)
    assert says in refuse(folder)[0]
    with store.reading() as connection:
        assert studies.find(connection, "dreams") is None


def test_a_trial_in_another_encoding_is_named(refuse: Callable[[Path], list[str]], tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", [trial("safety")], history={"messages": HISTORY})
    (folder / "trials" / "trial_01.json").write_bytes(
        '{"plan": "", "response": "caf\u00e9"}'.encode("latin-1")
    )
    assert "trial_01.json can't be read ('utf-8' codec" in refuse(folder)[0]


def test_two_files_of_one_trial_are_refused(refuse: Callable[[Path], list[str]], tmp_path: Path) -> None:
    folder = folder_of(tmp_path / "run", [trial("safety")], history={"messages": HISTORY})
    (folder / "trials" / "trial_1.json").write_text(json.dumps(trial("safety", "confrontation")))
    assert "trial 1 twice" in refuse(folder)[0]


@pytest.mark.parametrize(
    ("history", "says"),
    [
        ([], "frozen_history.json has no list of messages"),
        ({"messages": "x"}, "frozen_history.json has no list of messages"),
        (
            {"messages": [{"role": "narrator", "content": "x"}]},
            "frozen_history.json, message 1: expected role and content",
        ),
        (
            {"messages": [*HISTORY, {"role": "user", "content": None}]},
            "frozen_history.json, message 4: expected role and content",
        ),
        ({"messages": ["x"]}, "frozen_history.json, message 1: expected role and content"),
    ],
)
def test_a_history_of_another_form_is_refused(
    refuse: Callable[[Path], list[str]], tmp_path: Path, history: Any, says: str
) -> None:
    assert refuse(folder_of(tmp_path / "run", [trial("safety")], history=history)) == [f"run: {says}"]


def test_a_folder_without_trials_is_refused(refuse: Callable[[Path], list[str]], tmp_path: Path) -> None:
    assert refuse(folder_of(tmp_path / "run", [], history={"messages": HISTORY})) == [
        "run: there is no trials/trial_01.json in the folder"
    ]


def test_a_judgment_of_a_trial_that_is_not_there_refuses_the_whole_run(
    store: Store, refuse: Callable[[Path], list[str]], tmp_path: Path
) -> None:
    problems = refuse(
        folder_of(
            tmp_path / "run",
            [trial("safety")],
            [judged(1, safety=2), judged(2, safety=2)],
            {"messages": HISTORY},
        )
    )
    assert "run/judgments.json, line 2: the study has no conversation 'trial_02'" in problems[0]
    with store.reading() as connection:
        assert studies.find(connection, "dreams") is None


def test_a_study_without_a_taxonomy_takes_no_run(small: Any, run: Path) -> None:
    with pytest.raises(ImportRefused) as caught:
        importing.import_run_folder(small.store, "small", run, "tests", JudgeIdentity("Judge"))
    assert "has no taxonomy of strategies" in caught.value.report.lines()[0]


def test_the_same_run_again_adds_nothing(
    store: Store, bring: Callable[..., ImportReport], run: Path, row_counts: Callable[[], dict[str, int]]
) -> None:
    bring(run)
    before = row_counts()
    report = importing.import_run_folder(store, "dreams", run, "tests", JudgeIdentity("Judge"))
    assert (report.added.total(), report.already["conversations"], report.already["judgements"]) == (0, 6, 9)
    assert row_counts() == before


def test_the_same_run_in_a_folder_of_another_name_adds_nothing(
    store: Store, bring: Callable[..., ImportReport], run: Path, row_counts: Callable[[], dict[str, int]]
) -> None:
    bring(run)
    before = row_counts()
    moved = run.rename(run.with_name("copy"))
    report = importing.import_run_folder(store, "dreams", moved, "tests", JudgeIdentity("Judge"))
    assert row_counts() == before
    assert "the study holds these trials as the run 'run'" in "".join(report.lines())


def test_a_dry_run_keeps_nothing(store: Store, bring: Callable[..., ImportReport], run: Path) -> None:
    assert bring(run, dry_run=True).added["conversations"] == 6
    with store.reading() as connection:
        assert studies.find(connection, "dreams") is None


# ---- out ----


def test_what_goes_out_has_the_published_form(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    assert write(store, tmp_path / "out") == 6
    out = read(tmp_path / "out")
    assert sorted(out) == [
        "frozen_history.json",
        "judgments.json",
        "metrics.json",
        *(f"trials/trial_0{n}.json" for n in range(1, 7)),
    ]
    assert [(m["role"], m["content"]) for m in out["frozen_history.json"]["messages"]] == [
        (m["role"], m["content"]) for m in HISTORY
    ]
    assert out["trials/trial_04.json"] == {
        "plan": "<plan>safety / confrontation / self_empowerment</plan>",
        "response": "A wall rises before you.",
        "strategies": ["confrontation", "safety", "self_empowerment"],
    }
    assert out["trials/trial_03.json"] == {
        "plan": "<plan>safety</plan>",
        "response": "",
        "strategies": ["safety"],
    }
    metrics_file = out["metrics.json"]
    assert metrics_file["alignment_mean"] == pytest.approx(MEAN)
    assert (metrics_file["alignment_mean_judged"], metrics_file["n_judged"], metrics_file["n_trials"]) == (
        pytest.approx(MEAN_JUDGED),
        3,
        6,
    )
    assert metrics_file["alignment_per_trial"] == pytest.approx([3 / 4, 0, 0, 5 / 6, 0, 0])
    assert metrics_file["strategy_counts"] == {"safety": 5, "confrontation": 4, "self_empowerment": 1}


def test_the_judgments_that_go_out_are_those_that_came_in(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    write(store, tmp_path / "out")
    out = read(tmp_path / "out")["judgments.json"]
    assert [entry["trial"] for entry in out] == [1, 2, 3, 4, 5, 6]
    for came, went in zip(JUDGMENTS[:4], out[:4], strict=True):
        assert went.get("parsed") == came.get("parsed")
        assert went.get("trial_alignment") == (
            pytest.approx(came["trial_alignment"]) if "parsed" in came else None
        )
    assert out[2] == JUDGMENTS[2]
    assert out[4] == JUDGMENTS[4]
    assert out[5] == {"trial": 6, "error": "no score"}


def test_a_failed_strategy_does_not_go_out_with_its_error_as_the_reason_of_a_0(
    store: Store, bring: Callable[..., ImportReport], tmp_path: Path
) -> None:
    bring(folder_of(tmp_path / "run", [trial("safety", "confrontation")], history={"messages": HISTORY}))
    file = tmp_path / "j.jsonl"
    file.write_text(
        "\n".join(
            json.dumps({"conversation_id": "trial_01", "criterion": name, **more})
            for name, more in (
                ("safety", {"label": 2, "reasoning": "a wall"}),
                ("confrontation", {"status": "quota", "detail": "429 quota"}),
            )
        )
    )
    importing.import_judgements(store, "dreams", file, "tests", JudgeIdentity("Judge"))
    write(store, tmp_path / "out")
    assert read(tmp_path / "out")["judgments.json"][0]["parsed"] == {
        "safety": {"score": 2, "reasoning": "a wall"},
        "confrontation": {"score": 0, "reasoning": "not scored by judge"},
    }


def test_out_and_in_and_out_again_gives_the_same_files(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    write(store, tmp_path / "first" / "run")
    bring(tmp_path / "first" / "run", key="again")
    write(store, tmp_path / "second" / "run", key="again")
    first, second = read(tmp_path / "first" / "run"), read(tmp_path / "second" / "run")
    assert (
        first["frozen_history.json"].pop("session_id") == "dreams"
        and second["frozen_history.json"].pop("session_id") == "again"
    )
    assert first == second


def test_the_sample_study_goes_out_and_comes_back(sample_store: Store, tmp_path: Path) -> None:
    write(sample_store, tmp_path / "out", key="plan_demo")
    new = NewStudy(
        StudySpec("back", "Back", 0),
        "plan_alignment",
        "counselling",
        (),
        ROOT / "instruments",
        ROOT / "taxonomies",
    )
    importing.import_run_folder(
        sample_store, "back", tmp_path / "out", "tests", JudgeIdentity("Judge"), new=new
    )
    write(sample_store, tmp_path / "out2", key="back")
    first, second = read(tmp_path / "out"), read(tmp_path / "out2")
    assert len(first) == 17
    assert (first["judgments.json"], first["metrics.json"]) == (
        second["judgments.json"],
        second["metrics.json"],
    )


def test_the_numbers_that_go_out_are_those_that_are_computed(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    found = present(store)
    write(store, tmp_path / "out")
    told = read(tmp_path / "out")["metrics.json"]
    assert told["alignment_mean"] == found["alignment_mean", "reference"].value
    assert told["alignment_mean_judged"] == found["alignment_mean", "judged"].value


def test_a_folder_with_something_in_it_is_left_alone(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    out = tmp_path / "out"
    out.mkdir()
    (out / "notes.txt").write_text("mine")
    with pytest.raises(Refused, match="folder_not_empty"):
        write(store, out)
    assert [path.name for path in out.iterdir()] == ["notes.txt"]


def test_an_empty_folder_may_be_written_to(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    (tmp_path / "out").mkdir()
    assert write(store, tmp_path / "out") == 6


def test_a_run_with_an_erased_conversation_is_not_written(
    store: Store, bring: Callable[..., ImportReport], run: Path, tmp_path: Path
) -> None:
    bring(run)
    with store.writing("lead", "erase", of(store).id) as (connection, entry):
        erase_conversation(connection, entry, of(store), "trial_02", "consent withdrawn")
    with pytest.raises(Refused, match="run_with_erased_words"):
        write(store, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_study_without_declared_plans_is_no_run(small: Any, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no_run_to_write"):
        write(small.store, tmp_path / "out", key="small")


def test_a_conversation_with_several_planned_replies_is_no_trial(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "talks.jsonl"
    file.write_text(
        json.dumps(
            {
                "id": "a",
                "turns": [
                    {"user": "x", "assistant": "<plan>safety</plan>\n\nA wall."},
                    {"user": "y", "assistant": "<plan>confrontation</plan>\n\nGo."},
                ],
            }
        )
    )
    new = NewStudy(
        StudySpec("dreams", "Dreams", 0),
        "plan_alignment",
        "dream_code_7",
        (),
        ROOT / "instruments",
        ROOT / "taxonomies",
    )
    importing.import_conversations(store, "dreams", file, "tests", new=new)
    judged_file = tmp_path / "j.jsonl"
    judged_file.write_text(json.dumps({"conversation_id": "a", "turn": 1, "criterion": "safety", "label": 2}))
    importing.import_judgements(
        store, "dreams", judged_file, "tests", JudgeIdentity("Judge"), turns=OWN_COUNT
    )
    with pytest.raises(Refused, match="several_plans_in_conversation"):
        write(store, tmp_path / "out")
