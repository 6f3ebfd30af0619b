"""second-reader export ..."""

from __future__ import annotations

from pathlib import Path

import click

from cli.base import actor, open_configured_store, show_errors_plainly, study_to_read
from cli.terminal import echo
from configs.settings import Settings
from data.exporters import assessments, drawn_units, metric_values, run_folders, study_bundle, target_plans
from data.record import judgements
from data.record.judgements import Judge
from data.record.studies import Study
from data.store.private_files import open_private
from data.store.store import Connection
from runs.judging import configure_run
from runs.judging.recordings import recordings
from runs.scoring.shown_metrics import run_folder_values
from scoring.judges.replay import read_recordings
from words.plurals import count, inflect


@click.group("export")
def export() -> None:
    """Write data of the store to files for other programs."""


@export.command("run-folder")
@click.argument("study")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--judge", help="Whose scores; required if the study has several judges.")
@show_errors_plainly
def export_run_folder(study: str, folder: Path, judge: str | None) -> None:
    """Write STUDY as a run of plan-output alignment into FOLDER, as one judge scored it."""
    with open_configured_store().reading() as connection:
        found = study_to_read(connection, study)
        judge_ = _one_judge(connection, found, judge)
        count = run_folders.write(connection, found, judge_, folder, run_folder_values(connection, found))
    echo(f"{count} trials written to {folder}.")


@export.command("recordings")
@click.argument("study")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--judge", help="Whose labels; required if the study has several judges.")
@click.option(
    "--as",
    "as_judge",
    required=True,
    help="The judge of models.yaml whose requests are recorded and replayed.",
)
@show_errors_plainly
def export_recordings(study: str, file: Path, judge: str | None, as_judge: str) -> None:
    """Append a judge's labels of STUDY to FILE as recordings, which a judge with the provider replay repeats
    without a model.
    """
    store = open_configured_store()
    with store.reading() as connection:
        study_to_read(connection, study)
    setting = configure_run(store, Settings.read(), study, as_judge)
    with store.reading() as connection:
        judge_ = _one_judge(connection, setting.study, judge)
    recordings_by_key = read_recordings(file) if file.exists() else {}
    fresh = [recording for recording in recordings(setting, judge_) if recording.key not in recordings_by_key]
    with open_private(file, "a", encoding="utf-8") as opened:
        opened.writelines(recording.model_dump_json() + "\n" for recording in fresh)
    echo(f"{len(fresh):,} recordings added to {file}.")


@export.command("drawn")
@click.argument("study")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@show_errors_plainly
def export_drawn(study: str, file: Path) -> None:
    """Write the units of STUDY that were selected for rating to FILE (CSV), with why each was
    selected and with what chance.
    """
    with open_configured_store().reading() as connection:
        count = drawn_units.write(connection, study_to_read(connection, study), file)
    echo(f"{count:,} units written to {file}.")


@export.command("metrics")
@click.argument("study")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@show_errors_plainly
def export_metrics(study: str, file: Path) -> None:
    """Write the latest number of every metric of STUDY to FILE (CSV), or the reason why there is none."""
    with open_configured_store().reading() as connection:
        count = metric_values.write(connection, study_to_read(connection, study), file)
    echo(f"{count:,} numbers written to {file}.")


@export.command("table")
@click.argument("study")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--no-words", is_flag=True, help="Leave out notes, reasonings and marked words.")
@show_errors_plainly
def export_table(study: str, file: Path, no_words: bool) -> None:
    """Write every label of STUDY by a rater or a judge as a row of FILE (.csv, .jsonl, .parquet or .xlsx),
    and say of each whether the headline counts it. A second file explains the columns.
    """
    from reports.agreement.rating_table import write_rating_table

    with open_configured_store().reading() as connection:
        rows, explained = write_rating_table(connection, study_to_read(connection, study), file, not no_words)
    echo(f"{count(rows, 'row', 'rows')} written to {file}. {explained.name} explains its columns.")


@export.command("disagreements")
@click.argument("study")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--words", is_flag=True, help="With notes, reasons, the judge's reasoning and marked words.")
@show_errors_plainly
def export_disagreements(study: str, file: Path, words: bool) -> None:
    """Write to FILE (.md or .jsonl) where blind labels of STUDY differ, or a judge's label from them: every
    label, and what was settled.
    """
    from reports.agreement.disagreement_file import write_disagreements

    with open_configured_store().reading() as connection:
        written = write_disagreements(connection, study_to_read(connection, study), file, words)
    echo(f"{count(written, 'disagreement', 'disagreements')} written to {file}.")


@export.command("study")
@click.argument("study")
@click.argument("path", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@show_errors_plainly
def export_study(study: str, path: Path) -> None:
    """Write all of STUDY to FILE (.sqlite or .db) or to FOLDER as JSON Lines, with its texts and the trail it
    rests on. `import study` reads it into another store.
    """
    store = open_configured_store()
    with store.reading() as connection:
        target = study_to_read(connection, study)
    written = study_bundle.export_study(store, target, path, actor())
    echo(f"{count(written.rows, 'row', 'rows')} written to {path}. Head: {written.seq} {written.head}")


@export.command("target-plans")
@click.argument("study")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
@show_errors_plainly
def export_target_plans(study: str, file: Path) -> None:
    """Write the current target plans of STUDY to FILE (JSON), in a form that can be imported."""
    with open_configured_store().reading() as connection:
        text, count = target_plans.text(connection, study_to_read(connection, study))
    with open_private(file, "x", encoding="utf-8") as opened:
        opened.write(text)
    echo(f"{count:,} {inflect(count, 'plan', 'plans')} written to {file}.")


@export.command("assessments")
@click.argument("study")
@click.argument("path", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option("--judge", help="Export only this judge's labels.")
@click.option(
    "--rater",
    help="Export only this rater's labels. Name the rater by the code in reports, such as 'Rater K7'.",
)
@click.option(
    "--exposure",
    type=click.Choice(list(assessments.EXPOSURE_ARMS)),
    default="blind",
    show_default=True,
    help="Which labels of raters, by what they had seen of the judge.",
)
@show_errors_plainly
def export_assessments(study: str, path: Path, judge: str | None, rater: str | None, exposure: str) -> None:
    """Write the answers, reasons and score of each conversation of STUDY, by judge and rater. FILE (.json or
    .jsonl) takes one judge's or rater's, FOLDER one file each. They can be imported again.
    """
    if judge is not None and rater is not None:
        raise click.ClickException("Name a judge or a rater, not both.")
    with open_configured_store().reading() as connection:
        study_ = study_to_read(connection, study)
        written = assessments.read_assessments(connection, study_, judge, rater, exposure)
        if path.suffix.lower() in {".json", ".jsonl"}:
            assessments.write_file(study_, written, path)
            echo(f"{written.count:,} {_assessments(written.count)} written to {path}.")
        else:
            names = assessments.write_folder(study_, written, path)
            echo(f"{written.count:,} {_assessments(written.count)} written to {path}: {', '.join(names)}.")
    if written.set_aside:
        echo(
            f"Left out: {written.set_aside} {inflect(written.set_aside, 'rater who is', 'raters who are')} "
            "set aside."
        )
    if written.other_exposure:
        echo(
            f"Left out: {count(written.other_exposure, 'rater', 'raters')} without a label of the exposure "
            f"{exposure}. --exposure names another."
        )


def _assessments(count: int) -> str:
    return inflect(count, "assessment", "assessments")


def _one_judge(connection: Connection, study: Study, name: str | None) -> Judge:
    judges = [
        judge for judge in judgements.judges(connection, study.id) if name is None or judge.name == name
    ]
    if len(judges) != 1:
        names = ", ".join(judge.name for judge in judgements.judges(connection, study.id))
        raise click.ClickException(
            f"Name one judge with --judge: {names}." if names else "This study has no judge."
        )
    return judges[0]
