"""What the workbench's browser sends is believed in nothing: forms, units, ids, numbers, and what was sent
before.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from data import schema
from data.record import studies
from data.record.studies import Rater
from data.store.errors import StoreError
from data.store.free_text import NOTE_LIMIT
from data.store.store import Store
from data.work import ratings
from data.work.repeats import original
from data.work.worklist import open_worklist
from pages.widgets.workbench.view import view
from reports.refusals import word_error
from services import rating_events as events
from tests.studies import small_study
from tests.studies.planned import Worker, plan_for, workers
from tests.studies.small_study import Small

NOT_IN_LIST = "This is not in your list. Go to My work to see what is."
REUSED = "This entry was not saved, because its id is already in use"


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    return small_study.make(store, tmp_path)


@pytest.fixture
def planned(store: Store, tmp_path: Path) -> Small:
    """Ann comes to her hidden repeat; Ben has one unit."""
    study = small_study.make(store, tmp_path, key="planned", conversation_count=12)
    plan_for(study, overlap=2, repeats=0.2)
    return study


def rater_of(small: Small, number: int = 0) -> Rater:
    with small.store.reading() as connection:
        return studies.rater(connection, small.raters[number])


def take(
    small: Small, *raw_events: Any, rater: int = 0, settled: dict[str, events.Receipt] | None = None
) -> events.Outcome:
    return events.take(
        small.store,
        small.study,
        rater_of(small, rater),
        list(raw_events),
        {} if settled is None else settled,
        1,
        word_error,
    )


def draft(unit: Any, label: str = "YES", name: str = "00000000-1", **more: Any) -> dict[str, Any]:
    return {
        "id": name,
        "kind": "draft",
        "unit": unit,
        "criterion": "warm",
        "answer": {"label": label},
        **more,
    }


def labels(small: Small, position: int = 2, rater: int = 0) -> dict[str, str | None]:
    desk = small.desk(rater)
    with small.store.reading() as connection:
        return {
            name: answer.label
            for name, answer in ratings.drafts(connection, desk.rater, desk.unit(position).id).items()
        }


NONSENSE: dict[str, Any] = {
    "nothing": None,
    "a number": 5,
    "a text": "draft",
    "a list": [],
    "a list of lists": [[["draft"]]],
    "an empty object": {},
    "no kind": {"id": "00000000-2"},
    "an unknown kind": {"id": "00000000-2", "kind": "delete"},
    "a kind that is a list": {"id": "00000000-2", "kind": ["draft"]},
    "a kind of a megabyte": {"id": "00000000-2", "kind": "x" * 1_000_000},
    "an unknown field": draft(1, name="00000000-2", rater=7),
    "an id that is an object": draft(1, name={"a": 1}),  # type: ignore[arg-type]
    "an id of other letters": draft(1, name="'; DROP TABLE"),
    "an id of a megabyte": draft(1, name="a" * 1_000_000),
    "a unit that is a text": draft("1", name="00000000-2"),
    "a unit that is true": draft(True, name="00000000-2"),
    "a unit that is NaN": draft(float("nan"), name="00000000-2"),
    "a unit that is infinite": draft(float("inf"), name="00000000-2"),
    "a huge unit": draft(10**400, name="00000000-2"),
    "a unit with a fraction": draft(1.5, name="00000000-2"),
    "a late that is a number": draft(1, name="00000000-2", late=1),
    "an answer that is a list": draft(1, name="00000000-2", answer=[]),
    "a confidence that is NaN": draft(
        1, name="00000000-2", answer={"label": "YES", "confidence": float("nan")}
    ),
    "evidence of texts": draft(
        1, name="00000000-2", answer={"evidence": [{"message": "0", "start": "0", "end": "1"}]}
    ),
    "half a character": draft(1, name="00000000-2", answer={"label": "YES", "note": "\ud83d"}),
    "a note that is too long": draft(1, name="00000000-2", answer={"label": "YES", "note": "x" * 20_001}),
    "a huge judge": {
        "id": "00000000-2",
        "kind": "reasoning",
        "unit": 1,
        "criterion": "warm",
        "judge": 10**30,
        "value": "partly",
    },
    "judges that are NaN": {
        "id": "00000000-2",
        "kind": "keep",
        "unit": 1,
        "criterion": "warm",
        "judges": [float("nan")],
    },
    "a place that is NaN": {"id": "00000000-2", "kind": "go", "position": float("nan")},
    "labels shown that are numbers": {"id": "00000000-2", "kind": "commit", "unit": 1, "shown": {"warm": 1}},
}


@pytest.mark.parametrize("raw", NONSENSE.values(), ids=NONSENSE)
def test_what_is_no_event_is_refused_with_a_sentence_and_the_others_go_through(
    small: Small, raw: Any
) -> None:
    unit = small.desk().unit(2).id
    outcome = take(small, draft(unit), raw, draft(unit, "NO", "00000000-3"))
    assert outcome.acked == ["00000000-1", "00000000-3"]
    (refusal,) = outcome.refused
    assert refusal["message"].endswith(".") and len(refusal["message"]) < 120 and len(refusal["id"]) <= 100
    assert labels(small) == {"warm": "NO"}
    json.dumps(outcome.refused).encode()  # goes back to the browser


def test_a_refused_event_is_named_so_that_the_browser_lets_go_of_it(small: Small) -> None:
    assert [
        refusal["id"] for refusal in take(small, {"id": "00000000-2", "kind": "delete"}, "draft").refused
    ] == ["00000000-2", ""]


LENGTHS: dict[str, dict[str, Any]] = {
    "draft": {"answer": {"label": "YES"}},
    "change": {"label": "NO"},
    "comment": {},
    "escalate": {"about": "question"},
}


@pytest.mark.parametrize("kind", LENGTHS)
def test_a_text_is_kept_whole_or_refused_in_words(small: Small, kind: str) -> None:
    """Counted in characters, whatever a browser counts."""
    desk = small.desk()
    if kind != "draft":
        desk.rate(2)
        desk.reveal(2)
    head = {"kind": kind, "unit": desk.unit(2).id, "criterion": "warm", **LENGTHS[kind]}
    if kind in ("change", "comment"):
        head["judge"] = small.judges[0]

    def write(name: str, text: str) -> events.Outcome:
        if kind == "draft":
            return take(small, {**head, "id": name, "answer": {**head["answer"], "note": text}})
        return take(
            small, {**head, "id": name, {"change": "reason", "comment": "text"}.get(kind, "note"): text}
        )

    too_long = write("00000000-1", "\U0001f600" * (NOTE_LIMIT + 1))
    assert too_long.acked == [] and "is longer than 20,000 characters" in too_long.refused[0]["message"]
    assert write("00000000-2", "\U0001f600" * NOTE_LIMIT).acked == ["00000000-2"]


# ---- whose units ----


@pytest.mark.parametrize(
    "kind", ["draft", "commit", "skip", "keep", "change", "reasoning", "comment", "escalate"]
)
def test_a_unit_of_another_study_of_a_colleague_or_of_nobody_is_told_in_the_same_words(
    small: Small, planned: Small, kind: str
) -> None:
    fields: dict[str, dict[str, Any]] = {
        "draft": {"criterion": "warm", "answer": {"label": "YES"}},
        "commit": {"shown": {}},
        "skip": {},
        "keep": {"criterion": "warm", "judges": [1]},
        "change": {"criterion": "warm", "label": "NO", "reason": "so"},
        "reasoning": {"criterion": "warm", "judge": 1, "value": "partly"},
        "comment": {"criterion": "warm", "judge": 1, "text": "so"},
        "escalate": {"about": "risk", "note": "so"},
    }
    more = fields[kind]
    ann, ben = workers(planned)
    for worker in (ann, ben):
        worker.take()
    names = {
        name_in_browser(ben, 1),
        planned.desk().unit(1).id,
        small.desk().unit(1).id,
        10**9,
        2 * 10**12,
        2**60,
    }
    messages = {
        take(planned, {"id": f"0000000{number}", "kind": kind, "unit": unit, **more}).refused[0]["message"]
        for number, unit in enumerate(names)
    }
    messages |= {
        take(small, {"id": "00000000", "kind": kind, "unit": planned.desk().unit(1).id, **more}).refused[0][
            "message"
        ]
    }
    messages |= {take(small, {"id": "00000000", "kind": kind, "unit": 10**9, **more}).refused[0]["message"]}
    assert messages == {NOT_IN_LIST}


def name_in_browser(worker: Worker, place: int) -> int:
    with worker.store.reading() as connection:
        return open_worklist(connection, worker.study, worker.rater).name_of(worker.unit(place))


def test_no_raw_id_of_a_planned_study_is_taken_so_that_none_tells_a_repeat(planned: Small) -> None:
    ann = workers(planned)[0]
    while True:
        place = ann.take()
        assert isinstance(place, int)
        if ann.purpose(place) == "repeat":
            break
        ann.rate(place)
    with planned.store.reading() as connection:
        twin = ann.unit(place)
        ids = [twin.id, original(connection, twin.id), ann.unit(1).id]
        everything = list(connection.execute(select(schema.unit.c.id)).scalars())
        shown = view(
            open_worklist(connection, planned.study, rater_of(planned).id), twin, rater_of(planned), True
        )
    assert set(ids) < set(everything)
    outcome = take(planned, *(draft(unit, name=f"{unit:08}") for unit in everything))
    assert {refusal["message"] for refusal in outcome.refused} == {NOT_IN_LIST} and not outcome.acked
    assert take(planned, draft(shown["unit"]["id"])).acked == ["00000000-1"]
    assert [number for number, _state in shown["rail"]] == list(range(1, place + 1)), (
        "places, and no ids, are in the list"
    )


def test_a_hidden_repeat_is_no_unit_of_a_study_without_a_plan(small: Small) -> None:
    unit = small.desk().unit(2)
    with small.store.writing("tests", "repeat", small.study.id) as (_connection, entry):
        twin = entry.write(
            schema.unit,
            {
                "study_id": small.study.id,
                "conversation_id": unit.conversation_id,
                "kind": "repeat",
                "position": -2,
                "criteria": "[]",
            },
        )
    assert take(small, draft(twin)).refused[0]["message"] == NOT_IN_LIST


# ---- ids ----


@pytest.mark.parametrize("same_session", [True, False])
def test_an_id_with_other_content_is_never_acknowledged(small: Small, same_session: bool) -> None:
    unit = small.desk().unit(2).id
    settled: dict[str, events.Receipt] = {}
    for _ in range(2):
        assert take(small, draft(unit), settled=settled).acked == ["00000000-1"]
    for other in (
        draft(unit, "NO"),
        draft(small.desk().unit(3).id),
        draft(unit, criterion="safe"),
        draft(unit, answer={"label": "YES", "note": "so"}),
    ):
        outcome = take(small, other, settled=settled if same_session else {})
        assert outcome.acked == [] and outcome.refused[0]["message"].startswith(REUSED)
    assert labels(small) == {"warm": "YES"} and labels(small, 3) == {}


def test_an_id_of_another_rater_is_never_acknowledged(small: Small) -> None:
    unit = small.desk().unit(2).id
    take(small, draft(unit))
    for label in ("YES", "NO"):
        outcome = take(small, draft(unit, label), rater=1)
        assert outcome.acked == [] and outcome.refused[0]["message"].startswith(REUSED)
    assert labels(small, rater=1) == {}


def test_another_kind_under_the_same_id_is_never_acknowledged(small: Small) -> None:
    unit = small.desk().unit(2).id
    settled: dict[str, events.Receipt] = {}
    take(small, draft(unit), settled=settled)
    skip = {"id": "00000000-1", "kind": "skip", "unit": unit}
    assert take(small, skip, settled=settled).refused[0]["message"].startswith(REUSED)
    assert small.desk().state(2) == "begun"


def test_what_a_closed_tab_left_is_the_same_event(small: Small) -> None:
    """Another tab takes it over, and says so; the server may have it from the first tab already."""
    unit = small.desk().unit(2).id
    settled: dict[str, events.Receipt] = {}
    for late in (False, True):
        for receipts in (settled, {}):
            assert take(small, draft(unit, late=late), settled=receipts).acked == ["00000000-1"]


@pytest.mark.parametrize("other", [{"judge": None}, {"judge": 2}, {"label": "NA"}, {"reason": "another"}])
def test_a_change_beside_another_judge_is_another_event(small: Small, other: dict[str, Any]) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.reveal(2)
    change = {
        "id": "00000000-1",
        "kind": "change",
        "unit": desk.unit(2).id,
        "criterion": "warm",
        "label": "NO",
        "reason": "cold",
        "judge": small.judges[0],
    }
    number = {"judge": small.judges[1]} if other.get("judge") else {}
    for _ in range(2):
        assert take(small, change).acked == ["00000000-1"]
    outcome = take(small, {**change, **other, **number})
    assert outcome.acked == [] and outcome.refused[0]["message"].startswith(REUSED)


def test_before_the_reveal_no_change_names_a_judge(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    change = {
        "id": "00000000-1",
        "kind": "change",
        "unit": desk.unit(2).id,
        "criterion": "warm",
        "label": "NO",
        "reason": "cold",
    }
    assert "hasn't seen" in take(small, {**change, "judge": small.judges[0]}).refused[0]["message"]
    assert desk.ratings(2)["warm"].answer.label == "YES"
    assert take(small, change).acked == ["00000000-1"]


def test_what_the_store_cannot_take_now_is_asked_for_again(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit, whole = small.desk().unit(2).id, ratings.save_draft
    settled: dict[str, events.Receipt] = {}

    def full(*_: Any) -> Callable[..., bool]:
        raise StoreError("The disk is full.")

    monkeypatch.setattr(ratings, "save_draft", full)
    outcome = take(small, draft(unit), draft(unit, "NO", "00000000-2"), settled=settled)
    assert (outcome.acked, outcome.refused, outcome.trouble) == ([], [], "The disk is full.")
    monkeypatch.setattr(ratings, "save_draft", whole)
    assert take(small, draft(unit), settled=settled).acked == ["00000000-1"]
