"""Write what one file holds: conversations, people's labels and judges' labels, in this order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select

from data import schema
from data.importers import conversations
from data.importers.conversations import ConversationRow
from data.importers.imported_judgements import add_judgements
from data.importers.imported_raters import NOBODY_SAME, SameRaters
from data.importers.imported_ratings import RatingProvenance, add_ratings
from data.importers.report import ImportReport
from data.importers.turns import TurnCount
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.trail import TrailEntry

Rows = Iterator[tuple[int, dict[str, Any]]]
ReadRows = Callable[[ImportReport], Rows]
NO_CONVERSATIONS = (
    "the study has no conversations yet. Import the conversations before their labels: their text can't be "
    'added later. If it stays elsewhere, say so: on the page under "The text of the conversations", in a '
    "terminal with --text elsewhere"
)
FACTS_LEFT_OUT = "the study has its conversations already, so facts about them were left out"
NO_WORDS = "the items have no words: their labels can be compared, but nobody can rate them"


@dataclass(frozen=True)
class FileParts:
    """What a file holds. Each part reads the file anew and yields (line, row); None if the file has none.

    `conversations`: rows with id and messages, other fields are facts. `ratings`: conversation_id, rater,
    criterion, label, note, at, turn. `judgements`: conversation_id, judge, criterion, label, reasoning, at,
    turn, replicate; a failed call has status and detail instead of a label. `items`: id and facts of
    conversations whose words are elsewhere.
    """

    conversations: ReadRows | None = None
    ratings: ReadRows | None = None
    judgements: ReadRows | None = None
    items: ReadRows | None = None


@dataclass(frozen=True)
class PartAnswers:
    """What is stated about a file. `exposure`, `source`: what people had seen of the judge, and how that is
    known. `same_person`: as in `conversations.add_all`. `turns`: what turn numbers count.
    `text_elsewhere`: whether a study may be made of labels alone.
    """

    exposure: str = ""
    source: str = ""
    same_person: str = ""
    turns: TurnCount | None = None
    same_raters: SameRaters = NOBODY_SAME
    text_elsewhere: bool = False

    @classmethod
    def of(cls, answers: Mapping[str, Any]) -> PartAnswers:
        """Return the answers to an importer's options."""
        return cls(
            answers.get("exposure") or "",
            answers.get("source") or "",
            answers.get("same_person") or "",
            answers.get("turns"),
            SameRaters(frozenset(answers.get("same_raters") or ()), answers["actor"]),
            answers.get("text") == "elsewhere",
        )


def add_parts(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    parts: FileParts,
    answers: PartAnswers,
    report: ImportReport,
    file: str,
) -> None:
    """Write the parts of a file. The caller rolls back if the report has errors.

    Labels of a study without any words create their conversations, also without words.
    """
    if parts.conversations is not None:
        usable = conversations.usable_rows(parts.conversations(report), report)
        conversations.add_all(connection, entry, study, usable, report, answers.same_person)
    elif not _has_words(connection, study):
        _add_without_words(connection, entry, study, parts, answers, report)
    elif parts.items is not None and any(row.keys() - {"id", "messages"} for _, row in parts.items(report)):
        report.notice(0, FACTS_LEFT_OUT)
    if not report.errors and parts.ratings is not None:
        provenance = RatingProvenance(answers.exposure, answers.source, answers.turns, answers.same_raters)
        add_ratings(connection, entry, study, parts.ratings(report), report, provenance)
    if not report.errors and parts.judgements is not None:
        rows = parts.judgements(report)
        add_judgements(connection, entry, study, rows, report, JudgeIdentity(""), file, answers.turns)


def _has_words(connection: Connection, study: Study) -> bool:
    table = schema.conversation
    statement = select(table.c.id).where(
        table.c.study_id == study.id, table.c.transcript_content.is_not(None)
    )
    return connection.execute(statement.limit(1)).first() is not None


def _add_without_words(
    connection: Connection,
    entry: TrailEntry,
    study: Study,
    parts: FileParts,
    answers: PartAnswers,
    report: ImportReport,
) -> None:
    """Create a conversation without words for each id in the file."""
    by_turns = [criterion.id for criterion in study.instrument.criteria if criterion.minimum_turns]
    if study.instrument.unit != "conversation" or by_turns:
        report.error(0, "the study has no conversations yet; import the conversations before their labels")
        return
    table = schema.conversation
    stored = connection.execute(select(table.c.id).where(table.c.study_id == study.id).limit(1)).first()
    if stored is None and not answers.text_elsewhere:
        report.error(0, NO_CONVERSATIONS)
        return
    quiet, items = ImportReport(report.file), dict[str, ConversationRow]()
    for line, row in parts.items(report) if parts.items is not None else ():
        facts = {name: value for name, value in row.items() if name not in ("id", "messages")}
        items[row["id"]] = ConversationRow(line, row["id"], [], facts, words=False)
    for read in filter(None, (parts.ratings, parts.judgements)):
        for line, row in read(quiet):
            key = str(row["conversation_id"])
            items.setdefault(key, ConversationRow(line, key, [], words=False))
    rows = iter(items.values())
    conversations.add_all(connection, entry, study, rows, report, answers.same_person)
    if report.added["conversations"]:
        report.notice(0, NO_WORDS)
