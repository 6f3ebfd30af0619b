"""Two judges on the same units: what changed, in which direction, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from data.labels import agreement_labels, agreement_material
from data.record import units
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Block, Paragraph, Table, UnitLink
from reports.judges.identity_table import numbered_title
from scoring.agreement.judges.changes import LabelChanges, changes
from scoring.agreement.judges.right_or_wrong import RightOrWrong
from scoring.agreement.judges.two_judges import against_reference
from scoring.confidence import ALPHA
from scoring.instruments import Scale
from words.figures import chance
from words.plurals import count

TITLE = "Two judges compared"
Question = tuple[str, int]  # criterion, position of the unit
JudgeLabels = Mapping[Question, tuple[int, str]]  # -> unit, label


def latest_pair(judges: Sequence[Judge]) -> tuple[int, int]:
    """Return the indices of the two judges compared by default: the last two.

    With one judge both are 0.
    """
    return max(0, len(judges) - 2), len(judges) - 1


def compare_pair(
    connection: Connection, study: Study, first: Judge, second: Judge, most: int | None = None
) -> Iterator[Block]:
    """Yield which of two judges is right more often, and how their labels differ.

    `most`: how many differing labels are listed; None for all.
    """
    before, after = _labels(connection, study, first), _labels(connection, study, second)
    both = sorted(set(before) & set(after))
    if not both:
        yield Paragraph("The two judges have labelled no question in common.")
        return
    result = against_reference(
        agreement_material.read_counted(connection, study, first.id),
        agreement_material.read_counted(connection, study, second.id),
    )
    yield from _answer(*_names(first, second), result)
    yield _changes_table(connection, study, before, after, both)
    yield Paragraph(
        "p comes from the exact sign test: conversations in which more labels went up against those in "
        "which more went down (McNemar's exact test where a conversation has one label of two). It says how "
        "often chance alone would be at least as one-sided, and is not corrected for the number of "
        "criteria.",
        "small",
    )
    yield _differences(before, after, both, most, study)


def _labels(connection: Connection, study: Study, judge: Judge) -> JudgeLabels:
    return {
        (label.criterion, label.position): (label.unit_id, label.label)
        for label in agreement_labels.judge_labels(connection, study.id, judge.id)
        if label.label is not None
    }


def _changes_table(
    connection: Connection,
    study: Study,
    before: JudgeLabels,
    after: JudgeLabels,
    both: Sequence[Question],
) -> Table:
    order = [criterion.id for criterion in study.instrument.criteria]
    criteria = sorted(
        {criterion for criterion, _ in both},
        key=lambda name: (order.index(name) if name in order else len(order), name),
    )
    conversations = units.conversations_of(connection, study.id)
    rows = []
    for criterion in criteria:
        label_changes = changes(
            [
                (conversations[before[question][0]], before[question][1], after[question][1])
                for question in both
                if question[0] == criterion
            ],
            _values(study, criterion),
        )
        rows.append(
            (
                study.criterion_names().get(criterion, criterion),
                f"{label_changes.both:,}",
                f"{label_changes.same:,}",
                f"{label_changes.up:,}",
                f"{label_changes.down:,}",
                f"{label_changes.applicable:,}",
                _p(label_changes),
            )
        )
    return Table(
        "changed_labels",
        "Changed labels",
        ("Criterion", "Both labelled", "Same", "Higher", "Lower", "Applies or not", "p"),
        rows,
        (1, 2, 3, 4, 5, 6),
    )


def _scale(study: Study, criterion_id: str) -> Scale:
    criterion = study.instrument.criterion(criterion_id)
    return (
        study.instrument.scale_of(criterion)
        if criterion
        else study.instrument.scales[str(study.instrument.declared_scale)]
    )


def _label_name(study: Study, criterion: str, label: str) -> str:
    return next((level.name for level in _scale(study, criterion).labels() if level.id == label), label)


def _values(study: Study, criterion_id: str) -> dict[str, int | None]:
    scale = _scale(study, criterion_id)
    return {level.id: level.value for level in scale.levels} | (
        {scale.not_applicable.id: None} if scale.not_applicable else {}
    )


def _names(first: Judge, second: Judge) -> tuple[str, str]:
    """Return the names of two judges; with their numbers if they have the same name."""
    if first.name != second.name:
        return first.name, second.name
    return numbered_title(first), numbered_title(second)


def _p(label_changes: LabelChanges) -> str:
    return "no change of direction" if label_changes.p is None else chance(label_changes.p)


def _answer(first: str, second: str, result: RightOrWrong) -> Iterator[Block]:
    """Yield which judge agrees with the clinicians more often, by how much, and whether that may be chance;
    then what was counted. `result`: against what clinicians have said is right.
    """
    labels = result.both + result.first_only + result.second_only + result.neither
    if not labels:
        yield Paragraph(
            "It is too early to say which judge is right more often: no question that both judges labelled "
            "was settled or answered alike by two clinicians.",
            "strong",
        )
        return
    right = {first: result.both + result.first_only, second: result.both + result.second_only}
    better, other = (first, second) if result.first_only > result.second_only else (second, first)
    of = f"of {count(labels, 'label', 'labels')}"
    if result.first_only == result.second_only:
        yield Paragraph(f"Both judges agree with the clinicians on {right[first]:,} {of}.", "strong")
    else:
        ahead = (result.first_ahead, result.second_ahead)[:: 1 if better == first else -1]
        clear = result.p is not None and result.p < ALPHA and ahead[0] > ahead[1]
        yield Paragraph(
            f"{better} agrees with the clinicians on {right[better]:,} {of}, {other} on {right[other]:,}. "
            f"The difference {'is unlikely to be' if clear else 'could be'} chance.",
            "strong",
        )
    tested = "" if result.p is None else f", p {chance(result.p)} (exact sign test)"
    yield Paragraph(
        "Counted are labels that two clinicians agreed on when rating blind, or that were settled between "
        f"clinicians. Only {first} is right on {result.first_only:,}, only {second} on "
        f"{result.second_only:,}. Of the conversations or people, {first} is ahead in "
        f"{result.first_ahead:,} and {second} in {result.second_ahead:,}{tested}.",
        "small",
    )


def _differences(
    before: JudgeLabels, after: JudgeLabels, both: Sequence[Question], most: int | None, study: Study
) -> Block:
    changed = [question for question in both if before[question][1] != after[question][1]]
    listed = changed[:most]
    first = f", the first {len(listed):,} listed" if len(changed) > len(listed) else ""
    title = f"Where they differ: {len(changed):,}{first}"
    if not changed:
        return Paragraph(title)
    names = study.criterion_names()
    return Table(
        "differences",
        title,
        (study.noun.heading, "Criterion", "From", "To"),
        [
            (
                UnitLink(position, criterion),
                names.get(criterion, criterion),
                _label_name(study, criterion, before[criterion, position][1]),
                _label_name(study, criterion, after[criterion, position][1]),
            )
            for criterion, position in listed
        ],
    )
