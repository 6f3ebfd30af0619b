"""A preview: the first conversation of a file, or the first rows of a file of labels."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from data.importers.importer import Importer
from data.importers.mapping.table_mapping import TableMapping
from data.importers.recognition import show_first_conversation
from pages.widgets import untrusted_text
from pages.widgets.importing.mapping_form import read_sample
from pages.widgets.importing.upload import Upload

MESSAGES, CHARACTERS = 6, 280
COLUMNS, ROWS, CELL = 4, 4, 40
NAMES = {"user": "User", "assistant": "Assistant", "system": "Instructions to the assistant"}


def show_preview(importer: Importer, upload: Upload, answers: Mapping[str, Any]) -> None:
    """Show the beginning of the file's first conversation; nothing if there is none."""
    messages = show_first_conversation(importer, upload.path, upload.recognition.sample, answers)
    if messages:
        untrusted_text.heading("Preview", 3)
        untrusted_text.excerpt(
            "The first conversation",
            [(NAMES[role], _cut(text)) for role, text in messages[:MESSAGES]],
        )
        if len(messages) > MESSAGES:
            untrusted_text.paragraph(f"and {len(messages) - MESSAGES:,} more messages", small=True)
        return
    mapping = answers.get("mapping")
    sample = upload.recognition.sample
    rows, columns = sample.rows[:ROWS], sample.columns[:COLUMNS]
    if isinstance(mapping, TableMapping):
        table = read_sample(upload, mapping.reading, mapping.reading.sheet)
        rows, columns = tuple(row for _, row in table.rows[:ROWS]), table.columns[:COLUMNS]
    if rows:
        untrusted_text.table(
            "The first rows",
            list(columns),
            [[_cut(str(row.get(column) or ""), CELL) for column in columns] for row in rows],
        )


def _cut(text: str, longest: int = CHARACTERS) -> str:
    return text if len(text) <= longest else f"{text[:longest].rstrip()} ..."
