"""The options that every command which asks a model has."""

from __future__ import annotations

from fractions import Fraction

import click

from scoring.instruments import exact_number

STILL_PENDING = "The rest is still pending. The same command continues."


def _money(_: click.Context, option: click.Parameter, value: str | None) -> int | None:
    """Return an amount in billionths; None if the option is missing."""
    if value is None:
        return None
    try:
        amount = exact_number(value)
    except ValueError:
        amount = Fraction(0)
    if amount <= 0:
        raise click.BadParameter("must be an amount above 0, such as 2.50", param=option)
    return int(amount * 10**9)


budget_option = click.option(
    "--budget",
    callback=_money,
    help="Stop before spending more than this, in the currency of the model's prices.",
)
retry_failures_option = click.option(
    "--retry-failures",
    is_flag=True,
    help="Repeat calls that failed. A question with an answer is never asked again.",
)
dry_run_option = click.option(
    "--dry-run", "dry", is_flag=True, help="Show what would be asked and what it would cost, without asking."
)
