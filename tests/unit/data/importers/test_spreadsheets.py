"""24 spreadsheets as people make them come in exactly, with the answers that their lead would give.

They were made, with what they mean (tests/spreadsheets/expected.json), by somebody who had not seen the code.
ANSWERS holds what a lead has to change in the proposal; for every other file the proposal is right.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from data.importers import conversations
from data.importers.file_parts import ReadRows
from data.importers.mapping.mapped_rows import mapped_parts
from data.importers.mapping.meanings import RubricWords
from data.importers.mapping.proposal import propose_mapping
from data.importers.mapping.questions import open_questions
from data.importers.mapping.table_mapping import Column, TableMapping, mapping_yaml, parse_mapping
from data.importers.mapping.table_sample import TableSample, read_table_sample
from data.importers.report import ImportReport
from scoring.instruments import load_instrument

FOLDER = Path(__file__).resolve().parents[3] / "spreadsheets"
EXPECTED: dict[str, dict[str, Any]] = json.loads((FOLDER / "expected.json").read_text(encoding="utf-8"))
INSTRUMENT = load_instrument(FOLDER / "rubric.yaml")[0]
RUBRIC = RubricWords.of(INSTRUMENT)

Answer = Callable[[TableMapping], TableMapping]


def columns(**roles: Any) -> Answer:
    """Give some columns another role."""
    changed = {name.replace("_", " "): Column(role=role) for name, role in roles.items()}
    return lambda mapping: mapping.model_copy(update={"columns": {**mapping.columns, **changed}})


def people(*names: str) -> Answer:
    """Say that these names in column names are people."""

    def answer(mapping: TableMapping) -> TableMapping:
        named = {
            name: column.model_copy(update={"giver": "person"}) if column.name in names else column
            for name, column in mapping.columns.items()
        }
        return mapping.model_copy(update={"columns": named})

    return answer


def meaning(cell: str, label: str | None) -> Answer:
    """Say what a cell means: a label, or None for no label."""
    return lambda mapping: mapping.model_copy(
        update={"labels": {"*": {**mapping.labels.get("*", {}), cell: label}}}
    )


def as_proposed(mapping: TableMapping) -> TableMapping:
    return mapping


def whole(**given: str) -> Answer:
    """Say who gave all labels of the table."""
    return lambda mapping: mapping.model_copy(update=given)


ANSWERS: dict[str, Answer] = {
    "06_transcript_in_a_cell.xlsx": columns(Internal_ref="ignored"),
    "10_labels_codes.tsv": meaning("9", "NA"),
    "11_judge_verdicts.jsonl": lambda mapping: meaning("pass", "YES")(meaning("fail", "NO")(mapping)),
    "13_checklist_x.xlsx": meaning("", "NO"),
    "14_all_labels_wide.xlsx": people("Rahimi", "Cole"),
    "15_ratings_by_criterion.csv": lambda mapping: meaning("", None)(
        people("Amir Rahimi", "Beth Cole")(mapping)
    ),
    "16_judge_with_reasons.csv": whole(judge="gpt-5-judge"),
    "19_labels_march.csv": whole(rater="Dr Beth Cole"),
    "24_exchanges_with_labels.xlsx": people("Dr Amir Rahimi", "Dr Beth Cole"),
}
ASKED = [*ANSWERS][1:]  # the first can be imported without the answer, with one fact too many


@dataclass(frozen=True)
class Table:
    path: Path
    sample: TableSample
    proposal: TableMapping


@pytest.fixture(params=EXPECTED)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def read_table(name: str) -> Table:
    file, _, sheet = name.partition("#")
    sample = read_table_sample(FOLDER / "files" / file, sheet=sheet)
    assert sample.problem == ""
    return Table(FOLDER / "files" / file, sample, propose_mapping(sample, RUBRIC))


def labels(read: ReadRows | None, giver: str, report: ImportReport) -> list[list[str | None]]:
    rows = [] if read is None else [row for _, row in read(report)]
    scale = INSTRUMENT.scales["answer"]
    return sorted(
        [row["conversation_id"], row[giver], RUBRIC.criterion(row["criterion"]), scale.label(row["label"])]
        for row in rows
    )


def test_it_comes_in_exactly(name: str) -> None:
    table, truth = read_table(name), EXPECTED[name]
    mapping = ANSWERS.get(name, as_proposed)(table.proposal)
    assert open_questions(mapping, table.sample, RUBRIC) == []
    mapping = parse_mapping(mapping_yaml(mapping), "mapping.yaml")
    parts, report = mapped_parts(table.path, mapping, RUBRIC), ImportReport(name)
    assert labels(parts.ratings, "rater", report) == sorted(truth.get("ratings", []))
    assert labels(parts.judgements, "judge", report) == sorted(truth.get("judgements", []))
    talks = (
        []
        if parts.conversations is None
        else list(conversations.usable_rows(parts.conversations(report), report))
    )
    assert {talk.key: [list(message) for message in talk.messages] for talk in talks} == truth.get(
        "conversations", {}
    )
    facts = {talk.key: talk.facts for talk in talks if talk.facts}
    assert facts == (truth.get("facts", {}) if talks else {})
    assert report.errors == 0


def test_it_asks_what_the_file_does_not_tell_and_nothing_else(name: str) -> None:
    table = read_table(name)
    questions = open_questions(table.proposal, table.sample, RUBRIC)
    assert bool(questions) == (name in ASKED), questions


def test_reasons_stay_with_their_labels(name: str) -> None:
    table, reasons = read_table(name), EXPECTED[name].get("reasons", {})
    mapping = ANSWERS.get(name, as_proposed)(table.proposal)
    parts, report = mapped_parts(table.path, mapping, RUBRIC), ImportReport(name)
    rows = [row for read in (parts.ratings, parts.judgements) if read for _, row in read(report)]
    texts = {
        f"{row['conversation_id']}|{RUBRIC.criterion(row['criterion'])}": text
        for row in rows
        if (text := row.get("note") or row.get("reasoning"))
    }
    assert {place: texts.get(place) for place in reasons} == reasons


def mutate(data: bytes, rng: random.Random) -> bytes:
    """Cut, overwrite, repeat or garble a file."""
    first, last = sorted(rng.randrange(len(data) + 1) for _ in range(2))
    old, new = rng.choice(b',;\n"\t:'), rng.choice([b'"', b"\0", b"\n", b"", b",,"])
    return rng.choice(
        [
            data[:first],
            data[:first] + data[last:],
            data[:last] + data[first:],
            data[:first] + rng.randbytes(min(20, last - first)) + data[first + min(20, last - first) :],
            data.replace(bytes([old]), new),
            rng.randbytes(first % 300),
        ]
    )


@pytest.mark.parametrize("seed", range(8))
def test_a_mutated_file_is_read_or_refused_and_never_raises(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    for name in EXPECTED:
        file, _, sheet = name.partition("#")
        path = tmp_path / f"mutated{Path(file).suffix}"
        path.write_bytes(mutate((FOLDER / "files" / file).read_bytes(), rng))
        sample = read_table_sample(path, sheet=sheet)
        mapping = ANSWERS.get(name, as_proposed)(propose_mapping(sample, RUBRIC))
        open_questions(mapping, sample, RUBRIC)
        parts, report = mapped_parts(path, mapping, RUBRIC), ImportReport(name)
        for read in (parts.conversations, parts.ratings, parts.judgements):
            rows = [] if read is None else [row for _, row in read(report)]
            assert all(row.get("id") or row.get("conversation_id") for row in rows)
