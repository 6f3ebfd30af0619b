"""The labels of one unit as a table: one row per criterion, one column per rater or judge, with the words
behind each row.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from data.labels.settlements import CAUSES, Settlement
from data.labels.unit_labels import UnitLabel
from reports.document import Block, Evidence, EvidenceRow, Paragraph, RowDetails, Table
from reports.unit_reading.differences import TOLD, CriterionLabels
from reports.unit_reading.label_words import (
    after_what,
    label_words,
    seen_before,
    short_answer,
    words_beside,
)
from scoring.transcripts import Message

COLUMNS_OF_PEOPLE, COLUMNS_OF_JUDGES = 5, 3  # more of them are counted


@dataclass(frozen=True)
class ToldSettlement:
    """`by`: the name here of the person who settled it; `reason` None: the words were erased."""

    settlement: Settlement
    by: str
    reason: str | None


def label_evidence(rows: Sequence[CriterionLabels], settled: Mapping[str, ToldSettlement]) -> Evidence:
    """Return a row per criterion with everybody's label.

    `settled`: criterion -> how it was settled.
    """
    people, judges = _voices(rows, "people"), _voices(rows, "judges")
    columns = [
        *(
            [who.removeprefix("Rater ") for who in people.values()]
            if len(people) <= COLUMNS_OF_PEOPLE
            else ["Clinicians"]
        ),
        *(
            ["Judge"]
            if len(judges) == 1
            else list(judges.values())
            if len(judges) <= COLUMNS_OF_JUDGES
            else ["Judges"]
        ),
        *(["Settled"] if settled else []),
    ]
    return Evidence(
        "labels-of-unit",
        "Labels, criterion by criterion",
        "Criterion",
        "Differ?",
        (),
        "",
        tuple(columns),
        (),
        tuple(_row(row, list(people), list(judges), settled) for row in rows),
        0.0,
        1.0,
        brief=True,
    )


def _voices(rows: Sequence[CriterionLabels], side: str) -> dict[int, str]:
    """Who labelled anything, in the order of the labels: codes of people, judges as they came."""
    voices: dict[int, str] = {}
    for row in rows:
        for label in row.people if side == "people" else row.judges:
            voices.setdefault(_key(label), label.who)
    return dict(sorted(voices.items(), key=lambda item: item[1])) if side == "people" else voices


def _key(label: UnitLabel) -> int:
    key = label.judge if label.by_judge else label.rater
    assert key is not None
    return key


def _row(
    row: CriterionLabels, people: list[int], judges: list[int], settled: Mapping[str, ToldSettlement]
) -> EvidenceRow:
    shape, verdict = TOLD[row.difference]
    cells, labels = [], []
    for voices, keys, most in (
        (row.people, people, COLUMNS_OF_PEOPLE),
        (row.judges, judges, COLUMNS_OF_JUDGES),
    ):
        by_key = {_key(voice): voice for voice in voices}
        if len(keys) <= most:
            cells += [_short(by_key.get(key), row.names) for key in keys]
            labels += [by_key[key].label_of_blind if key in by_key else None for key in keys]
        else:
            counts = Counter(_short(voice, row.names) for voice in voices)
            cells.append(" · ".join(f"{words} {number}" for words, number in counts.most_common()))
            labels.append(None)
    if settled:
        cells.append(_settled_words(settled.get(row.criterion.id), row.names))
    return EvidenceRow(
        row.criterion.id,
        row.criterion.name,
        shape,
        verdict,
        (),
        tuple(cells),
        (None,) * len(cells),
        (),
        marked=_outliers(row, labels),
        remark="; ".join(
            f"{label.who} changed to {short_answer(label.label, row.names)} {after_what(label)}"
            for label in row.changed
        ),
    )


def _outliers(row: CriterionLabels, labels: Sequence[str | None]) -> tuple[int, ...]:
    """The columns whose blind label is not the most frequent one of the people, or else of everybody; all of
    them where there is none.
    """
    people = [label.label_of_blind for label in row.people]
    everybody = [label.label_of_blind for label in row.voices]
    if len(set(everybody) - {None}) < 2:
        return ()
    most = _most_frequent(people) or _most_frequent(everybody)
    return tuple(number for number, label in enumerate(labels) if label is not None and label != most)


def _most_frequent(labels: Sequence[str | None]) -> str | None:
    counts = Counter(label for label in labels if label is not None).most_common()
    return counts[0][0] if counts and (len(counts) == 1 or counts[0][1] > counts[1][1]) else None


def _short(label: UnitLabel | None, names: Mapping[str, str]) -> str:
    """What holds, and before it the blind answer where it was another one."""
    if label is None:
        return ""
    if label.by_judge and label.label is None:
        return "no answer"
    now = short_answer(label.label, names)
    if label.blind_answer is not None and label.is_changed:
        return f"{short_answer(label.blind_answer[0], names)}, then {now}"
    return now


def _settled_words(settled: ToldSettlement | None, names: Mapping[str, str]) -> str:
    if settled is None:
        return ""
    label = settled.settlement.label
    words = "both are valid" if label is None else label if label.isdigit() else names.get(label, label)
    return f"{words}, open again" if settled.settlement.reopened else words


def label_details(
    rows: Sequence[CriterionLabels], settled: Mapping[str, ToldSettlement], messages: list[Message] | None
) -> dict[str, RowDetails]:
    """Return criterion -> what it asks for, who said what and why, and how it was settled.

    `messages`: of the conversation, None if they were erased.
    """
    return {
        row.criterion.id: RowDetails(behind=tuple(_behind(row, settled.get(row.criterion.id), messages)))
        for row in rows
    }


def _behind(
    row: CriterionLabels, settled: ToldSettlement | None, messages: list[Message] | None
) -> list[Block]:
    blocks: list[Block] = [Paragraph(row.criterion.checks_for, "small")] if row.criterion.checks_for else []
    if row.listed:
        names = {
            label: f"{label} {name}" if label.isdigit() and name != label else name
            for label, name in row.names.items()
        }
        blocks.append(
            Table(
                "labels",
                "Who said what",
                ("Who", "Label", "Seen before", "Reasons, note, evidence"),
                [
                    (
                        label.who,
                        label_words(label, names),
                        seen_before(label),
                        words_beside(label, names, messages),
                    )
                    for label in row.listed
                ],
            )
        )
    else:
        blocks.append(Paragraph("Nobody has labelled this yet.", "small"))
    if settled is not None:
        blocks.append(
            Paragraph(
                f"Settled: {_settled_words(settled, row.names)}, by {settled.by}; "
                f"{CAUSES[settled.settlement.cause]}.{f' {settled.reason}' if settled.reason else ''}"
            )
        )
    return blocks
