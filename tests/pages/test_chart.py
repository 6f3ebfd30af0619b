"""The title of a chart is text of the page, so that a narrow screen wraps it."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import plotly.graph_objects as go
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pages.widgets import chart
from tests.pages.conftest import text_of


def test_foreign_words_of_a_title_stay_words(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    charts: list[Any] = []
    monkeypatch.setattr(st, "plotly_chart", lambda figure, **_: charts.append(figure))
    monkeypatch.setattr(st, "html", written.append)
    title = "Labels of &lt;b&gt;Ann&lt;/b&gt;<br><span style='font-size: 12px'>dashed: of all</span>"
    chart.draw_chart(go.Figure(layout={"title": {"text": title}, "margin": {"t": 90}}), "chart")
    assert "Labels of &lt;b&gt;Ann&lt;/b&gt;</p>" in written[0] and "dashed: of all</p>" in written[1]
    assert charts[0].layout.title.text is None and charts[0].layout.margin.t == 65


def test_no_chart_of_a_page_has_its_title_in_the_picture(app: Callable[..., AppTest]) -> None:
    at = app("drift", study="judge_change", reader="lead", part="time")
    charts = [json.loads(element.proto.spec) for element in at.get("plotly_chart")]
    assert charts and not [spec for spec in charts if spec["layout"].get("title", {}).get("text")]
    assert "over 18 weeks" in text_of(at)
