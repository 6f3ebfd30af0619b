"""What moved? The judge, a rater, the mix of cases, the model under study, the judge beside the clinicians:
each in one sentence, and in a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from reports.document import Block, Paragraph, Table
from reports.drift.agreement_by_date import PeriodView
from reports.drift.level_words import NAME, level_sentence
from scoring.drift.findings import Finding, Kind
from words.figures import chance, percent
from words.plurals import count

CALLED: dict[Kind, str] = {
    "judge": "The judge",
    "raters": "The raters",
    "mix": "The mix of cases",
    "model": "The model under study",
    "trend": "Agreement, rise or fall",
    "level": NAME,
}
LOOKED_AT: dict[Kind, str] = {
    "judge": "the same fixed conversations, answered again and again",
    "raters": "each rater beside colleagues, on what both rated",
    "mix": "which conditions come when",
    "model": "levels within a condition, by people and by the judge",
    "trend": "Mann-Kendall over the periods",
    "level": "judge less clinicians on what both labelled, the clearest step, whole days shuffled",
}
NOTE = (
    "The judge, a rater, the cases and the model look alike on the line of agreement, so each is looked for "
    "where only it can show. The chance that "
    "anything here or in the charts below speaks up while nothing moves is held at 5%. No clear change is "
    "not proof that nothing changed: few "
    "conversations show large changes only. All but the fixed conversations rests on the conversations "
    "that the chosen "
    "judge labelled and people rated."
)


def blocks(shown: PeriodView, names: Mapping[int, str]) -> Iterator[Block]:
    """`names`: what each rater is called here."""
    every = [*shown.moved, shown.level]
    for one in sorted(every, key=lambda finding: not finding.named):  # the answer first
        yield Paragraph(
            level_sentence(shown) if one.kind == "level" else sentence(one, shown, names),
            "strong" if one.named else "plain",
        )
    yield Paragraph(NOTE, "small")


def sentence(finding: Finding, shown: PeriodView, names: Mapping[int, str]) -> str:
    """Of one of the four sources."""
    called = CALLED[finding.kind]
    if finding.untold is not None:
        return f"{called}: cannot be told, {finding.untold}."
    if not finding.named:
        return f"{called}: no clear change ({count(finding.n, 'conversation', 'conversations')})."
    return {"judge": _judge, "raters": _raters, "mix": _mix, "model": _model}[finding.kind](
        finding, shown, names
    )


def table(shown: PeriodView) -> Table:
    """All that was tested, and why the rest could not be."""
    rows = [
        (
            CALLED[finding.kind],
            LOOKED_AT[finding.kind],
            _result(finding),
            f"{finding.n:,}",
            "" if finding.p is None else chance(finding.p),
            "" if finding.corrected is None else chance(finding.corrected),
        )
        for finding in shown.findings
    ]
    return Table(
        "what_moved",
        "What moved, and what it was looked for in",
        ("What", "Looked at", "Result", "n (of agreement: periods)", "p", "p, corrected for all of these"),
        rows,
        (3, 4, 5),
    )


def _result(finding: Finding) -> str:
    if finding.untold is not None:
        return f"cannot be told: {finding.untold}"
    return "changed" if finding.named else "no clear change"


def _judge(finding: Finding, _: PeriodView, __: Mapping[int, str]) -> str:
    if finding.what == "right":
        more, onward, back = (
            ("more", finding.up, finding.down)
            if finding.direction > 0
            else ("less", finding.down, finding.up)
        )
        return (
            f"The judge changed: it gives the settled label {more} often {_counted(onward, back, finding.n)}."
        )
    higher, onward, back = (
        ("higher", finding.up, finding.down) if finding.direction > 0 else ("lower", finding.down, finding.up)
    )
    return f"The judge changed: it gives {higher} levels {_counted(onward, back, finding.n)}."


def _counted(there: int, back: int, n: int) -> str:
    return (
        f"later than earlier, on {there:,} of {count(n, 'fixed conversation', 'fixed conversations')} "
        f"({back:,} the other way), all answers counted"
    )


def _raters(finding: Finding, _: PeriodView, names: Mapping[int, str]) -> str:
    if finding.who is None:
        return (
            "The raters changed: the two moved apart on what both rated "
            f"({count(finding.n, 'conversation', 'conversations')}); between two, nobody can tell "
            "which of them moved."
        )
    higher = "higher" if finding.direction > 0 else "lower"
    return (
        f"A rater changed: beside colleagues on what both rated, {names.get(finding.who, 'a rater')} gives "
        f"{higher} levels later than earlier "
        f"({count(finding.n, 'conversation', 'conversations')})."
    )


def _mix(finding: Finding, shown: PeriodView, _: Mapping[int, str]) -> str:
    cases, who = shown.cases, finding.who if finding.who is not None else -1
    placed = ~np.isnan(cases.day) & (cases.condition >= 0)
    middle = float(np.median(cases.day[placed]))
    early, late = (
        float(np.mean(cases.condition[placed & side] == who)) if (placed & side).any() else 0.0
        for side in (cases.day <= middle, cases.day > middle)
    )
    often = (
        "more often later than earlier"
        if late > early
        else "less often later than earlier"
        if late < early
        else "at other times than the others"
    )
    return (
        f"The mix of cases changed: \u201c{shown.names[who]}\u201d comes {often}, {percent(early)} of the "
        "earlier half of the conversations and "
        f"{percent(late)} of the later ({count(finding.n, 'conversation', 'conversations')})."
    )


def _model(finding: Finding, _: PeriodView, __: Mapping[int, str]) -> str:
    higher = "higher" if finding.direction > 0 else "lower"
    return (
        f"The model under study changed: within the same condition, people and the judge both give {higher} "
        "levels later than earlier "
        f"({count(finding.n, 'conversation', 'conversations')})."
    )
