"""The whole way of a verdict on thirty pairs that were worked by hand: prompt, SDK, server, reply, ledger, and
what is computed of it. Nothing is turned round, shifted or mixed up on the way.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
import yaml

from data.store.store import Store
from runs.requests.entailment import PendingEntailment, open_entailment, set_up_entailment
from runs.requests.request_run import ask_requests
from scoring.entailment import Verdict, one_by_one
from scoring.knowledge_conflict import knowledge_conflict
from scoring.models import installed_models
from scoring.plan_components import Component, Components, plan_components
from scoring.step_validity import check_step_validity, step_validity
from tests.servers.judges import SECRET, VARIABLE, gemini_fields
from tests.servers.model_server import ModelServer, Reply, Seen, gemini, serving
from tests.studies import small_study
from tests.studies.hand_worked_pairs import PAIRS, VERDICTS
from tests.unit.runs.requests.test_entailment_judge import pair_in


def as_worked(seen: Seen) -> Reply:
    return gemini(json.dumps({"reasoning": "Worked by hand.", "label": VERDICTS[pair_in(seen)]}))


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with serving(as_worked) as started:
        yield started


def test_each_pair_comes_back_with_its_own_verdict(
    store: Store, tmp_path: Path, server: ModelServer, weights: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, SECRET)
    monkeypatch.setenv("SECOND_READER_MODELS", str(tmp_path / "models.yaml"))
    fields = gemini_fields(server, max_output_tokens=256)
    (tmp_path / "models.yaml").write_text(yaml.safe_dump({"judges": {"cloud": fields}}), encoding="utf-8")
    installed_models.write_entailment(weights, judge="cloud")
    study = small_study.make(store, tmp_path, with_judges=False, data_class="synthetic").study
    setup, prompt = set_up_entailment(store, study)
    collector = PendingEntailment(setup, prompt, 1, False)
    order = random.Random(3).sample(list(PAIRS), len(PAIRS))
    collector.verdicts([(premise, hypothesis) for premise, hypothesis, _ in order])
    assert ask_requests(setup, list(collector.calls.values()), "lead").is_finished
    model = open_entailment(store, study)(1)
    assert list(model.verdicts([(premise, hypothesis) for premise, hypothesis, _ in PAIRS])) == [
        verdict for *_, verdict in PAIRS
    ]
    assert [check_step_validity(model, premise, hypothesis) for premise, hypothesis, _ in PAIRS] == [
        verdict == "entailment" for *_, verdict in PAIRS
    ]


class ByHand:
    """The verdicts as they were worked; of everything else, that it does not follow."""

    label = "by hand"

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict]:
        return [VERDICTS.get(pair, "neutral") for pair in pairs]


def test_what_is_computed_of_them_is_what_was_worked_by_hand() -> None:
    """Steps: of two, one follows from the prompt, the other does not from prompt and step. Advice: every
    second pair of turns, so the first and the third; one of both contradicts. Parts: two of three.
    """
    validity = step_validity(
        "He drinks a bottle of wine every evening.",
        ["He drinks alcohol every day.", "He is over forty."],
        ByHand(),
    )
    assert (validity.verdicts, validity.valid.value) == (("entailment", "neutral"), 0.5)
    turns = [
        "Take the tablets every morning.",
        "Do not take the tablets any more.",
        "Stay away from the crowd for now.",
        "Keep a diary of your sleep.",
    ]
    conflict = knowledge_conflict({"c": turns}, lambda reply: reply, one_by_one(ByHand()))
    assert conflict.verdicts == ("contradiction", "neutral") and conflict.rate.value == 0.5
    parts = Components(
        key="hand",
        version="1",
        title="By hand",
        components=(
            Component(id="sleep", sentence="Look at sleep.", hypotheses=("The client is afraid of dogs.",)),
            Component(
                id="rest",
                sentence="Plan rest.",
                hypotheses=("The client slept well last night.", "The client sleeps too little."),
            ),
        ),
    )
    plan = plan_components(["The client has not slept for three nights."], ByHand(), parts)
    assert (plan.plan, plan.evidence) == ("Plan rest.", {"rest": "The client sleeps too little."})
