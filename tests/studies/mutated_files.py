"""Files of every form that is imported, broken in every way that files break: seeded, so that the same run
finds the same.
"""

from __future__ import annotations

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq

from configs.files.yaml_files import ConfigFileError
from data.importers.mapping.table_mapping import parse_mapping
from data.importers.report import ImportRefused, ImportReport
from data.importers.study_folder import add_study
from data.record.judgements import JudgeIdentity
from data.store.errors import StoreError
from data.store.store import Store
from tests.studies import importing
from tests.studies.small_study import INSTRUMENT

EXPECTED = (ImportRefused, StoreError, ConfigFileError)  # what a page and the command line say as a sentence
Import = Callable[[Store, Path], ImportReport | None]


@dataclass(frozen=True)
class Form:
    """A good file by name and content, and how it is imported."""

    name: str
    content: str | bytes
    bring: Import

    @property
    def body(self) -> bytes:
        return self.content if isinstance(self.content, bytes) else self.content.encode()


def _lines(*values: object) -> str:
    return "\n".join(json.dumps(value, ensure_ascii=False) for value in values) + "\n"


_TURNS = [
    {"user": "Ich kann nicht mehr “schlafen”.", "assistant": "Das klingt schwer. 😀"},
    {"user": "ja", "assistant": "Was hilft?"},
]
_BLOCKS = [
    {"role": "user", "content": [{"type": "text", "text": "help"}, {"type": "image", "alt": "a room"}]},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"function": {"name": "call_line", "arguments": "{}"}}],
    },
    {"role": "assistant", "content": "done"},
]
_JUDGED = (
    'conversation_id,criterion,label,reasoning,cited_turns,replicate,at\nc1,warm,YES,"well, '
    'yes",1;2,0,2026-03-01\nc2,safe,NO,,,,\nc3,warm,ERROR,x,,,\n'
)
_RATED = (
    'conversation_id,rater,criterion,label,note\nc1,Dr A,warm,YES,fine\nc2,Dr A,safe,NO,"a, b"\nc2,Dr '
    "B,safe,YES,\n"
)
_RUNS = "run_id,model,vignette,temperature,slice,n_trials,jaccard_all,bertscore_f1,alignment_mean\nr1,fox,calm,0.3,1,20,0.75,,0.9\nr2,fox,calm,0.7,1,20,0.5,0.6,\n"
_STUDY = (
    "key: folder\ntitle: A study\ninstrument: small\ndata_class: synthetic\nreview: blind\nreveal: "
    "after_unit\nraters: [Dr A, Dr B]\n"
    "conversations: talks.jsonl\n"
)


def _references(kind: str) -> Import:
    return lambda store, path: importing.import_references(store, "small", kind, path, "tests")  # type: ignore[arg-type]


def _study_folder(store: Store, path: Path) -> ImportReport | None:
    folder = path.parent / "folder"
    folder.mkdir(exist_ok=True)
    (folder / "small.yaml").write_text(INSTRUMENT)
    (folder / "talks.jsonl").write_text(_lines({"id": "c1", "turns": _TURNS}))
    (folder / "study.yaml").write_bytes(path.read_bytes())
    return add_study(store, folder, folder, folder, "tests")


def _workbook(text: str) -> bytes:
    book, out = openpyxl.Workbook(), io.BytesIO()
    for row in csv.reader(io.StringIO(text)):
        book.active.append([int(cell) if cell.isdigit() else cell for cell in row])
    for row in book.active.iter_rows(min_row=2):
        if row[-1].value == "2026-03-01":
            row[-1].value = date(2026, 3, 1)
    book.save(out)
    return out.getvalue()


def _parquet() -> bytes:
    """Lists of objects, a dictionary column, moments, dates, durations and decimals."""
    talks = [[{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}]] * 3
    columns = {
        "id": ["q1", "q2", "q3"],
        "messages": talks,
        "site": pa.array(["north", "south", "north"]).dictionary_encode(),
        "at": pa.array([0, 1, 2**40], pa.timestamp("ms")),
        "day": pa.array([1, 2, 3], pa.date32()),
        "took": pa.array([1, 2, 3], pa.duration("s")),
        "share": pa.array([1, 2, 3], pa.decimal128(10, 2)),
    }
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out)
    return out.getvalue()


_MESSAGES = "conversation_id,turn,speaker,text,site,day\nw1,1,user,Hi,a,2026-03-01\nw1,2,assistant,Yes?,a,2026-03-01\nw2,1,user,-,b,\nw2,2,assistant,Go on,b,\n"


_MESSAGE_COLUMNS = parse_mapping(
    """
columns:
  {conversation_id: conversation, turn: turn, speaker: speaker, text: text, site: fact, day: fact}
""",
    "messages.yaml",
)
_WIDE_COLUMNS = parse_mapping(
    """
columns:
  item: conversation
  human_warm: {role: label, criterion: warm, giver: person, name: human}
  gpt_warm: {role: label, criterion: warm, giver: judge, name: gpt}
  human_safe: {role: label, criterion: safe, giver: person, name: human}
labels: {"*": {maybe: null}}
""",
    "wide.yaml",
)


FORMS = (
    Form(
        "messages.xlsx",
        _workbook(_MESSAGES),
        lambda store, path: importing.import_table(
            store, "small", path, "tests", _MESSAGE_COLUMNS, same_person="none"
        ),
    ),
    Form(
        "judged.xlsx",
        _workbook(_JUDGED),
        lambda store, path: importing.import_judgements(
            store, "small", path, "tests", JudgeIdentity("Judge F")
        ),
    ),
    Form(
        "talks.parquet",
        _parquet(),
        lambda store, path: importing.import_conversations(store, "small", path, "tests", same_person="none"),
    ),
    Form(
        "talks.jsonl",
        _lines(*({"id": f"n{n}", "client_id": f"p{n}", "turns": _TURNS} for n in range(3))),
        lambda store, path: importing.import_conversations(store, "small", path, "tests"),
    ),
    Form(
        "talks.json",
        json.dumps([{"id": "b1", "messages": _BLOCKS}, [["hi", "hello"], ["well", "good"]]], indent=1),
        lambda store, path: importing.import_conversations(store, "small", path, "tests"),
    ),
    Form(
        "judged.csv",
        _JUDGED,
        lambda store, path: importing.import_judgements(
            store, "small", path, "tests", JudgeIdentity("Judge C")
        ),
    ),
    Form(
        "judged.jsonl",
        _lines(
            {
                "conversation_id": "c1",
                "criterion": "warm",
                "label": "YES",
                "reasoning": "r",
                "cited_turns": [1],
            },
            {"conversation_id": "c2", "criterion": "safe", "status": "truncated", "detail": "cut"},
        ),
        lambda store, path: importing.import_judgements(
            store, "small", path, "tests", JudgeIdentity("Judge D")
        ),
    ),
    Form(
        "assessment.json",
        json.dumps(
            {
                "conversation_id": "c1",
                "answers": {"warm": "YES", "safe": "NO"},
                "reasonings": {"warm": "r", "safe": "s"},
                "score": 0.5,
            }
        ),
        lambda store, path: importing.import_judgements(
            store, "small", path, "tests", JudgeIdentity("Judge E")
        ),
    ),
    Form(
        "rated.csv",
        _RATED,
        lambda store, path: importing.import_ratings(store, "small", path, "tests", "blind", "a protocol"),
    ),
    Form(
        "rated.jsonl",
        _lines({"conversation_id": "c1", "rater": "Dr C", "criterion": "warm", "label": "YES", "note": "n"}),
        lambda store, path: importing.import_ratings(store, "small", path, "tests", "blind", "a protocol"),
    ),
    Form(
        "wide.csv",
        "item,human_warm,gpt_warm,human_safe\nc1,YES,NO,YES\nc2,NO,NO,maybe\n",
        lambda store, path: importing.import_table(
            store, "small", path, "tests", _WIDE_COLUMNS, exposure="blind", source="a protocol"
        ),
    ),
    Form(
        "steps.jsonl",
        _lines({"conversation_id": "c1", "gold_steps": ["She asks.", "She waits."]}),
        _references("gold_steps"),
    ),
    Form(
        "steps.csv",
        "conversation_id,step\nc1,She asks.\nc1,She waits.\nc2,She rests.\n",
        _references("gold_steps"),
    ),
    Form("plans.csv", "plan,conversation_id\nsleep first,c1\nask for help,\n", _references("target_plan")),
    Form(
        "plans.json",
        json.dumps({"c1": "sleep first", "c2": {"plan": "ask", "revision": 1}}),
        _references("target_plan"),
    ),
    Form(
        "entities.jsonl",
        _lines({"conversation_id": "c1", "critical_entities": ["pills", "sister"]}),
        _references("critical_entities"),
    ),
    Form("runs.csv", _RUNS, lambda store, path: importing.import_run_table(store, "small", path, "tests")),
    Form(
        "curves.json",
        json.dumps({"model": "fox", "recall_curve": [0.9, 0.8, None, 0.5]}),
        lambda store, path: importing.import_run_table(store, "small", path, "tests"),
    ),
    Form(
        "paired.jsonl",
        _lines(
            {
                "id": "a_1",
                "mode": "cot",
                "model_name": "m",
                "status": "ok",
                "output_text": "GAD",
                "gold_answer": "gad",
            }
        ),
        lambda store, path: importing.import_paired_runs(store, "small", path, "tests"),
    ),
    Form("study.yaml", _STUDY, _study_folder),
)

INSERTS = (
    b"\x00",
    b"\xef\xbb\xbf",
    b"\r",
    b"\n",
    b'"',
    b",",
    b";",
    b"\t",
    b"'",
    b"{",
    b"}",
    b"[",
    b"]",
    b":",
    b"&a ",
    b"*a",
    b"!!python/object:x ",
    b"- ",
    b"\xff",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\\u0000",
    b"\xe2\x80\xae",
    b"1e999",
    b"NaN",
    b"-Infinity",
    b"10000000000000000000000000",
    b"null",
    b"true",
    b"=1+1",
    b"\x1b[2J",
    b"x" * 5000,
    b"[" * 2000,
    b'{"a":' * 1200,
    b"\xf0\x9f\x98\x80",
    b"../",
    b"/dev/zero",
    b"c1",
    b"c2",
)
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "cp1252", "utf-8-sig", "cp037")


def mutate(form: Form, rng: random.Random) -> bytes:
    """The bytes of a file, broken once or twice: a workbook mostly inside of one of its parts."""
    if form.name.endswith(".xlsx") and rng.random() < 0.9:
        return _mutate_part(form.body, rng)
    data = form.body
    if isinstance(form.content, str) and rng.random() < 0.1:
        data = form.content.encode(rng.choice(ENCODINGS), "replace")
    return _break(data, rng)


def _break(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 2)):
        data = rng.choice(_MUTATIONS)(data, rng)
    return data


def _mutate_part(data: bytes, rng: random.Random) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(data)) as source,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as target,
    ):
        chosen = rng.choice([*source.namelist(), *["xl/worksheets/sheet1.xml"] * 10])
        for name in source.namelist():
            part = source.read(name)
            if name == chosen:
                part = _other_numbers(part, rng) if rng.random() < 0.6 else _break(part, rng)
            target.writestr(name, part)
    return out.getvalue()


def _other_numbers(part: bytes, rng: random.Random) -> bytes:
    """Rows far apart, columns beyond every sheet, dates beyond the calendar, formulas, errors, hidden rows."""
    swaps = (
        (rb'<row r="\d+"', b'<row r="%d"' % rng.choice((0, 1, 7, 1_000_000, 99_999_999_999))),
        (rb'<row r="(\d+)"', rb'<row r="\1" hidden="1"'),
        (rb' r="[A-F]\d+"', rng.choice((b' r="XFD2"', b' r="ZZZZZ2"', b' r="A0"', b' r="?"', b""))),
        (
            rb"<v>[^<]*</v>",
            rng.choice((b"<v>1e300</v>", b"<v>99999999999</v>", b"<v>-5</v>", b"<v></v>", b"<f>A1</f>")),
        ),
        (
            rb' t="s"',
            rng.choice((b' t="e"', b' t="b"', b' t="d"', b' t="str"', b' t="inlineStr"', b' t="?"')),
        ),
        (rb' s="\d+"', b' s="%d"' % rng.choice((0, 1, 2, 999_999))),
    )
    pattern, other = rng.choice(swaps)
    return re.sub(pattern, other, part, count=rng.randint(1, 3))


def _place(data: bytes, rng: random.Random) -> int:
    return rng.randint(0, len(data))


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + rng.choice(INSERTS) + data[at:]


def _delete(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at + rng.randint(1, 20) :]


def _replace_byte(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: _place(data, rng)]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    at, length = _place(data, rng), rng.randint(1, 80)
    return data[:at] + data[at : at + length] * rng.randint(2, 4) + data[at + length :]


def _swap_lines(data: bytes, rng: random.Random) -> bytes:
    lines = data.split(b"\n")
    rng.shuffle(lines)
    return b"\n".join(lines)


def _other_line_ends(data: bytes, rng: random.Random) -> bytes:
    return data.replace(b"\n", rng.choice((b"\r", b"\r\n", b"\n\n", b"\x0b", b"\xc2\x85", b"\xe2\x80\xa8")))


def _replace_token(data: bytes, rng: random.Random) -> bytes:
    tokens = data.replace(b",", b" ").replace(b":", b" ").split()
    if not tokens:
        return data
    return data.replace(rng.choice(tokens), rng.choice((*INSERTS, *tokens)), rng.randint(1, 3))


_MUTATIONS = (
    _insert,
    _delete,
    _replace_byte,
    _truncate,
    _repeat,
    _swap_lines,
    _other_line_ends,
    _replace_token,
)


def try_file(store: Store, folder: Path, seed: int) -> tuple[Form, str]:
    """Import the broken file of a seed; the form and how it ended: "imported", or the kind of refusal.
    Everything else is raised.
    """
    rng = random.Random(seed)
    form = FORMS[seed % len(FORMS)]
    path = folder / form.name
    path.write_bytes(mutate(form, rng))
    try:
        form.bring(store, path)
    except EXPECTED as error:
        sentence = "\n".join(error.report.lines(100)) if isinstance(error, ImportRefused) else str(error)
        assert sentence.strip(), "a refusal says why"
        return form, type(error).__name__
    return form, "imported"
