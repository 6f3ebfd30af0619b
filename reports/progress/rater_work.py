"""Each rater's part of the work: how far they are, since when they have rated nothing, and about how long the
rest takes. The answer of the Work and raters page rests on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from data.labels.work_overview import RaterRow, StudyProgress
from data.work.plan import WorkPlan
from reports.progress.findings import ProgressFindings
from reports.wording import describe_minutes, describe_time
from words.plurals import count, inflect
from words.unit_nouns import UnitNoun

QUIET_DAYS = 7  # without a rating, with work left, after which a rater is named


@dataclass(frozen=True)
class RaterWork:
    """`part`: about how many units are theirs in all, None where nobody can say. `about`: others take from
    the same ones. `last`: "today", "9 days ago", or "" for never. `quiet`: days without a rating while work
    is left, 0 where it is no news. `pace` and `left`: in words, "" where unknown.
    """

    row: RaterRow
    part: int | None
    about: bool
    last: str
    quiet: int
    pace: str
    left: str

    @property
    def rated_words(self) -> str:
        """Return how many units the rater has rated, and of how many if that is known: "12 of about 40"."""
        if self.part is None:
            return f"{self.row.committed:,}"
        return f"{self.row.committed:,} of {'about ' if self.about else ''}{self.part:,}"

    @property
    def share(self) -> float:
        return min(1.0, self.row.committed / self.part) if self.part else 0.0


def list_rater_work(findings: ProgressFindings, units: int, now: str) -> list[RaterWork]:
    """Return each rater's work, by name. `units`: of the study; `now`: a moment as the store writes it."""
    rows = sorted(findings.raters, key=lambda row: row.name.casefold())
    return [_work(row, findings, units, now) for row in rows]


def _work(row: RaterRow, findings: ProgressFindings, units: int, now: str) -> RaterWork:
    left = _units_left(row, findings, units)
    days = (
        (datetime.fromisoformat(now).date() - datetime.fromisoformat(row.last).date()).days if row.last else 0
    )
    is_pool = findings.plan is not None and not findings.plan.each
    return RaterWork(
        row,
        None if left is None else row.committed + left,
        is_pool and bool(left),
        _days_ago(days) if row.last else "",
        days if left and days >= QUIET_DAYS else 0,
        describe_time(row.minutes, None).removesuffix(" each"),
        describe_minutes(row.minutes * left) if row.minutes is not None and left else "",
    )


def _days_ago(days: int) -> str:
    return {0: "today", 1: "yesterday"}.get(days, f"{days:,} days ago")


def _units_left(row: RaterRow, findings: ProgressFindings, units: int) -> int | None:
    """For a pool the even share of what is open, held units first."""
    plan, totals = findings.plan, findings.totals
    if plan is None or totals is None:
        return max(0, units - row.committed)
    if not totals.drawn:
        return None
    if not row.admitted or row.saw_judge:
        return row.held
    if plan.each:
        return max(0, totals.drawn - row.committed)
    raters = sum(other.admitted and not other.saw_judge for other in findings.raters)
    most = max(row.held, totals.drawn - row.committed)
    return min(most, max(row.held, round((totals.wanted - totals.given) / max(1, raters))))


def headline(findings: ProgressFindings, work: Sequence[RaterWork], units: int) -> str:
    """Return how far the work is, in a sentence or two.

    For example "12 of 40 ratings are given. Rater A has not rated for 9 days, nor 2 others for a week.";
    the second sentence only if somebody is quiet. One sentence if there are no units, no raters, no plan,
    or nothing drawn.
    """
    if not units:
        return "There is nothing to rate yet. Import conversations."
    if not findings.raters:
        return "Nobody is assigned yet. Add raters under \u201cPlan\u201d."
    return f"{_given(findings, work, units)}{_quiet(work)}"


def _given(findings: ProgressFindings, work: Sequence[RaterWork], units: int) -> str:
    totals = findings.totals
    if totals is None:
        given = sum(rater.row.committed for rater in work)
        return "There is no plan yet, so everyone rates everything" + (
            f"; {given:,} of {units * len(work):,} ratings have been made." if given else "."
        )
    if not totals.drawn:
        return "Nothing is given out yet. Select something under \u201cWhat is rated\u201d."
    if totals.given >= totals.wanted:
        return f"All {count(totals.wanted, 'rating has', 'ratings have')} been made."
    return f"{totals.given:,} of {count(totals.wanted, 'rating has', 'ratings have')} been made."


def _quiet(work: Sequence[RaterWork]) -> str:
    """Who has rated nothing for the longest time."""
    quiet = sorted((rater for rater in work if rater.quiet), key=lambda rater: -rater.quiet)
    if not quiet:
        return ""
    others = (
        (f", and {count(len(quiet) - 1, 'other has', 'others have')} not rated for a week")
        if len(quiet) > 1
        else ""
    )
    return f" {quiet[0].row.name} has not rated for {quiet[0].quiet:,} days{others}."


def rater_remark(row: RaterRow, plan: WorkPlan | None) -> str:
    """Return what else to know of a rater, separated by commas, such as "3 skipped, 1 ran out"; "" if
    nothing.
    """
    remarks = [] if row.admitted else ["not in the plan"]
    if row.saw_judge:
        remarks.append("has seen the judge's labels, so gets nothing to rate blind")
    if plan is not None and plan.certify and row.certified:
        remarks.append(f"certification: {row.certified}")
    if row.imported:
        remarks.append(f"{row.imported:,} more from a file")
    if row.skipped:
        remarks.append(f"{row.skipped:,} skipped")
    if row.ran_out:
        remarks.append(f"{row.ran_out:,} not rated in time")
    return ", ".join(remarks)


def plan_outlook(
    units: int, raters: int, plan: WorkPlan, totals: StudyProgress | None, noun: UnitNoun
) -> str:
    """Return what a plan means: "40 conversations, 2 raters each: 80 ratings, 20 per rater (more for faster
    raters)."

    "" if there is nothing to rate. Until something is drawn, that is the whole study. With too few raters
    it says how many are asked for.
    """
    drawn = totals.drawn if totals is not None and totals.drawn else units
    wanted = raters if plan.each else plan.overlap
    if not drawn or not wanted:
        return ""
    if 0 < raters < wanted:
        present = inflect(raters, "there is", "there are")
        return f"{wanted:,} raters for each are asked for, and {present} {raters:,}."
    ratings = drawn * wanted
    words = [count(ratings, "rating", "ratings")]
    if raters:
        each = ratings / raters
        about = "" if each == int(each) else "about "
        quicker = "" if raters == wanted else " (more for faster raters)"
        words.append(f"{about}{round(each):,} per rater{quicker}" if raters > 1 else "all by one rater")
    repeats = round(plan.repeats * ratings)
    again = f", plus about {count(repeats, 'hidden repeat', 'hidden repeats')}" if repeats else ""
    return f"{noun.count(drawn)}, {count(wanted, 'rater', 'raters')} each: {', '.join(words)}{again}."
