"""Which raters are in the headline of a report, and why the others are not."""

from __future__ import annotations

from collections.abc import Iterator

from data.record.studies import Study
from reports.agreement.findings import Findings
from scoring.agreement.verdicts.raters import MIN_UNITS_OF_RATER, PART_OF_MEDIAN

NO_LABEL = "no blind label that counts"


def explain_left_out(findings: Findings, rater: int) -> str:
    """Return why a rater's labels are in no headline: "set aside: REASON", "only 3 conversations", or
    NO_LABEL.

    "" if they are in it.
    """
    if rater in findings.aside:
        return word_set_aside(findings.aside[rater])
    if rater in findings.thin:
        return word_few_units(findings.asked.study, findings.thin[rater])
    return "" if rater in findings.blind_raters else NO_LABEL


def word_set_aside(reason: str) -> str:
    """Return "set aside: REASON"."""
    return f"set aside: {reason}"


def word_few_units(study: Study, units: int) -> str:
    """Return "only 3 conversations"."""
    return f"only {study.noun.count(units)}"


def list_raters(findings: Findings) -> Iterator[tuple[str, str]]:
    """Yield (name, reason) of every rater who gave a label, in the order of names; reason as
    `explain_left_out`.
    """
    for rater, name in findings.names.items():
        if rater in findings.everyone.raters:
            yield name, explain_left_out(findings, rater)


def rater_rows(findings: Findings) -> Iterator[tuple[str, str, str]]:
    """Yield the header, then (name, "yes" or "no", reason) for each rater."""
    yield "rater", "in_headline", "why_not"
    for name, reason in list_raters(findings):
        yield name, "no" if reason else "yes", reason


def name_raters_outside(findings: Findings) -> str:
    """Return the text of who is not in the headline, one line each, for recomputing its numbers."""
    noun = findings.asked.study.noun
    outside = [f"{name}: {reason}" for name, reason in list_raters(findings) if reason]
    if not outside:
        return "The headline of the report includes all of these raters.\n"
    rule = (
        f"A rater has too few {noun.plural} for the headline with fewer than 1/{PART_OF_MEDIAN} of the "
        f"median rater's, or with fewer than {MIN_UNITS_OF_RATER} where the median rater has "
        f"{MIN_UNITS_OF_RATER} or more.\n"
        if findings.thin
        else ""
    )
    return (
        "The headline of the report leaves these raters out. To reproduce its numbers, leave out their "
        "labels:\n" + "".join(f"  {line}\n" for line in outside) + rule
    )
