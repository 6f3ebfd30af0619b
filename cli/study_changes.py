"""second-reader rename-study, archive-study, unarchive-study, erase-study: change a study's title or its
place in the list, or erase its words.
"""

from __future__ import annotations

import click

from cli.base import actor, open_configured_store, require_words, show_errors_plainly
from cli.terminal import echo, one_line
from data.access.permissions import Action, Person, find_person, require
from data.keeping.erase import count_words
from data.record import studies
from data.record.studies import Study
from data.store.store import Store
from reports.wording import describe_erasure
from services.study_changes import forget_study, rename_study, set_archived
from words.plurals import count


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


@click.command("erase-study")
@click.argument("study")
@click.option(
    "--reason", required=True, callback=require_words, help="Why; it is kept, so don't name anybody."
)
@click.option("--confirm", help="The study's title or key, for scripts; otherwise you are asked for it.")
@show_errors_plainly
def erase(study: str, reason: str, confirm: str | None) -> None:
    """Erase the words of all conversations of STUDY and every note and reason in it. Labels and numbers
    stay, and the trail still verifies.
    """
    store, target, person = _find(study)
    with store.reading() as connection:
        require(connection, person, Action.LEAD, target)  # how many texts there are tells of hidden notes
        echo(one_line(describe_erasure(count_words(connection, target))))
    typed = confirm if confirm is not None else click.prompt(f"Type {target.title} or {study} to go on")
    forgotten = forget_study(store, actor(), person, target, typed, reason)
    echo(f"{count(forgotten.texts, 'text', 'texts')} erased. Backups made earlier still contain them.")
    for key, copies in forgotten.elsewhere.items():
        echo(
            one_line(
                f"The study {key} still has the words of {count(copies, 'conversation', 'conversations')}."
            )
        )


def _find(key: str) -> tuple[Store, Study, Person]:
    store = open_configured_store()
    with store.reading() as connection:
        study = studies.get_by_key(connection, key)
        return store, study, find_person(connection, study, actor())
