"""second-reader models: choose what decides whether one text follows from another, a local model or a
judge.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import click

from cli.base import show_errors_plainly
from cli.terminal import echo
from configs.settings import Settings
from runs.requests.request_setup import refuse_without_prompts
from scoring.bad_input import BadInput
from scoring.entailment import CONTRADICTION, ENTAILMENT, NEUTRAL
from scoring.judges.catalogue import load_catalogue
from scoring.models import model_settings
from scoring.models.installed_models import InstalledModel
from scoring.models.model_settings import ModelMissing

TRIAL_PAIRS = (
    ("The client sleeps four hours a night.", "The client does not sleep eight hours a night.", ENTAILMENT),
    ("The client talked about a trip to the sea.", "The client is afraid of dogs.", NEUTRAL),
    ("The counsellor told the client to rest.", "The counsellor told the client not to rest.", CONTRADICTION),
)


@click.group()
def models() -> None:
    """Manage models on this machine: add one, list them, choose one, test it."""


@models.command()
@click.argument("name")
@click.argument("source")
@show_errors_plainly
def add(name: str, source: str) -> None:
    """Add a cross-encoder as NAME. SOURCE is a folder or a model of the hub, such as
    cross-encoder/nli-deberta-v3-base. The first one that tells whether a text follows from another is used.
    """
    from scoring.models import hub, installed_models

    weights = Settings.read().weights
    installed_models.check_name(name)
    if Path(source).expanduser().is_dir():
        model = installed_models.install(weights, name, Path(source).expanduser(), source)
    elif hub.HUB_ID.fullmatch(source):
        echo(f"Fetching {source} from the hub.")
        weights.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=weights, prefix=".fetched-") as folder:
            revision = hub.fetch(source, Path(folder), installed_models.PATTERNS)
            model = installed_models.install(weights, name, Path(folder), source, revision)
    else:
        raise BadInput("SOURCE", f"there is no folder {source}; name a model of the hub as OWNER/NAME")
    _tell(model)
    if model.kind == installed_models.ENTAILMENT and _in_use() == "nobody":
        _tell_use(installed_models.write_entailment(weights, model), name)


@models.command("list")
@show_errors_plainly
def list_models() -> None:
    """List the models that were added and those of the installation, with their use."""
    from scoring.models import installed_models

    weights = Settings.read().weights
    added, problems = installed_models.installed_models(weights)
    echo(f"Decides whether one text follows from another: {_in_use()}.")
    for model in added:
        _tell(model)
    recogniser = model_settings.entities().model
    others = (model_settings.bertscore().model, *([recogniser] if recogniser else []))
    for entry in (*model_settings.embedders().embedders, *others):
        try:
            entry.checked_path()
            state = "ready"
        except ModelMissing as error:
            state = str(error)
        echo("\t".join((entry.name, entry.file, state)))
    for problem in problems:
        echo(problem, err=True)


@models.command()
@click.argument("name", required=False)
@click.option("--judge", help="Use a judge of models.yaml; second-reader entail asks it.")
@click.option("--nobody", is_flag=True, help="Use none.")
@show_errors_plainly
def use(name: str | None, judge: str | None, nobody: bool) -> None:
    """Choose what decides whether one text follows from another: the model NAME, a judge, or neither."""
    from scoring.models import installed_models

    if (name is not None) + (judge is not None) + nobody != 1:
        raise click.UsageError("Name one of: a model that was added, --judge JUDGE, or --nobody.")
    settings = Settings.read()
    if judge is not None:
        refuse_without_prompts(load_catalogue(settings.models), judge)
        path = installed_models.write_entailment(settings.weights, judge=judge)
    elif name is not None:
        installed_models.check_name(name)
        path = installed_models.write_entailment(
            settings.weights, installed_models.read_details(settings.weights / name)
        )
    else:
        path = installed_models.write_entailment(settings.weights)
    _tell_use(path, name or (f"the judge {judge}" if judge else "nobody"))


@models.command("test")
@show_errors_plainly
def try_model() -> None:
    """Ask the model in use about three pairs of sentences with obvious answers."""
    entailment = model_settings.entailment()
    if entailment.judge is not None:
        raise ModelMissing(
            f"The judge {entailment.judge} is in use, which may cost money. second-reader entail STUDY "
            "--dry-run shows what it would be asked."
        )
    from scoring.models.entailment import configured_entailer

    model = configured_entailer()
    began = time.perf_counter()
    verdicts = model.verdicts([(premise, hypothesis) for premise, hypothesis, _ in TRIAL_PAIRS])
    seconds = (time.perf_counter() - began) / len(TRIAL_PAIRS)
    echo(model.label)
    right = 0
    for (premise, hypothesis, expected), verdict in zip(TRIAL_PAIRS, verdicts, strict=True):
        right += verdict == expected
        echo(
            f"{premise} / {hypothesis}\n  {verdict}{'' if verdict == expected else f', expected {expected}'}"
        )
    echo(f"{right} of {len(TRIAL_PAIRS)} as expected, {seconds:.2f} seconds a pair.")
    if right < len(TRIAL_PAIRS):
        echo("Don't rely on numbers from this model.", err=True)
        sys.exit(1)


def _in_use() -> str:
    entailment = model_settings.entailment()
    if entailment.judge is not None:
        return f"the judge {entailment.judge}"
    return entailment.model.name if entailment.model is not None else "nobody"


def _tell(model: InstalledModel) -> None:
    from scoring.models.installed_models import KINDS

    source = f"{model.source}, revision {model.revision[:12]}" if model.revision else model.source
    stated = f"licence {model.license}" if model.license else "no licence stated: find out before you use it"
    echo(
        f"{model.name}: {KINDS[model.kind]}; {model.size / 1e6:,.1f} MB, {stated}; from {source}; weights "
        f"sha256 {model.sha256}"
    )


def _tell_use(path: Path, name: str) -> None:
    echo(f"From now on, {name} decides whether one text follows from another ({path}).")
