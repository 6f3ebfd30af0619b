"""python -m cli.ready: prepare the store for `second-reader run` and print its path as JSON.

A separate process does this, so that the one which waits for the app doesn't hold these libraries.
"""

from __future__ import annotations

import json

import click

from cli.base import close_at_exit, show_errors_plainly
from cli.progress_line import AGAIN, KEPT, percent_of, progress_line
from cli.terminal import echo
from configs.settings import Settings
from data.store.locks import refuse_if_served
from data.store.parent_process import end_with_starter
from data.store.store import sqlite_path
from runs.prepare import ready_store


@click.command()
@show_errors_plainly
def ready() -> None:
    """Create, migrate and fill the store, without computing metrics."""
    end_with_starter()
    settings = Settings.read()
    refuse_if_served(sqlite_path(settings.database_url))  # before migrating it while another program uses it
    with progress_line(percent_of("adding the sample studies"), f"{KEPT} {AGAIN}") as line:
        store = close_at_exit(ready_store(settings, line))
    echo(json.dumps(str(store.path)))


if __name__ == "__main__":
    ready()
