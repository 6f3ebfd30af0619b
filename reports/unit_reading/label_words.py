"""Words about one label: who gave it, when, how sure."""

from __future__ import annotations

from collections.abc import Mapping

from data.labels.unit_labels import UnitLabel
from data.record.answers import CANNOT_RATE, CONFIDENCE
from scoring.judges.statuses import FAILURES
from scoring.transcripts import Message, cut_marked


def label_words(label: UnitLabel, names: Mapping[str, str]) -> str:
    """Return the label's name, "no answer: KIND" for a judge's failure, or "cannot rate: REASON" for a
    person.

    `names`: label -> its name.
    """
    if label.label is not None:
        return names.get(label.label, label.label)
    return (
        f"no answer: {FAILURES.get(label.status, label.status)}"
        if label.by_judge
        else f"cannot rate: {CANNOT_RATE.get(label.status, label.status)}"
    )


def short_answer(label: str | None, names: Mapping[str, str]) -> str:
    """Return a person's answer in short: the number on a numbered scale, else the name; "cannot rate" for
    None.
    """
    if label is None:
        return "cannot rate"
    return label if label.isdigit() else names.get(label, label)


def after_what(*labels: UnitLabel) -> str:
    """Return "after seeing the judge" if all of these labels were changed after that, else "after seeing
    labels of others".
    """
    saw_judge = all(label.shown in ("revealed", "judge_visible") for label in labels)
    return "after seeing the judge's labels" if saw_judge else "after seeing labels of others"


def seen_before(label: UnitLabel) -> str:
    """Return what had been shown before a label was given: "judge" for a judge's own, "filled in by rule"
    for those.
    """
    if label.by_judge:
        return "judge"
    if label.by_rule:
        return "filled in by rule"
    if label.outranked:
        return f"{label.shown}; from a file, the label given here counts"
    return f"{label.shown}; from a file" if label.from_file else label.shown


def words_beside(label: UnitLabel, names: Mapping[str, str], messages: list[Message] | None) -> str:
    """Return everything that was written or said with a label, separated by " · "; "" if nothing.

    In this order: the text, "Before: ...", "Changed because: ...", "Also defensible: ...", the confidence,
    and "Evidence: ..." per quotation.
    """
    parts = [label.text] if label.text else []
    if label.earlier:
        parts.append(
            "Before: "
            + ", ".join(
                names.get(earlier, earlier) if earlier else CANNOT_RATE.get(status, status)
                for earlier, status in label.earlier
            )
        )
    if label.reason:
        parts.append(f"Changed because: {label.reason}")
    if label.also:
        parts.append("Also defensible: " + ", ".join(names.get(also, also) for also in label.also))
    if label.confidence:
        parts.append(CONFIDENCE[label.confidence].capitalize())
    parts += [f"Evidence: “{quote}”" for span in label.evidence if (quote := _quote(span, messages))]
    return " · ".join(parts)


def _quote(span: tuple[int, int, int], messages: list[Message] | None) -> str:
    number, start, end = span
    if messages is None or number >= len(messages):
        return ""
    return cut_marked(messages[number].text, start, end)
