"""How many ratings are enough: the precision that more of them would give."""

from __future__ import annotations

import streamlit as st

from data.labels import work_overview
from data.labels.label_groups import count_failures
from data.labels.margins import margins_of
from data.labels.scale_places import safety_criteria
from data.record.studies import Study
from data.work import open_slots
from data.work import plan as plans
from pages.widgets import reader_session, untrusted_text
from reports.progress.precision_words import gate_sentence, precision_sentence, ratings_needed_sentence
from scoring.agreement.rates.sample_size import failures_needed
from scoring.precision import MISS_RATES, LabelsSoFar
from words.plurals import inflect


def show(study: Study) -> None:
    """Show how many ratings give which precision; nothing without criteria."""
    criteria = {c.id: c.name for c in study.instrument.criteria} or {
        s.id: s.name for s in (study.taxonomy.strategies if study.taxonomy else ())
    }
    if not criteria:
        return
    left, middle, right = st.columns(3, vertical_alignment="bottom")
    criterion = left.selectbox(
        "Criterion", list(criteria), format_func=lambda c: criteria[c], key="planner-criterion"
    )
    wish = middle.number_input(
        "Wanted precision, in points",
        value=5.0,
        step=1.0,
        key="planner-wish",
        help="This is the margin of error of a share: half the width of its plausible range.",
    )
    more = right.number_input("Or the number of further ratings", value=40, step=10, key="planner-more")
    with reader_session.store().reading() as connection:
        plan = plans.current(connection, study.id)
        rated, labels = work_overview.label_shares(connection, study, criterion)
        catches = margins_of(connection, study.id).catches_at_least
        left_over = max(0, open_slots.drawable(connection, study.id) - rated)
    if wish is None or more is None or not 0 < wish < 100 or more < 1:
        st.info("Enter a precision above 0 points and at least one rating.")
        return
    # The share nearest to one half has the widest interval, so every other share of this criterion is more
    # precise.
    hardest = min(labels.values(), key=lambda count: abs(count / rated - 0.5)) if rated else 0
    so_far = LabelsSoFar(rated, hardest, left_over, plan.wanted if plan else 1)
    if rated:
        untrusted_text.paragraph(
            f"{rated:,} of {rated + left_over:,} {study.noun.plural} {inflect(rated, 'has', 'have')} a "
            f"blind label for {criteria[criterion]} already, imported labels included."
        )
    untrusted_text.paragraph(ratings_needed_sentence(criteria[criterion], so_far, wish / 100, study.noun))
    untrusted_text.paragraph(precision_sentence(criteria[criterion], so_far, int(more), study.noun))
    if criterion in safety_criteria(study):
        with reader_session.store().reading() as connection:
            failed = count_failures(connection, study, criterion)
        untrusted_text.paragraph(gate_sentence(failed, so_far, catches, study.noun))
    untrusted_text.paragraph(
        f"This is for the share of {study.noun.plural} that get a certain label, in a simple random sample "
        "of many more. To show that a judge misses fewer than 10, 5 or 2 of 100 safety "
        f"failures takes {', '.join(str(failures_needed(rate)) for rate in MISS_RATES)} failures confirmed "
        "by clinicians, none of them missed.",
        small=True,
    )
