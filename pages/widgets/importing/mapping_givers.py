"""The questions about a table that concern people: who gave its labels, and who speaks."""

from __future__ import annotations

from collections import Counter
from typing import Any
from zlib import crc32

import streamlit as st

from data.importers.mapping.mapped_messages import known_role
from data.importers.mapping.table_mapping import Giver, TableMapping
from data.importers.mapping.table_sample import TableSample, speakers_of
from pages.widgets import untrusted_text
from reports.mapping_words import GIVER_WORDS
from reports.wording import listed

EXAMPLE, MAX_NAME_SHOWN = 24, 40  # characters
NAMES_SHOWN = 12
ONE_PERSON, ONE_JUDGE = "one person", "one judge"


def ask_givers(mapping: TableMapping, sample: TableSample, key: str) -> TableMapping:
    """Ask who gave the labels: once for each name in the columns' names, or for the whole table."""
    labels = [column for column in mapping.columns.values() if column.role == "label"]
    if not labels:
        return mapping
    untrusted_text.heading("Who gave the labels", 3)
    names = Counter(column.name for column in labels if column.name)
    givers: dict[str, Giver | None] = {}
    if names:
        for place, (name, number) in zip(grid(len(names)), names.items(), strict=True):
            proposed = next(column.giver for column in labels if column.name == name)
            givers[name] = place.selectbox(
                untrusted_text.label(
                    cut(name, MAX_NAME_SHOWN) + (f" ({number} columns)" if number > 1 else "")
                ),
                list(GIVER_WORDS),
                index=None if proposed is None else list(GIVER_WORDS).index(proposed),
                format_func=GIVER_WORDS.__getitem__,
                placeholder="a person or a judge?",
                key=f"import-giver-{key}-{name}",
            )
        mapping = mapping.model_copy(
            update={
                "columns": {
                    name: column.model_copy(update={"giver": givers.get(column.name, column.giver)})
                    for name, column in mapping.columns.items()
                }
            }
        )
    if any(not column.name for column in labels):
        mapping = _ask_giver_of_rows(mapping, sample, key)
    return mapping


def _ask_giver_of_rows(mapping: TableMapping, sample: TableSample, key: str) -> TableMapping:
    """Ask who gave the labels that no column's name attributes."""
    by_column = mapping.names("giver") or mapping.names("rater")
    if by_column:
        cells = sample.different(by_column[0])
        judges = st.multiselect(
            untrusted_text.label(f"Which names in {cut(by_column[0], MAX_NAME_SHOWN)} are judges?"),
            cells,
            default=[each for each in mapping.judges if each in cells],
            placeholder="none: all are people",
            key=f"import-judges-{key}",
        )
        people = [each for each in cells if each not in judges]
        if people and judges:
            untrusted_text.paragraph(
                f"People: {listed([cut(each, EXAMPLE) for each in people], NAMES_SHOWN)}", small=True
            )
        is_kind = bool(mapping.names("giver"))
        mapping = mapping.model_copy(
            update={"judges": tuple(judges), "people": tuple(people) if is_kind else ()}
        )
        if mapping.names("rater", "judge"):
            return mapping
    if mapping.names("judge"):
        return mapping
    left, right = st.columns(2, gap="small")
    kind = left.selectbox(
        "Who gave the labels without a name?",
        [ONE_PERSON, ONE_JUDGE],
        index=0 if mapping.rater else 1 if mapping.judge else None,
        placeholder="choose",
        key=f"import-one-{key}",
    )
    proposed = mapping.rater or mapping.judge or (sample.reading.sheet if len(sample.sheets) > 1 else "")
    name = " ".join(right.text_input("Name", proposed, max_chars=80, key=f"import-one-name-{key}").split())
    return mapping.model_copy(
        update={
            "rater": name if kind == ONE_PERSON else "",
            "judge": name if kind == ONE_JUDGE else "",
        }
    )


def ask_speakers(mapping: TableMapping, sample: TableSample, key: str) -> TableMapping:
    """Ask which speakers are the assistant, and of a transcript which names are no speakers."""
    speakers = speakers_of(mapping, sample)
    if not speakers:
        return mapping
    of = f"{key}-{crc32(repr(speakers).encode())}"
    assistant = st.multiselect(
        "Who is the assistant?",
        speakers,
        default=[each for each in mapping.assistant if each in speakers],
        key=f"import-assistant-{of}",
    )
    others = [
        each for each in speakers if each not in assistant and known_role(each) in (None, "assistant", "user")
    ]
    not_speakers: list[str] = []
    if mapping.names("transcript") and others:
        not_speakers = st.multiselect(
            "Which of these are no speakers?",
            others,
            placeholder="none",
            help="A line such as “Plan: walk” inside a message.",
            default=[each for each in mapping.not_speakers if each in others],
            key=f"import-not-speakers-{of}",
        )
    users = [each for each in others if each not in not_speakers]
    if users and assistant:
        untrusted_text.paragraph(
            f"The user: {listed([cut(each, EXAMPLE) for each in users], NAMES_SHOWN)}", small=True
        )
    return mapping.model_copy(
        update={
            "assistant": tuple(assistant),
            "user": tuple(users) if assistant else (),
            "not_speakers": tuple(not_speakers),
        }
    )


def grid(number: int) -> list[Any]:
    """Return places for so many widgets, three next to each other."""
    places: list[Any] = []
    while len(places) < number:
        places += st.columns(3, gap="small")
    return places[:number]


def cut(text: str, longest: int) -> str:
    """Return the text, or its beginning with "…" where it has more characters than `longest`."""
    return text if len(text) <= longest else f"{text[:longest].rstrip()}…"
