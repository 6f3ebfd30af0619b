"""second-reader score"""

from __future__ import annotations

import signal
import sys

import click

from cli.base import actor, open_configured_store, show_errors_plainly, study_to_read
from cli.progress_line import AGAIN, KEPT, counted, progress_line
from cli.terminal import echo
from data.store.parent_process import end_with_starter


@click.command()
@click.argument("study")
@click.option(
    "--lexicon",
    "lexicon_key",
    help="Which words make a clinical action: clinical-1 (default), reference-narrow, reference-wide.",
)
@show_errors_plainly
def score(study: str, lexicon_key: str | None) -> None:
    """Compute the metrics of STUDY that apply and are missing."""
    from reports.metrics.not_computed import no_metric_applies
    from runs.scoring import score_study

    store = open_configured_store()
    with store.reading() as connection:
        study_to_read(connection, study)  # the output counts a judge's answers
    with progress_line(counted("computing", "conversations"), f"{KEPT} {AGAIN}") as line:
        scored = score_study(store, study, actor(), lexicon_key, line)
    for sentence in scored.lines():
        echo(sentence)
    if not scored.computed and not scored.already:
        with store.reading() as connection:
            sentence = no_metric_applies(connection, study_to_read(connection, study))
        if sentence:
            echo(sentence)
    if scored.problems:
        sys.exit(1)


@click.command("score-in-turn", hidden=True)
@click.argument("studies", nargs=-1, required=True)
@show_errors_plainly
def score_in_turn(studies: tuple[str, ...]) -> None:
    """Compute the metrics of STUDIES at low priority, one process at a time; the command run and the pages
    start this.
    """
    from runs.scoring import background

    end_with_starter()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl+C ends it at once; finished work is kept
    background.score_in_turn(open_configured_store(), studies)
