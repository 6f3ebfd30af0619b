"""Judge and clinicians on a form in which the next question depends on the answer."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np

from data.exporters import assessments
from data.labels import agreement_material
from data.record import judgements
from data.store.store import Store
from reports.agreement.paths import paths_section
from reports.agreement.report import report
from reports.document import Paragraph, Table
from reports.kinds import KINDS, ReportChoices
from scoring.agreement.labels.asked_paths import compare_paths
from scoring.agreement.labels.label_data import HumanLabels
from tests.studies import degenerate
from tests.studies.branching import BRANCHING
from tests.studies.small_study import make
from tests.unit.reports.agreement.made_findings import findings

PEOPLE = [
    ("risk", 1, "Ann", "YES"),
    ("missed", 1, "Ann", "NO"),
    ("confirms", 1, "Ann", "NO"),
    ("tone", 1, "Ann", "NO"),
    ("risk", 1, "Ben", "NO"),
    ("false_alarm", 1, "Ben", "YES"),
    ("risk", 2, "Ann", "NO"),
    ("false_alarm", 2, "Ann", "NO"),
    ("risk", 3, "Ann", "NO"),
    ("false_alarm", 3, "Ann", "NO"),  # the judge said nothing of it
]
JUDGE: list[tuple[str, int, str | None]] = [
    ("risk", 1, "YES"),
    ("missed", 1, "YES"),
    ("tone", 1, None),  # a failure was asked
    ("risk", 2, "NO"),
    ("false_alarm", 2, "YES"),
]


def test_the_counts_are_those_of_the_paths() -> None:
    paths = compare_paths(findings(PEOPLE, JUDGE, instrument=BRANCHING).material)
    assert (paths.pairs, paths.same) == (3, 1)
    counts = [(c.both, c.clinician, c.judge, c.neither) for c in paths.questions]
    assert counts == [
        (3, 0, 0, 0),  # risk
        (1, 0, 1, 1),  # missed
        (1, 1, 0, 1),  # false alarm
        (0, 1, 0, 2),  # confirms
        (1, 0, 1, 1),  # tone
    ]


def test_what_cannot_be_rated_was_asked_where_it_was_said_blind() -> None:
    made = findings(PEOPLE[:3], JUDGE, instrument=BRANCHING).material
    for arm, asked in ((0, True), (1, False)):
        tone, ann = np.array([4]), made.given.rater[:1]
        refused = HumanLabels(tone, np.array([1]), ann, np.array([-1]), np.array([arm]), np.array([0]))
        counts = compare_paths(replace(made, refused=refused)).questions[4]
        assert (counts.both, counts.judge) == ((1, 0) if asked else (0, 1))


def test_a_pair_of_labels_is_only_where_both_were_asked() -> None:
    made = findings(PEOPLE, JUDGE, instrument=BRANCHING)
    assert [len(made.material.pairs(number)) for number in range(5)] == [3, 1, 1, 0, 0]
    assert report(made)  # the whole report stands


def test_the_table_says_it_and_is_there_for_such_forms_alone() -> None:
    section = paths_section(findings(PEOPLE, JUDGE, instrument=BRANCHING))
    assert section is not None
    words, table = section.blocks
    assert isinstance(words, Paragraph) and isinstance(table, Table)
    assert "asked the same questions in 1 of 3 ratings" in words.text
    assert table.rows[1] == ("Missed", "1", "0", "1", "1")
    assert paths_section(findings([("warm", 1, "Ann", "YES")], [("warm", 1, "YES")])) is None
    assert paths_section(findings(PEOPLE, [], instrument=BRANCHING)) is None


def test_from_the_pad_to_the_files(store: Store, tmp_path: Path) -> None:
    small = make(store, tmp_path, instrument=BRANCHING, with_judges=False)
    degenerate.say(
        small,
        judgements.JudgeIdentity("Judge"),
        [
            {"conversation_id": "c1", "criterion": name, "label": label}
            for name, label in (("risk", "YES"), ("missed", "YES"), ("tone", "NO"))
        ],
    )
    desk = small.desk()
    for name, label in (("risk", "YES"), ("missed", "NO"), ("confirms", "NO"), ("tone", "NO")):
        desk.draft(1, name, label)
    desk.commit(1)
    with store.reading() as connection:
        (judge,) = judgements.judges(connection, small.study.id)
        material = agreement_material.read(connection, small.study, judge.id)
        files = KINDS["agreement"].write_files(connection, small.study, ReportChoices())
        written = assessments.read_assessments(connection, small.study, judge="Judge")
    assert {q.id: len(material.pairs(n)) for n, q in enumerate(material.questions)} == {
        "risk": 1,
        "missed": 1,
        "false_alarm": 0,
        "confirms": 0,
        "tone": 1,
    }
    assert "Which questions were asked" in files["report.html"].decode()
    assert json.loads(files["report.json"])
    entry = assessments.assessment(small.study, written.givers[0], *next(iter(written.units.values())))
    assert entry["not_asked"] == ["false_alarm", "confirms"] and entry["incomplete"] == []
