"""second-reader judge, judges, worker"""

from __future__ import annotations

import shlex
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import click

from cli.asking_options import STILL_PENDING, budget_option, dry_run_option, retry_failures_option
from cli.base import (
    FiniteRange,
    actor,
    open_configured_store,
    require_words,
    show_errors_plainly,
    study_to_read,
)
from cli.progress_line import ProgressLine, counted
from cli.terminal import echo
from configs.settings import Settings
from data.record import judge_runs
from data.record.judge_runs import JudgeRunOptions
from data.store.parent_process import end_with_starter
from data.store.store import Store
from reports.refusals import word_error
from runs.judging import RESUMABLE_STOPS, configure_run, dry_run, judge_study, work
from runs.judging.families import same_family
from scoring.judges.catalogue import load_catalogue
from scoring.judges.provider_registry import PROVIDERS


@click.command()
@click.argument("study")
@click.option(
    "--judge",
    "name",
    required=True,
    callback=require_words,
    help="A judge of models.yaml; second-reader judges lists them.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Only the first N units.")
@budget_option
@click.option(
    "--replicates",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="Ask K times in all about a random share of the units, every safety NO, and an equal number of "
    "safety YES labels. "
    "The first answer remains the judge's label.",
)
@click.option(
    "--share",
    type=FiniteRange(0, 1, min_open=True),
    default=0.05,
    show_default=True,
    help="The random share of the units for --replicates.",
)
@retry_failures_option
@click.option(
    "--resume",
    is_flag=True,
    help="Continue with pending units. This is the default.",
)
@click.option(
    "--batch",
    is_flag=True,
    help="Send the calls as one job at the lower price; the answers arrive within a day (Gemini only).",
)
@click.option(
    "--anchors",
    "only_anchors",
    is_flag=True,
    help="Only the locked set (the anchors), three times each: continue the open round, or start a new one. "
    "Use this to compare a new judge before it is used.",
)
@click.option("--served", callback=require_words, help="Confirm that the model may answer under this name.")
@dry_run_option
@show_errors_plainly
def judge(
    study: str,
    name: str,
    limit: int | None,
    budget: int | None,
    replicates: int,
    share: float,
    retry_failures: bool,
    resume: bool,
    batch: bool,
    only_anchors: bool,
    served: str | None,
    dry: bool,
) -> None:
    """Ask a judge about the units of STUDY that it has not answered yet. Ctrl+C waits for calls that are
    under way, then stops.
    """
    store = open_configured_store()
    with store.reading() as connection:
        study_to_read(connection, study)
    setting = configure_run(store, Settings.read(), study, name)
    options = JudgeRunOptions(replicates, share, limit, budget, retry_failures, batch)
    options = setting.on_the_anchors(options) if only_anchors else options
    warning = same_family(setting)
    if warning:
        echo(f"Warning: {warning}", err=True)
    if dry:
        echo(dry_run(setting, options).sentence())
        missing = setting.catalogue.missing(name)
        if missing:
            echo(missing, err=True)
        return
    if resume:
        echo("Continuing with pending units.")
    with _watching(store):
        finished = judge_study(setting, options, actor(), served=served)
    echo(finished.said)
    if finished.outcome == "unconfirmed" and finished.served:
        echo(
            "To confirm it: "
            f"{shlex.join(['second-reader', 'judge', study, '--judge', name, '--served', finished.served])}"
        )
    if not finished.good:
        if finished.outcome in RESUMABLE_STOPS:
            echo(STILL_PENDING, err=True)
        sys.exit(1)


@contextmanager
def _watching(store: Store) -> Iterator[None]:
    """Print the progress from time to time, from the record that the page reads."""
    over = threading.Event()
    line = ProgressLine(counted("asking", "calls"))

    def watch() -> None:
        while not over.wait(1.0):
            with store.reading() as connection:
                latest = judge_runs.latest_progress(connection)
            if latest:
                line.words = counted("asking", f"calls, {latest.in_flight} in flight")
                line(latest.done, latest.total)

    thread = threading.Thread(target=watch, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        line.end()


@click.command()
@show_errors_plainly
def judges() -> None:
    """List the judges of models.yaml, and what each needs before it can run."""
    catalogue = load_catalogue(Settings.read().models)
    for name, entry in catalogue.judges.items():
        model = catalogue.asked_as(name).model
        data_classes = ", ".join(entry.data_classes) or "no data"
        echo("\t".join((name, entry.provider, model, data_classes, catalogue.missing(name) or "ready")))
    for problem in PROVIDERS.problems():
        echo(problem, err=True)


@click.command()
@show_errors_plainly
def worker() -> None:
    """Run the worker, the background program that does the judge runs started on the page, one after
    another, until it is stopped.
    """
    end_with_starter()
    work(open_configured_store(), Settings.read(), echo, word_error)
