"""Import conversations from `messages`, `turns` or pairs, one object per line or one array.

A conversation that the study holds under the same id is skipped if its text is the same. If its text differs,
it is refused: its ratings would belong to words that the rater never saw. An erased conversation is not
imported again.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers import reading
from data.importers.conversation_notices import ConversationNotices
from data.importers.file_starts import foreign_start
from data.importers.known_words import ImportedWords
from data.importers.message_order import read_places
from data.importers.messages import MalformedConversation, UnknownFields, keep_text, read_messages
from data.importers.persons import PersonQuestion
from data.importers.report import ImportReport
from data.importers.spellings import Spellings
from data.importers.table_files import is_workbook
from data.record import known_words
from data.record.conversations import is_erased
from data.record.fact_names import fact_meaning
from data.record.studies import Study, unit_count
from data.schema.vocabulary import UnitKind
from data.store import content
from data.store.trail import TrailEntry, next_id
from scoring.plan_alignment import parse_plan
from scoring.transcripts import count_turns
from words.plurals import count
from words.unit_nouns import CONVERSATION

TEXT_KEYS = ("messages", "turns", "exchanges", "conversation", "conversations")
NO_TABLE = (
    "this looks like a table. Import it as “A table”: on the page, or in a terminal with second-reader "
    "import file. Other conversations are JSONL or JSON with messages or turns"
)
NOT_FACTS = frozenset({*TEXT_KEYS, "id", "conversation_id", "ratings", "evidence_spans", "system_prompt"})
CONVERSATION_WORDS = frozenset(
    {
        "conversation",
        "conv",
        "session",
        "chat",
        "dialog",
        "dialogue",
        "thread",
        "transcript",
        "sample",
        "example",
        "record",
        "item",
        "row",
        "object",
    }
)
BATCH = 500


@dataclass
class ConversationRow:
    """One conversation of a file: (role, text) pairs, and its other fields as facts.

    `words` is False where the words are kept elsewhere; then there are no messages. `others`: see
    `read_messages`. `named` is False where the key is made from the line. `numbered`: whether the messages
    have numbers or times of their own that tell them apart.
    """

    line: int
    key: str
    messages: list[tuple[str, str]]
    facts: dict[str, Any] = field(default_factory=dict)
    words: bool = True
    others: Counter[str] = field(default_factory=Counter)
    named: bool = True
    numbered: bool = False


def read(path: Path, report: ImportReport) -> Iterator[ConversationRow]:
    """Yield the usable conversations of a file; problems with the others go into the report."""
    if (is_workbook(path) or foreign_start(path) is None) and reading.table_header(path):
        report.error(1, NO_TABLE)
        return
    yield from usable_rows(reading.json_values(path, report), report)


def usable_rows(values: Iterable[tuple[int, Any]], report: ImportReport) -> Iterator[ConversationRow]:
    """Yield the usable conversations of (line, value) pairs; problems with the others go into the report."""
    seen, notices = dict[str, int](), ConversationNotices(report)
    for line, value in values:
        try:
            row = _conversation(value, line)
        except MalformedConversation as error:
            (report.error_of_rows if isinstance(error, UnknownFields) else report.error)(line, str(error))
            continue
        if row.key in seen:
            report.error(
                line,
                f"the id {row.key!r} is already on line {seen[row.key]}; give every conversation its own id",
            )
            continue
        seen[row.key] = line
        notices.note(row.line, row.messages, row.others, row.numbered)
        yield row
    notices.tell()


def add(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    path: Path,
    report: ImportReport,
    same_person: str = "",
) -> None:
    """Write the conversations of a file and their units. The caller rolls back if the report has errors."""
    add_all(connection, entry, study, read(path, report), report, same_person)


def add_all(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    conversations: Iterable[ConversationRow],
    report: ImportReport,
    same_person: str = "",
) -> None:
    """Write conversations and their units. The caller rolls back if the report has errors.

    Args:
        same_person: the fact that names the person behind a conversation, NOBODY, or empty if not stated.
    """
    table, question = schema.conversation, PersonQuestion(same_person)
    stored = {
        key: (transcript_content, mac)
        for key, transcript_content, mac in connection.execute(
            select(table.c.key, table.c.transcript_content, table.c.transcript_mac).where(
                table.c.study_id == study.id
            )
        )
    }
    erased_keys = set(
        connection.execute(select(table.c.key).where(table.c.study_id == study.id, is_erased())).scalars()
    )
    first = next_id(connection, table)
    writer = _ConversationWriter(connection, entry, study, report, len(stored))
    words, spellings = ImportedWords(connection, entry, study), Spellings(stored)
    unnamed = erased = 0
    for row in conversations:
        unnamed += not row.named
        text = json.dumps(row.messages, ensure_ascii=False) if row.words else None
        if row.key in stored:
            transcript_content, mac = stored[row.key]
            if text is None or content.same(connection, transcript_content, mac, text):
                report.already["conversations"] += 1
            elif transcript_content is None:
                report.error(
                    row.line,
                    f"the study has {row.key!r} without its text, and text can't be added later; import "
                    "it into a new study",
                )
            elif row.key in erased_keys:
                report.notice(
                    row.line, f"the conversation {row.key!r} was erased, so it is not imported again"
                )
                erased += 1
            else:
                report.error(
                    row.line,
                    f"the study has a conversation {row.key!r} with a different text. Ratings rest on that "
                    "text, so give this one a new id",
                )
        elif (other := spellings.find_other(row.key)) is not None:
            report.error(
                row.line,
                f"the ids {reading.shortened(row.key)!r} and {reading.shortened(other)!r} differ only in "
                "spelling. If they are one conversation, spell them alike; if not, change one id",
            )
        elif not report.errors:
            spellings.add(row.key)
            digest = words.digest(row.messages)
            if words.is_erased(digest):
                report.notice(
                    row.line,
                    f"{row.key!r} is not imported: a conversation with the same text was erased",
                )
                continue
            facts = question.facts_with_person(row.facts)
            report.facts.update({name: fact_meaning(name) for name in facts if name not in report.facts})
            writer.add(replace(row, facts=facts), text, digest)
    if not report.errors:
        question.check(connection, study, first, report)
        if unnamed:
            have = count(unnamed, "conversation has no id and is", "conversations have no id and are")
            report.notice(
                0,
                f"{have} named after the line, such as {_name_of_line(1)}. Reordering the file would change "
                "the names",
            )
    writer.flush()
    if not report.errors:
        words.tell(first, report)
    if not report.errors and not writer.added and not report.already and not words.erased + erased:
        report.error(0, "the file contains no conversation")


class _ConversationWriter:
    def __init__(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        report: ImportReport,
        conversations: int,
    ) -> None:
        self._connection, self._entry, self._study, self._report = connection, entry, study, report
        self._position = conversations
        self._unit_position = unit_count(connection, study.id)
        self._conversation_id = next_id(connection, schema.conversation)
        self._texts: list[str | None] = []
        self._facts: list[str] = []
        self._conversations: list[dict[str, Any]] = []
        self._units: list[dict[str, Any]] = []
        self._digests: dict[int, str] = {}
        self.added = 0

    def add(self, row: ConversationRow, text: str | None, digest: str | None) -> None:
        roles = [role for role, _ in row.messages]
        self._position += 1
        self._texts.append(text)
        self._facts.append(json.dumps(row.facts, ensure_ascii=False, sort_keys=True, default=str))
        self._conversations.append(
            {
                "study_id": self._study.id,
                "key": row.key,
                "position": self._position,
                "messages": len(roles),
                "turns": count_turns(roles),
            }
        )
        if digest is not None:
            self._digests[self._conversation_id] = digest
        for message, criteria in self._rated(row):
            self._unit_position += 1
            self._units.append(
                {
                    "study_id": self._study.id,
                    "conversation_id": self._conversation_id,
                    "message": message,
                    "kind": UnitKind.LISTED,
                    "position": self._unit_position,
                    "criteria": json.dumps(criteria),
                }
            )
        self._conversation_id += 1
        self.added += 1
        if len(self._texts) >= BATCH:
            self.flush()

    def flush(self) -> None:
        ids = range(self._conversation_id - len(self._conversations), self._conversation_id)
        texts = iter(
            content.put_many(
                self._connection,
                [(text, number) for text, number in zip(self._texts, ids, strict=True) if text is not None],
            )
        )
        facts = content.put_many(self._connection, zip(self._facts, ids, strict=True))
        for row, text, fact in zip(self._conversations, self._texts, facts, strict=True):
            row["transcript_content"], row["transcript_mac"] = (None, None) if text is None else next(texts)
            row["facts_content"], row["facts_mac"] = fact
        if self._conversations:
            self._entry.write_many(schema.conversation, self._conversations)
            known_words.record_words(self._entry, self._digests)
            self._report.added["conversations"] += len(self._conversations)
        if self._units:
            self._entry.write_many(schema.unit, self._units)
            if self._study.noun is not CONVERSATION:  # else each conversation is one of them
                self._report.added[f"{self._study.noun.plural} to rate"] += len(self._units)
        self._texts, self._facts, self._conversations, self._units = [], [], [], []
        self._digests = {}

    def _rated(self, row: ConversationRow) -> Iterator[tuple[int | None, list[str]]]:
        """Yield (message, declared strategies) of every unit in a conversation."""
        instrument, taxonomy = self._study.instrument, self._study.taxonomy
        if instrument.unit == "conversation":
            yield None, []
            return
        any_unit = False
        for number, (role, text) in enumerate(row.messages):
            if role != "assistant":
                continue
            if not instrument.criteria_from or taxonomy is None:
                any_unit = True
                yield number, []
                continue
            plan = parse_plan(text, taxonomy)
            if not plan.text:
                continue
            if plan.unknown:
                self._report.notice(
                    row.line,
                    f"message {number + 1} declares {', '.join(plan.unknown)}, which the taxonomy "
                    f"{taxonomy.key} does not have",
                )
            if not plan.closed:
                self._report.notice(
                    row.line,
                    f"message {number + 1} has a <plan> without an end; it was read up to the first blank "
                    "line",
                )
            if plan.declared and plan.response:
                any_unit = True
                yield number, list(plan.declared)
        if not any_unit:
            self._report.notice(
                row.line, "no reply has a declared plan and a response, so there is nothing to rate"
            )


def _conversation(value: Any, line: int) -> ConversationRow:
    others: Counter[str] = Counter()
    if isinstance(value, list):
        value = {"messages": value}
    if not isinstance(value, dict):
        raise MalformedConversation("expected an object with messages or turns, or a list of pairs")
    name = next((k for k in TEXT_KEYS if k in value), None)
    if name is None:
        listed = f"; there are {', '.join(map(str, list(value)[:8]))}" if value else ", and nothing else"
        raise UnknownFields(f"there are no messages or turns{listed}")
    key, named = value.get("conversation_id", value.get("id")), True
    if key is None:
        if (likely := next((name for name in value if _looks_like_an_id(name)), None)) is not None:
            raise UnknownFields(
                f"there is no id, but {reading.shortened(str(likely))!r} may be one. Labels are matched by "
                "id: call it id, or give each conversation an id"
            )
        key, named = _name_of_line(line), False
    if not isinstance(key, str | int) or isinstance(key, bool) or not str(key).strip() or len(str(key)) > 200:
        raise MalformedConversation("the id must be a text or a number, at most 200 characters")
    places = read_places(value[name])
    if (disorder := places.find_disorder(str(key).strip())) is not None:
        raise MalformedConversation(disorder)
    messages = read_messages(value[name], others)
    prompt = value.get("system_prompt")
    if isinstance(prompt, str) and prompt.strip():
        messages.insert(0, ("system", keep_text(prompt, others)))
    return ConversationRow(
        line,
        str(key).strip(),
        messages,
        {str(k): v for k, v in value.items() if k not in NOT_FACTS},
        others=others,
        named=named,
        numbered=places.are_distinct(),
    )


def _name_of_line(line: int) -> str:
    return f"line-{line}"


def _looks_like_an_id(name: object) -> bool:
    """Tell whether a field names the conversation (`session_id`, `chatId`, `_id`, `uuid`), not a person, a
    model or a case, which several conversations share.
    """
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", str(name))
    plain = {word.casefold() for word in words}
    return bool(plain & {"id", "uuid", "guid"}) and plain <= {"id", "uuid", "guid", *CONVERSATION_WORDS}
