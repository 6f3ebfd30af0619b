"""The verdicts of a judge in a row: a shape for each criterion, with its word."""

from __future__ import annotations

from dataclasses import dataclass

from reports.agreement.findings import Findings
from reports.agreement.verdict_cautions import leading_caution
from reports.agreement.verdict_evidence import shape_of
from reports.agreement.verdict_words import ANSWERS
from reports.document import Shape


@dataclass(frozen=True)
class VerdictDot:
    shape: Shape
    criterion: str
    verdict: str


@dataclass(frozen=True)
class VerdictDots:
    """`judge`: its name; "" where no judge has labelled the study. `caution`: what to know before anything of
    it is believed, or "".
    """

    judge: str
    dots: tuple[VerdictDot, ...]
    caution: str = ""


def verdict_dots(findings: Findings) -> VerdictDots:
    """In the order of the instrument."""
    if findings.asked.judge is None:
        return VerdictDots("", ())
    return VerdictDots(
        findings.asked.judge.name,
        tuple(
            VerdictDot(
                shape_of(judged.verdict),
                judge_agreement.question.criterion.name,
                ANSWERS[judged.verdict.verdict],
            )
            for judged, judge_agreement in zip(findings.verdicts, findings.beside, strict=True)
        ),
        leading_caution(findings),
    )
