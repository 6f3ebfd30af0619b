"""Entity recognition with a spaCy pipeline, offline. The library is optional and is imported when a model is
made.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from scoring.models import offline
from scoring.models.model_settings import EntitiesEntry, ModelMissing, entities


class SpacyRecogniser:
    """Finds the entities of a text. `label` names the pipeline, its version and its files.

    Raises ModelMissing where the library or the pipeline is absent, is not that of the configuration, does
    not belong to this version of the library, or recognises no entities.
    """

    def __init__(self, entry: EntitiesEntry) -> None:
        folder, digest = entry.checked_path()
        spacy = _library()
        try:
            self._pipeline: Any = spacy.load(folder)
        except Exception as error:
            raise ModelMissing(
                f"The model {entry.name} in the folder of {EntitiesEntry.file} cannot be loaded by spaCy "
                f"{spacy.__version__} ({type(error).__name__}). Install one that was made for this version."
            ) from error
        recognisers = [
            name
            for name, component in self._pipeline.pipeline
            if "doc.ents" in self._pipeline.get_pipe_meta(name).assigns
        ]
        if not recognisers:
            raise ModelMissing(
                f"The model {entry.name} in the folder of {EntitiesEntry.file} recognises no entities. Name "
                "another one."
            )
        version = self._pipeline.meta.get("version") or "without version"
        self.name, self.sha256 = entry.name, digest
        self.label = f"{entry.name} {version}, files {digest[:12]}, spaCy {spacy.__version__}"

    def entities(self, text: str) -> list[str]:
        """Return the entities found in a text, in the words of the text."""
        return [entity.text for entity in self._pipeline(offline.readable(text)).ents]


def _library() -> Any:
    try:
        import spacy
    except ImportError as error:
        raise ModelMissing(
            "Recognising entities takes a library that is not installed. Run: .venv/bin/pip install "
            "spacy==3.8.18"
        ) from error
    return spacy


@lru_cache(maxsize=1)
def _loaded(entry: EntitiesEntry) -> SpacyRecogniser:
    return SpacyRecogniser(entry)


def configured_recogniser() -> SpacyRecogniser:
    """Return the pipeline of configs/entities.yaml, loaded once.

    Raise ModelMissing if none is configured, or it can't be used.
    """
    return _loaded(entities().entry())
