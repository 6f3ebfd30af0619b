"""What the docs say can be typed: every command and option is there, and every setting is listed. Their pictures
are there, and none without its words, by which tests/browser/test_look.py knows the page.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import click
import pytest

from bench.__main__ import NAMES as bench_names
from cli import main
from configs.settings import PREFIX, Settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
# A line of a block, or a span of code.
COMMAND = re.compile(r"(?m)^\s*(?:\.venv/bin/)?(second-reader .*)$|`(?:\.venv/bin/)?(second-reader [^`]*)`")
PICTURE = re.compile(r"!\[[^\]]+\]\(([^)]+\.png)\)")
TARGET = re.compile(r"`make ([a-z]+)|^make ([a-z]+)", re.MULTILINE)


def commands() -> Iterator[tuple[str, str]]:
    for page in PAGES:
        text = page.read_text(encoding="utf-8").replace("\\\n", " ")
        for match in COMMAND.finditer(text):
            yield page.name, (match[1] or match[2]).split("#")[0].strip()


def unknown_part(line: str) -> str:
    """The first word of a command line that the program does not know; nothing where it knows all."""
    command: click.Command = main
    for word in shlex.split(line.replace("...", " ").replace("\u2026", " "))[1:]:
        if isinstance(command, click.Group):
            if word.startswith("-"):
                return "" if word in ("--help", "--version") else word
            child = command.get_command(click.Context(command), word)
            if child is None:
                return word
            command = child
        elif word.startswith("--"):
            name = word.partition("=")[0]
            if name != "--help" and not any(name in option.opts for option in command.params):
                return name
    return ""


COMMANDS = sorted(set(commands()))


def test_the_docs_hold_commands() -> None:
    assert len(COMMANDS) > 20


@pytest.mark.parametrize(("page", "line"), COMMANDS)
def test_every_command_of_the_docs_is_one(page: str, line: str) -> None:
    assert unknown_part(line) == "", f"{page}: {line}"


def test_an_unknown_command_or_option_is_seen() -> None:
    assert unknown_part("second-reader verifi") == "verifi"
    assert unknown_part("second-reader verify --everything") == "--everything"
    assert unknown_part("second-reader import ratings STUDY FILE --exposure blind") == ""


def test_every_setting_is_listed_once_and_no_other() -> None:
    operations = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
    listed = re.findall(rf"^\| `({PREFIX}[A-Z_]+)` \|", operations, re.MULTILINE)
    assert sorted(listed) == sorted(PREFIX + field.name.upper() for field in fields(Settings))


def test_every_make_target_of_the_docs_is_one() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = {
        first or second
        for page in PAGES
        for first, second in TARGET.findall(page.read_text(encoding="utf-8"))
    }
    assert len(named) > 3
    assert named <= targets


def test_each_picture_is_shown_and_each_has_its_words() -> None:
    shown = {
        (page.parent / name).resolve()
        for page in PAGES
        for name in PICTURE.findall(page.read_text(encoding="utf-8"))
    }
    pictures = set((ROOT / "docs" / "images").glob("*.png"))
    assert shown == pictures and len(pictures) > 1
    assert {path.with_suffix(".txt") for path in pictures} == set((ROOT / "docs" / "images").glob("*.txt"))


@pytest.mark.parametrize("name", bench_names)
def test_every_bench_is_explained(name: str) -> None:
    assert f"`{name}`" in (ROOT / "bench" / "README.md").read_text(encoding="utf-8")


def test_the_version_is_that_of_the_newest_release_in_the_changelog_and_of_the_wheel_in_the_readme() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    released = re.findall(r"(?m)^## \[(\d[^\]]*)\] - ", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"))
    assert released[0] == version
    assert f"second_reader-{version}-py3-none-any.whl" in (ROOT / "README.md").read_text(encoding="utf-8")
