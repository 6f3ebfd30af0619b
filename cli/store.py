"""Commands for the store: create, check, copy and restore it, erase words, and add raters."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import click

from cli.base import (
    FILE,
    PROBLEMS_PRINTED,
    actor,
    close_at_exit,
    open_configured_store,
    read_heads,
    require_words,
    show_errors_plainly,
)
from cli.progress_line import AGAIN, KEPT, ProgressLine, counted, percent_of, progress_line
from cli.terminal import echo, one_line
from configs.settings import Settings
from data.keeping.backup import backup as make_backup
from data.keeping.backup import restore as bring_back
from data.keeping.verify import verify as check_store
from data.labels import agreement_labels
from data.record import studies
from data.record.rater_names import split_names
from data.store.private_files import open_private
from data.store.store import sqlite_path
from runs.prepare import ready_store, score_samples
from services.raters import add_raters
from services.study_changes import forget_conversation
from words.plurals import count


@click.command()
@show_errors_plainly
def prepare() -> None:
    """Create and migrate the store, add the sample studies, and compute their metrics."""
    settings = Settings.read()
    with progress_line(percent_of("sample studies"), f"{KEPT} {AGAIN}") as line:
        store = close_at_exit(ready_store(settings, line))
    if settings.samples:
        with progress_line(percent_of("metrics"), f"{KEPT} {AGAIN}") as line:
            score_samples(store, partial(_tell, line))
    echo(f"The store is ready: {store.path}")


def _tell(line: ProgressLine, study: str, scored: int, total: int) -> None:
    line.words = counted(f"metrics of {study}", "conversations")
    line(scored, total)


@click.command()
@click.option(
    "--heads", type=FILE, help="A file of head hashes exported earlier, one 'number hash' per line."
)
@click.option(
    "--export",
    "export_to",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Append the current head hash to this file.",
)
@show_errors_plainly
def verify(heads: Path | None, export_to: Path | None) -> None:
    """Check that no rating, judgement or reveal was altered or removed, and that only the program wrote to
    the database.
    """
    store = close_at_exit(ready_store(Settings.read()))
    echo(f"The store {store.path}:", err=True)
    with store.reading() as connection:
        check = check_store(connection, read_heads(heads) if heads else None)
    for remark in check.remarks:
        echo(f"NOTE: {remark}", err=True)
    for problem in check.problems[:PROBLEMS_PRINTED]:
        echo(f"PROBLEM: {problem}", err=True)
    echo(
        f"{check.entries:,} entries and {check.rows:,} rows checked, {check.erased:,} texts erased. Head: "
        f"{check.entries} {check.head}"
    )
    if check.problems:
        raise click.ClickException(f"{check.problem_count:,} problem(s). The store does not verify.")
    if export_to and check.entries:
        with open_private(export_to, "a", encoding="ascii") as file:
            file.write(f"{check.entries} {check.head}\n")


@click.command()
@click.argument("target", type=click.Path(path_type=Path))
@show_errors_plainly
def backup(target: Path) -> None:
    """Write a consistent copy of the store to TARGET, even while the app runs."""
    settings = Settings.read()
    path = sqlite_path(settings.database_url)
    if not path.exists():
        raise click.ClickException(
            f"There is no store at {path}, so there is nothing to copy. Does the app use the same "
            "SECOND_READER_DATABASE_URL?"
        )
    store = open_configured_store()
    make_backup(store, target)
    with store.reading() as connection:
        count = sum(
            agreement_labels.rating_count(connection, study.id) for study in studies.listing(connection)
        )
    echo(f"Copied {path} with {count:,} ratings to {target}.")


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@show_errors_plainly
def restore(source: Path) -> None:
    """Check the backup SOURCE and make it the store; the old store is kept next to it."""
    kept = bring_back(source, Settings.read().database_url)
    echo("Restored." + (f" The previous store is kept as {kept}." if kept else ""))


@click.command("studies")
@show_errors_plainly
def list_studies() -> None:
    """List the studies with their keys; archived ones say so."""
    with open_configured_store().reading() as connection:
        for study in studies.listing(connection):
            state = "\tarchived" if study.archived else ""
            echo(
                f"{study.key}\t{one_line(study.title)}\t"
                f"{count(studies.unit_count(connection, study.id), 'unit', 'units')}\t{study.data_class}"
                f"{state}"
            )


@click.command()
@click.argument("study")
@click.argument("conversation")
@click.option(
    "--reason", required=True, callback=require_words, help="Why; it is kept, so don't name anybody."
)
@click.confirmation_option(
    prompt="This deletes the words of the conversation and all notes about it for good. Continue?"
)
@show_errors_plainly
def erase(study: str, conversation: str, reason: str) -> None:
    """Erase the words of CONVERSATION in STUDY. Its labels stay, and the trail still verifies."""
    store = open_configured_store()
    with store.reading() as connection:
        found = studies.get_by_key(connection, study)
    forgotten = forget_conversation(store, actor(), found, conversation, reason)
    echo(f"{forgotten.texts} texts erased. Backups made earlier still contain them.")
    for other_study, key in forgotten.elsewhere:
        echo(one_line(f"The same words are in the study {other_study} as {key}. Erase them there too."))


@click.command("add-rater")
@click.argument("study")
@click.argument("name")
@show_errors_plainly
def add_rater(study: str, name: str) -> None:
    """Add a rater to STUDY, or several names separated by commas or semicolons."""
    names = split_names(name) or (name,)
    store = open_configured_store()
    with store.reading() as connection:
        rated_study = studies.get_by_key(connection, study)
    add_raters(store, actor(), rated_study, enumerate(names, start=1), "add rater")
    echo(f"{', '.join(names)} can now be chosen in {rated_study.title}.")
