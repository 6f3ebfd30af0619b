"""How the work stands in sentences and tables: totals, by rater, by criterion, what nobody took, and what
ran out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from data.labels.work_overview import CriterionRow, OpenUnit, RaterRow, StudyProgress
from data.record.studies import Study
from reports.document import Block, Cell, Paragraph, Table, UnitLink
from reports.progress.findings import ProgressFindings
from words.figures import duration, moment, percent
from words.plurals import inflect
from words.unit_nouns import UnitNoun

NO_PLAN = (
    "This study has no plan yet. Set one up under \u201cPlan\u201d, then select what is rated. Until then, "
    "everyone rates everything, in order."
)
NOTHING_DRAWN = "Nothing has been selected yet. Select what is rated, and the raters can begin."


def totals_words(totals: StudyProgress, noun: UnitNoun) -> Paragraph:
    """Return the sentence for a study with a draw."""
    share = f" ({percent(totals.given / totals.wanted)})" if totals.wanted else ""
    under_way = (
        f", and {totals.under_way:,} {inflect(totals.under_way, 'is', 'are')} under way"
        if totals.under_way
        else ""
    )
    return Paragraph(
        f"{units_words(totals, noun)} {totals.given:,} of {totals.wanted:,} ratings have been "
        f"made{share}{under_way}."
    )


def units_words(totals: StudyProgress, noun: UnitNoun) -> str:
    """Return "12 of 40 conversations have all their raters, 5 have some." (complete, drawn and begun
    units).
    """
    return (
        f"{totals.complete:,} of {noun.count(totals.drawn)} "
        f"{inflect(totals.complete if totals.drawn > 1 else 1, 'has all its', 'have all their')} raters, "
        f"{totals.begun:,} {inflect(totals.begun, 'has', 'have')} some."
    )


def raters_table(findings: ProgressFindings, named: bool) -> Iterator[Block]:
    """Yield a table with a row per rater; nothing if nobody has a name in the study.

    `named`: by name, not under codes.
    """
    if not findings.raters:
        return
    names = findings.rater_names(named)
    certify = findings.plan is not None and findings.plan.certify
    header = (
        "Rater",
        "Rated",
        "Last 7 days",
        f"Minutes per {findings.noun.singular}",
        "Reserved now",
        "Skipped",
        "Time ran out",
        "Given again",
        "Practice",
        *(("Certified",) if certify else ()),
        "Last (UTC)",
        "",
    )
    rows = [_rater_row(row, names[row.id], certify, findings.noun) for row in findings.raters]
    yield Table("raters", "By rater", header, rows, (1, 2, 3, 4, 5, 6, 7, 8))


def _rater_row(row: RaterRow, name: str, certify: bool, noun: UnitNoun) -> tuple[Cell, ...]:
    return (
        name,
        f"{row.committed:,}",
        f"{row.this_week:,}",
        "" if row.minutes is None else duration(row.minutes),
        f"{row.held}",
        f"{row.skipped}",
        f"{row.ran_out}",
        f"{row.repeats}",
        f"{row.practice}",
        *((row.certified,) if certify else ()),
        moment(row.last) if row.last else "",
        _remark(row, noun),
    )


def _remark(row: RaterRow, noun: UnitNoun) -> str:
    remarks = [] if row.admitted else ["not in the plan"]
    if row.saw_judge:
        remarks.append("has seen the judge's labels, so gets nothing to rate blind")
    if row.imported:
        remarks.append(f"{noun.count(row.imported)} from a file")
    return "; ".join(remarks)


def criteria_table(study: Study, criteria: Sequence[CriterionRow]) -> Iterator[Block]:
    """Yield the table "criteria" with a row (name, labels, times it cannot be rated) per criterion; nothing
    if nothing was rated.

    The rows have the order of the instrument, or of the taxonomy without criteria; unknown ones come last.
    """
    rows = {row.criterion: row for row in criteria}
    if not rows:
        return
    names = {criterion.id: criterion.name for criterion in study.instrument.criteria} or {
        strategy.id: strategy.name for strategy in (study.taxonomy.strategies if study.taxonomy else ())
    }
    order = [criterion for criterion in names if criterion in rows] + [
        criterion for criterion in rows if criterion not in names
    ]
    yield Table(
        "criteria",
        "By criterion",
        ("Criterion", "Labels", "Cannot rate"),
        [
            (
                names.get(criterion, criterion),
                f"{rows[criterion].labels:,}",
                f"{rows[criterion].cannot_rate:,}",
            )
            for criterion in order
        ],
        (1, 2),
    )


def open_tables(findings: ProgressFindings, named: bool) -> Iterator[Block]:
    """Yield tables of untaken units and of expired reservations, each only if there are any."""
    if findings.untouched:
        yield _untouched_table(findings.untouched, findings.open_units, findings.noun)
    if findings.ran_out:
        names = findings.rater_names(named)
        yield Table(
            "ran_out",
            "Reserved for a rater until the time ran out, newest first",
            ("When (UTC)", "Rater", findings.noun.heading),
            [
                (moment(at), names.get(rater, ""), f"{position}" if position > 0 else "practice or repeat")
                for at, rater, position in findings.ran_out
            ],
        )


def _untouched_table(total: int, listed: Sequence[OpenUnit], noun: UnitNoun) -> Table:
    first = f", the first {len(listed):,} in the order of the selection" if total > len(listed) else ""
    return Table(
        "nobody_took",
        f"{total:,} that nobody has taken yet{first}",
        (noun.heading, "Raters still needed", "Skipped", "Time ran out"),
        [(UnitLink(row.position), f"{row.wanted}", f"{row.skipped}", f"{row.ran_out}") for row in listed],
        (1, 2, 3),
    )
