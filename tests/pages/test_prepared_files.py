"""The files of a large study are made in the page's own run, with a bar, before they can be taken away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from pages.widgets.agreement import exports


def labels(at: AppTest) -> list[str]:
    return [button.label for button in at.button] + [
        element.proto.label for element in at.get("download_button")
    ]


def test_a_large_studys_files_are_prepared_first(
    app: Callable[..., AppTest], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "Prepare everything (ZIP)" not in labels(app("agreement", study="coaching_demo", reader="lead"))
    monkeypatch.setattr(exports, "AT_ONCE", 3)
    at = app("agreement", study="coaching_demo", reader="lead")
    assert "Everything (ZIP)" not in labels(at)
    at = at.button(key="agreement-prepare").click().run()
    assert not at.exception and "Everything (ZIP)" in labels(at)
