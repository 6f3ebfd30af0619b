"""The metrics report: every number of the page with its reason or its basis, and every row of it."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

import pytest

from data.record import studies, units
from data.record.metrics import MetricSubject, MetricValue
from data.record.studies import Study
from data.store.store import Store
from reports.document import Paragraph, Table, UnitLink
from reports.kinds import KINDS, ReportChoices
from reports.metrics import by_conversation, findings, judge_label_blocks
from reports.metrics.by_conversation import conversations_table
from reports.metrics.findings import gather_metrics
from reports.metrics.judge_label_blocks import judge_blocks
from tests.studies.small_study import Small
from words.unit_nouns import REPLY

pytestmark = pytest.mark.usefixtures("usual_metrics")


def study_of(store: Store, key: str) -> Study:
    with store.reading() as connection:
        study = studies.find(connection, key)
    assert study is not None
    return study


def written(store: Store, key: str) -> dict[str, bytes]:
    with store.reading() as connection:
        return KINDS["metrics"].write_files(connection, study_of(store, key), ReportChoices())


def rows_of(contents: dict[str, bytes], name: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(contents[f"tables/{name}.csv"].decode(), newline="")))


def test_it_says_what_the_page_says(scored_store: Store) -> None:
    contents = written(scored_store, "coaching_demo")
    html = contents["report.html"].decode()
    for words in (
        "Metrics: Coaching rubric, demonstration",
        "Goal alignment: slope of the average curve",
        "none: Incomplete: no answer to CQ9.",
        "0.700, rejected by the safety gate",
        "Not computed: conflict of advice, steps that follow.",
        "Where a number is missing, the reason is given",
    ):
        assert words in html, words
    conversations = rows_of(contents, "conversations")
    assert [row[0] for row in conversations[1:]] == ["demo-03", "demo-14"]
    assert rows_of(contents, "units")[0] == ["Conversation", "Conversation id", "Judge", "What", "Value"]
    assert len(rows_of(contents, "curve_1")) == 13
    assert [row[1:] for row in rows_of(written(scored_store, "plan_demo"), "alignment")[1:]] == [
        ["judged trials only", "0.924", "12 of 14"],
        ["as published: skipped and failed trials and unscored strategies are 0", "0.827", "14 of 14"],
    ]


def test_a_study_without_numbers_says_how_to_get_them(scored_store: Store) -> None:
    contents = written(scored_store, "vera_mh")
    sections = json.loads(contents["report.json"])["sections"]
    assert [section["key"] for section in sections] == ["nothing"]
    assert "second-reader score vera_mh" in sections[0]["blocks"][0]["text"]


def test_the_report_reads_all_units_and_a_page_those_of_the_first_conversations(
    scored_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = study_of(scored_store, "coaching_demo")
    with scored_store.reading() as connection:
        everything = gather_metrics(connection, study)
        monkeypatch.setattr(findings, "MAX_IDS_PER_QUERY", 3)
        monkeypatch.setattr(judge_label_blocks, "MAX_IDS_PER_QUERY", 3)
        assert gather_metrics(connection, study) == everything
        first = gather_metrics(connection, study, most=2)
        blocks = list(judge_blocks(connection, study, first, most=1))
        all_blocks = list(judge_blocks(connection, study, everything))
    assert first.present == everything.present
    conversations = {value.subject.conversation_id for value in first.of_judges}
    assert len(conversations) == 2 < len({value.subject.conversation_id for value in everything.of_judges})
    unread = len({value.subject.conversation_id for value in everything.of_judges} - conversations)
    assert (everything.unread, first.unread) == (0, unread) and unread > 1
    assert blocks[0] == Paragraph(
        f"Listed: 1 of {len(first.of_judges)} numbers of judges on single conversations. {unread} conversations "
        "further down the study left out of the list. Everything: second-reader report coaching_demo --of metrics, in a "
        "terminal.",
        "small",
    )
    assert isinstance(blocks[1], Table) and len(blocks[1].rows) == 1
    (whole,) = all_blocks
    assert isinstance(whole, Table) and len(whole.rows) == len(everything.of_judges)
    assert list(whole.rows)[:1] == list(blocks[1].rows)


def test_a_long_table_is_cut_on_a_page_and_names_of_raters_are_ways(
    make_study: Callable[..., Small], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = make_study(conversation_count=7)
    monkeypatch.setattr(by_conversation, "MAX_IDS_PER_QUERY", 2)
    with small.store.reading() as connection:
        ids = sorted(set(units.conversations_of(connection, small.study.id).values()))
        values = [
            MetricValue(MetricSubject(number), "step_f1", "published", "1", 0.5, None, "x") for number in ids
        ]
        whole = list(conversations_table(connection, values, named=True))
        cut = list(conversations_table(connection, values, named=False, most=3))
        headings = [
            block.header[0]
            for is_named in (True, False)
            for block in conversations_table(connection, values, is_named, noun=REPLY)
            if isinstance(block, Table)
        ]
        assert list(conversations_table(connection, [], named=True)) == []
    assert headings == ["Conversation", "Conversation of reply"], "its cells are ways to replies"
    assert len(whole) == 1 and isinstance(whole[0], Table)
    assert [row[0] for row in whole[0].rows] == [f"c{number}" for number in range(1, 8)]
    assert isinstance(cut[0], Table) and cut[1] == Paragraph("The first 3 of 7 are listed.", "small")
    assert [row[0] for row in cut[0].rows] == [UnitLink(1), UnitLink(2), UnitLink(3)]
    assert {row[1] for row in cut[0].rows} == {"0.500"}
