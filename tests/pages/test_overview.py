"""Overview: the verdicts and what needs somebody for a lead, their own work for a rater, and nothing of the judge
for who has not seen it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from sqlalchemy import select
from streamlit.testing.v1 import AppTest

from data import schema
from data.store.store import Store
from tests.pages.conftest import evidence_tables, text_of
from tests.studies import degenerate
from tests.studies.made_curves import put_curves

App = Callable[..., AppTest]


def test_a_lead_reads_the_verdicts_and_what_waits(app: App) -> None:
    at = app("overview", study="lend_an_ear", reader="lead")
    page_text = text_of(at)
    assert not at.exception
    assert "The judge matches clinicians on 1 of 6 criteria and falls short on 2." in page_text
    assert "180 labels to settle" in page_text and "Dismisses emotions: falls short" in page_text
    assert "agreement?study=lend_an_ear&amp;reader=lead&amp;criterion=" in page_text
    assert "Nobody has rated yet" not in page_text and "Expert" not in page_text
    [table] = evidence_tables(at)
    assert len(table["rows"]) == 6


def test_its_verdicts_are_those_of_the_agreement_page(app: App) -> None:
    tables = [
        evidence_tables(app(page, study="coaching_demo", reader="lead"))[0]
        for page in ("overview", "agreement")
    ]
    for table in tables:
        assert len(table["rows"]) == 12
        for row in table["rows"]:
            row.pop("behind")  # ways to units know the page that they lead back to
    assert tables[0] == tables[1]


def test_a_rater_sees_their_own_work_and_nothing_of_the_judge(app: App, store: Store, tmp_path: Path) -> None:
    small = degenerate.no_ratings(store, tmp_path)
    small.desk(1).rate(1)
    at = app("overview", study="small", reader=str(small.raters[0]))
    page_text = text_of(at)
    assert not at.exception and "My work" in page_text and not evidence_tables(at)
    for hidden in ("Judge A", "colleague", "Next steps", "to settle"):
        assert hidden not in page_text
    with store.reading() as connection:
        assert connection.execute(select(schema.exposure)).first() is None


def test_a_tab_that_showed_it_has_shown_the_labels(app: App, store: Store, tmp_path: Path) -> None:
    small = degenerate.no_ratings(store, tmp_path)
    at = app("overview", study="small", reader="lead")
    assert at.session_state["saw-small"]
    assert "Nobody has rated yet" in text_of(at) and small.raters
    assert "Nothing has been rated yet (4 conversations)" in text_of(at) and "0 blind labels" not in text_of(
        at
    )


def test_a_judge_that_changed_is_said_before_anything_is_opened(app: App) -> None:
    page_text = text_of(app("overview", study="judge_change", reader="lead"))
    assert "The judge now answers differently" in page_text and "part=judge" in page_text


def test_without_a_judge_it_says_so_and_still_tells_what_waits(app: App) -> None:
    page_text = text_of(app("overview", study="vera_mh", reader="lead"))
    assert (
        "This study has no judge yet. Clinicians gave the same label"
    ) in page_text and "Next steps" in page_text


def test_three_small_pictures_say_what_their_pages_say(app: App) -> None:
    at = app("overview", study="judge_change", reader="lead")
    page_text, drift_text = text_of(at), text_of(app("drift", study="judge_change", reader="lead"))
    assert not at.exception
    headline = drift_text.split("<h1", 1)[1].split(">", 1)[1].split("</h1>", 1)[0]
    assert headline.startswith("Since the week of ") and headline in page_text
    assert "324 ratings from files." in page_text and page_text.count("sr-meter") >= 3
    assert "Not computed." in page_text, "nothing is drawn where there is nothing"
    [picture] = [image for element in at.get("image") for image in element.proto.imgs]
    assert picture.url.startswith("data:image/svg+xml")
    assert "Labels equal to the judge's, week by week: 76% at 2026-01-05" in picture.alt


def test_care_over_the_turns_is_a_small_line(app: App, store: Store) -> None:
    put_curves(store)
    at = app("overview", study="vera_mh", reader="lead")
    assert not at.exception
    assert "With gpt4o, replies become less similar to the care plan turn by turn." in text_of(at)
    [picture] = [image for element in at.get("image") for image in element.proto.imgs]
    assert "Goal alignment, mean of all conversations: " in picture.alt
