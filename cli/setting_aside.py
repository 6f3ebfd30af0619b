"""second-reader raters ...: choose whose labels count in the headline."""

from __future__ import annotations

import click

from cli.base import actor, open_configured_store, require_words, show_errors_plainly, study_to_read
from cli.terminal import echo, one_line
from data.record import studies
from data.record.set_aside import set_aside_history
from data.record.studies import Study
from data.store.errors import NotFound
from data.store.store import Connection
from services.raters import count_labels


@click.group("raters")
def raters() -> None:
    """Leave a rater's labels out of the headline, or include them again, each time with name and reason."""


@raters.command("list")
@click.argument("study")
@show_errors_plainly
def list_raters(study: str) -> None:
    """List the raters of STUDY, and each time one was set aside or taken back."""
    with open_configured_store().reading() as connection:
        rated_study = study_to_read(connection, study)
        history = set_aside_history(connection, rated_study.id)
        for rater in studies.raters(connection, rated_study.id):
            echo(one_line(rater.name))
            for step in history:
                if step.rater_id == rater.id:
                    echo(
                        f"  {'taken back' if step.back else 'set aside'} on {step.at[:10]} by "
                        f"{one_line(step.by)}: {one_line(step.reason)}"
                    )


@raters.command("set-aside")
@click.argument("study")
@click.argument("rater")
@click.option("--by", required=True, callback=require_words, help="Your name.")
@click.option("--reason", required=True, callback=require_words, help="Why; every report shows it.")
@show_errors_plainly
def set_aside(study: str, rater: str, by: str, reason: str) -> None:
    """Leave the labels of RATER (a name) out of the headline of STUDY. The ratings don't change."""
    _step(study, rater, by, reason, back=False)
    echo(f"{rater} is set aside. Reports show the answers with and without these labels.")


@raters.command("take-back")
@click.argument("study")
@click.argument("rater")
@click.option("--by", required=True, callback=require_words, help="Your name.")
@click.option("--reason", required=True, callback=require_words, help="Why.")
@show_errors_plainly
def take_back(study: str, rater: str, by: str, reason: str) -> None:
    """Include the labels of RATER (a name) in the headline of STUDY again."""
    _step(study, rater, by, reason, back=True)
    echo(f"{rater} is no longer set aside.")


def _step(study: str, rater: str, by: str, reason: str, *, back: bool) -> None:
    store = open_configured_store()
    with store.reading() as connection:
        found = study_to_read(connection, study)
        rater_id = _rater(connection, found, rater)
    count_labels(store, actor(), found, rater_id, by, reason, counts=back)


def _rater(connection: Connection, study: Study, name: str) -> int:
    names = {rater.name: rater.id for rater in studies.raters(connection, study.id)}
    if name not in names:
        raise NotFound(f"{study.key} has no rater {name!r}. There are: {', '.join(names) or 'none'}.")
    return names[name]
