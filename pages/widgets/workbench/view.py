"""The workbench's data for one unit. It holds nothing from a judge before the judge was revealed to this
rater.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from data.labels import reasoning_comments
from data.record import judgements, units
from data.record.answers import CANNOT_RATE, CriterionAnswer
from data.record.judgements import Judge, Judgement
from data.record.studies import Rater, Study
from data.record.units import Unit
from data.settling import escalations
from data.settling.escalations import OwnEscalation
from data.store import trail
from data.store.store import Connection
from data.work import answers_to_judges, exposures, ratings
from data.work.ratings import Rating
from data.work.worklist import Worklist
from pages.widgets.unit_text import THOUGHTS
from pages.widgets.workbench.metrics import metrics_panel
from pages.widgets.workbench.next_step import next_step
from pages.widgets.workbench.scores import score_box
from scoring.instruments import Criterion, Instrument
from scoring.judges.statuses import FAILURES
from scoring.plan_alignment import parse_plan
from scoring.transcripts import Message, has_thoughts, turn_numbers

DATA_CLASSES = {
    "synthetic": "no patient data",
    "deidentified": "identities removed",
    "phi": "patient data",
}
REASONING_KEYS = {"supported": "s", "partly": "p", "unsupported": "u", "contradicted": "t"}
REASONING_WORDS = {
    "supported": "supported",
    "partly": "partly",
    "unsupported": "unsupported",
    "contradicted": "contradicted by the transcript",
}
EXPOSURE_WORDS = {
    "blind": "blind: the judge's labels are hidden",
    "revealed": "the judge's labels are shown",
    "open": "open review: the judge's labels are visible, and every number says so",
    "page": "not blind: you have seen the judge's labels, or may have",
}


def view(worklist: Worklist, unit: Unit, rater: Rater, with_transcript: bool) -> dict[str, Any]:
    """Return everything that the workbench shows for a unit of the rater's list, as plain values."""
    connection, study = worklist.connection, worklist.study
    committed = ratings.committed_at(connection, rater.id, unit.id)
    may_see = exposures.revealed(connection, rater.id, unit.id)
    messages = (
        units.transcript(connection, unit) if with_transcript or study.instrument.criteria_from else None
    )
    criteria = unit.criteria(study)
    current = ratings.current(connection, rater.id, unit.id) if committed else {}
    first = ratings.first(connection, rater.id, unit.id) if committed else {}
    shown = answers_to_judges.read_shown(connection, unit, rater.id) if may_see else []
    judges = [
        j
        for j in judgements.judges(connection, study.id)
        if j.id in {judgement.judge_id for judgement in shown}
    ]
    shown_later = study.shows_judge and bool(exposures.judges_of(connection, unit.id))
    page_data: dict[str, Any] = {
        "study": {
            "title": study.title,
            "data_class": DATA_CLASSES[study.data_class],
            "roles": study.role_names,
            "demonstration": study.provenance.startswith("Demonstration"),
        },
        "store": trail.store_name(connection),
        "reader": {"id": rater.id, "name": rater.name},
        "exposure": EXPOSURE_WORDS[exposures.exposure_now(connection, study, unit, rater.id)],
        "unit": {
            "id": worklist.name_of(unit),
            "position": unit.position,
            "message": unit.message,
            "plan": plan_data(study, unit, messages),
        },
        "criteria": [criterion_data(study.instrument, c, unit.turns) for c in criteria],
        "cannot_rate": CANNOT_RATE,
        "reasoning_words": {
            name: {"key": key, "text": REASONING_WORDS[name]} for name, key in REASONING_KEYS.items()
        },
        "answers": {}
        if committed
        else {c: _answer(a) for c, a in ratings.drafts(connection, rater.id, unit.id).items()},
        "committed_at": committed,
        "ratings": {c: _given(g, first.get(c)) for c, g in current.items()},
        "reveal": _reveal(study, criteria, judges, shown) if may_see else None,
        "responses": _responses(connection, rater.id, unit.id) if may_see else {},
        "score": score_box(study, unit, current, judges, shown) if committed else None,
        "told": [
            _told(escalation, bool(committed) and (may_see or not shown_later))
            for escalation in escalations.raised_by(connection, rater.id, unit.id)
        ],
        "tell_about": escalations.KINDS,
        "metrics": metrics_panel(
            connection,
            study,
            unit,
            rater.id,
            bool(committed),
            judges if committed else [],
            shown if committed else [],
        ),
    }
    page_data |= next_step(worklist, unit, rater, bool(committed), may_see)
    if with_transcript:
        page_data["transcript"] = transcript_data(messages)
    return page_data


def acknowledged(
    shown: dict[str, Any], unit: int | None, answers: Mapping[str, CriterionAnswer] | None
) -> dict[str, Any] | None:
    """Return the last view with the saved answers of this unit. None if another unit is shown, or if more
    than the answers changed.
    """
    position = shown["unit"]["position"]
    if answers is None or shown["unit"]["id"] != unit or shown["committed_at"] is not None:
        return None
    if [position, "skipped"] in shown["rail"]:
        return None
    rail = [[place, "begun" if place == position else state] for place, state in shown["rail"]]
    saved = {criterion: _answer(answer) for criterion, answer in answers.items()}
    return {**shown, "answers": {**shown["answers"], **saved}, "rail": rail}


def _told(raised: OwnEscalation, may_read: bool) -> dict[str, Any]:
    """Return the notes to the study lead. An answer may mention the judge, so it stays hidden as long as the
    judge.
    """
    escalation = raised.escalation
    return {
        "event": escalation.event,
        "about": escalations.KINDS[escalation.kind],
        "note": escalation.note,
        "criterion": escalation.criterion,
        "at": escalation.at,
        "answered_at": raised.answered_at,
        "may_read": may_read,
        "answer": raised.answer if may_read else None,
    }


def transcript_data(messages: list[Message] | None) -> list[dict[str, Any]] | None:
    """Return the messages for the browser, without the words of system prompts; None if they were erased."""
    if messages is None:
        return None
    turns = turn_numbers([m.role for m in messages])
    # A system prompt may be the condition under study, so don't send its words.
    return [
        {
            "role": m.role,
            "turn": turn,
            "text": "" if m.role == "system" else m.text,
            "tag": THOUGHTS if has_thoughts(m.role, m.text) else "",
        }
        for m, turn in zip(messages, turns, strict=True)
    ]


def plan_data(study: Study, unit: Unit, messages: list[Message] | None) -> dict[str, Any] | None:
    """Return the plan that the rated reply declares; None for a whole conversation, erased words, or no
    taxonomy.
    """
    if study.taxonomy is None or unit.message is None or not messages:
        return None
    plan = parse_plan(messages[unit.message].text, study.taxonomy)
    strategies = [study.taxonomy.strategy(name) for name in plan.declared]
    text = messages[unit.message].text
    # Evidence is stored in UTF-16 units, as browsers count, from the beginning of the whole message.
    before = text.rstrip()[: len(text.rstrip()) - len(plan.response)]
    return {
        "response_start": len(before.encode("utf-16-le", "surrogatepass")) // 2,
        "unknown": list(plan.unknown),
        "strategies": [{"name": s.name, "description": s.description} for s in strategies if s],
    }


def criterion_data(instrument: Instrument, criterion: Criterion, turns: int) -> dict[str, Any]:
    """Return a criterion for the browser. `turns`: of the unit, which may rule that it does not apply."""
    scale = instrument.scale_of(criterion)
    forced = instrument.forced_not_applicable(criterion, turns)
    not_applicable = instrument.not_applicable_name_of(criterion)
    category = next((c for c in instrument.categories if c.id == criterion.category), None)
    return {
        "id": criterion.id,
        "name": criterion.name,
        "checks_for": criterion.checks_for,
        "ordinal": scale.kind == "ordinal",
        "levels": [
            {"id": x.id, "name": x.name, "key": x.key, "anchor": x.anchor, "value": x.value}
            for x in instrument.permitted(criterion)
        ],
        "examples": list(criterion.failures),
        "examples_title": "Examples of failure"
        if instrument.score.rule == "weighted_categories"
        else "Examples",
        "not_applicable_note": f'"{not_applicable}" is not offered. {criterion.not_applicable_note}.'
        if criterion.not_applicable == "invalid"
        else f"{not_applicable} when: {criterion.not_applicable_note}."
        if criterion.not_applicable_note
        else "",
        "forced": forced,
        "forced_why": f"{not_applicable} with fewer than {criterion.minimum_turns} turns; this conversation "
        f"has {turns}."
        if forced
        else "",
        "asked_when": {name: list(labels) for name, labels in criterion.asked_when.items()},
        "category": {
            "id": category.id,
            "name": category.name,
            "question": category.question,
            "gate": category.gate,
        }
        if category
        else None,
    }


def _answer(answer: CriterionAnswer) -> dict[str, Any]:
    return answer.model_dump()


def _given(given: Rating, first: Rating | None) -> dict[str, Any]:
    changed = first is not None and first.id != given.id
    return {
        **given.answer.model_dump(),
        "source": given.source,
        "reason": given.reason,
        "first": first.answer.model_dump() if changed and first else None,
    }


def _reveal(
    study: Study, criteria: tuple[Criterion, ...], judges: list[Judge], shown: list[Judgement]
) -> dict[str, Any]:
    by_criterion: dict[str, dict[str, Any]] = {}
    scales = {c.id: c for c in criteria}
    for judgement in shown:
        if judgement.criterion in scales:
            by_criterion.setdefault(judgement.criterion, {})[str(judgement.judge_id)] = {
                "status": judgement.status,
                "failure": FAILURES.get(judgement.status, "the call failed"),
                "label": judgement.label,
                "reasoning": judgement.reasoning,
                "erased": judgement.erased,
                "cited": judgement.cited,
                "rule_broken": _rule_broken(study.instrument, scales[judgement.criterion], judgement.label),
            }
    return {
        "judges": [{"id": j.id, "name": j.name, "line": _line(j), "identity": _identity(j)} for j in judges],
        "judgements": by_criterion,
    }


def _rule_broken(instrument: Instrument, criterion: Criterion, label: str | None) -> str | None:
    na = instrument.scale_of(criterion).not_applicable
    if na and label == na.id and criterion.not_applicable == "invalid":
        return (
            f'The judge broke a rule: "{na.name}" is not permitted here, so it is scored as a failing label.'
        )
    return None


def _line(judge: Judge) -> str:
    known = [
        part
        for part in (judge.identity.get("model"), f"prompt {str(judge.identity.get('prompt'))[:12]}")
        if part and "unknown" not in part
    ]
    return " · ".join([judge.name, *[part for part in known if part != judge.name]])


def _identity(judge: Judge) -> str:
    return ", ".join(f"{name}: {value}" for name, value in judge.identity.items())


def _responses(connection: Connection, rater_id: int, unit_id: int) -> dict[str, dict[str, Any]]:
    """Return the rater's responses by judge/criterion: keep or change, reasoning, comment."""
    answers: dict[str, dict[str, Any]] = {}
    for (judge_id, criterion, kind), value in answers_to_judges.responses(
        connection, rater_id, unit_id
    ).items():
        answers.setdefault(f"{judge_id}/{criterion}", {})[kind] = value
    for (judge_id, criterion), comment in reasoning_comments.current(connection, rater_id, unit_id).items():
        own = answers.setdefault(f"{judge_id}/{criterion}", {})
        own |= {"comment": comment.text or "", "comment_erased": comment.text is None}
    return answers
