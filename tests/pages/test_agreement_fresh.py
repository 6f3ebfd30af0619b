"""Findings are kept in the tab: never longer than they are true, and never for other choices."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from data.store.store import Store
from reports.agreement.findings import Findings
from tests.pages.conftest import text_of
from tests.studies import small_study
from tests.studies.small_study import Small


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    made = small_study.make(store, tmp_path)
    made.desk().rate(2)
    return made


def test_what_is_written_since_is_in_the_next_run(app: Callable[..., AppTest], small: Small) -> None:
    at = app("agreement", study="small", reader="lead")
    assert "3 blind labels from 1 clinician" in text_of(at)
    small.desk(1).rate(3)
    assert "6 blind labels from 2 clinicians" in text_of(at.run())


def test_other_choices_are_other_findings(app: Callable[..., AppTest], small: Small) -> None:
    at = app("agreement", study="small", reader="lead")
    at.toggle(key="agreement-names").set_value(True).run()
    assert "Ann" in text_of(at)
    at.toggle(key="agreement-names").set_value(False).run()
    assert "Ann" not in text_of(at) and small.codes[0] in text_of(at)
    at.selectbox(key="agreement-arm").set_value("Given after seeing the judge's labels").run()
    assert "They are not the headline" in text_of(
        at
    ) and "label given after seeing the judge&#39;s labels can be compared with the judge" in text_of(at)
    at.selectbox(key="agreement-arm").set_value("Given blind (the headline)").run()
    assert "They are not the headline" not in text_of(at)


def test_a_drawn_page_keeps_what_it_says_and_not_what_that_was_made_of(
    app: Callable[..., AppTest], small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At a million labels that takes more memory than the labels, and a closed tab holds it for two minutes."""
    drawn: list[Findings] = []
    forget_steps = Findings.forget_steps

    def forget(findings: Findings) -> None:
        drawn.append(findings)
        forget_steps(findings)

    monkeypatch.setattr(Findings, "forget_steps", forget)
    at = app("agreement", study="small", reader="lead")
    words = text_of(at)
    assert drawn and not any("_pairs" in vars(findings.material) for findings in drawn)
    assert "verdicts" in vars(drawn[-1])
    assert text_of(at.run()) == words
