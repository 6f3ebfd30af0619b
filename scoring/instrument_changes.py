"""What differs between two versions of an instrument, in words, and which criteria are read differently under
the new one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from scoring.instruments import Criterion, Instrument, Scale

FIELDS = {
    "name": "its name",
    "checks_for": "what it asks",
    "category": "its category",
    "not_applicable": "whether it may not apply",
    "not_applicable_note": "when it does not apply",
    "minimum_turns": "its minimum of turns",
    "failures": "its examples",
    "asked_when": "after which answers it is asked",
}


@dataclass(frozen=True)
class InstrumentChanges:
    """`read_anew`: ids of the criteria of the new version whose wording or scale is not the old one's, new
    criteria included.

    `asked_elsewhere`: those that are asked after other answers than before, so perhaps where nobody was
    asked.
    `notes`: every difference as a sentence. `problems`: why the new text is no new version of the old.
    """

    read_anew: tuple[str, ...] = ()
    added: tuple[str, ...] = ()
    asked_elsewhere: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def compare(old: Instrument, new: Instrument) -> InstrumentChanges:
    """Return what a new version of an instrument changes. Both are parsed.

    With any `problems` (another key, the same version, another unit) all else is empty. For an instrument
    whose criteria come from plans, a changed scale concerns every criterion: `read_anew` is ("*",).
    """
    problems = []
    if new.key != old.key:
        problems.append(f"The key is {new.key}; a new version of this rubric keeps the key {old.key}.")
    if new.version == old.version:
        problems.append(
            f"The version is still {old.version}; changed wording needs a new version, because labels given "
            "under the old one stay with it."
        )
    if new.unit != old.unit or new.criteria_from != old.criteria_from:
        problems.append(
            "What is rated (whole conversations or single replies, and where criteria come from) cannot "
            "change in a new version: "
            "make another instrument of it."
        )
    if problems:
        return InstrumentChanges(problems=problems)
    notes: list[str] = []
    if new.criteria_from:
        changed_parts = _scale(old.scales[str(old.declared_scale)], new.scales[str(new.declared_scale)])
        notes += (
            [f"The scale of every criterion: {', '.join(changed_parts)} changed."] if changed_parts else []
        )
        return InstrumentChanges(("*",) if changed_parts else (), notes=notes + _elsewhere(old, new))
    before = {criterion.id: criterion for criterion in old.criteria}
    after = {criterion.id for criterion in new.criteria}
    anew, added = [], []
    for criterion in new.criteria:
        earlier = before.get(criterion.id)
        if earlier is None:
            added.append(criterion.id)
            notes.append(f"{criterion.name} ({criterion.id}) is new.")
            continue
        changed_parts = _criterion(earlier, criterion) + _scale(
            old.scale_of(earlier), new.scale_of(criterion)
        )
        if changed_parts:
            anew.append(criterion.id)
            notes.append(f"{criterion.name} ({criterion.id}): {', '.join(changed_parts)} changed.")
    notes += [
        f"{criterion.name} ({criterion.id}) is gone: nobody is asked it any more."
        for criterion in old.criteria
        if criterion.id not in after
    ]
    asked_elsewhere = tuple(
        criterion.id
        for criterion in new.criteria
        if criterion.id in before and before[criterion.id].asked_when != criterion.asked_when
    )
    return InstrumentChanges((*anew, *added), tuple(added), asked_elsewhere, notes + _elsewhere(old, new))


def _criterion(old: Criterion, new: Criterion) -> list[str]:
    return [words for name, words in FIELDS.items() if getattr(old, name) != getattr(new, name)]


def _scale(old: Scale, new: Scale) -> list[str]:
    if old == new:
        return []
    if [x.id for x in old.labels()] != [x.id for x in new.labels()] or old.kind != new.kind:
        return [
            f"its labels ({', '.join(x.id for x in old.labels())} became "
            f"{', '.join(x.id for x in new.labels())})"
        ]
    wording = [(x.name, x.anchor) for x in old.labels()] != [(x.name, x.anchor) for x in new.labels()]
    values = [x.value for x in old.labels()] != [x.value for x in new.labels()]
    return (["the words of its labels"] if wording else []) + (["what its labels count"] if values else [])


def _elsewhere(old: Instrument, new: Instrument) -> list[str]:
    names = {
        "title": "The title",
        "introduction": "The introduction",
        "categories": "The categories",
        "score": "How the score is made",
    }
    return [f"{words} changed." for name, words in names.items() if getattr(old, name) != getattr(new, name)]
