"""second-reader anchors ...: freeze settled labels to see whether a judge changes."""

from __future__ import annotations

import click

from cli.base import actor, open_configured_store, show_errors_plainly, study_to_read
from cli.terminal import echo


@click.group("anchors")
def anchors() -> None:
    """Lock sets of conversations with settled labels, which every judge answers repeatedly; list the sets."""


@anchors.command("freeze")
@click.argument("study")
@click.option("--size", type=int, help="How many conversations; by default 60, or all if there are fewer.")
@show_errors_plainly
def freeze(study: str, size: int | None) -> None:
    """Lock settled labels of STUDY as a new set (the anchors). Locking the same labels again changes
    nothing.
    """
    from reports.drift.freeze_sentences import result_sentence
    from services.anchors import freeze_anchors

    store = open_configured_store()
    with store.reading() as connection:
        target = study_to_read(connection, study)
    result = freeze_anchors(store, actor(), target, size)
    echo(result_sentence(result))
    if not result.already:
        echo(f"To ask a judge: second-reader judge {study} --judge NAME --anchors")


@anchors.command("list")
@click.argument("study")
@show_errors_plainly
def list_anchors(study: str) -> None:
    """List the locked sets of STUDY, newest last, and the rounds in which judges answered the newest set."""
    from data.record.anchors import every_set
    from reports.drift.anchor_rounds import lines, rounds_table, set_sentence
    from reports.refusals import word_reason
    from services.anchors import on_anchors

    with open_configured_store().reading() as connection:
        state = on_anchors(connection, study_to_read(connection, study))
        sets = every_set(connection, state.study.id)
    if not sets:
        echo(f"{word_reason('no_anchors_yet')} In a terminal: second-reader anchors freeze {study}")
        return
    for anchor_set in sets:
        echo(set_sentence(state, anchor_set))
    for judge, number, answered, labels, right, *_, since in rounds_table(state, lines(state.answers)).rows:
        name = f"round {number}" if str(number).isdigit() else number
        echo(
            f"  {judge}, {name}, answered {answered}: {labels} labels, right {right}; since the first round: "
            f"{since}"
        )
