"""The verdicts of a judge in a row: a shape for each criterion, with its word."""

from __future__ import annotations

from dataclasses import dataclass

from reports.agreement.findings import Findings
from reports.agreement.verdict_cautions import leading_caution
from reports.document import Shape
from reports.verdict_table import VERDICTS, wording_of


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
    """Return a dot per criterion, in the order of the instrument; none without a judge."""
    if findings.asked.judge is None:
        return VerdictDots("", ())
    return VerdictDots(
        findings.asked.judge.name,
        tuple(
            VerdictDot(
                wording_of(judged.verdict).shape,
                judge_agreement.question.criterion.name,
                VERDICTS[judged.verdict.verdict].word,
            )
            for judged, judge_agreement in zip(findings.verdicts, findings.beside, strict=True)
        ),
        leading_caution(findings),
    )
