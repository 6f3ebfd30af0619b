"""Find the person behind conversations: one person's conversations are alike, so intervals leave out one
person at a time.

A file may name the person in any fact. If a fact is named like a person and several conversations share a
value, the import asks. The answer copies that fact to `person`, which the agreement reads.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers.report import ImportReport
from data.record.conversations import person
from data.record.fact_names import PERSON, plain_name
from data.record.studies import Study
from words.plurals import inflect

NOBODY = "none"  # the answer that every conversation is with another person
PERSON_WORDS = frozenset(
    {
        "person",
        "persona",
        "patient",
        "client",
        "user",
        "participant",
        "subject",
        "seeker",
        "member",
        "speaker",
        "caller",
        "customer",
        "student",
        "coachee",
        "respondent",
        "who",
    }
)


def is_person_like(name: str) -> bool:
    """Tell whether a fact is named like a person: `client_id`, `patientId`, `Seekers`.

    Words are separated by anything but letters and by capitals; a plural "s" does not count. `clientele` is
    none.
    """
    words = re.split(r"[^a-z]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", name).casefold())
    return any(word in PERSON_WORDS or word.removesuffix("s") in PERSON_WORDS for word in words)


def _person(value: Any) -> str:
    """Return the person that a value names, 1.0 as "1"; "" if it names nobody."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip() if isinstance(value, str | int) else ""


@dataclass
class PersonQuestion:
    """Collects the facts of imported conversations. `answer`: the fact that names the person, NOBODY, or
    empty if not stated.
    """

    answer: str = ""
    conversations: int = 0
    unnamed: int = 0
    values: dict[str, Counter[str]] = field(default_factory=dict)

    def facts_with_person(self, facts: dict[str, Any]) -> dict[str, Any]:
        """Count a conversation and return its facts, with `person` if the answer names a fact."""
        self.conversations += 1
        for name, value in facts.items():
            if is_person_like(name) and _person(value):
                self.values.setdefault(name, Counter())[_person(value)] += 1
        if self.answer in ("", NOBODY):
            return facts
        value = _person(facts.get(self.answer))
        if not value:
            self.unnamed += 1
            return {name: fact for name, fact in facts.items() if plain_name(name) not in PERSON}
        return {
            **{name: fact for name, fact in facts.items() if plain_name(name) not in PERSON},
            "person": value,
        }

    def check(self, connection: Connection, study: Study, first: int, report: ImportReport) -> None:
        """Report an error if an answer is needed but missing, and problems if the answer doesn't fit the
        file.

        Args:
            first: the id of the first imported conversation.
        """
        if not self.conversations:
            return
        if self.answer == NOBODY:
            named = next((name for name in self.values if plain_name(name) in PERSON), None)
            if named is not None:
                report.error(
                    0,
                    f"the conversations have a fact {named!r}, which names the person; rename it if it means "
                    "something else",
                )
        elif self.answer:
            if self.unnamed == self.conversations:
                report.error(0, f"no conversation has a fact {self.answer!r} that names its person")
            elif self.unnamed:
                report.notice(
                    0,
                    f"{self.unnamed:,} of {self.conversations:,} conversations "
                    f"{inflect(self.unnamed, 'has', 'have')} no {self.answer!r}; each counts as another "
                    "person's",
                )
        elif not any(plain_name(name) in PERSON for name in self.values):
            self._ask(connection, study, first, report)

    def _ask(self, connection: Connection, study: Study, first: int, report: ImportReport) -> None:
        before = _earlier_values(connection, study, first) if self.values else {}
        for name, counted in self.values.items():
            earlier = before.get(name, Counter())
            if any(amount + earlier[value] > 1 for value, amount in counted.items()):
                report.error(
                    0,
                    f"several conversations share the same {name!r} ({self.conversations:,} conversations, "
                    f"{len(counted):,} different): does it name the person behind them? One person's "
                    f"conversations are alike, and intervals must account for that. Answer with {name} or "
                    f"{NOBODY}, in a terminal with --same-person",
                )
                return


def _earlier_values(connection: Connection, study: Study, first: int) -> dict[str, Counter[str]]:
    """Return fact -> how often each value occurs, in earlier conversations without a `person`."""
    table, text = schema.conversation, schema.content
    rows = connection.execute(
        select(text.c.text)
        .join(table, text.c.id == table.c.facts_content)
        .where(table.c.study_id == study.id, table.c.id < first, text.c.text.is_not(None))
    ).scalars()
    values: dict[str, Counter[str]] = {}
    for row in rows:
        facts = json.loads(row or "{}")
        if person(facts) is None:
            for name, value in facts.items():
                if is_person_like(name) and _person(value):
                    values.setdefault(name, Counter())[_person(value)] += 1
    return values
