"""Forms in which the next question depends on the answer: which questions are asked, given answers.

A criterion with `asked_when` is asked where any criterion that it names was asked itself and has one of the
labels named. The others are asked of nobody. "Not asked" is no label: not "does not apply", not missing, and
in no number. Behind an answer that is no label (cannot rate, a judge's failure) nothing more is asked.

`askedCriteria` of pages/widgets/workbench/asked.js is the same for the browser.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from configs.files.yaml_files import MisplacedValue

if TYPE_CHECKING:
    from scoring.instruments import Instrument


class AskedWhen(Protocol):
    @property
    def id(self) -> str: ...

    @property
    def asked_when(self) -> Mapping[str, Sequence[str]]: ...


def asked_ids(criteria: Sequence[AskedWhen], labels: Mapping[str, str | None]) -> set[str]:
    """Return the ids of the criteria that are asked, given the labels so far.

    A criterion is asked if it has no condition, or if one of the criteria it depends on is asked and has
    one of the labels named. `criteria` are in the order of the instrument; `labels` includes those that
    rules fill in.
    """
    asked: set[str] = set()
    for criterion in criteria:
        if not criterion.asked_when or any(
            name in asked and labels.get(name) in answers for name, answers in criterion.asked_when.items()
        ):
            asked.add(criterion.id)
    return asked


def possible_ids(criteria: Sequence[AskedWhen], labels: Mapping[str, str]) -> set[str]:
    """Return the ids of the criteria that may have been asked, where only some labels are known.

    As `asked_ids`, but an unknown label (an id not in `labels`) may be any.
    """
    possible: set[str] = set()
    for criterion in criteria:
        if not criterion.asked_when or any(
            name in possible and (name not in labels or labels[name] in answers)
            for name, answers in criterion.asked_when.items()
        ):
            possible.add(criterion.id)
    return possible


def check_conditions(instrument: Instrument) -> None:
    """Raise MisplacedValue if an `asked_when` names no earlier criterion, or a label it can't have.

    So there are no loops, and every question can be reached. An instrument with a score may have no
    conditions at all.
    """
    above: list[str] = []
    for number, criterion in enumerate(instrument.criteria):
        place = ("criteria", number, "asked_when")
        if criterion.asked_when and instrument.score.rule != "none":
            raise MisplacedValue(
                place, "questions that are not always asked make no score; take out score or asked_when"
            )
        for name, answers in criterion.asked_when.items():
            if name not in above:
                listed = f"there are: {', '.join(above)}" if above else "it is the first"
                stands_below = any(other.id == name for other in instrument.criteria)
                raise MisplacedValue(
                    (*place, name),
                    f"{criterion.id} depends on {name}, which does not stand above it, and only on what was "
                    f"asked before can a question depend; {listed}"
                    if stands_below
                    else f"{criterion.id} depends on {name}, which is no criterion of this instrument; "
                    f"{listed}",
                )
            parent = next(other for other in instrument.criteria if other.id == name)
            labels = [level.id for level in instrument.permitted(parent)]
            if not answers:
                raise MisplacedValue(
                    (*place, name), f"name the labels of {name} after which {criterion.id} is asked"
                )
            for answer in answers:
                if answer not in labels:
                    raise MisplacedValue(
                        (*place, name),
                        f"{answer!r} is no label that {name} can have; there are: {', '.join(labels)}",
                    )
        above.append(criterion.id)
