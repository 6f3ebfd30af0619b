"""How the work stands: totals, by rater, by criterion, what ran out, and what nobody took."""

from __future__ import annotations

import streamlit as st

from data.studies import Study
from data.work import overview
from data.work import plan as plans
from data.work.overview import RaterRow
from pages.widgets import reader_session, untrusted_text
from scoring.figures import decimal, moment, percent

LISTED = 50


def show(study: Study) -> None:
    with reader_session.store().reading() as connection:
        plan = plans.current(connection, study.id)
        rows = overview.by_rater(connection, study)
    if plan is None:
        st.info(
            "This study has no plan yet: set one up under Plan, then choose what is rated. Until then "
            "everyone rates everything, in order."
        )
    else:
        _totals(study)
    named = st.toggle(
        "Show names",
        key="lead-names",
        help="Otherwise raters stand under codes that tell nothing of who they are.",
    )
    _raters(rows, named, plan is not None and plan.certify)
    _criteria(study)
    if plan is not None:
        _open(study, {row.id: row.name if named else row.code for row in rows})


def _totals(study: Study) -> None:
    with reader_session.store().reading() as connection:
        now = overview.study_progress(connection, study)
    if not now.drawn:
        st.info("Nothing has been drawn yet. Choose what is rated, and the raters can begin.")
        return
    share = f" ({percent(now.given / now.wanted)})" if now.wanted else ""
    under_way = (
        f", and {now.under_way:,} {'is' if now.under_way == 1 else 'are'} under way" if now.under_way else ""
    )
    untrusted_text.paragraph(
        f"{now.complete:,} of {now.drawn:,} units have all their raters, {now.begun:,} have some. "
        f"{now.given:,} of {now.wanted:,} ratings are given{share}{under_way}."
    )
    st.progress(min(1.0, now.given / now.wanted) if now.wanted else 0.0)


def _raters(rows: list[RaterRow], named: bool, certify: bool) -> None:
    if not rows:
        return
    header = [
        "Rater",
        "Rated",
        "Last 7 days",
        "Minutes a unit",
        "Kept now",
        "Skipped",
        "Ran out",
        "Came again",
        "Practice",
        *(["Certified"] if certify else []),
        "Last (UTC)",
        "",
    ]
    untrusted_text.table(
        "By rater",
        header,
        [
            [
                row.name if named else row.code,
                f"{row.committed:,}",
                f"{row.this_week:,}",
                "" if row.minutes is None else decimal(row.minutes, 1),
                f"{row.held}",
                f"{row.skipped}",
                f"{row.ran_out}",
                f"{row.repeats}",
                f"{row.practice}",
                *([row.certified] if certify else []),
                moment(row.last) if row.last else "",
                _remark(row),
            ]
            for row in rows
        ],
        numeric=(1, 2, 3, 4, 5, 6, 7, 8),
    )


def _remark(row: RaterRow) -> str:
    remarks = [] if row.admitted else ["not in the plan"]
    if row.saw_judge:
        remarks.append("has seen the judge's labels: gets no blind units")
    return "; ".join(remarks)


def _criteria(study: Study) -> None:
    with reader_session.store().reading() as connection:
        rows = {row.criterion: row for row in overview.by_criterion(connection, study)}
    if not rows:
        return
    names = {c.id: c.name for c in study.instrument.criteria} or {
        s.id: s.name for s in (study.taxonomy.strategies if study.taxonomy else ())
    }
    order = [criterion for criterion in names if criterion in rows] + [
        criterion for criterion in rows if criterion not in names
    ]
    untrusted_text.table(
        "By criterion",
        ["Criterion", "Labels", "Cannot rate"],
        [
            [
                names.get(criterion, criterion),
                f"{rows[criterion].labels:,}",
                f"{rows[criterion].cannot_rate:,}",
            ]
            for criterion in order
        ],
        numeric=(1, 2),
    )


def _open(study: Study, names: dict[int, str]) -> None:
    with reader_session.store().reading() as connection:
        count, listed = overview.still_open(connection, study, LISTED, untouched=True)
        ran_out = overview.ran_out(connection, study, LISTED)
    if count:
        first = f", the first {LISTED} in the order of the draw" if count > LISTED else ""
        untrusted_text.table(
            f"{count:,} that nobody took yet{first}",
            ["Unit", "Wants", "Skipped", "Ran out"],
            [
                [
                    untrusted_text.Link(
                        f"Unit {row.position}", f"review?study={study.key}&reader=lead&unit={row.position}"
                    ),
                    f"{row.wanted}",
                    f"{row.skipped}",
                    f"{row.ran_out}",
                ]
                for row in listed
            ],
            numeric=(1, 2, 3),
        )
    if ran_out:
        untrusted_text.table(
            "Kept for a rater until the time ran out, the newest first",
            ["When (UTC)", "Rater", "Unit"],
            [
                [moment(at), names.get(rater, ""), f"{position}" if position > 0 else "practice or repeat"]
                for at, rater, position in ran_out
            ],
        )
