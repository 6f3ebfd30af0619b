"""Packages that add something to the program: real distributions with entry points in a folder on the path."""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from configs.registry import Registry
from configs.settings import ROOT
from data.importers import own_process
from data.importers.registry import IMPORTERS
from runs.scoring.registry import METRICS
from scoring.judges.provider_registry import PROVIDERS

REGISTRIES: tuple[Registry[Any], ...] = (METRICS, PROVIDERS, IMPORTERS)
DOCS = ROOT.parent / "docs"
BLOCK = re.compile(r"(?m)^`([\w.]+)`\n\n```\w+\n(.*?)^```$", re.DOTALL)
YAML = re.compile(r"(?m)^```yaml\n(.*?)^```$", re.DOTALL)


def write_package(
    folder: Path,
    name: str,
    entry_points: Mapping[str, Mapping[str, str]],
    modules: Mapping[str, str],
    version: str = "0.1",
) -> None:
    """What an installer leaves behind: the modules, and a dist-info with METADATA and entry_points.txt."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = []
    for group, points in entry_points.items():
        lines += [f"[{group}]", *(f"{key} = {target}" for key, target in points.items()), ""]
    (info / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    for file, text in modules.items():
        (folder / file).write_text(text, encoding="utf-8")


def write_package_of_docs(folder: Path, page: str) -> str:
    """The package that a page of the docs shows, exactly as it stands there; returns the name."""
    files = dict(BLOCK.findall((DOCS / page).read_text(encoding="utf-8")))
    project = tomllib.loads(files.pop("pyproject.toml"))["project"]
    write_package(folder, project["name"], project["entry-points"], files, project["version"])
    return str(project["name"])


def yaml_of_docs(page: str) -> str:
    block = YAML.search((DOCS / page).read_text(encoding="utf-8"))
    assert block is not None, page
    return block[1]


class Packages:
    """A folder on the path. What was written into it is known to the program after `look`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        folder.mkdir()
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.setenv("PYTHONPATH", str(folder))  # for the processes that read files
        self.look()

    def add(
        self, name: str, group: str, points: Mapping[str, str], modules: Mapping[str, str] | None = None
    ) -> None:
        write_package(self.folder, name, {group: points}, modules or {})
        self.look()

    def add_of_docs(self, page: str) -> str:
        name = write_package_of_docs(self.folder, page)
        self.look()
        return name

    def look(self) -> None:
        for module in [
            name
            for name, loaded in sys.modules.items()
            if str(getattr(loaded, "__file__", None) or "").startswith(str(self.folder))
        ]:
            del sys.modules[module]
        for registry in REGISTRIES:
            registry.forget()
        own_process.end_idle()
