"""Warn about a judge from the family of the model that wrote the replies, because it tends to favour them."""

from __future__ import annotations

from collections.abc import Iterator

from data.record import conversations
from data.record.generating_models import generating_models
from runs.judging.run_configuration import RunConfiguration
from scoring.judges.families import family

LOOKED_AT = 500


def same_family(setting: RunConfiguration) -> str | None:
    """Return a warning that judge and writer of the conversations are models of one family; None if they
    aren't or it is unknown.

    It names the judge's model and at most three of the writers', sorted. The writers come from the facts of
    the first few hundred conversations.
    """
    judge = family(setting.asked_as.model)
    related = sorted({name for name in _generators(setting) if judge is not None and family(name) == judge})
    if not related:
        return None
    listed = ", ".join(related[:3]) + (" and others" if len(related) > 3 else "")
    return (
        f"{setting.asked_as.model} and the model that wrote these conversations ({listed}) are both from "
        f"{judge}. A judge tends to favour text from its own model family. Compare it with a judge from "
        "another family."
    )


def _generators(setting: RunConfiguration) -> Iterator[str]:
    with setting.store.reading() as connection:
        ids = conversations.ids(connection, setting.study.id)[:LOOKED_AT]
        for conversation in conversations.read(connection, ids):
            yield from generating_models(conversation.facts)
