"""One sentence that says how far the labels of a unit differ."""

from __future__ import annotations

from collections.abc import Sequence

from data.labels.unit_labels import UnitLabel
from reports.unit_reading.differences import DIFFERING, CriterionLabels
from reports.unit_reading.label_words import after_what
from words.plurals import count, join_words

BY_NAME = 2  # so many are named; more are counted


def sentence_of_unit(rows: Sequence[CriterionLabels]) -> str:
    """Return where labels of a unit differ: the first difference of blind labels, then how many; others
    separately.

    Without a difference "Everybody gives the same label on all 3 criteria.", or how many have the same
    label or cannot be compared. Without rows "There is nothing to label here."
    """
    if not rows:
        return "There is nothing to label here."
    return " ".join([_of_blind_labels(rows), *_of_others(rows)])


def _of_blind_labels(rows: Sequence[CriterionLabels]) -> str:
    total = len(rows)
    differing = [row for row in rows if row.difference in DIFFERING]
    if differing:
        return (
            f"{_who_says_what(differing[0])} "
            f"{len(differing)} of {count(total, 'criterion differs', 'criteria differ')}."
            if total > 1
            else _who_says_what(differing[0])
        )
    same = [row for row in rows if row.is_same]
    is_blind = all(row.difference != "not_blind" for row in rows)
    if not same:
        return _who_labelled(rows) if is_blind else _of_few_blind_labels(rows)
    if len(same) < total:
        label = f"he same label on {len(same)} of {total} criteria"
        return f"No labels differ: t{label}; the others can't be compared." if is_blind else f"T{label}."
    if unanswered := sum(row.is_unanswered for row in rows):
        missing = f"on {unanswered} of them an answer is" if total > 1 else "an answer is"
        return f"No labels differ: the same label on {_all_of(total)}, but {missing} missing."
    return f"Everybody gives the same label on {_all_of(total)}."


def _of_few_blind_labels(rows: Sequence[CriterionLabels]) -> str:
    """Where labels differ on every criterion that can be compared, but none of those that are blind."""
    alike = [row for row in rows if row.has_two_blind]
    if not alike:
        return "No criterion has two blind labels to compare."
    where = _all_of(len(rows)) if len(alike) == len(rows) else f"{len(alike)} of {len(rows)} criteria"
    return f"The blind labels are the same on {where}."


def _of_others(rows: Sequence[CriterionLabels]) -> list[str]:
    """Labels that differ without being blind, and those that were changed once something had been shown."""
    not_blind = sum(row.difference == "not_blind" for row in rows)
    changed = [label for row in rows for label in row.changed]
    return [
        *(
            [f"Labels that are not blind differ on {count(not_blind, 'criterion', 'criteria')}."]
            if not_blind
            else []
        ),
        *(
            [f"{count(len(changed), 'label was', 'labels were')} changed {after_what(*changed)}."]
            if changed
            else []
        ),
    ]


def _all_of(total: int) -> str:
    return "the one criterion" if total == 1 else f"all {total} criteria"


def _who_says_what(row: CriterionLabels) -> str:
    """Warm: Ann and the judge say “Yes”, Ben “No”."""
    people = [label for label in row.people if label.label_of_blind is not None]
    judges = [label for label in row.judges if label.label is not None]
    asked = [label for label in row.people if not label.by_rule]
    labels = list(dict.fromkeys(label.label_of_blind for label in (*people, *judges)))
    labels.sort(key=lambda label: -sum(voice.label_of_blind == label for voice in people))
    groups: list[str] = []
    for label in labels:
        voices = [
            *_voices([voice for voice in people if voice.label_of_blind == label], asked, "clinicians"),
            *_judges([voice for voice in judges if voice.label == label], row.judges),
        ]
        alone = sum(voice.label_of_blind == label for voice in (*people, *judges)) == 1
        verb = "" if groups else " says" if alone else " say"
        groups.append(f"{join_words(voices)}{verb} “{row.names.get(label or '', label)}”")
    return f"{_short_name(row.criterion.name)}: {', '.join(groups)}."


def _short_name(name: str) -> str:
    """Without what explains it: of "Pacing — explores before advising" the first word."""
    return name.split(" (")[0].split(" — ")[0]


def _voices(voices: Sequence[UnitLabel], of: Sequence[UnitLabel], plural: str) -> list[str]:
    if len(voices) <= BY_NAME:
        return [voice.who for voice in voices]
    return [f"{'all ' if len(voices) == len(of) else ''}{len(voices)} {plural}"]


def _judges(voices: Sequence[UnitLabel], of: Sequence[UnitLabel]) -> list[str]:
    return ["the judge"] if voices and len(of) == 1 else _voices(voices, of, "judges")


def _who_labelled(rows: Sequence[CriterionLabels]) -> str:
    """Where no two labels can be compared."""
    who = list(dict.fromkeys(label.who for row in rows for label in row.given))
    if not who:
        return "Nobody has labelled this yet."
    if len(who) == 1:
        return f"Only {who[0]} has labelled this."
    return "No criterion has two labels to compare."
