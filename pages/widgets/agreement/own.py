"""A rater's own labels beside those of a judge, on the units whose judge they have seen: counts first, every
disagreement one click away.
"""

from __future__ import annotations

import re
from typing import Any

import streamlit as st

from data import adoptions, agreement_labels, exposures, judgements
from data.agreement_labels import LabelRow
from data.judgements import Judge
from data.studies import Rater, Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.unit_links import unit_links
from scoring.agreement.compare import Comparison, compare, pair_up
from scoring.agreement.estimate import Estimate
from scoring.agreement.label_data import Arm
from scoring.figures import decimal, percent
from scoring.instruments import Criterion

LISTED = 200
ARM_WORDS: dict[Arm, str] = {
    "blind": "Given blind",
    "shown": "Given after the judge had been seen: kept apart, because seeing the judge moves people toward "
    "it",
    "unknown": "It is not known what these raters had seen",
}


def own_agreement(study: Study, rater: Rater) -> None:
    """Names only judges whose labels the rater has seen: any other name may tell a blind rater a model."""
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        shown = exposures.shown_judges(connection, study, rater.id)
        named = [judge for judge in judges if judge.id in shown]
        first = adoptions.default_judge(connection, study.id, named)
    if not named and study.reveal == "never":
        # it was said that a study lead reads the agreement, and that holds when everything is rated as well
        return
    if not judges:
        st.info(
            "This study has no judge to compare with. How far people agree with each other is shown to a "
            "study lead, "
            "or to you when you have rated everything."
        )
        return
    if not named:
        st.info(
            "No judge was shown to you yet. Your labels stand here beside a judge's once you have compared a "
            "unit with it."
        )
        return
    chosen = st.selectbox(
        "Your labels beside those of",
        range(len(named)),
        index=first,
        key="agreement-second",
        format_func=lambda number: named[number].name,
    )
    judge = named[chosen]
    blind = _load(study, "blind", rater, judge)
    _failures(study, judge, rater.id)
    _table(study, ARM_WORDS["blind"], blind)
    _detail(study, blind, judge)
    apart: tuple[Arm, Arm] = ("shown", "unknown")
    for arm in apart:
        comparisons = _load(study, arm, rater, judge)
        if any(c.pairs for c in comparisons.values()):
            _table(study, ARM_WORDS[arm], comparisons)


def _load(study: Study, arm: Arm, rater: Rater, judge: Judge) -> dict[str, Comparison]:
    """A comparison for each criterion that the rater labelled, in the instrument's order."""
    with reader_session.store().reading() as connection:
        mine = [
            label
            for label in agreement_labels.human_labels(connection, study.id, arm, rater.id)
            if label.who == rater.id
        ]
        theirs = [
            _as(label, -label.who)
            for label in agreement_labels.judge_labels(connection, study.id, judge.id, rater.id)
        ]
    comparisons = {}
    for criterion in _criteria(study, mine):
        scale = study.instrument.scale_of(criterion)
        pairs = pair_up(_of(mine, criterion), _of(theirs, criterion))
        comparisons[criterion.id] = compare(
            pairs,
            [x.id for x in scale.labels()],
            scale.kind == "ordinal",
            scale.not_applicable.id if scale.not_applicable else None,
        )
    return comparisons


def _as(label: LabelRow, who: int) -> LabelRow:
    return LabelRow(label.criterion, label.unit_id, label.position, who, label.label)


def _of(labels: list[LabelRow], criterion: Criterion) -> list[tuple[int, int, str]]:
    return [
        (x.position, x.who, x.label) for x in labels if x.criterion == criterion.id and x.label is not None
    ]


def _criteria(study: Study, labels: list[LabelRow]) -> list[Criterion]:
    if not study.instrument.criteria_from or study.taxonomy is None:
        return list(study.instrument.criteria)
    used = {label.criterion for label in labels}
    return list(study.instrument.criteria_for(tuple(s for s in study.taxonomy.strategies if s.id in used)))


def _failures(study: Study, judge: Judge, only: int) -> None:
    with reader_session.store().reading() as connection:
        found = agreement_labels.failures(connection, study.id, judge.id, only)
    if found:
        listed = ", ".join(
            f"{n} where {judgements.FAILURES.get(kind, kind)}" for kind, n in sorted(found.items())
        )
        untrusted_text.paragraph(f"Without a label from this judge, and so in no number below: {listed}.")


def _table(study: Study, caption: str, comparisons: dict[str, Comparison]) -> None:
    ordinal = any(c.quadratic is not None for c in comparisons.values())
    header = [
        "Criterion",
        "Same label",
        "of pairs",
        "Percent",
        "Conversations or turns",
        "Raters",
        "Kappa",
        *(["Quadratic kappa"] if ordinal else []),
    ]
    names = {c.id: c.name for c in _every_criterion(study)}
    rows = [
        [
            names.get(criterion, criterion),
            f"{c.same:,}",
            f"{len(c.pairs):,}",
            _percent(c.percent),
            f"{c.units:,}",
            f"{c.raters}",
            _number(c.kappa),
            *([_number(c.quadratic)] if ordinal and c.quadratic else []),
        ]
        for criterion, c in comparisons.items()
    ]
    pairs, same = sum(len(c.pairs) for c in comparisons.values()), sum(c.same for c in comparisons.values())
    if pairs:
        untrusted_text.paragraph(f"{caption}: on {same:,} of {pairs:,} labels both said the same.")
    else:
        untrusted_text.paragraph(f"{caption}: cannot be estimated yet, because nothing was labelled by both.")
    untrusted_text.table(caption, header, rows, numeric=(1, 2, 3, 4, 5))
    if pairs:
        untrusted_text.paragraph(
            "Kappa is agreement beyond chance. Quadratic kappa counts near misses in part and leaves out "
            '"does not apply". With few '
            "conversations these numbers are rough.",
            small=True,
        )


def _every_criterion(study: Study) -> list[Any]:
    return list(study.instrument.criteria) or (list(study.taxonomy.strategies) if study.taxonomy else [])


def _percent(estimate: Estimate) -> str:
    if estimate.value is None:
        return "no pairs"
    return percent(estimate.value)


def _number(estimate: Estimate) -> str:
    if estimate.value is not None:
        mean = re.search(r"mean of (\d+) of (\d+)", estimate.method)
        some = (
            f" (of {mean[1]} raters; not estimable for {int(mean[2]) - int(mean[1])})"
            if mean and mean[1] != mean[2]
            else ""
        )
        return f"{decimal(estimate.value, 2)}{some}"
    return f"cannot be estimated: {estimate.undefined}"


def _detail(study: Study, comparisons: dict[str, Comparison], second: Judge) -> None:
    with_pairs = {
        c.id: c for c in _every_criterion(study) if comparisons.get(c.id) and comparisons[c.id].pairs
    }
    if not with_pairs:
        return
    untrusted_text.heading("One criterion", 2)
    ids = list(with_pairs)
    asked = st.selectbox(
        "Criterion", range(len(ids)), format_func=lambda i: with_pairs[ids[i]].name, key="agreement-criterion"
    )
    chosen = comparisons[ids[asked]]
    scale_names = _label_names(study, ids[asked])
    other = second.name
    rows = [
        [scale_names[label], *[f"{n:,}" for n in chosen.table[i]]] for i, label in enumerate(chosen.domain)
    ]
    untrusted_text.table(
        f"Rows: you. Columns: {other}. {len(chosen.pairs):,} pairs",
        ["", *[scale_names[x] for x in chosen.domain]],
        rows,
        numeric=range(1, len(chosen.domain) + 1),
    )
    listed = sorted(chosen.disagreements, key=lambda p: (p.unit, p.who))[:LISTED]
    more = f", the first {LISTED} listed" if len(chosen.disagreements) > LISTED else ""
    untrusted_text.heading(f"Where they differ: {len(chosen.disagreements):,}{more}", 3)
    if not listed:
        st.text("Nowhere: every pair has the same label.")
        return
    links = unit_links(study, {p.unit for p in listed}, ids[asked])
    untrusted_text.table(
        "Disagreements",
        ["Unit", "You", other],
        [[links[p.unit], scale_names[p.first], scale_names[p.second]] for p in listed],
    )


def _label_names(study: Study, criterion_id: str) -> dict[str, str]:
    criterion = study.instrument.criterion(criterion_id)
    scale = (
        study.instrument.scale_of(criterion)
        if criterion
        else study.instrument.scales[str(study.instrument.declared_scale)]
    )
    return {
        x.id: x.name if x.name == x.id or not x.id.isdigit() else f"{x.id} {x.name}" for x in scale.labels()
    }
