"""Read the messages in a row of a mapped table: speaker and text, prompt and response, or a transcript."""

from __future__ import annotations

import re
from collections.abc import Mapping

from configs.import_words import import_words
from data.importers.mapping.table_mapping import EVERYBODY, TableMapping, is_among, plain_cell
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
    """Return "user", "assistant", "system" or "tool"; None if nobody says who the speaker is.

    Where the mapping lists the assistant, nobody else is the assistant.
    """
    plain = plain_cell(speaker)
    if plain in mapping.listed_speakers:
        return mapping.listed_speakers[plain]
    role = ROLES.get(plain, plain) if plain in ROLES or plain in TOOL_ROLES else None
    if not mapping.assistant or role not in (None, "assistant"):
        return role
    return "user" if EVERYBODY in mapping.user or known_role(speaker) == "user" else None


def read_messages_of_row(
    row: Mapping[str, str], mapping: TableMapping, line: int, report: ImportReport
) -> list[dict[str, str]]:
    """Return the messages of one row, in order; problems go into the report."""
    messages: list[dict[str, str]] = []
    for name, column in mapping.columns.items():
        cell = row.get(name, "")
        speaker = next((row.get(each, "") for each in mapping.names("speaker")), "")
        if not cell and (column.role != "text" or not speaker):
            if column.role in ("user", "assistant"):
                report.notice_of_rows(line, f"{name} is empty, so the conversation has no such message")
            continue
        if column.role in ("user", "assistant"):
            messages.append({"role": column.role, "content": cell})
        elif column.role == "text":
            messages += _message(speaker, cell, mapping, line, report)
        elif column.role == "transcript":
            spoken = split_transcript(cell, mapping)
            if not spoken:
                report.error_of_rows(line, f"no line of {name} begins with a speaker, such as “Client: ...”")
            for speaker, text in spoken:
                messages += _message(speaker, text, mapping, line, report)
    return messages


def split_transcript(text: str, mapping: TableMapping | None = None) -> list[tuple[str, str]]:
    """Return (speaker, text) of each message in a transcript whose messages begin with "Name:" on a line.

    A name counts as a speaker if it occurs at least twice, is a usual name of one, or the mapping lists it,
    and if the mapping does not say that it isn't one; other lines belong to the message above. [] if the
    transcript begins with no speaker.
    """
    listed, others = (mapping.listed_speakers, mapping.not_speakers) if mapping else ({}, ())
    starts = [(match.group(1).strip(), match) for match in SPOKEN.finditer(text)]
    names = [plain_cell(name) for name, _ in starts if not is_among(name, others)]
    speakers = {
        name for name in names if names.count(name) > 1 or name in listed or known_role(name) is not None
    }
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
            f"who is {shortened(speaker)!r}? List the name under assistant, user or, if it only begins a "
            "line of a message, not_speakers",
        )
        return []
    return [{"role": role, "content": text}]
