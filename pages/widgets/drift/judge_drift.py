"""Drift of the judge on the page: the anchors, their rounds, and whether a new judge may take the place of
the one in use.
"""

from __future__ import annotations

import streamlit as st

from data.access.permissions import Person
from data.record import adoptions
from data.record.studies import Study
from data.store.errors import StoreError
from pages.widgets import reader_session, untrusted_text
from pages.widgets.blocks import show_blocks
from pages.widgets.chart import draw_chart
from pages.widgets.drift.part_lines import csv_button, show_with_tables, table_with_file
from pages.widgets.lead import flash_message
from pages.widgets.long_table import show_table
from pages.widgets.memo import memoize, study_head
from pages.widgets.opening_line import open_line
from reports.document import Paragraph
from reports.drift import anchor_rounds as drift
from reports.drift import judge_replacement
from reports.drift.freeze_sentences import offer_sentences, result_sentence
from reports.figures.anchor_rounds import anchor_chart
from reports.figures.turn_curves import CONFIG
from reports.refusals import word_reason
from services.anchors import AnchorDrift, FreezeOffer, freeze_anchors, on_anchors
from services.judge_replacement import JudgeReplacement, adopt_judge, compare_replacement

ANCHOR_SET = "Anchor set: conversations whose settled labels are locked, so that only the judge can change."


def judge(study: Study, reader: Person) -> None:
    """Show the judges on the fixed conversations, and for a lead the decision on a new judge."""
    with reader_session.store().reading() as connection:
        anchor_drift = memoize(
            "drift-anchors",
            study.id,
            study_head(connection, study),
            lambda: on_anchors(connection, study),
        )
    lead = reader.rater is None
    rounds = drift.lines(anchor_drift.answers) if anchor_drift.newest is not None else []
    with st.container(key="answer-page", gap="small"):
        flash_message.show()
        _meanwhile(anchor_drift)
        untrusted_text.heading(drift.judge_headline(anchor_drift, rounds), 1)
        state, *others = drift.state(anchor_drift)
        untrusted_text.paragraph(state.text, term=ANCHOR_SET)
        if anchor_drift.newest is not None and not rounds:
            untrusted_text.paragraph(
                "To ask the judge, start a run with \u201cOnly the locked set\u201d on the Runs page.",
                small=True,
            )
        if rounds:
            _picture(anchor_drift, rounds)
        if anchor_drift.newest is not None:
            _swap(anchor_drift, lead)
        if lead:
            _freeze(anchor_drift)
        if anchor_drift.newest is not None:
            open_line("Everything behind it", "everything", lambda: _everything(anchor_drift, others, rounds))


def _picture(anchor_drift: AnchorDrift, rounds: list[drift.AnchorRoundRow]) -> None:
    if any(row.round.days for row in rounds):
        draw_chart(anchor_chart(anchor_drift, rounds), key="drift-anchor-rounds", config=CONFIG)
        untrusted_text.paragraph(
            "Bars are 95% intervals over conversations. The number next to each mark is the number of "
            f"labels. {drift.marks_sentence(rounds)} “Over time” counts trends over all answers instead.",
            small=True,
        )
    else:  # what was imported has no day
        show_table(anchor_drift.study, drift.rounds_table(anchor_drift, rounds))


def _everything(
    anchor_drift: AnchorDrift, state: list[Paragraph], rounds: list[drift.AnchorRoundRow]
) -> None:
    study, decided = anchor_drift.study, drift.decisions_table(anchor_drift)
    show_blocks(study, state)
    if decided is None:
        untrusted_text.paragraph(
            "No judge is in use yet, so any judge may be run on this study. Once one is in use, compare any "
            "other judge with it on the locked set before you run that judge on the study."
        )
    else:
        show_table(study, decided)
    if rounds:
        untrusted_text.paragraph(
            "Each round asks for every label three times, and all the answers are used. A judge's labels in "
            "the study are listed among its rounds, by date. If a judge has changed, a different model is "
            "now answering under the same name: providers change models silently.",
            small=True,
        )
        table_with_file(study, drift.rounds_table(anchor_drift, rounds))


def _meanwhile(drift: AnchorDrift) -> None:
    """Somebody else decided while this page stood open; what was typed here was not kept."""
    key = f"judge-in-use-{drift.study.id}"
    before, st.session_state[key] = st.session_state.get(key, drift.judge_in_use), drift.judge_in_use
    if before != drift.judge_in_use and drift.history:
        last = drift.history[-1]
        st.warning(
            untrusted_text.plain(
                f"In the meantime, {last.by} chose {drift.name(last.judge_id)}. Your own decision was not "
                "saved. Look again before you decide."
            )
        )


def _freeze(drift: AnchorDrift) -> None:
    """A new set of what is settled now."""
    offer = FreezeOffer(drift)
    if not offer.fails:
        st.info(word_reason("nothing_settled"))
        return
    title = (
        ("Lock a set of conversations to ask the judge about again")
        if drift.newest is None
        else "Lock a new set of conversations"
    )
    open_line(title, "drift-freeze", lambda: _offer(drift, offer), at_once=drift.newest is None)


def _offer(drift: AnchorDrift, offer: FreezeOffer) -> None:
    with st.form("anchors-freeze", border=False):
        for sentence in offer_sentences(offer):
            untrusted_text.paragraph(sentence, small=True)
        size = st.number_input("Conversations", value=offer.usual, step=1, key="anchors-size")
        key, number = f"anchors-seen-{drift.study.id}", drift.newest.number if drift.newest else 0
        seen = st.session_state.get(key, number)
        st.session_state[key] = number
        if st.form_submit_button("Lock them", key="anchors-freeze-now"):
            if seen != number:  # pressed twice, or somebody else was first
                st.info("A set of conversations was locked in the meantime, so nothing has been changed.")
            else:
                _frozen(drift.study, int(size or 0))


def _frozen(study: Study, size: int) -> None:
    try:
        result = freeze_anchors(reader_session.store(), reader_session.actor(study), study, size)
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    flash_message.finish(
        result_sentence(result)
        + (
            ""
            if result.already
            else " The judges' labels for them in the study are shown below. To ask each judge three times, "
            "start a run with \u201cOnly the locked set\u201d on the Runs page."
        )
    )


def _swap(drift: AnchorDrift, lead: bool) -> None:
    others = [judge.id for judge in drift.judges if judge.id != drift.judge_in_use]
    if not others:
        return
    title = (
        "Compare a new judge with the one in use" if drift.judge_in_use is not None else "The judge to use"
    )
    open_line(title, "drift-swap", lambda: _compare(drift, others, lead))


def _compare(drift: AnchorDrift, others: list[int], lead: bool) -> None:
    chosen = st.selectbox(
        "Judge", others, index=len(others) - 1, format_func=drift.name, key=f"drift-swap-{drift.study.id}"
    )
    replacement = compare_replacement(drift, chosen)
    show_with_tables(
        drift.study,
        [
            *judge_replacement.verdict(replacement),
            *(judge_replacement.shares_right(replacement) if replacement.has_answered else ()),
        ],
    )
    if not replacement.has_answered:
        return
    if lead:
        _decide(replacement)
    if replacement.judge_in_use is not None:
        show_with_tables(drift.study, [judge_replacement.labels_apart(replacement)])
    csv_button(
        "swap",
        drift.study,
        lambda: judge_replacement.as_table(replacement),
        "Both judges on every label of the locked set, as CSV",
    )


def _decide(replacement: JudgeReplacement) -> None:
    needed = replacement.evidence.needs_reason
    key = f"adopt-seen-{replacement.anchors.study.id}-{replacement.new_judge}"
    seen = st.session_state.get(
        key, replacement
    )  # what stood on the page when the button was pressed, not what was written since
    st.session_state[key] = replacement
    with st.form(f"adopt-{replacement.new_judge}"):
        by = st.text_input(
            "Your name", max_chars=adoptions.NAME_LIMIT, key=f"adopt-by-{replacement.new_judge}"
        )
        reason = st.text_area(
            "Reason" if needed else "Reason (optional)",
            max_chars=2_000,
            height=80,
            placeholder="don't quote a conversation: the words could not be erased",
            key=f"adopt-reason-{replacement.new_judge}",
        )
        if not st.form_submit_button(
            "Use this judge from now on", type="primary", key=f"adopt-now-{replacement.new_judge}"
        ):
            return
    drift = replacement.anchors
    try:
        adopt_judge(reader_session.store(), reader_session.actor(drift.study), seen, by or "", reason or "")
    except StoreError as error:
        untrusted_text.show_error(error)
        return
    st.session_state[f"judge-in-use-{drift.study.id}"] = replacement.new_judge
    flash_message.finish(f"{drift.name(replacement.new_judge)} is in use from now on.")
