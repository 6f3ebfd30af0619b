"""Places that a rater marked in a conversation, checked against its words before they are kept."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection

from data.record import units
from data.record.answers import Span
from data.record.units import Unit
from data.store.errors import Refused


def check_evidence(
    connection: Connection, unit: Unit, evidence: Sequence[Span], earlier: Sequence[Span]
) -> None:
    """Raise Refused unless every span lies within one message that the rater reads.

    A span must begin and end between whole characters. `earlier`: spans of the answer before, which were
    checked then.
    """
    new_spans = [span for span in evidence if span not in earlier]
    if not new_spans:
        return
    messages = units.transcript(connection, unit)
    if messages is None:
        raise Refused("marked_erased_words")
    # A rater's browser is not given the words of a system prompt.
    texts = ["" if message.role == "system" else message.text for message in messages]
    for span in new_spans:
        if span.message >= len(texts) or not _is_within(span, texts[span.message]):
            raise Refused("marked_elsewhere")


def _is_within(span: Span, text: str) -> bool:
    units_of_two_bytes = text.encode("utf-16-le", "surrogatepass")
    if not span.start < span.end <= len(units_of_two_bytes) // 2:
        return False
    try:
        units_of_two_bytes[2 * span.start : 2 * span.end].decode("utf-16-le")
    except UnicodeDecodeError:  # it begins or ends within a character
        return False
    return True
