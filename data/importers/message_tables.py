"""Conversations as a table with a row a message: which conversation, who speaks, and what is said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from data.importers.columns import is_whole, plain_name
from data.importers.conversations import NOT_FACTS
from data.importers.messages import ROLES, TOOL_ROLES
from data.importers.reading import shortened
from data.importers.report import ImportReport

# What the columns are called elsewhere, without capitals and with underlines; the likeliest first.
CONVERSATION = (
    "conversation_id",
    "conversation",
    "conv_id",
    "session_id",
    "session",
    "dialogue_id",
    "dialog_id",
    "dialogue",
    "chat_id",
    "chat",
    "thread_id",
    "thread",
    "transcript_id",
    "case_id",
    "case",
    "interview_id",
    "interview",
    "id",
)
SPEAKER = (
    "speaker",
    "role",
    "author",
    "from",
    "sender",
    "participant",
    "interlocutor",
    "who",
    "speaker_role",
    "actor",
)
TEXT = (
    "text",
    "message",
    "utterance",
    "content",
    "utterance_text",
    "message_text",
    "body",
    "words",
    "said",
    "value",
)
ORDER = (
    "turn",
    "turn_number",
    "turn_id",
    "turn_index",
    "message_number",
    "message_index",
    "message_id",
    "utterance_number",
    "utterance_index",
    "utterance_id",
    "index",
    "position",
    "order",
    "number",
    "nr",
    "line",
)
LISTED = 8  # names in a sentence


@dataclass(frozen=True)
class MessageColumns:
    """The columns of a table of messages, as it writes them; empty where it is not known which.

    `assistant`: names of speakers who are the assistant; then everybody else is the user.
    """

    conversation: str = ""
    speaker: str = ""
    text: str = ""
    assistant: tuple[str, ...] = ()

    @property
    def are_known(self) -> bool:
        return bool(self.conversation and self.speaker and self.text)


def guess_columns(columns: Sequence[str]) -> MessageColumns:
    plain = {plain_name(column): column for column in reversed(columns)}

    def first(names: Sequence[str]) -> str:
        return next((plain[name] for name in names if name in plain), "")

    return MessageColumns(first(CONVERSATION), first(SPEAKER), first(TEXT))


def is_speaker_known(name: object) -> bool:
    """Whether it is told by the name of a speaker alone who that is."""
    return str(name).strip().casefold() in (*ROLES, *TOOL_ROLES)


@dataclass
class _Talk:
    line: int
    messages: list[dict[str, str]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    order: int | None = None


def message_rows(
    rows: Iterable[tuple[int, Mapping[str, Any]]], columns: MessageColumns, report: ImportReport
) -> Iterator[tuple[int, dict[str, Any]]]:
    """A row a conversation, as usable_rows takes them. Other columns that say the same on all of its rows
    are its facts; those that do not are named and left out.
    """
    talks: dict[str, _Talk] = {}
    varying: dict[str, None] = {}
    reader = _MessageReader(columns, report)
    for line, row in rows:
        message = reader.read(line, row)
        if message is None:
            if reader.is_hopeless:
                return
            continue
        key, role, text = message
        others = {name: value for name, value in row.items() if name not in reader.own and name is not None}
        talk = talks.setdefault(key, _Talk(line, facts=others))
        if talk.messages:
            varying.update(
                dict.fromkeys(name for name, value in talk.facts.items() if others.get(name) != value)
            )
        talk.messages.append({"role": role, "content": text})
        if reader.order:
            reader.check_order(line, row, key, talk)
    if report.errors:  # nothing is kept, and what half a conversation lacks would be told as well
        return
    left_out = [name for name in varying if name != reader.order]
    left_out += [name for name in NOT_FACTS if any(name in talk.facts for talk in talks.values())]
    if left_out:
        names = ", ".join(shortened(name) for name in left_out[:LISTED])
        report.notice(0, f"left out, because it is said of single messages: {names}")
    for key, talk in talks.items():
        facts = {
            name: value
            for name, value in talk.facts.items()
            if name not in varying
            and name != reader.order
            and name not in NOT_FACTS
            and value not in (None, "")
        }
        yield talk.line, {**facts, "id": key, "messages": talk.messages}


class _MessageReader:
    """Reads rows as (conversation, role, text); what it cannot read goes into the report."""

    def __init__(self, columns: MessageColumns, report: ImportReport) -> None:
        self._columns, self._report = columns, report
        self._assistant = {name.strip().casefold() for name in columns.assistant}
        self.own: set[str] = set()
        self.order = ""
        self.is_hopeless = False

    def read(self, line: int, row: Mapping[str, Any]) -> tuple[str, str, str] | None:
        if not self.own and not self._find_columns(line, list(row)):
            return None
        columns = self._columns
        key, speaker = str(row.get(columns.conversation) or "").strip(), row.get(columns.speaker)
        if not key:
            self._report.error(
                line, f"the cell {columns.conversation} is empty: of which conversation is it?"
            )
            return None
        role = self._role(str(speaker or "").strip())
        if role is None:
            self._report.error_of_rows(
                line,
                f"who is {shortened(str(speaker or ''))!r}, the user or the assistant? Say who the assistant "
                "is: on the page under “Who is the assistant?”, in a terminal with --assistant NAME",
            )
            return None
        return key, role, str(row.get(columns.text) or "")

    def check_order(self, line: int, row: Mapping[str, Any], key: str, talk: _Talk) -> None:
        """Messages stand in the order of the file; a number that says otherwise is an error."""
        number = row.get(self.order)
        if not is_whole(number):
            return
        before, talk.order = talk.order, int(str(number))
        if before is not None and talk.order < before:
            self._report.error_of_rows(
                line,
                f"{self.order} {talk.order} of the conversation {shortened(key)!r} stands behind {before}; "
                f"sort the rows by {self.order}",
            )

    def _find_columns(self, line: int, names: list[str]) -> bool:
        columns = self._columns
        wanted = {"conversation": columns.conversation, "speaker": columns.speaker, "text": columns.text}
        missing = next((what for what, name in wanted.items() if not name), None)
        stranger = next((name for name in wanted.values() if name and name not in names), None)
        twice = len(set(wanted.values())) < len(wanted)
        if missing or stranger or twice:
            listed = ", ".join(shortened(str(name)) for name in names[:LISTED])
            problem = (
                f"there is no column {shortened(stranger)!r}"
                if stranger
                else f"which column is the {missing}?"
                if missing
                else "conversation, speaker and text are three different columns"
            )
            self._report.error(1, f"{problem}; there are {listed}")
            self.is_hopeless = True
            return False
        plain = {plain_name(name): name for name in reversed(names)}
        self.order = next(
            (plain[name] for name in ORDER if name in plain and plain[name] not in wanted.values()), ""
        )
        self.own = set(wanted.values())
        return True

    def _role(self, speaker: str) -> str | None:
        plain = speaker.casefold()
        if plain in self._assistant:
            return "assistant"
        if is_speaker_known(plain) and (not self._assistant or ROLES.get(plain) != "assistant"):
            return plain
        return "user" if self._assistant else None
