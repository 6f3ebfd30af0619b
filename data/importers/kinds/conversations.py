"""Conversations: JSONL with messages, turns or pairs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from data.importers import conversations
from data.importers.report import ImportReport
from data.importers.row_importers import ConversationImporter
from data.studies import Study
from data.trail import TrailEntry


class ConversationFiles(ConversationImporter):
    name = "conversations"
    title = "Conversations"
    order = 10
    help = "Import conversations from FILE (JSONL: messages, turns or pairs) into STUDY."
    endings = ("json", "jsonl")
    page_key = "conversations"
    layout = (
        'JSONL, one conversation a line (or one array): {"id": "c1", "messages": [{"role": '
        '"user", "content": "..."}, ...]}, '
        'or "turns": [{"user": "...", "assistant": "..."}], or pairs.'
    )

    def add(
        self,
        connection: Connection,
        entry: TrailEntry,
        study: Study,
        path: Path,
        report: ImportReport,
        answers: Mapping[str, Any],
    ) -> None:
        conversations.add(connection, entry, study, path, report, answers.get("same_person", ""))


IMPORTER = ConversationFiles
