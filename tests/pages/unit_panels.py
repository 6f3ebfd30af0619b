"""The metrics of a unit as a rater's page is given them, and what the rater does on that tab."""

from __future__ import annotations

import uuid
from typing import Any

from data.record import studies
from data.store.store import Store
from data.work.worklist import open_worklist
from pages.widgets.workbench.view import view
from reports.refusals import word_error
from services import rating_events
from tests.studies.small_study import Desk


def desk(store: Store, key: str, name: str = "Reader 1") -> Desk:
    with store.reading() as connection:
        study = studies.find(connection, key)
        assert study is not None
        return Desk(store, study, next(r.id for r in studies.raters(connection, study.id) if r.name == name))


def panel(store: Store, key: str, position: int, name: str = "Reader 1") -> dict[str, Any] | None:
    who = desk(store, key, name)
    with store.reading() as connection:
        found: dict[str, Any] | None = view(
            open_worklist(connection, who.study, who.rater),
            who.unit(position),
            studies.rater(connection, who.rater),
            True,
        )["metrics"]
    return found


def show_steps(store: Store, key: str, position: int, name: str = "Reader 1") -> None:
    """As the rater asks for on the tab."""
    who, unit_panel = desk(store, key, name), panel(store, key, position, name)
    assert unit_panel is not None and unit_panel["step_pairs"] is not None
    take(who, {"kind": "step_scores", "unit": position, "inputs": unit_panel["step_pairs"]["inputs"]})


def take(who: Desk, event: dict[str, Any]) -> list[dict[str, str]]:
    """Returns what was refused."""
    with who.store.reading() as connection:
        rater = studies.rater(connection, who.rater)
        worklist = open_worklist(connection, who.study, who.rater)
        name = worklist.name_of(who.unit(event["unit"]))
    events = [{**event, "unit": name, "id": str(uuid.uuid4())}]
    return rating_events.take(who.store, who.study, rater, events, {}, 1, word_error).refused
