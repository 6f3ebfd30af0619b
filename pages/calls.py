"""The calls about one unit: the exact prompt, every attempt, and the replies."""

from __future__ import annotations

import streamlit as st

from data.record import adoptions, judgements, ledger, ledger_reports, units
from data.record.judgements import Judge
from data.record.ledger_reports import AttemptDetail
from data.record.studies import Study
from data.record.units import Unit
from pages.widgets import reader_session, untrusted_text
from pages.widgets.address_number import number_in_address
from pages.widgets.asking_words import name_asking
from pages.widgets.guard import JUDGES_SHOWN_LATER, labels_permitted
from pages.widgets.page_context import page_context
from pages.widgets.unit_names import name_unit
from reports.judges.report import NO_JUDGES
from runs.judging.calls import SEVERAL
from runs.judging.prompt_reconstruction import reconstruct_prompt
from scoring.judges.statuses import FAILURES, OK
from words.figures import decimal, moment


def render() -> None:
    """Draw the Calls page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading("Calls", 1)
    if not labels_permitted(study, reader, JUDGES_SHOWN_LATER):
        return
    unit_and_judge = _wanted(study)
    if unit_and_judge is None:
        return
    unit, judge = unit_and_judge
    with reader_session.store().reading() as connection:
        tries = ledger_reports.tries(connection, judge.id, unit.id)
    untrusted_text.heading(f"{name_unit(study, unit.position)}, asked of {judge.name}", 2)
    if not tries:
        untrusted_text.paragraph(
            f"This app has never asked this judge about this {study.noun.singular}. Its labels, if any, "
            "were imported or copied from an identical request."
        )
        return
    asked = list(dict.fromkeys(_asking(attempt) for attempt in tries))
    wanted = st.query_params.get("criterion")
    first = next((number for number, call in enumerate(asked) if call[0] == wanted), 0)
    chosen = asked[
        st.selectbox(
            "Question",
            range(len(asked)),
            index=first,
            format_func=lambda number: _question(*asked[number]),
            key="calls-question",
        )
    ]
    _tries([attempt for attempt in tries if _asking(attempt) == chosen])
    _prompt(
        study,
        unit,
        judge,
        chosen[0],
        next(attempt for attempt in reversed(tries) if _asking(attempt) == chosen),
    )


def _wanted(study: Study) -> tuple[Unit, Judge] | None:
    """Return the unit and judge of the address, or those that the person chooses. None after saying why."""
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        first = adoptions.default_judge(connection, study.id, judges)
    if not judges:
        st.info(NO_JUDGES)
        return None
    named = [number for number, judge in enumerate(judges) if str(judge.id) == st.query_params.get("judge")]
    if not named and st.query_params.get("judge") is not None:
        st.info("There is no such judge.")
    left, right = st.columns(2)
    with left:
        judge = judges[
            st.selectbox(
                "Judge",
                range(len(judges)),
                index=named[0] if named else first,
                format_func=lambda number: judges[number].name,
                key="calls-judge",
            )
        ]
    with right:
        position = int(
            st.number_input(
                study.noun.heading,
                min_value=1,
                value=number_in_address("unit") or 1,
                step=1,
                key="calls-unit",
            )
        )
    with reader_session.store().reading() as connection:
        unit = units.at_position(connection, study.id, position)
    if unit is None:
        st.info(f"There is no such {study.noun.singular}.")
        return None
    return unit, judge


def _asking(attempt: AttemptDetail) -> tuple[str, int, int]:
    return attempt.criterion, attempt.anchor_round, attempt.replicate


def _question(criterion: str, anchor_round: int, replicate: int) -> str:
    name = "all questions at once" if criterion == ledger.WHOLE_UNIT else criterion.replace(SEVERAL, ", ")
    return f"{name}{name_asking(anchor_round, replicate)}"


def _tries(tries: list[AttemptDetail]) -> None:
    untrusted_text.table(
        "Attempts",
        ["When (UTC)", "Result", "Summary", "Model", "Tokens sent", "Tokens received", "Seconds"],
        [
            [
                moment(attempt.at),
                ("a readable reply" if attempt.status == OK else FAILURES.get(attempt.status, attempt.status))
                + (", repaired" if attempt.repair else ""),
                attempt.detail,
                attempt.served or "",
                _count(attempt.tokens_in),
                _count(attempt.tokens_out),
                decimal(attempt.latency_ms / 1000, 1),
            ]
            for attempt in tries
        ],
        numeric=(4, 5, 6),
    )
    for number, attempt in enumerate(tries, start=1):
        if attempt.reply:
            with st.expander(f"Reply to attempt {number}", expanded=number == len(tries)):
                untrusted_text.preformatted(attempt.reply)


def _count(value: int | None) -> str:
    return "" if value is None else f"{value:,}"


def _prompt(study: Study, unit: Unit, judge: Judge, criterion: str, attempt: AttemptDetail) -> None:
    untrusted_text.heading("The exact prompt", 3)
    sent = reconstruct_prompt(reader_session.store(), study, unit, judge, criterion, attempt.prompt_sha256)
    if isinstance(sent, str):
        untrusted_text.paragraph(sent)
        return
    untrusted_text.paragraph(
        "The hash of this prompt matches that of the call, so this is exactly what was sent."
        + (
            " It was sent as part of a batch job, with one more line at the end that asks for the id of the "
            "request."
            if attempt.batched
            else ""
        ),
        small=True,
    )
    with st.expander("Instructions", expanded=True):
        untrusted_text.preformatted(sent.system)
    with st.expander("Rubric, conversation and question", expanded=True):
        untrusted_text.preformatted(sent.user)
