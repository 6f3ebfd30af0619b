"""The choice of the judge whose numbers a study's headlines show."""

from __future__ import annotations

from data.record.adoptions import choose_judge
from data.record.studies import Study
from data.store.store import Store


def use_judge(store: Store, actor: str, study: Study, judge_id: int, by: str, seen: int | None) -> None:
    """Show this judge in the headlines from now on.

    `seen`: the judge in use when the page was drawn. Raise Refused as `choose_judge` does.
    """
    with store.writing(actor, "choose a judge", study.id) as (connection, entry):
        choose_judge(connection, entry, study, judge_id, by, seen)
