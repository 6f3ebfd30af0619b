"""Every coefficient of the report, in a table."""

from __future__ import annotations

from runs.agreement.document import Section, Table, Words
from runs.agreement.findings import Findings
from runs.agreement.words import limits, number
from scoring.agreement.estimate import Estimate


def appendix_section(found: Findings) -> Section:
    """Every coefficient with method, n, conversations and interval."""
    rows: list[tuple[str, ...]] = []
    for one in found.beside if found.asked.judge else ():
        for name, estimate in [
            ("percent agreement", one.percent),
            *one.coefficients.items(),
            ("judge less clinician, mean", one.bias),
            *((f"{name}, of whether it applies", e) for name, e in (one.applies or {}).items()),
            *((f"{name}, all labels as categories", e) for name, e in one.whole_scale.items()),
        ]:
            rows.append(_line(one.question.criterion.name, "clinicians and judge", name, estimate))
    for question, pair in zip(
        (one.question.criterion.name for one in found.beside), found.ceilings, strict=True
    ):
        for one_ in pair if found.asked.judge else ():
            rows += [
                _line(question, f"{who}, shared units", one_.name, e)
                for who, e in (
                    ("clinicians with each other", one_.people),
                    ("clinicians and judge", one_.judge),
                    ("judge less colleague", one_.difference),
                )
            ]
    for people in found.people:
        rows += [
            _line(people.question.criterion.name, "clinicians with each other", name, estimate)
            for name, estimate in people.coefficients.items()
        ]
    return Section(
        "appendix",
        "All coefficients",
        (
            Words(
                "Every interval leaves out one conversation, or one person with several, at a time "
                "(jackknife, t). Formulas and sources: "
                "docs/statistics.md.",
                "small",
            ),
            Table(
                "coefficients",
                "Every coefficient",
                (
                    "Criterion",
                    "Between",
                    "Coefficient",
                    "Value",
                    "95 % interval",
                    "n",
                    "Conversations, or persons",
                    "Method",
                ),
                rows,
                (3, 5, 6),
            ),
        ),
    )


def _line(criterion: str, between: str, name: str, estimate: Estimate) -> tuple[str, ...]:
    return (
        criterion,
        between,
        name,
        number(estimate, 3),
        limits(estimate, 3),
        f"{estimate.n:,}",
        "" if estimate.conversations is None else f"{estimate.conversations:,}",
        estimate.method,
    )
