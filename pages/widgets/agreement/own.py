"""A rater's own labels compared with a judge's, for raters who may not see everybody's labels yet."""

from __future__ import annotations

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.labels import agreement_labels
from data.record import adoptions, judgements
from data.record.judgements import Judge
from data.record.studies import Rater, Study
from data.work import exposures
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import links_of
from pages.widgets.evidence.component import draw_evidence
from pages.widgets.evidence.table_data import evidence_data
from pages.widgets.opening_line import open_line
from reports.agreement.own_labels import (
    OwnLabels,
    basis,
    headline,
    own_details,
    own_evidence,
    read_own_labels,
)
from scoring.agreement.labels.label_data import Arm
from scoring.judges.statuses import FAILURES
from words.plurals import count, inflect

APART: dict[Arm, str] = {
    "shown": "Labels that you gave after seeing the judge's (kept apart, because seeing the judge's labels "
    "draws raters towards them)",
    "unknown": "Labels given when it is unknown what you had seen",
}
ARMS: tuple[Arm, ...] = ("blind", "shown", "unknown")


def own_agreement(study: Study, rater: Rater, title: DeltaGenerator) -> None:
    """Show the comparison. `title`: the place of the page's headline. It names only judges whose labels the
    rater has seen, because another name may reveal a model to a blind rater.
    """
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        shown = exposures.shown_judges(connection, study, rater.id)
        named = [judge for judge in judges if judge.id in shown]
        first = adoptions.default_judge(connection, study.id, named)
    if not named:
        with title:
            untrusted_text.heading("Agreement", 1)
        # If the study never shows its judge, the page has already said that a study lead reads the agreement.
        if study.shows_judge:
            st.info(_no_judge(study, bool(judges)))
        return
    judge = named[first] if len(named) == 1 else _choose(named, first)
    with reader_session.store().reading() as connection:
        by_arm = read_own_labels(connection, study, rater, judge, ARMS)
        failures = agreement_labels.failures(connection, study.id, judge.id, rater.id)
    with title:
        untrusted_text.heading(headline(by_arm["blind"]), 1)
    if by_arm["blind"].pairs:
        untrusted_text.paragraph(f"{judge.name} \u00b7 {basis(by_arm['blind'])}", small=True)
        _show(study, by_arm["blind"], "own")
    _show_failures(failures, judge)
    for arm, words in APART.items():
        own = by_arm[arm]
        if own.pairs:
            open_line(
                f"{words}: the same on {own.same:,} of {own.pairs:,}",
                f"own-{arm}",
                partial(_show, study, own, f"own-{arm}", only_compared=True),
            )


def _choose(judges: list[Judge], first: int) -> Judge:
    chosen = st.selectbox(
        "Compare your labels with",
        range(len(judges)),
        index=first,
        key="agreement-second",
        format_func=lambda number: judges[number].name,
    )
    return judges[chosen]


def _no_judge(study: Study, is_hidden: bool) -> str:
    if is_hidden:
        return (
            "You have not seen a judge's labels yet. Once you have compared your labels with a judge's for "
            f"one {study.noun.singular}, the comparison appears here."
        )
    return (
        "This study has no judge to compare with. A study lead sees how far clinicians agree with each "
        "other. You see it once you have rated everything."
    )


def _show(study: Study, own: OwnLabels, key: str, only_compared: bool = False) -> None:
    details = own_details(own)
    links = links_of(study, [block for row in details.values() for block in row.behind])
    draw_evidence(f"evidence-{key}", evidence_data(own_evidence(own, key, only_compared), details, links))


def _show_failures(failures: dict[str, int], judge: Judge) -> None:
    if failures:
        listed = ", ".join(f"{n} where {FAILURES.get(kind, kind)}" for kind, n in sorted(failures.items()))
        untrusted_text.paragraph(
            f"{judge.name} gave no label in {count(sum(failures.values()), 'case', 'cases')}, which "
            f"{inflect(sum(failures.values()), 'is', 'are')} not counted: {listed}.",
            small=True,
        )
