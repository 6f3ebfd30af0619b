"""second-reader report"""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.base import open_configured_store, show_errors_plainly, study_to_read
from cli.terminal import echo
from data.private_files import make_folder, open_private


@click.command()
@click.argument("study")
@click.option("--judge", help="Whose labels, by name; the latest judge if it is not said.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write it: a new folder. STUDY-report if it is not said.",
)
@click.option("--names", is_flag=True, help="Raters by name. Without it they are Rater A, B, ...")
@show_errors_plainly
def report(study: str, judge: str | None, folder: Path | None, names: bool) -> None:
    """Write the agreement report of STUDY: one HTML file, every table as CSV, all numbers as JSON, and labels
    for R and the alt-test.
    """
    from reports.agreement.export_files import export_files, request_for

    to = folder or Path(f"{study}-report")
    if to.exists() and any(to.iterdir()):
        raise click.ClickException(f"{to} is there already and not empty. Name another folder with --to.")
    with open_configured_store().reading() as connection:
        asked = request_for(connection, study_to_read(connection, study), judge)
        report_files = export_files(connection, asked, pseudonyms=not names)
    for name, content in report_files.items():
        path = to / name
        make_folder(path.parent)
        with open_private(path, "wb") as file:
            file.write(content)
    if summary := json.loads(report_files["report.json"])["summary"]:
        echo(summary)
    echo(f"{len(report_files):,} files written to {to}. Open {to / 'report.html'} first.")
