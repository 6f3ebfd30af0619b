"""Does a judge favour replies of its own family of models? For study leads alone: it names the models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from data import agreement_material
from data.generating_models import generator_families
from data.judgements import Judge
from data.store import Connection
from data.studies import Study
from reports.document import Block, Paragraph, Table
from scoring.agreement.estimate import Estimate
from scoring.agreement.family_differences import OTHER, OWN, UNKNOWN, FamilyDifference
from scoring.agreement.label_data import LabelData
from scoring.agreement.self_preference import ScaleFinding, compare_families
from scoring.figures import chance, signed_decimal
from scoring.judges.families import family
from scoring.plurals import count, inflect

TITLE = "Does it favour replies of its own family?"
NOTE = (
    "A judge that is more lenient on everything, or a family whose replies are better, makes no difference "
    'of differences. "Alike for clinicians" compares only replies to which clinicians gave the same label. '
    "A preference is named only where both are clear in the same direction and clinicians do not see that "
    "family as better themselves. Both sides are compared within each clinician, and labels of clinicians "
    "who labelled replies of one side alone are left out. All criteria of a scale are asked together; those "
    "below show where a difference comes from and are not tested one by one. Intervals (95 %) leave out one "
    "conversation or person at a time."
)


def self_preference(connection: Connection, study: Study, judge: Judge) -> Iterator[Block]:
    """Nothing where the judge's family is not known or wrote no reply of the study."""
    own = family(str(judge.identity.get("model") or ""))
    families = generator_families(connection, study.id)
    if own is None or own not in families.values():
        return
    others = sorted(set(families.values()) - {own})
    if not others:
        yield Paragraph(
            f"Cannot be told: all replies whose model is known are of its own family ({own}). It takes "
            "replies of another family too."
        )
        return
    data = agreement_material.read_counted(connection, study, judge.id)
    sides = [
        UNKNOWN if name is None else OWN if name == own else OTHER
        for name in map(families.get, data.units.conversation.tolist())
    ]
    findings = compare_families(data, np.array(sides, dtype=np.int64))
    if not findings:
        yield Paragraph(
            "Cannot be told: no label of this judge stands beside a blind one of clinicians on replies whose "
            "model is known."
        )
        return
    for finding in findings:
        yield Paragraph(_sentence(data, finding, own, others, len(findings)))
    if any(finding.by_question for finding in findings):
        yield _table(data, findings, f"self_preference_{judge.id}", own, others)
    yield Paragraph(f"{_counts(families, own)} {NOTE}", "small")


def _sentence(data: LabelData, finding: ScaleFinding, own: str, others: list[str], scales: int) -> str:
    """No more than both intervals carry."""
    on_scale = f"On {_names(data, finding)}: " if scales > 1 else ""
    together, other = finding.together, " and ".join(others)
    amount = _amount(finding, together.difference)
    same_labels = _amount(finding, together.alike)
    if finding.answer == "cannot_tell":
        return f"{on_scale}Whether it favours {own} cannot be told: {finding.reason}."
    if finding.answer in ("prefers_own", "prefers_others"):
        higher = "higher" if finding.answer == "prefers_own" else "lower"
        return (
            f"{on_scale}Beside clinicians it labels replies of its own family ({own}) {higher} than those of "
            f"{other}: by {amount}; among replies to which clinicians gave the same label, by {same_labels}. "
            f"p {chance(finding.p or 0.0)}{inflect(scales, '', ' (corrected for the number of scales)')}."
        )
    if finding.answer == "may_be_quality":
        return (
            f"{on_scale}How far the judge lies above or below clinicians differs between replies of {own} "
            f"and of {other}: {amount}; among replies to which clinicians gave the same label, "
            f"{same_labels}. That may come from how good the replies are (clinicians themselves: "
            f"{_amount(finding, together.clinicians)}), so it shows no preference."
        )
    return (
        f"{on_scale}No preference for its own family ({own}) is shown, and none is ruled out within these "
        f"limits: {amount}; among replies to which clinicians gave the same label, {same_labels}."
    )


def _names(data: LabelData, finding: ScaleFinding) -> str:
    numbers = finding.by_question or finding.questions
    return ", ".join(data.questions[number].criterion.name for number in numbers)


def _amount(finding: ScaleFinding, estimate: Estimate) -> str:
    """+0.31 levels (+0.12 to +0.50), or +12 of 100 labels: so many more do not fail."""
    if estimate.value is None:
        return f"what cannot be told ({estimate.undefined})"
    unit = "levels" if finding.ordinal else "of 100 labels"

    def signed(value: float) -> str:
        return signed_decimal(value, 2) if finding.ordinal else signed_decimal(100 * value, 0)

    if estimate.low is None or estimate.high is None:
        return f"{signed(estimate.value)} {unit} (no interval: {estimate.no_interval})"
    return f"{signed(estimate.value)} {unit} ({signed(estimate.low)} to {signed(estimate.high)})"


def _table(data: LabelData, findings: list[ScaleFinding], key: str, own: str, others: list[str]) -> Table:
    rows = []
    for finding in findings:
        if len(finding.by_question) > 1:
            rows.append(_row("All criteria", finding, finding.together))
        rows += [
            _row(data.questions[number].criterion.name, finding, each)
            for number, each in finding.by_question.items()
        ]
    return Table(
        key,
        f"Judge less clinicians, on replies of {own} and of {', '.join(others)}: {_units(findings)}",
        (
            "Criterion",
            f"Conversations: {own}",
            "others",
            f"Judge less clinicians: {own}",
            "others",
            "Difference",
            "Alike for clinicians",
        ),
        rows,
        (1, 2, 3, 4),
    )


def _units(findings: list[ScaleFinding]) -> str:
    kinds = {finding.ordinal for finding in findings}
    words = {True: "levels", False: "of 100 labels, how many more do not fail"}
    return "; ".join(words[kind] for kind in (True, False) if kind in kinds)


def _row(name: str, finding: ScaleFinding, difference: FamilyDifference) -> tuple[str, ...]:
    digits, scale = (2, 1.0) if finding.ordinal else (0, 100.0)

    def gap(value: float | None) -> str:
        return "·" if value is None else signed_decimal(scale * value, digits)

    return (
        name,
        f"{difference.own.parts:,}",
        f"{difference.others.parts:,}",
        gap(difference.own.gap),
        gap(difference.others.gap),
        _amount(finding, difference.difference),
        _amount(finding, difference.alike),
    )


def _counts(families: dict[int, str], own: str) -> str:
    listed = [
        f"{name}{' (its own)' if name == own else ''} in {count(number, 'conversation', 'conversations')}"
        for name, number in sorted(Counter(families.values()).items())
    ]
    return (
        f"Who wrote the replies, as the conversations' facts say: {', '.join(listed)}; others are left out."
    )
