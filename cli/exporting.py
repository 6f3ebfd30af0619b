"""second-reader export ..."""

from __future__ import annotations

from pathlib import Path

import click

from cli.base import open_the_store, plainly, the_study
from data import judgements
from data.exporters import run_folders


@click.group("export")
def export() -> None:
    """Write what is in the store as files for other programs."""


@export.command("run-folder")
@click.argument("study")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--judge", help="Whose scores; needed where the study has several judges.")
@plainly
def export_run_folder(study: str, folder: Path, judge: str | None) -> None:
    """Write STUDY as a run of plan-output alignment into FOLDER, as one judge scored it."""
    with open_the_store().reading() as connection:
        found = the_study(connection, study)
        judges = [one for one in judgements.judges(connection, found.id) if judge is None or one.name == judge]
        if len(judges) != 1:
            names = ", ".join(one.name for one in judgements.judges(connection, found.id))
            raise click.ClickException(f"Name one judge with --judge: {names}." if names else "This study has no judge.")
        count = run_folders.write(connection, found, judges[0], folder)
    click.echo(f"{count} trials written to {folder}.")

