"""A judge of the family that wrote the replies tends to favour them: whoever starts such a run is told."""

from __future__ import annotations

from collections.abc import Iterator

from data.record import conversations
from data.record.generating_models import generating_models
from runs.judging.run_configuration import RunConfiguration
from scoring.judges.families import family

LOOKED_AT = 500


def same_family(setting: RunConfiguration) -> str | None:
    """The warning, or None. Looks at what the conversations' facts say of their model, of the first few
    hundred.
    """
    judge = family(setting.asked_as.model)
    related = sorted({name for name in _generators(setting) if judge is not None and family(name) == judge})
    if not related:
        return None
    listed = ", ".join(related[:3]) + (" and others" if len(related) > 3 else "")
    return (
        f"{setting.asked_as.model} and the model that wrote these conversations ({listed}) are both of "
        f"{judge}. "
        "A judge tends to favour text of its own family; compare it with a judge of another."
    )


def _generators(setting: RunConfiguration) -> Iterator[str]:
    with setting.store.reading() as connection:
        ids = conversations.ids(connection, setting.study.id)[:LOOKED_AT]
        for conversation in conversations.read(connection, ids):
            yield from generating_models(conversation.facts)
