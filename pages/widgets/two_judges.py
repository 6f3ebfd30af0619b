"""Two judges on the same units: what changed, in which direction, and whether that may be chance."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from data import agreement_labels, agreement_material, units
from data.judgements import Judge
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from scoring.agreement.changes import LabelChanges, changes
from scoring.agreement.two_judges import against_reference
from scoring.figures import chance

LISTED = 200
Labels = dict[tuple[str, int], tuple[int, str]]  # (criterion, position) -> (unit, label)


def compare_two(study: Study, judges: Sequence[Judge]) -> None:
    untrusted_text.heading("Two judges on the same units", 2)
    left, right = st.columns(2)
    names = [f"{judge.name}, {judge.identity.get('model', 'unknown')} (judge {judge.id})" for judge in judges]
    with left:
        first = judges[
            st.selectbox(
                "From",
                range(len(judges)),
                index=max(0, len(judges) - 2),
                format_func=names.__getitem__,
                key="judges-from",
            )
        ]
    with right:
        second = judges[
            st.selectbox(
                "to",
                range(len(judges)),
                index=len(judges) - 1,
                format_func=names.__getitem__,
                key="judges-to",
            )
        ]
    if first.id == second.id:
        st.info("Choose two judges.")
        return
    before, after = _labels(study, first), _labels(study, second)
    both = sorted(set(before) & set(after), key=lambda at: (at[0], at[1]))
    if not both:
        untrusted_text.paragraph("They have labelled no question in common.")
        return
    order = [c.id for c in study.instrument.criteria]
    criteria = sorted(
        {at[0] for at in both}, key=lambda name: (order.index(name) if name in order else len(order), name)
    )
    with reader_session.store().reading() as connection:
        conversations = units.conversations_of(connection, study.id)
    rows = []
    for criterion in criteria:
        label_changes = changes(
            [
                (conversations[before[at][0]], before[at][1], after[at][1])
                for at in both
                if at[0] == criterion
            ],
            _values(study, criterion),
        )
        rows.append(
            [
                criterion,
                f"{label_changes.both:,}",
                f"{label_changes.same:,}",
                f"{label_changes.up:,}",
                f"{label_changes.down:,}",
                f"{label_changes.applicable:,}",
                _p(label_changes),
            ]
        )
    untrusted_text.table(
        "Changed labels",
        ["Criterion", "Both labelled", "Same", "Higher", "Lower", "Applies or not", "p"],
        rows,
        numeric=range(1, 7),
    )
    untrusted_text.paragraph(
        "p is of the exact sign test: conversations in which more labels went up than down against those in "
        "which more went down "
        "(McNemar's exact test where a conversation has one label of two): how often chance alone would go "
        "so far in one direction. "
        "It is not corrected for asking about several criteria.",
        small=True,
    )
    _right(study, first, second)
    changed = [at for at in both if before[at][1] != after[at][1]]
    some = f", the first {LISTED} listed" if len(changed) > LISTED else ""
    untrusted_text.table(
        f"Where they differ: {len(changed):,}{some}",
        ["Unit", "Criterion", "From", "To"],
        [
            [
                untrusted_text.Link(
                    f"Unit {at[1]}",
                    f"calls?study={study.key}&reader={st.query_params.get('reader', '')}"
                    f"&unit={at[1]}&judge={second.id}&criterion={at[0]}",
                ),
                at[0],
                before[at][1],
                after[at][1],
            ]
            for at in changed[:LISTED]
        ],
    )


def _right(study: Study, first: Judge, second: Judge) -> None:
    """Which of them is right more often, where clinicians have said what is right."""
    with reader_session.store().reading() as connection:
        right_or_wrong = against_reference(
            agreement_material.read_counted(connection, study, first.id),
            agreement_material.read_counted(connection, study, second.id),
        )
    of = right_or_wrong.both + right_or_wrong.first_only + right_or_wrong.second_only + right_or_wrong.neither
    if not of:
        untrusted_text.paragraph(
            "Which of the two is right more often cannot be told: no label of both stands beside one that "
            "two clinicians gave alike "
            "or that was settled."
        )
        return
    by_chance = (
        ""
        if right_or_wrong.p is None
        else f" p {chance(right_or_wrong.p)} (exact sign test over conversations)."
    )
    untrusted_text.paragraph(
        f"Of {of:,} labels that two clinicians gave alike blind, or that were settled between people, "
        f"{first.name} is right on "
        f"{right_or_wrong.both + right_or_wrong.first_only:,} and {second.name} on "
        f"{right_or_wrong.both + right_or_wrong.second_only:,}; on "
        f"{right_or_wrong.first_only:,} only the first is, "
        f"on {right_or_wrong.second_only:,} only the second.{by_chance}"
    )


def _labels(study: Study, judge: Judge) -> Labels:
    with reader_session.store().reading() as connection:
        labels = agreement_labels.judge_labels(connection, study.id, judge.id)
    return {
        (label.criterion, label.position): (label.unit_id, label.label)
        for label in labels
        if label.label is not None
    }


def _values(study: Study, criterion_id: str) -> dict[str, int | None]:
    criterion = study.instrument.criterion(criterion_id)
    scale = (
        study.instrument.scale_of(criterion)
        if criterion
        else study.instrument.scales[str(study.instrument.declared_scale)]
    )
    return {level.id: level.value for level in scale.levels} | (
        {scale.not_applicable.id: None} if scale.not_applicable else {}
    )


def _p(changes: LabelChanges) -> str:
    return "no change of direction" if changes.p is None else chance(changes.p)
