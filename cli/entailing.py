"""second-reader entail, propose-plans"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cli.asking_options import STILL_PENDING, budget_option, dry_run_option, retry_failures_option
from cli.base import FILE, actor, open_configured_store, show_errors_plainly, study_to_read
from cli.progress_line import AGAIN, KEPT, counted, progress_line
from cli.terminal import echo
from data.schema.vocabulary import AttemptPurpose


@click.command()
@click.argument("study")
@budget_option
@click.option("--plans", is_flag=True, help="Also ask the questions for proposing target plans.")
@click.option(
    "--components", "file", type=FILE, help="With --plans: the parts of a plan, as for propose-plans."
)
@click.option("--lexicon", "lexicon_key", help="Which words make a clinical action, as for score.")
@retry_failures_option
@dry_run_option
@show_errors_plainly
def entail(
    study: str,
    budget: int | None,
    plans: bool,
    file: Path | None,
    lexicon_key: str | None,
    retry_failures: bool,
    dry: bool,
) -> None:
    """Ask the judge of `models use --judge` whether texts of STUDY follow from each other, as the metrics
    need. Nothing is asked twice.
    """
    from runs.requests.request_run import estimate, spent_before
    from runs.scoring.entailment_verdicts import PendingVerdicts, ask_for_verdicts
    from scoring.clinical_actions import lexicon
    from scoring.plan_components import load_components, shipped_components

    store = open_configured_store()
    with store.reading() as connection:
        study_read = study_to_read(connection, study)
    components = load_components(file) if file else shipped_components()
    words = lexicon(lexicon_key) if lexicon_key else None
    pending = PendingVerdicts(store, study_read, retry_failures, components if plans else None, words)
    if dry:
        pending.setup.check(budget)
        echo(estimate(pending.setup, pending.calls()))
        if sentence := spent_before(pending.setup, AttemptPurpose.ENTAILMENT):
            echo(sentence)
        return

    outcome = None
    with progress_line(counted("asking", "questions"), f"{KEPT} {AGAIN}") as line:
        for outcome in ask_for_verdicts(pending, actor(), budget, line):
            line.end()
            echo(outcome.sentence)
    if outcome is None:
        echo("Everything that the metrics need has been asked.")
    elif not outcome.is_finished:
        echo(STILL_PENDING, err=True)
        sys.exit(1)
    echo(f"To compute the numbers: second-reader score {study}")


@click.command("propose-plans")
@click.argument("study")
@click.option(
    "--components", "file", type=FILE, help="The parts of a plan, a file like configs/plan_components.yaml."
)
@show_errors_plainly
def propose_plans(study: str, file: Path | None) -> None:
    """Propose a target plan for each conversation of STUDY from the text of its case. A study lead accepts,
    changes or refuses each one on the Plans of care page; until then it doesn't count.
    """
    from runs import plan_proposals
    from scoring.plan_components import load_components

    store = open_configured_store()
    with store.reading() as connection:
        study_read = study_to_read(connection, study)
    components = load_components(file) if file else None
    with progress_line(counted("reading", "texts"), f"{KEPT} {AGAIN}") as line:
        result = plan_proposals.propose_plans(store, study_read, actor(), components, progress=line)
    for sentence in result.lines():
        echo(sentence)
