"""second-reader entail, propose-plans"""

from __future__ import annotations

import sys
from pathlib import Path

import click

from cli.base import FILE, actor, open_configured_store, show_errors_plainly, study_to_read
from cli.judging import money
from cli.progress_line import AGAIN, KEPT, counted, progress_line
from cli.terminal import echo
from data.schema.vocabulary import AttemptPurpose


@click.command()
@click.argument("study")
@click.option(
    "--budget",
    callback=money,
    help="Stop before this amount is passed, in the currency of the judge's prices.",
)
@click.option("--plans", is_flag=True, help="Also ask what is needed to propose target plans.")
@click.option("--components", "file", type=FILE, help="With --plans: the parts of a plan, as propose-plans.")
@click.option("--lexicon", "lexicon_key", help="Which words make a clinical action, as score.")
@click.option("--retry-failures", is_flag=True, help="Ask again where a call failed before.")
@click.option(
    "--dry-run", "dry", is_flag=True, help="Say what would be asked and what it would cost, and ask nothing."
)
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
    """Ask the judge of `models use --judge` whether texts of STUDY follow from each other, as its metrics
    need it. What was asked before is not asked again.
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
        echo("Everything that the metrics need was asked before.")
    elif not outcome.is_finished:
        echo("What is left is still pending: the same command goes on.", err=True)
        sys.exit(1)
    echo(f"second-reader score {study} computes the numbers.")


@click.command("propose-plans")
@click.argument("study")
@click.option("--components", "file", type=FILE, help="The parts of a plan, as configs/plan_components.yaml.")
@show_errors_plainly
def propose_plans(study: str, file: Path | None) -> None:
    """Propose a target plan for each conversation of STUDY from the text of its case. A study lead takes,
    changes or refuses them on the page Plans of care; none counts before.
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
