"""Conversations: JSONL with messages, turns or pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import conversations
from data.importers.file_sample import FileSample
from data.importers.report import ImportReport
from data.importers.row_importers import ConversationImporter
from data.record.studies import Study
from data.store.trail import TrailEntry


class ConversationFiles(ConversationImporter):
    name = "conversations"
    title = "Conversations"
    order = 10
    help = "Import conversations from FILE (JSONL: messages, turns or pairs) into STUDY."
    endings = ("json", "jsonl")
    page_key = "conversations"
    layout = (
        'JSONL, one conversation per line (or one array): {"id": "c1", "messages": [{"role": '
        '"user", "content": "..."}, ...]}, '
        'or "turns": [{"user": "...", "assistant": "..."}], or pairs.'
    )

    def first_conversation(
        self, path: Path, sample: FileSample, answers: Mapping[str, Any]
    ) -> list[tuple[str, str]]:
        """Return (role, text) of each message of the first usable conversation; [] without one."""
        return next((row.messages for row in conversations.read(path, ImportReport(path.name))), [])

    def add(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        path: Path,
        report: ImportReport,
        answers: Mapping[str, Any],
    ) -> None:
        """Write the contents of the file; problems go into the report, and then the caller rolls back."""
        conversations.add(connection, entry, study, path, report, answers.get("same_person", ""))

    def recognises(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this kind."""
        listed = any(
            isinstance(row.get(name), list) for row in sample.rows[:1] for name in conversations.TEXT_KEYS
        )
        return not sample.is_table and "criterion" not in sample.columns and (listed or sample.has_lists)


IMPORTER = ConversationFiles
