"""second-reader import ..."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.base import actor, open_configured_store, print_report, show_errors_plainly
from cli.import_options import answers_of, parameters
from cli.terminal import echo
from configs.settings import Settings
from data.importers import study_folder, transactions
from data.importers.importer import Importer
from data.importers.registry import IMPORTERS, importers


class _ImportCommands(click.Group):
    """A command for each importer that is registered, made when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*self.commands, *(importer.name for importer in importers())])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        importer = next((each for each in importers() if each.name == cmd_name), None)
        if importer is not None:
            return _command(importer)
        if cmd_name not in self.commands and (problem := IMPORTERS.problem(cmd_name)):
            raise click.ClickException(problem)
        return super().get_command(ctx, cmd_name)


@click.group("import", cls=_ImportCommands)
def import_() -> None:
    """Bring in a study folder, conversations, judgements or ratings. All or nothing."""


@import_.command("study")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@show_errors_plainly
def import_study(folder: Path) -> None:
    """Import a whole study from FOLDER, described by its study.yaml."""
    settings = Settings.read()
    report = study_folder.add_study(
        open_configured_store(), folder, settings.instruments, settings.taxonomies, actor()
    )
    if report is None:
        echo("This study is there already; nothing was added.")
    else:
        print_report(report)


def _command(importer: Importer) -> click.Command:
    @show_errors_plainly
    def run(study: str, dry_run: bool, **typed: Any) -> None:
        path = Path(typed["folder"] if importer.takes_folder else typed["file"])
        answers = answers_of(importer, study, typed)
        print_report(
            transactions.import_file(
                open_configured_store(), study, path, actor(), importer, answers, dry_run
            )
        )

    return click.Command(importer.name, params=parameters(importer), callback=run, help=importer.help)
