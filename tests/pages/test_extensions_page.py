"""Metrics and importers of other packages on the pages Metrics and Import: what a lead sees, and what a rater who
still rates blind does not.
"""

from __future__ import annotations

import html
from collections.abc import Callable

from streamlit.testing.v1 import AppTest

from data.importers.registry import IMPORTERS
from data.record import studies
from data.store.store import Store
from reports.metrics.answer_of_study import NOTHING_OF_OWN
from runs.scoring import score_study
from runs.scoring.registry import METRICS
from tests.pages import conftest
from tests.pages.dropping import drop
from tests.servers.extension_package import Packages

LABELS = """
from runs.scoring.metric_spec import JudgeMetric
METRIC = JudgeMetric(name="said_no", title="share of NO", compute=lambda unit:
    sum(label == "NO" for label in unit.labels.values()) / 1000)
"""
STUDY = "coaching_demo"


def text_of(at: AppTest) -> str:
    return html.unescape(conftest.text_of(at))


def test_a_lead_sees_a_metric_of_a_package_beside_ours(
    app: Callable[..., AppTest], store: Store, packages: Packages
) -> None:
    packages.add_of_docs("add_metric.md")
    score_study(store, STUDY, "tests")
    at = app("metrics", study=STUDY, reader="lead")
    page_text = text_of(at)
    assert not at.exception
    assert "Replies that ask" in page_text and "Replies that ask, mean over conversations" in page_text
    assert "Conversation by conversation" in page_text and "Step-F1" in page_text
    assert "14 conversations" in page_text


def test_a_rater_sees_none_of_it_before_they_have_committed(
    app: Callable[..., AppTest], store: Store, packages: Packages, rater_id: Callable[[str, str], int]
) -> None:
    packages.add_of_docs("add_metric.md")
    packages.add("labels", METRICS.group, {"said_no": "labels:METRIC"}, {"labels.py": LABELS})
    score_study(store, STUDY, "tests")
    with store.reading() as connection:
        study = studies.find(connection, STUDY)
        assert study is not None
        name = next(rater.name for rater in studies.raters(connection, study.id) if rater.kind == "person")
    at = app("metrics", study=STUDY, reader=str(rater_id(STUDY, name)))
    page_text = text_of(at)
    assert not at.exception and NOTHING_OF_OWN in page_text
    assert (
        "Replies that ask" not in page_text
        and "share of NO" not in page_text
        and "Numbers of judges, conversation by conversation" not in page_text
    )


def test_a_lead_sees_a_metric_of_a_judges_labels_under_the_judge(
    app: Callable[..., AppTest], packages: Packages
) -> None:
    packages.add("labels", METRICS.group, {"said_no": "labels:METRIC"}, {"labels.py": LABELS})
    said = text_of(app("metrics", study=STUDY, reader="lead"))
    assert "share of NO" in said[said.index("From the judge's labels") :]


def test_a_broken_metric_is_named_on_the_page_and_nobody_is_kept_from_rating(
    app: Callable[..., AppTest], packages: Packages
) -> None:
    packages.add("broken", METRICS.group, {"odd": "broken:METRIC"}, {"broken.py": "raise OSError('no')"})
    sentence = "The metric 'odd' of the package broken 0.1 could not be loaded: OSError: no. It is left out."
    assert sentence in text_of(app("metrics", study=STUDY, reader="lead"))
    at = app("review", study=STUDY)
    assert not at.exception and "broken 0.1" not in text_of(at)


def test_an_importer_of_a_package_is_offered_and_brings_rows_in(
    app: Callable[..., AppTest], store: Store, packages: Packages
) -> None:
    packages.add_of_docs("add_importer.md")
    at = drop(app("importing"), "talk.log", "# c1\nU: Hello.\nX: Hi.\n")
    assert at.selectbox(key="import-kind").value == "chat-log", "no other importer takes this ending"
    at.text_input(key="import-title").input("logs")
    at.selectbox(key="import-instrument").set_value("coaching_rubric").run()
    assert "and a text, below a line" in text_of(at)
    at = drop(at, "talk.log", "# c1\nU: Hello.\nA: Hi.\n")
    at.button(key="import-go").click().run()
    assert "Imported: 1 conversation" in text_of(at)
    with store.reading() as connection:
        assert studies.find(connection, "logs") is not None


def test_a_broken_importer_is_named_and_the_others_are_offered(
    app: Callable[..., AppTest], packages: Packages
) -> None:
    packages.add("broken", IMPORTERS.group, {"odd": "broken:READ"}, {"broken.py": "READ = 1"})
    at = app("importing")
    assert not at.exception
    assert "The importer 'odd' of the package broken 0.1 can't be used" in text_of(at)
    at = drop(at, "talk.txt", "hello")
    assert "Conversations" in at.selectbox(key="import-kind").options
