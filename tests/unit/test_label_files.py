"""No file of labels that leaves the product leaves a rater out without a word: they hold everybody, and say who is
in no headline and why.
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cli import main
from cli.exporting import export
from data.record import set_aside, studies
from data.record.studies import Study
from data.store.store import Store
from reports.kinds import KINDS
from tests.studies import importing, small_study
from tests.studies.rater_codes import codes_of

ROOT = Path(__file__).resolve().parents[2]
# Every command and button that writes a file, by whether people's labels stand in it. A new one goes here, and
# into the tests below where they do.
EXPORTS = {
    "assessments": True,
    "disagreements": True,  # of everybody, as in the list to settle
    "drawn": False,
    "metrics": False,
    "recordings": False,  # of a judge
    "run-folder": False,  # of a judge
    "study": True,  # all of it
    "table": True,
    "target-plans": False,
}
REPORTS = {
    "agreement": True,
    "calibration": False,
    "drift": False,
    "judges": False,
    "metrics": False,
    "progress": False,
}
BUTTONS = {
    "pages/plans.py": False,
    "pages/widgets/agreement/exports.py": True,  # the files of the report of agreement
    "pages/widgets/drift/part_lines.py": False,
    "pages/widgets/importing/template_files.py": False,  # examples
    "pages/widgets/importing/check.py": False,  # what is wrong with a file that was not taken
}
RATED = {"Ann": 12, "Ben": 12, "Cid": 9, "Dan": 12}
SEEN = "Eve"  # rated with the judge in view


@dataclass
class Rated:
    """Twelve conversations. Cid rated nine, Dan is set aside, Eve had seen the judge."""

    store: Store
    study: Study
    codes: dict[str, str]

    def run(self, *words: object) -> Result:
        return CliRunner().invoke(main, [str(word) for word in words])


@pytest.fixture
def rated(store: Store, store_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Rated:
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{store_path}")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    small = small_study.make(store, tmp_path, conversation_count=12, raters=())
    for exposure, raters in (("blind", RATED), ("judge_visible", {SEEN: 12})):
        path = tmp_path / f"{exposure}.csv"
        rows = [
            f"c{number},{name},warm,{'NO' if number % 5 == 0 else 'YES'}"
            for name, most in raters.items()
            for number in range(1, most + 1)
        ]
        path.write_text("\n".join(["conversation_id,rater,criterion,label", *rows]), encoding="utf-8")
        importing.import_ratings(store, "small", path, "tests", exposure, "a protocol")
    codes = codes_of(store, "small")
    with store.writing("tests", "set aside", small.study.id) as (connection, entry):
        numbers = {rater.name: rater.id for rater in studies.raters(connection, small.study.id)}
        set_aside.set_rater_aside(connection, entry, small.study, numbers["Dan"], "Lead", "not trained")
    return Rated(store, small.study, codes)


def columns(content: bytes) -> dict[str, list[str]]:
    rows = list(csv.reader(io.StringIO(content.decode(), newline="")))
    return {name: [row[place] for row in rows[1:]] for place, name in enumerate(rows[0])}


def test_every_way_in_which_a_file_leaves_the_product_is_listed() -> None:
    assert set(export.commands) == set(EXPORTS) and set(KINDS) == set(REPORTS)
    with_buttons = {
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "pages").rglob("*.py")
        if "download_button(" in path.read_text(encoding="utf-8")
    }
    assert with_buttons == set(BUTTONS)


def test_the_files_of_a_report_hold_everybody_and_say_who_is_in_no_headline(
    rated: Rated, tmp_path: Path
) -> None:
    written = rated.run("report", "small", "--to", tmp_path / "out")
    assert written.exit_code == 0, written.output
    codes, given = rated.codes, [rated.codes[name] for name in RATED]
    labels = columns((tmp_path / "out" / "labels" / "warm.csv").read_bytes())
    assert set(labels) == {"unit", *given, "judge"}
    assert {name: 12 - labels[codes[name]].count("") for name in RATED} == RATED
    humans = json.loads((tmp_path / "out" / "alt_test" / "warm.json").read_text(encoding="utf-8"))["humans"]
    assert {name: len(humans[codes[name]]) for name in RATED} == RATED and len(humans) == len(RATED)
    raters = columns((tmp_path / "out" / "raters.csv").read_bytes())
    reasons = dict(
        zip(raters["rater"], zip(raters["in_headline"], raters["why_not"], strict=True), strict=True)
    )
    assert reasons == {
        codes["Ann"]: ("yes", ""),
        codes["Ben"]: ("yes", ""),
        codes["Cid"]: ("no", "only 9 conversations"),
        codes["Dan"]: ("no", "set aside: not trained"),
        codes[SEEN]: ("no", "no blind label that counts"),
    }
    read_me = (tmp_path / "out" / "read_me.txt").read_text(encoding="utf-8")
    for name, reason in reasons.items():
        assert (f"{name}: {reason[1]}\n" in read_me) == (reason[0] == "no")
    assert "fewer than 10 where the median rater has 10 or more" in read_me
    table = columns((tmp_path / "out" / "tables" / "raters.csv").read_bytes())
    assert dict(zip(table["Rater"], table["In the headline"], strict=True)) == {
        name: "yes" if answer == "yes" else f"no, {reason}" for name, (answer, reason) in reasons.items()
    }


def test_where_everybody_is_in_the_headline_the_files_say_so(
    store: Store, rated: Rated, tmp_path: Path
) -> None:
    small = small_study.make(store, tmp_path, key="whole")
    for number in range(2):
        small.desk(number).rate(2)
    assert rated.run("report", "whole", "--to", tmp_path / "out").exit_code == 0
    read_me = (tmp_path / "out" / "read_me.txt").read_text(encoding="utf-8")
    assert "The headline" in read_me and "has too few" not in read_me
    assert columns((tmp_path / "out" / "raters.csv").read_bytes())["in_headline"] == ["yes", "yes"]


def test_no_other_report_holds_labels(rated: Rated, tmp_path: Path) -> None:
    for kind in (name for name, holds in REPORTS.items() if not holds):
        assert rated.run("report", "small", "--of", kind, "--to", tmp_path / kind).exit_code == 0
        assert {path.name for path in (tmp_path / kind).iterdir()} <= {"report.html", "report.json", "tables"}


def test_the_table_holds_everybody_and_says_of_every_label_whether_it_counts(
    rated: Rated, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "table.csv"
    result = rated.run("export", "table", "small", path)
    assert result.stdout == f"129 rows written to {path}. table.columns.csv explains its columns.\n"
    table = columns(path.read_bytes())
    assert list(table) == columns((tmp_path / "table.columns.csv").read_bytes())["column"]
    reasons: dict[str, set[tuple[str, str]]] = {}
    for rater, counts, reason in zip(table["rater"], table["in_headline"], table["why_not"], strict=True):
        reasons.setdefault(rater, set()).add((counts, reason))
    codes = rated.codes
    assert {code: reasons[code] for code in reasons if code} == {
        codes["Ann"]: {("yes", "")},
        codes["Ben"]: {("yes", "")},
        codes["Cid"]: {("no", "only 9 conversations")},
        codes["Dan"]: {("no", "set aside: not trained")},
        codes[SEEN]: {("no", "given after the judge was shown")},
    }
    again = rated.run("export", "table", "small", path)
    assert again.exit_code == 1 and "table.csv: File exists." in again.stderr
    assert "must end in one of .csv" in rated.run("export", "table", "small", tmp_path / "t.txt").stderr
    bare = rated.run("export", "table", "small", tmp_path / "bare.jsonl", "--no-words")
    assert bare.exit_code == 0, bare.output
    assert "not trained" not in (tmp_path / "bare.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("exposure", "written", "left_out"),
    [
        ("blind", ("Ann", "Ben", "Cid"), "1 rater without a label of the exposure blind."),
        ("judge_visible", (SEEN,), "3 raters without a label of the exposure judge_visible."),
    ],
)
def test_assessments_name_how_many_raters_are_left_out_and_why(
    rated: Rated, tmp_path: Path, exposure: str, written: tuple[str, ...], left_out: str
) -> None:
    result = rated.run("export", "assessments", "small", tmp_path / "out", "--exposure", exposure)
    files = {path.stem for path in (tmp_path / "out").iterdir() if path.stem.startswith("rater")}
    assert files == {rated.codes[name].lower().replace(" ", "-") for name in written}
    assert "Left out: 1 rater who is set aside." in result.stdout and left_out in result.stdout
