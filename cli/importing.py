"""second-reader import ..."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import click

from cli.base import FILE, actor, open_configured_store, print_report, require_words, show_errors_plainly
from cli.importing_tables import import_paired_runs, import_run_folder, import_run_table, import_table
from cli.terminal import echo
from configs.settings import Settings
from data.importers import study_folder, transactions
from data.importers.imported_ratings import EXPOSURES
from data.importers.turns import TurnCount, turn_count
from data.judgements import JudgeIdentity
from data.rater_names import split_names
from data.references import KINDS, Kind
from data.studies import StudySpec


@click.group("import")
def import_() -> None:
    """Bring in a study folder, conversations, judgements or ratings. All or nothing."""


@import_.command("study")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@show_errors_plainly
def import_study(folder: Path) -> None:
    """Import a whole study from FOLDER, described by its study.yaml."""
    settings = Settings.read()
    report = study_folder.add_study(
        open_configured_store(), folder, settings.instruments, settings.taxonomies, actor()
    )
    if report is None:
        echo("This study is there already; nothing was added.")
    else:
        print_report(report)


@import_.command("conversations")
@click.argument("study")
@click.argument("file", type=FILE)
@click.option("--new", is_flag=True, help="Make the study first.")
@click.option("--instrument", help="With --new: the instrument, such as coaching_rubric.")
@click.option("--taxonomy", help="With --new: the taxonomy of declared plans.")
@click.option("--title", help="With --new: the title; otherwise the key.")
@click.option(
    "--data-class",
    type=click.Choice(["synthetic", "deidentified", "phi"]),
    help="With --new: unstated means phi.",
)
@click.option("--review", type=click.Choice(["blind", "open"]), default="blind", show_default=True)
@click.option(
    "--reveal",
    type=click.Choice(["after_batch", "after_unit", "never"]),
    default="after_batch",
    show_default=True,
)
@click.option(
    "--rater",
    "raters",
    multiple=True,
    help="With --new: a rater's name, or several with commas or semicolons between; may be given several "
    "times.",
)
@click.option(
    "--same-person",
    default="",
    metavar="FACT",
    help="The fact that names the person behind a conversation, such as client_id; "
    "none where every conversation is of another person.",
)
@click.option("--dry-run", is_flag=True, help="Check the file and say what would be added.")
@show_errors_plainly
def import_conversations(
    study: str,
    file: Path,
    new: bool,
    instrument: str | None,
    taxonomy: str | None,
    title: str | None,
    data_class: str | None,
    review: str,
    reveal: str,
    raters: tuple[str, ...],
    same_person: str,
    dry_run: bool,
) -> None:
    """Import conversations from FILE (JSONL: messages, turns or pairs) into STUDY."""
    settings, spec = Settings.read(), None
    if new:
        if not instrument:
            raise click.ClickException(
                "A new study needs --instrument, such as --instrument coaching_rubric."
            )
        spec = study_folder.NewStudy(
            StudySpec(study, title or study, 0, data_class=data_class or "phi", review=review, reveal=reveal),
            instrument,
            taxonomy,
            split_names(*raters),
            settings.instruments,
            settings.taxonomies,
        )
    print_report(
        transactions.import_conversations(
            open_configured_store(), study, file, actor(), dry_run, spec, same_person.strip()
        )
    )


def _turn_options(command: Callable[..., None]) -> Callable[..., None]:
    """What the turn numbers of a file count."""
    first = click.option(
        "--turns-from", type=click.Choice(["0", "1"]), help="The number of the first turn or message."
    )
    return click.option(
        "--turns-count",
        type=click.Choice(["turn", "message"]),
        help="What the turn numbers of the file count; the system's messages are not counted.",
    )(first(command))


def _turns(counts: str | None, first: str | None) -> TurnCount | None:
    if (counts is None) != (first is None):
        raise click.ClickException(
            "--turns-count and --turns-from go together, such as --turns-count message --turns-from 0."
        )
    return turn_count(f"{counts}s from {first}")


@import_.command("judgements")
@click.argument("study")
@click.argument("file", type=FILE)
@click.option(
    "--judge", required=True, callback=require_words, help="The name of the judge that gave these labels."
)
@click.option("--provider", default="unknown", show_default=True)
@click.option("--model", default="unknown", show_default=True)
@click.option(
    "--prompt", default="unknown", show_default=True, help="The version or hash of the judge's prompt."
)
@click.option("--parameters", default="{}", help="Decoding parameters as JSON.")
@_turn_options
@click.option("--dry-run", is_flag=True)
@show_errors_plainly
def import_judgements(
    study: str,
    file: Path,
    judge: str,
    provider: str,
    model: str,
    prompt: str,
    parameters: str,
    turns_count: str | None,
    turns_from: str | None,
    dry_run: bool,
) -> None:
    """Import a judge's labels from FILE: JSONL, CSV, judgments.json or assessment JSON."""
    try:
        decoding = json.loads(parameters)
    except json.JSONDecodeError:
        raise click.ClickException('--parameters must be JSON, such as {"temperature": 0}.') from None
    identity = JudgeIdentity(
        judge,
        provider,
        model,
        prompt,
        "unknown",
        decoding if isinstance(decoding, dict) else {"given": decoding},
    )
    print_report(
        transactions.import_judgements(
            open_configured_store(),
            study,
            file,
            actor(),
            identity,
            dry_run=dry_run,
            turns=_turns(turns_count, turns_from),
        )
    )


@import_.command("ratings")
@click.argument("study")
@click.argument("file", type=FILE)
@click.option(
    "--exposure",
    required=True,
    type=click.Choice(EXPOSURES),
    help="What these raters had seen of the judge when they rated.",
)
@click.option(
    "--source",
    required=True,
    callback=require_words,
    help="How you know: a protocol, a person, a publication.",
)
@click.option(
    "--rater-column",
    default="",
    metavar="COLUMN",
    help="The column that names the person who gave a label, where it is not called rater.",
)
@click.option(
    "--same-rater",
    "same_raters",
    multiple=True,
    metavar="NAME",
    help="NAME of the file is the rater of that name in the study; repeat. Others of the same name are kept "
    "as another person.",
)
@_turn_options
@click.option("--dry-run", is_flag=True)
@show_errors_plainly
def import_ratings(
    study: str,
    file: Path,
    exposure: str,
    source: str,
    rater_column: str,
    same_raters: tuple[str, ...],
    turns_count: str | None,
    turns_from: str | None,
    dry_run: bool,
) -> None:
    """Import people's labels from FILE: JSONL or CSV with conversation_id, rater, criterion, label."""
    print_report(
        transactions.import_ratings(
            open_configured_store(),
            study,
            file,
            actor(),
            exposure,
            source,
            dry_run,
            _turns(turns_count, turns_from),
            rater_column.strip(),
            same_raters,
        )
    )


def _reference_command(name: str, kind: Kind, example: str) -> None:
    @import_.command(name, help=f"Import {KINDS[kind]} from FILE: {example}")
    @click.argument("study")
    @click.argument("file", type=FILE)
    @click.option("--dry-run", is_flag=True, help="Check the file and say what would be added.")
    @show_errors_plainly
    def command(study: str, file: Path, dry_run: bool) -> None:
        print_report(
            transactions.import_references(open_configured_store(), study, kind, file, actor(), dry_run)
        )


_reference_command(
    "gold-steps",
    "gold_steps",
    "JSONL with conversation_id and gold_steps, or CSV with conversation_id and step.",
)
_reference_command(
    "target-plans",
    "target_plan",
    "target_plans.json, or CSV with plan and conversation_id or condition; neither: for the whole study.",
)
_reference_command(
    "critical-entities",
    "critical_entities",
    "JSONL with conversation_id and critical_entities, or CSV with conversation_id and entity.",
)


for command in (import_table, import_run_folder, import_paired_runs, import_run_table):
    import_.add_command(command)
