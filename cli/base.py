"""What every command needs: the store, the study, the actor, and errors as one sentence."""

from __future__ import annotations

import getpass
import math
import os
import re
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from cli.terminal import echo, one_line, printable
from configs.files.yaml_files import ConfigFileError
from configs.settings import Settings, SettingsError
from data.access.permissions import Action, find_person, require
from data.importers.report import ImportRefused, ImportReport
from data.record import studies
from data.record.studies import Study
from data.store.actors import command_line_actor
from data.store.errors import StoreError
from data.store.store import Connection, Store, open_store
from reports.refusals import word_error
from scoring.bad_input import BadInput
from scoring.judges.catalogue import JudgeUnusable
from scoring.models.model_settings import ModelMissing


def require_words(_: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Return the value of an option; raise BadParameter if it is blank. None, for an option not given,
    stays None.
    """
    if value is not None and not value.strip():
        raise click.BadParameter("is empty", param=option)
    return value


PROBLEMS_PRINTED = 100
LONGEST_LINE = 1000  # characters; a message may quote a long column name
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


class FiniteRange(click.FloatRange):
    """A number within limits; click accepts nan within any limits."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the number; fail for NaN and infinity, too."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value} is not a number.", param, ctx)
        return number


def show_errors_plainly(command: Callable[..., Any]) -> Callable[..., Any]:
    """Return the command wrapped so that errors a person can act on are printed as one sentence."""

    @wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return command(*args, **kwargs)
        except ImportRefused as error:
            _print_problems(error.report, err=True)
            raise click.ClickException(printable(str(error))) from None
        except click.ClickException as error:
            if type(error) is not click.ClickException:
                raise  # about an option that the person typed
            raise click.ClickException(printable(error.message)) from None
        except (StoreError, SettingsError, ConfigFileError, BadInput, JudgeUnusable, ModelMissing) as error:
            raise click.ClickException(printable(word_error(error))) from None
        except OSError as error:
            raise click.ClickException(
                printable(f"{error.filename}: {error.strerror}." if error.filename else str(error))
            ) from None

    return run


def actor() -> str:
    """Return the actor for the trail: the account that runs the command."""
    try:
        return command_line_actor(getpass.getuser())
    except (KeyError, OSError):  # a container's user may have no name
        return command_line_actor(f"user {os.getuid()}" if hasattr(os, "getuid") else "user")


def open_configured_store() -> Store:
    """Return the store of the settings, which is closed when the command ends. Raise StoreError if it can't
    be used.
    """
    settings = Settings.read()
    return close_at_exit(open_store(settings.database_url, settings.busy_seconds))


def close_at_exit(store: Store) -> Store:
    """Return the store, which is closed when the command ends: a closed store is a single file."""
    click.get_current_context().call_on_close(store.close)
    return store


def study_to_read(connection: Connection, key: str) -> Study:
    """Return a study whose labels may be read. Raises NotFound, or Refused if the person still rates it
    blind.
    """
    study = studies.get_by_key(connection, key)
    require(connection, find_person(connection, study, actor()), Action.HANDLE_FILES, study)
    return study


def read_heads(path: Path) -> dict[int, str]:
    """Return entry number -> hash from a file of head hashes, one 'number hash' per line.

    Raises ClickException for any other file.
    """
    heads: dict[int, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), start=1):
        parts = line.split()
        if not parts:
            continue
        if len(parts) != 2 or not re.fullmatch("[0-9]{1,18}", parts[0]) or len(parts[1]) != 64:
            raise click.ClickException(
                f"{path.name}, line {number}: expected a number and a hash of 64 characters."
            )
        if heads.setdefault(int(parts[0]), parts[1]) != parts[1]:
            raise click.ClickException(
                f"{path.name}, line {number}: the hash for entry {parts[0]} differs from the one above. One "
                "of them comes from an altered store."
            )
    if not heads:
        raise click.ClickException(f"{path.name} contains no head hash, so there is nothing to compare with.")
    return heads


def print_report(report: ImportReport) -> None:
    """Print the problems of an import, then its summary."""
    _print_problems(report)
    echo(report.summary())
    if report.dry_run and (facts := report.facts_sentence()):
        echo(one_line(facts))


def _print_problems(report: ImportReport, err: bool = False) -> None:
    for line in report.lines(PROBLEMS_PRINTED):
        text = one_line(line)
        echo(text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…", err=err)
