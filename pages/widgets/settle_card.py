"""One disputed criterion next to the conversation: the labels given, and the decision."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from data.access.permissions import Person, may
from data.access.reveals import TO_SETTLE
from data.labels import settlements
from data.labels.disagreements import Queue
from data.labels.settlements import CAUSES, Settlement, Trigger
from data.record import judgements, units
from data.record.answers import CANNOT_RATE, CONFIDENCE
from data.record.studies import Rater, Study
from data.record.units import Unit
from data.settling import adjudications, unit_openings
from data.settling.adjudications import SettlementBasis
from data.settling.anonymous_labels import AnonymousLabel, anonymous_labels
from data.settling.unit_openings import JudgeSight
from data.store.store import Connection
from data.work import answers_to_judges, exposures
from pages.widgets import reader_session, untrusted_text
from pages.widgets.decision_form import decision_form
from pages.widgets.unit_text import HEIGHT, quotes, unit_text
from pages.widgets.untrusted_text import Statement
from reports.refusals import word_decision
from scoring.instruments import Criterion
from scoring.judges.statuses import FAILURES
from scoring.transcripts import Message
from services import settling
from words.figures import moment
from words.plurals import inflect, join_words


@dataclass(frozen=True)
class WayOn:
    """The links around the card. `head` draws above the card, `end` draws the way on if there is nothing to
    decide, `settle_words` label the button, and `settled` is called once the settlement is saved.
    """

    head: Callable[[], None]
    end: Callable[[], None]
    settle_words: str
    settled: Callable[[], None]


def settle_card(
    study: Study,
    unit: Unit,
    rater: Rater,
    criterion: Criterion,
    queue: Queue,
    again: bool,
    held: dict[str, Any],
    way_on: WayOn,
) -> None:
    """Show the card. `again`: this person settles their own settlement again. For disagreements between
    people, it reads no judge until they are settled.
    """
    with reader_session.store().reading() as connection:
        messages = units.transcript(connection, unit)
        labels = [
            voice for voice in anonymous_labels(connection, study, unit) if voice.criterion == criterion.id
        ]
        before = settlements.current(connection, unit.id, criterion.id)
        seen = SettlementBasis(
            before.id if before else None, adjudications.ratings_of(connection, study, unit, criterion.id)
        )
        settled_now = before is not None and not before.reopened
        mine = [
            settlement
            for settlement in settlements.of_unit(connection, unit)
            if settlement.rater_id == rater.id and not settlement.reopened
        ]
        sees_judge = may(connection, Person(rater), TO_SETTLE[queue], study, unit)
        show = (queue == "human_judge" or settled_now) and bool(sees_judge)
        unseen = exposures.unseen_judges(connection, unit, rater.id)
        # A settlement made with the judge in view may mention it, so its words stay hidden as long as the
        # judge. Its author may read them.
        waits = before is not None and before.judge_seen and not show and before.rater_id != rater.id
        earlier = settlements.reason(connection, before.id) if before and not waits else None
        sight_then = adjudications.judge_sight_then(connection, study, unit, before) if before else None
        sight = unit_openings.judge_sight(connection, study, unit, rater.id)
    if show and unseen:  # record it before any judge label leaves the server
        settling.reveal_judge_to_settle(reader_session.store(), study, unit, rater, queue)
        if queue == "human_judge":
            st.rerun()  # the list next to it may now show the judge too
    left, right = st.columns([10, 12], gap="medium")
    with left:
        unit_text(study, unit, messages)
    with right, st.container(height=HEIGHT, border=False, gap="xsmall", key="settle-card"):
        way_on.head()
        _question(study, criterion)
        if before is not None and before.reopened:
            st.info("There are new labels since it was settled.")
        listed = join_alike([voice_of(study, criterion, voice, messages) for voice in labels])
        if before is not None:
            listed.append(
                _waiting_settlement(before, sight_then)
                if waits
                else _settlement(study, criterion, before, earlier)
            )
        if show:
            listed += judges_of(
                study,
                unit,
                rater,
                [criterion.id]
                if queue == "human_judge" or not mine
                else [settlement.criterion for settlement in mine],
            )
        untrusted_text.answers(listed)
        # If somebody else settles it meanwhile, the person keeps their words, and the store refuses the save.
        underway = held.get("asked") == (queue, unit.id, criterion.id)
        if not settled_now or again or underway:
            standing = standing_of_decision(queue, sight)
            decision_form(
                study,
                unit,
                rater,
                criterion,
                queue,
                seen,
                held,
                way_on.settled,
                standing,
                way_on.settle_words,
            )
        if settled_now and not again:
            if not sees_judge:
                untrusted_text.paragraph(word_decision(sees_judge), small=True)
            way_on.end()


def _question(study: Study, criterion: Criterion) -> None:
    category = next((c for c in study.instrument.categories if c.id == criterion.category), None)
    untrusted_text.heading(criterion.name, 3)
    asks = [
        *(["Safety gate."] if category and category.gate else []),
        *([criterion.checks_for] if criterion.checks_for else []),
    ]
    if asks:
        untrusted_text.paragraph(" ".join(asks), small=True)


def names_of(study: Study, criterion: Criterion) -> dict[str, str]:
    """Return each label in words, with its number if it has one: "5 fully"."""
    return {
        x.id: f"{x.id} {x.name}" if x.id.isdigit() and x.name != x.id else x.name
        for x in study.instrument.scale_of(criterion).labels()
    }


def voice_of(
    study: Study, criterion: Criterion, voice: AnonymousLabel, messages: list[Message] | None
) -> Statement:
    """Return what one rater answered blind."""
    names = names_of(study, criterion)
    label_words = (
        names.get(voice.label, voice.label)
        if voice.label is not None
        else f"cannot rate: {CANNOT_RATE.get(voice.cannot_rate or '', voice.cannot_rate)}"
    )
    details = [CONFIDENCE[voice.confidence]] if voice.confidence else []
    details += (
        ["also defensible: " + ", ".join(names.get(label, label) for label in voice.also)]
        if voice.also
        else []
    )
    words = [
        text for text in (voice.note, f"Changed because: {voice.reason}" if voice.reason else None) if text
    ]
    return Statement(
        f"Rater {voice.letter}", label_words, " · ".join(details), words, quotes(voice.evidence, messages)
    )


def join_alike(statements: Sequence[Statement]) -> list[Statement]:
    """Return the statements of raters in their order, where those who say nothing but the same label share
    one: "Raters A, B and D". So the labels of many raters fit next to the decision.
    """
    by_label: dict[str, list[Statement]] = {}
    for each in statements:
        if not (each.beside or each.words or each.quotes):
            by_label.setdefault(each.said, []).append(each)
    joined = []
    for each in statements:
        if each.beside or each.words or each.quotes:
            joined.append(each)
        elif same := by_label.pop(each.said, []):
            letters = join_words([rater.who.removeprefix("Rater ") for rater in same])
            joined.append(each if len(same) == 1 else Statement(f"Raters {letters}", each.said))
    return joined


def _settlement(study: Study, criterion: Criterion, settled: Settlement, why: str | None) -> Statement:
    names = names_of(study, criterion)
    said = names.get(settled.label, settled.label) if settled.label is not None else "both readings are valid"
    return Statement(
        "Settled",
        said,
        f"by {settled.by}, {moment(settled.at)} UTC · {CAUSES[settled.cause]}",
        [why] if why else [],
    )


def _waiting_settlement(settled: Settlement, sight: JudgeSight | None) -> Statement:
    reasons: dict[JudgeSight | None, str] = {
        "open": "this study shows the judge's labels to everybody",
        "unit": f"{settled.by} had seen the judge's label",
        "study": f"{settled.by} had opened the labels of the whole study, which counts as having seen "
        "the judge",
        None: "the judge was in view",
    }
    return Statement(
        "Settled before",
        "",
        f"by {settled.by}; you will see the result later, because "
        + reasons[sight if settled.trigger == "human_human" else None],
    )


def standing_of_decision(trigger: Trigger, sight: JudgeSight | None) -> str:
    """Return "Can be a reference label: you have not seen the judge.", or "No reference label: WHY".

    It can be one only for a difference between raters ("human_human") and with `sight` None.
    """
    if trigger != "human_human":
        return (
            "No reference label: the judge is in view here."
            if trigger == "human_judge"
            else "No reference label: it comes from a note to the study lead."
        )
    reasons: dict[JudgeSight | None, str] = {
        "open": "No reference label: this study shows the judge's labels to everybody.",
        "unit": "No reference label: you have seen the judge's label.",
        "study": "No reference label: you opened the labels of the whole study, which counts as having seen "
        "the judge.",
        None: "Can be a reference label: you have not seen the judge's labels.",
    }
    return reasons[sight]


def judges_of(study: Study, unit: Unit, rater: Rater, criteria: list[str]) -> list[Statement]:
    """Return the answers on some criteria by the judges that this person may see."""
    with reader_session.store().reading() as connection:
        names, shown = _shown(connection, study, unit, rater)
    by_id = {c.id: c for c in unit.criteria(study)}
    judgements = [judgement for judgement in shown if judgement.criterion in criteria]
    statements = []
    for judgement in judgements:
        labels = names_of(study, by_id[judgement.criterion])
        label_words = (
            labels.get(judgement.label, judgement.label)
            if judgement.label is not None
            else f"no answer: {FAILURES.get(judgement.status, judgement.status)}"
        )
        cited = (
            [f"cites {inflect(len(judgement.cited), 'turn', 'turns')} {', '.join(map(str, judgement.cited))}"]
            if judgement.cited
            else []
        )
        about = [by_id[judgement.criterion].name] if len(criteria) > 1 else []
        statements.append(
            Statement(
                names.get(judgement.judge_id, ""),
                label_words,
                " · ".join(["judge", *about, *cited]),
                [judgement.reasoning] if judgement.reasoning else [],
            )
        )
    return statements or [Statement("The judge", "", "gave no answer on this")]


def _shown(
    connection: Connection, study: Study, unit: Unit, rater: Rater
) -> tuple[dict[int, str], list[judgements.Judgement]]:
    names = {judge.id: judge.name for judge in judgements.judges(connection, study.id)}
    return names, answers_to_judges.read_shown(connection, unit, rater.id) if exposures.revealed(
        connection, rater.id, unit.id
    ) else []
