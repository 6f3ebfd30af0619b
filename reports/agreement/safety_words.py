"""Safety: does the judge catch what clinicians call a failure, beside a colleague, and which units to
read.
"""

from __future__ import annotations

from reports.agreement.findings import Findings
from reports.agreement.verdict_phrases import points
from reports.document import Block, Paragraph, Section, Table, UnitLink
from reports.wording import share
from scoring.agreement.safety.safety import Safety, UnitToRead
from scoring.agreement.safety.safety_colleague import ColleagueCatch
from scoring.agreement.safety.safety_shares import SafetyShares
from words.figures import percent
from words.plurals import count, inflect

REFERENCE = (
    "A failure is confirmed once a person who has not seen the judge's labels has settled it. Until every "
    "conversation in which any clinician saw a failure is settled, this page shows a preview: the label "
    "that most clinicians gave if there were three or more, or that both gave if there were two. "
    "\u201cCompared with a colleague\u201d means: of the failures that one clinician saw, how many another "
    "clinician saw too, and how many the judge saw."
)


def safety_section(findings: Findings) -> Section | None:
    """Return the section on safety criteria, with every unit to read; None without a judge or a gate."""
    if findings.asked.judge is None or findings.safety is None:
        return None
    safety = findings.safety
    blocks: list[Block] = [
        Paragraph(caught_in_words(safety, findings), "strong"),
        Paragraph(_as_colleague(safety.colleague)),
        Paragraph(_alarms(safety)),
    ]
    blocks += [Paragraph(sentence) for sentence in _apart(safety)]
    if safety.to_read:
        confirmed = sum(unit.confirmed for unit in safety.to_read)
        caption = (
            f"To read: {count(len(safety.to_read), 'failure', 'failures')} that a clinician saw and the "
            f"judge did not ({confirmed:,} {_by_whom(safety)})"
        )
        blocks.append(_to_read(findings, "safety_to_read", caption, safety.to_read))
    if safety.false_alarms:
        blocks.append(
            _to_read(
                findings,
                "safety_false_alarms",
                "False alarms, which the judge called a failure and clinicians did not: "
                f"{len(safety.false_alarms):,}",
                safety.false_alarms,
            )
        )
    blocks.append(_by_criterion(findings, safety))
    blocks.append(Paragraph(REFERENCE, "small"))
    return Section("safety", "Safety", tuple(blocks))


def caught_in_words(safety: Safety, findings: Findings) -> str:
    """Return how many failures the judge catches, over all criteria of the gate.

    Until settling is complete it begins "A preview while 3 of 8 are settled." and counts what most
    clinicians gave.
    """
    shares, of = safety.caught, findings.of
    if safety.settling.complete:
        return _caught(shares, of, "settled")
    return (
        f"This is a preview: {safety.settling.settled:,} of "
        f"{count(safety.settling.drawn, 'label', 'labels')} to settle "
        f"{inflect(safety.settling.drawn, 'is', 'are')} settled so far. {_caught(shares, of, 'unsettled')}"
    )


def _caught(shares: SafetyShares, of: str, kind: str) -> str:
    """`of`: "conversation", or "person" where one has several. `kind`: "settled" or "unsettled"."""
    caught, missed = shares.counts[0], shares.counts[1]
    judged = caught + missed
    failures = count(shares.failures, f"{kind} safety failure", f"{kind} safety failures")
    if not shares.failures:
        if not sum(shares.counts):
            return (
                "It is too early to say what the judge catches: on the safety criteria, none of the judge's "
                "labels can be compared with a confirmed answer yet."
            )
        limit = (
            ""
            if shares.limit is None
            else f" Up to {percent(shares.limit)} of {of}s may still have a failure (95% limit)."
        )
        return (
            "Clinicians found no safety failure in what the judge labelled too: "
            f"{count(sum(shares.counts), 'label', 'labels')} from "
            f"{count(shares.conversations, of, f'{of}s')}.{limit} So how many failures the judge would "
            "catch can't be estimated."
        )
    if not judged:
        return f"There {inflect(shares.failures, 'is', 'are')} {failures}; the judge labelled none of them."
    judged_failures = count(judged, f"{kind} safety failure", f"{kind} safety failures")
    return (
        f"The judge caught {caught:,} of {judged_failures} "
        f"({share(shares.sensitivity).replace(' (', '; ', 1)}."
    )


def _as_colleague(catch: ColleagueCatch) -> str:
    if catch.judge.value is None or catch.clinician.value is None:
        return (
            "It is too early to compare with a colleague: no clinician saw a failure where another clinician "
            "and the judge also gave a label."
        )
    return (
        "Compared with a colleague: of the failures that one clinician saw, the judge saw "
        f"{percent(catch.judge.value)} and another clinician {percent(catch.clinician.value)}; difference: "
        f"{points(catch.difference)}."
    )


def _alarms(safety: Safety) -> str:
    shares, clinician = safety.caught, safety.alarms.clinician
    false, passed = shares.counts[2], shares.counts[3]
    if not false + passed:
        return "Clinicians passed nothing that the judge labelled, so false alarms can't be estimated."
    colleague = (
        ""
        if clinician.value is None
        else (f" A clinician raises one in {percent(clinician.value)} of such cases.")
    )
    alarms = false + shares.counts[0]
    if not alarms:
        let_pass = f"In the {count(false + passed, 'case', 'cases')} that clinicians passed"
        return f"{let_pass}, the judge raised no false alarms: it never called anything a failure."
    return (
        f"In the {count(false + passed, 'case', 'cases')} that clinicians passed, the judge raised "
        f"{count(false, 'false alarm', 'false alarms')}.{colleague} Clinicians agreed with "
        f"{shares.counts[0]:,} of {count(alarms, 'failure', 'failures')} that the judge found: "
        f"{share(shares.ppv)}."
    )


def _apart(safety: Safety) -> list[str]:
    """What is in none of these numbers."""
    caught, sentences = safety.caught, []
    if caught.unlabelled:
        sentences.append(
            f"On {count(caught.unlabelled, 'confirmed failure', 'confirmed failures')} the judge gave no "
            "label. These are neither caught nor missed, and a person should read them. If they are counted "
            f"as missed, the judge caught {share(caught.with_unlabelled_missed)}."
        )
    if caught.unasked:
        sentences.append(
            f"{count(caught.unasked, 'confirmed failure', 'confirmed failures')} "
            f"{inflect(caught.unasked, 'is', 'are')} in conversations or replies about which this judge was "
            "never asked. No number here includes them."
        )
    if caught.open:
        sentences.append(
            f"{caught.open:,} of the judge's labels {inflect(caught.open, 'has', 'have')} no confirmed "
            "answer to compare with: either only one clinician gave a label, or clinicians were evenly split."
        )
    if safety.invalid:
        sentences.append(
            f"Clinicians pressed \u201cdoes not apply\u201d {count(safety.invalid, 'time', 'times')} where "
            "that is not allowed. These answers are neither failures nor passes here."
        )
    return sentences


def _by_whom(safety: Safety) -> str:
    """What the reference of a failure rests on: nothing is confirmed before all are settled."""
    return "confirmed" if safety.settling.complete else "seen by most clinicians"


def _to_read(findings: Findings, key: str, caption: str, units: tuple[UnitToRead, ...]) -> Table:
    questions = findings.material.questions
    by_whom = "confirmed" if findings.safety is None else _by_whom(findings.safety)
    rows = [
        (
            UnitLink(unit.position, questions[unit.question].id),
            questions[unit.question].criterion.name,
            f"{unit.failing} of {unit.raters}",
            by_whom if unit.confirmed else f"not {by_whom}",
            "none: the call failed" if unit.label is None else questions[unit.question].names[unit.label],
        )
        for unit in units
    ]
    return Table(
        key,
        caption,
        (
            findings.asked.study.noun.heading,
            "Criterion",
            "Clinicians who saw a failure",
            "Confirmed",
            "Judge",
        ),
        rows,
    )


def _by_criterion(findings: Findings, safety: Safety) -> Table:
    rows = []
    for number in safety.questions:
        shares, catch = findings.gates[number].caught, findings.gates[number].colleague
        rows.append(
            (
                findings.material.questions[number].criterion.name,
                *(f"{n:,}" for n in shares.counts),
                f"{shares.unlabelled:,}",
                *(share(estimate) for estimate in (shares.sensitivity, shares.specificity)),
                points(catch.difference),
            )
        )
    columns = (
        "Criterion",
        "Caught",
        "Missed",
        "False alarms",
        "Rightly passed",
        "No label",
        "Caught, of failures",
        "Passed, of the rest",
        "Failures that one clinician saw: seen by the judge minus seen by a colleague",
    )
    return Table("safety_by_criterion", "By criterion", columns, rows, (1, 2, 3, 4, 5))
