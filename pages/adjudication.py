"""Settle: labels on which people differ, labels on which a judge differs from people who agree or from one
person alone, and notes to the study lead. The list is shown next to the label that is being settled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from data.access.permissions import Action, Person, may
from data.labels.disagreements import Queue
from data.labels.queue_parts import QueuePart
from data.labels.scale_places import safety_criteria
from data.record import units
from data.record.studies import Rater, Study
from data.settling import escalations
from data.settling.escalations import Escalation
from data.work import still_to_come, worklist
from data.work.gate_draws import read_settle_share
from pages.widgets import reader_session, untrusted_text
from pages.widgets.content_note import content_note_seen
from pages.widgets.guard import labels_permitted
from pages.widgets.lead_notes import lead_notes
from pages.widgets.page_context import page_context
from pages.widgets.rubric_change import rubric_change
from pages.widgets.settle_list import choices as settle_choices
from pages.widgets.settle_list import component
from pages.widgets.settle_list.choices import CRITERION, LEVELS, SettleChoices
from pages.widgets.settle_list.rows import count_queue, list_data, read_page
from pages.widgets.settle_queue import PANES, SettleQueue
from pages.widgets.unit_names import name_unit
from reports.refusals import word_decision
from words.figures import moment, percent
from words.plurals import count, inflect

NAMELESS = "Choose your name: it is saved with every label you settle."
NOTES_LISTED = 200
TITLES = {
    "human_human": ("label needs settling.", "labels need settling."),
    "human_judge": (
        "label on which the judge differs from clinicians.",
        "labels on which the judge differs from clinicians.",
    ),
    "escalation": ("note to you is waiting for an answer.", "notes to you are waiting for an answer."),
}
NOTHING = {
    "human_human": "Nothing is left to settle.",
    "human_judge": "Nothing is in this list.",
    "escalation": "No notes are waiting for an answer.",
}
# Others may have more to settle: nobody settles what they rated or may still rate.
TITLES_FOR_PERSON = {
    "human_human": (
        "label is left for you to settle.",
        "labels are left for you to settle.",
    ),
    "human_judge": (
        "label on which the judge differs from clinicians is left for you to settle.",
        "labels on which the judge differs from clinicians are left for you to settle.",
    ),
    "escalation": (
        "note to the study lead is waiting for an answer.",
        "notes to the study lead are waiting for an answer.",
    ),
}
NOTHING_FOR_PERSON = {
    "human_human": "Nothing is left for you to settle.",
    "human_judge": "Nothing is in this list for you.",
    "escalation": "No notes are waiting for you.",
}
ONLY_PEOPLE = "In this study, you settle only disagreements between clinicians."
SETTLED_WITH_JUDGE = (
    "Labels on which clinicians differ, and conversations with a safety failure, come first, under “To "
    "settle”. This list holds the rest on which the judge differs: safety first, then labels on which "
    "several clinicians agree, then the largest differences."
)


def render() -> None:
    """Draw the Settle page."""
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    if not content_note_seen(study):
        return
    with st.container(key="answer-page", gap="small"):
        if reader.rater is None:
            _for_lead(study)
            rubric_change(study)
            return
        if _permitted(study, reader):
            _for_person(study, reader, reader.rater)
        if _may_see_notes_on_rubric(study, reader):
            rubric_change(study)


def _may_see_notes_on_rubric(study: Study, reader: Person) -> bool:
    """Tell whether this person may see notes on the rubric, which may reveal what the judge said.

    Without a plan, a rater who has rated everything sees them, and that is recorded. With a plan, only a
    rater who saw the labels of the whole study does, so that the others can settle unseen.
    """
    with reader_session.store().reading() as connection:
        seen = may(connection, reader, Action.SEE_LABELS_UNRECORDED, study)
        done = not worklist.planned(connection, study) and may(connection, reader, Action.SEE_LABELS, study)
    return bool(seen) or (bool(done) and labels_permitted(study, reader))


def _permitted(study: Study, reader: Person) -> bool:
    with reader_session.store().reading() as connection:
        decision = may(connection, reader, Action.SETTLE, study)
    if decision:
        return True
    if not study.shows_judge:
        st.info(
            f"{word_decision(decision)} Settling disagreements shows colleagues' labels, so it is done by "
            "somebody with nothing left to rate."
        )
        return False
    return labels_permitted(
        study, reader, "Labels on which raters differ are settled by somebody with nothing left to rate."
    )


def _head(
    study: Study,
    chosen: SettleChoices,
    counts: Mapping[str, int],
    title: str,
    sentence: str,
    offered: Sequence[str],
    danger: int,
) -> None:
    """Show the headline, what it covers, and the choice of list and filters.

    `offered` names the filters; `danger` counts the notes that say somebody may be in danger.
    """
    with st.container(key="settle-head"):
        untrusted_text.heading(title, 1)
        if sentence:
            untrusted_text.paragraph(sentence, small=True)
        if danger:
            st.warning(
                f"{count(danger, 'note', 'notes')} to the study lead {inflect(danger, 'says', 'say')} that "
                "somebody may be in danger."
            )
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            settle_choices.draw_queues(study, chosen, counts)
            if offered and counts.get(chosen.queue) and chosen.queue != "escalation":
                with st.container(
                    horizontal=True, horizontal_alignment="right", width="content", gap="small"
                ):
                    settle_choices.draw_filters(study, chosen, offered)


def _title(
    queue: str, counts: Mapping[str, int], titles: Mapping[str, tuple[str, str]], nothing: Mapping[str, str]
) -> str:
    """`titles` are for one and for several; `nothing` is for an empty list."""
    if queue not in counts:
        return ONLY_PEOPLE
    number = counts[queue]
    return f"{number:,} {inflect(number, *titles[queue])}" if number else nothing[queue]


def _danger(notes: Sequence[Escalation]) -> int:
    return sum(note.kind == "risk" for note in notes)


def _for_lead(study: Study) -> None:
    chosen = settle_choices.read_choices(study)
    with reader_session.store().reading() as connection:
        notes = escalations.open_ones(connection, study.id)
    counts = {
        "human_human": count_queue(study, "human_human", Person(None)),
        "human_judge": count_queue(study, "human_judge", Person(None)),
        "escalation": len(notes),
    }
    title = _title(chosen.queue, counts, TITLES, NOTHING)
    _head(study, chosen, counts, title, _lead_sentence(study, chosen), (CRITERION, LEVELS), _danger(notes))
    left, right = st.container(key="settle-panes").columns(PANES, gap="medium")
    if chosen.queue == "escalation":
        left, right = st.container(), left
    with left:
        if chosen.queue == "escalation":
            _notes(study, notes)
        else:
            _list_of_lead(study, chosen)
    with right:
        _choose_name(study)


def _lead_sentence(study: Study, chosen: SettleChoices) -> str:
    return {
        "human_human": f"{_what_is_settled(study)} Click a line to open the whole {study.noun.singular}.",
        "human_judge": f"{SETTLED_WITH_JUDGE} Click a line to open the whole {study.noun.singular}.",
        "escalation": "The most urgent first.",
    }[chosen.queue]


def _what_is_settled(study: Study) -> str:
    if not safety_criteria(study):
        return "The largest differences between clinicians come first."
    with reader_session.store().reading() as connection:
        share = read_settle_share(connection, study.id)
    every = "all" if share == 1 else f"a random {percent(share)} of the"
    return (
        f"First come {every} {study.noun.plural} in which a clinician saw a safety failure, in random "
        "order, then labels on which clinicians differ, the largest differences first."
    )


def _list_of_lead(study: Study, chosen: SettleChoices) -> None:
    queue: Queue = "human_judge" if chosen.queue == "human_judge" else "human_human"
    key = f"settle-after-{study.id}"
    if st.session_state.get(f"{key}-of") != chosen:
        st.session_state[f"{key}-of"], st.session_state[key] = chosen, 0
    part = QueuePart(st.session_state[key], None, chosen.criterion, chosen.levels)
    page = read_page(study, queue, Person(None), part)
    pressed = component.mount(list_data(study, page, "Labels to settle", "", (), leads=True))
    if pressed is not None and pressed.after is not None:
        st.session_state[key] = pressed.after
        st.rerun()


def _choose_name(study: Study) -> None:
    st.info(NAMELESS)
    st.button(
        "Choose a name and settle labels",
        key="adjudication-leave",
        on_click=reader_session.forget_reader,
        args=(study,),
    )
    untrusted_text.paragraph(
        "This tab has shown the judge's labels, so a rater who settles here gives no reference labels, and "
        "nobody new can settle here. Somebody who has not seen them settles in a new tab, under their own "
        "name.",
        small=True,
    )


def _notes(study: Study, notes: Sequence[Escalation]) -> None:
    criteria = study.criterion_names()
    if not notes:
        untrusted_text.paragraph("All notes to the study lead are answered.")
        return
    untrusted_text.table(
        f"Notes to the study lead: {len(notes):,} not answered",
        [study.noun.heading, "About", "Criterion", "Note", "From", "When (UTC)"],
        [
            [
                _link(study, note.position, note.criterion),
                escalations.KINDS[note.kind],
                criteria.get(note.criterion or "", note.criterion or "all of it"),
                note.note if note.note is not None else "(the text was erased)",
                note.by,
                moment(note.at),
            ]
            for note in notes[:NOTES_LISTED]
        ],
    )


def _link(study: Study, position: int, criterion: str | None) -> untrusted_text.Link:
    return untrusted_text.Link(
        name_unit(study, position),
        f"review?study={study.key}&reader={reader_session.LEAD}&unit={position}"
        + (f"&criterion={criterion}" if criterion else ""),
    )


def _for_person(study: Study, reader: Person, rater: Rater) -> None:
    chosen = settle_choices.read_choices(study)
    shows_judge = study.shows_judge
    with reader_session.store().reading() as connection:
        shown = still_to_come.may_be_told(connection, study, rater.id)
        notes = [
            note
            for note in escalations.open_ones(connection, study.id)
            if note.unit_id in shown
            and may(connection, reader, Action.OPEN_UNIT, study, units.get(connection, note.unit_id))
        ]
        sees_all = bool(may(connection, reader, Action.SEE_LABELS_UNRECORDED, study))
    # The distance and the criterion of a disagreement would reveal labels that were not opened yet.
    if sees_all:
        offered: Sequence[str] = (CRITERION, LEVELS)
    else:
        offered = (CRITERION,) if chosen.queue == "human_human" else ()
        chosen = SettleChoices(chosen.queue, chosen.criterion if offered else "", 0)
    current = None
    if chosen.queue == "human_human" or (chosen.queue == "human_judge" and shows_judge):
        current = SettleQueue(
            study, rater, "human_judge" if chosen.queue == "human_judge" else "human_human", chosen
        )

    def total(queue: Queue) -> int:
        if current is not None and current.queue == queue and not (chosen.criterion or chosen.levels):
            return current.total  # read already
        return count_queue(study, queue, reader)

    counts = {
        "human_human": total("human_human"),
        **({"human_judge": total("human_judge")} if shows_judge else {}),
        "escalation": len(notes),
    }
    title = _title(chosen.queue, counts, TITLES_FOR_PERSON, NOTHING_FOR_PERSON)
    sentence = _sentence(study, chosen, sees_all) if chosen.queue in counts else ""
    _head(study, chosen, counts, title, sentence, offered, 0)
    if chosen.queue == "escalation":
        lead_notes(study, rater, notes)
    elif current is None:
        st.info(
            "This study does not show the judge's labels to its raters or to the people who settle, so you "
            "settle only disagreements between clinicians."
        )
    else:
        current.show()


def _sentence(study: Study, chosen: SettleChoices, sees_all: bool) -> str:
    opened = (
        ""
        if sees_all
        else (f" The list shows the labels of a {study.noun.singular} once you have opened it.")
    )
    return {
        "human_human": f"{_what_is_settled(study)} The judge's labels stay hidden until a "
        f"{study.noun.singular} is settled.{opened}",
        "human_judge": SETTLED_WITH_JUDGE + opened,
        "escalation": "The most urgent first.",
    }[chosen.queue]
