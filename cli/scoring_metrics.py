"""second-reader score"""

from __future__ import annotations

import sys

import click

from cli.base import actor, open_the_store, plainly


@click.command()
@click.argument("study")
@click.option("--lexicon", "lexicon_key", help="Which words make a clinical action: clinical-1 (default), reference-narrow, reference-wide.")
@plainly
def score(study: str, lexicon_key: str | None) -> None:
    """Compute the metrics of STUDY that apply and are not there yet."""
    from runs.scoring import score_study

    with click.progressbar(length=1, label="Scoring") as bar:
        def progress(done: int, total: int) -> None:
            bar.length = total
            bar.update(done - bar.pos)

        scored = score_study(open_the_store(), study, actor(), lexicon_key, progress)
    for line in scored.lines():
        click.echo(line)
    if scored.problems:
        sys.exit(1)

