"""The tests of the page's scripts, run by Node.js."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.javascript.node import FOLDER, run_node


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.test.js")), ids=lambda path: path.name)
def test_a_script_does_what_its_tests_say(path: Path) -> None:
    run = run_node(
        "--test", "--test-reporter=spec", path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300
    )
    counts = {name: int(count) for name, count in re.findall(r"^ℹ (\w+) (\d+)$", run.stdout, re.MULTILINE)}
    failures = run.stdout[run.stdout.find("✖ failing tests:") :]
    assert run.returncode == 0, failures
    assert counts["tests"] == counts["pass"] >= 5, run.stdout[-400:]
