"""Missing labels, judge by judge, each with a link to its call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from urllib.parse import urlencode

import streamlit as st

from data.record.judgements import Judge
from data.record.ledger_reports import UnresolvedFailure
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.asking_words import name_asking
from pages.widgets.unit_names import name_units
from scoring.judges.statuses import FAILURES

MAX_FAILURES_LISTED = 200


def show_failures(
    study: Study, judges: Sequence[Judge], failures: Mapping[int, Sequence[UnresolvedFailure]]
) -> None:
    """Show the failures of all judges that nobody resolved; nothing if there are none. `failures`: by judge
    id.
    """
    listed = [(judge, failure) for judge in judges for failure in failures[judge.id]]
    if not listed:
        return
    several = len({judge.id for judge, _ in listed}) > 1
    reader = st.query_params.get("reader", "")
    positions = [failure.position for _, failure in listed[:MAX_FAILURES_LISTED]]
    names = name_units(study, reader_session.reader(study), positions)
    untrusted_text.window(
        f"Without a label{f', the first {MAX_FAILURES_LISTED}' if len(listed) > MAX_FAILURES_LISTED else ''}",
        [*(["Judge"] if several else []), study.noun.heading, "Criterion", "What happened"],
        [
            [
                *([judge.name] if several else []),
                untrusted_text.Link(names[failure.position], _address(study, reader, judge, failure)),
                failure.criterion + name_asking(failure.anchor_round, failure.replicate),
                FAILURES.get(failure.status, failure.status),
            ]
            for judge, failure in listed[:MAX_FAILURES_LISTED]
        ],
    )
    untrusted_text.paragraph(
        "These are failures, not labels. No number includes them, and somebody should check them.", small=True
    )


def _address(study: Study, reader: str, judge: Judge, failure: UnresolvedFailure) -> str:
    call = {
        "study": study.key,
        "reader": reader,
        "unit": failure.position,
        "judge": judge.id,
        "criterion": failure.criterion,
    }
    return f"calls?{urlencode(call)}"
