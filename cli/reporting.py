"""second-reader report"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import click

from cli.base import open_configured_store, show_errors_plainly, study_to_read
from cli.progress_line import percent_of, progress_line
from cli.terminal import echo
from data.store.private_files import make_folder, open_private
from reports.kinds import KINDS, ReportChoices

CHOICES = {"judge": "--judge", "names": "--names", "without_reasons": "--without-reasons", "bands": "--bands"}


def _write(to: Path, contents: Mapping[str, bytes]) -> None:
    """Write all files or none: a partial report would look complete."""
    unfinished = to.with_name(f"{to.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    try:
        for name, content in contents.items():
            make_folder((unfinished / name).parent)
            with open_private(unfinished / name, "wb") as file:
                file.write(content)
        if to.exists():
            to.rmdir()  # it is empty
        unfinished.rename(to)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


@click.command()
@click.argument("study")
@click.option(
    "--of", "kind", type=click.Choice([*KINDS]), default="agreement", help="The subject of the report."
)
@click.option("--judge", help="Whose labels, by name; by default the judge in use, or else the latest.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="A new folder for the report; by default STUDY-report, STUDY-drift, ...",
)
@click.option("--names", is_flag=True, help="Show raters by name instead of by code.")
@click.option(
    "--without-reasons",
    is_flag=True,
    help="Leave out whether the conversation supports the judge's reasons. This takes longest in a very "
    "large study.",
)
@click.option(
    "--bands", is_flag=True, help="Read Step-F1 by the published bands 0.4 and 0.7, which are uncalibrated."
)
@show_errors_plainly
def report(
    study: str,
    kind: str,
    judge: str | None,
    folder: Path | None,
    names: bool,
    without_reasons: bool,
    bands: bool,
) -> None:
    """Write a report of STUDY: one HTML file, every table as CSV, and all numbers as JSON. The report of
    agreement also has the labels for R and the alt-test.
    """
    given = {"judge": judge is not None, "names": names, "without_reasons": without_reasons, "bands": bands}
    for choice, option in CHOICES.items():
        if given[choice] and choice not in KINDS[kind].choices:
            kinds = ", ".join(name for name, report_kind in KINDS.items() if choice in report_kind.choices)
            raise click.ClickException(
                f"{option} is not an option for the report of {kind}, only for: {kinds}."
            )
    to = folder or Path(f"{study}-{'report' if kind == 'agreement' else kind}")
    if to.exists() and any(to.iterdir()):
        raise click.ClickException(f"{to} already exists and is not empty. Name another folder with --to.")
    store = open_configured_store()
    with progress_line(percent_of(f"report of {kind}"), "Nothing was written.") as line:
        choices = ReportChoices(judge, names, without_reasons, bands, line)
        with store.reading() as connection:
            contents = KINDS[kind].write_files(connection, study_to_read(connection, study), choices)
        _write(to, contents)
    if summary := json.loads(contents["report.json"]).get("summary"):
        echo(summary)
    echo(f"{len(contents):,} files written to {to}. Open {to / 'report.html'} first.")
