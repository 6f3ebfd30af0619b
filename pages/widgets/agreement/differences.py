"""For one criterion: every unit on which a clinician and the judge differ, with links."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import streamlit as st

from data.record.studies import Study
from pages.widgets import untrusted_text
from pages.widgets.agreement.address import CRITERION, Address, chosen
from pages.widgets.unit_links import unit_links
from reports.agreement.findings import Findings
from scoring.agreement.verdicts.criterion_agreement import JudgeAgreement

MAX_DIFFERENCES_LISTED = 200


def differences(study: Study, findings: Findings, address: Address) -> None:
    """Show one criterion's units on which judge and clinicians differ; nothing without pairs."""
    with_pairs = [judge_agreement for judge_agreement in findings.beside if judge_agreement.counted.pairs]
    if not with_pairs:
        return
    untrusted_text.heading(f"{study.noun.heading} by {study.noun.singular}", 2)
    judge_agreement = _criterion(
        {judge_agreement.question.id: judge_agreement for judge_agreement in with_pairs}, address
    )
    pairs, names, units = judge_agreement.pairs, judge_agreement.question.names, findings.material.units
    differ = np.flatnonzero(pairs.first != pairs.second)
    position = units.position[units.at(pairs.unit[differ])]
    order = np.lexsort((pairs.side[differ], position))[:MAX_DIFFERENCES_LISTED]
    more = f", the first {MAX_DIFFERENCES_LISTED} listed" if len(differ) > MAX_DIFFERENCES_LISTED else ""
    untrusted_text.heading(f"Where they differ: {len(differ):,}{more}", 3)
    if not len(differ):
        st.text("The judge and the clinicians agree everywhere: every pair of labels is the same.")
        return
    links = unit_links(study, [int(position[at]) for at in order], judge_agreement.question.id, in_turn=True)
    untrusted_text.table(
        "Disagreements",
        [study.noun.heading, "Who", "Clinician", findings.asked.judge.name if findings.asked.judge else ""],
        [
            [
                links[int(position[at])],
                findings.names[int(pairs.side[differ[at]])],
                names[pairs.first[differ[at]]],
                names[pairs.second[differ[at]]],
            ]
            for at in order
        ],
    )


def _criterion(judge_agreements: Mapping[str, JudgeAgreement], address: Address) -> JudgeAgreement:
    first = next(iter(judge_agreements))
    address.before(
        "criterion",
        CRITERION,
        lambda asked: asked if asked in judge_agreements else None,
        first,
        "a criterion that no clinician and the judge have both labelled",
        lambda: judge_agreements[first].question.criterion.name,
    )
    place_chosen = st.selectbox(
        "Criterion",
        list(judge_agreements),
        key=CRITERION,
        on_change=chosen,
        format_func=lambda place: judge_agreements[place].question.criterion.name,
    )
    address.keep("criterion", place_chosen if place_chosen != first else "")
    return judge_agreements[place_chosen]
