"""The types of the pages' scripts are those of their contracts, and they are checked."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from data.store.free_text import NOTE_LIMIT
from tests.javascript.contract import write_types
from tests.javascript.node import FOLDER, PACKAGES, SCRIPTS, WIDGETS, run_node


@pytest.fixture(scope="module", autouse=True)
def types() -> None:
    write_types()


def test_a_field_takes_as_many_characters_as_are_kept() -> None:
    module = (WIDGETS / "scripts" / "text_fields.js").as_uri()
    program = f"import {{ NOTE_LIMIT }} from {json.dumps(module)}; console.log(NOTE_LIMIT)"
    run = run_node("--input-type=module", "--eval", program, stdout=subprocess.PIPE, check=True)
    assert int(run.stdout) == NOTE_LIMIT


def compiler_errors(folder: Path, script: str) -> list[str]:
    """What tsc says of a script beside the page's own, with the settings of `make lint`."""
    (folder / "script.js").write_text(script, encoding="utf-8")
    settings = {"extends": str(FOLDER / "tsconfig.json"), "include": ["script.js"]}
    (folder / "tsconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    compiler = PACKAGES / "typescript" / "bin" / "tsc"
    run = run_node(compiler, "--project", folder, "--pretty", "false", stdout=subprocess.PIPE, cwd=folder)
    return [line for line in run.stdout.splitlines() if line.startswith("script.js")]


@pytest.mark.parametrize(
    ("code", "error"),
    [
        ("export const place = data.unit.position;", ""),
        ("export const place = data.unit.positon;", "Property 'positon' does not exist"),
        ("export const place = data.unit.message + 1;", "possibly 'null'"),
        ("outbox.put({ kind: 'skip', unit: data.unit.id });", ""),
        ("outbox.put({ kind: 'skip', unit: data.store });", "not assignable"),
        ("outbox.put({ kind: 'skip', position: 1 });", "not assignable|does not exist"),
        ("export function guess(label) { return label; }", "implicitly has an 'any' type"),
    ],
)
def test_a_script_that_breaks_the_contract_does_not_pass(tmp_path: Path, code: str, error: str) -> None:
    types = f"""
        /** @import {{ PageData }} from "{SCRIPTS.as_posix()}/contract.d.ts" */
        /** @import {{ Outbox }} from "{SCRIPTS.as_posix()}/outbox.js" */
        const data = /** @type {{PageData}} */ (JSON.parse("{{}}"));
        const outbox = /** @type {{Outbox}} */ (JSON.parse("{{}}"));
        export {{ data, outbox }};
    """
    errors = compiler_errors(tmp_path, types + code)
    assert len(errors) == bool(error), errors
    if error:
        assert any(part in errors[0] for part in error.split("|")), errors
