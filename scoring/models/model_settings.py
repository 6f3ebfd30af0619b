"""Which models are configured, and where their weights lie. No torch here."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import ClassVar

from pydantic import Field, model_validator

from configs.files.yaml_files import read_model
from configs.settings import ROOT, Settings
from scoring.instruments import Strict

SETTINGS = ("config*.json", "*token*.json", "vocab*", "merges.txt", "*.model", "modules.json")
MAX_REPLIES = 1_000  # that BERTScore compares: half a million pairs


class ModelMissing(Exception):
    """A model cannot be used; the message says which, why, and what to do."""


class ModelEntry(Strict):
    """A model in an installed package or in a folder. `file` is where a study lead corrects the entry."""

    file: ClassVar[str]
    name: str = Field(min_length=1)
    package: str | None = None
    inside: str = ""
    folder: str | None = None
    sha256: str | None = Field(default=None, pattern=r"^[0-9a-f]{64}$")

    @model_validator(mode="after")
    def _one_place(self) -> ModelEntry:
        if (self.package is None) == (self.folder is None):
            raise ValueError(f"{self.name} needs either a package or a folder")
        return self

    def path(self) -> Path:
        """Return the folder with the weights. Raise ModelMissing if it, or the package, is not there."""
        if self.folder is not None:
            folder_path = Path(self.folder).expanduser()
            if not folder_path.is_dir():
                raise ModelMissing(
                    f"There is no folder {folder_path} with the model {self.name}. Correct it in {self.file}."
                )
            return folder_path
        try:
            spec = importlib.util.find_spec(self.package or "")
        except (ImportError, ValueError):  # a name with dots whose first part is not there; no name at all
            spec = None
        if spec is None or not spec.submodule_search_locations:
            raise ModelMissing(
                f"The package {self.package} with the model {self.name} is not installed. Run make setup."
            )
        return Path(spec.submodule_search_locations[0]) / self.inside

    def checked_path(self) -> tuple[Path, str]:
        """Return the folder, and the hash of the weights in it.

        Raise ModelMissing if they are not there, or not those of the entry.
        """
        folder = self.path()
        digest = self.digest(folder)
        if self.sha256 is not None and digest != self.sha256:
            raise ModelMissing(
                f"The weights of {self.name} are not the ones named in {self.file}: "
                f"expected sha256 {self.sha256[:12]}..., found {digest[:12]}.... Install the model again."
            )
        return folder, digest

    def digest(self, folder: Path) -> str:
        """Return the SHA-256 that distinguishes the model from others, in hexadecimal."""
        return weights_hash(folder)


class EmbedderEntry(ModelEntry):
    file = "configs/embedders.yaml"


class EntailmentEntry(ModelEntry):
    file = "entailment.yaml"


class BertScoreEntry(ModelEntry):
    """`num_layers`: the layer whose vectors are compared, counted from 1."""

    file = "configs/bertscore.yaml"
    num_layers: int = Field(ge=1)


class EntitiesEntry(ModelEntry):
    """A spaCy pipeline. It has no weights of one kind: all of its files make its hash."""

    file = "configs/entities.yaml"

    def digest(self, folder: Path) -> str:
        """Return the hash of all files of the folder, in hexadecimal."""
        return files_hash(folder)


class Embedders(Strict):
    default: str
    embedders: tuple[EmbedderEntry, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _default_is_there(self) -> Embedders:
        if self.default not in [entry.name for entry in self.embedders]:
            raise ValueError(f"the default {self.default!r} is not in the list")
        return self

    def entry(self, name: str | None = None) -> EmbedderEntry:
        """Return the entry with this name, by default the default one. Raise ModelMissing if there
        is none.
        """
        for entry in self.embedders:
            if entry.name == (name or self.default):
                return entry
        raise ModelMissing(f"There is no model {name!r} in configs/embedders.yaml.")


class Entailment(Strict):
    """Who says whether one text follows from another: a model on this machine, or a judge of models.yaml."""

    model: EntailmentEntry | None = None
    judge: str | None = Field(default=None, min_length=1)

    @model_validator(mode="after")
    def _one_of_both(self) -> Entailment:
        if self.model is not None and self.judge is not None:
            raise ValueError("name either a model or a judge")
        return self

    def entry(self) -> EntailmentEntry:
        """Return the model on this machine. Raise ModelMissing if none is set up."""
        if self.model is None:
            raise ModelMissing(
                "Nothing is set up that says whether one text follows from another. Add a model "
                "(second-reader models add NAME FOLDER, for example a copy of "
                "cross-encoder/nli-deberta-v3-base), or let a judge answer (second-reader models use --judge "
                "NAME)."
            )
        return self.model


class Entities(Strict):
    model: EntitiesEntry | None = None

    def entry(self) -> EntitiesEntry:
        """Return the configured pipeline. Raise ModelMissing if none is configured."""
        if self.model is None:
            raise ModelMissing(
                "No model is configured that recognises entities, so they are only looked for word for word. "
                "Put a spaCy pipeline, for example en_core_sci_sm, into a folder on this machine and name "
                "the folder in configs/entities.yaml."
            )
        return self.model


class BertScoreModel(Strict):
    model: BertScoreEntry


def embedders(path: Path = ROOT / "embedders.yaml") -> Embedders:
    """Read configs/embedders.yaml. Raise ConfigFileError if it can't be used."""
    return read_model(path, Embedders)[0]


def entailment_file() -> Path:
    """Return the path of entailment.yaml beside the weights, which `second-reader models` writes."""
    return Settings.read().weights / EntailmentEntry.file


def entailment() -> Entailment:
    """Return what entailment.yaml sets up; nothing if the file does not exist.

    Raise ConfigFileError if it can't be used.
    """
    path = entailment_file()
    return read_model(path, Entailment)[0] if path.exists() else Entailment()


def entities(path: Path = ROOT / "entities.yaml") -> Entities:
    """Read configs/entities.yaml. Raise ConfigFileError if it can't be used."""
    return read_model(path, Entities)[0]


def bertscore(path: Path = ROOT / "bertscore.yaml") -> BertScoreModel:
    """Read configs/bertscore.yaml. Raise ConfigFileError if it can't be used."""
    return read_model(path, BertScoreModel)[0]


def weights_hash(folder: Path) -> str:
    """Return the SHA-256 of the weights in a folder, in hexadecimal.

    Of several files, the hash of their hashes in the order of their names. Raise ModelMissing if there are
    none.
    """
    files = sorted(folder.rglob("*.safetensors")) or sorted(folder.rglob("pytorch_model*.bin"))
    if not files:
        raise ModelMissing(f"There are no weights (model.safetensors) in {folder}.")
    digests = []
    for file in files:
        with file.open("rb") as stream:
            digests.append(hashlib.file_digest(stream, "sha256").hexdigest())
    return digests[0] if len(digests) == 1 else hashlib.sha256("".join(digests).encode()).hexdigest()


def settings_hash(folder: Path) -> str:
    """Return the SHA-256 of one line "HASH NAME" for each of the other files that shape a cross-encoder's
    answer.

    HASH is that file's SHA-256; lines are sorted by path. The files are those that match SETTINGS: they
    settle which score has which label and how text is cut into pieces.
    """
    digest = hashlib.sha256()
    for path in sorted({path for pattern in SETTINGS for path in folder.glob(pattern) if path.is_file()}):
        digest.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()} {path.name}\n".encode())
    return digest.hexdigest()


def files_hash(folder: Path) -> str:
    """Return the SHA-256 of one line "HASH PATH" for each file of a folder, sorted by path, without
    __pycache__.

    HASH is that file's SHA-256, PATH its path within the folder.
    """
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            with file.open("rb") as stream:
                content = hashlib.file_digest(stream, "sha256").hexdigest()
            digest.update(f"{content} {file.relative_to(folder).as_posix()}\n".encode())
    return digest.hexdigest()
