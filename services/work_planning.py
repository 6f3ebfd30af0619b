"""What a study lead does with the work: the plan, draws, gold units, calibration rounds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data.record import units
from data.record.studies import Study
from data.record.units import Unit
from data.store.errors import Refused
from data.store.store import Store
from data.work import calibration, certification, draws, setup
from data.work.draw_spec import DrawSpec, positions
from data.work.draws import Draw
from data.work.plan import WorkPlan


def plan_work(store: Store, actor: str, study: Study, plan: WorkPlan, version: int) -> int:
    """Save a plan after the version that was read, and return the new version. Raises Refused if another was
    saved since.
    """
    with store.writing(actor, "plan the work", study.id) as (connection, entry):
        return setup.new_plan(connection, entry, study, plan, version)


def draw_units(store: Store, actor: str, study: Study, spec: DrawSpec, last: int) -> Draw:
    """Draw units after the draw numbered `last`, and open them to raters.

    Raise Refused if another draw was made since, or as `draws.draw` does.
    """
    with store.writing(actor, "draw units", study.id) as (connection, entry):
        draw = draws.draw(connection, entry, study, spec, last)
        setup.open_drawn_units(connection, study)
        return draw


def put_gold(
    store: Store,
    actor: str,
    study: Study,
    unit: Unit,
    labels: Mapping[str, str],
    expert: str,
    reason: str,
) -> None:
    """Make a unit a gold unit with these labels (criterion -> label). Raise Refused as
    `certification.put_gold` does.
    """
    with store.writing(actor, "gold labels", study.id) as (connection, entry):
        certification.put_gold(connection, entry, study, unit, dict(labels), expert, reason)


def begin_calibration(
    store: Store, actor: str, study: Study, title: str, rater_ids: Sequence[int], wanted: str
) -> None:
    """Begin a calibration round on the units numbered in `wanted`, such as "3, 7, 20-25".

    Raise Refused for a blank or wrong text, and as `calibration.begin` does.
    """
    with store.writing(actor, "begin a calibration round", study.id) as (connection, entry):
        ids = units.ids(connection, study.id)
        if not wanted.strip():
            raise Refused("round_needs_positions", noun=study.noun)
        unit_ids = [ids[position - 1] for position in positions(wanted, len(ids), study.noun)]
        calibration.begin(connection, entry, study, title, list(rater_ids), unit_ids)


def move_calibration_on(store: Store, actor: str, study: Study, round_id: int, step: str) -> None:
    """Move a calibration round to `step`. Raise Refused if that is not the next step."""
    with store.writing(actor, "move a calibration round on", study.id) as (connection, entry):
        calibration.move_on(connection, entry, study, round_id, step)
