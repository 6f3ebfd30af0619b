"""Prepare an installation: create, migrate and check the store, and add the sample studies."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from configs.settings import Settings
from data.importers.report import ImportReport
from data.importers.study_folder import add_study
from data.store.store import Store, open_store
from runs.sample_studies import ORDER, SAMPLES

ACTOR = "second-reader"


def ready_store(settings: Settings, progress: Callable[[float, float], None] | None = None) -> Store:
    """Return the store of this installation with all sample studies. `progress(studies, all)`. Raises
    StoreError.
    """
    store = open_store(settings.database_url, settings.busy_seconds)
    if settings.samples:
        for number, _ in enumerate(add_samples(store, settings), start=1):
            if progress:
                progress(number, len(ORDER))
    return store


def score_samples(store: Store, progress: Callable[[str, int, int], None]) -> None:
    """Compute the missing metrics of the sample studies, which takes minutes unless they come with the
    program.

    `progress(study, done, all)` counts conversations.
    """
    from runs.scoring import score_study  # every start comes by this module, and few compute

    for name in ORDER:
        score_study(store, name, ACTOR, progress=partial(progress, name))


def add_samples(store: Store, settings: Settings) -> Iterator[str]:
    """Add each missing sample study, and yield its name."""
    for name in ORDER:
        if _add_sample(store, settings, name) is not None:
            yield name


def _add_sample(store: Store, settings: Settings, name: str) -> ImportReport | None:
    folder = SAMPLES / name
    return add_study(store, folder, settings.instruments, settings.taxonomies, ACTOR, apart=False)
