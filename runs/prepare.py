"""Making an installation ready: the store made, migrated, checked, and filled with the sample studies."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from configs.settings import Settings
from data.importers.study_folder import add_study
from data.store import Store, open_store
from runs.scoring import score_study

SAMPLES = Path(__file__).resolve().parent.parent / "data" / "samples"
ACTOR = "second-reader"
ORDER = ("coaching_example", "coaching_demo", "plan_demo", "lend_an_ear", "vera_mh", "judge_change")


def ready_store(settings: Settings, scored: bool = False) -> Store:
    """Open the store of this installation and add the sample studies that are missing. Raises StoreError.

    `scored`: also compute the metrics of the sample studies that are not there yet, which takes minutes.
    """
    store = open_store(settings.database_url, settings.busy_seconds)
    if settings.samples:
        list(add_samples(store, settings))
        for name in ORDER if scored else ():
            score_study(store, name, ACTOR)
    return store


def add_samples(store: Store, settings: Settings) -> Iterator[str]:
    """Add each missing sample study; yields the name of each that was added."""
    for name in ORDER:
        if add_study(store, SAMPLES / name, settings.instruments, settings.taxonomies, ACTOR) is not None:
            yield name
