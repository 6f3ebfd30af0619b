"""A study lead who points judges at the small study: a models.yaml, the model server, and what came of a
run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa
import yaml

from configs.settings import ROOT, Settings
from data import schema
from data.keeping.verify import verify
from data.record import judge_runs, ledger_totals
from data.record.judge_runs import JudgeRun, JudgeRunOptions
from data.record.ledger_totals import AttemptTotals
from data.store.store import Store
from runs.judging import RunConfiguration, RunOutcome, configure_run, judge_study
from tests.servers.model_server import Behaviour, ModelServer, Reply, Seen, well
from tests.studies.small_study import Small

CALLS = 11  # of the small study: "deep" is not asked about its first conversation
Place = tuple[int, str, int]


def about(seen: Seen) -> tuple[int, str]:
    """The conversation and the criterion that a request is about."""
    conversation, criterion = (
        re.search(r"conversation (\d+)\.", seen.prompt),
        re.search(r"^(\w+): (Warm|Safe|Deep)$", seen.prompt, re.MULTILINE),
    )
    assert conversation and criterion
    return int(conversation.group(1)), criterion.group(1)


def only(
    conversation: int, criterion: str, reply: Callable[[Seen], Reply], otherwise: Behaviour = well
) -> Behaviour:
    """One call gets its own reply; all others are answered well."""
    return lambda seen: reply(seen) if about(seen) == (conversation, criterion) else otherwise(seen)


def after(number: int, reply: Callable[[Seen], Reply]) -> Behaviour:
    """So many requests are answered well; then every one gets this."""
    return lambda seen: well(seen) if seen.number <= number else reply(seen)


@dataclass
class Lead:
    small: Small
    server: ModelServer
    folder: Path
    fields: dict[str, Any]
    prompts: Path = ROOT / "prompts"

    @property
    def store(self) -> Store:
        return self.small.store

    def setting(self, study: str = "small", **changed: Any) -> RunConfiguration:
        path = self.folder / "models.yaml"
        path.write_text(yaml.safe_dump({"judges": {"cloud": {**self.fields, **changed}}}), encoding="utf-8")
        return configure_run(
            self.store,
            Settings.read({"SECOND_READER_MODELS": str(path), "SECOND_READER_PROMPTS": str(self.prompts)}),
            study,
            "cloud",
        )

    def judge(
        self,
        behave: Behaviour | None = None,
        options: JudgeRunOptions | None = None,
        served: str | None = None,
        run_id: int | None = None,
        study: str = "small",
        **changed: Any,
    ) -> RunOutcome:
        """A run with everything that was changed in models.yaml."""
        if behave is not None:
            self.server.behave = behave
        return judge_study(
            self.setting(study, **changed), options or JudgeRunOptions(), "lead", run_id=run_id, served=served
        )

    def rows(self, table: sa.Table) -> list[Any]:
        with self.store.reading() as connection:
            return list(connection.execute(sa.select(table).order_by(table.c.id)))

    def verdicts(self, anchor_round: int = 0) -> dict[Place, tuple[str, str | None]]:
        """(conversation, criterion, replicate) -> status and label of every judgement of the study itself, or of
        a round of anchors, in the order in which they were kept.
        """
        with self.store.reading() as connection:
            rows = connection.execute(
                sa.select(schema.judgement, schema.unit.c.position)
                .join(schema.unit)
                .where(schema.judgement.c.anchor_round == anchor_round)
                .order_by(schema.judgement.c.id)
            ).all()
        return {(row.position, row.criterion, row.replicate): (row.status, row.label) for row in rows}

    def statuses(self) -> Counter[str]:
        return Counter(row.status for row in self.rows(schema.judgement))

    def tries(self) -> Counter[str]:
        return Counter(row.status for row in self.rows(schema.attempt))

    def totals(self, run_id: int) -> AttemptTotals:
        with self.store.reading() as connection:
            return ledger_totals.totals(connection, run_id=run_id)

    def run(self, run_id: int) -> JudgeRun:
        with self.store.reading() as connection:
            return judge_runs.get(connection, run_id)

    def problems(self) -> list[str]:
        with self.store.reading() as connection:
            return verify(connection).problems
