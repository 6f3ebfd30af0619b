"""The judges of a study in a line each: in use or not, how often it gives the label of clinicians, whether it
repeats itself, where it failed, what it cost, and when it ran last; and the sentence above them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from data.labels import agreement_material
from data.record import adoptions, judge_runs, ledger_reports, ledger_totals
from data.record.judgements import Judge
from data.record.ledger_totals import AttemptTotals
from data.record.studies import Study
from data.store.store import Connection
from reports.document import Evidence, EvidenceRow
from reports.judges.identity_table import numbered_title
from reports.judges.judge_card import MIN_PAIRS_FOR_SHARE
from reports.judges.repeated_answers import flip_rate
from scoring.agreement.intervals.estimate import Estimate, undefined_estimate
from scoring.agreement.judges.arms import ArmAgreement, shown_beside_blind
from scoring.agreement.judges.flips import FlipRate
from scoring.judges.statuses import OK
from words.figures import money, percent
from words.plurals import count

RUNS = 1_000  # the newest of a study, among which the last one of each judge is looked for
TOO_FEW_PAIRS = f"fewer than {MIN_PAIRS_FOR_SHARE} blind labels to compare with"


@dataclass(frozen=True)
class JudgeRow:
    """`last_run`: a day, "" where none is known. `failures`, `labels`: counts of what it was asked."""

    judge: Judge
    name: str
    in_use: bool
    blind: ArmAgreement
    flips: FlipRate
    labels: int
    failures: int
    tries: AttemptTotals
    last_run: str

    @property
    def agreement(self) -> Estimate:
        """Return the share of blind labels equal to the judge's; without a value if there are too few."""
        if self.blind.pairs < MIN_PAIRS_FOR_SHARE:
            return undefined_estimate(TOO_FEW_PAIRS, self.blind.pairs, self.blind.percent.method)
        return self.blind.percent


def gather_judge_rows(connection: Connection, study: Study, judges: Sequence[Judge]) -> tuple[JudgeRow, ...]:
    """Return a row per judge, in the order given."""
    in_use = adoptions.judge_in_use(connection, study.id)
    days: dict[int | None, str] = {}
    for run in judge_runs.listing(connection, study.id, RUNS):
        days.setdefault(run.judge_id, (run.resumed_at or run.started_at or run.at)[:10])
    titles = Counter(judge.title for judge in judges)
    rows = []
    for judge in judges:
        statuses = ledger_reports.counts_by_status(connection, study.id, judge.id)
        title = judge.title
        rows.append(
            JudgeRow(
                judge,
                title if titles[title] == 1 else numbered_title(judge),
                in_use == judge.id,
                shown_beside_blind(agreement_material.read_counted(connection, study, judge.id)).blind,
                flip_rate(connection, judge, "random"),
                statuses[OK],
                statuses.total() - statuses[OK],
                ledger_totals.totals(connection, judge_id=judge.id),
                days.get(judge.id, ""),
            )
        )
    return tuple(rows)


def headline(rows: Sequence[JudgeRow]) -> str:
    """Return "90 of the clinicians' 120 blind labels are the same as those of NAME, the judge in use."

    ", the judge in use" only with several judges. Other sentences if there is no judge, no pair, or too few
    pairs to say.
    """
    chosen = next((row for row in rows if row.in_use), None)
    if chosen is None:
        return "No judge has a label in this study yet."
    several = len(rows) > 1
    name = f"{chosen.judge.name}{', the judge in use' if several else ''}"
    blind = chosen.blind
    if not blind.pairs:
        return f"There are no blind labels to compare with {name}."
    if blind.pairs < MIN_PAIRS_FOR_SHARE:
        return (
            f"{count(blind.pairs, 'blind label', 'blind labels')} can be compared with {name}: too few to "
            "say how often they agree."
        )
    return f"{blind.same:,} of the clinicians' {blind.pairs:,} blind labels are the same as those of {name}."


def judges_evidence(rows: Sequence[JudgeRow]) -> Evidence:
    """Return the rows as one line per judge."""
    several = len(rows) > 1
    with_costs = any(row.tries.costs or row.tries.unpriced for row in rows)
    return Evidence(
        "judges",
        "One line per judge",
        "Judge",
        "In use?" if several else "",
        ("The same label as clinicians",),
        "Share of clinicians' blind labels that are the same: 1 is all of them",
        ("Same", "Same when asked again", "Failures", "Last run", *(["Cost"] if with_costs else [])),
        (),
        tuple(_line(row, with_costs, several) for row in rows),
        0.0,
        1.0,
    )


def _line(row: JudgeRow, with_costs: bool, several: bool) -> EvidenceRow:
    blind, failures, asked = row.blind, row.failures, row.failures + row.labels
    return EvidenceRow(
        str(row.judge.id),
        row.name,
        "yes" if row.in_use else "unknown",
        "in use" if row.in_use and several else "",
        (row.agreement,),
        (
            f"{blind.same:,} of {blind.pairs:,}"
            if blind.pairs >= MIN_PAIRS_FOR_SHARE
            else f"too few: {blind.pairs}"
            if blind.pairs
            else "no blind label",
            _repetition(row.flips),
            f"{failures:,} of {asked:,}" if asked else "",
            row.last_run or ("" if row.tries.attempts else "imported"),
            *([_cost(row.tries)] if with_costs else []),
        ),
        (
            row.agreement.value,
            row.flips.rate.value if row.flips.labels else None,
            failures / asked if asked else None,
            None,
            *([None] if with_costs else []),
        ),
        (),
    )


def _repetition(flips: FlipRate) -> str:
    if not flips.labels or flips.rate.value is None:
        return "not measured"
    return f"{percent(flips.rate.value)} change, of {flips.asked_again:,}"


def _cost(tries: AttemptTotals) -> str:
    if not tries.attempts:
        return "no calls known"
    if not tries.costs:
        return "unknown" if tries.unpriced else "none"
    return money(tries.costs) + (f", {tries.unpriced:,} tries unknown" if tries.unpriced else "")
