"""models.yaml: what ships loads, and what cannot be used is named in a sentence that never holds a key."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from configs.files.yaml_files import ConfigFileError
from configs.settings import ROOT
from scoring.judges.catalogue import Catalogue, JudgeUnusable, load_catalogue

GEMINI: dict[str, Any] = {"provider": "gemini", "model": "gemini-3.8-flash", "key": "GEMINI_API_KEY"}
LOCAL: dict[str, Any] = {
    "provider": "openai_compatible",
    "model": "local-model",
    "base_url": "http://127.0.0.1:8080/v1",
}
REPLAY: dict[str, Any] = {"provider": "replay", "replays": "cloud", "recordings": "recorded.jsonl"}
KEY = "AIzaSyNotARealKey0123456789"


def load(folder: Path, **judges: Any) -> Catalogue:
    (folder / "models.yaml").write_text(yaml.safe_dump({"judges": judges}), encoding="utf-8")
    return load_catalogue(folder / "models.yaml")


def refused(folder: Path, entry: dict[str, Any]) -> str:
    with pytest.raises(ConfigFileError) as caught:
        load(folder, cloud=GEMINI, mine=entry)
    return str(caught.value)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (
            {**GEMINI, "provider": "gemnii"},
            r"field judges\.mine\.provider: .*'gemini', 'local_classifier', 'openai_compatible' or 'replay'",
        ),
        (
            {**GEMINI, "temprature": 0},
            r"line \d+, field judges\.mine\.temprature: there is no such field; check its spelling",
        ),
        (
            {**GEMINI, "model": "gemini-flash-latest"},
            r"ends in -latest is another model tomorrow; name one model",
        ),
        ({**LOCAL, "model": "mistral-large-latest"}, r"ends in -latest is another model tomorrow"),
        ({**GEMINI, "model": ""}, r"the field model is missing: the exact name of the model"),
        (
            {"provider": "gemini", "model": "m"},
            r"name the environment variable with the key \(key: GEMINI_API_KEY\), or enterprise",
        ),
        ({**GEMINI, "temperature": 3}, r"field judges\.mine\.temperature: expected 2 or less, found 3"),
        (
            {**GEMINI, "temperature": "cold"},
            r"field judges\.mine\.temperature: expected a number, found 'cold'",
        ),
        ({**GEMINI, "max_output_tokens": 1}, r"expected 16 or more, found 1"),
        ({**GEMINI, "thinking_level": "DEEP"}, r"field judges\.mine\.thinking_level: .*'MINIMAL'"),
        ({**GEMINI, "thinking_budget": -2}, r"expected -1 or more, found -2"),
        ({**GEMINI, "data_classes": ["secret"]}, r"'synthetic', 'deidentified' or 'phi'"),
        ({**GEMINI, "batching": "all"}, r"'criterion' or 'trial'"),
        ({**GEMINI, "safety": {"HARM_CATEGORY_HARASSMENT": "LOW"}}, r"'OFF', 'BLOCK_NONE'"),
        ({**GEMINI, "safety": {"HARASSMENT": "OFF"}}, r"'HARM_CATEGORY_HARASSMENT'"),
        ({**GEMINI, "prompts": {"turn": "mine"}}, r"'conversation' or 'assistant_turn'"),
        ({**GEMINI, "rpm": 0}, r"expected 1 or more, found 0"),
        ({**GEMINI, "in_flight": 1000}, r"expected 256 or less, found 1000"),
        ({**GEMINI, "timeout_seconds": 0}, r"expected more than 0, found 0"),
        (
            {**GEMINI, "price": {"date": "2026-11-01", "currency": "USD", "input": "-1", "output": "1"}},
            r"price\.input: a price is not less than 0",
        ),
        (
            {**GEMINI, "price": {"date": "2026-11-01", "currency": "USD", "input": "cheap", "output": "1"}},
            r"expected a number in quotes",
        ),
        (
            {**GEMINI, "price": {"date": "today", "currency": "USD", "input": "1", "output": "1"}},
            r"field judges\.mine\.price\.date: expected a date in quotes, such as \"2026-11-01\", found 'today'",
        ),
        ({**GEMINI, "replays": "cloud"}, r"replays and recordings belong to the provider replay"),
        ({**GEMINI, "base_url": "ftp://example.org"}, r"base_url must begin with http:// or https://"),
        (
            {**LOCAL, "base_url": None},
            r"an openai_compatible judge needs its base_url, such as http://127\.0\.0\.1:8080/v1",
        ),
        (
            {**LOCAL, "safety": {"HARM_CATEGORY_HARASSMENT": "OFF"}},
            r"safety, enterprise and thinking belong to the provider gemini",
        ),
        ({**LOCAL, "thinking_budget": 0}, r"safety, enterprise and thinking belong to the provider gemini"),
        (
            {**LOCAL, "thinking_level": "LOW"},
            r"safety, enterprise and thinking belong to the provider gemini",
        ),
        (
            {**LOCAL, "enterprise": {"project": "P_1", "location": "x"}},
            r"safety, enterprise and thinking belong to the provider gemini",
        ),
        (
            {"provider": "replay", "replays": "cloud"},
            r"a replay needs replays \(the judge whose requests were recorded\) and recordings \(the file\)",
        ),
        ({"provider": "replay", "recordings": "r.jsonl"}, r"a replay needs replays"),
        (
            {**REPLAY, "replays": "nobody"},
            r"mine replays 'nobody', which is not the name of another judge of this file",
        ),
        ({**REPLAY, "reader": "one-object-1"}, r"reader belongs to the judge that is replayed"),
        ({**GEMINI, "reader": "any-2"}, r"judges\.mine\.reader: expected 'one-object-1' or 'strict-1'"),
        ({**REPLAY, "replays": "mine"}, r"mine replays 'mine', which is not the name of another judge"),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, str) else "",
)
def test_an_entry_that_cannot_be_used_is_named_in_a_sentence(
    tmp_path: Path, entry: dict[str, Any], said: str
) -> None:
    message = refused(tmp_path, entry)
    assert re.search(said, message), message
    assert re.match(r"models\.yaml(, line \d+, field |: mine replays )", message)
    assert message.endswith(".")


@pytest.mark.parametrize(
    "where",
    [
        {"key": KEY},
        {"key": f" {KEY}"},
        {"key": 7},
        {"key": "sk-0123456789"},
        {"key": ""},
        {"api_key": KEY},
        {"key": None, "enterprise": {"project": KEY, "location": "x"}},
    ],
    ids=str,
)
def test_a_key_in_the_file_is_refused_and_never_repeated(tmp_path: Path, where: dict[str, Any]) -> None:
    message = refused(tmp_path, {**GEMINI, **where})
    assert "the key itself never stands in this file" in message or "there is no such field" in message
    assert KEY not in message and "sk-0123" not in message


@pytest.mark.parametrize("data_class", ["deidentified", "phi"])
@pytest.mark.parametrize(
    "url",
    [
        "http://192.168.1.5/v1",
        "http://models.example.org/v1",
        "http://127.0.0.1.example.org/v1",
        "http://0.0.0.0:1/v1",
        "http:///v1",
    ],
)
def test_over_http_only_synthetic_data_go_to_another_machine(
    tmp_path: Path, url: str, data_class: str
) -> None:
    assert "anyone on the way can read along: only synthetic data may go there; use https://" in refused(
        tmp_path, {**LOCAL, "base_url": url, "data_classes": ["synthetic", data_class]}
    )
    assert load(tmp_path, mine={**LOCAL, "base_url": url, "data_classes": ["synthetic"]})


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/v1",
        "http://localhost:1/v1",
        "http://[::1]:8080/v1",
        "http://127.9.9.9/v1",
        "https://models.example.org/v1",
    ],
)
def test_this_machine_and_an_encrypted_line_may_get_anything(tmp_path: Path, url: str) -> None:
    assert load(tmp_path, mine={**LOCAL, "base_url": url, "data_classes": ["phi"]}).entry(
        "mine"
    ).data_classes == ("phi",)


@pytest.mark.parametrize("url", ["HTTP://192.168.1.5/v1", "Http://models.example.org/v1"])
def test_the_case_of_the_address_makes_no_difference(tmp_path: Path, url: str) -> None:
    assert "only synthetic data" in refused(tmp_path, {**LOCAL, "base_url": url, "data_classes": ["phi"]})


def test_a_data_class_that_is_not_named_is_not_allowed(tmp_path: Path) -> None:
    assert load(tmp_path, mine=GEMINI).entry("mine").data_classes == ()


def test_what_is_not_set_is_no_parameter(tmp_path: Path) -> None:
    assert load(tmp_path, mine=GEMINI).entry("mine").parameters() == {"max_output_tokens": 2048}
    judge_entry = load(
        tmp_path,
        mine={
            **GEMINI,
            "temperature": 0,
            "seed": 0,
            "thinking_budget": 0,
            "safety": {"HARM_CATEGORY_HARASSMENT": "OFF"},
        },
    ).entry("mine")
    assert judge_entry.parameters() == {
        "temperature": 0.0,
        "seed": 0,
        "thinking_budget": 0,
        "max_output_tokens": 2048,
        "safety": {"HARM_CATEGORY_HARASSMENT": "OFF"},
    }


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "judges: 3",
        "judges: {a: {provider: gemini}",
        "judges:\n  a: {provider: gemini}\n  a: {provider: gemini}",
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "models.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigFileError, match=r"^models\.yaml, "):
        load_catalogue(tmp_path / "models.yaml")


def test_a_file_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ConfigFileError, match=r"models\.yaml: there is no such file in "):
        load_catalogue(tmp_path / "models.yaml")


# ---- by name ----


def test_a_name_that_is_not_there_is_answered_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(
        JudgeUnusable, match=r"There is no judge 'other' in models\.yaml\. There are: cloud, here\."
    ):
        load(tmp_path, cloud=GEMINI, here=LOCAL).entry("other")


@pytest.mark.parametrize("environ", [{}, {"GEMINI_API_KEY": ""}, {"GEMINI_API_KEY": " \n"}])
def test_a_missing_key_is_named_by_its_variable(tmp_path: Path, environ: dict[str, str]) -> None:
    assert load(tmp_path, cloud=GEMINI).missing("cloud", environ) == (
        "Set the environment variable GEMINI_API_KEY to the key of cloud, and start the program again."
    )


def test_a_missing_project_is_named_by_its_variable(tmp_path: Path) -> None:
    entry = {
        "provider": "gemini",
        "model": "m",
        "enterprise": {"project": "MY_PROJECT", "location": "europe-west4"},
    }
    assert (
        load(tmp_path, cloud=entry).missing("cloud", {})
        == "Set the environment variable MY_PROJECT to the project of cloud, and start the program again."
    )


def test_with_its_key_nothing_is_missing(tmp_path: Path) -> None:
    assert load(tmp_path, cloud=GEMINI).missing("cloud", {"GEMINI_API_KEY": KEY}) is None


def test_a_server_without_a_key_needs_none(tmp_path: Path) -> None:
    assert load(tmp_path, here=LOCAL).missing("here", {}) is None


def test_a_replay_without_its_recordings_says_which_file_is_missing(tmp_path: Path) -> None:
    found = load(tmp_path, cloud=GEMINI, again=REPLAY)
    assert (
        found.missing("again", {})
        == f"There is no file {tmp_path / 'recorded.jsonl'} with the recordings of again."
    )
    (tmp_path / "recorded.jsonl").touch()
    assert found.missing("again", {}) is None


def test_a_replay_makes_the_requests_of_the_judge_it_replays(tmp_path: Path) -> None:
    assert load(tmp_path, cloud=GEMINI, again=REPLAY).asked_as("again").model == "gemini-3.8-flash"


# ---- what ships ----

SHIPPED = load_catalogue(ROOT / "models.yaml")


def test_the_shipped_file_has_every_kind_of_judge() -> None:
    assert {entry.provider for entry in SHIPPED.judges.values()} == {"gemini", "openai_compatible", "replay"}
    assert SHIPPED.entry("gemini-3.8-flash").temperature is None
    assert SHIPPED.entry("gemini-3.8-flash-t0").temperature == 0.0
    assert SHIPPED.entry("gemini-3.8-flash-enterprise").enterprise


@pytest.mark.parametrize("name", SHIPPED.judges)
def test_no_shipped_judge_may_send_patients_words_away(name: str) -> None:
    entry = SHIPPED.entry(name)
    assert "phi" not in entry.data_classes or entry.provider == "replay" or "127.0.0.1" in str(entry.base_url)


def test_the_shipped_file_holds_no_key() -> None:
    assert not re.search(r"AIza|sk-|key: *[a-z0-9]", (ROOT / "models.yaml").read_text(encoding="utf-8"))
