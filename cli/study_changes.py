"""second-reader rename-study, archive-study, unarchive-study: change a study's title, or its place in the
list.
"""

from __future__ import annotations

import click

from cli.base import actor, open_configured_store, show_errors_plainly
from cli.terminal import echo, one_line
from data.access.permissions import Person, find_person
from data.record import studies
from data.record.studies import Study
from data.store.store import Store
from services.study_changes import rename_study, set_archived


@click.command("rename-study")
@click.argument("study")
@click.argument("title")
@show_errors_plainly
def rename(study: str, title: str) -> None:
    """Give STUDY another TITLE. Its key stays."""
    store, target, person = _find(study)
    rename_study(store, actor(), person, target, title)
    with store.reading() as connection:
        echo(one_line(f"{study} is now called {studies.get(connection, target.id).title}."))


@click.command("archive-study")
@click.argument("study")
@show_errors_plainly
def archive(study: str) -> None:
    """Take STUDY out of the list of studies. Nothing is deleted, and raters can save what they have begun."""
    store, target, person = _find(study)
    set_archived(store, actor(), person, target, True)
    echo(f"{study} is archived. To restore it: second-reader unarchive-study {study}")


@click.command("unarchive-study")
@click.argument("study")
@show_errors_plainly
def unarchive(study: str) -> None:
    """Put STUDY back in the list of studies."""
    store, target, person = _find(study)
    set_archived(store, actor(), person, target, False)
    echo(f"{study} is back in the list.")


def _find(key: str) -> tuple[Store, Study, Person]:
    store = open_configured_store()
    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
        return store, study, find_person(connection, study, actor())
