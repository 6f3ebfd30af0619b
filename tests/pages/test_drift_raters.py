"""The raters on the Drift page: all of them under codes for a lead, for a rater only their own, for who still
rates blind nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from streamlit.testing.v1 import AppTest

from data.record import studies
from data.store.store import Store
from tests.pages.conftest import pictures, text_of
from tests.studies.made_raters import DRIFTS, NAMES, twelve_weeks
from tests.studies.planned import plan_for
from tests.studies.small_study import Small

App = Callable[..., AppTest]


def everything(at: AppTest) -> str:
    """What is said, and what is drawn, with its hovers."""
    assert not at.exception
    return text_of(at)


def opened(app: App, small: Small, reader: int | str) -> AppTest:
    return app("drift", study=small.study.key, reader=str(reader), part="raters")


def names_in(said: str) -> set[str]:
    return {name for name in NAMES if any(part in said for part in name.split())}


def codes(small: Small) -> dict[int, str]:
    return dict(zip(small.raters, small.codes, strict=True))


def test_a_lead_sees_everybody_under_codes_and_by_name_when_asked(
    app: App, store: Store, tmp_path: Path
) -> None:
    small = twelve_weeks(store, tmp_path, calibrated=4)
    at = opened(app, small, "lead")
    page_text, code = everything(at), codes(small)
    assert not names_in(page_text) and all(pseudonym in page_text for pseudonym in code.values())
    assert (
        f"Recalibrate {code[small.raters[1]]}: drifted to lower levels, compared with the others" in page_text
    )
    assert len(pictures(at)) == 3 and "Spring round" in page_text and "NaN" not in page_text
    at.toggle(key="drift-raters-names").set_value(True).run()
    page_text = everything(at)
    assert (
        f"Recalibrate {DRIFTS}: drifted to lower levels" in page_text
        and names_in(page_text) == {*NAMES}
        and not any(pseudonym in page_text for pseudonym in code.values())
    )


def test_a_rater_sees_their_own_and_nothing_of_any_other(app: App, store: Store, tmp_path: Path) -> None:
    small = twelve_weeks(store, tmp_path)
    for number, rater in enumerate(small.raters[:2]):
        at = opened(app, small, rater)
        said = everything(at)
        assert not names_in(said) and not any(one in said for one in codes(small).values())
        assert ("you drifted to lower levels" in said) == (NAMES[number] == DRIFTS) and "You, n 96" in said
        assert not at.toggle, "no switch to names"


def test_what_a_lead_saw_by_name_goes_to_no_other_tab(app: App, store: Store, tmp_path: Path) -> None:
    """Tabs share what takes long to make."""
    small = twelve_weeks(store, tmp_path)
    lead = opened(app, small, "lead")
    lead.toggle(key="drift-raters-names").set_value(True).run()
    assert names_in(everything(lead)) == {*NAMES}
    text_of_rater = everything(opened(app, small, small.raters[0]))
    assert "You, n 96" in text_of_rater and not names_in(text_of_rater)
    text_of_other_lead = everything(opened(app, small, "lead"))
    assert not names_in(text_of_other_lead) and all(code in text_of_other_lead for code in small.codes)
    lead.run()
    assert names_in(everything(lead)) == {*NAMES}


def test_who_still_rates_blind_sees_nothing_of_it(app: App, store: Store, tmp_path: Path) -> None:
    small = twelve_weeks(store, tmp_path, conversations=10)
    plan_for(small, each=False, overlap=2, raters=())
    with store.writing("tests", "add a rater", small.study.id) as (connection, entry):
        new = studies.add_rater(connection, entry, small.study.id, "Eve Stone")
    plan_for(small, each=True, raters=(*small.raters, new))
    for reader in (new, small.raters[0]):
        at = opened(app, small, reader)
        assert not pictures(at) and "In periods of" not in everything(at) and not names_in(everything(at))


def test_a_study_of_imported_ratings_says_why_there_is_nothing(app: App) -> None:
    at = app("drift", study="vera_mh", reader="lead", part="raters")
    said = everything(at)
    assert (
        "nobody has committed a rating for this study in this app yet." in said
        and "were imported. Only ratings committed in this app are compared here" in said
    )


def test_imported_ratings_whose_days_are_known_are_not_said_to_have_none(app: App) -> None:
    said = everything(app("drift", study="judge_change", reader="lead", part="raters"))
    assert "were imported. Only ratings committed in" in said and "“Over time” also shows" in said
    assert "nobody knows their" not in said


def test_periods_can_be_chosen_and_too_many_are_refused_in_words(
    app: App, store: Store, tmp_path: Path
) -> None:
    small = twelve_weeks(store, tmp_path, conversations=10)
    at = opened(app, small, "lead")
    assert "Week by week" in everything(at)
    at.segmented_control(key=f"drift-raters-periods-{small.study.id}").set_value("month").run()
    assert "Month by month" in everything(at) and "2026-03" in everything(at)


def test_the_threshold_stands_in_the_plan_and_is_kept(app: App, store: Store, tmp_path: Path) -> None:
    small = twelve_weeks(store, tmp_path, conversations=10)
    at = app("lead", study=small.study.key, reader="lead", part="Plan")
    field = at.number_input(key="plan-recalibrate-1")
    assert field.value == 80
    field.set_value(30)
    at.button(key="plan-save-1").click().run()
    assert (
        "Percent of same labels below which a rater is to be calibrated again: from 50 to 100."
        in "\n".join(error.value for error in at.error).replace("\\", "")
    )
    at.number_input(key="plan-recalibrate-1").set_value(70)
    at.button(key="plan-save-1").click().run()
    assert not at.exception
    assert "The threshold is 70% (set in the plan of work)" in everything(opened(app, small, "lead"))
