"""What may not be sent to a judge is not sent, whoever asks."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from scoring.judges.catalogue import Catalogue, JudgeEntry, JudgeUnusable, Models
from scoring.judges.gemini import GeminiJudge
from scoring.judges.judge_client import DataClassGate, JudgeAnswer, JudgeClient
from scoring.judges.open_client import open_judge_client
from scoring.judges.openai_compatible import OpenAICompatibleJudge
from tests.servers.judges import VARIABLE, gemini_fields, local_fields, request
from tests.servers.model_server import ModelServer, Reply, serving

BOTH = pytest.mark.parametrize(
    ("made", "fields_of"), [(GeminiJudge, gemini_fields), (OpenAICompatibleJudge, local_fields)]
)


def answered(judge: DataClassGate, data_class: str) -> JudgeAnswer:
    async def once() -> JudgeAnswer:
        try:
            return await judge.ask(request(data_class=data_class))
        finally:
            await judge.close()

    return asyncio.run(once())


def gated(made: type[Any], fields: dict[str, Any]) -> DataClassGate:
    entry = JudgeEntry.model_validate(fields)
    judge: JudgeClient = made(entry)
    return DataClassGate(judge, entry)


@BOTH
@pytest.mark.parametrize(
    ("allowed", "data_class"),
    [
        (["synthetic"], "phi"),
        (["synthetic"], "deidentified"),
        (["synthetic", "deidentified"], "phi"),
        ([], "synthetic"),
        (["phi"], "synthetic"),
    ],
)
def test_a_data_class_that_is_not_marked_is_sent_nowhere(
    server: ModelServer, made: type[Any], fields_of: Any, allowed: list[str], data_class: str
) -> None:
    answer = answered(gated(made, fields_of(server, data_classes=allowed)), data_class)
    assert answer == JudgeAnswer("not_sent_policy", detail=data_class)
    assert server.requests == []


@BOTH
def test_a_data_class_that_is_marked_is_sent(server: ModelServer, made: type[Any], fields_of: Any) -> None:
    assert answered(gated(made, fields_of(server, data_classes=["phi"])), "phi").status == "ok"
    assert len(server.requests) == 1


@pytest.mark.parametrize("data_class", ["", "PHI", "secret", "synthetic "])
def test_a_data_class_that_nobody_knows_is_sent_nowhere(server: ModelServer, data_class: str) -> None:
    every = ["synthetic", "deidentified", "phi"]
    assert (
        answered(gated(GeminiJudge, gemini_fields(server, data_classes=every)), data_class).status
        == "not_sent_policy"
    )
    assert server.requests == []


def catalogue(tmp_path: Any, **judges: Any) -> Catalogue:
    return Catalogue(Models.model_validate({"judges": judges}), tmp_path)


def test_every_judge_that_is_opened_by_name_has_the_gate(server: ModelServer, tmp_path: Any) -> None:
    found = catalogue(tmp_path, cloud=gemini_fields(server), here=local_fields(server))
    for name in found.judges:
        assert answered(open_judge_client(found, name), "phi").status == "not_sent_policy"
    assert server.requests == []


def test_a_judge_without_its_key_is_not_opened(
    server: ModelServer, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "  ")
    with pytest.raises(JudgeUnusable, match=f"Set the environment variable {VARIABLE} to the key of cloud"):
        open_judge_client(catalogue(tmp_path, cloud=gemini_fields(server)), "cloud")


def test_an_enterprise_judge_without_credentials_is_refused_and_not_a_crash(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEST_PROJECT", "p")
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    fields = {
        "provider": "gemini",
        "model": "m",
        "enterprise": {"project": "TEST_PROJECT", "location": "europe-west4"},
        "data_classes": ["synthetic"],
    }
    assert answered(
        open_judge_client(catalogue(tmp_path, cloud=fields), "cloud"), "synthetic"
    ) == JudgeAnswer("refused_key", detail="DefaultCredentialsError")


@BOTH
@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_server_that_points_elsewhere_is_not_followed(
    server: ModelServer, made: type[Any], fields_of: Any, status: int
) -> None:
    with serving() as elsewhere:
        server.behave = lambda seen: Reply(status, b"", {"location": f"{elsewhere.url}{seen.target}"})
        answer = answered(gated(made, fields_of(server)), "synthetic")
        assert (answer.status, answer.http) == ("transport", status)
        assert elsewhere.requests == []


@BOTH
def test_what_stays_on_this_machine_passes_through_no_proxy(
    server: ModelServer, made: type[Any], fields_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert answered(gated(made, fields_of(server)), "synthetic").status == "ok"
        assert (len(server.requests), proxy.requests) == (1, [])
