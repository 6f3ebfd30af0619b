"""The files of a large study are made in the page's own run, with a bar, before they can be taken away."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from data.record.studies import Study
from pages.widgets import memo
from pages.widgets.agreement import exports, filters
from reports.agreement.agreement_data import gather_findings
from reports.agreement.findings import Findings
from reports.agreement.rating_table import explain_columns


def labels(at: AppTest) -> list[str]:
    return [button.label for button in at.button] + [
        element.proto.label for element in at.get("download_button")
    ]


def test_a_large_studys_files_are_prepared_first(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Prepare everything (ZIP)" not in labels(app("agreement", study="coaching_demo", reader="lead"))
    monkeypatch.setattr(exports, "MAX_UNITS_MADE_ON_PRESS", 3)
    at = app("agreement", study="coaching_demo", reader="lead")
    assert "Everything (ZIP)" not in labels(at)
    at = at.button(key="agreement-prepare").click().run()
    assert not at.exception and "Everything (ZIP)" in labels(at)


def test_a_button_of_a_page_that_is_gone_gives_the_same_file(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    buttons: dict[str, Callable[[], bytes]] = {}
    gathered: list[dict[str, Any]] = []

    def gather(*given: Any, **settings: Any) -> Any:
        gathered.append(settings)
        return gather_findings(*given, **settings)

    monkeypatch.setattr(st, "download_button", lambda name, make, *_, **__: buttons.update({name: make}))
    monkeypatch.setattr(filters, "gather_findings", gather)
    app("agreement", study="coaching_demo", reader="lead")
    starts = [buttons.pop(name)()[:4] for name in exports.STUDY_FILES]
    assert starts == [b"conv", b"PK\x03\x04", b"PAR1", b"# Co", b"SQLi"]
    assert buttons.pop("What the columns mean")() == explain_columns()
    files = {name: make() for name, make in buttons.items()}
    assert len(files) == 2 and not gathered, "what the page shows is there"
    memo._results_by_store.clear()
    gc.collect()
    assert {name: make() for name, make in buttons.items()} == files
    assert [settings["reasons"] for settings in gathered] == [True, True]


def test_files_that_were_prepared_are_not_given_for_another_choice(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(exports, "MAX_UNITS_MADE_ON_PRESS", 3)
    findings_of_tabs: list[Findings] = []  # both are there, as where two tabs show them

    def show(study: Study, findings: Findings, gather: Any) -> None:
        findings_of_tabs.append(findings)
        exports.show_exports(study, findings, gather)

    monkeypatch.setattr(filters, "show_exports", show)
    at = app("agreement", study="coaching_demo", reader="lead")
    at = at.button(key="agreement-prepare").click().run()
    assert "Everything (ZIP)" in labels(at)
    arm = at.selectbox(key="agreement-arm")
    arm.set_value(next(choice for choice in arm.options if choice != arm.value)).run()
    assert "Everything (ZIP)" not in labels(at) and "Prepare everything (ZIP)" in labels(at)
