"""Turn the records of a file into conversations and labels as a profile says."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal

from jmespath.exceptions import JMESPathError

from configs.files.plain_files import open_plain
from data.importers import inspect_logs, reading
from data.importers.label_givers import is_machine
from data.importers.messages import AFTER, BESIDE, ROLES, TOOL_ROLES, MalformedConversation, read_message
from data.importers.profiles.functions import Unreadable, evaluate
from data.importers.profiles.profile import ConversationPart, LabelPart, Profile
from data.importers.profiles.read_file import MAX_SHOWN, ReadFile, quote
from data.importers.report import ImportReport
from data.importers.row_file import keep_rows
from data.importers.table_files import is_workbook
from data.record.studies import Study

FAILURE = "failure"  # what a word of a judge may mean instead of a label
PARTS = ("conversations", "ratings", "judgements")
Part = Literal["conversations", "ratings", "judgements"]
Row = tuple[int, dict[str, Any]]
CHUNK = 1 << 20  # bytes
SAY_LABEL = 'on the page under "Other words for labels", in a terminal with --label'
SAY_GIVER = 'on the page under "Who gave these labels", in a terminal with --giver'
SAY_JUDGE = 'on the page under "Name of the judge", in a terminal with --judge'
SAY_CRITERION = 'on the page under "Criterion", in a terminal with --criterion'
SAY_ASSISTANT = 'on the page under "Who is the assistant?", in a terminal with --assistant'


class NotSaid(ValueError):
    """The file doesn't say something, or says it in an unexpected form; the message is for its line."""


@dataclass(frozen=True)
class ToolAnswers:
    """What the person said about the file. `labels`: the tool's word -> a label. `givers`: the tool's word
    for a source -> "people" or "judges". `assistants`: speakers who are the assistant.
    """

    labels: Mapping[str, str] = field(default_factory=dict)
    givers: Mapping[str, str] = field(default_factory=dict)
    judge: str = ""
    criterion: str = ""
    rater_field: str = ""
    assistants: tuple[str, ...] = ()


def values(path: Path, report: ImportReport) -> Iterator[tuple[int, Any]]:
    """Yield (line, value) of a log of Inspect, a table, JSON or JSONL; problems go into the report."""
    if inspect_logs.is_log(path):
        return inspect_logs.documents(path, report)
    if is_workbook(path):
        return reading.cell_rows(path, report)
    if reading.table_header(path):
        if _has_open_quote(path):
            report.error(0, "a quotation mark is never closed; was the file cut off?")
        return _whole_rows(reading.cell_rows(path, report), report)
    return reading.json_values(path, report)


def _has_open_quote(path: Path) -> bool:
    with open_plain(path) as stream:
        return sum(part.count(b'"') for part in iter(partial(stream.read, CHUNK), b"")) % 2 == 1


def _whole_rows(rows: Iterator[Row], report: ImportReport) -> Iterator[Row]:
    """Yield the rows; one with fewer cells than the header, as in a file that was cut off, is an error."""
    for line, row in rows:
        if None in row.values():
            report.error(line, "this row has fewer cells than the header has names; was the file cut off?")
        else:
            yield line, row


def records(profile: Profile, value: Any) -> list[Any]:
    """Return the records in one value of a file. Raises JMESPathError if there are none."""
    in_value = evaluate(profile.records, value)
    if in_value is None:
        raise Unreadable("there are no records")
    return in_value if isinstance(in_value, list) else [in_value]


class RecordReader:
    """Reads a file once and writes the rows of its parts into `files`, temporary files by part."""

    def __init__(
        self, profile: Profile, study: Study | None, answers: ToolAnswers, report: ImportReport
    ) -> None:
        self._profile, self._study, self._answers, self._report = profile, study, answers, report
        self._criteria = {
            name.casefold(): criterion
            for criterion in (study.instrument.criteria if study else ())
            for name in (criterion.id, criterion.name)
        }
        self._words: dict[str, bytes] = {}  # digest of each conversation by id, where they are repeated
        self._told: set[str] = set()  # sentences of notices
        self.result = ReadFile()

    def read(self, path: Path, files: Mapping[str, IO[bytes]]) -> ReadFile:
        """Read the whole file; problems go into the report."""
        for line, part, row in self.items(path):
            self.result.rows[part] += 1
            for _ in keep_rows([(line, row)], files[part]):
                pass
        return self.result

    def items(self, path: Path) -> Iterator[tuple[int, Part, dict[str, Any]]]:
        """Yield (line, part, row) of everything in the file. A record of a document counts as a line."""
        number = 0
        for line, value in values(path, self._report):
            try:
                self._check(line, value)
                in_value = records(self._profile, value)
            except JMESPathError:
                self._report.error(line, f"this does not look like {self._profile.title}")
                continue
            alone = self._profile.records == "@"
            for record in in_value:
                number += 1
                yield from self._of_record(line if alone else number, record, path)

    def _check(self, line: int, value: Any) -> None:
        for sentence, expression in self._profile.notices.items():
            if evaluate(expression, value) and sentence not in self._told:
                self._told.add(sentence)
                self._report.notice(0, sentence)

    def _of_record(self, line: int, record: Any, path: Path) -> Iterator[tuple[int, Part, dict[str, Any]]]:
        profile = self._profile
        if not isinstance(record, dict):
            self._report.error(line, f"expected an object, as in {profile.title}")
            return
        try:
            for sentence, expression in profile.refuse.items():
                if evaluate(expression, record):
                    raise NotSaid(sentence)
            for what, expression in profile.left_out.items():
                self.result.left_out[what] += _number(evaluate(expression, record))
            if profile.only is not None and not evaluate(profile.only, record):
                return
            key, conversation = self._conversation(record)
            label_rows = [
                (line, *each) for labels in profile.labels for each in self._labels(labels, record, key, path)
            ]
        except NotSaid as error:
            self._report.error(line, str(error))
        except JMESPathError as error:
            detail = f": {error}" if type(error).__name__ == "Unreadable" and str(error) else ""
            self._report.error(line, f"a field has another form than in {profile.title}{detail}")
        else:
            if conversation is not None:
                yield line, "conversations", conversation
            yield from label_rows

    def _conversation(self, record: dict[str, Any]) -> tuple[Any, dict[str, Any] | None]:
        """Return the id of the record's conversation, and its row unless it has none or it came before."""
        part = self._profile.conversation
        if part is None:
            return None, None
        key = None if part.id is None else evaluate(part.id, record)
        if key == "":
            key = None
        if key is None and any(labels.conversation is None for labels in self._profile.labels):
            raise NotSaid(f"the conversation has no id ({part.id})")
        if key is not None and (isinstance(key, bool) or not isinstance(key, str | int)):
            raise NotSaid(f"the id of the conversation must be a text or a number, found {quote(key)}")
        row: dict[str, Any] = {"messages": self._messages(part, record)}
        if part.repeated and key is not None:
            digest = hashlib.sha256(json.dumps(row, sort_keys=True).encode()).digest()
            if (before := self._words.get(str(key))) is not None:
                if before != digest:
                    raise NotSaid(f"the conversation {quote(key)} has other words than on an earlier line")
                return key, None
            self._words[str(key)] = digest
        facts = {name: evaluate(expression, record) for name, expression in part.facts.items()}
        named = {} if key is None else {"id": key}
        return key, {**named, **row, **{name: fact for name, fact in facts.items() if fact is not None}}

    def _messages(self, part: ConversationPart, record: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the messages and the reply; a reply that begins with all of the messages replaces them."""
        lists = [evaluate(part.messages, record), self._maybe(part.reply, record)]
        if not all(each is None or isinstance(each, list) for each in lists) or not any(lists):
            raise NotSaid(f"there are no messages ({part.messages})")
        items, reply = (each or [] for each in lists)
        messages = [self._message(item, number) for number, item in enumerate([*items, *reply], 1)]
        asked, answered = messages[: len(items)], messages[len(items) :]
        if not asked or list(map(_spoken, answered[: len(asked)])) != list(map(_spoken, asked)):
            return messages
        self.result.repeated += 1
        return answered

    def _message(self, item: Any, number: int) -> dict[str, Any]:
        part = self._profile.conversation
        assert part is not None
        if not isinstance(item, dict):
            raise NotSaid(f"message {number} is not an object")
        role, text = evaluate(part.role, item), evaluate(part.text, item)
        if not isinstance(role, str):
            raise NotSaid(f"message {number} does not say who speaks ({part.role})")
        if self._answers.assistants:
            role = "assistant" if role in self._answers.assistants else part.roles.get(role, role)
            role = role if role.lower() in ROLES or role.lower() in TOOL_ROLES else "user"
        else:
            role = part.roles.get(role, role)
            if role.lower() not in ROLES and role.lower() not in TOOL_ROLES:
                raise NotSaid(
                    f"message {number} is spoken by {quote(role)}; say who is the assistant, {SAY_ASSISTANT}"
                )
        others = {name: item[name] for name in (*BESIDE, *AFTER) if item.get(name)}
        return {**others, "role": role, "content": text}

    def _labels(
        self, part: LabelPart, record: dict[str, Any], key: Any, path: Path
    ) -> Iterator[tuple[Part, dict[str, Any]]]:
        items = evaluate(part.each, record)
        if items is not None and not isinstance(items, list):
            raise NotSaid(f"expected a list of labels ({part.each})")
        for item in items or ():
            people = self._is_of_people(part, item)
            criterion = self._criterion(part, item, path)
            if criterion is None:
                continue
            conversation = key if part.conversation is None else evaluate(part.conversation, item)
            if (
                isinstance(conversation, bool)
                or not isinstance(conversation, str | int)
                or conversation == ""
            ):
                raise NotSaid("a label does not name its conversation")
            row = {
                "conversation_id": str(conversation),
                "criterion": criterion,
                "undeclared": "ignore",
                "label": self._label(evaluate(part.label, item), criterion, people),
                ("note" if people else "reasoning"): _text(self._maybe(part.note, item)),
                "at": _text(self._maybe(part.at, item)),
                "turn": self._maybe(part.turn, item),
            }
            yield self._of_person(part, item, record, row) if people else self._of_judge(part, item, row)

    def _of_person(
        self, part: LabelPart, item: Any, record: dict[str, Any], row: dict[str, Any]
    ) -> tuple[Part, dict[str, Any]]:
        own = self._answers.rater_field
        who = record.get(own) if own and own in record else self._maybe(part.who, item)
        name = _text(who) if isinstance(who, str | int) and not isinstance(who, bool) else None
        if name is None:
            raise NotSaid("a person's label does not say who gave it")
        if is_machine(name):
            raise NotSaid(
                f"{quote(name)} gave a label as a person, but looks like a model; correct one of them"
            )
        if row["label"] is None:
            raise NotSaid(f"the label of {row['criterion']} by {quote(name)} is empty")
        self.result.seen += bool(self._maybe(part.seen, item))
        return "ratings", {**row, "rater": name}

    def _of_judge(self, part: LabelPart, item: Any, row: dict[str, Any]) -> tuple[Part, dict[str, Any]]:
        who = self._maybe(part.judge, item)
        name = who.strip() if isinstance(who, str) and who.strip() else self._answers.judge
        if who is not None and not isinstance(who, str):
            raise NotSaid(f"the name of the judge must be a text, found {quote(who)}")
        if not name:
            raise NotSaid(f"the file does not name the judge; name it, {SAY_JUDGE}")
        failed = _text(self._maybe(part.failed, item))
        if failed is None and row["label"] == FAILURE:
            failed = "not a label"
        if failed is not None:
            row = {**row, "label": None, "status": "failed", "detail": failed}
        replicate = self._maybe(part.replicate, item)
        return "judgements", {**row, "judge": name, **({} if replicate is None else {"replicate": replicate})}

    @staticmethod
    def _maybe(expression: str | None, item: Any) -> Any:
        return None if expression is None else evaluate(expression, item)

    def _is_of_people(self, part: LabelPart, item: Any) -> bool:
        """Tell whether a person gave the label, else a judge. Raises NotSaid if the file leaves it open."""
        if part.by is not None:
            return part.by == "people"
        source = evaluate(part.giver or "@", item)
        if source is not None and not isinstance(source, str):
            raise NotSaid(f"expected a text that says who gave the label, found {quote(source)}")
        word = source or "nothing"
        means = self._answers.givers.get(word)
        if word in part.people or (word not in part.judges and means == "people"):
            return True
        if word in part.judges or means == "judges":
            return False
        raise NotSaid(
            f"the file says {quote(word)} about who gave this label, which may be people or a judge. "
            f"Say which, {SAY_GIVER} {word}=people or {word}=judges"
        )

    def _criterion(self, part: LabelPart, item: Any, path: Path) -> str | None:
        """Return the criterion of a label; None if the study has none of that name, which is counted."""
        name = self._maybe(part.criterion, item) if part.criterion is not None else self._of_file(path)
        if not isinstance(name, str) or not name.strip():
            raise NotSaid(f"the criterion of a label must be a text, found {quote(name)}")
        if self._criteria and name.strip().casefold() not in self._criteria:
            self.result.undeclared[name.strip()] += 1
            return None
        return name

    def _of_file(self, path: Path) -> str:
        """Return the criterion of all labels: as stated, or the file's name if it is a criterion."""
        if self._answers.criterion or path.stem.casefold() in self._criteria:
            return self._answers.criterion or path.stem
        raise NotSaid(f"the file does not name the criterion; name it, {SAY_CRITERION}")

    def _label(self, value: Any, criterion: str, people: bool) -> str | None:
        """Return the label as the study spells it, None for none, FAILURE for a judge's that was said to be
        one. Raises NotSaid for an unknown label.
        """
        text = _text(value)
        declared = self._criteria.get(criterion.strip().casefold())
        if text is None or declared is None or self._study is None:
            return text
        scale = self._study.instrument.scale_of(declared)
        spelled = self._answers.labels.get(
            text.casefold(), self._profile.spellings.get(text.casefold(), text)
        )
        label = scale.label(text) or scale.label(spelled)
        if label is None and not people and spelled.casefold() == FAILURE:
            return FAILURE
        if label is None:
            listed = ", ".join(level.id for level in scale.labels())
            raise NotSaid(
                f"{quote(text)} is not a label of {declared.id}; it has {listed}. Say what it means, "
                f"{SAY_LABEL} {text[:MAX_SHOWN]}={scale.labels()[0].id}"
            )
        return label


def _spoken(message: dict[str, Any]) -> Any:
    """Return what a message says and who speaks, however the tool wrote it."""
    try:
        return read_message(message, 1, Counter())
    except MalformedConversation:
        return message


def _number(value: Any) -> int:
    """Return the length of a list; for anything else 1, or 0 for nothing and false."""
    return len(value) if isinstance(value, list) else int(value not in (None, False, "", {}))


def _text(value: Any) -> str | None:
    """Return a value as text, 1.0 as "1" and true as "true"; None for nothing and for empty lists."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or value == [] or value == {}:
        return None
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return (value.strip() or None) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
