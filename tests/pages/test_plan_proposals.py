"""Proposed plans on the Plans of care page: with their reasons, taken, changed or refused; for leads alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from streamlit.testing.v1 import AppTest

from data.record import plan_proposals, studies
from data.record.references import References
from data.record.studies import Study
from data.store.store import Store
from runs.plan_proposals import propose_plans
from scoring.entailment import Verdict
from tests.pages.conftest import text_of

KEY = "coaching_demo"


class First:
    """The first sentence that is asked about each text follows from it, and no other."""

    label = "first"

    def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict | None]:
        return ["entailment" if number == 0 else "neutral" for number in range(len(pairs))]


@pytest.fixture
def study(store: Store) -> Study:
    with store.reading() as connection:
        study = studies.get_by_key(connection, KEY)
    assert propose_plans(store, study, "lead", source=lambda conversation: First()).proposed == 2
    return study


def words_of(at: AppTest) -> str:
    """Without the signs that keep Markdown from reading foreign text."""
    return text_of(at).replace("\\", "")


def waiting(store: Store, study: Study) -> list[plan_proposals.PlanProposal]:
    with store.reading() as connection:
        return plan_proposals.undecided(connection, study)


def newest_plan(store: Store, study: Study, key: str) -> str:
    with store.reading() as connection:
        reference = References(connection, study.id).of("target_plan", key, None)
    assert reference is not None
    return str(reference.body)


def test_a_proposal_stands_there_with_its_reason_and_its_text(
    app: Callable[..., AppTest], store: Store, study: Study
) -> None:
    at = app("plans", study=KEY, reader="lead")
    text = words_of(at)
    assert not at.exception
    assert "The text it was read from (gold steps)" in [expander.label for expander in at.expander]
    for words in (
        "2 proposals are waiting for your decision",
        "has no effect until you accept it",
        "Assess the risk of harm and agree on a safety plan.",
        "The counsellor looks into whether the client may come to harm.",
        "Proposed by first, with counselling-8 (1).",
    ):
        assert words in text, words


def test_it_is_taken_with_a_change_and_the_next_one_comes(
    app: Callable[..., AppTest], store: Store, study: Study
) -> None:
    first = waiting(store, study)[0]
    at = app("plans", study=KEY, reader="lead")
    area = next(area for area in at.text_area if area.value == first.plan)
    area.set_value("Ask about safety first.")
    at = at.button(key="proposal-take").click().run()
    assert f"The target plan for conversation {first.key} has been saved." in words_of(at)
    assert newest_plan(store, study, first.key) == "Ask about safety first."
    assert [proposal.id for proposal in waiting(store, study)] != [first.id] and len(
        waiting(store, study)
    ) == 1


def test_a_refusal_needs_a_reason_and_saves_no_plan(
    app: Callable[..., AppTest], store: Store, study: Study
) -> None:
    first = waiting(store, study)[0]
    before = newest_plan(store, study, first.key)
    at = app("plans", study=KEY, reader="lead").button(key="proposal-refuse").click().run()
    assert "Say in a few words why you refuse the plan." in words_of(at) and len(waiting(store, study)) == 2
    at.text_input[0].set_value("it leaves out the crisis")
    at = at.button(key="proposal-refuse").click().run()
    assert "The proposal was refused. No plan was saved." in words_of(at)
    assert newest_plan(store, study, first.key) == before and len(waiting(store, study)) == 1


def test_a_rater_sees_no_proposal(app: Callable[..., AppTest], store: Store, study: Study) -> None:
    with store.reading() as connection:
        rater = studies.raters(connection, study.id)[0]
    text = text_of(app("plans", study=KEY, reader=str(rater.id)))
    assert "proposal" not in text and "come to harm" not in text


def test_without_proposals_nothing_of_it_is_shown(app: Callable[..., AppTest]) -> None:
    assert "Proposed plans" not in text_of(app("plans", study=KEY, reader="lead"))


def test_texts_of_which_no_plan_follows_are_no_proposals_that_wait(
    app: Callable[..., AppTest], store: Store
) -> None:
    class Nothing(First):
        label = "nothing"

        def verdicts(self, pairs: Sequence[tuple[str, str]]) -> list[Verdict | None]:
            return ["neutral" for _ in pairs]

    with store.reading() as connection:
        study = studies.get_by_key(connection, KEY)
    assert propose_plans(store, study, "lead", source=lambda conversation: Nothing()).empty == 2
    text = words_of(app("plans", study=KEY, reader="lead"))
    assert "0 proposals are waiting for your decision" in text
    assert "For 2 more cases the model proposes no plan" in text
