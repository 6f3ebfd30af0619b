"""Conversations: a table with one row per message."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from data.importers import conversations, reading
from data.importers.file_kinds import table_header
from data.importers.file_sample import FileSample
from data.importers.import_options import AnyImportOption, ImportOption
from data.importers.message_tables import MessageColumns, guess_columns, is_speaker_known, message_rows
from data.importers.report import ImportReport
from data.importers.row_importers import ConversationImporter, Rows
from data.importers.table_files import TABLES


class MessageTableFiles(ConversationImporter):
    name = "messages"
    title = "Conversations, one row per message"
    order = 15
    help = "Import conversations from FILE: a table (CSV, Excel) with one row per message."
    endings = tuple(ending.removeprefix(".") for ending in TABLES)
    page_key = "messages"
    layout = "A table with one row per message: which conversation, who speaks, and the text."
    options: tuple[AnyImportOption, ...] = (
        *ConversationImporter.options,
        *(
            ImportOption(
                name=f"{what}_column",
                flag=f"--{what}-column",
                default="",
                metavar="COLUMN",
                help=f"The column that says {words}; guessed by default.",
                label=words[0].upper() + words[1:],
                key=f"import-{what}-column",
                of_columns=True,
            )
            for what, words in (
                ("conversation", "which conversation"),
                ("speaker", "who speaks"),
                ("text", "what was said"),
            )
        ),
        ImportOption(
            name="assistant",
            flag="--assistant",
            several=True,
            metavar="NAME",
            help="A speaker who is the assistant, if the file doesn't use user and assistant; everybody else "
            "is the user. May be repeated.",
        ),
    )

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        guess = guess_columns(sample.columns)
        return sample.is_table and guess.are_known and sample.column("criterion") is None

    def recognises_part(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is probably of this kind, but lacks a column."""
        guess = guess_columns(sample.columns)
        has_messages = bool(guess.speaker) and bool(guess.conversation or guess.text)
        return sample.is_table and has_messages and sample.column("criterion") is None

    def guesses(self, sample: FileSample) -> Mapping[str, str]:
        """Return option name -> the column that probably answers it, "" if none does."""
        guess = guess_columns(sample.columns)
        return {
            "conversation_column": guess.conversation,
            "speaker_column": guess.speaker,
            "text_column": guess.text,
        }

    def unknown_speakers(self, sample: FileSample, answers: Mapping[str, Any]) -> list[str]:
        """Return the speakers whose names don't tell whether they are the user or the assistant."""
        column = answers.get("speaker_column") or self.guesses(sample)["speaker_column"]
        return [name for name in sample.values(column) if not is_speaker_known(name)] if column else []

    def detail(self, answers: Mapping[str, Any]) -> dict[str, Any]:
        """Return which answers the trail keeps."""
        chosen = {
            name: answers[name]
            for name in ("conversation_column", "speaker_column", "text_column", "assistant")
            if answers.get(name)
        }
        return {**super().detail(answers), **chosen}

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return the first conversation of the sample: a table's conversations are complete only after its
        last row.
        """
        columns, report = self._columns(sample.columns, answers), ImportReport(path.name)
        rows = message_rows(enumerate(sample.rows, start=2), columns, report)
        return next((row.messages for row in conversations.usable_rows(rows, report)), [])

    def rows(self, path: Path, report: ImportReport, answers: Mapping[str, Any]) -> Rows:
        """Yield (line, row) of the file; problems go into the report."""
        yield from message_rows(
            reading.cell_rows(path, report), self._columns(table_header(path), answers), report
        )

    @staticmethod
    def _columns(names: Sequence[str], answers: Mapping[str, Any]) -> MessageColumns:
        guess = guess_columns(names)
        return MessageColumns(
            answers.get("conversation_column") or guess.conversation,
            answers.get("speaker_column") or guess.speaker,
            answers.get("text_column") or guess.text,
            tuple(answers.get("assistant") or ()),
        )


IMPORTER = MessageTableFiles
