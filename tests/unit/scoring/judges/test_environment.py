"""Variables of the environment do not choose where conversations go: models.yaml does."""

from __future__ import annotations

import pytest

from configs.settings import ROOT
from scoring.judges.catalogue import JudgeEntry, load_catalogue
from scoring.judges.gemini import PUBLIC, GeminiJudge
from tests.servers.judges import gemini_fields
from tests.servers.model_server import serving


@pytest.mark.parametrize("variable", ["GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_ENTERPRISE"])
def test_no_variable_moves_a_judge_to_another_platform(
    monkeypatch: pytest.MonkeyPatch, variable: str
) -> None:
    monkeypatch.setenv(variable, "true")
    with serving() as server:
        judge = GeminiJudge(JudgeEntry.model_validate(gemini_fields(server)))
    assert judge.client.vertexai is False


def test_no_variable_moves_a_judge_to_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GOOGLE_GEMINI_BASE_URL", "https://elsewhere.example/")
    judge = GeminiJudge(JudgeEntry(provider="gemini", model="gemini-3.8-flash", key="TEST_JUDGE_KEY"))
    assert judge.client._api_client._http_options.base_url == PUBLIC


def test_a_variable_that_would_move_the_enterprise_platform_is_refused() -> None:
    said = load_catalogue(ROOT / "models.yaml").missing(
        "gemini-3.8-flash-enterprise",
        {"GOOGLE_CLOUD_PROJECT": "p", "GOOGLE_VERTEX_BASE_URL": "https://elsewhere.example/"},
    )
    assert said is not None
    assert "GOOGLE_VERTEX_BASE_URL would send the calls" in said
