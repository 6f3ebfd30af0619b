"""Disagreements as a file: Markdown for people, JSON Lines for programs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from data.exporters.disagreements import DisagreementRow, GivenLabel, as_object, read_disagreements
from data.labels.settlements import CAUSES
from data.record.studies import Study
from data.store.errors import Refused
from data.store.private_files import write_whole
from data.store.store import Connection

ENDINGS = (".md", ".jsonl")
BETWEEN = {
    "human_human": "Clinicians differ from each other.",
    "human_judge": "The judge differs from the clinicians.",
}
_SPECIAL = re.compile(r"([\\`*_\[\].!|<>~&:$@])")  # a mark, an image, a link, or a tag


def write_disagreements(connection: Connection, study: Study, path: Path, words: bool) -> int:
    """Write every disagreement of a study to a new file (.md or .jsonl); return how many.

    `words`: with notes, reasons, the judge's reasoning and marked words.

    Raises:
        Refused: another ending.
        FileExistsError: the file exists.
    """
    if path.suffix.lower() not in ENDINGS:
        raise Refused("table_of_unknown_kind", name=path.name, endings=", ".join(ENDINGS))
    written = 0
    with write_whole(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        if path.suffix.lower() == ".md":
            file.write(f"# {_plain(study.title)}: disagreements\n")
        for row in read_disagreements(connection, study, words):
            written += 1
            if path.suffix.lower() == ".md":
                file.writelines(f"{line}\n" for line in _describe(row))
            else:
                file.write(json.dumps(as_object(row), ensure_ascii=False) + "\n")
    return written


def _describe(row: DisagreementRow) -> Iterator[str]:
    turn = f", turn {row.turn}" if row.turn else ""
    yield f"\n## {_plain(row.conversation)}{turn}: {_plain(row.criterion)}\n"
    yield f"{BETWEEN[row.between]}\n"
    for label in row.people + row.judges:
        yield f"- {_plain(label.giver)}: **{_plain(label.label)}**"
        yield from _words(label)
    if row.settled_cause is not None:
        settled = "both stand" if row.settled_label is None else f"**{_plain(row.settled_label)}**"
        yield f"- Settled: {settled}, {CAUSES[row.settled_cause]}"
        if row.settled_reason:
            yield f"  - {_plain(row.settled_reason)}"


def _words(label: GivenLabel) -> Iterator[str]:
    for words in (label.marked, label.note, label.reason):
        if words:
            yield f"  - {_plain(words)}"


def _plain(text: str) -> str:
    """Return the text on one line, so that nothing in it is Markdown."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
