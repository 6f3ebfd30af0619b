"""second-reader extensions"""

from __future__ import annotations

import click

from cli.base import show_errors_plainly
from cli.terminal import echo
from configs.registry import Registry
from data.importers.registry import IMPORTERS
from runs.scoring.registry import METRICS
from scoring.judges.provider_registry import PROVIDERS


@click.command()
@show_errors_plainly
def extensions() -> None:
    """List what other packages add to the program, and which additions can't be used."""
    registries: list[Registry[object]] = [METRICS, PROVIDERS, IMPORTERS]  # type: ignore[list-item]
    added = [
        f"{registry.kind}\t{entry.name}\t{entry.package}"
        for registry in registries
        for entry in registry.all()
        if not entry.is_own
    ]
    problems = [problem for registry in registries for problem in registry.problems()]
    for line in [*added, *problems]:
        echo(line)
    if not added and not problems:
        echo("No installed package adds a metric, a judge provider or an importer.")
