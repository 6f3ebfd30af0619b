"""second-reader trials"""

from __future__ import annotations

import sys

import click

from cli.base import (
    FiniteRange,
    actor,
    open_configured_store,
    require_words,
    show_errors_plainly,
    study_to_read,
)
from cli.judging import money
from cli.progress_line import AGAIN, KEPT, counted, progress_line
from cli.terminal import echo
from configs.settings import Settings
from data.schema.vocabulary import AttemptPurpose
from words.plurals import count


@click.command()
@click.argument("study")
@click.option("--conversation", required=True, callback=require_words, help="Whose turn is answered again.")
@click.option("--model", required=True, callback=require_words, help="Who answers: a name in models.yaml.")
@click.option("--n", "number", type=click.IntRange(1, 1000), default=20, show_default=True, help="How often.")
@click.option("--temperature", type=FiniteRange(0, 2), help="Instead of the one in models.yaml.")
@click.option(
    "--turn", type=click.IntRange(min=1), help="The turn that is answered; the last one by default."
)
@click.option("--into", callback=require_words, help="Key of the study that the trials go into.")
@click.option("--budget", callback=money, help="Stop before this amount is passed.")
@click.option("--retry-failures", is_flag=True, help="Ask again where a call failed before.")
@click.option(
    "--dry-run", "dry", is_flag=True, help="Say what would be asked and what it would cost, and ask nothing."
)
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
    """Have a model answer a frozen turn of a conversation of STUDY many times. Plan and reply of each trial
    become a conversation of a study of their own, to be rated and judged like any other.
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
        echo(f"The study {target.key} holds {count(held, 'trial', 'trials')}.")
    if outcome is not None and not outcome.is_finished:
        echo("What is left is still pending: the same command goes on.", err=True)
        sys.exit(1)
