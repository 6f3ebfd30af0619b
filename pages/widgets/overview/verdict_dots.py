"""The verdicts on the judge in use next to a study in the list, for people who may see them.

The verdicts show how good the judge is on the whole study, so showing them counts as showing its labels.
Opening the list records nothing: a rater sees verdicts here only once it is recorded that a page showed them
the labels.
"""

from __future__ import annotations

from html import escape
from typing import Literal, cast

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from data.access.permissions import Action, Person, Reason, may
from data.record import judgements, studies
from data.record.studies import Study
from data.work import exposures
from pages.widgets import reader_session
from pages.widgets.agreement.filters import whole_study_findings
from pages.widgets.memo import memoize, study_head
from reports.agreement.findings import Findings
from reports.document import SIGNS, Shape
from reports.overview.verdict_dots import VerdictDots, verdict_dots
from reports.verdict_table import SETTLE_FIRST, VERDICTS

MAX_UNITS_COMPUTED = (
    300  # units up to which the list computes verdicts; above, it shows what a page has computed
)
Sight = Literal["nobody", "after_unit", "after_batch", "never", "elsewhere", "now"]
WORDS: dict[Sight, str] = {
    "after_unit": "You see the judge's labels after each {unit}, and the verdicts on the judge at the end",
    "after_batch": "You see the judge's labels after every few, and the verdicts on the judge at the end",
    "never": "Raters do not see the judge's labels",
    "elsewhere": "The Agreement page shows the judge's labels",
}


class LargeStudy(Exception):
    """The study's verdicts would take too long for a list, and no page of this tab has computed them."""


def sight(study: Study) -> Sight:
    """Tell whether this person may see the verdicts here, and if not, where or when."""
    chosen = reader_session.choice(study)
    if chosen is None:
        return "nobody"
    with reader_session.store().reading() as connection:
        if not judgements.judges(connection, study.id):
            return "nobody"
        if chosen == reader_session.LEAD:
            return "now"
        rater = studies.rater(connection, int(chosen))
        decision = may(connection, Person(rater), Action.SEE_LABELS, study)
        if not decision:
            return "nobody" if decision.reason is Reason.NEEDS_RATER else cast(Sight, study.reveal)
        return "now" if exposures.saw_page(connection, rater.id) else "elsewhere"


def sight_words(study: Study, seen: Sight) -> str:
    """Return the sentence of WORDS that replaces the verdicts, without a full stop; a batch of one unit
    reads as "after_unit".
    """
    of_each = seen == "after_batch" and study.batch_size == 1
    return WORDS["after_unit" if of_each else seen].format(unit=study.noun.singular)


def fill_dots(study: Study, place: DeltaGenerator) -> bool:
    """Draw the verdicts for a person whose `sight` is "now". Tell whether there are any."""
    try:
        shown = find_dots(study)
    except LargeStudy:
        return False
    if not shown.dots:
        return False
    reader_session.saw_everything(study)
    dots = "".join(
        f'<span class="sr-dot sr-verdict-{dot.shape}" role="img" title="{escape(words, quote=True)}" '
        f'aria-label="{escape(words, quote=True)}">{SIGNS[dot.shape]}</span>'
        for dot in shown.dots
        for words in (f"{dot.criterion}: {dot.verdict}",)
    )
    caution = f'<p class="sr-small" dir="auto">{escape(shown.caution)}</p>' if shown.caution else ""
    place.html(
        f'<p class="sr-small sr-verdicts">{dots} <span dir="auto">{escape(shown.judge)}</span></p>{caution}'
    )
    return True


def explain_signs() -> None:
    """Show the legend of the signs below the list."""
    meanings: dict[Shape, list[str]] = {}
    for wording in (*VERDICTS.values(), SETTLE_FIRST):
        meanings.setdefault(wording.shape, []).append(wording.word)
    signs = " ".join(
        f'<span class="sr-meaning"><span class="sr-dot sr-verdict-{shape}" aria-hidden="true">'
        f"{SIGNS[shape]}</span> {' or '.join(words)}</span>"
        for shape, words in meanings.items()
    )
    st.html(f'<p class="sr-signs sr-small">The judge, criterion by criterion: {signs}</p>')


def find_dots(study: Study, findings: Findings | None = None) -> VerdictDots:
    """Return the verdicts, computed once. Raises LargeStudy for a large study without a page's `findings`."""
    with reader_session.store().reading() as connection:
        head = study_head(connection, study)
        units = studies.unit_count(connection, study.id)

    def make() -> VerdictDots:
        if findings is not None:
            return verdict_dots(findings)
        if units > MAX_UNITS_COMPUTED:
            raise LargeStudy
        return verdict_dots(whole_study_findings(study))

    # One name per study, because only the last few values of a name are kept.
    return memoize(f"verdict-dots-{study.id}", study.id, head, make)
