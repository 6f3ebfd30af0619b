"""What a mapping of a table is called on pages: the roles of columns, and how the first labels are read."""

from __future__ import annotations

from collections.abc import Mapping

from data.importers.mapping.table_mapping import Role, TableMapping
from words.plurals import join_words

ROLE_WORDS: Mapping[Role, str] = {
    "ignored": "left out",
    "conversation": "which conversation",
    "turn": "turn or message number",
    "speaker": "who speaks",
    "text": "what was said",
    "user": "what the user said",
    "assistant": "what the assistant said",
    "transcript": "the whole conversation",
    "rater": "the person who labelled",
    "judge": "the judge that labelled",
    "giver": "person or judge",
    "criterion": "which criterion",
    "label": "the label",
    "reason": "the reason for a label",
    "note": "a note about a label",
    "date": "when it was labelled",
    "fact": "a fact about the conversation",
}
GIVER_WORDS = {"person": "a person", "judge": "a judge"}
NO_LABEL = "no label"
EMPTY_CELL = "(empty)"
FAILED_REPLY = "a failed reply of a judge"
MAX_COLUMNS_NAMED, MAX_NAME_SHOWN = 8, 40


def describe_columns(mapping: TableMapping) -> str:
    """Return what each of the first columns is, "speaker: who speaks; text: what was said.", and who is
    listed as a speaker.
    """
    parts = [
        f"{name[:MAX_NAME_SHOWN]}: {ROLE_WORDS[column.role]}" for name, column in mapping.columns.items()
    ]
    more = f"; and {len(parts) - MAX_COLUMNS_NAMED} more" if len(parts) > MAX_COLUMNS_NAMED else ""
    speakers = ""
    for role, names in {"assistant": mapping.assistant, "user": mapping.user[:MAX_COLUMNS_NAMED]}.items():
        others = [f"“{name[:MAX_NAME_SHOWN]}”" for name in names if name.casefold() != role]
        speakers += f" The {role} is called {join_words(others)}." if others else ""
    return f"{'; '.join(parts[:MAX_COLUMNS_NAMED])}{more}.{speakers}"
