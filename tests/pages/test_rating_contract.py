"""What the rating page is given, and what it sets, fit services/rating_contract.py in every state of a unit."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from pydantic import ValidationError

from data.access import reveals
from data.record import studies, units
from data.record.studies import Rater, Study
from data.record.units import Unit
from data.store.store import Store
from data.work.worklist import open_worklist
from pages.widgets.workbench.view import view
from reports.refusals import word_error
from services import rating_events
from services.rating_contract import BrowserState, PageData

SAMPLES = ("coaching_demo", "coaching_example", "lend_an_ear", "plan_demo", "vera_mh")
ENVELOPE: dict[str, Any] = {
    "hint": "",
    "session": "first",
    "acked": ["00000000-1"],
    "refused": [{"id": "00000000-2", "message": "This is committed already."}],
    "trouble": None,
    "now": "2026-11-21T08:00:00Z",
    "focus": None,
    "turn": 0,
}


class Sitting:
    """One rater of a sample study, who does things as the page does them."""

    def __init__(self, store: Store, key: str) -> None:
        self.store = store
        with store.reading() as connection:
            study = studies.find(connection, key)
            assert study is not None
            people = studies.raters(connection, study.id)
            self.study: Study = study
            self.rater: Rater = next(rater for rater in people if rater.name == "Reader 1")

    def unit(self, position: int) -> Unit:
        with self.store.reading() as connection:
            unit = units.at_position(connection, self.study.id, position)
        assert unit is not None
        return unit

    def page_data(self, unit: Unit) -> dict[str, Any]:
        with self.store.reading() as connection:
            worklist = open_worklist(connection, self.study, self.rater.id)
            return {**view(worklist, unit, self.rater, with_transcript=True), **ENVELOPE}

    def do(self, unit: Unit, kind: str, **fields: Any) -> None:
        """One event; afterwards the page's data still fit."""
        event = {"id": str(uuid.uuid4()), "kind": kind, "unit": unit.id, **fields}
        outcome = rating_events.take(
            self.store, self.study, self.rater, [event], {}, unit.position, word_error
        )
        assert (outcome.refused, outcome.trouble) == ([], None)
        check(self.page_data(unit))

    def rate(self, unit: Unit) -> None:
        criteria = unit.criteria(self.study)
        for number, criterion in enumerate(criteria):
            if self.study.instrument.forced_not_applicable(criterion, unit.turns):
                continue
            label = self.study.instrument.permitted(criterion)[0].id
            answer: dict[str, Any] = {"label": label, "note": "so", "confidence": 2}
            if number == 0:
                answer |= {"evidence": [{"message": unit.message or 0, "start": 0, "end": 3}]}
            if number == 1:
                answer = {"cannot_rate": "unclear_criterion"}
            self.do(unit, "draft", criterion=criterion.id, answer=answer)
        given = self.page_data(unit)["answers"]
        shown = {name: answer["label"] or answer["cannot_rate"] for name, answer in given.items()}
        self.do(unit, "commit", shown=shown)

    def reveal(self, unit: Unit) -> None:
        with self.store.writing("tests", "reveal", self.study.id) as (connection, entry):
            reveals.record_reveal(connection, entry, self.study, unit, self.rater.id)
        check(self.page_data(unit))


def check(data: dict[str, Any]) -> PageData:
    return PageData.model_validate_json(json.dumps(data))


@pytest.mark.parametrize("key", SAMPLES)
def test_the_data_of_every_unit_fit_before_anything_was_done(scored_store: Store, key: str) -> None:
    sitting = Sitting(scored_store, key)
    with scored_store.reading() as connection:
        count = studies.unit_count(connection, sitting.study.id)
    assert count
    for position in range(1, count + 1):
        data = check(sitting.page_data(sitting.unit(position)))
        assert data.reveal is None and data.committed_at is None


@pytest.mark.parametrize("key", [key for key in SAMPLES if key != "vera_mh"])  # which never shows the judge
def test_the_data_fit_after_everything_that_can_be_done_with_a_unit(store: Store, key: str) -> None:
    sitting = Sitting(store, key)
    unit = sitting.unit(1)
    sitting.do(unit, "escalate", about="question", note="how is this meant?", criterion=None)
    for position in range(1, sitting.study.batch_size + 1 if sitting.study.reveal == "after_batch" else 2):
        sitting.rate(sitting.unit(position))
    sitting.reveal(unit)
    data = check(sitting.page_data(unit))
    assert data.reveal is not None
    for name, judgements in data.reveal.judgements.items():
        for judge, judgement in judgements.items():
            if judgement.status != "ok":
                continue
            sitting.do(unit, "keep", criterion=name, judges=[int(judge)])
            if judgement.reasoning:
                about = {"criterion": name, "judge": int(judge)}
                sitting.do(unit, "reasoning", **about, value="partly")
                sitting.do(unit, "comment", **about, text="so")
    criterion = next(c for c in data.criteria if data.ratings[c.id].source != "rule")
    other = next(level.id for level in criterion.levels if level.id != data.ratings[criterion.id].label)
    sitting.do(unit, "change", criterion=criterion.id, label=other, reason="so")
    assert check(sitting.page_data(unit)).ratings[criterion.id].first is not None


def test_the_metrics_of_a_conversation_with_references_fit(scored_store: Store) -> None:
    sitting = Sitting(scored_store, "coaching_demo")
    unit = sitting.unit(3)
    before = check(sitting.page_data(unit)).metrics
    assert before and before.goal and before.step_pairs and not before.steps and before.entities
    sitting.do(unit, "step_scores", inputs=before.step_pairs.inputs)
    sitting.rate(unit)
    sitting.reveal(unit)
    after = check(sitting.page_data(unit)).metrics
    assert after and after.steps and after.steps.pairs and not after.step_pairs
    assert [panel.metric for panel in after.judges] == ["rubric_score"]


def test_nothing_is_sent_that_the_contract_does_not_name_and_no_word_stands_in_the_error(
    store: Store,
) -> None:
    sitting = Sitting(store, "coaching_demo")
    data = sitting.page_data(sitting.unit(1))
    for faulty in (
        {**data, "condition": "SECRET"},
        {**data, "unit": {**data["unit"], "model": "SECRET"}},
        {**data, "transcript": [{"role": "user", "turn": 1, "text": "SECRET", "condition": "SECRET"}]},
        {**data, "exposure": ["SECRET"]},
    ):
        with pytest.raises(ValidationError) as error:
            check(faulty)
        assert "SECRET" not in str(error.value)


def test_the_data_without_a_transcript_fit_and_without_anything_else_they_do_not(store: Store) -> None:
    sitting = Sitting(store, "coaching_demo")
    data = sitting.page_data(sitting.unit(1))
    for name in data:
        rest = {other: value for other, value in data.items() if other != name}
        if name == "transcript":
            assert check(rest).transcript is None
        else:
            with pytest.raises(ValidationError, match=name):
                check(rest)


EVENT = {"id": "00000000-1", "kind": "skip", "unit": 1}


@pytest.mark.parametrize(
    ("sent", "events", "want"),
    [
        ({}, None, None),
        ({"events": [EVENT], "want": 7}, [EVENT], 7),
        ({"events": [EVENT, None, {"kind": "delete"}, 5]}, [EVENT, None, {"kind": "delete"}, 5], None),
        ({"events": "draft", "want": 7}, None, 7),
        ({"events": {"id": 1}, "want": [7]}, None, None),
        ({"events": [], "want": 0}, [], None),
        ({"events": [EVENT], "want": "7", "more": 1}, [EVENT], None),
    ],
)
def test_what_the_browser_sets_wrongly_keeps_nothing_else_from_being_read(
    sent: dict[str, Any], events: Any, want: int | None
) -> None:
    state = BrowserState.model_validate(sent)
    assert (state.events, state.want) == (events, want)
