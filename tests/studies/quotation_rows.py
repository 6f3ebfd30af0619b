"""Reasons that are imported, what is counted of them, and the audit that is made of both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.record import judgements
from data.record.judgements import JudgeIdentity
from data.record.quotation_counts import count_quotations
from scoring.rationale import ReasoningAudit, audit
from tests.studies.small_study import Small

LOST = "words that nobody ever said"
CRITERIA = ("warm", "safe", "deep")
Audited = tuple[ReasoningAudit, Mapping[str, ReasoningAudit]]


def counted_rows(connection: Connection) -> list[tuple[Any, ...]]:
    table = schema.quotation_count
    return [
        tuple(row)
        for row in connection.execute(
            select(table.c.judgement_id, table.c.rule, table.c.quotations, table.c.missing).order_by(
                table.c.judgement_id
            )
        )
    ]


def import_reasons(small: Small, *texts: str | None, judge_name: str = "Judge C") -> ImportReport:
    report = ImportReport("rows")
    lines = enumerate(
        (
            {
                "conversation_id": "c2",
                "criterion": name,
                "label": "YES",
                "reasoning": text,
                "cited_turns": [1],
            }
            for name, text in zip(CRITERIA, texts, strict=False)
        ),
        1,
    )
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(connection, entry, small.study, lines, report, JudgeIdentity(judge_name), "rows")
        report.raise_if_wrong()
        count_quotations(connection)
    return report


def audits(connection: Connection, small: Small, read: Callable[..., Any]) -> dict[int, Audited]:
    judges = judgements.judges(connection, small.study.id)
    return {each.id: audit(read(connection, small.study, each.id)) for each in judges}
