"""second-reader run: waits for as long as the app runs, so it imports little."""

from __future__ import annotations

import sys

import click

from cli.terminal import echo, printable
from configs.settings import Settings, SettingsError
from data.store.errors import StoreError


@click.command()
def run() -> None:
    """Make the store ready and start the app on this machine."""
    from runs.serve import serve

    try:
        sys.exit(serve(Settings.read(), echo))
    except (SettingsError, StoreError) as error:
        raise click.ClickException(printable(str(error))) from None
    except OSError as error:
        raise click.ClickException(printable(f"{error.filename}: {error.strerror}.")) from None
