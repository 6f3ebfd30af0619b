"""second-reader import ..."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from cli.base import (
    FILE,
    actor,
    open_configured_store,
    print_report,
    read_heads,
    show_errors_plainly,
    study_to_read,
)
from cli.import_options import answers_of, parameters
from cli.progress_line import percent_of, progress_line
from cli.terminal import echo
from configs.settings import Settings
from data.importers import file_import, own_process, study_folder
from data.importers.bundle_files import is_bundle
from data.importers.importer import Importer
from data.importers.kinds.mapped_file import MappedFiles
from data.importers.mapping.questions import open_questions
from data.importers.mapping.table_mapping import mapping_yaml
from data.importers.mapping.targets import read_sample_apart, target_of_instrument, target_of_study
from data.importers.recognition import UNKNOWN, recognise
from data.importers.registry import IMPORTERS, importers
from data.importers.report import ImportRefused, ImportReport
from data.importers.study_bundle import import_bundle
from data.importers.vera_mh_rubric import instrument_of_rubric, left_out_questions
from data.store.errors import Refused
from data.store.private_files import open_private
from reports.refusals import word_notice
from scoring.bad_input import BadInput
from scoring.instruments import parse_instrument
from words.plurals import join_words

RETIRED = ("messages", "table")
# True even if Ctrl+C comes during the commit.
STOPPED = "The file was imported whole or not at all; the same command adds nothing twice."


class _ImportCommands(click.Group):
    """One command per registered importer, made when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*self.commands, *(importer.name for importer in importers())])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        importer = next((each for each in importers() if each.name == cmd_name), None)
        if importer is not None:
            return _command(importer)
        if cmd_name in RETIRED:
            raise click.ClickException(
                f"`import {cmd_name}` is now `import file`, which reads any table. `import mapping` proposes "
                "what its columns mean."
            )
        if cmd_name not in self.commands and (problem := IMPORTERS.problem(cmd_name)):
            raise click.ClickException(problem)
        return super().get_command(ctx, cmd_name)


@click.group("import", cls=_ImportCommands)
def import_() -> None:
    """Import a study folder, conversations, judgements or ratings. All or nothing."""


@import_.command("study")
@click.argument("path", metavar="FOLDER|FILE", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--heads", type=FILE, help="A file of kept head hashes of a bundle, one 'number hash' per line."
)
@show_errors_plainly
def import_study(path: Path, heads: Path | None) -> None:
    """Import a whole study: a folder described by its study.yaml, or what `export study` wrote."""
    settings, store = Settings.read(), open_configured_store()
    if is_bundle(path):
        with progress_line(percent_of(path.name), STOPPED) as line:
            kept_heads = read_heads(heads) if heads else {}
            report = import_bundle(
                store, path, actor(), kept_heads, lambda _, steps, total: line(steps, total)
            )
        print_report(report)
        return
    if not path.is_dir() or heads:
        raise Refused("not_a_bundle", name=path.name)
    added = study_folder.add_study(store, path, settings.instruments, settings.taxonomies, actor())
    if added is None:
        echo("The store already has this study; nothing was added.")
    else:
        print_report(added)


@import_.command("vera-mh-rubric")
@click.argument("rubric", type=FILE)
@click.argument("instrument", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--key", default="vera_mh_questions", show_default=True, help="The key of the instrument.")
@click.option("--version", "version", required=True, help="The version of the rubric, such as 2.")
@click.option("--title", default="VERA-MH, question by question", show_default=True)
@show_errors_plainly
def import_vera_mh_rubric(rubric: Path, instrument: Path, key: str, version: str, title: str) -> None:
    """Write the question form RUBRIC (rubric.tsv, with GOTO) as the instrument file INSTRUMENT (.yaml). Each
    question is asked after the answers that lead to it. Put the file into the folder of instruments.
    """
    if instrument.suffix != ".yaml":
        raise BadInput("INSTRUMENT", f"{instrument.name} must end in .yaml")
    if instrument.exists():
        raise BadInput(
            "INSTRUMENT",
            f"{instrument} already exists; name another file, or delete it if no study uses it",
        )
    text = instrument_of_rubric(rubric, key, version, title)
    questions = len(parse_instrument(text, instrument.name).criteria)
    with open_private(instrument, "x", encoding="utf-8") as file:
        file.write(text)
    echo(f"{questions:,} questions written to {instrument}.")
    if left_out := left_out_questions(rubric):
        echo(f"Left out, because only one answer is possible: {join_words(left_out)}.")


@import_.command("recognise")
@click.argument("file", type=FILE)
@show_errors_plainly
def recognise_file(file: Path) -> None:
    """Show what kind of file FILE seems to be, and which command imports it."""
    recognition = recognise(file)
    if recognition.importer is None:
        raise click.ClickException(recognition.problem)
    echo(recognition.title)
    echo(f"second-reader import {recognition.importer.name} STUDY {file.name}")


@import_.command("mapping")
@click.argument("study")
@click.argument("file", type=FILE)
@click.option("--sheet", default="", help="The sheet of a workbook; by default the first with cells.")
@click.option("--instrument", help="For a study that is still to be created: its instrument.")
@show_errors_plainly
def propose_mapping(study: str, file: Path, sheet: str, instrument: str | None) -> None:
    """Print a proposal of what the columns and cells of the table FILE mean, for --mapping of `import file`.
    What the file doesn't tell is listed on standard error.
    """
    own_process.prepare()
    store = open_configured_store()
    sample = read_sample_apart(file, sheet)
    if sample.problem:
        raise click.ClickException(sample.problem)
    with store.reading() as connection:
        if instrument is None:
            target = target_of_study(connection, study_to_read(connection, study), sample.columns)
        else:
            target = target_of_instrument(Settings.read().instruments / f"{instrument}.yaml")
    mapping = target.propose(sample)
    echo(mapping_yaml(mapping).rstrip())
    for question in open_questions(mapping, sample, target.rubric):
        echo(word_notice(question), err=True)


def _hint(importer: Importer, path: Path, report: ImportReport) -> None:
    """Print what a refused file seems to be, unless the report already says so."""
    if importer.takes_folder:
        return
    recognition = recognise(path)
    if recognition.importer is None:
        if recognition.problem != UNKNOWN and not _is_told(recognition.problem, report):
            echo(recognition.problem, err=True)
    elif recognition.importer.name not in (importer.name, MappedFiles.name):  # any table can be mapped
        echo(
            f"{recognition.title} Import it with: second-reader import {recognition.importer.name}",
            err=True,
        )


def _is_told(sentence: str, report: ImportReport) -> bool:
    """Tell whether an error of the report contains the sentence, or is part of it."""
    words = sentence.casefold().removesuffix(".")
    messages = [problem.message.casefold().removesuffix(".") for problem in report.problems if problem.fatal]
    return any(message in words or words in message for message in messages)


def _command(importer: Importer) -> click.Command:
    @show_errors_plainly
    def run(study: str, dry_run: bool, **typed: Any) -> None:
        own_process.prepare()  # starts while the store opens
        path = Path(typed["folder"] if importer.takes_folder else typed["file"])
        answers = answers_of(importer, study, typed)
        store = open_configured_store()
        with progress_line(percent_of(path.name), STOPPED) as line:

            def tell(words: str, steps: float, total: float) -> None:
                line.words = percent_of(f"{path.name}, {words}")
                line(steps, total)

            try:
                report = file_import.import_file(
                    store, study, path, actor(), importer, answers, dry_run, tell
                )
            except ImportRefused as refused:
                line.end()
                _hint(importer, path, refused.report)
                raise
        print_report(report)

    return click.Command(importer.name, params=parameters(importer), callback=run, help=importer.help)
