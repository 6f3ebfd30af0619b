"""A simulated study (tests/studies/simulated_studies.py) in a store, through the product's own importers: every
rating and every answer of the judge has a moment, every conversation a condition and a date.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from data.importers import conversations
from data.importers.conversations import ConversationRow
from data.importers.imported_judgements import add_judgements
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.record import studies
from data.record.judgements import JudgeIdentity
from data.record.studies import Study, StudySpec
from data.store.store import Store
from scoring.drift.periods import EPOCH
from scoring.drift.rater_movement import DriftLevels
from tests.studies.simulated_studies import CONDITIONS, QUESTIONS, Simulated

BEGINS = (date(2026, 1, 5) - EPOCH).days  # a Monday
INSTRUMENT = """\
key: levels
version: "1"
title: Five levels
unit: conversation
scales:
  level:
    kind: ordinal
    levels:
      - {id: "0", name: "Poor", key: "0", value: 0}
      - {id: "1", name: "Fair", key: "1", value: 1}
      - {id: "2", name: "Good", key: "2", value: 2}
criteria:
""" + "".join(
    f"  - {{id: q{number}, name: Question {number}, scale: level}}\n" for number in range(QUESTIONS)
)


def put(
    store: Store, simulation: Simulated, key: str = "dated", weeks: int = 99, dated: bool = True
) -> Study:
    """Only the first `weeks`; `dated` False: files that do not say when. Two judges: the second begins in the
    seventh week.
    """
    report = ImportReport("made")
    cases = simulation.evidence.cases
    held = {
        talk: (EPOCH + timedelta(days=int(day) + BEGINS)).isoformat()
        for talk, day in enumerate(cases.day.tolist())
        if day < 7 * weeks
    }

    def rows(of: DriftLevels, who: str, late: float) -> Iterator[dict[str, Any]]:
        for rater, talk, question, level in zip(
            of.who.tolist(), of.case.tolist(), of.question.tolist(), of.level.tolist(), strict=True
        ):
            if talk in held and cases.day[talk] >= late:
                at = {"at": f"{held[talk]}T15:00:00+00:00"} if dated else {}
                name = {"rater": f"Clinician {rater + 1}"} if who == "rater" else {"judge": who}
                yield {
                    "conversation_id": f"c{talk}",
                    "criterion": f"q{question}",
                    "label": str(round(level * 2)),
                    **name,
                    **at,
                }

    with store.writing("tests", "make a dated study") as (connection, entry):
        spec = StudySpec(
            key,
            "Conversations of a spring",
            studies.register_instrument(connection, entry, INSTRUMENT),
            reveal="after_unit",
        )
        study = studies.get(connection, studies.create(connection, entry, spec))
        conversations.add_all(
            connection,
            entry,
            study,
            (
                _talk(talk, CONDITIONS[cases.condition[talk]], day if dated else None)
                for talk, day in held.items()
            ),
            report,
        )
        add_ratings(
            connection,
            entry,
            study,
            enumerate(rows(simulation.evidence.people, "rater", 0), start=1),
            report,
            RatingProvenance("blind", "tests"),
        )
        for judge, late in (("Judge <one>", 0.0), ("Judge two", 42.0)):
            add_judgements(
                connection,
                entry,
                study,
                enumerate(rows(simulation.evidence.judge, judge, late), start=1),
                report,
                JudgeIdentity(judge),
                "tests",
            )
        report.raise_if_wrong()
    return study


def _talk(number: int, condition: str, held: str | None) -> ConversationRow:
    facts = {"condition": condition, **({"held_at": f"{held}T09:00:00"} if held else {})}
    return ConversationRow(
        number + 1, f"c{number}", [("user", f"Words {number}"), ("assistant", "A reply.")], facts
    )
