"""second-reader report"""

from __future__ import annotations

import json
from pathlib import Path

import click

from cli.base import open_configured_store, show_errors_plainly, study_to_read
from cli.terminal import echo
from data.private_files import make_folder, open_private

KINDS = ("agreement", "drift")


@click.command()
@click.argument("study")
@click.option("--of", "kind", type=click.Choice(KINDS), default="agreement", help="What it is about.")
@click.option("--judge", help="Of agreement: whose labels, by name; the latest judge if it is not said.")
@click.option(
    "--to",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where to write it: a new folder. STUDY-report or STUDY-drift if it is not said.",
)
@click.option(
    "--names", is_flag=True, help="Of agreement: raters by name. Without it they are Rater A, B, ..."
)
@show_errors_plainly
def report(study: str, kind: str, judge: str | None, folder: Path | None, names: bool) -> None:
    """Write a report of STUDY: one HTML file, every table as CSV, all numbers as JSON; of agreement also
    labels for R and the alt-test.
    """
    from reports.agreement.export_files import export_files, request_for
    from reports.drift.report import drift_report
    from reports.render.files import report_files

    if kind != "agreement" and (judge is not None or names):
        raise click.ClickException("--judge and --names are for the report of agreement.")
    to = folder or Path(f"{study}-{'report' if kind == 'agreement' else kind}")
    if to.exists() and any(to.iterdir()):
        raise click.ClickException(f"{to} is there already and not empty. Name another folder with --to.")
    with open_configured_store().reading() as connection:
        studied = study_to_read(connection, study)
        if kind == "agreement":
            contents = export_files(connection, request_for(connection, studied, judge), pseudonyms=not names)
        else:
            contents = report_files(drift_report(connection, studied))
    for name, content in contents.items():
        path = to / name
        make_folder(path.parent)
        with open_private(path, "wb") as file:
            file.write(content)
    if summary := json.loads(contents["report.json"]).get("summary"):
        echo(summary)
    echo(f"{len(contents):,} files written to {to}. Open {to / 'report.html'} first.")
