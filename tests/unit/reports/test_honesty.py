"""Every kind of report on every kind of study says nothing that is not so: tests/documents/report_honesty.py has the
rules. A kind that is added to reports/kinds.py is tried without a word here.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from data.record import studies
from data.record.studies import Study
from data.store.store import Store, open_store
from reports.kinds import KINDS, ReportChoices
from runs.sample_studies import ORDER
from tests.documents.report_files import PrintedPage, ReportFiles
from tests.documents.report_honesty import complaints
from tests.studies import degenerate, planted_studies
from tests.studies.planted_studies import CRITERION, JUDGE, STRATEGY, TITLE
from tests.studies.templates import Templates

pytestmark = [pytest.mark.filterwarnings("error:.*:RuntimeWarning"), pytest.mark.slow]

STUDIES = {**planted_studies.STUDIES, **degenerate.STUDIES}
HOSTILE = ("hostile_criteria", "hostile_strategies")
ROOT = Path(__file__).resolve().parents[3]
PROGRAM = """
import hashlib, sys
from data.record import studies
from data.store.store import open_store
from reports.kinds import KINDS, ReportChoices
with open_store(sys.argv[1]).reading() as connection:
    for key in sys.argv[2:]:
        for name, kind in KINDS.items():
            contents = kind.write_files(connection, studies.find(connection, key), ReportChoices())
            for file in sorted(contents):
                print(key, name, file, hashlib.sha256(contents[file]).hexdigest())
"""
Contents = dict[str, bytes]


StudyOf = Callable[[str], tuple[Store, Study]]


@pytest.fixture(scope="module")
def study_of(
    templates: Templates, scored_file: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[StudyOf]:
    """A store and its study, by the key of a sample study or the name of one of STUDIES. Nothing here writes to
    them.
    """
    opened: list[Store] = []
    folder = tmp_path_factory.mktemp("stores")

    @cache
    def find(name: str) -> tuple[Store, Study]:
        def make(path: Path) -> None:
            store = open_store(f"sqlite:///{path}")
            STUDIES[name](store, tmp_path_factory.mktemp("study"))
            store.close()

        file = scored_file if name in ORDER else templates.store(f"honest-{name}", make)
        store = open_store(f"sqlite:///{shutil.copy(file, folder / f'{name}.sqlite')}")
        opened.append(store)
        with store.reading() as connection:
            study = studies.find(connection, name) if name in ORDER else studies.listing(connection)[-1]
        assert study is not None
        return store, study

    yield find
    for store in opened:
        store.close()


def written(store: Store, study: Study, kind: str, names: bool = False) -> Contents:
    with store.reading() as connection:
        return KINDS[kind].write_files(connection, study, ReportChoices(names=names))


@pytest.fixture(scope="module")
def report_of(study_of: StudyOf) -> Callable[[str, str], Contents]:
    """The files of a report, by the name of its study and its kind: written once, and without complaints."""

    @cache
    def write(name: str, kind: str) -> Contents:
        store, study = study_of(name)
        contents = written(store, study, kind)
        assert complaints(contents, people_of(store, study)) == []
        return contents

    return lambda name, kind: dict(write(name, kind))


def people_of(store: Store, study: Study) -> list[str]:
    with store.reading() as connection:
        return [rater.name for rater in studies.raters(connection, study.id)]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", [*ORDER, *STUDIES])
def test_a_report_is_honest(
    study_of: StudyOf, report_of: Callable[[str, str], Contents], name: str, kind: str
) -> None:
    store, study = study_of(name)
    contents = report_of(name, kind)
    assert {"report.html", "report.json"} <= set(contents)
    assert written(store, study, kind) == contents


@pytest.mark.parametrize("kind", [kind for kind, spec in KINDS.items() if "names" in spec.choices])
@pytest.mark.parametrize("name", ["lend_an_ear", "under_way", "settled", *HOSTILE])
def test_a_report_with_names_is_as_honest(
    study_of: StudyOf, report_of: Callable[[str, str], Contents], name: str, kind: str
) -> None:
    store, study = study_of(name)
    contents = written(store, study, kind, names=True)
    assert complaints(contents) == []
    codes = report_of(name, kind)
    texts = set(ReportFiles(contents).texts()) - set(ReportFiles(codes).texts())
    named = [person for person in people_of(store, study) if any(person in text for text in texts)]
    assert named or (contents == codes and name in HOSTILE), "nobody stands in it by name"


def test_another_process_with_other_hashes_writes_the_same_bytes(
    study_of: StudyOf,
) -> None:
    store, _ = study_of("coaching_demo")
    keys = ("coaching_demo", "plan_demo")

    def run(seed: str) -> list[str]:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-c", PROGRAM, f"sqlite:///{store.path}", *keys]
        output = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, check=True
        )
        return output.stdout.splitlines()

    with store.reading() as connection:
        by_key = {key: studies.find(connection, key) for key in keys}
    expected = [
        f"{key} {kind} {file} {hashlib.sha256(contents[file]).hexdigest()}"
        for key, study in by_key.items()
        for kind in KINDS
        if study is not None and (contents := written(store, study, kind))
        for file in sorted(contents)
    ]
    assert run("1") == run("2024") == expected


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_there_as_text(
    report_of: Callable[[str, str], Contents], name: str, kind: str
) -> None:
    """The rules have seen that nothing runs; and nothing was left out or changed for it."""
    contents = report_of(name, kind)
    page = PrintedPage(contents["report.html"].decode())
    first = next(text for tag, text in page.lines if tag in ("h1", "p"))
    assert TITLE in first and len(TITLE) > 300
    texts = set(page.texts())
    for thing, kinds in {
        CRITERION: {"agreement", "judges", "progress"} if name == "hostile_criteria" else set(),
        STRATEGY: {"agreement", "metrics"} if name == "hostile_strategies" else set(),
        JUDGE: {"agreement", "drift", "judges"},
    }.items():
        if kind in kinds:
            assert any(thing in text for text in texts), thing
    for name_of_file, content in contents.items():
        if name_of_file.endswith(".csv"):
            cells = [cell for row in csv.reader(io.StringIO(content.decode(), newline="")) for cell in row]
            assert not [cell for cell in cells if cell in (CRITERION, STRATEGY, JUDGE)]


# ---- what the rules see ----


def replaced(name: str, old: str, new: str) -> Callable[[Contents], Contents]:
    """One file with a text changed, once."""

    def change(contents: Contents) -> Contents:
        text = contents[name].decode()
        assert old in text, f"{old!r} does not stand in {name}"
        return {**contents, name: text.replace(old, new, 1).encode()}

    return change


def in_json(change: Callable[[dict[str, Any]], Any]) -> Callable[[Contents], Contents]:
    def apply(contents: Contents) -> Contents:
        document = json.loads(contents["report.json"])
        change(document)
        return {**contents, "report.json": json.dumps(document).encode()}

    return apply


def table_of(document: dict[str, Any], key: str) -> dict[str, Any]:
    return next(
        block
        for section in document["sections"]
        for block in section["blocks"]
        if block["kind"] == "table" and block["key"] == key
    )


def swap_limits(document: dict[str, Any]) -> None:
    percent = next(iter(document["criteria"].values()))["percent"]
    percent["low"], percent["high"] = percent["high"], percent["low"]


def move_mark(document: dict[str, Any]) -> None:
    forest = next(b for s in document["sections"] for b in s["blocks"] if b["kind"] == "forest")
    estimate = next(
        mark["estimate"] for row in forest["rows"] for mark in row["marks"] if mark["estimate"]["low"]
    )
    estimate["value"] = estimate["low"] = estimate["low"] - 7.0731


def move_point(document: dict[str, Any]) -> None:
    panels = next(b for s in document["sections"] for b in s["blocks"] if b["kind"] == "panels")
    panels["panels"][0]["points"][-1]["value"] += 0.0731


def without_last_line(contents: Contents) -> Contents:
    name = "tables/conversations.csv"
    return {**contents, name: b"\r\n".join(contents[name].split(b"\r\n")[:-2]) + b"\r\n"}


def without_a_row(html: str) -> str:
    start = html.rindex("<tr>")
    return html[:start] + html[html.index("</tr>", start) + 5 :]


def renamed(contents: Contents) -> Contents:
    return {**contents, "tables/other.csv": contents["tables/units.csv"]}


def infinite(contents: Contents) -> Contents:
    return replaced("report.json", '"numeric": [', '"far": Infinity, "numeric": [')(contents)


BREAKS: dict[str, tuple[str, str, Callable[[Contents], Contents]]] = {
    "low and high swapped": ("agreement", "limits_around_values", in_json(swap_limits)),
    "a mark beside its interval": ("agreement", "charts_in_tables", in_json(move_mark)),
    "a point that no table has": ("metrics", "charts_in_tables", in_json(move_point)),
    "an infinite number": ("metrics", "only_numbers", infinite),
    "nan in a cell": ("metrics", "only_words", replaced("tables/units.csv", "0.700", "nan")),
    "None in a sentence": (
        "progress",
        "only_words",
        replaced("report.html", "conversations have", "of None have"),
    ),
    "less than nothing": ("metrics", "only_words", replaced("report.html", "0.700", "-0.000")),
    "a row missing in CSV": ("metrics", "tables_alike", without_last_line),
    "a row missing in HTML": (
        "metrics",
        "tables_alike",
        lambda contents: {
            **contents,
            "report.html": without_a_row(contents["report.html"].decode()).encode(),
        },
    ),
    "a row cut short": (
        "metrics",
        "tables_alike",
        in_json(lambda document: table_of(document, "units")["rows"][2].pop()),
    ),
    "a file of no table": ("metrics", "tables_alike", renamed),
    "two tables of one name": (
        "metrics",
        "tables_alike",
        in_json(lambda document: table_of(document, "units").update(key="conversations")),
    ),
    "another number in CSV": ("metrics", "tables_alike", replaced("tables/units.csv", "0.700", "0.701")),
    "another sentence in HTML": (
        "progress",
        "words_alike",
        replaced("report.html", "have been made", "are due"),
    ),
    "a name": ("progress", "nobody_named", replaced("report.html", "Rater ", "Ada Winter ")),
    "a name in a cell of JSON": (
        "progress",
        "nobody_named",
        in_json(lambda document: table_of(document, "raters")["rows"][0].__setitem__(0, "Cleo Marsh")),
    ),
    "a script": ("progress", "nothing_runs", replaced("report.html", "</h1>", "</h1><script>1</script>")),
    "a picture from outside": (
        "progress",
        "nothing_runs",
        replaced("report.html", "</h1>", '</h1><p style="background: url(http://x)"></p>'),
    ),
    "a formula": ("progress", "nothing_runs", replaced("tables/raters.csv", "Rater ", "=1+")),
    "a formula behind a minus": (
        "progress",
        "nothing_runs",
        replaced("tables/raters.csv", "Rater ", "-1+A1*"),
    ),
    "more given than wanted": (
        "progress",
        "shares_within_all",
        in_json(lambda d: d["header"].append("9 of 8.")),
    ),
    "more than all": ("progress", "shares_within_all", in_json(lambda d: d["header"].append("101% of them"))),
    "less than none": ("progress", "shares_within_all", in_json(lambda d: d["header"].append("It is -4%."))),
    "a value outside its limits": (
        "progress",
        "limits_around_values",
        in_json(lambda d: d["header"].append("83% (plausible range 84% to 87%)")),
    ),
    "limits turned round in a cell": (
        "metrics",
        "limits_around_values",
        in_json(lambda d: table_of(d, "whole_study")["rows"][0].__setitem__(2, "0.700 to 0.600")),
    ),
    "a section without anything": (
        "progress",
        "words_alike",
        in_json(lambda d: d["sections"][0].update(blocks=[])),
    ),
}


BROKEN = {"agreement": "lend_an_ear", "metrics": "coaching_demo", "progress": "under_way"}


@pytest.mark.parametrize("name", BREAKS)
def test_a_broken_report_is_seen(
    study_of: StudyOf, report_of: Callable[[str, str], Contents], name: str
) -> None:
    kind, rule, change = BREAKS[name]
    problems = complaints(change(report_of(BROKEN[kind], kind)), people_of(*study_of(BROKEN[kind])))
    assert any(problem.startswith(f"{rule}: ") for problem in problems), problems
