"""What a mapping of a table is called on pages: the roles of columns, and how the first labels are read."""

from __future__ import annotations

from collections.abc import Mapping

from data.importers.mapping.table_mapping import Role

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
