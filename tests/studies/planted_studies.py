"""Studies whose truth is planted, and studies full of names that no page may take for anything but text: what
every report has to be honest about.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from configs.settings import ROOT
from data import schema
from data.importers import conversations
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.record import set_aside, studies
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.store.store import Store
from data.work import assignment
from tests.studies import degenerate, importing, settling, small_study
from tests.studies.made_raters import twelve_weeks
from tests.studies.planned import plan_for, workers
from tests.studies.settling import MIXED, Colleague
from tests.studies.small_study import Small

CASES, RATERS = 24, ("Ada Winter", "Boaz Lindqvist", "Cleo Marsh")
SETTLER = "Dr Third Alvarez"
LEVELS = {"kind": ("0", "1", "2", "4"), "clear": ("YES", "NO"), "safe": ("YES", "NO")}
EVIL = "<script>alert(1)</script><img src=x onerror=alert(1)>\"' &amp; \U0001f642"
# A formula, markup, a line end, an emoji, and more than 300 characters.
TITLE = f"=1+1{EVIL}\nsecond line {'title ' * 50}end"
CRITERION, STRATEGY = f"@SUM(1){EVIL}{'criterion ' * 30}", f"+1+cmd{EVIL}{'strategy ' * 35}"
JUDGE = f"=HYPERLINK(1){EVIL}{'judge ' * 50}end"
PEOPLE = ("=2+2 <img src=x onerror=alert(1)> Zoe", "-3+3 <b>Yann</b>", f"Una {'long ' * 14}name")

JudgeRule = Callable[[random.Random, str, str], "str | None"]


def reversed_label(rng: random.Random, criterion: str, label: str) -> str:
    levels = LEVELS[criterion]
    return levels[len(levels) - 1 - levels.index(label)]


JUDGES: dict[str, JudgeRule] = {
    "perfect": lambda rng, criterion, label: label,
    "random": lambda rng, criterion, label: rng.choice(LEVELS[criterion]),
    "constant": lambda rng, criterion, label: LEVELS[criterion][0],
    "inverted": reversed_label,
    "missing": lambda rng, criterion, label: None if rng.random() < 0.4 else label,
}


def planted(store: Store, folder: Path, rule: JudgeRule) -> Small:
    """Three people who mostly see the truth of 24 conversations, and a judge that goes by the rule."""
    rng = random.Random(20261123)
    small = small_study.make(
        store, folder, conversation_count=CASES, with_judges=False, raters=(), instrument=MIXED
    )
    ratings, judgements = [], []
    for number in range(1, CASES + 1):
        for criterion, levels in LEVELS.items():
            truth = rng.choice(levels)
            row = {"conversation_id": f"c{number}", "criterion": criterion}
            for rater in RATERS:
                label = truth if rng.random() < 0.85 else rng.choice(levels)
                ratings.append({**row, "label": label, "rater": rater})
            answer = rule(rng, criterion, truth)
            judgements.append({**row, **({"status": "truncated"} if answer is None else {"label": answer})})
    report = ImportReport("planted")
    with store.writing("tests", "plant", small.study.id) as (connection, entry):
        add_ratings(
            connection,
            entry,
            small.study,
            enumerate(ratings, start=1),
            report,
            RatingProvenance("blind", "tests"),
        )
    report.raise_if_wrong()
    degenerate.say(small, JudgeIdentity("Planted judge"), judgements)
    return small


def empty(store: Store, folder: Path) -> Small:
    """A study with nothing in it, not even a conversation."""
    with store.writing("tests", "make an empty study") as (connection, entry):
        instrument = studies.register_instrument(connection, entry, small_study.INSTRUMENT)
        number = studies.create(connection, entry, StudySpec("empty", "Nothing in it", instrument))
        study = studies.get(connection, number)
    return Small(store, study, (), ())


def weeks(store: Store, folder: Path) -> Small:
    return twelve_weeks(store, folder, conversations=12, calibrated=4)


def under_way(store: Store, folder: Path) -> Small:
    """With a plan: some is rated, skipped and run out, and much that nobody took."""
    small = small_study.make(store, folder, conversation_count=9, raters=RATERS)
    plan_for(small, overlap=2)
    first, second, _ = workers(small)
    first.rate_next("NO")
    second.rate_next()
    place = first.take()
    assert isinstance(place, int)
    first.draft(place)
    first.skip(place)
    assert isinstance(first.take(), int)
    with store.writing("tests", "time goes by", small.study.id) as (connection, entry):
        assignment.free(connection, entry, small.study, second.rater)
        connection.execute(schema.reservation.update().values(until="2001"))
        assert assignment.run_out(connection, entry, small.study) == 1
    return small


def settled(store: Store, folder: Path) -> Small:
    """Two people differ, a named colleague settles, tells the study lead, and one person is set aside."""
    small = small_study.make(store, folder, raters=(*RATERS, SETTLER))
    settling.plan(store, small.study)
    for position in (1, 2, 3):
        settling.disputed(small, position)
    colleague = Colleague.of(small, 3)
    for position in (1, 2):
        colleague.open(position)
        colleague.settle(position)
    colleague.tell(3)
    with store.writing("tests", "set aside", small.study.id) as (connection, entry):
        set_aside.set_rater_aside(connection, entry, small.study, small.raters[1], SETTLER, "knew the judge")
    return small


def runs(store: Store, folder: Path) -> Small:
    """Runs of an experiment in numbers, over temperatures."""
    small = small_study.make(store, folder)
    rng = random.Random(7)
    rows = ["run_id,model,vignette,temperature,n_trials,alignment_mean,jaccard_all,tier"]
    for number in range(12):
        numbers = f"{0.3 * (number % 4):.1f},20,{rng.random():.3f},{rng.random():.3f}"
        rows.append(f"r{number},model {number % 3},vignette {number % 2},{numbers},experiment")
    file = folder / "runs.csv"
    file.write_text("\n".join(rows) + "\n", encoding="utf-8")
    importing.import_run_table(store, "small", file, "tests").raise_if_wrong()
    return small


def hostile_criteria(store: Store, folder: Path) -> Small:
    """Two people who rate here, and one whose ratings were imported."""
    instrument = small_study.INSTRUMENT.replace(
        "name: Warm,", f"name: {json.dumps(CRITERION, ensure_ascii=False)},"
    )
    instrument = instrument.replace("title: Small rubric", f"title: {json.dumps(TITLE, ensure_ascii=False)}")
    small = small_study.make(
        store, folder, instrument=instrument, raters=PEOPLE[:2], with_judges=False, title=TITLE
    )
    plan_for(small, each=True, raters=small.raters)
    identity = JudgeIdentity(JUDGE, model=EVIL, prompt=EVIL)
    degenerate.say(small, identity, degenerate.every(label="YES", reasoning=EVIL))
    degenerate.rated(small, "NO", raters=PEOPLE[2:])
    for worker in workers(small):
        worker.rate_all("NO")
    return small


def hostile_strategies(store: Store, folder: Path) -> Small:
    """Plans of two strategies with such names, and a judge that scores them."""
    taxonomy = {
        "key": "hostile",
        "version": "1",
        "title": TITLE,
        "strategies": [
            {"id": "first", "name": STRATEGY, "description": EVIL},
            {"id": "second", "name": f"Second {STRATEGY}", "description": EVIL},
        ],
    }
    instrument = (ROOT / "instruments" / "plan_alignment.yaml").read_text(encoding="utf-8")
    file = folder / "plans.jsonl"
    reply = "<plan>first / second</plan>\n\nA reply that does both."
    turns = [{"user": "I sleep badly.", "assistant": reply}]
    file.write_text("\n".join(json.dumps({"id": f"p{number}", "turns": turns}) for number in range(6)))
    report = ImportReport(file.name)
    rows: list[dict[str, Any]] = [
        {"conversation_id": f"p{number}", "criterion": strategy, "label": str(number % 3)}
        for number in range(6)
        for strategy in ("first", "second")
    ]
    with store.writing("tests", "make a hostile study") as (connection, entry):
        spec = StudySpec(
            "hostile",
            TITLE,
            studies.register_instrument(connection, entry, instrument),
            studies.register_taxonomy(connection, entry, json.dumps(taxonomy, ensure_ascii=False)),
            provenance=EVIL,
        )
        study = studies.get(connection, studies.create(connection, entry, spec))
        conversations.add(connection, entry, study, file, report)
        judge = JudgeIdentity(JUDGE, model=EVIL)
        add_judgements(connection, entry, study, enumerate(rows, start=1), report, judge, "tests")
        ratings = [{**row, "rater": name} for row in rows for name in PEOPLE]
        add_ratings(
            connection, entry, study, enumerate(ratings, start=1), report, RatingProvenance("blind", "tests")
        )
    report.raise_if_wrong()
    return Small(store, study, (), ())


def _with_judge(rule: JudgeRule) -> Callable[[Store, Path], Small]:
    return lambda store, folder: planted(store, folder, rule)


STUDIES: dict[str, Callable[[Store, Path], Small]] = {
    **{name: _with_judge(rule) for name, rule in JUDGES.items()},
    **{
        make.__name__: make
        for make in (empty, weeks, under_way, settled, runs, hostile_criteria, hostile_strategies)
    },
}
