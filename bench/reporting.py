"""The whole agreement report: of labels in memory, of a store on disk, and the page after a choice of its
filters.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import case, select

from bench import stores
from bench.scale import sized
from bench.table import Line, median, ms, percentile, show
from configs.settings import ROOT
from data import schema
from data.record import judgements, studies
from data.record.judgements import Judge, JudgeIdentity
from data.record.rater_codes import assign_codes
from data.record.studies import Study
from data.store.column_texts import joined, numbers
from data.store.store import Store
from reports.agreement.agreement_data import gather_findings
from reports.agreement.findings import Findings, ReportRequest
from reports.agreement.report import report
from scoring.agreement.labels.label_data import HumanLabels, JudgeLabels, LabelData, UnitTable, question_of
from scoring.arrays import IntArray
from scoring.rubric import coaching_rubric

CONVERSATIONS, ON_PAGE = sized((41_667, 10_000), (60, 40))
RATERS = ("Rater 1", "Rater 2")
CONDITIONS = ("A", "B", "C", "D")
LABELS = ("YES", "NO", "NA")
COMMON = (0.85, 0.12, 0.03)  # how often each label is deserved
ROUNDS, REPAINTS = sized((5, 20), (1, 1))
HEAVY = {"plotly", "pandas", "pyarrow", "scipy.stats", "scipy.sparse", "scipy.optimize"}
APP = str(Path(__file__).resolve().parents[1] / "app.py")


def run() -> None:
    lines = [*_in_memory(), *_from_store(), *_on_page(), _imported()]
    show(
        f"reporting: {CONVERSATIONS * len(_criteria()) * len(RATERS):,} ratings of {CONVERSATIONS:,} "
        f"conversations, {len(_criteria())} criteria, "
        f"{len(RATERS)} raters and a judge; the page has {ON_PAGE:,} conversations; median of {ROUNDS}",
        lines,
    )


def _in_memory() -> list[Line]:
    study = Study(
        1,
        "bench",
        "Bench",
        "",
        "synthetic",
        "blind",
        "never",
        10,
        "",
        "",
        ("User", "Assistant"),
        coaching_rubric(),
        None,
    )
    material = _material()
    ours, floor = _in_turns(lambda: report(_findings(study, material)), lambda: _percents(material))
    return [
        Line(
            "the whole report, of labels in memory (floor: each criterion's table of judge and clinicians, "
            "counted)",
            ms(median(ours)),
            ms(median(floor)),
            median(ours) / median(floor),
            "1 s",
            median(ours) <= 1,
        )
    ]


def _from_store() -> list[Line]:
    with tempfile.TemporaryDirectory(prefix="bench-reporting-") as name:
        store, asked = _opened(
            stores.copied(Path(name), "said", CONVERSATIONS, lambda path: _fill(path, CONVERSATIONS))
        )
        with store.reading() as connection:
            ours, floor = _in_turns(
                lambda: report(gather_findings(connection, asked)),
                lambda: _read_and_counted(connection, asked),
            )
        store.close()
    return [
        Line(
            "the same from a store (floor: the columns that a label needs read alike, and labels counted)",
            ms(median(ours)),
            ms(median(floor)),
            median(ours) / median(floor),
            "4 s",
            median(ours) <= 4,
        )
    ]


def _on_page() -> list[Line]:
    """The whole app in Streamlit's own test harness, without a browser: a filter changes, and the script has
    run through.
    """
    from streamlit.testing.v1 import AppTest

    with tempfile.TemporaryDirectory(prefix="bench-reporting-") as name:
        path = stores.copied(Path(name), "said", ON_PAGE, lambda path: _fill(path, ON_PAGE))
        os.environ |= {"SECOND_READER_DATABASE_URL": f"sqlite:///{path}", "SECOND_READER_SAMPLES": "no"}
        at = AppTest.from_string(
            f"import runpy\nrunpy.run_path({APP!r}, run_name='__main__')", default_timeout=60
        )
        for key, value in {"page": "agreement", "study": stores.STUDY, "reader": "lead"}.items():
            at.query_params[key] = value
        at.run()
        at.button(key="reader-lead").click().run()
        took = []
        choices = list(
            product(range(len(CONDITIONS) + 1), range(len(RATERS) + 1))
        )  # "all" and "everyone" among them
        for number in range(REPAINTS + 1):
            condition, rater = choices[(number + 1) % len(choices)]
            at.selectbox(key="agreement-condition").select_index(condition)
            at.selectbox(key="agreement-rater").select_index(rater)
            began = time.perf_counter()
            at.run()
            took.append(time.perf_counter() - began)
            assert not at.exception, at.exception
        took = took[1:]
    return [
        Line(
            f"the page of {ON_PAGE:,} conversations after a filter, without a browser, 95th of {REPAINTS}",
            ms(percentile(took, 0.95)),
            "",
            None,
            "500 ms",
            percentile(took, 0.95) < 0.5,
        ),
        Line("the same, median", ms(median(took))),
    ]


def _imported() -> Line:
    """What the page's modules bring along that Streamlit, which imports plotly itself, has not loaded."""
    program = (
        "import sys, streamlit\nbefore = {*sys.modules}\nimport "
        "pages.agreement\nprint(*sorted({*sys.modules} - before))"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT.parent, capture_output=True, text=True, check=True
    )
    heavy = sorted(
        HEAVY & {name for loaded in process.stdout.split() for name in (loaded, loaded.split(".")[0])}
    )
    return Line(
        "imported with the page's modules before it is opened",
        ", ".join(heavy) or "no charts, no tables",
        target="none",
        met=not heavy,
    )


def _in_turns(*acts: Callable[[], object]) -> list[list[float]]:
    times: list[list[float]] = [[] for _ in acts]
    for number in range(ROUNDS + 1):
        for found, act in list(zip(times, acts, strict=True))[:: 1 if number % 2 else -1]:
            gc.collect()
            began = time.perf_counter()
            act()
            found.append(time.perf_counter() - began)
    return [found[1:] for found in times]


def _percents(material: LabelData) -> list[IntArray]:
    """Given labels are in the order of questions, conversations and raters, so pairing is counting."""
    k, judge, given = len(LABELS), material.judge, material.given
    said = np.repeat(judge.code, len(RATERS))
    return list(
        np.bincount(
            (given.question * k + given.code) * k + said, minlength=len(material.questions) * k * k
        ).reshape(-1, k, k)
    )


def _read_and_counted(connection: Any, asked: ReportRequest) -> list[IntArray]:
    """The columns that a label needs, as the report reads them, and how often each label was given."""
    rating, judged, study = schema.rating, schema.judgement, asked.study.id
    assert asked.judge is not None
    rows = []
    for table, columns, groups, of in (
        (
            rating,
            (rating.c.id, rating.c.unit_id, rating.c.rater_id, rating.c.reveals_before),
            (rating.c.criterion, rating.c.exposure),
            rating.c.source != "rule",
        ),
        (judged, (judged.c.unit_id,), (judged.c.criterion,), judged.c.judge_id == asked.judge.id),
    ):
        code = case({label: number for number, label in enumerate(LABELS)}, value=table.c.label, else_=-1)
        for row in connection.execute(
            select(*map(joined, (*columns, code))).where(table.c.study_id == study, of).group_by(*groups)
        ):
            rows.append(np.bincount([numbers(text) for text in row][-1], minlength=len(LABELS)))
    return rows


def _criteria() -> list[str]:
    return [one.id for one in coaching_rubric().criteria]


def _codes(conversations: int, who: int) -> IntArray:
    """(criteria, conversations): labels; about 85 in 100 are those that the conversation deserves.
    `who`: a rater's number, the judge is -1.
    """
    shape = len(_criteria()), conversations
    deserved = np.random.default_rng(conversations).choice(3, shape, p=COMMON)
    chance = np.random.default_rng(who + 2)
    return np.where(chance.random(shape) < 0.85, deserved, chance.choice(3, shape, p=COMMON))


def _material() -> LabelData:
    instrument, count = coaching_rubric(), CONVERSATIONS
    unit, number = np.arange(1, count + 1), np.arange(len(instrument.criteria))
    units = UnitTable(
        unit, unit, unit, unit, np.full(count, stores.TURNS), unit % len(CONDITIONS), CONDITIONS
    )
    code = np.stack(
        [_codes(count, who) for who in range(len(RATERS))], axis=-1
    )  # (criteria, conversations, raters)
    asked, unit_number, who = (
        axis.ravel() for axis in np.meshgrid(number, unit, np.arange(1, len(RATERS) + 1), indexing="ij")
    )
    given = HumanLabels(
        asked,
        unit_number,
        who,
        code.ravel(),
        np.zeros(code.size, dtype=np.int64),
        np.zeros(code.size, dtype=np.int64),
    )
    judge = JudgeLabels(np.repeat(number, count), np.tile(unit, len(number)), _codes(count, -1).ravel())
    return LabelData(
        tuple(question_of(instrument, criterion) for criterion in instrument.criteria),
        units,
        dict(enumerate(RATERS, start=1)),
        given,
        judge,
    )


def _findings(study: Study, material: LabelData) -> Findings:
    """Of a material that has counted nothing yet."""
    fresh = LabelData(material.questions, material.units, material.people, material.given, material.judge)
    return Findings(
        ReportRequest(study, Judge(1, "Judge", {})),
        fresh,
        assign_codes(study, fresh.people),
        fresh,
    )


def _opened(path: Path) -> tuple[Store, ReportRequest]:
    store = stores.open_at(path)
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        return store, ReportRequest(study, judgements.judges(connection, study.id)[0])


def _fill(path: Path, size: int) -> Store:
    """Conversations under one of four conditions; every criterion labelled blind by both raters and by the
    judge.
    """
    source = stores.write_conversations(
        path.with_suffix(".jsonl"),
        size,
        characters=20,
        facts=lambda number: {"condition": CONDITIONS[number % len(CONDITIONS)]},
    )
    store = stores.make(path, source, RATERS, "coaching_rubric")
    source.unlink()
    with store.reading() as connection:
        study = studies.find(connection, stores.STUDY)
        assert study is not None
        units = (
            connection.execute(
                select(schema.unit.c.id)
                .where(schema.unit.c.study_id == study.id)
                .order_by(schema.unit.c.position)
            )
            .scalars()
            .all()
        )
    raters = stores.rater_ids(store)
    with store.writing("bench", "label") as (connection, entry):
        for who, name in enumerate(RATERS):
            _write(
                entry,
                schema.rating,
                _labels(units, _codes(size, who)),
                lambda unit, criterion, label, rater=raters[name]: {
                    "event": f"{rater}-{unit}-{criterion}",
                    "study_id": study.id,
                    "rater_id": rater,
                    "unit_id": unit,
                    "criterion": criterion,
                    "label": label,
                    "source": "given",
                    "exposure": "blind",
                    "reveals_before": 0,
                    "also": "[]",
                    "evidence": "[]",
                },
            )
        judge = judgements.register(connection, entry, study.id, JudgeIdentity("Judge"))
        _write(
            entry,
            schema.judgement,
            _labels(units, _codes(size, -1)),
            lambda unit, criterion, label: {
                "study_id": study.id,
                "unit_id": unit,
                "judge_id": judge,
                "criterion": criterion,
                "status": "ok",
                "label": label,
                "cited": "[]",
                "anchor_round": 0,
                "replicate": 0,
                "origin": "import",
                "file": "bench",
            },
        )
    return store


def _labels(units: Any, codes: IntArray) -> Iterator[tuple[int, str, str]]:
    for row, unit in zip(
        codes.T.tolist(), units, strict=True
    ):  # conversation by conversation, as people work
        for criterion, code in zip(_criteria(), row, strict=True):
            yield unit, criterion, LABELS[code]


def _write(entry: Any, table: Any, labels: Iterator[tuple[int, str, str]], row: Any) -> None:
    while some := list(islice(labels, 60_000)):
        entry.write_many(table, [row(*one) for one in some])
