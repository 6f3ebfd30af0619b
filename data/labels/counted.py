"""Decide which labels count, for every number, list, page and file.

A person's rating counts where

1. it was given for real: on a listed unit, not on a hidden repeat; not on a unit of practice, also where it
   became one later, because its answers have been read by others; and not on words whose judge the rater had
   already seen in another study;
2. the person gave it: no rule of the rubric filled it in;
3. it is the person's last answer to that question of that unit in its arm (`ARMS`);
4. where imported raters were confirmed to be a person of the study, the answer given here goes before theirs,
   and of theirs the last one imported.

"Cannot rate" is an answer too: as the last one, it takes an earlier label away.

A judge's verdict counts where it stands (`first_labels_only`: no replicate, no replaced failure, no answer to
an anchor) and its unit is one that counts.

Rules 3 and 4 are written twice: here as conditions of a query, and on columns in data/labels/label_table.py,
because a query is several times slower where a study has very many labels. Tests compare both on every sample
and on generated studies.

Which raters count in a headline or a verdict is decided after that, from all labels of the study
(`find_raters_left_out` in scoring/agreement/verdicts/raters.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import ColumnElement, FromClause, Select, exists, select

from data import schema
from data.record.judgements import first_labels_only
from data.record.known_words import was_unseen
from data.record.studies import select_rater_ids
from data.schema.vocabulary import UnitKind
from data.work.practice import is_practice
from scoring.agreement.labels.label_data import Arm

ARMS: dict[Arm, tuple[str, ...]] = {  # arm -> exposures of the ratings in it
    "blind": ("blind",),
    "shown": ("revealed", "open", "page", "judge_visible"),
    "unknown": ("unknown",),
}
Conditions = tuple[ColumnElement[bool], ...]
# Part of many statements: the columns of an alias take long to make.
_OTHER, _OWN, _IMPORTED = schema.rating.alias(), schema.rating.alias(), schema.rating.alias()
_IDENTITY, _SAME_PERSON = schema.rater_identity.alias(), schema.rater_identity.alias()


def find_arm(exposure: str) -> Arm | None:
    """The arm in which a rating of this exposure counts; None for an exposure that is in no arm."""
    return next((arm for arm, exposures in ARMS.items() if exposure in exposures), None)


def counted_units() -> Conditions:
    """Conditions on `unit`: its labels may count."""
    unit = schema.unit
    return unit.c.kind == UnitKind.LISTED, ~is_practice(unit.c.id)


def given_for_real(rating: FromClause) -> Conditions:
    """Conditions on ratings joined to `unit`: rules 1 and 2, whatever was answered later."""
    return rating.c.source != "rule", *_is_real(rating)


def _is_real(rating: FromClause) -> Conditions:
    # By the unit of the rating itself the few units of practice are looked up once.
    return schema.unit.c.kind == UnitKind.LISTED, ~is_practice(rating.c.unit_id), was_unseen(rating)


def _is_overtaken(arm: Arm, by_rule: bool) -> ColumnElement[bool]:
    """Condition on `rating`: another answer of the same person to the same question goes before it."""
    rating = schema.rating

    def same_question(other: FromClause) -> Conditions:
        given = () if by_rule else (other.c.source != "rule",)
        same = other.c.unit_id == rating.c.unit_id, other.c.criterion == rating.c.criterion
        return *same, other.c.exposure.in_(ARMS[arm]), *given, was_unseen(other)

    later = exists().where(
        _OTHER.c.rater_id == rating.c.rater_id, *same_question(_OTHER), _OTHER.c.id > rating.c.id
    )
    given_here = exists().where(
        _IDENTITY.c.rater_id == rating.c.rater_id,
        _OWN.c.rater_id == _IDENTITY.c.person_id,
        *same_question(_OWN),
    )
    imported_later = exists().where(
        _IDENTITY.c.rater_id == rating.c.rater_id,
        _SAME_PERSON.c.person_id == _IDENTITY.c.person_id,
        _IMPORTED.c.rater_id == _SAME_PERSON.c.rater_id,
        *same_question(_IMPORTED),
        _IMPORTED.c.id > rating.c.id,
    )
    return later | given_here | imported_later


def counted_ratings(
    study_id: int, arm: Arm = "blind", unit_ids: Sequence[int] | None = None, by_rule: bool = False
) -> Select[Any]:
    """Select the ids of the ratings that count in an arm, "cannot rate" included. `unit_ids`: of these units
    only; None: of all. `by_rule`: with the labels that a rule filled in.
    """
    rating, unit = schema.rating, schema.unit
    real = _is_real if by_rule else given_for_real
    statement = (
        select(rating.c.id)
        .join(unit, unit.c.id == rating.c.unit_id)
        .where(
            rating.c.exposure.in_(ARMS[arm]),
            *real(rating),
            ~_is_overtaken(arm, by_rule),
        )
    )
    if unit_ids is None:
        return statement.where(rating.c.study_id == study_id)
    # By rater and unit there is an index; by study it would be read from end to end.
    return statement.where(rating.c.unit_id.in_(unit_ids), rating.c.rater_id.in_(select_rater_ids(study_id)))


def counted_verdicts() -> Conditions:
    """Conditions on `judgement` joined to `unit`: the verdict or failure counts."""
    return first_labels_only(), *counted_units()
