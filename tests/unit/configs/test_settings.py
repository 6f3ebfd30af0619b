"""Settings: only known names, only usable values, and a store outside the checkout."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path

import pytest

from configs.settings import PREFIX, Settings, SettingsError

ROOT = Path(__file__).resolve().parents[3]


def test_without_any_variable_everything_has_a_value() -> None:
    settings = Settings.read({"HOME": "/home/ann"})
    assert (settings.address, settings.port, settings.samples) == ("127.0.0.1", 8501, True)


def test_the_environment_is_read_where_nothing_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECOND_READER_PORT", "9000")
    assert Settings.read().port == 9000


def test_a_name_that_does_not_exist_is_refused_and_the_known_ones_are_listed() -> None:
    with pytest.raises(SettingsError, match=r"There is no setting SECOND_READER_PROT\..*SECOND_READER_PORT"):
        Settings.read({"SECOND_READER_PROT": "8501"})


@pytest.mark.parametrize("name", ["DATABASE_URL", "MODELS", "PORT"])
def test_a_value_that_is_no_utf_8_is_refused(name: str) -> None:
    with pytest.raises(SettingsError, match=rf"SECOND_READER_{name} is 'x\\udcff'; it must be UTF-8 text"):
        Settings.read({f"SECOND_READER_{name}": "x\udcff"})


def test_names_of_other_programs_are_nobodys_business() -> None:
    assert Settings.read({"SECOND_HAND": "1", "HOME": "/home/ann"}).port == 8501


@pytest.mark.parametrize("value", ["0", "65536", "-1", "http", "8501.5", "nan", "inf", " "])
def test_a_port_that_cannot_be_one_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="SECOND_READER_PORT"):
        Settings.read({"SECOND_READER_PORT": value})


@pytest.mark.parametrize(("value", "port"), [("1", 1), ("65535", 65535), ("", 8501)])
def test_the_ends_of_the_range_of_ports_are_in_it(value: str, port: int) -> None:
    assert Settings.read({"SECOND_READER_PORT": value}).port == port


@pytest.mark.parametrize("value", ["-1", "601", "nan", "soon"])
def test_a_wait_that_cannot_be_one_is_refused(value: str) -> None:
    with pytest.raises(SettingsError, match="SECOND_READER_BUSY_SECONDS"):
        Settings.read({"SECOND_READER_BUSY_SECONDS": value})


@pytest.mark.parametrize(("value", "meant"), [("yes", True), ("NO", False), ("1", True), ("false", False)])
def test_yes_and_no_are_understood_in_their_usual_forms(value: str, meant: bool) -> None:
    assert Settings.read({"SECOND_READER_SAMPLES": value}).samples is meant


def test_anything_else_than_yes_and_no_is_refused() -> None:
    with pytest.raises(SettingsError, match="SECOND_READER_SAMPLES is 'maybe'; it must be yes or no"):
        Settings.read({"SECOND_READER_SAMPLES": "maybe"})


@pytest.mark.parametrize(
    "environment",
    [
        {"HOME": "/home/ann"},
        {"XDG_DATA_HOME": "/data/ann"},
        {"XDG_DATA_HOME": "share", "HOME": "/home/ann"},
        {},
    ],
)
def test_the_default_store_lies_outside_the_checkout(
    environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    url = Settings.read(environment).database_url
    path = Path(url.removeprefix("sqlite:///"))
    assert path.is_absolute()
    assert ROOT not in path.resolve().parents


def test_the_folder_of_user_data_is_honoured() -> None:
    assert (
        Settings.read({"XDG_DATA_HOME": "/data/ann"}).database_url
        == "sqlite:////data/ann/second-reader/second-reader.sqlite"
    )


@pytest.mark.parametrize("name", [field.name for field in fields(Settings)])
def test_every_setting_stands_in_the_table_of_the_operations_page(name: str) -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if line.lstrip().startswith("|")]
    assert any(f"{PREFIX}{name.upper()}" in row for row in rows)


def test_the_operations_page_names_no_setting_that_is_not_there() -> None:
    page = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    named = set(re.findall(rf"{PREFIX}[A-Z_]+", page))
    assert named <= {PREFIX + field.name.upper() for field in fields(Settings)}
