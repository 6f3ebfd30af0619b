"""Judge cards: who each judge is, what it was asked, where it failed, whether it repeats itself, and what it
cost.
"""

from __future__ import annotations

import streamlit as st

from data import adoptions, agreement_material, judgements, ledger, ledger_reports
from data.judgements import Judge
from data.ledger import Totals
from data.studies import Study
from pages.widgets import foreign, place
from pages.widgets.arrival import arrive
from pages.widgets.guard import judges_permitted
from pages.widgets.reasoning_comments import show_reasoning_comments
from pages.widgets.several_judges import compare_all
from pages.widgets.two_judges import compare_two
from runs.agreement.words import share
from runs.drift.anchors import caution
from scoring.agreement.arms import shown_beside_blind
from scoring.agreement.flips import Asked, Flips, flips
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
    arrived = arrive(rating=False)
    if arrived is None:
        return
    study, reader = arrived
    foreign.heading(f"Judges: {study.title}", 1)
    st.button(
        "Not you? Choose another name",
        key="judges-leave",
        type="tertiary",
        on_click=place.forget_reader,
        args=(study,),
    )
    if not judges_permitted(study, reader):
        return
    with place.store().reading() as connection:
        found = judgements.judges(connection, study.id)
        first = adoptions.foremost(connection, study.id, found)
    if not found:
        st.info(
            "No judge has said anything about this study yet. Start one on the Runs page, or import its "
            "labels."
        )
        return
    chosen = st.selectbox(
        "Judge",
        range(len(found)),
        index=first,
        format_func=lambda number: _named(found[number]),
        key="judges-chosen",
    )
    _card(study, found[chosen])
    if len(found) > 1:
        compare_two(study, found)
        compare_all(study, found)


def _named(judge: Judge) -> str:
    model = judge.identity.get("model", "unknown")
    return judge.name if model == judge.name else f"{judge.name}, {model}"


def _card(study: Study, judge: Judge) -> None:
    foreign.heading(_named(judge), 2)
    with place.store().reading() as connection:
        now, said = adoptions.in_use(connection, study.id), caution(connection, study, judge)
    if now is not None:
        foreign.paragraph("In use in this study." if now == judge.id else "Not in use in this study.")
    if said:
        st.warning(foreign.plain(said))
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
    foreign.table("Who it is: any change of this is another judge", ["", ""], rows)


def _value(value: object) -> str:
    """A parameter, or the safety settings category by category."""
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(
        f"{name.removeprefix('HARM_CATEGORY_').lower().replace('_', ' ')} {level}"
        for name, level in value.items()
    )


def _calls(study: Study, judge: Judge) -> None:
    with place.store().reading() as connection:
        counts = ledger_reports.counts_by_criterion(connection, judge.id)
        totals = ledger.totals(connection, judge_id=judge.id)
        served = ledger.answered_as(connection, judge.id)
    kinds = sorted({status for found in counts.values() for status in found} - {OK})
    order = [c.id for c in study.instrument.criteria] or sorted(counts)
    names = {c.id: f"{c.id} {c.name}" for c in study.instrument.criteria}
    rows = [
        [
            names.get(criterion, criterion),
            f"{found.get(OK, 0):,}",
            *[f"{found.get(kind, 0):,}" for kind in kinds],
        ]
        for criterion in order
        if (found := counts.get(criterion))
    ]
    if rows:
        foreign.table(
            "What it said, by criterion",
            ["Criterion", "Labels", *[FAILURES.get(kind, kind) for kind in kinds]],
            rows,
            numeric=range(1, len(kinds) + 2),
        )
    if kinds:
        foreign.paragraph(
            "Failures are rarely chance: a service withholds its reply where a conversation is grave. They "
            "are no labels and need a person.",
            small=True,
        )
    if served:
        foreign.paragraph(
            "It answered as "
            + ", ".join(f"{name} ({count:,} calls)" for name, count in sorted(served.items()))
            + "."
        )
    if totals.attempts:
        foreign.paragraph(
            f"{totals.attempts:,} tries; {totals.tokens_in:,} tokens sent ({totals.cached:,} of them from "
            "the service's memory), "
            f"{totals.tokens_out:,} written ({totals.thought:,} of them thinking).{_cost(totals)}"
        )
    else:
        foreign.paragraph("Its labels were imported: no calls of it are known here.")


def _cost(totals: Totals) -> str:
    if not totals.costs:
        return " What they cost is not known: there is no price for them." if totals.unpriced else ""
    unpriced = f" Of {totals.unpriced:,} tries it is not known what they cost." if totals.unpriced else ""
    return f" Cost by the price list: {money(totals.costs)}.{unpriced}"


def _repeats(judge: Judge) -> None:
    with place.store().reading() as connection:
        drawn = {arm: ledger_reports.asked_again(connection, judge.id, arm) for arm in ("random", "safety")}
    foreign.heading("Does it repeat itself?", 3)
    found = {
        arm: flips(
            [
                Asked(
                    one.conversation_id, one.first, tuple(label for label in one.later if label is not None)
                )
                for one in asked
                if one.first is not None
            ]
        )
        for arm, asked in drawn.items()
    }
    if not found["random"].labels:
        foreign.paragraph(
            "Not measured: no label was asked again. Start a run that asks drawn labels several times."
        )
    else:
        foreign.paragraph(_flip_sentence(found["random"]))
    if found["safety"].labels:
        foreign.paragraph(
            f"Apart from that, of {found['safety'].labels:,} safety labels, every NO and as many YES, "
            f"{found['safety'].changed:,} changed at "
            "least once. They were not drawn at random, so they are in no rate."
        )


def _flip_sentence(found: Flips) -> str:
    said = (
        f"Flip rate {percent(found.rate.value or 0.0)}: of {found.asked_again:,} answers to questions asked "
        "again, in a random share of the units, "
        f"that many differ from the first verdict. {found.changed:,} of {found.labels:,} labels changed at "
        "least once; "
        f"{found.conversations:,} conversations."
    )
    if found.rate.low is not None and found.rate.high is not None:
        return (
            f"{said} 95% interval: {percent(max(0.0, found.rate.low))} to "
            f"{percent(min(1.0, found.rate.high))}."
        )
    if found.none_at_most is not None:
        return (
            f"{said} With so many conversations, up to {percent(found.none_at_most)} of them may still "
            "hold a label that changes (95% limit)."
        )
    return f"{said} No interval: {found.rate.undefined}."


def _agreement(study: Study, judge: Judge) -> None:
    with place.store().reading() as connection:
        blind = shown_beside_blind(agreement_material.read_counted(connection, study, judge.id)).blind
    foreign.heading("Do clinicians agree with it?", 3)
    if blind.pairs < ENOUGH:
        foreign.paragraph(
            f"Not enough ratings: {blind.pairs:,} blind labels of clinicians stand beside its labels; "
            f"{ENOUGH} are the least to print a share."
        )
    else:
        foreign.paragraph(
            f"{blind.same:,} of {blind.pairs:,} blind labels of clinicians are the same as its labels: "
            f"{share(blind.percent)}."
        )
    foreign.link(
        "Criterion by criterion, on the Agreement page",
        f"agreement?study={study.key}&reader={st.query_params.get('reader', '')}",
    )


if __name__ == "__main__":
    st.switch_page("app.py", query_params={**st.query_params.to_dict(), "page": "judges"})
