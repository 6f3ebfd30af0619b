"""second-reader trials"""

from __future__ import annotations

import sys

import click

from cli.asking_options import STILL_PENDING, budget_option, dry_run_option, retry_failures_option
from cli.base import (
    FiniteRange,
    actor,
    open_configured_store,
    require_words,
    show_errors_plainly,
    study_to_read,
)
from cli.progress_line import AGAIN, KEPT, counted, progress_line
from cli.terminal import echo
from configs.settings import Settings
from data.schema.vocabulary import AttemptPurpose
from words.plurals import count


@click.command()
@click.argument("study")
@click.option("--conversation", required=True, callback=require_words, help="The conversation with the turn.")
@click.option(
    "--model", required=True, callback=require_words, help="The model that answers: a name in models.yaml."
)
@click.option(
    "--n",
    "number",
    type=click.IntRange(1, 1000),
    default=20,
    show_default=True,
    help="How many times to answer.",
)
@click.option(
    "--temperature",
    type=FiniteRange(0, 2),
    help="The temperature setting of the model, instead of the one in models.yaml.",
)
@click.option("--turn", type=click.IntRange(min=1), help="The turn to answer; by default the last one.")
@click.option("--into", callback=require_words, help="The key of the study for the trials.")
@budget_option
@retry_failures_option
@dry_run_option
@show_errors_plainly
def trials(
    study: str,
    conversation: str,
    model: str,
    number: int,
    temperature: float | None,
    turn: int | None,
    into: str | None,
    budget: int | None,
    retry_failures: bool,
    dry: bool,
) -> None:
    """Have a model answer a frozen turn of a conversation of STUDY many times. Each trial's plan and reply
    become a conversation of a separate study, to be rated and judged like any other.
    """
    from runs.requests import trials as trial_runs
    from runs.requests.request_run import ask_requests, estimate, spent_before

    store, settings = open_configured_store(), Settings.read()
    with store.reading() as connection:
        source = study_to_read(connection, study)
    plan = trial_runs.plan_trials(
        store, source, settings, model, conversation, number, temperature, turn, into
    )
    pending = plan.pending(retry_failures)
    echo(estimate(plan.setup, pending, trial_runs.ANSWER_TOKENS))
    if sentence := spent_before(plan.setup, AttemptPurpose.TRIAL):
        echo(sentence)
    if dry:
        plan.setup.check(budget)
        return

    with progress_line(counted("asking", "calls"), f"{KEPT} {AGAIN}") as line:
        outcome = ask_requests(plan.setup, pending, actor(), budget, line) if pending else None
    if outcome is not None:
        echo(outcome.sentence)
    replies = plan.replies()
    if replies:
        target, held, lines = trial_runs.keep_trials(plan, actor())
        for sentence in lines:
            echo(sentence)
        echo(f"The study {target.key} has {count(held, 'trial', 'trials')}.")
    if outcome is not None and not outcome.is_finished:
        echo(STILL_PENDING, err=True)
        sys.exit(1)
