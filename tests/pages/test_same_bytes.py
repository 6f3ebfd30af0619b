"""Two stores that differ only in what is hidden from a rater send that rater the same bytes, on every page
and for every command.

Hidden are, of units that the rater may still rate blind: labels and reasons of judges, their failures, labels
and notes of colleagues, and the model and condition that made the conversation; and of a judge of whom
nothing was shown to the rater yet, its name and model.
"""

from __future__ import annotations

import json
import re
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import click
import pytest
import streamlit as st
from click.testing import CliRunner
from streamlit.testing.v1 import AppTest

from cli import main
from data import schema
from data.importers import conversations
from data.importers.imported_judgements import add_judgements
from data.importers.registry import importers_on_page
from data.importers.report import ImportReport
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import StudySpec
from data.settling import escalations
from data.store.store import open_store
from data.store.trail import store_name
from pages.widgets import remembered_person
from pages.widgets.bar import answers
from pages.widgets.bar.answers import SearchQuestion
from pages.widgets.navigation import PAGES
from services.raters import add_settler
from tests.pages.conftest import APP, messages
from tests.pages.dropping import drop, is_checked
from tests.studies.known_browsers import cookie_of_reader
from tests.studies.planned import plan_for, workers
from tests.studies.small_study import INSTRUMENT, Small

pytestmark = pytest.mark.slow

CONVERSATIONS = 6
MOMENTS = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(\+00:00)?|\b\d\d:\d\d(:\d\d)?\b")
HASH = re.compile(r'^hash: ".*"$')  # of the rest of the message, moments included
NAMES = re.compile(
    r'[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|(?<=\\"session\\": \\")[0-9a-f]{32}'
    '|(?<=file_id: ")[0-9a-f]{32}'  # of a download that is made when it is pressed
)
CRITERIA = ("warm", "safe", "deep")
PEOPLE = ("Ann", "Ben", "Cleo")


@dataclass(frozen=True)
class Hidden:
    """What one of the two stores says where the reader must not see it."""

    judge: str
    colleague: str
    model: str
    notes: tuple[str, ...]  # kinds of notes to the study lead, a unit each
    judge_name: str = "Judge A"


ONE, OTHER = (
    Hidden("YES", "YES", "model-one", ("risk", "question")),
    Hidden("NO", "NO", "model-two", ("identifier",)),
)


def make(path: Path, hidden: Hidden, hidden_units: frozenset[int], **spec: Any) -> Small:
    """A study whose judge and conversations differ on the hidden units only; the reader is Ann."""
    store = open_store(f"sqlite:///{path}")
    file = path.with_suffix(".jsonl")
    contents = {number: hidden if number in hidden_units else ONE for number in range(1, CONVERSATIONS + 1)}
    file.write_text(
        "\n".join(
            json.dumps(
                {
                    "id": f"c{number}",
                    "model": contents[number].model,
                    "condition": contents[number].model,
                    "site": "north",
                    "turns": [
                        {"user": f"words {number}", "assistant": "a reply"},
                        {"user": "more", "assistant": "another"},
                    ],
                }
            )
            for number in contents
        )
    )
    with store.writing("tests", "make a study") as (connection, entry):
        instrument = studies.register_instrument(connection, entry, INSTRUMENT)
        number = studies.create(
            connection,
            entry,
            StudySpec(
                key="small", title="Small study", instrument_id=instrument, **{"reveal": "after_unit", **spec}
            ),
        )
        study = studies.get(connection, number)
        raters = tuple(studies.add_rater(connection, entry, study.id, name) for name in PEOPLE)
        report = ImportReport("study")
        conversations.add(connection, entry, study, file, report, "none")
        rows = [
            {
                "conversation_id": f"c{number}",
                "criterion": criterion,
                "reasoning": f"because it is {contents[number].judge}",
                **(
                    {"status": "truncated"}
                    if (contents[number].judge, criterion) == ("NO", "safe")
                    else {"label": contents[number].judge}
                ),
            }
            for number in contents
            for criterion in CRITERIA
        ]
        add_judgements(
            connection,
            entry,
            study,
            enumerate(rows, start=1),
            report,
            JudgeIdentity(hidden.judge_name, model=hidden.judge_name),
            "tests",
        )
        report.raise_if_wrong()
    return Small(store, study, (), raters)


def note(small: Small, rater_id: int, positions: Iterable[int], kinds: tuple[str, ...]) -> None:
    """Notes to the study lead about the first of these units."""
    for position, kind in zip(positions, kinds, strict=False):
        unit = small.desk().unit(position)
        with small.store.writing("tests", "note", small.study.id) as (connection, entry):
            escalations.raise_(
                connection,
                entry,
                small.study,
                unit,
                rater_id,
                str(uuid.uuid4()),
                kind,
                f"somebody should look: {kind}",
                None,
            )


def unplanned(path: Path, hidden: Hidden, **spec: Any) -> Small:
    """Ann has rated the first unit and sees its judge, as far as the study shows it; colleagues have rated
    everything.
    """
    small = make(path, hidden, frozenset(range(2, CONVERSATIONS + 1)), **spec)
    small.desk(0).rate(1)
    for number in (1, 2):
        for position in range(1, CONVERSATIONS + 1):
            small.desk(number).rate(position, ONE.colleague if position == 1 else hidden.colleague)
    note(small, small.raters[1], range(2, CONVERSATIONS + 1), hidden.notes)
    small.desk(0).draft(2, "warm", "NO")
    return small


def planned(path: Path, hidden: Hidden, **spec: Any) -> Small:
    """Two are to rate each unit. Two units are complete without Ann, one is on her screen, and Ben has rated
    the others, which may still come to her.
    """
    complete: frozenset[int] = frozenset()
    for name in (
        f"{path.stem}-first",
        path.stem,
    ):  # the first store tells which units Cleo is given; the same ones in every store
        small = make(
            path.with_name(f"{name}.sqlite"),
            hidden,
            frozenset(range(1, CONVERSATIONS + 1)) - complete,
            **spec,
        )
        plan_for(small, overlap=2)
        ann, ben, cleo = workers(small)
        given = [place for _ in range(2) if isinstance(place := cleo.rate_next("NO"), int)]
        assert not complete or complete == {cleo.shown(place)[0] for place in given}
        complete = frozenset(cleo.shown(place)[0] for place in given)
        if name != path.stem:
            small.store.close()
    while isinstance(place := ben.take(), int):
        ben.rate(place, ONE.colleague if ben.shown(place)[0] in complete else hidden.colleague)
    note(
        small,
        ben.rater,
        (number for number in range(1, CONVERSATIONS + 1) if number not in complete),
        hidden.notes,
    )
    on_screen = ann.take()
    assert isinstance(on_screen, int) and ann.shown(on_screen)[0] not in complete
    ann.draft(on_screen, "warm", "YES")
    return small


SCENES: dict[str, Callable[[Path, Hidden], Small]] = {
    "after each unit": unplanned,
    "after each batch": lambda path, hidden: unplanned(path, hidden, reveal="after_batch"),
    "never": lambda path, hidden: unplanned(path, hidden, reveal="never"),
    "planned, after each unit": planned,
    "planned, after each batch": lambda path, hidden: planned(
        path, hidden, reveal="after_batch", batch_size=1
    ),
}


def sent_to(
    small: Small,
    page: str,
    monkeypatch: pytest.MonkeyPatch,
    act: Callable[[AppTest], Any] | None = None,
    **query: str,
) -> str:
    """What a page sends to Ann, without what differs between any two stores: moments, random names, the name
    of the store.
    """
    path = small.store.path
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    st.cache_resource.clear()
    query = {"study": "small", "reader": str(small.raters[0]), **query}
    cookie = cookie_of_reader(small.store, "small", query["reader"])
    monkeypatch.setattr(remembered_person, "sent_cookie", lambda: cookie)
    with messages() as sent:
        at = AppTest.from_string(
            f"import runpy\nrunpy.run_path({APP!r}, run_name='__main__')", default_timeout=120
        )
        for name, value in {"page": page, **query}.items():
            at.query_params[name] = value
        at.run()
        assert not at.exception, page
        if act is not None:
            act(at)
    with small.store.reading() as connection:
        name = store_name(connection)
    text = "\n".join(str(message) for message in sent)
    for chance, stand_in in ((name, "<store>"), (str(path), "<path>"), (cookie, "<cookie>")):
        text = text.replace(chance, stand_in)
    return "\n".join(map(_without_chance, text.split("\n")))


@lru_cache(20_000)  # most lines of a page are those of another
def _without_chance(line: str) -> str:
    """Without the moments and the random names in it."""
    return MOMENTS.sub("<moment>", NAMES.sub("<random>", HASH.sub("", line)))


@pytest.fixture(scope="module")
def closed_pair(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], tuple[Small, Small]]:
    """The same study twice, by its scene: made once, in closed stores that differ in what is hidden from Ann."""

    @cache
    def make_pair(scene: str) -> tuple[Small, Small]:
        folder = tmp_path_factory.mktemp("pair")
        first, second = (
            SCENES[scene](folder / f"{name}.sqlite", hidden)
            for name, hidden in (("one", ONE), ("two", OTHER))
        )
        first.store.close()
        second.store.close()
        return first, second

    return make_pair


@pytest.fixture(params=list(SCENES))
def pair(
    closed_pair: Callable[[str], tuple[Small, Small]], request: pytest.FixtureRequest, tmp_path: Path
) -> Iterator[tuple[Small, Small]]:
    """Copies of a closed pair, for one test."""
    with ExitStack() as stack:
        first, second = (
            replace(
                small,
                store=stack.enter_context(
                    closing(open_store(f"sqlite:///{shutil.copy(small.store.path, tmp_path)}"))
                ),
            )
            for small in closed_pair(request.param)
        )
        yield first, second


def test_every_page_sends_a_blind_rater_the_same_bytes(
    pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    for page in PAGES:
        first, second = (sent_to(small, page, monkeypatch) for small in pair)
        assert first == second, page
        assert len(first) > 200, page


def test_a_search_tells_a_blind_rater_the_same(
    pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    for words in ("model-two", "c3", "judge a", "ben", "yes", "words", "reply"):
        question = SearchQuestion(1, words)
        monkeypatch.setattr(answers, "read_question", lambda _, question=question: question)
        first, second = (sent_to(small, "my_work", monkeypatch) for small in pair)
        assert first == second, words
        assert ("Conversation 1" in first) or words not in ("words", "reply"), "it does answer"


@pytest.mark.parametrize("scene", SCENES)
def test_no_page_names_a_judge_of_whom_nothing_was_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scene: str
) -> None:
    study_a, study_b = (
        SCENES[scene](tmp_path / f"{name}.sqlite", replace(ONE, judge_name=judge_name))
        for name, judge_name in (("one", "Judge A"), ("two", "Judge B"))
    )
    with closing(study_a.store), closing(study_b.store):
        for page in PAGES:
            sent = sent_to(study_b, page, monkeypatch)
            assert "Judge B" not in sent and sent == sent_to(study_a, page, monkeypatch), page


def test_the_workbench_is_compared_too(pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison would be empty if the page sent nothing of the unit."""
    assert "words" in sent_to(pair[0], "review", monkeypatch, unit="2" if "planned" not in str(pair) else "1")


def test_a_lead_is_sent_what_differs(pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch) -> None:
    """The two stores do differ: whoever may see it does."""
    first, second = (sent_to(small, "judges", monkeypatch, reader="lead") for small in pair)
    assert first != second


def test_every_queue_of_disagreements_sends_the_same(
    pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    for queue in ("human_human", "human_judge", "escalation"):
        first, second = (sent_to(small, "adjudication", monkeypatch, queue=queue) for small in pair)
        assert first == second, queue


GATE = """\
categories:
  - {id: care, name: Care, weight: "0.5"}
  - {id: danger, name: Danger, weight: "0.5", gate: true}
criteria:
  - {id: warm, name: Warm, scale: yes_no, category: care}
  - {id: safe, name: Safe, scale: yes_no, category: danger}
  - {id: deep, name: Deep, scale: yes_no, minimum_turns: 2, category: care}
score: {rule: weighted_categories, threshold: "0.8"}
"""


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_who_settles_a_gate_is_sent_nothing_of_what_the_judge_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, share: float
) -> None:
    """Two clinicians see failures, alone and together; of these one store's judge passes all, the other's
    none.
    """
    monkeypatch.setattr(
        "tests.pages.test_same_bytes.INSTRUMENT", INSTRUMENT[: INSTRUMENT.index("criteria:")] + GATE
    )
    stores = []
    for name, judge in (("one", "YES"), ("two", "NO")):
        small = make(tmp_path / f"{name}.sqlite", ONE, frozenset())
        rows = [
            {"conversation_id": f"c{number}", "criterion": "safe", "label": judge, "reasoning": judge}
            for number in range(1, CONVERSATIONS)
        ]
        with small.store.writing("tests", "plan", small.study.id) as (connection, entry):
            body = json.dumps({"overlap": 2, "raters": [small.raters[0]], "settle_share": share})
            entry.write(schema.work_plan, {"study_id": small.study.id, "version": 1, "body": body})
            identity, report = JudgeIdentity("Judge B", model="b"), ImportReport("study")
            add_judgements(
                connection, entry, small.study, enumerate(rows, start=1), report, identity, "tests"
            )
            report.raise_if_wrong()
        for number in (1, 2):
            for position in range(1, CONVERSATIONS + 1):
                small.desk(number).draft_all(position)
                if position % (number + 1):
                    small.desk(number).draft(position, "safe", "NO")
                small.desk(number).commit(position)
        stores.append((small, str(add_settler(small.store, "lead", small.study, "Dr Lee").id)))
    with closing(stores[0][0].store), closing(stores[1][0].store):
        for queue in ("human_human", "human_judge"):
            first, second = (
                sent_to(small, "adjudication", monkeypatch, reader=reader, queue=queue)
                for small, reader in stores
            )
            assert "safe" in first and first == second, queue
        for position in range(1, CONVERSATIONS + 1):
            first, second = (
                sent_to(
                    small, "adjudication", monkeypatch, reader=reader, unit=str(position), criterion="safe"
                )
                for small, reader in stores
            )
            assert first == second, position


def test_no_unit_of_another_place_is_sent(pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch) -> None:
    for page in ("review", "adjudication", "calls", "metrics"):
        for position in range(1, CONVERSATIONS + 2):
            first, second = (
                sent_to(small, page, monkeypatch, unit=str(position), criterion="warm") for small in pair
            )
            assert first == second, (page, position)


def test_an_import_that_is_tried_says_the_same(
    pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(kind: str) -> Callable[[AppTest], Any]:
        def act(at: AppTest) -> None:
            drop(at, "guess.csv", "conversation_id,criterion,label\nc1,warm,YES\n")
            at.selectbox(key="import-kind").set_value(kind).run()
            into = "import-into" if kind in ("tool", "conversations", "file") else "import-into-known"
            at.selectbox(key=into).set_value("small").run()
            assert not is_checked(at)

        return act

    for kind in importers_on_page():
        first, second = (sent_to(small, "importing", monkeypatch, choose(kind)) for small in pair)
        assert first == second, kind


COMMANDS = [
    "use-judge small A --by Ann",
    "use-judge small",
    "import judgements small {file} --judge A --dry-run",
    "import judgements small {file} --judge A",
    "import ratings small {file} --exposure blind --source x --dry-run",
    "import conversations small {file}",
    "import file small {file} --mapping {mapping} --exposure blind --source x",
    "import mapping small {file}",
    "import tool small {file}",
    "rename-study small Winter",
    "archive-study small",
    "unarchive-study small",
    "import gold-steps small {file}",
    "import target-plans small {file}",
    "import critical-entities small {file}",
    "import paired-runs small {file}",
    "import run-table small {file}",
    "import run-folder small {folder}",
    "import vera-mh small {folder}",
    "report small",
    "report small --of calibration",
    "report small --of drift",
    "report small --of judges",
    "report small --of metrics",
    "report small --of progress",
    "score small",
    "entail small --dry-run",
    "propose-plans small",
    "fit small --model nothing",
    "trials small --conversation c1 --model gemini-3.8-flash --dry-run",
    "raters list small",
    "raters set-aside small Ben --by Dr --reason x",
    "raters take-back small Ben --by Dr --reason x",
    "anchors list small",
    "anchors freeze small",
    "judge small --judge gemini-3.8-flash --dry-run",
    "export run-folder small {out}",
    "export metrics small {out}",
    "export drawn small {out}",
    "export target-plans small {out}",
    "export assessments small {out}",
    "export recordings small {out} --as gemini-3.8-flash",
    "export table small {out}.csv",
    "export study small {out}",
    "export disagreements small {out}.md",
    "erase-study small --reason x --confirm small",
]
OF_NO_STUDY = {
    "import recognise",
    "extensions",
    "run",
    "prepare",
    "verify",
    "backup",
    "restore",
    "studies",
    "judges",
    "worker",
    "score-in-turn",
    "import study",
    "import vera-mh-rubric",
    "models add",
    "models list",
    "models test",
    "models use",
}
# Of labels: words are forgotten, a name is added, and a study gets a title or a place in the list.
TELLS_NOTHING = {"erase", "add-rater", "rename-study", "archive-study", "unarchive-study"}


def commands(group: click.Group, before: str = "") -> Iterator[str]:
    """The names of all commands."""
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        yield from (
            commands(command, f"{before}{name} ") if isinstance(command, click.Group) else [before + name]
        )


def test_every_command_about_a_study_is_tried() -> None:
    tried = {
        name
        for name in commands(main)
        if any(line == name or line.startswith(f"{name} ") for line in COMMANDS)
    }
    assert set(commands(main)) - tried - OF_NO_STUDY - TELLS_NOTHING == set()


def test_every_command_says_the_same_under_the_name_of_a_blind_rater(
    pair: tuple[Small, Small], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: "ann")
    guess = tmp_path / "guess.csv"
    guess.write_text(
        "conversation_id,criterion,label,rater\n"
        + "".join(f"c{number},warm,YES,Ben\n" for number in range(3, CONVERSATIONS + 1))
    )
    mapping = tmp_path / "mapping.yaml"
    mapping.write_text(
        "columns: {conversation_id: conversation, criterion: criterion, label: label, rater: rater}\n"
    )
    folder = tmp_path / "folder"
    folder.mkdir()
    for number, command in enumerate(COMMANDS):
        outcomes = []
        for small in pair:
            monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{small.store.path}")
            out = tmp_path / f"out-{number}-{small.store.path.stem}"
            result = CliRunner().invoke(
                main, command.format(file=guess, out=out, folder=folder, mapping=mapping).split()
            )
            outcomes.append((result.exit_code, result.output.replace(str(out), "<out>"), out.exists()))
        assert outcomes[0] == outcomes[1], command
        refusals = ("Ann is a rater in this study", "This is for the study lead.")
        assert any(words in outcomes[0][1] for words in refusals), f"{command} says: {outcomes[0][1]}"
        assert not outcomes[0][2], command
