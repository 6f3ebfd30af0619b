"""ES modules put together into one script: scopes, order, exports, and what is refused."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pages.widgets.scripts.modules import assemble
from pages.widgets.workbench.component import FOLDER, SCRIPT
from tests.javascript.node import run_node


def write(folder: Path, **modules: str) -> Path:
    for name, text in modules.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "main.js"


def run(entry: Path, expression: str) -> Any:
    """What an expression over the exports of the assembled script gives, in Node.js."""
    script = entry.parent / "assembled.mjs"
    script.write_text(assemble(entry), encoding="utf-8")
    program = f"const exports = await import({json.dumps(script.as_uri())}); console.log(JSON.stringify({expression}))"
    return json.loads(
        run_node("--input-type=module", "--eval", program, stdout=subprocess.PIPE, check=True).stdout
    )


def test_each_module_keeps_its_own_names(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        first='const NAME = "first";\nexport function first() {\n  return NAME;\n}\n',
        second='const NAME = "second";\nexport const second = () => NAME;\n',
        main=(
            'import { first } from "./first.js";\nimport { second } from "./second.js";\n'
            'const NAME = "main";\nexport const names = [NAME, first(), second(), typeof NAME];\n'
        ),
    )
    assert run(entry, "exports.names") == ["main", "first", "second", "string"]


def test_what_is_not_exported_is_seen_by_no_other_module(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        other="const hidden = 1;\nexport const shown = hidden;\n",
        main='import { shown } from "./other.js";\nexport const kinds = [typeof shown, typeof hidden];\n',
    )
    assert run(entry, "exports.kinds") == ["number", "undefined"]


def test_a_module_that_several_import_runs_once_and_before_them(tmp_path: Path) -> None:
    entry = write(
        tmp_path,
        log='export const log = ["log"];\n',
        left='import { log } from "./log.js";\nlog.push("left");\nexport class Left {}\n',
        right='import {\n  log,\n} from "./log.js";\nlog.push("right");\nexport async function right() {}\n',
        main=(
            'import { Left } from "./left.js";\nimport { log } from "./log.js";\nimport { right } from "./right.js";\n'
            "export default function (one) {\n  return [log, new Left() instanceof Left, right.name, one];\n}\n"
        ),
    )
    assert run(entry, "exports.default(7)") == [["log", "left", "right"], True, "right", 7]


def test_the_words_import_and_export_inside_a_line_are_left_alone(tmp_path: Path) -> None:
    entry = write(
        tmp_path, main='// import and\n  // export {}\nexport const text = "\\nexport default 1";\n'
    )
    assert run(entry, "exports.text") == "\nexport default 1"


@pytest.mark.parametrize(
    ("main", "reason"),
    [
        ('import other from "./other.js";', "in another form: import other"),
        ('import * as other from "./other.js";', "in another form"),
        ('import "./other.js";', "in another form"),
        ("import { value } from './other.js';", "in another form"),
        ('import { value } from "elsewhere";', "in another form"),
        ("export let count = 0;", "in another form: export let"),
        ("export { count };", "in another form"),
        ('export * from "./other.js";', "in another form"),
        ("export default class {}", "in another form"),
        ('import { values } from "./other.js";', "main.js imports values, which other.js does not export"),
        ('import { value as amount } from "./other.js";', "does not export"),
        ('import { again } from "./circle.js";\nexport const value = 1;', "each other: main, circle"),
    ],
)
def test_what_cannot_be_put_together_is_refused(tmp_path: Path, main: str, reason: str) -> None:
    entry = write(
        tmp_path,
        main=main + "\n",
        other="export const value = 1;\n",
        circle='import { value } from "./main.js";\nexport const again = value;\n',
    )
    with pytest.raises(ValueError, match=reason):
        assemble(entry)


def test_a_module_of_the_folder_beside_is_taken_and_no_other_one_of_its_name(tmp_path: Path) -> None:
    here, other = tmp_path / "here", tmp_path / "other"
    for folder in (here, other):
        folder.mkdir()
    write(
        other,
        parts='import { first_value } from "./first_value.js";\nexport const two = first_value + 1;\n',
        first_value="export const first_value = 1;\n",
    )
    entry = write(here, main='import { two } from "../other/parts.js";\nexport const three = two + 1;\n')
    assert run(entry, "exports.three") == 3
    write(
        here,
        main='import { two } from "../other/parts.js";\nimport { first_value } from "./first_value.js";\n',
        first_value="export const first_value = 2;\n",
    )
    with pytest.raises(ValueError, match=r"Two modules have the name first_value\.js"):
        assemble(entry)
    write(
        here,
        main='import { first_value } from "./first_value.js";\nimport { first_value as other } from "../other/first_value.js";\n',
    )
    with pytest.raises(ValueError, match=r"Two modules have the name first_value\.js"):
        assemble(entry)


def test_the_page_gets_every_module_of_the_folder_and_always_the_same_text() -> None:
    others = {"waiting_answers"}  # a component of its own
    names = {path.stem for path in FOLDER.glob("*.js")} - others
    assert {
        line[3:-3] for line in SCRIPT.splitlines() if line.startswith("// ") and line[3:-3] in names
    } == names
    assert assemble(FOLDER / "main.js") == SCRIPT
    assert SCRIPT.endswith("export default $main.default;\n")
