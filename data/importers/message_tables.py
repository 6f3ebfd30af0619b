"""Read conversations from a table with one row per message: conversation, speaker and text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from data.importers.columns import plain_name
from data.importers.conversations import NOT_FACTS
from data.importers.label_givers import is_of_people
from data.importers.message_order import MessageOrder, find_order
from data.importers.messages import ROLES, TOOL_ROLES
from data.importers.reading import shortened
from data.importers.report import ImportReport

# Usual names as `plain_name` writes them; the likeliest first.
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
MAX_NAMES_LISTED = 8  # in a sentence


@dataclass(frozen=True)
class MessageColumns:
    """The columns of a table of messages, spelt as in the file; empty if unknown.

    `assistant`: names of speakers who are the assistant; if given, everybody else is the user.
    """

    conversation: str = ""
    speaker: str = ""
    text: str = ""
    assistant: tuple[str, ...] = ()

    @property
    def are_known(self) -> bool:
        return bool(self.conversation and self.speaker and self.text)


def guess_columns(columns: Sequence[str]) -> MessageColumns:
    """Return the columns that probably hold conversation, speaker and text; "" for those not found."""
    plain = {plain_name(column): column for column in reversed(columns)}

    def first(names: Sequence[str]) -> str:
        return next((plain[name] for name in names if name in plain), "")

    return MessageColumns(first(CONVERSATION), first(SPEAKER), first(TEXT))


def is_speaker_known(name: object) -> bool:
    """Tell whether a speaker's name alone says who it is, such as "user", " Assistant" or "tool"; False for
    other names.
    """
    return str(name).strip().casefold() in (*ROLES, *TOOL_ROLES)


@dataclass
class _Talk:
    """`said`: line and coder of each message, by (role, text, number)."""

    line: int
    messages: list[dict[str, str]] = field(default_factory=list)
    facts: dict[str, Any] = field(default_factory=dict)
    order: float | None = None
    said: dict[tuple[str, str, float | str | None], tuple[int, str]] = field(default_factory=dict)


def message_rows(
    rows: Iterable[tuple[int, Mapping[str, Any]]], columns: MessageColumns, report: ImportReport
) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield one row per conversation, as `usable_rows` takes them.

    A column with the same value on all rows of a conversation becomes a fact; any other column is named in a
    notice and left out.
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
        if reader.is_again(line, row, role, text, talk):
            continue
        talk.messages.append({"role": role, "content": text})
        if reader.order.name:
            talk.messages[-1][reader.order.name] = str(row.get(reader.order.name))
            reader.check_order(line, row, key, talk)
    reader.tell_of_coders()
    if report.errors:  # nothing is kept, and half a conversation would cause further errors
        return
    left_out = [name for name in varying if name != reader.order.name]
    left_out += [name for name in NOT_FACTS if any(name in talk.facts for talk in talks.values())]
    if left_out:
        names = ", ".join(shortened(name) for name in left_out[:MAX_NAMES_LISTED])
        report.notice(0, f"left out, because they belong to single messages: {names}")
    for key, talk in talks.items():
        facts = {
            name: value
            for name, value in talk.facts.items()
            if name not in varying
            and name != reader.order.name
            and name not in NOT_FACTS
            and value not in (None, "")
        }
        yield talk.line, {**facts, "id": key, "messages": talk.messages}


class _MessageReader:
    """Reads rows as (conversation, role, text); problems go into the report."""

    def __init__(self, columns: MessageColumns, report: ImportReport) -> None:
        self._columns, self._report = columns, report
        self._assistant = {name.strip().casefold() for name in columns.assistant}
        self.own: set[str] = set()
        self.order = MessageOrder()
        self.is_hopeless = False
        self._coder = ""  # the column that names the coder of a row
        self._coded_again = 0

    def read(self, line: int, row: Mapping[str, Any]) -> tuple[str, str, str] | None:
        if not self.own and not self._find_columns(line, list(row)):
            return None
        columns = self._columns
        key, speaker = str(row.get(columns.conversation) or "").strip(), row.get(columns.speaker)
        if not key:
            self._report.error(
                line, f"the cell {columns.conversation} is empty, so the row belongs to no conversation"
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

    def is_again(self, line: int, row: Mapping[str, Any], role: str, text: str, talk: _Talk) -> bool:
        """Tell whether a row repeats a message because several people coded it, each on their own row.

        Numbers tell apart a message that was said twice. Without numbers that is unknown: an error if people
        coded.
        """
        number = _text(row.get(self.order.name)) if self.order.is_number and self.order.name else None
        coder = str(row.get(self._coder) or "") if self._coder else ""
        place = number if number is None or (value := self.order.read_place(number)) is None else value
        first, by = talk.said.setdefault((role, text, place), (line, coder))
        if first == line or (number is None and coder == by):
            return False
        if number is None:
            self._report.error_of_rows(
                line,
                f"this row repeats the words of a row above with another {self._coder}. If {self._coder} "
                "says who coded the row, keep one coder's rows or number the messages; if not, rename the "
                "column",
            )
        elif not coder:
            self._report.error_of_rows(
                line,
                f"{self.order.name} {shortened(number)} is already on line {first} with the same words. "
                "Keep one row per message; if the speaker said it twice, give each its own "
                f"{self.order.name}",
            )
        else:
            self._coded_again += 1
        return True

    def tell_of_coders(self) -> None:
        if self._coded_again:
            self._report.notice(
                0,
                f"the file has one row per message and {self._coder}: {self._coded_again:,} rows repeat a "
                "message, which is imported once",
            )

    def check_order(self, line: int, row: Mapping[str, Any], key: str, talk: _Talk) -> None:
        """Report an error if a number or time contradicts the order of the rows."""
        value = row.get(self.order.name)
        place = self.order.read_place(value)
        if place is None:
            return
        before, talk.order = talk.order, place
        if before is not None and place < before:
            self._report.error_of_rows(line, self.order.describe_disorder(value, before, key, "rows"))

    def _find_columns(self, line: int, names: list[str]) -> bool:
        columns = self._columns
        wanted = {"conversation": columns.conversation, "speaker": columns.speaker, "text": columns.text}
        missing = next((what for what, name in wanted.items() if not name), None)
        stranger = next((name for name in wanted.values() if name and name not in names), None)
        twice = len(set(wanted.values())) < len(wanted)
        if missing or stranger or twice:
            listed = ", ".join(shortened(str(name)) for name in names[:MAX_NAMES_LISTED])
            problem = (
                f"there is no column {shortened(stranger)!r}"
                if stranger
                else f"which column is the {missing}?"
                if missing
                else "conversation, speaker and text must be three different columns"
            )
            self._report.error(1, f"{problem}; there are {listed}")
            self.is_hopeless = True
            return False
        plain = {plain_name(name): name for name in reversed(names)}
        others = {column for column in plain.values() if column not in wanted.values()}
        self.order = find_order(name for name in names if name in others)
        self._coder = next((name for name in names if name in others and is_of_people(name)), "")
        self.own = set(wanted.values())
        return True

    def _role(self, speaker: str) -> str | None:
        plain = speaker.casefold()
        if plain in self._assistant:
            return "assistant"
        if is_speaker_known(plain) and (not self._assistant or ROLES.get(plain) != "assistant"):
            return plain
        return "user" if self._assistant else None


def _text(value: object) -> str | None:
    return None if value is None else str(value).strip() or None
