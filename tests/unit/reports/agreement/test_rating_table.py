"""The table of ratings: every cell of a study in which everything happens that a table could get wrong, the same in
all four forms; and what it says counts is what the report of agreement counts.
"""

from __future__ import annotations

import csv
import json
import random
import stat
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from sqlalchemy import Connection, select

from data import schema
from data.exporters import table_files
from data.exporters.rating_rows import RatingRow
from data.importers.file_import import import_file
from data.importers.kinds.ratings import RatingFiles
from data.keeping.erase import erase_conversation
from data.labels.headline_reasons import WhyNot
from data.record import adoptions, set_aside
from data.record.answers import Span
from data.record.judgements import JudgeIdentity
from data.record.rater_codes import read_rater_codes
from data.record.studies import Study
from data.store.errors import Refused
from data.store.store import Store
from reports.agreement.agreement_data import gather_findings
from reports.agreement.export_files import request_for
from reports.agreement.rating_columns import COLUMNS
from reports.agreement.rating_table import WHY_NOT, explain_columns, write_rating_table
from tests.studies.degenerate import say
from tests.studies.small_study import INSTRUMENT, Small, make
from tests.unit.data.labels.test_counted import Enough, happen

FORMULA = "=1+1\nand a second line, with “signs”"
IN_USE = JudgeIdentity("Judge B", "openai", "gpt", "judge 2 abc")
OTHER = JudgeIdentity("-Judge A")
SHORT = ("giver", "first_label", "final_label", "headline_label", "exposure", "final_exposure", "why_not")


def judged(identity: JudgeIdentity, small: Small) -> None:
    """YES to everything; of c2 the call about "safe" was cut off."""
    rows: list[dict[str, Any]] = []
    for talk in ("c1", "c2", "c3"):
        for criterion in ("warm", "safe", "deep"):
            failed = (talk, criterion) == ("c2", "safe")
            rows.append(
                {"conversation_id": talk, "criterion": criterion}
                | ({"status": "truncated"} if failed else {"label": "YES"})
                | {"reasoning": f"because {talk} {criterion}", "cited_turns": [1, 2]}
            )
    say(small, identity, rows)


def verdict(small: Small, position: int, criterion: str, label: str, **more: Any) -> None:
    """One more answer of the judge in use."""
    unit = small.desk().unit(position)
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        judge = connection.execute(select(schema.judge).where(schema.judge.c.name == "Judge B")).one()
        row = {"study_id": small.study.id, "unit_id": unit.id, "judge_id": judge.id, "criterion": criterion}
        row |= {"status": "ok", "label": label, "cited": "[]", "origin": "import", "file": "x"}
        entry.write(schema.judgement, row | {"anchor_round": 0, "replicate": 0} | more)


@pytest.fixture
def planted(store: Store, tmp_path: Path) -> Small:
    """Three conversations; the words of the third are erased. Judge B is in use. Cid is set aside."""
    small = make(store, tmp_path, conversation_count=3, with_judges=False, raters=("Ann", "Ben", "Cid"))
    judged(OTHER, small)
    judged(IN_USE, small)
    ann, ben, cid = small.desk(0), small.desk(1), small.desk(2)
    ann.rate(1)
    ann.draft_all(2)
    ann.draft(
        2, "warm", "YES", note=FORMULA, confidence=3, also=["NO"], evidence=[Span(message=2, start=2, end=6)]
    )
    ann.commit(2)
    ann.change(2, "warm", "NO", note=FORMULA, confidence=2, evidence=[Span(message=2, start=2, end=6)])
    ann.draft_all(3)
    ann.draft(3, "warm", "YES", note="to be erased", evidence=[Span(message=0, start=0, end=6)])
    ann.commit(3)
    ann.reveal(3)
    ann.change(3, "safe", "NO")
    ben.draft_all(2)
    ben.draft(2, "deep", None, cannot_rate="unreadable")
    ben.commit(2)
    ben.reveal(2)
    ben.open_page()
    ben.rate(3, "NO")
    cid.rate(2)
    verdict(small, 2, "warm", "NO", replicate=1)
    verdict(small, 2, "warm", "NO", anchor_round=1)
    verdict(small, 2, "safe", "YES", replicate=1)
    unit = ann.unit(2)
    with store.writing("tests", "the rest", small.study.id) as (connection, entry):
        judges = connection.execute(select(schema.judge).order_by(schema.judge.c.id)).all()
        adoptions.choose_judge(connection, entry, small.study, judges[1].id, "Lead", judges[0].id)
        set_aside.set_rater_aside(connection, entry, small.study, small.raters[2], "Lead", "knew the judge")
        settlement = {
            "event": "settled-1",
            "study_id": small.study.id,
            "unit_id": unit.id,
            "criterion": "warm",
        }
        settlement |= {"trigger": "human_human", "label": "NO", "cause": "rater_slip", "judge_seen": 0}
        entry.write(schema.adjudication, {**settlement, "rater_id": small.raters[2]})
        erase_conversation(connection, entry, small.study, "c3", "asked for")
    return small


def written(small: Small, path: Path, words: bool = True) -> Path:
    with small.store.reading() as connection:
        count, explained = write_rating_table(connection, small.study, path, words)
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(explained.stat().st_mode) == 0o600
    assert (
        explained == path.with_name(f"{path.stem}.columns.csv")
        and explained.read_bytes() == explain_columns()
    )
    assert not list(path.parent.glob("*.part"))
    assert count == len(read_back(path))
    return path


def read_back(path: Path) -> list[dict[str, Any]]:
    """The rows, with None for an empty cell."""
    texts = {"dtype": str, "keep_default_na": False}
    if path.suffix == ".csv":
        table = pandas.read_csv(path, **texts)
    elif path.suffix == ".xlsx":
        table = pandas.read_excel(path, **texts)
    elif path.suffix == ".parquet":
        table = pandas.read_parquet(path)
    else:
        table = pandas.read_json(path, lines=True, dtype=False)
    table = table.astype(object)
    table = table.where(table.notna() & (table != ""), None)
    return [{str(name): value for name, value in row.items()} for row in table.to_dict("records")]


def plain(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Numbers as text, however a form writes them."""

    def word(name: str, value: Any) -> str | None:
        if value is None or (isinstance(value, str) and name != "seconds"):
            return value
        return str(float(value) if name == "seconds" else int(value))

    return [{name: word(name, value) for name, value in row.items()} for row in rows]


def picked(rows: list[dict[str, Any]], **wanted: Any) -> list[dict[str, Any]]:
    return [row for row in rows if all(str(row[name]) == str(value) for name, value in wanted.items())]


def test_every_row_is_there_with_what_counts_and_why_not(planted: Small, tmp_path: Path) -> None:
    rows = read_back(written(planted, tmp_path / "table.jsonl"))
    ann, ben, cid = planted.codes

    def told(giver: str, unit: int, criterion: str) -> list[tuple[Any, ...]]:
        name = "rater" if giver.startswith("Rater") else "judge"
        return [
            tuple(row[column] for column in SHORT[1:])
            for row in picked(rows, unit=unit, criterion=criterion)
            if row[name] == giver
        ]

    rule, shown = WHY_NOT[WhyNot.RULE], WHY_NOT[WhyNot.NOT_BLIND]
    blind, seen = ("blind", "blind"), ("judge_visible", "judge_visible")
    assert told(ann, 1, "warm") == [("YES", "YES", "YES", *blind, None)]
    assert told(ann, 1, "deep") == [("NA", "NA", None, *blind, rule)]
    assert told(ann, 2, "warm") == [("YES", "NO", "NO", *blind, None)]
    assert told(ann, 2, "safe") == [("YES", "YES", None, *blind, WHY_NOT[WhyNot.NO_JUDGE_LABEL])]
    assert told(ann, 3, "safe") == [("YES", "NO", "YES", "blind", "judge_visible", None)]
    assert told(ben, 2, "warm") == [("YES", "YES", "YES", *blind, None)]
    assert told(ben, 2, "deep") == [(None, None, None, *blind, WHY_NOT[WhyNot.CANNOT_RATE])]
    assert told(ben, 3, "warm") == [("NO", "NO", None, *seen, shown)]
    assert told(cid, 2, "warm") == [("YES", "YES", None, *blind, "set aside: knew the judge")]
    assert told(cid, 1, "warm") == []
    none = (None, None)
    assert told("-Judge A", 2, "warm") == [("YES", "YES", None, *none, WHY_NOT[WhyNot.OTHER_JUDGE])]
    assert told("Judge B", 1, "deep") == [("YES", "YES", None, *none, rule)]
    assert told("Judge B", 2, "warm") == [
        ("YES", "YES", "YES", *none, None),
        ("NO", "NO", None, *none, WHY_NOT[WhyNot.REPLICATE]),
        ("NO", "NO", None, *none, WHY_NOT[WhyNot.ANCHOR]),
    ]
    assert told("Judge B", 2, "safe") == [
        (None, None, None, *none, "no label: the reply was cut off"),
        ("YES", "YES", None, *none, WHY_NOT[WhyNot.REPLICATE]),
    ]
    assert [len(picked(rows, unit=unit)) for unit in (1, 2, 3)] == [3 + 6, 9 + 9, 6 + 6]
    assert [row["unit"] for row in rows] == sorted(row["unit"] for row in rows)
    assert all((row["in_headline"] == "yes") == (row["why_not"] is None) for row in rows)
    assert all((row["in_headline"] == "yes") == (row["headline_label"] is not None) for row in rows)


def test_every_cell_of_a_person_s_and_of_a_judge_s_row(planted: Small, tmp_path: Path) -> None:
    rows = read_back(written(planted, tmp_path / "table.jsonl"))
    (person,) = picked(rows, unit=2, criterion="warm", rater=planted.codes[0])
    assert list(person) == list(COLUMNS) == list(RatingRow._fields)
    times = [datetime.fromisoformat(person.pop(name)) for name in ("time", "final_time")]
    assert times == sorted(times) and all(time.tzinfo == UTC for time in times)
    seconds = person.pop("seconds")
    assert 0 <= seconds < 60
    given = {
        "conversation": "c2",
        "unit": 2,
        "criterion": "warm",
        "giver": "person",
        "rater": planted.codes[0],
        "replicate": 0,
        "anchor_round": 0,
        "source": "given",
        "first_label": "YES",
        "final_label": "NO",
        "headline_label": "NO",
        "changes": 1,
        "exposure": "blind",
        "final_exposure": "blind",
        "confidence": 2,
        "evidence": "turn 2: “very”",
        "note": FORMULA,
        "settled_label": "NO",
        "settled_cause": "rater_slip",
        "in_headline": "yes",
    }
    assert person == dict.fromkeys(person) | given
    (judge,) = picked(rows, unit=2, criterion="warm", judge="Judge B", replicate=0, anchor_round=0)
    del judge["time"], judge["final_time"]
    with planted.store.reading() as connection:
        key = connection.execute(
            select(schema.judge.c.key).where(schema.judge.c.name == "Judge B")
        ).scalar_one()
    given = {
        "conversation": "c2",
        "unit": 2,
        "criterion": "warm",
        "giver": "judge",
        "judge": "Judge B",
        "judge_key": key,
        "provider": "openai",
        "model": "gpt",
        "prompt": "judge 2 abc",
        "replicate": 0,
        "anchor_round": 0,
        "source": "import",
        "status": "ok",
        "first_label": "YES",
        "final_label": "YES",
        "headline_label": "YES",
        "evidence": "turn 1 · turn 2",
        "reasoning": "because c2 warm",
        "settled_label": "NO",
        "settled_cause": "rater_slip",
        "in_headline": "yes",
    }
    assert judge == dict.fromkeys(judge) | given
    (failed,) = picked(rows, unit=2, criterion="safe", judge="Judge B", replicate=0)
    assert (failed["status"], failed["final_label"], failed["settled_label"]) == ("truncated", None, None)
    (unrated,) = picked(rows, unit=2, criterion="deep", rater=planted.codes[1])
    assert (unrated["cannot_rate"], unrated["final_label"]) == ("unreadable", None)
    (by_rule,) = picked(rows, unit=1, criterion="deep", rater=planted.codes[0])
    assert by_rule["source"] == "rule"


def test_erased_words_are_empty_and_their_labels_stay(planted: Small, tmp_path: Path) -> None:
    rows = picked(read_back(written(planted, tmp_path / "table.csv")), unit=3)
    assert {row["conversation"] for row in rows} == {"c3"} and len(rows) == 12
    assert {row[name] for row in rows for name in ("note", "reasoning")} == {None}
    assert {row["evidence"] for row in rows if row["giver"] == "person"} == {None}
    assert all(row["final_label"] for row in rows)


def test_all_four_forms_hold_the_same_and_a_formula_is_none(planted: Small, tmp_path: Path) -> None:
    forms = {end: read_back(written(planted, tmp_path / f"to{end}" / f"t.{end}")) for end in made(tmp_path)}
    rows = plain(forms["jsonl"])
    assert plain(forms["parquet"]) == rows
    assert plain(forms["csv"]) == plain(forms["xlsx"]) != rows
    for row, escaped in zip(rows, plain(forms["csv"]), strict=True):
        for name, value in row.items():
            risky = name in ("note", "judge") and value is not None and value[0] in "=-"
            assert escaped[name] == (f"'{value}" if risky else value), name
    notes = {row["note"] for row in plain(forms["csv"])}
    assert f"'{FORMULA}" in notes and FORMULA not in notes
    assert "'-Judge A" in {row["judge"] for row in plain(forms["xlsx"])}


def made(folder: Path) -> Iterator[str]:
    """Each form, with a folder of its own."""
    for form in ("csv", "jsonl", "parquet", "xlsx"):
        (folder / f"to{form}").mkdir()
        yield form


def test_a_table_without_words_has_none(planted: Small, tmp_path: Path) -> None:
    whole = read_back(written(planted, tmp_path / "whole.jsonl"))
    path = written(planted, tmp_path / "bare.jsonl", words=False)
    rows = read_back(path)
    for secret in ("very", "because", "second line", "knew the judge"):
        assert secret not in path.read_text(encoding="utf-8")
    for row, with_words in zip(rows, whole, strict=True):
        written_words = ("evidence", "note", "reasoning", "why_not")
        assert {name: row[name] for name in row if name not in written_words} == {
            name: with_words[name] for name in row if name not in written_words
        }
        assert (row["note"], row["reasoning"]) == (None, None)
    assert {row["evidence"] for row in rows} == {None, "turn 2", "turn 1 · turn 2"}
    assert "set aside" in {row["why_not"] for row in rows}


def test_every_column_is_explained_in_the_order_of_the_table() -> None:
    rows = list(csv.DictReader(explain_columns().decode().splitlines()))
    assert [row["column"] for row in rows] == list(COLUMNS) == list(RatingRow._fields)
    assert all(row["meaning"].endswith(".") and row["values"] for row in rows)


def test_every_reason_has_its_words() -> None:
    assert set(WHY_NOT) == set(WhyNot) - {WhyNot.SET_ASIDE, WhyNot.FEW_UNITS, WhyNot.FAILURE}


def test_what_is_there_is_not_overwritten_and_nothing_half_written_stays(
    planted: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, other = tmp_path / "table.csv", tmp_path / "table.jsonl"
    path.write_text("mine")
    with pytest.raises(FileExistsError):
        written(planted, path)
    assert path.read_text() == "mine" and [each.name for each in tmp_path.glob("table*")] == ["table.csv"]
    path.unlink()
    written(planted, path)
    written(planted, other)  # the same explanation serves both
    other.unlink()
    (tmp_path / "table.columns.csv").write_text("mine")
    with pytest.raises(Refused, match="columns_file_differs"):
        written(planted, other)
    monkeypatch.setattr(table_files, "MAX_CHARACTERS_OF_EXCEL", 20)
    with pytest.raises(Refused, match="text_too_long_for_excel"):
        written(planted, tmp_path / "long.xlsx")
    monkeypatch.setattr(table_files, "MAX_ROWS_OF_EXCEL", 39)
    with pytest.raises(Refused, match="table_too_long_for_excel"):
        written(planted, tmp_path / "long.xlsx")
    with pytest.raises(Refused, match="table_of_unknown_kind"):
        written(planted, tmp_path / "table.txt")
    assert not list(tmp_path.glob("long*")) and not other.exists() and not list(tmp_path.glob("*.txt"))


def test_a_study_without_an_answer_is_refused(store: Store, tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no_labels_yet"):
        written(make(store, tmp_path, with_judges=False), tmp_path / "table.csv")
    assert not list(tmp_path.glob("table*"))


def compare_with_report(connection: Connection, study: Study, path: Path) -> set[str]:
    """Who says that it counts makes up the pairs of the report of agreement; return the reasons of the others."""
    write_rating_table(connection, study, path)
    rows = read_back(path)
    findings = gather_findings(connection, request_for(connection, study, None))
    codes = read_rater_codes(connection, study)
    position = dict(
        zip(findings.material.units.id.tolist(), findings.material.units.position.tolist(), strict=True)
    )
    pairs: set[tuple[str, int, str, str]] = set()
    judged: set[tuple[str, int, str]] = set()
    for number, question in enumerate(findings.material.questions):
        of = findings.material.pairs(number)
        for unit, rater, first, second in np.stack([of.unit, of.side, of.first, of.second], axis=1).tolist():
            pairs.add((question.id, position[unit], codes[rater], question.domain[first]))
            judged.add((question.id, position[unit], question.domain[second]))
    people = [row for row in rows if row["giver"] == "person" and row["in_headline"] == "yes"]
    judges = [row for row in rows if row["giver"] == "judge" and row["in_headline"] == "yes"]
    assert pairs == {(r["criterion"], int(r["unit"]), r["rater"], r["headline_label"]) for r in people}
    assert judged == {(r["criterion"], int(r["unit"]), r["headline_label"]) for r in judges}
    assert (len(pairs), len(judged)) == (len(people), len(judges)), "each once"
    return {row["why_not"] for row in rows if row["why_not"]}


def test_what_counts_is_what_the_report_compares(planted: Small, tmp_path: Path) -> None:
    with planted.store.reading() as connection:
        assert compare_with_report(connection, planted.study, tmp_path / "table.jsonl")


def test_the_same_where_anything_may_have_happened(store: Store, tmp_path: Path) -> None:
    small, reasons = make(store, tmp_path), set[str]()
    for number in range(20):
        with pytest.raises(Enough), store.writing("tests", "happen", small.study.id) as (connection, entry):
            happen(connection, entry, small, random.Random(number))
            reasons |= compare_with_report(connection, small.study, tmp_path / f"table-{number}.jsonl")
            raise Enough
    named = [WhyNot.REPEAT, WhyNot.PRACTICE, WhyNot.RULE, WhyNot.SEEN_ELSEWHERE, WhyNot.NOT_BLIND]
    named += [WhyNot.EXPOSURE_UNKNOWN, WhyNot.CANNOT_RATE, WhyNot.OTHER_ANSWER]
    named += [WhyNot.OTHER_JUDGE, WhyNot.NO_RATING]
    assert {WHY_NOT[why].format(noun="conversation") for why in named} <= reasons


def test_a_reply_is_named_by_its_turn(store: Store, tmp_path: Path) -> None:
    small = make(
        store,
        tmp_path,
        conversation_count=2,
        with_judges=False,
        instrument=INSTRUMENT.replace("unit: conversation", "unit: assistant_turn"),
    )
    small.desk(0).rate(3)
    rows = read_back(written(small, tmp_path / "table.jsonl"))
    assert {(row["conversation"], row["unit"], row["turn"]) for row in rows} == {("c2", 3, 2)}


def test_whoever_saw_the_judge_of_the_same_words_elsewhere_was_not_blind(
    planted: Small, tmp_path: Path
) -> None:
    with planted.store.writing("tests", "saw it elsewhere", planted.study.id) as (connection, entry):
        rating = connection.execute(select(schema.rating).where(schema.rating.c.criterion == "warm")).first()
        assert rating is not None and rating.exposure == "blind"
        entry.write(schema.seen_elsewhere, {"rating_id": rating.id, "of_study_id": planted.study.id})
    rows = read_back(written(planted, tmp_path / "table.csv"))
    (row,) = picked(rows, rater=planted.codes[0], unit=1, criterion="warm")
    assert (row["exposure"], row["in_headline"]) == ("judge_visible", "no")


def test_an_imported_label_without_a_date_has_no_time(
    make_study: Callable[..., Small], tmp_path: Path
) -> None:
    small = make_study(conversation_count=2)
    rows = [
        {"conversation_id": "c1", "rater": "Xu", "criterion": "warm", "label": "YES"},
        {
            "conversation_id": "c2",
            "rater": "Xu",
            "criterion": "warm",
            "label": "YES",
            "at": "2026-10-01T09:00:00+00:00",
        },
    ]
    path = tmp_path / "labels.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    given = {"exposure": "blind", "source": "protocol", "same_person": "none"}
    import_file(small.store, small.study.key, path, "lead", RatingFiles(), given)
    table = read_back(written(small, tmp_path / "table.csv"))
    times = {row["conversation"]: row["time"] for row in picked(table, giver="person")}
    assert times["c1"] is None and times["c2"].startswith("2026-10-01T09:00:00")
    undated = {row["time"] for row in picked(table, giver="judge", source="import")}
    assert undated == {None}
