"""Read the messages in a row of a mapped table: speaker and text, prompt and response, or a transcript."""

from __future__ import annotations

import re
from collections.abc import Mapping

from configs.import_words import import_words
from data.importers.mapping.table_mapping import TableMapping, plain_cell
from data.importers.messages import ROLES, TOOL_ROLES
from data.importers.reading import shortened
from data.importers.report import ImportReport

SPOKEN = re.compile(r"^\s*[\[(*]*([^\W\d_][\w .'-]{0,40}?)[\])*]*\s*:\s*", re.MULTILINE)


def known_role(speaker: str) -> str | None:
    """Return the role that a speaker's name alone tells, such as "assistant" for "AI"; None for others."""
    plain, words = plain_cell(speaker), import_words()
    if plain in ROLES or plain in TOOL_ROLES:
        return ROLES.get(plain, plain)
    return "assistant" if plain in words.assistant else "user" if plain in words.user else None


def role_of(speaker: str, mapping: TableMapping) -> str | None:
    """Return "user", "assistant", "system" or "tool"; None if nobody says who the speaker is."""
    plain = plain_cell(speaker)
    if mapping.assistant:
        if plain in map(plain_cell, mapping.assistant):
            return "assistant"
        role = ROLES.get(plain, plain) if plain in ROLES or plain in TOOL_ROLES else None
        return role if role not in (None, "assistant") else "user"
    return ROLES.get(plain, plain) if plain in ROLES or plain in TOOL_ROLES else None


def read_messages_of_row(
    row: Mapping[str, str], mapping: TableMapping, line: int, report: ImportReport
) -> list[dict[str, str]]:
    """Return the messages of one row, in order; problems go into the report."""
    messages: list[dict[str, str]] = []
    for name, column in mapping.columns.items():
        cell = row.get(name, "")
        speaker = next((row.get(each, "") for each in mapping.names("speaker")), "")
        if not cell and (column.role != "text" or not speaker):
            continue
        if column.role in ("user", "assistant"):
            messages.append({"role": column.role, "content": cell})
        elif column.role == "text":
            messages += _message(speaker, cell, mapping, line, report)
        elif column.role == "transcript":
            spoken = split_transcript(cell)
            if not spoken:
                report.error_of_rows(line, f"no line of {name} begins with a speaker, such as “Client: ...”")
            for speaker, text in spoken:
                messages += _message(speaker, text, mapping, line, report)
    return messages


def split_transcript(text: str) -> list[tuple[str, str]]:
    """Return (speaker, text) of each message in a transcript whose messages begin with "Name:" on a line.

    A name counts as a speaker if it occurs at least twice, or is a usual name of one; other lines belong to
    the message above. [] if the transcript begins with no speaker.
    """
    starts = [(match.group(1).strip(), match) for match in SPOKEN.finditer(text)]
    names = [plain_cell(name) for name, _ in starts]
    speakers = {name for name in names if names.count(name) > 1 or known_role(name) is not None}
    turns = [(name, match) for name, match in starts if plain_cell(name) in speakers]
    if not turns or text[: turns[0][1].start()].strip():
        return []
    ends = [match.start() for _, match in turns[1:]] + [len(text)]
    return [
        (name, text[match.end() : end].strip())
        for (name, match), end in zip(turns, ends, strict=True)
        if text[match.end() : end].strip()
    ]


def _message(
    speaker: str, text: str, mapping: TableMapping, line: int, report: ImportReport
) -> list[dict[str, str]]:
    role = role_of(speaker, mapping)
    if role is None:
        report.error_of_rows(
            line,
            f"who is {shortened(speaker)!r}, the user or the assistant? Say which speakers are the assistant",
        )
        return []
    return [{"role": role, "content": text}]
