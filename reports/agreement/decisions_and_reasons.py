"""What the labels decide, and whether the judge's reasons hold."""

from __future__ import annotations

from collections.abc import Mapping

from reports.agreement.findings import Findings
from reports.document import Block, Cell, Paragraph, Section, Table, UnitLink
from reports.wording import CANNOT, limits, listed, number, share
from scoring.agreement.rates.decisions import PassRate
from scoring.rationale import ReasoningAudit
from words.figures import decimal, percent
from words.plurals import count, inflect

MAX_LISTED = 200
ERASED = "(the words were erased)"


def decisions_section(findings: Findings) -> Section | None:
    """Return the section on pass or fail and the pass rates; None without a judge or an instrument that
    decides.

    People's rate comes first, then the judge's, corrected or with the reason why not.
    """
    decisions = findings.decisions
    if decisions is None or findings.asked.judge is None:
        return None
    differ = decisions.compared - decisions.same
    blocks: list[Block] = [
        Paragraph(
            "Pass or fail: the judge's labels lead to the same decision as a clinician's in "
            f"{decisions.same:,} of {count(decisions.compared, 'comparison', 'comparisons')}, and to the "
            f"opposite one in {differ:,}."
            if decisions.compared
            else "Pass or fail can't be compared: there is no conversation in which both a clinician and the "
            "judge labelled every criterion.",
            "strong",
        )
    ]
    together = sum(not flip.alone for flip in decisions.flips)
    sentences = []
    if decisions.turned_by:
        turning = listed([f"{findings.criterion(name)} ({n:,})" for name, n in decisions.turned_by], 12)
        sentences.append(f"Criteria that reverse a decision on their own (number of decisions): {turning}.")
    if together:
        sentences.append(
            f"{count(together, 'decision is', 'decisions are')} reversed only by several criteria together."
        )
    if sentences:
        blocks.append(Paragraph(" ".join(sentences)))
    if decisions.flips:
        rows = [
            (
                UnitLink(flip.position, flip.deciding[0] if flip.deciding else ""),
                findings.names.get(flip.rater, "?"),
                "passes" if flip.clinician_passes else "fails",
                "fails" if flip.clinician_passes else "passes",
                ("" if flip.alone else "several together: ")
                + ", ".join(map(findings.criterion, flip.deciding)),
            )
            for flip in decisions.flips[:MAX_LISTED]
        ]
        more = f", the first {MAX_LISTED} listed" if len(decisions.flips) > MAX_LISTED else ""
        blocks.append(
            Table(
                "flips",
                f"Decisions that the judge's labels reverse: {len(decisions.flips):,}{more}",
                (
                    findings.asked.study.noun.heading,
                    "Clinician",
                    "By the clinician",
                    "By the judge",
                    "Reversed by",
                ),
                rows,
            )
        )
    blocks.append(
        Table(
            "pass_rates",
            "Pass rate",
            ("By", "Passed", "of", "Rate", "Incomplete", "Rate if all incomplete ones fail, or all pass"),
            [
                _rate("Clinicians", decisions.people),
                _rate("The judge's labels alone (not the true rate)", decisions.judge),
            ],
            (1, 2, 4),
        )
    )
    if decisions.corrected is not None:
        blocks.append(
            Paragraph(
                "Corrected for the judge's errors (Rogan-Gladen, Lee et al. 2026): "
                f"{share(decisions.corrected)}."
            )
        )
    else:
        blocks.append(Paragraph(f"There is no corrected pass rate. {decisions.why_not}"))
    return Section("decisions", "Pass or fail", tuple(blocks))


def _rate(who: str, rate: PassRate) -> tuple[str, ...]:
    passed = f"{int(rate.passed):,}" if float(rate.passed).is_integer() else decimal(rate.passed, 1)
    bounds = (
        ""
        if rate.low_bound is None or rate.high_bound is None
        else f"{percent(rate.low_bound)} to {percent(rate.high_bound)}"
    )
    return who, passed, f"{rate.n:,}", share(rate.estimate), f"{rate.incomplete:,}", bounds


def reasons_section(findings: Findings) -> Section | None:
    """Return the section on whether the judge's reasons hold; None without a judge or if they were not
    read.
    """
    if findings.asked.judge is None or findings.audit is None:
        return None
    whole, by_criterion = findings.audit
    if whole.labels and whole.silent == whole.labels:
        return Section(
            "reasons",
            "Does the conversation support the judge's reasons?",
            (Paragraph("This judge gave no reasons, so there are none to check."),),
        )
    blocks: list[Block] = [
        Paragraph(
            f"Of {whole.right.answered:,} right labels whose reasons a clinician has judged, "
            f"{whole.right.unsupported:,} had reasons that the conversation does not support "
            f"({share(whole.right.share)})."
            if whole.right.answered
            else "It is too early to say whether the right labels come with the right reasons: no clinician "
            "has judged any of the reasons.",
            "strong",
        ),
        Paragraph(
            f"{len(whole.lost):,} of {count(whole.quotes, 'quotation', 'quotations')} in the judge's reasons "
            f"{inflect(len(whole.lost), 'was', 'were')} not found in the conversation."
            if whole.quotes
            else "The judge quotes nothing from the conversations."
        ),
    ]
    if whole.erased:
        blocks.append(
            Paragraph(
                f"{count(whole.erased, 'label', 'labels')} could not be checked: the words were erased.",
                "small",
            )
        )
    if whole.lost:
        rows = [
            (
                UnitLink(quotation.position, quotation.criterion),
                findings.criterion(quotation.criterion),
                f"\u201c{quotation.quote}\u201d",
            )
            for quotation in whole.lost[:MAX_LISTED]
        ]
        blocks.append(
            Table(
                "lost_quotations",
                f"Quotations that do not occur in the conversation: {len(whole.lost):,}",
                (findings.asked.study.noun.heading, "Criterion", "What the judge quotes"),
                rows,
            )
        )
    rows_ = [(findings.criterion(name), *_line(audit)) for name, audit in by_criterion.items()]
    columns = (
        "Criterion",
        "Labels",
        "Quotations",
        "Do not occur",
        "Right labels with judged reasons",
        "Unsupported",
        "Turns cited where a clinician marked some",
        "Of these, marked by clinicians",
    )
    if rows_:
        blocks.append(Table("reasons", "Reasons by criterion", columns, rows_, (1, 2, 3, 4, 5, 6)))
    comments = comments_table(findings, by_criterion)
    if comments is not None:
        blocks.append(comments)
    return Section("reasons", "Does the conversation support the judge's reasons?", tuple(blocks))


def comments_table(findings: Findings, by_criterion: Mapping[str, ReasoningAudit]) -> Table | None:
    """Return what clinicians wrote about the judge's reasons, by criterion; None if nobody wrote.

    If the report is on one rater, only that rater's comments.
    """
    rows: list[tuple[Cell, ...]] = [
        (
            findings.criterion(name),
            UnitLink(comment.position, name),
            findings.names.get(comment.rater, "?"),
            comment.called or "",
            comment.text if comment.text is not None else ERASED,
        )
        for name, audited in by_criterion.items()
        for comment in audited.comments
        if findings.asked.rater in (None, comment.rater)
    ]
    if not rows:
        return None
    return Table(
        "reasoning_comments",
        f"What clinicians wrote about its reasons: {len(rows):,}",
        ("Criterion", findings.asked.study.noun.heading, "Clinician", "Its reasoning is", "Comment"),
        rows,
    )


def _line(audit: ReasoningAudit) -> tuple[str, ...]:
    overlap = audit.overlap
    both = (
        CANNOT
        if overlap.share.value is None
        else f"{overlap.both:,} ({number(overlap.share)}; {limits(overlap.share)})"
    )
    return (
        f"{audit.labels:,}",
        f"{audit.quotes:,}",
        f"{len(audit.lost):,}",
        f"{audit.right.answered:,}",
        f"{audit.right.unsupported:,}",
        f"{overlap.cited:,}",
        both,
    )
