"""The Drift page for a lead and for raters."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from data.keeping.erase import erase_conversation
from data.record import studies
from data.store.store import Store
from tests.pages.conftest import text_of
from tests.studies.dated_study import put
from tests.studies.made_curves import put_curves
from tests.studies.simulated_studies import simulate

CLEAN = ("Goal alignment", "gpt4o", "gemini3")


def test_a_lead_sees_each_condition_with_its_slope_and_where_care_leaves_the_plan(
    app: Callable[..., AppTest], store: Store
) -> None:
    put_curves(store)
    at = app("drift", study="vera_mh", reader="lead")
    assert not at.exception
    page_text = text_of(at)
    assert "falls" in page_text and "gpt4o minus gpt5" in page_text and "shows no clear change" in page_text
    assert page_text.startswith(
        '<h1 class="sr-h1">With gpt4o, replies become less similar to the care plan turn by turn. With gemini3 and '
        "gpt5, no change is clear.</h1>"
    )
    assert "least similar to the plan at turn 7" in page_text
    furthest = rows(at, "Local alignment there")
    assert len(furthest) == 90 and all("&turn=7" in address for address in furthest["Open"][:30])
    assert "Detects potential risk" in page_text and "This score is supplementary" in page_text
    assert "NaN" not in page_text and ">nan" not in page_text
    undivided = at.selectbox(key=f"drift-by-{study_id(store)}").set_value("Nothing").run()
    assert (
        not undivided.exception
        and "All conversations" in text_of(undivided)
        and "gpt4o minus gpt5" not in text_of(undivided)
    )


def test_who_still_rates_blind_sees_no_model_and_no_number(
    app: Callable[..., AppTest], store: Store, rater_id: Callable[[str, str], int]
) -> None:
    put_curves(store)
    said = text_of(app("drift", study="vera_mh", reader=str(rater_id("vera_mh", "Reader 1"))))
    assert (
        not any(one in said for one in CLEAN)
        and "doesn't show its raters the judge's or colleagues' labels" in said
    )


def test_without_a_curve_it_says_what_it_takes(app: Callable[..., AppTest]) -> None:
    said = text_of(app("drift", study="lend_an_ear", reader="lead"))
    assert "No curve has been computed for this study. Add a plan of care" in said
    assert "No experiments have been run in this study." in text_of(
        app("drift", study="lend_an_ear", reader="lead", part="runs")
    )


def test_a_conversation_whose_words_were_erased_is_drawn_without_its_actions(
    app: Callable[..., AppTest], store: Store
) -> None:
    put_curves(store)
    with store.reading() as connection:
        study = studies.find(connection, "vera_mh")
    assert study is not None
    at = app("drift", study="vera_mh", reader="lead")
    first = at.selectbox(key=f"drift-one-{study.id}").options[0]
    key = first.split(": ")[1].split(" (")[0]
    with store.writing("test", "erase", study.id) as (connection, entry):
        erase_conversation(connection, entry, study, key, "asked for")
    page_text = text_of(at.run())
    assert not at.exception and "Its text was erased" in page_text and "unknown" in page_text


@pytest.mark.parametrize(
    ("weeks", "sentence"), [(1, "there is 1."), (3, "there are 3."), (12, "the median slope is ")]
)
def test_agreement_over_time_with_what_moved(
    app: Callable[..., AppTest], store: Store, weeks: int, sentence: str
) -> None:
    study = put(store, simulate("none", 1), weeks=weeks)
    at = app("drift", study="dated", reader="lead", part="time")
    if weeks == 12:
        at = at.selectbox(key=f"time-judge-{study.id}").select_index(0).run()
    assert not at.exception
    shown = text_of(at)
    assert (
        sentence in shown
        and "The judge: not tested, there is no locked set of conversations yet" in shown
        and "The raters: " in shown
    )
    assert ("Vertical lines: Judge &lt;one&gt; first answered" in shown) == (weeks == 12)
    assert "NaN" not in shown and ">nan" not in shown and "Judge <one>" not in shown
    for key, value in ((f"time-axis-{study.id}", "held"), (f"time-by-{study.id}", "Nothing")):
        at = at.selectbox(key=key).set_value(value).run()
        assert not at.exception
    assert "under \u201cGroup cases by\u201d, choose a fact" in text_of(at)
    at = at.selectbox(key=f"time-length-{study.id}-held").set_value("day").run()
    assert not at.exception and re.search(r"over \d+ days?", text_of(at))


def test_the_sample_whose_judge_changes_is_told_as_soon_as_the_page_is_opened(
    app: Callable[..., AppTest],
) -> None:
    at = app("drift", study="judge_change", reader="lead")
    shown = text_of(at)
    assert not at.exception
    level = shown.index("Since the week of 23 March 2026, the judge rates 0.6 levels lower than before.")
    assert level < shown.index(
        "That is relative to clinicians; on the locked set, it rates 0.6 levels lower."
    )
    judge = shown.index(
        "The judge changed: over all its answers, its levels fall with time on 31 of 34 locked conversations "
        "and rise on 0."
    )
    assert (
        level
        < judge
        < shown.index("The raters: no clear change")
        < shown.index("The mix of cases: no clear change")
        < shown.index("The model under study: no")
    )
    assert shown.count("the judge rates 0.6 levels lower") == 1, "a thing is said once"
    assert shown.index("<h1") < level < shown.index("</h1>")
    assert (
        "Does the judge rate higher or lower than clinicians?" in shown
        and len(rows(at, "Judge minus clinicians")) == 18
    )
    rounds = text_of(app("drift", study="judge_change", reader="lead", part="judge"))
    assert (
        "Made-up judge has changed: in the last round (round 6), it gives the settled label less often than when "
        "first asked in 21 of 34 conversations in the locked set, and more often in 5." in rounds
    )
    assert "One mark shows the judge&#39;s labels in the study; the others are rounds 1 to 6." in rounds
    assert 'title="Anchor set: ' in rounds
    assert "Locked set 1, since 2026-02-02 09:00:00 UTC: 70 settled labels for 34 conversations" in rounds
    assert re.search(
        r"2026-05-06.*?-37 points \(-55 to -19\); 5 conversations up, 21 down, p 0\.01", rounds, re.DOTALL
    )


def test_over_time_without_days_or_without_a_judge_says_what_is_missing(
    app: Callable[..., AppTest], store: Store
) -> None:
    put(store, simulate("none", 1), weeks=2, dated=False)
    at = app("drift", study="dated", reader="lead", part="time")
    assert not at.exception and "because no label has a known date" in text_of(at)
    at = app("drift", study="lend_an_ear", reader="lead", part="time")
    assert not at.exception and "because no label has a known date" in text_of(at)


def test_who_still_rates_blind_sees_nothing_over_time(
    app: Callable[..., AppTest], store: Store, rater_id: Callable[[str, str], int]
) -> None:
    put(store, simulate("none", 1), weeks=2)
    said = text_of(app("drift", study="dated", reader=str(rater_id("dated", "Clinician 1")), part="time"))
    assert '<ul class="sr-moved' not in said and "Judge" not in said.replace("what a judge", "")


def rows(at: AppTest, column: str) -> Any:
    """Of the first table that scrolls and has this column."""
    return next(element.value for element in at.dataframe if column in element.value.columns)


def study_id(store: Store) -> int:
    with store.reading() as connection:
        found = studies.find(connection, "vera_mh")
    assert found is not None
    return found.id


def test_to_a_rater_no_colleague_is_named_under_a_code_neither(
    app: Callable[..., AppTest], store: Store
) -> None:
    study = put(
        store,
        next(
            simulation
            for number in range(9)
            if (simulation := simulate("raters", number))
            and any(
                finding.kind == "raters" and finding.named and finding.who == simulation.drifting
                for finding in simulation.found()
            )
        ),
    )
    with store.writing("tests", "add", study.id) as (connection, entry):
        rater = studies.add_rater(connection, entry, study.id, "Pat")
    at = app("drift", study="dated", reader="lead", part="time")
    page_text = text_of(at.selectbox(key=f"time-judge-{study.id}").select_index(0).run())
    assert re.search(r"on what both rated, Rater [A-Z]\d+ gives lower levels", page_text)
    at = app("drift", study="dated", reader=str(rater), part="time")
    at = next(button for button in at.button if button.label == "Show it and record this").click().run()
    shown = text_of(at.selectbox(key=f"time-judge-{study.id}").select_index(0).run())
    assert "on what both rated, a rater gives lower levels" in shown and not re.search(
        r"Rater [A-Z]\d|Clinician \d", shown
    )
