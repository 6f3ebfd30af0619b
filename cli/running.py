"""second-reader run: it waits as long as the app runs, so it imports little."""

from __future__ import annotations

import sys

import click

from cli.terminal import echo, printable
from configs.settings import Settings, SettingsError
from data.store.errors import StoreError


@click.command()
def run() -> None:
    """Prepare the store and start the app on this machine."""
    from runs.serve import serve

    try:
        sys.exit(serve(Settings.read(), echo))
    except (SettingsError, StoreError) as error:
        from reports.refusals import word_error

        raise click.ClickException(printable(word_error(error))) from None
    except OSError as error:
        raise click.ClickException(printable(f"{error.filename}: {error.strerror}.")) from None
