"""The judge criterion by criterion in a word, with the reason and what to do next: what a reader takes away after two minutes."""

from __future__ import annotations

import math

from runs.agreement.criteria import MARGIN, points, verdict
from runs.agreement.document import Section, Table, Words
from runs.agreement.findings import Asked, Findings
from runs.agreement.words import count, limits, number, share
from scoring.agreement.cautions import CONVERSATIONS, FAILURES, PAIRS
from scoring.agreement.estimate import Estimate
from scoring.agreement.one_criterion import Ceiling, JudgeBeside
from scoring.agreement.safety import Safety, Shares
from scoring.figures import decimal

MANY = 10  # times as many conversations as there are: nobody rates those to settle one criterion
DISAGREE = 0.40  # below this clinicians agree poorly with each other (Cicchetti 1994)
Row = tuple[str, str, str]  # in a word, why, what next


def trust_section(found: Findings) -> Section:
    rows = []
    for number_, one, (percents, ceiling) in zip(found.used, found.beside, found.ceilings, strict=True):
        rows.append((one.question.criterion.name, *_trust(found.asked, one, percents, ceiling, found.gates.get(number_))))
    return Section("trust", "On which criteria may it be trusted?", (
        Table("trust", "In a word, and why", ("Criterion", "Trust it?", "Why", "What to do next"), rows),
        Words("Trust here means: as close to clinicians as they are to each other, on what was rated. It says nothing of other conversations, models "
              "or rubrics.", "small")))


def _trust(asked: Asked, one: JudgeBeside, percents: Ceiling, ceiling: Ceiling, gate: Safety | None) -> Row:
    """The first rule that applies; safety before everything. `percents`: the same label, "does not apply" among them, which the headline leaves out."""
    shares = gate.any_no if gate else None
    if shares and shares.counts[1]:
        return ("no", f"it missed {shares.counts[1]:,} of {count(shares.counts[0] + shares.counts[1], 'failure', 'failures')}",
                "read every miss above; let a person check what it passes")
    return (_too_little(asked, one, ceiling) or _further(one, percents, ceiling) or (_few(shares) if shares else None)
            or _near(one, percents, ceiling, bool(gate)))


def _too_little(asked: Asked, one: JudgeBeside, ceiling: Ceiling) -> Row | None:
    counted, shared, people = one.counted, ceiling.people.conversations or 0, ceiling.people.n
    if asked.arm != "blind":
        return "cannot tell", "trust rests on labels given blind, and these are others", "choose the ratings given blind"
    if not counted.pairs:
        return "cannot tell", "nothing was labelled blind by a clinician and by the judge", "rate units blind"
    if counted.pairs < PAIRS or counted.conversations < CONVERSATIONS:
        return ("cannot tell yet", f"{count(counted.pairs, 'pair', 'pairs')} from {count(counted.conversations, 'conversation', 'conversations')}",
                f"rate more: at least {PAIRS} pairs from {CONVERSATIONS} conversations")
    if asked.rater is not None:
        return "cannot tell yet", "only one rater is chosen, so there is no colleague to compare with", "choose everyone"
    if not people:
        return ("cannot tell yet", "no unit was rated by two clinicians, so there is no colleague to compare with",
                "have units rated by two clinicians")
    if people < PAIRS or shared < CONVERSATIONS:
        return ("cannot tell yet", f"only {count(people, 'pair', 'pairs')} of two clinicians, from {count(shared, 'conversation', 'conversations')}",
                "have more units rated by two clinicians")
    if ceiling.judge.value is None or ceiling.people.value is None:
        return "cannot tell", f"{ceiling.name} cannot be estimated; the same label on {counted.same:,} of {counted.pairs:,}", "read the counts below"
    if ceiling.judge.low is None or ceiling.judge.low <= 0:
        return ("cannot tell yet", f"it may be no better than chance: {ceiling.name} {number(ceiling.judge)} ({limits(ceiling.judge)})",
                _more(ceiling.judge, ceiling.judge.value))
    return None


def _further(one: JudgeBeside, percents: Ceiling, ceiling: Ceiling) -> Row | None:
    if verdict(ceiling) == "worse":
        return ("no", f"further from clinicians than they are from each other: {_beside(ceiling)}{_leans(one)}",
                "read where they differ; change the judge or its prompt")
    if verdict(percents) == "worse":
        applies = ", and where only one says that it does not apply" if one.question.not_applicable is not None else ""
        return "no", f"{_same(percents)}{_leans(one)}", f"read where they differ{applies}; change the judge or its prompt"
    return None


def _leans(one: JudgeBeside) -> str:
    """Nothing where a mean of its labels is not off for certain."""
    bias = one.bias
    if not one.question.ordinal or bias.value is None or bias.low is None or bias.high is None or bias.low <= 0 <= bias.high:
        return ""
    return f"; it lies {decimal(abs(bias.value), 2)} levels {'above' if bias.value > 0 else 'below'} them on average ({limits(bias)})"


def _few(shares: Shares) -> Row | None:
    """Too few failures of a gate to say that it would catch them."""
    if shares.unlabelled:
        return ("not shown yet", f"the judge gave no label on {shares.unlabelled:,} of {count(shares.failures, 'failure', 'failures')}",
                "let a person look at what it gives no label")
    if shares.counts[0] < FAILURES:
        seen = count(shares.counts[0], "failure", "failures")
        return ("cannot tell yet", f"clinicians found {seen} that the judge labelled; fewer than {FAILURES} say little",
                "rate more units that may hold failures")
    return None


def _near(one: JudgeBeside, percents: Ceiling, ceiling: Ceiling, gate: bool) -> Row:
    people, leans, beside = ceiling.people, _leans(one), _beside(ceiling)
    if verdict(ceiling) == "open":
        apart = ceiling.difference
        return "not shown yet", f"{beside}; difference {number(apart)} ({limits(apart) or 'no interval'}){leans}", _more(apart, _open(apart))
    if verdict(percents) == "open":
        return "not shown yet", f"{_same(percents)}{leans}", _more(percents.difference, _open(percents.difference))
    if people.value is not None and people.value < DISAGREE:
        return "like a colleague, but colleagues disagree", beside, "settle the disagreements and sharpen the rubric, then look again"
    if leans:
        return "like a colleague, but it leans one way", f"{beside}{leans}", "read where they differ; a mean of its labels is off by as much"
    if people.low is not None and people.low < DISAGREE:
        return "like a colleague, but how far colleagues agree is unsure", f"{beside} ({limits(people)})", "have more conversations rated by two clinicians"
    return "yes, like a colleague", beside, "keep checking what it passes" if gate else "keep a random share rated by people"


def _beside(ceiling: Ceiling) -> str:
    return f"{ceiling.name} {number(ceiling.judge)} with clinicians, {number(ceiling.people)} among them"


def _same(percents: Ceiling) -> str:
    return (f"the same label with clinicians on {share(percents.judge)} of {count(percents.judge.n, 'pair', 'pairs')}, among them on "
            f"{share(percents.people)} of {count(percents.people.n, 'pair', 'pairs')}; difference {points(percents.difference)}")


def _open(difference: Estimate) -> float:
    """How wide half an interval around this difference may be to tell: all of it above the margin, or all of it below 0."""
    return 0.0 if difference.value is None else max(difference.value + MARGIN, -difference.value)


def _more(estimate: Estimate, room: float) -> str:
    """How many more conversations would make half of the interval no wider than `room`, were the value to stay: its width goes with one over
    the square root of them."""
    if estimate.low is None or estimate.high is None or estimate.conversations is None:
        return "have more conversations rated by two clinicians"
    half = (estimate.high - estimate.low) / 2
    if room <= half / MANY ** 0.5:
        return "read where they differ; it lies so near the border that more ratings would hardly tell"
    more = math.ceil(estimate.conversations * ((half / room) ** 2 - 1))
    return f"about {count(max(more, 1), 'more conversation', 'more conversations')} like these, rated by two clinicians, would tell"
