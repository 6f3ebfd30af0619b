"""A store in which every sealed table has rows, studies to draw from, and small ones to assign and settle."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, func, select

from configs.settings import ROOT
from data import schema
from data.importers import trials
from data.importers.trials import TrialReply
from data.labels import reasoning_comments
from data.record import (
    adoptions,
    anchors,
    judge_runs,
    ledger,
    metrics,
    plan_proposals,
    rater_identities,
    references,
    requests,
    run_outputs,
    run_summaries,
    set_aside,
    step_pairs,
    studies,
    study_changes,
    units,
)
from data.record.ledger import Attempt
from data.record.plan_proposals import NewProposal, PlanProposal
from data.record.step_pairs import RatedStepPair
from data.record.studies import StudySpec
from data.record.units import Unit
from data.schema.vocabulary import AttemptPurpose, StepVerdict, StudyRole
from data.settling import adjudications, escalations, unit_openings
from data.settling.adjudications import SettlementBasis, SettlementDecision
from data.store import content
from data.store.store import Store, open_store
from data.store.trail import TrailEntry
from data.work import (
    answers_to_judges,
    calibration,
    certification,
    conflicts,
    draws,
    exposures,
    roles,
    setup,
    successors,
)
from data.work.plan import WorkPlan
from tests.studies import settling, small_study
from tests.studies.planned import workers
from tests.studies.settling import Colleague
from tests.studies.small_study import Small
from tests.unit.data.bench import GATED, Bench

PEOPLE = ("Ann", "Ben", "Cleo", "Dora")
NOTE = "a note that only its writer should read"


def tried(run_id: int, judge_id: int, unit_id: int, **more: Any) -> Attempt:
    """One try of a judge, answered well unless told otherwise. In the small study a unit has the number of its
    conversation.
    """
    usual = Attempt(
        conversation_id=unit_id,
        purpose=AttemptPurpose.JUDGEMENT,
        run_id=run_id,
        judge_id=judge_id,
        unit_id=unit_id,
        criterion="warm",
        anchor_round=0,
        replicate=0,
        key="k" * 64,
        tried=0,
        repair=False,
        status="ok",
        detail="",
        http=None,
        finish="STOP",
        served="model",
        response_id="r-1",
        safety=("HARASSMENT=LOW",),
        tokens_in=1000,
        tokens_out=150,
        tokens_thought=100,
        tokens_cached=0,
        cost_nano=1_312_500,
        price_date="2026-11-01",
        currency="USD",
        latency_ms=240,
        adapter="google-genai 3.4.0",
        batched=False,
        replayed=False,
        prompt_sha256="p" * 64,
        reply='{"label": "YES"}',
    )
    return replace(usual, **more)


def asked_model(asked_model_id: int, conversation_id: int, purpose: AttemptPurpose, **more: Any) -> Attempt:
    """One try of a model that is no judge here, answered well unless told otherwise."""
    return replace(
        tried(
            1, 1, 1, conversation_id=conversation_id, asked_model_id=asked_model_id, purpose=purpose, **more
        ),
        run_id=None,
        judge_id=None,
        unit_id=None,
        criterion=None,
        anchor_round=None,
        replicate=None,
    )


def _settle(connection: Connection, entry: TrailEntry, small: Small) -> None:
    """A colleague opens a unit, settles a disagreement with the judge, tells the study lead something, and
    the study goes on elsewhere."""
    unit, colleague = small.desk().unit(2), studies.add_rater(connection, entry, small.study.id, "Cleo")
    exposures.record_page(connection, entry, colleague)
    unit_openings.open_unit(connection, entry, small.study, unit, colleague)
    adjudications.settle(
        connection,
        entry,
        small.study,
        unit,
        colleague,
        "settle-1",
        "human_judge",
        SettlementDecision("safe", "NO", "judge_error", "the reply names no help", "say what help is"),
        SettlementBasis(None, adjudications.ratings_of(connection, small.study, unit, "safe")),
    )
    note_id = escalations.raise_(
        connection, entry, small.study, unit, small.raters[0], "tell-1", "risk", "somebody may be in danger"
    )
    escalations.answer(connection, entry, small.study, note_id or 0, colleague, "tell-2", "called them")
    successors.begin(
        connection,
        entry,
        small.study,
        small_study.INSTRUMENT.replace('version: "1"', 'version: "2"').replace(
            "name: Warm,", "name: Warmth,"
        ),
        "small-2",
        "Small study, second wording",
        "warm was read in two ways",
    )


def _ask_models(connection: Connection, entry: TrailEntry, small: Small, unit: Unit) -> None:
    """A model is asked whether one text follows from another and for a trial; a plan is proposed and refused."""
    model = requests.register_model(connection, entry, "cloud", {"model": "gemini"}, "b" * 64)
    ledger.write(
        connection,
        entry,
        small.study.id,
        [
            asked_model(model, unit.conversation_id, AttemptPurpose.ENTAILMENT, answer="neutral"),
            asked_model(model, unit.conversation_id, AttemptPurpose.TRIAL, key="t" * 64),
        ],
    )
    replied = connection.execute(select(func.max(schema.attempt.c.id))).scalar_one()
    study = trials.study_of_trials(connection, entry, small.study, "small-trials", "Trials")
    frozen = trials.freeze(connection, small.study, "c2")
    trials.add_trials(
        connection, entry, study, frozen, {"model": "gemini"}, [TrialReply(1, replied, "A reply.")]
    )
    proposal = NewProposal(
        unit.conversation_id, "parts (1)", "tiny", "gold steps", {}, "Ask.", None, "i" * 64
    )
    plan_proposals.keep(connection, entry, small.study.id, [proposal])
    number = connection.execute(select(schema.plan_proposal.c.id)).scalar_one()
    proposed = PlanProposal(number, unit.conversation_id, "c2", 2, "", "", "", {}, "Ask.", None, "", 0)
    plan_proposals.refuse(connection, entry, proposed, "it says too little")


@pytest.fixture(scope="session")
def _worked(tmp_path_factory: pytest.TempPathFactory) -> Small:
    """The small study after a day's work: notes, two commits, a reveal, a change, an answer to the judge, an
    erasure. Closed."""
    folder = tmp_path_factory.mktemp("full")
    store = open_store(f"sqlite:///{folder / 'full.sqlite'}")
    small = small_study.make(store, folder)
    desk = small.desk()
    desk.draft(2, "warm", note=NOTE)
    desk.draft(2, "safe", "NO")
    desk.draft(2, "deep")
    desk.commit(2)
    desk.reveal(2)
    desk.change(2, "warm", "NO", reason="the second reply is cold")
    desk.rate(1)
    with store.writing("tests", "say what was seen elsewhere", small.study.id) as (connection, entry):
        entry.write(schema.seen_elsewhere, {"rating_id": 1, "of_study_id": small.study.id})
    unit = desk.unit(2)
    with store.writing("tests", "answer the judge", small.study.id) as (connection, entry):
        answers_to_judges.respond(
            connection,
            entry,
            unit,
            desk.rater,
            "response-1",
            small.judges[0],
            "warm",
            "reasoning",
            "supported",
        )
        reasoning_comments.write(
            connection,
            entry,
            unit,
            desk.rater,
            "comment-1",
            small.judges[0],
            "warm",
            "true, and it misses the tone",
        )
        step_pairs.rate(
            connection,
            entry,
            unit,
            desk.rater,
            "pair-1",
            RatedStepPair("digest", 0, 0, 3, 10),
            StepVerdict.PARTLY,
        )
        step_pairs.show_scores(connection, entry, unit, desk.rater, "pair-2", "digest")
        _ask_models(connection, entry, small, unit)
        studies.register_taxonomy(
            connection, entry, (ROOT / "taxonomies" / "counselling.yaml").read_text(encoding="utf-8")
        )
        references.put(
            connection, entry, small.study, "target_plan", references.STUDY, "A plan of care.", "plans.json"
        )
        references.put(
            connection, entry, small.study, "gold_steps", "c3", ["Ask."], "steps.json", unit.conversation_id
        )
        run_outputs.put(
            connection,
            entry,
            small.study,
            run_outputs.RunOutput("a_1", "cot", "model", "ok", {"output_text": "An answer."}),
        )
        summaries = run_summaries.RunSummaryTable(connection, small.study)
        summaries.put(
            run_summaries.RunSummary("run_1", "table", "model", "calm", 0.3, numbers={"jaccard_all": 0.5})
        )
        summaries.write(entry, "runs.csv")
        anchors.freeze(connection, entry, small.study, {(unit.id, "safe"): "NO"})
        adoptions.choose_judge(connection, entry, small.study, small.judges[1], "Dr Lee", small.judges[0])
        adoptions.adopt(
            connection,
            entry,
            small.study,
            small.judges[0],
            adoptions.AdoptionEvidence(),
            "Dr Lee",
            "the first one",
            None,
        )
        roles.choose_role(connection, entry, small.raters[1], StudyRole.SETTLER)
        study_changes.rename_study(connection, entry, small.study, "Small study, renamed")
        metrics.keep(
            connection,
            entry,
            small.study.id,
            [metrics.MetricValue(metrics.MetricSubject(), "validity_rate", "product", "1", 0.5, None, "abc")],
        )
        run_id = judge_runs.ask(
            connection, entry, small.study.id, "cloud", "command line", judge_runs.JudgeRunOptions()
        )
        judge_runs.note(connection, entry, run_id, "started", small.judges[0])
        ledger.keep_prompt(connection, entry, "rubric_judge", "1", "key: rubric_judge", "a" * 64)
        ledger.write(connection, entry, small.study.id, [tried(run_id, small.judges[0], unit.id)])
        ledger.keep_replicated(connection, entry, small.judges[0], "random", 3, [(unit.id, "warm")])
        for again in range(2):  # the second gives what the first took a new chance
            draws.draw(
                connection, entry, small.study, draws.DrawSpec(method="random", size=1), again, seed=again
            )
        _settle(connection, entry, small)
        set_aside.set_rater_aside(
            connection, entry, small.study, small.raters[1], "Dr Lee", "in training until May"
        )
        imported = studies.add_rater(connection, entry, small.study.id, "Ann (imported)", "imported")
        rater_identities.confirm_identity(
            connection, entry, small.study, imported, small.raters[0], "Dr Lee", "she told me"
        )
        number, _ = content.put(connection, "something to be forgotten", None)
        content.erase(entry, connection, number or 0, "asked for")
    _practised(small_study.make(store, folder, key="planned"))
    store.close()
    return small


def _practised(small: Small) -> None:
    """A second study with a plan: gold units, a certification, a conflict of interest, a calibration round
    rated twice."""
    study = small.study
    with small.store.writing("lead", "practice", study.id) as (connection, entry):
        eve = studies.add_rater(connection, entry, study.id, "Eve")
        certification.grant(connection, entry, eve, "she wrote the manual")
        practice_units = [
            unit for position in (1, 2) if (unit := units.at_position(connection, study.id, position))
        ]
        barred = practice_units[0].conversation_id
        conflicts.state_conflict(connection, entry, eve, conversation_id=barred, value="her brother")
        setup.new_plan(connection, entry, study, WorkPlan(certify=True, overlap=1))
        certification.put_gold(
            connection, entry, study, practice_units[0], {"warm": "YES"}, "Dr Gold", "as the manual says"
        )
        number = calibration.begin(
            connection, entry, study, "Round", list(small.raters), [practice_units[1].id]
        )
    people = workers(small)
    for desk in people:  # gold units come first
        desk.rate_next()
    for step in ("discussed", "again"):
        for desk in people:
            desk.rate_next()
        with small.store.writing("lead", "move on", study.id) as (connection, entry):
            calibration.move_on(connection, entry, study, number, step)
    for desk in people:
        desk.rate_all()
    with small.store.writing("lead", "conflict", study.id) as (connection, entry):
        conflicts.state_conflict(connection, entry, small.raters[0], fact="clinician", value="Ann")


@pytest.fixture
def full(_worked: Small, store_path: Path) -> Iterator[Small]:
    """A copy of the worked study, open."""
    shutil.copy(_worked.store.path, store_path)
    store = open_store(f"sqlite:///{store_path}")
    yield replace(_worked, store=store)
    store.close()


@pytest.fixture
def bench(store: Store, tmp_path: Path) -> Callable[..., Bench]:
    """bench(facts, said): a study of as many conversations as there are facts; `said`: judge -> its rows."""

    def make(
        facts: list[dict[str, Any]],
        judge_rows: dict[str, list[dict[str, Any]]] | None = None,
        key: str = "gated",
        instrument: str = GATED,
    ) -> Bench:
        with store.writing("tests", "make a study") as (connection, entry):
            instrument_id = studies.register_instrument(connection, entry, instrument)
            study = studies.get(
                connection, studies.create(connection, entry, StudySpec(key, "A study", instrument_id))
            )
        bench = Bench(store, study, {})
        if facts:
            bench.arrive(facts)
        for name, rows in (judge_rows or {}).items():
            bench.judges[name] = bench.judge(name, rows)
        return bench

    return make


@pytest.fixture
def sites(bench: Callable[..., Bench]) -> Bench:
    """40 conversations: 24 of the north, 12 of the south, 4 of the west; judge A found every fifth unsafe and
    failed on c7; B said YES, not of c40.
    """
    facts = [
        {"site": "north" if number <= 24 else "south" if number <= 36 else "west"} for number in range(1, 41)
    ]
    first = [
        {
            "conversation_id": f"c{number}",
            "criterion": "safe",
            **(
                {"status": "blocked_prompt"} if number == 7 else {"label": "NO" if number % 5 == 0 else "YES"}
            ),
        }
        for number in range(1, 41)
    ]
    second = [
        {"conversation_id": f"c{number}", "criterion": "safe", "label": "YES"} for number in range(1, 40)
    ]
    return bench(facts, {"Judge A": first, "Judge B": second})


@pytest.fixture
def make_small(make_study: Callable[..., Small]) -> Callable[..., Small]:
    """A small study of so many conversations and raters."""

    def make(conversations: int = 8, raters: int = 3, **more: Any) -> Small:
        names = tuple(f"Rater {number}" for number in range(1, raters + 1))
        return make_study(conversation_count=conversations, raters=names, **more)

    return make


@pytest.fixture
def planned(make_study: Callable[..., Small]) -> Small:
    """Four conversations, two judges who say YES, four people; whoever holds a unit is written by the
    test.
    """
    small = make_study(raters=PEOPLE)
    settling.plan(small.store, small.study)
    return small


@pytest.fixture
def mixed(make_study: Callable[..., Small]) -> Small:
    """An ordinal, a nominal and a safety criterion; no judge."""
    small = make_study(raters=PEOPLE, instrument=settling.MIXED, with_judges=False, key="mixed")
    settling.plan(small.store, small.study)
    return small


@pytest.fixture
def colleague(planned: Small) -> Colleague:
    return Colleague.of(planned)
