"""What a judge said, where it failed, and what its calls cost."""

from __future__ import annotations

from collections.abc import Iterator

from data.record import ledger, ledger_reports, ledger_totals
from data.record.judgements import Judge
from data.record.ledger_totals import AttemptTotals
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Block, Paragraph, Table
from scoring.judges.statuses import FAILURES, OK
from words.figures import money


def call_counts(connection: Connection, study: Study, judge: Judge, key: str) -> Iterator[Block]:
    """Yield a table `key` of a judge's labels and failures by criterion, then paragraphs.

    The table is left out if it has no rows, the paragraph on failures without one, and that on the names
    under which it answered without answers. A last one on the number of tries always comes.
    """
    counts = ledger_reports.counts_by_criterion(connection, judge.id)
    failures = sorted({status for status_counts in counts.values() for status in status_counts} - {OK})
    table = _labels_table(study, counts, failures, key)
    if table.rows:
        yield table
    if failures:
        yield Paragraph(
            "Failures are rarely random: a service withholds its reply when a conversation is "
            "about something serious. "
            "Failures are not labels, and a person should check them.",
            "small",
        )
    served = ledger.answered_as(connection, judge.id)
    if served:
        names = ", ".join(f"{name} ({count:,} calls)" for name, count in sorted(served.items()))
        yield Paragraph(f"The service called the model {names}.")
    yield Paragraph(_tries(ledger_totals.totals(connection, judge_id=judge.id)))


def _labels_table(study: Study, counts: dict[str, dict[str, int]], failures: list[str], key: str) -> Table:
    """`counts`: criterion -> status -> how many."""
    names = {criterion.id: f"{criterion.id} {criterion.name}" for criterion in study.instrument.criteria}
    rows = [
        (
            names.get(criterion, criterion),
            f"{counts[criterion].get(OK, 0):,}",
            *(f"{counts[criterion].get(failure, 0):,}" for failure in failures),
        )
        for criterion in [*names] or sorted(counts)
        if criterion in counts
    ]
    return Table(
        key,
        "What the judge answered, by criterion",
        ("Criterion", "Labels", *(FAILURES.get(failure, failure) for failure in failures)),
        rows,
        tuple(range(1, len(failures) + 2)),
    )


def _tries(totals: AttemptTotals) -> str:
    if not totals.attempts:
        return "This judge's labels were imported, so its calls are unknown."
    return (
        f"{totals.attempts:,} tries; {totals.tokens_in:,} tokens sent ({totals.cached:,} of these from the "
        f"service's cache), {totals.tokens_out:,} received ({totals.thought:,} of these for "
        f"thinking).{_cost(totals)}"
    )


def _cost(totals: AttemptTotals) -> str:
    if not totals.costs:
        return " Their cost is unknown: no price is listed." if totals.unpriced else ""
    unpriced = f" The cost of {totals.unpriced:,} tries is unknown." if totals.unpriced else ""
    return f" Cost by the price list: {money(totals.costs)}.{unpriced}"
