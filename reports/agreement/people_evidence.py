"""A study without a judge: how far clinicians agree with each other, in a sentence and in a line for each
criterion.
"""

from __future__ import annotations

from reports.agreement.coefficient_words import BEYOND_CHANCE, axis_head
from reports.agreement.findings import Findings
from reports.document import Evidence, EvidenceRow, PageHead
from reports.wording import number_with_limits, share
from scoring.agreement.intervals.estimate import Estimate
from scoring.agreement.verdicts.cautions import APART
from scoring.agreement.verdicts.criterion_agreement import VERDICT_ALPHA, HumanAgreement
from words.figures import percent
from words.plurals import count

NO_LABELS = "This study has no judge yet, and nothing was labelled by two clinicians."


def headline_of_people(findings: Findings) -> str:
    """Return "No judge yet. Clinicians gave the same label in 5 of 8 pairs (63%).", or NO_LABELS without
    pairs.
    """
    pairs = sum(human_agreement.counted.pairs for human_agreement in findings.people)
    same = sum(human_agreement.counted.same for human_agreement in findings.people)
    if not pairs:
        return NO_LABELS
    share_same = percent(same / pairs)
    return (
        f"This study has no judge yet. Clinicians gave the same label in {same:,} of "
        f"{count(pairs, 'pair', 'pairs')} ({share_same})."
    )


def people_evidence(findings: Findings) -> Evidence:
    """Return a row per criterion on how far clinicians agree with each other."""
    estimates = [_alpha(human_agreement) for human_agreement in findings.people]
    ends = [end for estimate in estimates for end in (estimate.value, estimate.low) if end is not None]
    axis = "Krippendorff's alpha: 0 is chance, 1 is always the same label"
    names = list(dict.fromkeys(map(_alpha_name, findings.people)))
    return Evidence(
        "people",
        "Clinicians with each other",
        "Criterion",
        "",
        ("Clinicians with each other",),
        axis,
        ("Same label", "Differ"),
        (
            f"Same label, averaged over {findings.asked.study.noun.plural}",
            "Agreement beyond chance",
            "AC1",
            "Note",
        ),
        tuple(
            _row(human_agreement, estimate)
            for human_agreement, estimate in zip(findings.people, estimates, strict=True)
        ),
        min([0.0, *ends]),
        1.0,
        page_heads={
            axis: axis_head(names),
            "Agreement beyond chance": PageHead("Agreement beyond chance", "Krippendorff's alpha."),
            "AC1": PageHead("Agreement beyond chance, not lowered by a very common label", "Gwet's AC1."),
        },
    )


def explain_low_alpha(human_agreement: HumanAgreement, name: str = "alpha") -> str:
    """Return why alpha is low although people agree, with the counts; "" if that is not so.

    `name`: what alpha is called.
    """
    alpha, ac1 = (human_agreement.coefficients[name] for name in ("alpha, nominal", "AC1"))
    if alpha.value is None or ac1.value is None or ac1.value - alpha.value <= APART:
        return ""
    counted, names = human_agreement.counted, human_agreement.question.names
    totals = counted.table.sum(axis=0) + counted.table.sum(axis=1)
    return (
        f"{percent(float(totals.max() / totals.sum()))} of the labels are "
        f"\u201c{names[int(totals.argmax())]}\u201d. Clinicians agree on {counted.same:,} of "
        f"{counted.pairs:,} pairs, yet {name} is low: one label is so common that chance alone would give "
        "nearly as much agreement. Look at the counts." + _of_verdicts(human_agreement, name)
    )


def _of_verdicts(human_agreement: HumanAgreement, name: str) -> str:
    """How much of it is agreement on what does not apply."""
    alpha = human_agreement.coefficients.get(VERDICT_ALPHA)
    if alpha is None or alpha.value is None:
        return ""
    return f" Counting only the labels that say the criterion applies, {name} is {number_with_limits(alpha)}."


def _beyond_chance(human_agreement: HumanAgreement) -> str:
    """The number, and where it leaves out what does not apply, the same with it: percent and AC1 beside it
    count it.
    """
    question, alpha = human_agreement.question, _alpha(human_agreement)
    shown, whole = number_with_limits(alpha), human_agreement.coefficients["alpha, nominal"]
    if question.not_applicable is None or not question.ordinal:
        return shown
    if alpha.value is None and whole.value is None:
        return shown
    name = question.names[question.domain.index(question.not_applicable)]
    return (
        f"{shown} {'from' if alpha.value is None else 'for'} the labels that say the criterion applies; "
        f"{number_with_limits(whole)} for all labels, counting \u201c{name}\u201d as one more label and "
        "ignoring the order of levels"
    )


def _alpha_name(human_agreement: HumanAgreement) -> str:
    return "alpha, ordinal" if "alpha, ordinal" in human_agreement.coefficients else "alpha, nominal"


def _alpha(human_agreement: HumanAgreement) -> Estimate:
    return human_agreement.coefficients[_alpha_name(human_agreement)]


def _row(human_agreement: HumanAgreement, alpha: Estimate) -> EvidenceRow:
    coefficients, counted = human_agreement.coefficients, human_agreement.counted
    differ = counted.pairs - counted.same
    has_pairs = bool(counted.pairs)
    same, beyond = share(coefficients["percent agreement"]), number_with_limits(alpha)
    common_label_allowed = number_with_limits(coefficients["AC1"])
    has_order = human_agreement.question.ordinal
    name = f"{BEYOND_CHANCE} (ignoring the order of levels)" if has_order else BEYOND_CHANCE
    return EvidenceRow(
        human_agreement.question.id,
        human_agreement.question.criterion.name,
        "unknown",
        "",
        (alpha,),
        (
            percent(counted.same / counted.pairs) if has_pairs else "",
            f"{differ:,} of {counted.pairs:,}" if has_pairs else "no pairs yet",
        ),
        (
            counted.same / counted.pairs if has_pairs else None,
            differ / counted.pairs if has_pairs else None,
        ),
        (
            same,
            f"alpha {beyond}",
            common_label_allowed,
            explain_low_alpha(human_agreement).rstrip("."),
        ),
        page_notes=(
            same,
            _beyond_chance(human_agreement),
            common_label_allowed,
            explain_low_alpha(human_agreement, name).rstrip("."),
        ),
    )
