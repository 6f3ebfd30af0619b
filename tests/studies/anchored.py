"""A small study with settled labels, frozen as anchors, for tests."""

from __future__ import annotations

from data.labels import agreement_material
from data.record import anchors
from data.record.anchors import AnchorSet
from data.record.studies import Study
from data.store.store import Store
from scoring.agreement.judges.reference import SettledLabels
from tests.studies.small_study import Small


def rate_alike(
    small: Small, failing: tuple[int, ...] = (), positions: tuple[int, ...] = (1, 2, 3, 4)
) -> None:
    """Both raters say the same of every conversation: YES, and NO of the failing ones."""
    for number in range(2):
        for position in positions:
            small.desk(number).rate(position, "NO" if position in failing else "YES")


def freeze(store: Store, study: Study, of: tuple[int, ...] | None = None) -> AnchorSet:
    """All that is settled, or what is of these units' positions."""
    with store.writing("tests", "freeze anchors", study.id) as (connection, entry):
        material = agreement_material.read(connection, study, None)
        place = dict(zip(material.units.id.tolist(), material.units.position.tolist(), strict=True))
        anchors.freeze(
            connection,
            entry,
            study,
            {
                key: label
                for key, label in SettledLabels(material).items()
                if of is None or place[key[0]] in of
            },
        )
        anchor_set = anchors.newest(connection, study.id)
    assert anchor_set is not None
    return anchor_set
