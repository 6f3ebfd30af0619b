"""One unit to read, with everything said of it: for a study lead, who does not rate. Raters are called as on
the Agreement page.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace
from itertools import groupby
from urllib.parse import urlencode

import streamlit as st

from data import unit_labels, units
from data.answers import CANNOT_RATE
from data.judgements import FAILURES
from data.rater_codes import read_rater_codes
from data.studies import Study, unit_count
from data.unit_labels import UnitLabel
from data.work.draw_record import inclusion_of
from pages.widgets import reader_session, untrusted_text
from pages.widgets.agreement.address import back_link
from pages.widgets.page_scripts.scroll_to import scroll_to
from scoring.figures import percent
from scoring.instruments import Criterion
from scoring.transcripts import Message, turn_numbers


def unit_report(study: Study) -> None:
    """Transcript left, labels right; the unit comes from the address, and so does the criterion that somebody
    came for, which stands first.
    """
    asked = st.query_params.get("unit", "1")
    with reader_session.store().reading() as connection:
        total = unit_count(connection, study.id)
        unit = units.at_position(
            connection, study.id, int(asked) if asked.isdecimal() and len(asked) < 9 else 1
        )
        if unit is None:
            st.info("There is no such unit.")
            return
        messages = units.transcript(connection, unit)
        labels = unit_labels.of_unit(connection, unit)
        drawn = inclusion_of(connection, unit.id)
        codes = read_rater_codes(connection, study)
    back_link(study)
    untrusted_text.heading(f"{study.title}, unit {unit.position} of {total:,}", 2)
    untrusted_text.paragraph(
        "You do not rate in this study, so everything is shown. A rater's name chosen in this tab now "
        "counts as having seen it.",
        small=True,
    )
    if drawn is not None:
        chance = (
            "chosen by hand"
            if drawn.chance is None
            else f"its chance to be drawn was {percent(drawn.chance)}"
        )
        untrusted_text.paragraph(
            f"To be rated since draw {drawn.draw} ({drawn.stratum}): {chance}.", small=True
        )
    untrusted_text.link(
        "Make this gold",
        f"gold?{urlencode({'study': study.key, 'reader': reader_session.LEAD, 'unit': unit.position})}",
    )
    left, right = st.columns([3, 2], gap="large")
    asked_turn = st.query_params.get("turn", "")
    with left:
        transcript(
            study, messages, here=int(asked_turn) if asked_turn.isdecimal() and len(asked_turn) < 9 else 0
        )
    with right:
        labels = _called(labels, codes, named=st.toggle("Raters by name", key="unit-names"))
        wanted = st.query_params.get("criterion")
        for criterion in sorted(unit.criteria(study), key=lambda criterion_: criterion_.id != wanted):
            if criterion.id == wanted:
                untrusted_text.paragraph("You came for this criterion; the others follow.", small=True)
            _criterion(
                study, criterion, [label for label in labels if label.criterion == criterion.id], messages
            )


def _called(labels: list[UnitLabel], codes: dict[int, str], named: bool) -> list[UnitLabel]:
    """People first, in the order of their codes."""
    people = [(codes[label.rater], label) for label in labels if label.rater is not None]
    return [
        label if named else replace(label, who=code)
        for code, label in sorted(people, key=lambda code_and_label: code_and_label[0])
    ] + [label for label in labels if label.rater is None]


def transcript(
    study: Study, messages: list[Message] | None, with_instructions: bool = True, here: int = 0
) -> None:
    """The whole conversation, turn by turn. `here`: the turn that somebody came for, framed and brought into
    view; 0: none.
    """
    if messages is None:
        untrusted_text.paragraph(
            "The text of this conversation is not here: it was erased, or only its labels were imported."
        )
        return
    turns = turn_numbers([m.role for m in messages])
    names = {
        "user": study.role_names[0],
        "assistant": study.role_names[1],
        "system": "Instructions to the assistant",
    }
    for turn, messages_of_turn in groupby(
        zip(messages, turns, strict=True), key=lambda message_and_turn: message_and_turn[1]
    ):
        with st.container(border=True, key="turn-asked") if turn and turn == here else nullcontext():
            if turn and turn == here:
                untrusted_text.paragraph(f"Turn {turn}, which you came for.", small=True)
                scroll_to("turn-asked", f"{study.id} {st.query_params.get('unit')} {turn}")
            for message, _ in messages_of_turn:
                if (
                    message.role == "system" and not with_instructions
                ):  # they may be the very condition under study
                    continue
                untrusted_text.paragraph(f"{turn or ''}  {names[message.role]}", small=True)
                untrusted_text.paragraph(message.text or "(empty message)")


def _criterion(
    study: Study, criterion: Criterion, labels: list[UnitLabel], messages: list[Message] | None
) -> None:
    names = {level.id: level.name for level in study.instrument.scale_of(criterion).labels()}
    rows = [
        [
            label.who,
            _answer(label, names),
            "judge" if label.by_judge else "filled in by rule" if label.by_rule else _seen_before(label),
            more(label, names, messages),
        ]
        for label in labels
    ]
    if rows:
        untrusted_text.table(criterion.name, ["Who", "Label", "Seen before", "Reasons or note"], rows)
    else:
        untrusted_text.paragraph(f"{criterion.name}: nobody labelled it yet.", small=True)


def _seen_before(label: UnitLabel) -> str:
    if label.outranked:
        return f"{label.shown}; from a file, the label given here counts"
    return f"{label.shown}; from a file" if label.from_file else label.shown


def more(unit_label: UnitLabel, names: dict[str, str], messages: list[Message] | None) -> str:
    """Everything that stands beside a label."""
    parts = [unit_label.text] if unit_label.text else []
    if unit_label.earlier:
        parts.append(
            "Before: "
            + ", ".join(
                names.get(label, label) if label else CANNOT_RATE.get(status, status)
                for label, status in unit_label.earlier
            )
        )
    if unit_label.reason:
        parts.append(f"Changed because: {unit_label.reason}")
    if unit_label.also:
        parts.append("Also defensible: " + ", ".join(names.get(label, label) for label in unit_label.also))
    if unit_label.confidence:
        parts.append({1: "Unsure", 2: "Fairly sure", 3: "Sure"}[unit_label.confidence])
    parts += [f"Evidence: “{quote}”" for span in unit_label.evidence if (quote := _quote(span, messages))]
    return " · ".join(parts)


def _quote(span: tuple[int, int, int], messages: list[Message] | None) -> str:
    """The browser counts in UTF-16 units."""
    number, start, end = span
    if messages is None or number >= len(messages):
        return ""
    return (
        messages[number]
        .text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end]
        .decode("utf-16-le", "replace")
    )


def _answer(label: UnitLabel, names: dict[str, str]) -> str:
    if label.label is not None:
        return names.get(label.label, label.label)
    return (
        f"no answer: {FAILURES.get(label.status, label.status)}"
        if label.by_judge
        else f"cannot rate: {CANNOT_RATE.get(label.status, label.status)}"
    )
