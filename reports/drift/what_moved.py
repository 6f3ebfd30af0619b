"""What moved over time: the judge, a rater, the mix of cases, the model under study, the judge beside the
clinicians. The sentence for the top of a page, a sentence for each, and a table of the tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from reports.document import Block, Paragraph, Shape, Table
from reports.drift.agreement_by_date import PeriodView
from reports.drift.level_words import NAME, level_sentences
from scoring.drift.findings import Finding, Kind
from words.figures import chance, percent
from words.plurals import count, join_words

# What each is called, and what it was looked for in.
KINDS: dict[Kind, tuple[str, str]] = {
    "judge": ("The judge", "the same locked set of conversations, answered repeatedly"),
    "raters": ("The raters", "each rater compared with colleagues, on what both rated"),
    "mix": ("The mix of cases", "when each condition occurs"),
    "model": ("The model under study", "levels within a condition, by clinicians and by the judge"),
    "trend": ("Agreement, rise or fall", "Mann-Kendall over the periods"),
    "level": (
        NAME,
        "judge minus clinicians on what both labelled: clearest step, compared with shuffles of whole days",
    ),
}
NOTE = (
    "A change in the judge, a rater, the cases or the model looks the same on the line of agreement, so "
    "each has its own test. If nothing has changed, the chance that any change is reported here or in the "
    "charts below is at most 5%. \u201cNo clear change\u201d does not mean that nothing changed: few "
    "conversations reveal only large changes. The test of the judge uses the locked set; all the others use "
    "conversations that clinicians rated and the chosen judge labelled."
)


@dataclass(frozen=True)
class MovedRow:
    """One thing that may have moved. `shape`: "no" if it moved, "yes" if no change is clear, "unknown" if
    not tested.
    """

    shape: Shape
    words: str


def headline(shown: PeriodView, names: Mapping[int, str]) -> tuple[str, str]:
    """Return the page's headline, and what goes on below it ("" for nothing): everything that moved, the
    level first; otherwise that no change is clear, and what was not tested.

    Args:
        names: How each rater is called here.
    """
    moved = _find_named(shown)
    if moved:
        (first, limitation), others = _sentences(moved[0], shown, names), moved[1:]
        rest = [limitation, *(sentence(finding, shown, names) for finding in others)]
        return first, " ".join(filter(None, rest))
    return _say_nothing_moved(shown), ""


def _say_nothing_moved(shown: PeriodView) -> str:
    periods = count(shown.line.known, shown.length, f"{shown.length}s")
    if all(finding.untold is not None for finding in shown.findings):
        return f"It is too early to say from {periods} whether anything changed."
    if any(finding.named for finding in shown.findings):  # agreement itself, and none of its sources
        return f"Agreement with the judge changed over {periods}; no cause is clear."
    untold = [KINDS[finding.kind][0] for finding in shown.movers if finding.untold is not None]
    untold = [f"{name[:1].lower()}{name[1:]}" for name in untold]
    limitation = f"; {join_words(untold)} could not be tested" if untold else ""
    return f"No change is clear over {periods}{limitation}."


def rows(shown: PeriodView, names: Mapping[int, str]) -> list[MovedRow]:
    """Return each source, and the level, that the headline does not name; what moved first."""
    in_headline = _find_named(shown)
    return [
        MovedRow(
            "no" if finding.named else "yes" if finding.untold is None else "unknown",
            sentence(finding, shown, names),
        )
        for finding in sorted(shown.movers, key=lambda finding: (not finding.named, finding.untold or ""))
        if finding not in in_headline
    ]


def blocks(shown: PeriodView) -> Iterator[Block]:
    """Yield a sentence per source and level, what moved first, without naming raters, for a file."""
    level, *moved = shown.movers
    for finding in sorted([*moved, level], key=lambda finding: not finding.named):
        yield Paragraph(sentence(finding, shown, {}), "strong" if finding.named else "plain")
    yield Paragraph(NOTE, "small")


def table(shown: PeriodView) -> Table:
    """Return the table "what_moved", one row per finding: what, on what it was tested, the result, n, p and
    corrected p.

    The result is "changed", "no clear change" or "not tested: REASON"; a missing p is "".
    """
    rows = [
        (
            *KINDS[finding.kind],
            f"not tested: {finding.untold}"
            if finding.untold is not None
            else ("changed" if finding.named else "no clear change"),
            f"{finding.n:,}",
            *("" if p is None else chance(p) for p in (finding.p, finding.corrected)),
        )
        for finding in shown.findings
    ]
    return Table(
        "what_moved",
        "What changed, and how each part was tested",
        ("What", "Tested on", "Result", "n (agreement: periods)", "p", "p, corrected for all of these"),
        rows,
        (3, 4, 5),
    )


def sentence(finding: Finding, shown: PeriodView, names: Mapping[int, str]) -> str:
    """Return what is known of one source or of the level, in one or two sentences.

    "SOURCE: not tested, REASON.", "SOURCE: no clear change (12 conversations).", or what changed which way.
    """
    return " ".join(filter(None, _sentences(finding, shown, names)))


def _sentences(finding: Finding, shown: PeriodView, names: Mapping[int, str]) -> tuple[str, str]:
    return (
        level_sentences(shown) if finding.kind == "level" else (_source_sentence(finding, shown, names), "")
    )


def _source_sentence(finding: Finding, shown: PeriodView, names: Mapping[int, str]) -> str:
    called, conversations = KINDS[finding.kind][0], count(finding.n, "conversation", "conversations")
    if finding.untold is not None:
        return f"{called}: not tested, {finding.untold}."
    if not finding.named:
        return f"{called}: no clear change ({conversations})."
    levels = f"{'higher' if finding.direction > 0 else 'lower'} levels"
    if finding.kind == "judge":
        onward, back = (finding.up, finding.down)[:: 1 if finding.direction > 0 else -1]
        talks = count(finding.n, "locked conversation", "locked conversations")
        if finding.what == "right":
            more, less = ("more", "less") if finding.direction > 0 else ("less", "more")
            what = f"it gives the settled label {more} often with time on {onward:,} of {talks}, {less} often"
        else:
            rise, fall = ("rise", "fall") if finding.direction > 0 else ("fall", "rise")
            what = f"its levels {rise} with time on {onward:,} of {talks} and {fall}"
        return f"The judge changed: over all its answers, {what} on {back:,}."
    if finding.kind == "mix":
        return f"The mix of cases changed: {_describe_mix(finding, shown)} ({conversations})."
    if finding.kind == "model":
        return (
            "The model under study changed: within the same condition, clinicians and the judge both give "
            f"{levels} later than earlier ({conversations})."
        )
    if finding.who is None:
        return (
            "The raters changed: the difference between the two changed on what both rated "
            f"({conversations}). Which of the two changed can't be estimated."
        )
    return (
        f"A rater changed: compared with colleagues on what both rated, {names.get(finding.who, 'a rater')} "
        f"gives {levels} later than earlier ({conversations})."
    )


def _find_named(shown: PeriodView) -> list[Finding]:
    """What the headline names. Where the level says that the judge moved on the anchors as well, the anchors
    say nothing more.
    """
    by_level = shown.level.named and shown.mover[0] == "judge" and shown.mover[1] is not None
    return [
        finding for finding in shown.movers if finding.named and not (by_level and finding.kind == "judge")
    ]


def _describe_mix(finding: Finding, shown: PeriodView) -> str:
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
        else "at different times from the others"
    )
    return (
        f"\u201c{shown.names[who]}\u201d occurs {often}: it is {percent(early)} of the earlier half of the "
        f"conversations and {percent(late)} of the later half"
    )
