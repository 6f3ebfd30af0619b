"""Files of other tools that are cut off, damaged or mutated: never half imported, never a person's label as a judge's."""

from __future__ import annotations

import json
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from data.importers import inspect_logs
from data.importers.profiles.record_reader import PARTS
from data.importers.recognition import recognise_here
from data.importers.report import ImportRefused, ImportReport
from data.record.studies import Study
from data.store.store import Store
from tests.studies.tool_files import (
    FILES,
    FORMS,
    ToolForm,
    answers_of,
    bring,
    rows_of,
    stored,
    tool_of,
)

SEED = 20261128


WITH_LABELS = [form for form in FILES if form.ratings + form.judgements and form.file[-5:] != ".eval"]


ODD: tuple[Any, ...] = (5, -1.5, "odd words", True, [7], {"odd": 1}, ["a", "b"], [[]])


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of every value inside lists and objects."""
    for key in list(value) if isinstance(value, dict) else range(len(value)):
        yield value, key
        if isinstance(value[key], dict | list):
            yield from leaves(value[key])


def mutated(text: str, is_lines: bool, chance: random.Random) -> str:
    """Return a JSON or JSONL file with one value of another type."""
    whole = [json.loads(line) for line in text.splitlines()] if is_lines else [json.loads(text)]
    place, key = chance.choice(list(leaves(whole)))
    old = type(place[key])
    place[key] = chance.choice([each for each in ODD if type(each) is not old])
    return "\n".join(map(json.dumps, whole)) if is_lines else json.dumps(whole[0])


@pytest.mark.parametrize(
    "form", [form for form in WITH_LABELS if "csv" not in form.file], ids=lambda form: form.file
)
def test_a_value_of_another_type_never_makes_a_persons_label_a_judges(
    talked_study: Study, tmp_path: Path, form: ToolForm
) -> None:
    path, tool = FORMS / form.file, tool_of(FORMS / form.file)
    whole, _ = rows_of(path, talked_study, tool, **answers_of(form))
    people = {row["rater"] for row in whole["ratings"]}
    judges = {row["judge"] for row in whole["judgements"]}
    chance, accepted = random.Random(SEED), 0
    for _ in range(40):
        changed = tmp_path / path.name
        changed.write_text(mutated(path.read_text(), path.suffix == ".jsonl", chance))
        rows, report = rows_of(changed, talked_study, tool, **answers_of(form))
        if report.errors:
            continue
        accepted += 1
        assert not {row["rater"] for row in rows["ratings"]} & judges
        assert not {row["judge"] for row in rows["judgements"]} & people
        fewer = sum(map(len, whole.values())) - sum(map(len, rows.values()))
        assert fewer <= 0 or any("left out" in problem.message for problem in report.problems)
    assert accepted


@pytest.mark.parametrize("form", FILES, ids=lambda form: form.file)
def test_a_file_that_is_cut_gives_an_error_or_whole_records(
    talked_study: Study, tmp_path: Path, form: ToolForm
) -> None:
    path, tool = FORMS / form.file, tool_of(FORMS / form.file)
    content, chance = path.read_bytes(), random.Random(SEED)
    whole, _ = rows_of(path, talked_study, tool, **answers_of(form))
    refused = 0
    for _ in range(8):
        cut = tmp_path / path.name
        cut.write_bytes(content[: chance.randrange(1, len(content) - 40)])
        importer = recognise_here(cut).importer
        if importer is None or importer.name != "tool":
            refused += 1
            continue
        rows, report = rows_of(cut, talked_study, tool, **answers_of(form))
        refused += bool(report.errors)
        for part in PARTS if not report.errors else ():
            if path.suffix == ".csv":  # the last cell of the last row may be cut
                rows[part] = rows[part][:-12]
            assert all(row in whole[part] for row in rows[part])
    assert refused


def test_a_cut_file_leaves_the_store_as_it_was(store: Store, talked_study: Study, tmp_path: Path) -> None:
    content = (FORMS / "mlflow/traces_with_assessments.jsonl").read_bytes()
    (tmp_path / "cut.jsonl").write_bytes(content[: len(content) // 2])
    before = stored(store)
    with pytest.raises(ImportRefused):
        bring(store, tmp_path / "cut.jsonl")
    assert stored(store) == before


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name.replace("__", "/") + ".json", content)
    return path


def read_log(path: Path) -> tuple[list[Any], list[str]]:
    report = ImportReport(path.name)
    return [value for _, value in inspect_logs.documents(path, report)], report.lines()


def test_a_log_that_unpacks_to_too_much_is_refused_before_it_is_read(tmp_path: Path) -> None:
    large = b" " * (inspect_logs.LARGEST_MEMBER + 1)
    logs, problems = read_log(zipped(tmp_path / "one.eval", header=b"{}", samples__1=large))
    assert not logs and "unpacks to more than" in problems[0]
    many = {f"samples__{number}": large for number in range(5)}
    assert read_log(zipped(tmp_path / "five.eval", header=b"{}", **many))[1] == [
        f"five.eval: {inspect_logs.TOO_LARGE}"
    ]


def test_a_log_that_states_a_smaller_size_is_read_no_further(tmp_path: Path) -> None:
    path = zipped(tmp_path / "one.eval", header=b"{}", samples__1=b" " * 5_000_000)
    size = (5_000_000).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(size, (50).to_bytes(4, "little")))
    assert read_log(path) == ([], ["one.eval: the log can't be read: samples/1.json is cut off or damaged"])


def test_a_damaged_log_gives_an_error_and_never_another_text(tmp_path: Path) -> None:
    content = (FORMS / "inspect/coaching_audit.eval").read_bytes()
    whole, _ = read_log(FORMS / "inspect/coaching_audit.eval")
    chance, refused = random.Random(SEED), 0
    for _ in range(60):
        changed = bytearray(content)
        changed[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
        path = tmp_path / "changed.eval"
        path.write_bytes(changed)
        if not inspect_logs.is_log(path):
            refused += 1
            continue
        logs, problems = read_log(path)
        refused += bool(problems)
        assert all(log in whole for log in logs)
    assert refused > 30
