"""What is taken away: the same bytes every time, nothing that a browser or a spreadsheet would run, and
numbers that can be computed again.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import math
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from data.exporters.csv_cells import cell
from data.record import judgements, studies
from data.record.judgements import JudgeIdentity
from data.store.store import Store
from reports.agreement.agreement_data import gather_findings
from reports.agreement.export_files import export_files, request_for, write_report
from reports.agreement.files import files
from reports.agreement.findings import Findings
from reports.render.files import zipped
from runs.sample_studies import ORDER
from scoring.agreement.significance_tests.alt_test import alt_test
from tests.studies import degenerate, small_study
from tests.studies.rater_codes import CODE, codes_of
from tests.studies.small_study import INSTRUMENT, Small

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[4]
FORMULAS = ("=", "+", "-", "@", "\t", "\r")
SCRIPT = "<script>alert(1)</script>"
FORMULA = "=cmd|' /C calc'!A0"
PROGRAM = """
import hashlib, sys
from data.record import studies
from data.store.store import open_store
from reports.render.files import zipped
from reports.agreement.export_files import export_files, request_for
with open_store(sys.argv[1]).reading() as connection:
    for key in sys.argv[2:]:
        study = studies.find(connection, key)
        made = export_files(connection, request_for(connection, study, None))
        print(key, hashlib.sha256(zipped(made)).hexdigest(), *(hashlib.sha256(made[name]).hexdigest() for name in sorted(made)))
"""


def taken(store: Store, key: str, judge: str | None = None, **more: Any) -> dict[str, bytes]:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return export_files(connection, request_for(connection, study, judge), **more)


def found_of(store: Store, key: str) -> Findings:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return gather_findings(connection, request_for(connection, study, None), reasons=True)


class Elements(HTMLParser):
    """The elements of a page, their attributes, and the text outside scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self._raw = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attributes
        self._raw = tag if tag in {"script", "style"} else ""

    def handle_endtag(self, tag: str) -> None:
        self._raw = ""

    def handle_data(self, data: str) -> None:
        if not self._raw:
            self.text.append(data)


@pytest.mark.parametrize("key", ORDER)
def test_the_same_data_give_the_same_bytes(sample_store: Store, key: str) -> None:
    first, second = taken(sample_store, key), taken(sample_store, key)
    assert first == second and zipped(first) == zipped(dict(reversed(second.items())))
    with zipfile.ZipFile(io.BytesIO(zipped(first))) as archive:
        assert (
            archive.testzip() is None and {name: archive.read(name) for name in archive.namelist()} == first
        )
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_another_process_with_other_hashes_writes_the_same_bytes(sample_store: Store) -> None:
    def run(seed: str) -> str:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            [sys.executable, "-c", PROGRAM, f"sqlite:///{sample_store.path}", "coaching_demo", "vera_mh"],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        ).stdout

    output = run("1")
    assert output == run("2024")
    contents = taken(sample_store, "coaching_demo")
    assert output.splitlines()[0].split()[1:] == [
        hashlib.sha256(zipped(contents)).hexdigest(),
        *(hashlib.sha256(contents[name]).hexdigest() for name in sorted(contents)),
    ]


def finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(isinstance(name, str) and finite(inner) for name, inner in value.items())
    if isinstance(value, list):
        return all(map(finite, value))
    return (
        isinstance(value, str | bool | int)
        or (isinstance(value, float) and math.isfinite(value))
        or value is None
    )


def refuse(name: str) -> None:
    raise AssertionError(name)


@pytest.mark.parametrize("key", ORDER)
def test_json_is_valid_and_every_value_finite_and_no_cell_begins_a_formula(
    sample_store: Store, key: str
) -> None:
    for name, content in taken(sample_store, key).items():
        if name.endswith(".json"):
            assert finite(json.loads(content, parse_constant=refuse))
        elif name.endswith(".csv"):
            for row in csv.reader(io.StringIO(content.decode(), newline="")):
                assert all(not value.startswith(FORMULAS) or cell(value) == value for value in row)


def test_every_table_of_the_page_is_a_file_and_every_criterion_has_its_labels(sample_store: Store) -> None:
    contents, findings = taken(sample_store, "coaching_demo"), found_of(sample_store, "coaching_demo")
    with sample_store.reading() as connection:
        tables = {f"tables/{table.key}.csv" for table in write_report(connection, findings).tables()}
    ids = {question.id for question in findings.material.questions}
    assert set(contents) == {
        "report.html",
        "report.json",
        "read_me.txt",
        "raters.csv",
        "units.csv",
        *tables,
        *(f"labels/{criterion}.csv" for criterion in ids),
        *(f"alt_test/{criterion}.json" for criterion in ids),
    }
    assert {"tables/safety_to_read.csv", "tables/flips.csv", "tables/coefficients.csv"} <= tables


def columns(content: bytes) -> dict[str, list[str]]:
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    return {name: [row[place] for row in rows[1:]] for place, name in enumerate(rows[0])}


@pytest.mark.parametrize(
    ("key", "weights", "name"),
    [("lend_an_ear", "quadratic", "quadratic kappa"), ("coaching_demo", None, "kappa")],
)
def test_kappa_can_be_computed_again_from_the_labels(
    sample_store: Store, key: str, weights: str | None, name: str
) -> None:
    contents, findings = taken(sample_store, key), found_of(sample_store, key)
    numbers = json.loads(contents["report.json"])["criteria"]
    compared = 0
    for number in findings.used:
        asked = findings.material.questions[number]
        table = columns(contents[f"labels/{asked.id}.csv"])
        assert next(iter(table)) == "unit" and list(table)[-1] == "judge"
        values = []
        for rater in list(table)[1:-1]:
            pairs = [
                (label, verdict)
                for label, verdict in zip(table[rater], table["judge"], strict=True)
                if label in asked.levels and verdict in asked.levels
            ]
            if len(pairs) > 1:
                values.append(
                    cohen_kappa_score(*zip(*pairs, strict=True), labels=list(asked.levels), weights=weights)
                )
        defined_kappas = [value for value in values if not np.isnan(value)]
        coefficient = numbers[asked.id]["coefficients"][name]
        if defined_kappas:
            assert coefficient["value"] == pytest.approx(np.mean(defined_kappas))
            compared += 1
        else:
            assert "value" not in coefficient and coefficient["undefined"]
    assert compared > 5


def test_the_alt_test_reads_what_is_written_for_it(sample_store: Store) -> None:
    reference = json.loads(
        (ROOT / "tests" / "vectors" / "reference" / "agreement_alttest.json").read_text(encoding="utf-8")
    )["cases"][0]
    contents = taken(sample_store, "lend_an_ear")
    for name, content in contents.items():
        if not name.startswith("alt_test/"):
            continue
        document = json.loads(content)
        assert set(document) == {"humans", "llm"} <= set(reference)
        kinds = {
            type(label)
            for labels in (document["llm"], *document["humans"].values())
            for label in labels.values()
        }
        assert kinds == {type(label) for label in reference["llm"].values()} == {int}
        assert len(document["humans"]) == 3 and len(document["llm"]) == 50
        assert all(CODE.fullmatch(name) for name in document["humans"])
        for scoring in ("accuracy", "neg_rmse"):
            assert len(alt_test(document["humans"], document["llm"], scoring).against) == 3


def test_on_a_scale_without_order_the_alt_test_gets_the_labels(sample_store: Store) -> None:
    document = json.loads(taken(sample_store, "coaching_demo")["alt_test/CQ9.json"])
    assert {*document["llm"].values()} <= {"YES", "NO", "NA"}


NASTY = (
    INSTRUMENT.replace("title: Small rubric", f"title: '{SCRIPT}'")
    .replace("name: Warm", f"name: '<img src=x onerror=alert(1)>{SCRIPT}'")
    .replace("name: Safe", f'name: "{FORMULA}"')
    .replace('name: "Yes"', 'name: "@SUM(\'a\',\\"b\\") </script><svg/onload=alert(1)>"')
    .replace("name: Deep", f"name: '{'very long ' * 190}'")
)
NAMES = (
    '=HYPERLINK("http://x","y")',
    "<b onmouseover=alert(1)>Zoë</b>",
    "judge",
    "unit",
    "+1",
    'O\'Neil, "Al"; & co',
    "x" * 80,
)


def make_nasty(store: Store, folder: Path) -> Small:
    small = small_study.make(
        store, folder, instrument=NASTY, with_judges=False, raters=NAMES, provenance=SCRIPT
    )
    degenerate.say(
        small,
        JudgeIdentity(f"{FORMULA}{SCRIPT}", model=SCRIPT, prompt="<i>"),
        degenerate.every(label="YES", reasoning='"<u>never said</u>" '),
    )
    for number in range(len(NAMES)):
        for position in range(1, 5):
            small.desk(number).rate(position, "NO" if position == 1 + number % 4 else "YES")
    return small


@pytest.fixture
def nasty(copy_study: Callable[..., Small]) -> Small:
    return copy_study(make_nasty)


def harmless_twin(nasty: Small) -> Store:
    """The same labels under harmless names, in the same store."""
    small = small_study.make(
        nasty.store,
        nasty.store.path.parent,
        key="twin",
        with_judges=False,
        instrument=INSTRUMENT.replace("key: small", "key: twin"),
        raters=tuple(f"Rater{n}" for n in range(len(NAMES))),
    )
    degenerate.say(small, JudgeIdentity("Judge"), degenerate.every(label="YES", reasoning='"never said" '))
    for number in range(len(NAMES)):
        for position in range(1, 5):
            small.desk(number).rate(position, "NO" if position == 1 + number % 4 else "YES")
    return nasty.store


def test_names_with_markup_are_text_in_the_page(nasty: Small) -> None:
    plain = Elements(taken(nasty.store, "small", pseudonyms=False)["report.html"].decode())
    usual = Elements(taken(harmless_twin(nasty), "twin", pseudonyms=False)["report.html"].decode())
    assert (
        set(plain.tags) == set(usual.tags) and plain.tags.count("figure") == usual.tags.count("figure") == 2
    )
    assert not {"img", "script", "b", "i", "u", "iframe", "a"} & set(plain.tags)
    assert not [name for name, _ in plain.attributes if name.startswith("on")]
    page_text = "".join(plain.text)
    for text in (
        SCRIPT,
        "<img src=x onerror=alert(1)>",
        FORMULA,
        NAMES[0],
        NAMES[1],
        "</script><svg/onload=alert(1)>",
        "very long very long",
    ):
        assert text in page_text


def test_names_are_text_in_csv_and_json_and_every_column_has_its_own(nasty: Small) -> None:
    contents = taken(nasty.store, "small", pseudonyms=False)
    for name, content in contents.items():
        if name.endswith(".csv"):
            for row in csv.reader(io.StringIO(content.decode(), newline="")):
                assert all(not value.startswith(FORMULAS) or cell(value) == value for value in row)
    header = next(csv.reader(io.StringIO(contents["labels/warm.csv"].decode(), newline="")))
    written = {NAMES[0]: f"'{NAMES[0]}", "judge": "rater judge", "unit": "rater unit"}
    columns = [written.get(name, name) for name in codes_of(nasty.store, "small")]
    assert len(columns) == len(NAMES) and header == ["unit", *columns, "judge"]
    assert set(json.loads(contents["alt_test/warm.json"])["humans"]) == set(NAMES)
    assert finite(json.loads(contents["report.json"], parse_constant=refuse))
    chart = contents["report.html"].decode()
    assert chart.count("<script>alert") == 0 and "<svg/onload" not in chart


def test_without_names_no_file_holds_one(nasty: Small) -> None:
    for content in taken(nasty.store, "small").values():
        words = content.decode()
        assert not [
            name
            for name in NAMES
            if name not in {"judge", "unit", "+1"} and (name in words or json.dumps(name)[1:-1] in words)
        ]
        assert (
            "Zo\\u00eb" not in words
            and "Zoë" not in words
            and "O'Neil" not in words
            and "O&#x27;Neil" not in words
        )


def test_a_file_with_one_rater_names_them_as_the_page_does(nasty: Small) -> None:
    with nasty.store.reading() as connection:
        asked = request_for(connection, nasty.study, None)
        for number in (0, 6):
            findings = gather_findings(connection, replace(asked, rater=nasty.raters[number]), reasons=True)
            contents = files(findings, write_report(connection, findings))
            assert json.loads(contents["report.json"])["settings"]["rater"] == nasty.codes[number]
            assert set(json.loads(contents["alt_test/warm.json"])["humans"]) == {nasty.codes[number]}


def test_what_the_numbers_were_computed_from_stands_in_the_file(sample_store: Store) -> None:
    settings = json.loads(taken(sample_store, "lend_an_ear")["report.json"])["settings"]
    with sample_store.reading() as connection:
        study = studies.find(connection, "lend_an_ear")
        assert study is not None
        judge = judgements.judges(connection, study.id)[0]
        assert settings["instrument_sha256"] == studies.instrument_sha256(connection, study)
    assert (settings["judge"], json.loads(settings["judge_identity"])["model"], settings["ratings"]) == (
        judge.name,
        "gemini-2.5-pro",
        "blind",
    )
    assert len(settings["labels_sha256"]) == 64


def test_the_hash_changes_with_a_label(small: Small) -> None:
    small.desk().rate(2)
    before = json.loads(taken(small.store, "small")["report.json"])["settings"]["labels_sha256"]
    small.desk().change(2, "warm", "NO")
    assert json.loads(taken(small.store, "small")["report.json"])["settings"]["labels_sha256"] != before
