"""Judge cards: who each judge is, what it was asked, where it failed, whether it repeats itself, and what it
cost.
"""

from __future__ import annotations

import streamlit as st

from data import adoptions, agreement_material, judgements, ledger, ledger_reports, ledger_totals
from data.judgements import Judge
from data.ledger_totals import AttemptTotals
from data.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.guard import judges_permitted
from pages.widgets.page_context import page_context
from pages.widgets.reasoning_comments import show_reasoning_comments
from pages.widgets.several_judges import compare_all
from pages.widgets.two_judges import compare_two
from reports.drift.anchor_rounds import caution
from reports.wording import share
from scoring.agreement.arms import shown_beside_blind
from scoring.agreement.flips import FlipRate, RepeatedVerdicts, flips
from scoring.figures import money, percent
from scoring.judges.statuses import FAILURES, OK

ENOUGH = (
    20  # pairs of a clinician's blind label and the judge's, below which no share of agreement is printed
)
IDENTITY = {
    "provider": "Provider",
    "model": "Model asked for",
    "prompt": "Prompt, version and hash",
    "instrument": "Instrument",
    "parser": "How replies are read",
}


def render() -> None:
    arrived = page_context(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    untrusted_text.heading(f"Judges: {study.title}", 1)
    st.button(
        "Not you? Choose another name",
        key="judges-leave",
        type="tertiary",
        on_click=reader_session.forget_reader,
        args=(study,),
    )
    if not judges_permitted(study, reader):
        return
    with reader_session.store().reading() as connection:
        judges = judgements.judges(connection, study.id)
        first = adoptions.default_judge(connection, study.id, judges)
    if not judges:
        st.info(
            "No judge has said anything about this study yet. Start one on the Runs page, or import its "
            "labels."
        )
        return
    chosen = st.selectbox(
        "Judge",
        range(len(judges)),
        index=first,
        format_func=lambda number: _named(judges[number]),
        key="judges-chosen",
    )
    _card(study, judges[chosen])
    if len(judges) > 1:
        compare_two(study, judges)
        compare_all(study, judges)


def _named(judge: Judge) -> str:
    model = judge.identity.get("model", "unknown")
    return judge.name if model == judge.name else f"{judge.name}, {model}"


def _card(study: Study, judge: Judge) -> None:
    untrusted_text.heading(_named(judge), 2)
    with reader_session.store().reading() as connection:
        now, warning = adoptions.active_judge(connection, study.id), caution(connection, study, judge)
    if now is not None:
        untrusted_text.paragraph("In use in this study." if now == judge.id else "Not in use in this study.")
    if warning:
        st.warning(untrusted_text.plain(warning))
    if judge.identity.get("provider") == "replay":
        st.info("Recorded: this judge repeats answers that were recorded earlier. No model was asked.")
    _identity(judge)
    _calls(study, judge)
    _repeats(judge)
    _agreement(study, judge)
    show_reasoning_comments(study, judge)


def _identity(judge: Judge) -> None:
    parameters = judge.identity.get("parameters") or {}
    rows = [[word, str(judge.identity.get(name, "unknown"))] for name, word in IDENTITY.items()]
    rows += [[name.replace("_", " "), _value(value)] for name, value in sorted(parameters.items())]
    untrusted_text.table("Who it is: any change of this is another judge", ["", ""], rows)


def _value(value: object) -> str:
    """A parameter, or the safety settings category by category."""
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(
        f"{name.removeprefix('HARM_CATEGORY_').lower().replace('_', ' ')} {level}"
        for name, level in value.items()
    )


def _calls(study: Study, judge: Judge) -> None:
    with reader_session.store().reading() as connection:
        counts = ledger_reports.counts_by_criterion(connection, judge.id)
        totals = ledger_totals.totals(connection, judge_id=judge.id)
        served = ledger.answered_as(connection, judge.id)
    kinds = sorted({status for status_counts in counts.values() for status in status_counts} - {OK})
    order = [c.id for c in study.instrument.criteria] or sorted(counts)
    names = {c.id: f"{c.id} {c.name}" for c in study.instrument.criteria}
    rows = [
        [
            names.get(criterion, criterion),
            f"{status_counts.get(OK, 0):,}",
            *[f"{status_counts.get(kind, 0):,}" for kind in kinds],
        ]
        for criterion in order
        if (status_counts := counts.get(criterion))
    ]
    if rows:
        untrusted_text.table(
            "What it said, by criterion",
            ["Criterion", "Labels", *[FAILURES.get(kind, kind) for kind in kinds]],
            rows,
            numeric=range(1, len(kinds) + 2),
        )
    if kinds:
        untrusted_text.paragraph(
            "Failures are rarely chance: a service withholds its reply where a conversation is grave. They "
            "are no labels and need a person.",
            small=True,
        )
    if served:
        untrusted_text.paragraph(
            "It answered as "
            + ", ".join(f"{name} ({count:,} calls)" for name, count in sorted(served.items()))
            + "."
        )
    if totals.attempts:
        untrusted_text.paragraph(
            f"{totals.attempts:,} tries; {totals.tokens_in:,} tokens sent ({totals.cached:,} of them from "
            "the service's memory), "
            f"{totals.tokens_out:,} written ({totals.thought:,} of them thinking).{_cost(totals)}"
        )
    else:
        untrusted_text.paragraph("Its labels were imported: no calls of it are known here.")


def _cost(totals: AttemptTotals) -> str:
    if not totals.costs:
        return " What they cost is not known: there is no price for them." if totals.unpriced else ""
    unpriced = f" Of {totals.unpriced:,} tries it is not known what they cost." if totals.unpriced else ""
    return f" Cost by the price list: {money(totals.costs)}.{unpriced}"


def _repeats(judge: Judge) -> None:
    with reader_session.store().reading() as connection:
        drawn = {arm: ledger_reports.asked_again(connection, judge.id, arm) for arm in ("random", "safety")}
    untrusted_text.heading("Does it repeat itself?", 3)
    flip_rates = {
        arm: flips(
            [
                RepeatedVerdicts(
                    replicated.conversation_id,
                    replicated.first,
                    tuple(label for label in replicated.later if label is not None),
                )
                for replicated in asked
                if replicated.first is not None
            ]
        )
        for arm, asked in drawn.items()
    }
    if not flip_rates["random"].labels:
        untrusted_text.paragraph(
            "Not measured: no label was asked again. Start a run that asks drawn labels several times."
        )
    else:
        untrusted_text.paragraph(_flip_sentence(flip_rates["random"]))
    if flip_rates["safety"].labels:
        untrusted_text.paragraph(
            f"Apart from that, of {flip_rates['safety'].labels:,} safety labels, every NO and as many YES, "
            f"{flip_rates['safety'].changed:,} changed at "
            "least once. They were not drawn at random, so they are in no rate."
        )


def _flip_sentence(flip_rate: FlipRate) -> str:
    sentence = (
        f"Flip rate {percent(flip_rate.rate.value or 0.0)}: of {flip_rate.asked_again:,} answers to "
        "questions asked "
        "again, in a random share of the units, "
        f"that many differ from the first verdict. {flip_rate.changed:,} of {flip_rate.labels:,} labels "
        "changed at "
        "least once; "
        f"{flip_rate.conversations:,} conversations."
    )
    if flip_rate.rate.low is not None and flip_rate.rate.high is not None:
        return (
            f"{sentence} 95% interval: {percent(max(0.0, flip_rate.rate.low))} to "
            f"{percent(min(1.0, flip_rate.rate.high))}."
        )
    if flip_rate.none_at_most is not None:
        return (
            f"{sentence} With so many conversations, up to {percent(flip_rate.none_at_most)} of them may "
            "still "
            "hold a label that changes (95% limit)."
        )
    return f"{sentence} No interval: {flip_rate.rate.undefined}."


def _agreement(study: Study, judge: Judge) -> None:
    with reader_session.store().reading() as connection:
        blind = shown_beside_blind(agreement_material.read_counted(connection, study, judge.id)).blind
    untrusted_text.heading("Do clinicians agree with it?", 3)
    if blind.pairs < ENOUGH:
        untrusted_text.paragraph(
            f"Not enough ratings: {blind.pairs:,} blind labels of clinicians stand beside its labels; "
            f"{ENOUGH} are the least to print a share."
        )
    else:
        untrusted_text.paragraph(
            f"{blind.same:,} of {blind.pairs:,} blind labels of clinicians are the same as its labels: "
            f"{share(blind.percent)}."
        )
    untrusted_text.link(
        "Criterion by criterion, on the Agreement page",
        f"agreement?study={study.key}&reader={st.query_params.get('reader', '')}",
    )


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "judges"})
