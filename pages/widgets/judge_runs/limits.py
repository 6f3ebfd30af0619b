"""The limits of a run: how much of the study, how often, at what cost. Folded: most runs have none."""

from __future__ import annotations

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.record import anchors
from data.record.judge_runs import JudgeRunOptions
from data.record.studies import Study
from pages.widgets import reader_session


def ask_limits(study: Study, may_batch: bool, currency: str | None) -> JudgeRunOptions | None:
    """Ask for the limits of a run, and return them; None if a number is out of range, which the page shows.

    The fields have no limits of their own, because a browser would silently send the last valid value.
    """
    with reader_session.store().reading() as connection:
        frozen = anchors.newest(connection, study.id)
    if frozen and st.checkbox(
        f"Only the locked set, three times each ({len(frozen.labels):,} settled labels)",
        key="runs-anchors",
        help="The locked set is also called the anchor set. If a round has started, this run continues it. "
        "Once a round is complete, a new one shows whether the judge has changed since.",
    ):
        with st.expander("Limits", type="compact"):
            budget = _budget(st.container(), currency)
            retry = st.checkbox("Ask again if a call failed before", key="runs-anchors-retry")
        return (
            None
            if _wrong(None, budget, 1)
            else JudgeRunOptions(budget_nano=_nano(budget, currency), retry_failures=retry, anchor_round=1)
        )
    with st.expander("Limits and repeats", type="compact"):
        left, middle, right = st.columns(3)
        limit = left.number_input(
            f"Only this many {study.noun.plural}, from the first on",
            value=None,
            step=1,
            key="runs-limit",
            placeholder="all of them",
        )
        budget = _budget(middle, currency)
        times = right.number_input(
            "Times to ask for each label in the random share",
            value=1,
            step=1,
            key="runs-replicates",
            help=f"The judge is asked again about a random share of the {study.noun.plural}, every safety "
            "NO, and an equal number of safety YES labels. This shows how often the judge changes its mind.",
        )
        share = st.slider(
            f"Random share of the {study.noun.plural} to ask about again",
            1,
            100,
            5,
            format="%d%%",
            key="runs-share",
            disabled=times == 1,
        )
        retry = st.checkbox("Ask again if a call failed before", key="runs-retry")
        batch = (
            st.checkbox("As one batch at the lower price; answers arrive within a day", key="runs-batch")
            if may_batch
            else False
        )
    if _wrong(limit, budget, times):
        return None
    return JudgeRunOptions(
        int(times), share / 100, int(limit) if limit else None, _nano(budget, currency), retry, batch
    )


def _budget(where: DeltaGenerator, currency: str | None) -> float | None:
    budget: float | None = where.number_input(
        f"Budget in {currency}" if currency else "Budget: unknown price",
        value=None,
        step=1.0,
        key="runs-budget",
        placeholder="none",
        disabled=currency is None,
    )
    return budget


def _nano(budget: float | None, currency: str | None) -> int | None:
    return round(budget * 10**9) if budget and currency else None


def _wrong(limit: int | None, budget: float | None, times: int | None) -> bool:
    """Tell whether a number is out of range; if so, show which."""
    wrong = [
        problem
        for bad, problem in (
            (
                limit is not None and limit < 1,
                "Only this many: enter at least 1, or leave it empty for all.",
            ),
            (
                budget is not None and budget < 0.01,
                "Budget: enter at least 0.01, or leave it empty for none.",
            ),
            (
                times is None or not 1 <= times <= 20,
                "Times to ask for each label in the random share: enter 1 to 20.",
            ),
        )
        if bad
    ]
    for problem in wrong:
        st.error(problem)
    return bool(wrong)
