"""Who may learn what the judge and colleagues said in a study: nobody who may still rate something of it
blind.

An import tells as much as a page: "is there already with another answer" is an answer about a hidden label.
So is a number in an export. Pages ask with the reader of the tab, commands and imports with the name of
whoever works; both are answered here.
"""

from __future__ import annotations

from sqlalchemy import Connection

from data.record import studies, units
from data.record.studies import Study, name_key
from data.store.actors import person_of
from data.store.errors import Refused
from data.work import exposures, roles, worklist
from data.work.worklist import open_worklist


def is_done(connection: Connection, study: Study, rater_id: int) -> bool:
    """Whether nothing of the study is left that could be given to this rater to rate, now or later."""
    own = open_worklist(connection, study, rater_id)
    return own.finished and (own.plan is None or worklist.over(connection, study))


def has_nothing_blind_left(connection: Connection, study: Study, rater_id: int) -> bool:
    """Whether nothing that this rater could still be given would be rated blind: what speaks of the study's
    conversations, and of no label, may be shown to them then.
    """
    return (
        study.review == "open"
        or exposures.saw_page(connection, rater_id)
        or is_done(connection, study, rater_id)
    )


def somebody_rates_blind(connection: Connection, study: Study) -> bool:
    """Whether one of the study's raters could still be given something to rate blind: until nobody could, no
    import and no check says whether a file differs from the labels that are there.
    """
    return any(
        rater.kind == "person" and not has_nothing_blind_left(connection, study, rater.id)
        for rater in studies.raters(connection, study.id)
    )


def may_learn_labels(connection: Connection, study: Study, rater_id: int) -> bool:
    """Whether this rater may see the labels of the whole study. What they then see has to be recorded
    (exposures.record_page).
    """
    if study.review == "open" or exposures.saw_page(connection, rater_id):
        return True
    return study.reveal != "never" and is_done(connection, study, rater_id)


def may_settle(connection: Connection, study: Study, rater_id: int) -> bool:
    """Whether the list of what is to be settled is open to this person: with a plan of work each unit is
    asked about when it is opened; without one everybody rates everything first, unless they chose to settle.
    """
    return (
        study.review == "open"
        or worklist.planned(connection, study)
        or roles.is_settler(connection, rater_id)
        or exposures.saw_page(connection, rater_id)
        or left_to_rate(connection, study, rater_id) <= 0
    )


def left_to_rate(connection: Connection, study: Study, rater_id: int) -> int:
    """Without a plan of work."""
    committed = units.rater_progress(connection, rater_id).committed
    return studies.unit_count(connection, study.id) - committed


def refuse_blind_rater(connection: Connection, study: Study, actor: str) -> None:
    """Raises Refused where the name of whoever works is that of a rater of the study of whom it is not
    recorded that they saw its labels.
    """
    name = name_key(person_of(actor))
    if study.review == "open":
        return
    for rater in studies.raters(connection, study.id):
        if (
            rater.kind == "person"
            and name_key(rater.name) == name
            and not exposures.saw_page(connection, rater.id)
        ):
            raise Refused(
                f"{rater.name} rates in this study. Importing into it, checking a file against it and "
                "taking something out of it would show labels that a rater must not see while rating blind. "
                "Somebody who does not rate in this study can do it. "
                f"{rater.name} can do it only after choosing to see the labels of the whole study on a page "
                'of the app, for example Agreement ("Show the whole study ..."); what they rate from then on '
                "no longer counts as blind."
            )
