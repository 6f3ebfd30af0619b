"""What the labels decide, and whether the judge's reasons hold."""

from __future__ import annotations

from collections.abc import Mapping

from runs.agreement.document import Block, Cell, Section, Table, Unit, Words
from runs.agreement.findings import Findings
from runs.agreement.words import CANNOT, count, limits, listed, number, share
from scoring.agreement.decisions import Rate
from scoring.figures import decimal, percent
from scoring.rationale import Audit

LISTED = 200
ERASED = "(the words were erased)"


def decisions_section(found: Findings) -> Section | None:
    """Pass or fail made of either side's labels, and the pass rate: people first, the judge corrected or why
    not."""
    made = found.decisions
    if made is None or found.asked.judge is None:
        return None
    differ = made.compared - made.same
    blocks: list[Block] = [
        Words(
            f"Pass or fail: on {made.same:,} of {made.compared:,} decisions a clinician's labels and the "
            f"judge's decide alike; {differ:,} flip."
            if made.compared
            else "Pass or fail cannot be compared: no conversation has every criterion labelled by a "
            "clinician and by the judge.",
            "strong",
        )
    ]
    if made.turned_by:
        blocks.append(
            Words(
                "What turns them: "
                + listed([f"{found.criterion(name)} ({n:,})" for name, n in made.turned_by], 12)
                + "."
            )
        )
    if made.flips:
        rows = [
            (
                Unit(one.position, one.deciding[0] if one.deciding else ""),
                found.names.get(one.rater, "?"),
                "passes" if one.clinician_passes else "fails",
                "fails" if one.clinician_passes else "passes",
                ", ".join(map(found.criterion, one.deciding)),
            )
            for one in made.flips[:LISTED]
        ]
        more = f", the first {LISTED} listed" if len(made.flips) > LISTED else ""
        blocks.append(
            Table(
                "flips",
                f"Decisions that flip: {len(made.flips):,}{more}",
                ("Unit", "Clinician", "By the clinician it", "By the judge it", "Turned by"),
                rows,
            )
        )
    blocks.append(
        Table(
            "pass_rates",
            "Pass rate",
            ("By", "Passed", "of", "Rate", "Incomplete", "If all incomplete fail, or all pass"),
            [
                _rate("Clinicians", made.people),
                _rate("The judge alone: not to be reported as the true rate", made.judge),
            ],
            (1, 2, 4),
        )
    )
    if made.corrected is not None:
        blocks.append(
            Words(
                f"Corrected for the judge's errors (Rogan-Gladen, Lee et al. 2026): {share(made.corrected)}."
            )
        )
    else:
        blocks.append(Words(f"No corrected pass rate: {made.why_not}"))
    return Section("decisions", "What it decides", tuple(blocks))


def _rate(who: str, rate: Rate) -> tuple[str, ...]:
    passed = f"{int(rate.passed):,}" if float(rate.passed).is_integer() else decimal(rate.passed, 1)
    bounds = (
        ""
        if rate.low_bound is None or rate.high_bound is None
        else f"{percent(rate.low_bound)} to {percent(rate.high_bound)}"
    )
    return who, passed, f"{rate.n:,}", share(rate.estimate), f"{rate.incomplete:,}", bounds


def reasons_section(found: Findings) -> Section | None:
    """Right labels with wrong reasons, quotations that nobody said, turns cited by both."""
    if found.asked.judge is None or found.audit is None:
        return None
    whole, by_criterion = found.audit
    if whole.labels and whole.silent == whole.labels:
        return Section(
            "reasons",
            "Do its reasons hold?",
            (Words("This judge gave no reasons, so there is nothing to check."),),
        )
    blocks: list[Block] = [
        Words(
            f"Of {whole.right.answered:,} right labels whose reasons a clinician judged, "
            f"{whole.right.unsupported:,} had reasons that the conversation does "
            f"not support ({share(whole.right.share)})."
            if whole.right.answered
            else "Whether right labels have right reasons cannot be told yet: no clinician has judged the "
            "reasons of one.",
            "strong",
        ),
        Words(
            f"{count(whole.quotes, 'quotation', 'quotations')} in the judge's reasons were looked up; "
            f"{count(len(whole.lost), 'does', 'do')} not occur in "
            "the conversation."
            if whole.quotes
            else "The judge quotes nothing of the conversations."
        ),
    ]
    if whole.erased:
        blocks.append(
            Words(
                f"{count(whole.erased, 'label', 'labels')} could not be checked: the words were erased.",
                "small",
            )
        )
    if whole.lost:
        rows = [
            (Unit(one.position, one.criterion), found.criterion(one.criterion), f"\u201c{one.quote}\u201d")
            for one in whole.lost[:LISTED]
        ]
        blocks.append(
            Table(
                "lost_quotations",
                f"Quotations that do not occur: {len(whole.lost):,}",
                ("Unit", "Criterion", "What the judge quotes"),
                rows,
            )
        )
    rows_ = [(found.criterion(name), *_line(one)) for name, one in by_criterion.items()]
    columns = (
        "Criterion",
        "Labels",
        "Quotations",
        "Do not occur",
        "Right and judged",
        "Unsupported",
        "Turns cited where a clinician marked some",
        "of them marked by clinicians",
    )
    blocks.append(Table("reasons", "Reasons by criterion", columns, rows_, (1, 2, 3, 4, 5, 6)))
    comments = comments_table(found, by_criterion)
    if comments is not None:
        blocks.append(comments)
    return Section("reasons", "Do its reasons hold?", tuple(blocks))


def comments_table(found: Findings, by_criterion: Mapping[str, Audit]) -> Table | None:
    """What clinicians wrote of the judge's reasons, by criterion; where the report is of one rater, theirs.
    None where nobody wrote."""
    rows: list[tuple[Cell, ...]] = [
        (
            found.criterion(name),
            Unit(comment.position, name),
            found.names.get(comment.rater, "?"),
            comment.called or "",
            comment.text if comment.text is not None else ERASED,
        )
        for name, audited in by_criterion.items()
        for comment in audited.comments
        if found.asked.rater in (None, comment.rater)
    ]
    if not rows:
        return None
    return Table(
        "reasoning_comments",
        f"What clinicians wrote of its reasons: {len(rows):,}",
        ("Criterion", "Unit", "Clinician", "Its reasoning is", "Comment"),
        rows,
    )


def _line(one: Audit) -> tuple[str, ...]:
    overlap = one.overlap
    both = (
        CANNOT
        if overlap.share.value is None
        else f"{overlap.both:,} ({number(overlap.share)}; {limits(overlap.share)})"
    )
    return (
        f"{one.labels:,}",
        f"{one.quotes:,}",
        f"{len(one.lost):,}",
        f"{one.right.answered:,}",
        f"{one.right.unsupported:,}",
        f"{overlap.cited:,}",
        both,
    )
