"""second-reader import ... of wide tables, run folders, paired runs and runs in numbers."""

from __future__ import annotations

from pathlib import Path

import click

from cli.base import FILE, actor, open_configured_store, print_report, show_errors_plainly
from configs.settings import Settings
from data.importers import study_folder, transactions
from data.importers.imported_ratings import EXPOSURES
from data.importers.wide_tables import WideTableOptions
from data.judgements import JudgeIdentity
from data.rater_names import split_names
from data.studies import StudySpec


@click.command("table")
@click.argument("study")
@click.argument("file", type=FILE)
@click.option(
    "--person",
    "people",
    multiple=True,
    help="A person, as the columns name them: human for human_Empathy. May be given several times.",
)
@click.option(
    "--judge", "judges", multiple=True, help="A judge, as the columns name it. May be given several times."
)
@click.option(
    "--key",
    "keys",
    multiple=True,
    help="A column that names the item; several are joined. Otherwise all that hold no labels.",
)
@click.option(
    "--exposure",
    type=click.Choice(EXPOSURES),
    default=None,
    help="What the people had seen of the judges when they rated.",
)
@click.option("--source", default="", help="How you know: a protocol, a person, a publication.")
@click.option(
    "--new", is_flag=True, help="Make the study first, of the table's items; their words stay elsewhere."
)
@click.option("--instrument", help="With --new: the instrument, such as mentalalign.")
@click.option("--title", help="With --new: the title; otherwise the key.")
@click.option(
    "--data-class",
    type=click.Choice(["synthetic", "deidentified", "phi"]),
    help="With --new: unstated means phi.",
)
@click.option(
    "--same-person",
    default="",
    metavar="COLUMN",
    help="The column that names the person behind an item, such as client_id; "
    "none where every item is of another person.",
)
@click.option(
    "--rater-column",
    default="",
    metavar="COLUMN",
    help="The column that says who gave the people's labels of a row, where each person has rows of "
    "their own; none where no column does.",
)
@click.option("--dry-run", is_flag=True, help="Check the file and say what would be added.")
@show_errors_plainly
def import_table(
    study: str,
    file: Path,
    people: tuple[str, ...],
    judges: tuple[str, ...],
    keys: tuple[str, ...],
    exposure: str | None,
    source: str,
    new: bool,
    instrument: str | None,
    title: str | None,
    data_class: str | None,
    same_person: str,
    rater_column: str,
    dry_run: bool,
) -> None:
    """Import labels of people and judges from FILE: a CSV with a row an item and columns such as
    human_Empathy, gpt-4o_Empathy.
    """
    settings, new_study = Settings.read(), None
    if new:
        if not instrument:
            raise click.ClickException("A new study needs --instrument, such as --instrument mentalalign.")
        spec = StudySpec(study, title or study, 0, data_class=data_class or "phi")
        new_study = study_folder.NewStudy(
            spec, instrument, None, (), settings.instruments, settings.taxonomies
        )
    wide = WideTableOptions(
        people, judges, keys, exposure or "", source, same_person.strip(), rater_column.strip()
    )
    print_report(
        transactions.import_wide_table(
            open_configured_store(), study, file, actor(), wide, dry_run, new_study
        )
    )


@click.command("run-folder")
@click.argument("study")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option(
    "--taxonomy", help="Make the study first, with this taxonomy of strategies, such as dream_code_7."
)
@click.option(
    "--data-class",
    type=click.Choice(["synthetic", "deidentified", "phi"]),
    help="With --taxonomy: unstated means phi.",
)
@click.option(
    "--rater",
    "raters",
    multiple=True,
    help="With --taxonomy: a rater's name, or several with commas or semicolons between; may be given "
    "several times.",
)
@click.option(
    "--judge",
    default="judge of the run",
    show_default=True,
    help="The name of the judge whose scores are in judgments.json.",
)
@click.option("--model", default="unknown", show_default=True)
@click.option("--dry-run", is_flag=True, help="Check the folder and say what would be added.")
@show_errors_plainly
def import_run_folder(
    study: str,
    folder: Path,
    taxonomy: str | None,
    data_class: str | None,
    raters: tuple[str, ...],
    judge: str,
    model: str,
    dry_run: bool,
) -> None:
    """Import a run of plan-output alignment from FOLDER: trials/, judgments.json, frozen_history.json,
    metrics.json.
    """
    settings, new = Settings.read(), None
    if taxonomy:
        new = study_folder.NewStudy(
            StudySpec(study, study, 0, data_class=data_class or "phi"),
            "plan_alignment",
            taxonomy,
            split_names(*raters),
            settings.instruments,
            settings.taxonomies,
        )
    print_report(
        transactions.import_run_folder(
            open_configured_store(), study, folder, actor(), JudgeIdentity(judge, model=model), dry_run, new
        )
    )


@click.command("paired-runs")
@click.argument("study")
@click.argument("file", type=FILE)
@click.option("--dry-run", is_flag=True, help="Check the file and say what would be added.")
@show_errors_plainly
def import_paired_runs(study: str, file: Path, dry_run: bool) -> None:
    """Import paired answers from FILE: JSONL or CSV with id, mode (cot, direct, bias), model_name,
    output_text.
    """
    print_report(transactions.import_paired_runs(open_configured_store(), study, file, actor(), dry_run))


@click.command("run-table")
@click.argument("study")
@click.argument("file", type=FILE)
@click.option("--dry-run", is_flag=True, help="Check the file and say what would be added.")
@show_errors_plainly
def import_run_table(study: str, file: Path, dry_run: bool) -> None:
    """Import runs in numbers from FILE: experiment_runs.csv, slice_depth_runs.csv, or average curves as
    drift_metrics.json.
    """
    print_report(transactions.import_run_table(open_configured_store(), study, file, actor(), dry_run))
