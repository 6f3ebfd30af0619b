"""Target plans proposed from the text of a case: nothing counts before a person took it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
import sqlalchemy as sa

from data import schema
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import metrics, plan_proposals, references, studies
from data.record.references import References
from data.record.studies import Study
from data.store.errors import Refused
from data.store.store import Store
from runs.plan_proposals import ProposalResult, propose_plans
from runs.scoring import score_study
from scoring.entailment import Verdict
from scoring.models.model_settings import ModelMissing
from scoring.plan_components import Component, Components, shipped_components
from services.plan_proposals import accept_plan, refuse_plan
from services.study_changes import save_target_plan
from tests.studies import importing, small_study

PARTS = Components(
    key="two",
    version="1",
    title="Two parts",
    components=(
        Component(id="sleep", sentence="Ask about sleep.", hypotheses=("sleep", "tired")),
        Component(id="safety", sentence="Ask about safety.", hypotheses=("harm",)),
    ),
)


class ByWords:
    """Whatever stands in the text follows from it; on "unclear" the model fails."""

    label = "by words"

    def __init__(self) -> None:
        self.asked: list[tuple[str, str]] = []

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict | None]:
        self.asked += pairs
        return [
            None if "unclear" in premise else "entailment" if hypothesis in premise else "neutral"
            for premise, hypothesis in pairs
        ]


@pytest.fixture
def study(store: Store, tmp_path: Path) -> Study:
    """Conversations c1 to c4 with a text each, c5 with none; what the assistant says would speak for safety."""
    small_study.make(store, tmp_path, with_judges=False)
    path = tmp_path / "cases.jsonl"
    texts = {
        "case-1": "The client is tired and may come to harm.",
        "case-2": "Look at sleep.",
        "case-3": "Nothing of that.",
        "case-4": "This is unclear.",
        "case-5": "",
    }
    messages = [{"role": "user", "content": "Hello."}, {"role": "assistant", "content": "Do you fear harm?"}]
    path.write_text(
        "".join(
            json.dumps({"id": key, "messages": messages, "counselor_think": text}) + "\n"
            for key, text in texts.items()
        )
    )
    importing.import_conversations(store, "small", path, "tests")
    with store.reading() as connection:
        return studies.get_by_key(connection, "small")


def propose(store: Store, study: Study, model: ByWords | None = None) -> ProposalResult:
    asked = model or ByWords()
    return propose_plans(store, study, "lead", PARTS, lambda conversation: asked)


def undecided(store: Store, study: Study) -> dict[str, plan_proposals.PlanProposal]:
    with store.reading() as connection:
        return {proposal.key: proposal for proposal in plan_proposals.undecided(connection, study)}


def plan_of(store: Store, study: Study, key: str) -> str | None:
    with store.reading() as connection:
        reference = References(connection, study.id).of("target_plan", key, None)
    return None if reference is None else str(reference.body)


def test_each_text_has_the_parts_that_follow_from_it(store: Store, study: Study) -> None:
    result = propose(store, study)
    assert (result.texts, result.proposed, result.empty, result.failed) == (4, 2, 1, 1)
    proposals = undecided(store, study)
    assert proposals["case-1"].plan == "Ask about sleep. Ask about safety."
    assert proposals["case-1"].evidence == {"Ask about sleep.": "tired", "Ask about safety.": "harm"}
    assert (proposals["case-2"].plan, proposals["case-2"].evidence) == (
        "Ask about sleep.",
        {"Ask about sleep.": "sleep"},
    )
    assert (proposals["case-3"].plan, proposals["case-3"].undefined) == (
        None,
        "No part of a plan follows from what the counsellor says.",
    )
    assert "case-4" not in proposals and "case-5" not in proposals
    assert proposals["case-1"].source == "counselor_think"


def test_texts_without_a_plan_are_told_apart_from_plans(store: Store, study: Study) -> None:
    assert "1 gave no part of a plan, 0 were read before" in propose(store, study).lines()[0]
    assert "0 gave no part of a plan, 3 were read before" in propose(store, study).lines()[0]


def test_what_the_assistant_said_is_never_read(store: Store, study: Study) -> None:
    model = ByWords()
    propose(store, study, model)
    assert model.asked and not any("Do you fear" in premise for premise, _ in model.asked)


def test_a_proposal_counts_for_nothing_before_it_is_taken(store: Store, study: Study) -> None:
    propose(store, study)
    assert [plan_of(store, study, key) for key in ("case-1", "case-2")] == [None, None]
    score_study(store, "small", "lead")
    with store.reading() as connection:
        assert not [
            value for value in metrics.present(connection, study.id) if value.metric == "goal_alignment"
        ]


def test_taken_changed_and_refused(store: Store, study: Study) -> None:
    propose(store, study)
    proposals = undecided(store, study)
    assert (
        accept_plan(store, "lead", study, proposals["case-1"], proposals["case-1"].plan or "") == "accepted"
    )
    assert accept_plan(store, "lead", study, proposals["case-2"], "Ask about sleep twice.") == "edited"
    with pytest.raises(Refused, match="plan_refusal_needs_reason"):
        refuse_plan(store, "lead", study, proposals["case-3"], " ")
    refuse_plan(store, "lead", study, proposals["case-3"], "nothing in it")
    assert plan_of(store, study, "case-1") == "Ask about sleep. Ask about safety."
    assert plan_of(store, study, "case-2") == "Ask about sleep twice."
    assert plan_of(store, study, "case-3") is None and undecided(store, study) == {}
    with store.reading() as connection:
        assert verify(connection).problems == []
        sources = connection.execute(sa.select(schema.reference.c.source)).scalars().all()
    assert sources == [
        "proposed from counselor_think with two (1) by by words; accepted",
        "proposed from counselor_think with two (1) by by words; edited",
    ]


def test_nobody_decides_twice_and_nothing_is_overwritten(store: Store, study: Study) -> None:
    propose(store, study)
    stale = undecided(store, study)
    accept_plan(store, "lead", study, stale["case-1"], stale["case-1"].plan or "")
    for decide in (
        lambda: accept_plan(store, "other", study, stale["case-1"], "mine"),
        lambda: refuse_plan(store, "other", study, stale["case-1"], "no"),
    ):
        with pytest.raises(Refused, match="proposal_decided"):
            decide()
    save_target_plan(store, "other", study, "conversation:case-2", "written by hand", 0)
    with pytest.raises(Refused, match="plan_saved_meanwhile"):
        accept_plan(store, "lead", study, stale["case-2"], "mine")
    assert plan_of(store, study, "case-2") == "written by hand"
    assert undecided(store, study)["case-2"].after == 1, "nothing of a decision is left behind"


def test_proposing_again_makes_nothing_twice_and_tries_a_failure_again(store: Store, study: Study) -> None:
    propose(store, study)
    again = propose(store, study)
    assert (again.proposed, again.empty, again.already, again.failed) == (0, 0, 3, 1)
    accepted = undecided(store, study)["case-1"]
    accept_plan(store, "lead", study, accepted, accepted.plan or "")
    propose(store, study)
    assert "case-1" not in undecided(store, study)


def test_an_erased_conversation_has_no_proposal_and_no_words(store: Store, study: Study) -> None:
    propose(store, study)
    refuse_plan(store, "lead", study, undecided(store, study)["case-1"], "it names Ms Smith")
    with store.writing("lead", "erase", study.id) as (connection, entry):
        for key in ("case-1", "case-2"):
            erase_conversation(connection, entry, study, key, "asked for")
    assert set(undecided(store, study)) == {"case-3"}
    with store.reading() as connection:
        table, decision = schema.plan_proposal, schema.plan_decision
        plans = connection.execute(
            sa.select(table.c.plan_content, table.c.evidence_content).where(table.c.plan_content.is_not(None))
        )
        reasons = connection.execute(sa.select(decision.c.reason_content))
        ids = [*(number for row in plans for number in row), *reasons.scalars()]
        texts = connection.execute(sa.select(schema.content.c.text).where(schema.content.c.id.in_(ids)))
        assert set(texts.scalars()) == {None} and len(ids) == 5
        assert verify(connection).problems == []


def test_without_a_text_and_without_a_model_it_is_said(store: Store, study: Study, weights: Path) -> None:
    with pytest.raises(ModelMissing, match="Nothing is set up that says whether one text follows"):
        propose_plans(store, study, "lead")
    assert "What the assistant said is never used" in ProposalResult().lines()[0]


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_empty_plan_is_not_taken(text: str, store: Store, study: Study) -> None:
    propose(store, study)
    with pytest.raises(Refused, match="plan_empty"):
        accept_plan(store, "lead", study, undecided(store, study)["case-1"], text)
    assert "case-1" in undecided(store, study)


def test_the_shipped_parts_can_be_used(store: Store, study: Study) -> None:
    model = ByWords()
    propose_plans(store, study, "lead", None, lambda conversation: model)
    hypotheses = {sentence for part in shipped_components().components for sentence in part.hypotheses}
    assert {hypothesis for _, hypothesis in model.asked} == hypotheses


class Meanwhile(ByWords):
    """Something happens while the model reads "sleep"."""

    def __init__(self, happens: Callable[[], object]) -> None:
        super().__init__()
        self._happens: Callable[[], object] | None = happens

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict | None]:
        if self._happens and "sleep" in pairs[0][0]:
            happens, self._happens = self._happens, None
            happens()
        return super().verdicts(pairs)


def erase(store: Store, study: Study, key: str) -> None:
    with store.writing("lead", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, key, "asked for")


def test_nothing_is_proposed_of_words_that_were_erased_meanwhile(store: Store, study: Study) -> None:
    result = propose(store, study, Meanwhile(lambda: erase(store, study, "case-2")))
    assert (result.proposed, result.already) == (1, 0)
    with store.reading() as connection:
        texts = set(connection.execute(sa.select(schema.content.c.text)).scalars())
    assert "Ask about sleep." not in texts


def test_two_commands_at_once_propose_nothing_twice(store: Store, study: Study) -> None:
    result = propose(store, study, Meanwhile(lambda: propose(store, study)))
    assert (result.proposed, result.empty, result.already, result.failed) == (0, 0, 3, 1)
    with store.reading() as connection:
        table = schema.plan_proposal
        assert connection.execute(sa.select(sa.func.count()).select_from(table)).scalar() == 3


def test_nobody_decides_on_words_that_were_erased_meanwhile(store: Store, study: Study) -> None:
    propose(store, study)
    proposal = undecided(store, study)["case-1"]
    erase(store, study, "case-1")
    for decide in (
        lambda: accept_plan(store, "lead", study, proposal, proposal.plan or ""),
        lambda: refuse_plan(store, "lead", study, proposal, "it names Ms Smith"),
    ):
        with pytest.raises(Refused, match="erased_before_saving"):
            decide()


def test_a_proposal_is_not_shown_beside_a_text_that_it_was_not_made_of(store: Store, study: Study) -> None:
    def put_steps(*steps: str) -> None:
        with store.writing("lead", "put", study.id) as (connection, entry):
            scope = references.conversation_scope("case-5")
            references.put(connection, entry, study, "gold_steps", scope, list(steps), "by hand")

    put_steps("Look at sleep.")
    propose(store, study)
    assert undecided(store, study)["case-5"].plan == "Ask about sleep."
    put_steps("She may come to harm.")
    assert "case-5" not in undecided(store, study)
    propose(store, study)
    assert undecided(store, study)["case-5"].plan == "Ask about safety."
