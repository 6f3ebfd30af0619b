"""The wheel: everything that the app reads lies in it, and it starts without the checkout."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
import venv
import zipfile
from pathlib import Path

import pytest

from runs.serve import server_options

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
ROOMS = ("cli", "configs", "words", "data", "pages", "reports", "runs", "scoring", "services")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # a build leaves its traces where it runs
    source.mkdir()
    for name in (*ROOMS, "docs", ".streamlit"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("app.py", "pyproject.toml", "requirements.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(source)], check=True, capture_output=True)
    return next(folder.glob("second_reader-*.whl"))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A virtual environment with the wheel and, by a path, the libraries of this one; not this checkout."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, with_pip=False)
    site = next(folder.glob("lib/python*/site-packages"))
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    (site / "libraries.pth").write_text("\n".join(libraries), encoding="utf-8")
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--ignore-installed", str(wheel)], check=True, capture_output=True)
    return folder


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    inherited_variables = {
        name: value for name, value in os.environ.items() if not name.startswith("SECOND_READER_")
    }
    inherited_variables.pop("PYTHONPATH", None)
    return {
        **inherited_variables,
        "HOME": str(tmp_path / "home"),
        "SECOND_READER_DATABASE_URL": f"sqlite:///{tmp_path}/home/store.sqlite",
        "SECOND_READER_OPEN_BROWSER": "no",
        "SECOND_READER_SAMPLES": "no",
        "SECOND_READER_PORT": str(20_000 + os.getpid() % 20_000),
    }


def test_every_file_of_the_rooms_is_in_it(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    files = {
        path.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in (ROOT / room).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert files - names == set()
    assert {f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")} <= names
    assert "app.py" in names
    assert any(name.endswith("share/second-reader/config.toml") for name in names)
    assert any(name.endswith("/licenses/LICENSE") for name in names)


def test_it_declares_what_requirements_txt_pins(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    metadata = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    declared = re.findall(r"^Requires-Dist: ([^;\n]+)$", archive.read(metadata).decode(), re.MULTILINE)
    pinned = [
        line
        for line in (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]
    assert sorted(name.strip() for name in declared) == sorted(pinned)


def test_it_starts_the_app_from_an_empty_folder(
    installed: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    places = subprocess.run(
        [installed / "bin" / "python", "-c", "import app, cli, data; print(app.__file__, cli.__file__)"],
        cwd=empty,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert str(ROOT) not in places and str(installed) in places
    server = subprocess.Popen(
        [installed / "bin" / "second-reader", "run"],
        cwd=empty,
        env=environment,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    try:
        url = address_of(server)
        with urllib.request.urlopen(f"{url}/_stcore/host-config", timeout=120) as reply:
            assert reply.status == 200
            assert "frame-ancestors 'none'" in reply.headers["Content-Security-Policy"]
    finally:
        server.send_signal(signal.SIGTERM)
        rest, _ = server.communicate(timeout=120)
    assert (server.returncode, rest.strip()) == (0, "Stopping.")
    assert list(empty.iterdir()) == []


def test_the_server_ends_with_the_program_although_nobody_reads_what_it_says(
    installed: Path, environment: dict[str, str]
) -> None:
    """As in `second-reader run | head -1`."""
    program = subprocess.Popen(
        [installed / "bin" / "second-reader", "run"], env=environment, text=True, stdout=subprocess.PIPE
    )
    assert program.stdout is not None
    try:
        url = address_of(program)
        program.stdout.close()
    finally:
        program.send_signal(signal.SIGTERM)
        program.wait(120)
    with pytest.raises(OSError, match="refused"):
        urllib.request.urlopen(f"{url}/_stcore/health", timeout=120)


def address_of(program: subprocess.Popen[str]) -> str:
    """Where it says that it is ready."""
    assert program.stdout is not None
    while line := program.stdout.readline():
        if match := re.search(r"Second Reader is ready: (\S+)", line):
            return match[1]
    raise AssertionError("it ended before it was ready")


def test_the_settings_of_the_server_are_the_same_as_in_the_checkout(installed: Path) -> None:
    assert server_options() == []
    options = server_options(Path("nowhere"), installed)
    assert {"--server.enableXsrfProtection=true", "--client.showErrorDetails=none"} <= set(options)
    assert "--theme.dark.textColor=#eceff2" in options
