"""Cross-encoders that were added on this machine: each a folder of its own among the weights."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

from pydantic import Field, ValidationError

from configs.files.limited_yaml import BYTES, YamlProblem, read_yaml, write_yaml
from configs.files.plain_files import open_plain
from scoring.bad_input import BadInput
from scoring.instruments import Strict
from scoring.models.entailment import label_order
from scoring.models.model_settings import EntailmentEntry, ModelEntry, ModelMissing, weights_hash
from scoring.models.pair_scorer import PairScorer

DETAILS = "second_reader.json"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# Of a model's folder only what a cross-encoder is read from; never programs.
PATTERNS = ("*.json", "*.txt", "*.model", "*.safetensors", "README*", "LICENSE*", "LICENCE*", "NOTICE*")
UNSAFE_WEIGHTS = "pytorch_model*.bin"
ENTAILMENT, RELEVANCE = "entailment", "relevance"
KINDS = {
    ENTAILMENT: "says whether one text follows from another",
    RELEVANCE: "says how well two texts belong together",
}


class InstalledModel(Strict):
    """`kind`: three labels, or one score. `source`: folder or name in the hub; `revision`: of the hub.
    `license`: as the model itself states it, None where it states none. `size`: bytes.
    """

    name: str
    kind: str
    sha256: str
    size: int = Field(ge=0)
    source: str
    revision: str | None = None
    license: str | None = None


class InstalledEntry(ModelEntry):
    file: ClassVar[str] = "the folder of weights"


def check_name(name: str) -> None:
    """Raise BadInput for a name that can't be a model's folder, such as one with a slash or ending in
    .yaml.
    """
    if not NAME.fullmatch(name) or name.endswith((".yaml", ".part", ".json")):
        raise BadInput(
            "NAME",
            "expected letters, digits, dots, hyphens and underscores, beginning with a letter or digit and "
            "not ending as a file of settings does (.yaml, .json, .part)",
        )


def installed_models(weights: Path) -> tuple[list[InstalledModel], list[str]]:
    """Return the models in the folder `weights` by name, and a sentence for each folder that can't be read.

    Both are empty if there is no such folder; hidden folders are ignored.
    """
    models, problems = [], []
    for folder in sorted(weights.iterdir()) if weights.is_dir() else ():
        if folder.is_dir() and not folder.name.startswith("."):
            try:
                models.append(read_details(folder))
            except ModelMissing as error:
                problems.append(str(error))
    return models, problems


def read_details(folder: Path) -> InstalledModel:
    """Return the details of the model installed in `folder`. Raise ModelMissing if there are none."""
    try:
        return InstalledModel.model_validate_json((folder / DETAILS).read_text(encoding="utf-8"))
    except (OSError, ValidationError, UnicodeDecodeError):
        raise ModelMissing(
            f"There is no model {folder.name} in {folder.parent}. second-reader models list shows those that "
            "are there."
        ) from None


def entry_of(weights: Path, name: str) -> InstalledEntry:
    """Return the configuration entry of an installed model.

    Raise ModelMissing if it is not installed, BadInput for a name that can't be a folder.
    """
    check_name(name)
    details = read_details(weights / name)
    return InstalledEntry(name=name, folder=str(weights / name), sha256=details.sha256)


def install(
    weights: Path, name: str, folder: Path, source: str, revision: str | None = None
) -> InstalledModel:
    """Copy a cross-encoder into `weights` / `name`, check that it answers, and return its details.

    Nothing exists under the name before the check has passed.

    Raises:
        BadInput: the name is taken or invalid.
        ModelMissing: the folder holds no such model.
    """
    check_name(name)
    target = weights / name
    taken = BadInput("NAME", f"there is a model {name} already; choose another name, or remove {target}")
    if target.exists():
        raise taken
    weights.mkdir(parents=True, exist_ok=True)
    # A folder of this command alone: files of two models that are added at once must not be mixed.
    part = Path(tempfile.mkdtemp(dir=weights, prefix=".added-"))
    try:
        for file in _files(folder):
            copy = part / file.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        details = _checked(part, name, source, revision)
        (part / DETAILS).write_text(details.model_dump_json(indent=1), encoding="utf-8")
        part.chmod(0o755)
        try:
            part.rename(target)
        except OSError:
            if target.exists():  # another command was faster
                raise taken from None
            raise
    finally:
        shutil.rmtree(part, ignore_errors=True)
    return details


def write_entailment(weights: Path, model: InstalledModel | None = None, judge: str | None = None) -> Path:
    """Write which model or judge decides whether one text follows from another; return the file.

    Neither means nobody. Raise ModelMissing for a model of another kind.
    """
    if model is not None and model.kind != ENTAILMENT:
        raise ModelMissing(
            f"{model.name} {KINDS[model.kind]}; it has no labels entailment, neutral and contradiction."
        )
    entry = model and {"name": model.name, "folder": str(weights / model.name), "sha256": model.sha256}
    body = write_yaml({"model": entry, "judge": judge})
    path = weights / EntailmentEntry.file
    weights.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(f"# Written by second-reader models; it may be edited.\n{body}", encoding="utf-8")
    part.replace(path)
    return path


def _files(folder: Path) -> Iterator[Path]:
    if not folder.is_dir():
        raise ModelMissing(f"There is no folder {folder}.")
    if not (folder / "config.json").is_file():
        raise ModelMissing(f"There is no config.json in {folder}, so it holds no model.")
    if not any(folder.rglob("*.safetensors")):
        why = (
            " Its weights are a pickle (pytorch_model.bin), which can run programs: save them as safetensors."
            if any(folder.rglob(UNSAFE_WEIGHTS))
            else ""
        )
        raise ModelMissing(f"There are no weights (model.safetensors) in {folder}.{why}")
    for pattern in PATTERNS:
        for path in folder.rglob(pattern):
            if any(part.startswith(".") for part in path.relative_to(folder).parts):
                continue
            _check_link(path, folder)
            if path.is_file():
                yield path


def _check_link(path: Path, folder: Path) -> None:
    """Raises ModelMissing for a link that leads nowhere or to what is none of the model's: a folder from
    somebody else must not have other files of this machine copied. A snapshot of the hub's cache is all
    links, into the folder `blobs` beside `snapshots`.
    """
    inside, target, name = folder.resolve(), path.resolve(), path.relative_to(folder)
    places = [inside]
    if inside.parent.name == "snapshots":
        places.append(inside.parent.parent / "blobs")
    if not any(target.is_relative_to(place) for place in places):
        raise ModelMissing(
            f"{name} is a link to a file outside of {folder} ({target}), and nothing from outside is "
            "copied. Put the file itself in its place."
        )
    if path.is_symlink() and not path.exists():
        raise ModelMissing(f"{name} in {folder} is a link that leads nowhere, so the model is not whole.")


def _checked(folder: Path, name: str, source: str, revision: str | None) -> InstalledModel:
    digest = weights_hash(folder)
    scorer = PairScorer(InstalledEntry(name=name, folder=str(folder), sha256=digest))
    if len(scorer.labels) == 1:
        kind = RELEVANCE
    else:
        label_order(scorer.labels, name)
        kind = ENTAILMENT
    scorer.scores([("The client sleeps badly.", "The client is tired."), ("", "x")])
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return InstalledModel(
        name=name,
        kind=kind,
        sha256=digest,
        size=size,
        source=source,
        revision=revision,
        license=_license(folder),
    )


def _license(folder: Path) -> str | None:
    """As the model card has it in its front matter, else the first words of a licence file."""
    card = folder / "README.md"
    if card.is_file():
        parts = _first_words(card).split("---", 2)
        try:
            front = read_yaml(parts[1]).value if len(parts) == 3 and not parts[0].strip() else None
        except YamlProblem:
            front = None
        stated = front.get("license") if isinstance(front, dict) else None
        if isinstance(stated, str) and stated.strip():
            return stated.strip()[:80]
    for path in sorted(folder.glob("LICEN[CS]E*")):
        lines = _first_words(path).split("\n")
        first = next((line.strip() for line in lines if line.strip()), "")
        if first:
            return first[:80]
    return None


def _first_words(path: Path) -> str:
    with open_plain(path) as file:
        return file.read(BYTES).decode("utf-8", "replace")
