"""The words of the verdicts, for pages, files and the command line: docs/reference_statistics.md has the same
table, with what each means.
"""

from __future__ import annotations

from dataclasses import dataclass

from reports.document import Shape
from scoring.agreement.verdicts.verdict_rule import CriterionVerdict, TrustVerdict, VerdictReason


@dataclass(frozen=True)
class VerdictWording:
    """`word` stands in tables and lists; `clause` in headlines, before the number of criteria; `shape` is how
    it is drawn.
    """

    word: str
    clause: str
    shape: Shape


VERDICTS = {
    TrustVerdict.YES: VerdictWording("matches clinicians", "the judge matches clinicians", "yes"),
    TrustVerdict.NO: VerdictWording("falls short", "the judge falls short", "no"),
    TrustVerdict.LEANS: VerdictWording("leans one way", "the judge leans one way", "leans"),
    TrustVerdict.COLLEAGUES_DIFFER: VerdictWording("clinicians differ", "clinicians differ", "unknown"),
    TrustVerdict.NOT_SHOWN: VerdictWording("not shown yet", "a match is not shown yet", "unknown"),
    TrustVerdict.CANNOT_TELL: VerdictWording(
        "too early to say", "it is too early to say how the judge does", "unknown"
    ),
}
# "Not shown yet" at a safety gate that waits to be settled, drawn as loudly as "falls short".
SETTLE_FIRST = VerdictWording("settle failures first", "failures need settling first", "alert")
MATCHES, FALLS_SHORT = VERDICTS[TrustVerdict.YES].word, VERDICTS[TrustVerdict.NO].word


def wording_of(verdict: CriterionVerdict) -> VerdictWording:
    """Return how a headline words a verdict, and its shape."""
    return SETTLE_FIRST if verdict.reason is VerdictReason.SETTLE_FIRST else VERDICTS[verdict.verdict]
