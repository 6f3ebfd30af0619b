"""The command-line options of `second-reader import`, made from an importer's questions, and the answers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cli.base import FILE, require_words
from configs.settings import Settings
from data.importers.import_options import (
    AnyImportOption,
    ImportOption,
    NewStudyOption,
    SamePersonOption,
    SameRatersOption,
)
from data.importers.importer import Importer
from data.importers.new_study import NewStudy
from data.importers.turns import TurnCount, turn_count
from data.record.rater_names import split_names
from data.record.studies import StudySpec

FOLDER = click.Path(exists=True, file_okay=False)
DATA_CLASSES = ("synthetic", "deidentified", "phi")
NOT_SHOWN = (None, "", "{}")  # defaults that help doesn't show


def parameters(importer: Importer) -> list[click.Parameter]:
    """Return the arguments and options of an importer's command."""
    taken = (
        click.Argument(["folder"], type=FOLDER)
        if importer.takes_folder
        else click.Argument(["file"], type=FILE)
    )
    return [
        click.Argument(["study"]),
        taken,
        *(asked for option in importer.options for asked in _options(option)),
        click.Option(["--dry-run"], is_flag=True, help=importer.dry_run_help),
    ]


def _options(option: AnyImportOption) -> Iterator[click.Option]:
    if isinstance(option, ImportOption):
        if option.flag:
            yield _text_option(option)
    elif isinstance(option, NewStudyOption):
        yield from _new_study_options(option)
    elif isinstance(option, SamePersonOption):
        yield click.Option(
            ["--same-person", "same_person"], default="", metavar=option.metavar, help=option.help
        )
    elif isinstance(option, SameRatersOption):
        yield click.Option(
            ["--same-rater", "same_raters"],
            multiple=True,
            metavar="NAME",
            help="NAME in the file is the study's rater of that name; may be repeated. Other raters of the "
            "same name are kept as another person.",
        )
    else:
        yield click.Option(
            ["--turns-count", "turns_count"],
            type=click.Choice(["turn", "message"]),
            help="What the turn numbers of the file count; system messages are not counted.",
        )
        yield click.Option(
            ["--turns-from", "turns_from"],
            type=click.Choice(["0", "1"]),
            help="The number of the first turn or message.",
        )


def _text_option(option: ImportOption) -> click.Option:
    settings: dict[str, Any] = {"help": option.help, "metavar": option.metavar, "required": option.required}
    if option.several:
        settings["multiple"] = True
    elif not option.required:
        settings |= {"default": option.default, "show_default": option.default not in NOT_SHOWN}
    if option.choices:
        settings["type"] = click.Choice(list(option.choices))
    elif option.is_file:
        settings["callback"] = lambda _context, _option, name: (
            name and str(Path(name).expanduser().absolute())
        )
    elif option.required:
        settings["callback"] = require_words
    return click.Option([option.flag, option.name], **settings)


def _new_study_options(option: NewStudyOption) -> Iterator[click.Option]:
    if option.instrument:
        yield click.Option([option.flag, "taxonomy"], help=option.help)
    else:
        yield click.Option([option.flag, "new"], is_flag=True, help=option.help)
    of_parts = {
        "instrument": click.Option(
            ["--instrument"], help=f"With {option.flag}: the instrument, such as {option.example}."
        ),
        "taxonomy": click.Option(["--taxonomy"], help=f"With {option.flag}: the taxonomy of declared plans."),
        "title": click.Option(["--title"], help=f"With {option.flag}: the title; by default the key."),
        "data_class": click.Option(
            ["--data-class"],
            type=click.Choice(DATA_CLASSES),
            help=f"With {option.flag}: by default phi.",
        ),
        "review": click.Option(
            ["--review"], type=click.Choice(["blind", "open"]), default="blind", show_default=True
        ),
        "reveal": click.Option(
            ["--reveal"],
            type=click.Choice(["after_batch", "after_unit", "never"]),
            default="after_batch",
            show_default=True,
        ),
        "raters": click.Option(
            ["--rater", "raters"],
            multiple=True,
            help=f"With {option.flag}: a rater's name, or several separated by commas or semicolons; may be "
            "repeated.",
        ),
    }
    yield from (of_parts[part] for part in option.parts)


def answers_of(importer: Importer, study: str, typed: dict[str, Any]) -> dict[str, Any]:
    """Return the answers by option name. Raises ClickException."""
    answers: dict[str, Any] = {}
    for option in importer.options:
        if isinstance(option, ImportOption):
            value = typed.get(option.name)
            answers[option.name] = value.strip() if isinstance(value, str) else value
        elif isinstance(option, NewStudyOption):
            answers["new_study"] = _new_study(option, study, typed)
        elif isinstance(option, SamePersonOption):
            answers["same_person"] = typed["same_person"].strip()
        elif isinstance(option, SameRatersOption):
            answers["same_raters"] = typed["same_raters"]
        else:
            answers["turns"] = _turns(typed["turns_count"], typed["turns_from"])
    return answers


def _new_study(option: NewStudyOption, study: str, typed: dict[str, Any]) -> NewStudy | None:
    settings, instrument = Settings.read(), option.instrument or typed["instrument"]
    if not typed["taxonomy" if option.instrument else "new"]:
        return None
    if not instrument:
        raise click.ClickException(f"A new study needs --instrument, such as --instrument {option.example}.")
    spec = StudySpec(
        study,
        typed.get("title") or study,
        0,
        data_class=typed["data_class"] or "phi",
        review=typed.get("review", "blind"),
        reveal=typed.get("reveal", "after_batch"),
    )
    raters = split_names(*typed.get("raters", ()))
    return NewStudy(
        spec, instrument, typed.get("taxonomy"), raters, settings.instruments, settings.taxonomies
    )


def _turns(counts: str | None, first: str | None) -> TurnCount | None:
    if (counts is None) != (first is None):
        raise click.ClickException(
            "--turns-count and --turns-from go together, such as --turns-count message --turns-from 0."
        )
    return turn_count(f"{counts}s from {first}")
