"""Settle: people who differ, a judge that differs from people who agree or from one person alone, and
notes to the study lead.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data import exposures, units
from data.errors import StoreError
from data.studies import Rater, Study, unit_count
from data.units import Unit
from data.work import access, blindness, disagreements, escalations
from data.work.disagreements import DisagreementList, Queue
from pages.widgets import reader_session, untrusted_text
from pages.widgets.content_note import content_note_seen
from pages.widgets.guard import whole_study_permitted
from pages.widgets.lead_notes import lead_notes
from pages.widgets.page_context import page_context
from pages.widgets.rubric_change import rubric_change
from pages.widgets.settle_card import settle_card
from scoring.figures import moment
from scoring.plurals import inflect
from services import settling

QUEUES = {
    "human_human": "Between people",
    "human_judge": "With the judge",
    "escalation": "Notes to the study lead",
}
NAMELESS = "Choose your name: a settled label carries the name of who settled it."


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    if not content_note_seen(study):
        return
    untrusted_text.heading(f"Settle: {study.title}", 2)
    if reader.rater is None:
        _for_lead(study)
        rubric_change(study)
        return
    if _permitted(study, reader.rater):
        _for_person(study, reader.rater)
    if _whole_study_seen(study, reader.rater):
        rubric_change(study)


def _whole_study_seen(study: Study, rater: Rater) -> bool:
    with reader_session.store().reading() as connection:
        left = blindness.left_to_rate(connection, study, rater.id)
        seen = exposures.saw_page(connection, rater.id)
    # Notes on the rubric may tell of the judge: whoever has rated everything sees them, and a later change
    # must know.
    return seen or (left <= 0 and study.reveal != "never" and whole_study_permitted(study, rater))


def _permitted(study: Study, rater: Rater) -> bool:
    """With a plan of work each unit is asked about when it is opened; without one everybody is to rate
    everything.
    """
    with reader_session.store().reading() as connection:
        if blindness.may_settle(connection, study, rater.id):
            return True
        left = blindness.left_to_rate(connection, study, rater.id)
    if study.reveal == "never":
        st.info(
            f"You have {left:,} left to rate blind, and settling shows what colleagues said. Somebody "
            "settles who has no more to rate."
        )
        return False
    return whole_study_permitted(
        study, rater, "Labels that differ are settled by somebody who has no more to rate."
    )


def _for_lead(study: Study) -> None:
    st.info(NAMELESS)
    st.button(
        "Choose a name and settle",
        key="adjudication-leave",
        on_click=reader_session.forget_reader,
        args=(study,),
    )
    untrusted_text.paragraph(
        "You do not rate in this study, so everything is shown. A name chosen in this tab now counts as "
        "having opened the labels of the whole study, and so as having seen the judge: what it settles is no "
        "reference label. Whoever settles begins with their own name.",
        small=True,
    )
    with reader_session.store().reading() as connection:
        people = disagreements.between_people(connection, study)
        agreeing = disagreements.with_judges(connection, study, labelled_by="several")
        alone = disagreements.with_judges(connection, study, labelled_by="alone")
        open_notes = escalations.open_ones(connection, study.id)
    if danger := sum(escalation.kind == "risk" for escalation in open_notes):
        st.warning(
            f"{danger:,} of the notes to the study lead below {inflect(danger, 'says', 'say')} that "
            "somebody may be in danger."
        )
    _table(study, "People who differ", people)
    _table(study, "A judge that differs from people who agree", agreeing)
    _table(study, "A judge that differs from one person alone", alone)
    criteria = {c.id: c.name for c in study.instrument.criteria}
    if open_notes:
        untrusted_text.table(
            f"Notes to the study lead: {len(open_notes):,} not answered",
            ["Unit", "About", "Criterion", "Note", "From", "When (UTC)"],
            [
                [
                    _link(study, escalation.position, escalation.criterion),
                    escalations.KINDS[escalation.kind],
                    criteria.get(escalation.criterion or "", escalation.criterion or "the whole of it"),
                    escalation.note if escalation.note is not None else "(its words were erased)",
                    escalation.by,
                    moment(escalation.at),
                ]
                for escalation in open_notes[: disagreements.LISTED]
            ],
        )
    else:
        untrusted_text.paragraph("Notes to the study lead: all answered.")


def _table(study: Study, caption: str, queue: DisagreementList) -> None:
    if not queue.total:
        untrusted_text.paragraph(f"{caption}: nothing to settle.")
        return
    names = {c.id: c.name for c in study.instrument.criteria}
    some = f", the first {len(queue.items)} listed" if queue.total > len(queue.items) else ""
    untrusted_text.table(
        f"{caption}: {queue.total:,}{some}",
        ["Unit", "Criterion", "Raters", ""],
        [
            [
                _link(study, disagreement.position, disagreement.criterion),
                names.get(disagreement.criterion, disagreement.criterion),
                f"{disagreement.raters}",
                " · ".join(
                    [
                        *(["safety"] if disagreement.gate else []),
                        *(["new labels since it was settled"] if disagreement.reopened else []),
                    ]
                ),
            ]
            for disagreement in queue.items
        ],
        numeric=(2,),
    )


def _link(study: Study, position: int, criterion: str | None) -> untrusted_text.Link:
    return untrusted_text.Link(
        f"Unit {position}",
        f"review?study={study.key}&reader={reader_session.LEAD}&unit={position}"
        + (f"&criterion={criterion}" if criterion else ""),
    )


def _for_person(study: Study, rater: Rater) -> None:
    with reader_session.store().reading() as connection:
        people = disagreements.between_people(connection, study, rater_id=rater.id)
        judged = disagreements.with_judges(connection, study, rater_id=rater.id)
        shown = disagreements.may_be_told(connection, study, rater.id)
        open_notes = [
            escalation
            for escalation in escalations.open_ones(connection, study.id)
            if escalation.unit_id in shown
            and access.refused_to_open(connection, study, units.get(connection, escalation.unit_id), rater.id)
            is None
        ]
    counts = {"human_human": people.total, "human_judge": judged.total, "escalation": len(open_notes)}
    asked = st.query_params.get("queue", "")
    names = list(QUEUES)
    bar = st.container(horizontal=True, vertical_alignment="center")
    with bar:
        chosen = st.segmented_control(
            "What to settle",
            names,
            default=asked if asked in names else names[0],
            key=f"queue-{study.id}",
            required=True,
            format_func=lambda name: f"{QUEUES[name]}: {counts[name]:,} left",
            label_visibility="collapsed",
        )
    if chosen != asked:
        for name in ("unit", "criterion") if asked else ():
            st.query_params.pop(name, None)
        st.query_params["queue"] = chosen
    if chosen == "escalation":
        lead_notes(study, rater, open_notes)
        return
    if chosen == "human_judge" and study.reveal == "never" and study.review != "open":
        st.info(
            "This study does not show the judge to those who work in it, so only disagreements between "
            "people are settled here."
        )
        return
    _queue(
        study,
        rater,
        "human_judge" if chosen == "human_judge" else "human_human",
        judged if chosen == "human_judge" else people,
        bar,
    )


def _session(study: Study, rater: Rater) -> dict[str, Any]:
    found: dict[str, Any] = st.session_state.setdefault(
        f"settling-{study.id}-{rater.id}", {"passed": set(), "held": {}, "again": False}
    )
    return found


def _queue(study: Study, rater: Rater, queue: Queue, listed: DisagreementList, bar: DeltaGenerator) -> None:
    session = _session(study, rater)
    if trouble := session.pop("trouble", None):
        st.warning(untrusted_text.plain(trouble))
    here = _here(study, rater, queue, session["held"])
    following = next(
        (
            disagreement
            for disagreement in _from(listed, here)
            if (queue, disagreement.unit_id, disagreement.criterion) not in session["passed"]
        ),
        None,
    )
    if here is None:
        if following is None:
            passed = [
                disagreement
                for disagreement in listed.items
                if (queue, disagreement.unit_id, disagreement.criterion) in session["passed"]
            ]
            untrusted_text.paragraph(
                "Nothing is left here but what you passed over."
                if passed
                else "Nothing is left to settle here. What you rate yourself, somebody else settles."
            )
            if passed:
                st.button("Go through those again", key="passed-again", on_click=session["passed"].clear)
            return
        untrusted_text.paragraph(
            "You will see what colleagues said"
            + (" and what the judge said" if queue == "human_judge" else "")
            + " of a unit that you have not rated. From then on it is never given to you to rate; that is "
            "recorded."
        )
        st.button(
            "Open the first one",
            key="open-next",
            type="primary",
            shortcut="J",
            on_click=_go,
            args=(study, rater, queue, following),
        )
        return
    unit, criterion_id = here
    criterion = next(c for c in unit.criteria(study) if c.id == criterion_id)
    waiting = any(
        (disagreement.unit_id, disagreement.criterion) == (unit.id, criterion_id)
        for disagreement in listed.items
    )

    def way_on() -> None:
        with st.container(horizontal=True):
            if following is not None:
                st.button(
                    "Next one",
                    key="open-next",
                    type="primary",
                    shortcut="J",
                    on_click=_go,
                    args=(study, rater, queue, following),
                )
            else:
                untrusted_text.paragraph("That was the last one.")
            st.button("Settle it again", key="settle-again", on_click=session.update, args=({"again": True},))

    def go_on() -> None:
        session["again"] = False

    with bar:
        untrusted_text.paragraph(f"Unit {unit.position} of {_total(study):,}", small=True)
        if waiting:
            st.button(
                "Leave it for now",
                key="pass",
                type="tertiary",
                shortcut="Q",
                on_click=_pass,
                args=(study, rater, queue, unit, criterion_id, following),
            )
    settle_card(study, unit, rater, criterion, queue, session["again"], session["held"], go_on, way_on)


def _total(study: Study) -> int:
    with reader_session.store().reading() as connection:
        return unit_count(connection, study.id)


def _from(listed: DisagreementList, here: tuple[Unit, str] | None) -> list[disagreements.Disagreement]:
    """The queue without what is on the page, the same unit's other criteria first: its judge is shown when
    all are settled.
    """
    items = [
        disagreement
        for disagreement in listed.items
        if here is None or (disagreement.unit_id, disagreement.criterion) != (here[0].id, here[1])
    ]
    return sorted(items, key=lambda disagreement: here is None or disagreement.unit_id != here[0].id)


def _here(study: Study, rater: Rater, queue: Queue, held: dict[str, Any]) -> tuple[Unit, str] | None:
    """The unit and criterion of the address, where this person opened it and may settle it in this queue, or
    is about to.
    """
    asked, criterion = st.query_params.get("unit", ""), st.query_params.get("criterion", "")
    if not (asked.isdecimal() and len(asked) < 9):
        return None
    with reader_session.store().reading() as connection:
        unit = units.at_position(connection, study.id, int(asked))
        if unit is None or criterion not in {c.id for c in unit.criteria(study)}:
            return None
        if not access.has_opened(connection, unit, rater.id) or access.refused_to_settle(
            connection, study, unit, rater.id
        ):
            return None
        if disagreements.differ(connection, study, unit).get(criterion) != queue and held.get("asked") != (
            queue,
            unit.id,
            criterion,
        ):
            return None
    return unit, criterion


def _go(study: Study, rater: Rater, queue: Queue, item: disagreements.Disagreement) -> None:
    """Record that the unit is opened, then open it."""
    session = _session(study, rater)
    session["again"] = False
    try:
        with reader_session.store().reading() as connection:
            unit = units.get(connection, item.unit_id)
        settling.open_disagreement(reader_session.store(), study, unit, rater)
    except StoreError as error:
        session["trouble"] = str(error)
        session["passed"].add((queue, item.unit_id, item.criterion))
        return
    st.query_params["unit"], st.query_params["criterion"] = str(item.position), item.criterion


def _pass(
    study: Study,
    rater: Rater,
    queue: Queue,
    unit: Unit,
    criterion: str,
    following: disagreements.Disagreement | None,
) -> None:
    _session(study, rater)["passed"].add((queue, unit.id, criterion))
    for name in ("unit", "criterion"):
        st.query_params.pop(name, None)
    if following is not None:
        _go(study, rater, queue, following)
