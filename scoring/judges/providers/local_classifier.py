"""A cross-encoder on this machine as a judge."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from configs.settings import Settings
from scoring.bad_input import BadInput
from scoring.judges.catalogue import JudgeEntry
from scoring.judges.judge_client import JudgeClient
from scoring.judges.judge_provider import JudgeProvider, JudgeScope
from scoring.models.model_settings import ModelMissing


class LocalClassifierProvider(JudgeProvider):
    address = "this machine"
    options = frozenset({"thresholds"})
    reads_prompt = False

    @classmethod
    def check(cls, entry: JudgeEntry) -> None:
        """Raise ValueError if the entry lacks something that this provider needs."""
        super().check(entry)
        if not str(entry.options.get("thresholds", "")).strip():
            raise ValueError(
                "a local_classifier needs options: {thresholds: FILE}; second-reader fit writes the file and "
                "this entry"
            )
        if entry.batching != "criterion":
            raise ValueError("a local_classifier answers criterion by criterion (batching: criterion)")

    @classmethod
    def missing(cls, entry: JudgeEntry, name: str, environ: Mapping[str, str], folder: Path) -> str | None:
        """Return what has to be set before the judge can be asked, in one sentence; None if nothing."""
        from scoring.judges.local_classifier import thresholds_of
        from scoring.models.installed_models import entry_of

        try:
            thresholds_of(entry, folder)
            entry_of(Settings.read().weights, entry.model)
        except (BadInput, ModelMissing) as error:
            return str(error)
        return None

    @classmethod
    def scope(cls, entry: JudgeEntry, folder: Path) -> JudgeScope:
        """Return the criteria and conversations that the thresholds allow. Raise BadInput if their file
        can't be used.
        """
        from scoring.judges.local_classifier import thresholds_of

        thresholds = thresholds_of(entry, folder)
        return JudgeScope(
            frozenset(thresholds.criteria),
            frozenset(thresholds.learned_from),
            thresholds.study,
            thresholds.instrument,
        )

    @classmethod
    def open(cls, entry: JudgeEntry, folder: Path) -> JudgeClient:
        """Return a client for the entry. Raise JudgeUnusable if it can't be made."""
        from scoring.judges.local_classifier import LocalClassifier

        return LocalClassifier(entry, folder)


PROVIDER = LocalClassifierProvider
