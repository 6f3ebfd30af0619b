"""A file about an erased conversation brings labels, and no words about it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from data import schema
from data.importers.label_rows import BATCH
from data.importers.report import ImportRefused, ImportReport
from data.keeping import erase
from data.keeping.verify import verify
from data.labels import rationales, reasoning_comments
from data.record import lineage, target_plans
from data.record.answers import CriterionAnswer
from data.record.references import KINDS, Kind, conversation_scope
from data.settling import escalations
from data.store.errors import Refused
from data.store.store import Store
from data.work import ratings
from data.work.certification import put_gold
from data.work.worklist import open_worklist
from tests.studies import importing
from tests.studies.judge_reasons import every_label
from tests.studies.planned import plan_for
from tests.studies.quotation_rows import audits, counted_rows, import_reasons
from tests.studies.small_study import SAID, Small, conversation_lines

SECRET = "what Mary said of her sister"


def erase_c2(small: Small) -> None:
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        erase.erase_conversation(connection, entry, small.study, "c2", "asked for")


def texts(store: Store) -> set[str | None]:
    with store.reading() as connection:
        assert verify(connection).problems == []
        return set(connection.execute(select(schema.content.c.text)).scalars())


def import_ratings(small: Small, folder: Path, rows: str) -> ImportReport:
    file = folder / "paper.csv"
    file.write_text(f"conversation_id,rater,criterion,label,note\n{rows}", "utf-8")
    return importing.import_ratings(small.store, "small", file, "Dr Lee", "blind", "her forms")


def test_reasons_of_a_judge_are_left_out(small: Small) -> None:
    erase_c2(small)
    with small.store.reading() as connection:
        before = counted_rows(connection)
    report = import_reasons(small, f"“{SAID} 2.0” and “{SECRET}”", None, SECRET)
    assert (report.added["judgements"], report.notices) == (3, 1)
    assert report.lines()[-1] == (
        "rows, line 1: the conversation was erased, so the reasoning is not kept; the label is kept "
        "(2 rows; this is the first)"
    )
    assert not any(SECRET in text for text in texts(small.store) if text)
    with small.store.reading() as connection:
        assert counted_rows(connection) == before


def test_reasons_that_an_older_program_let_in_are_not_read(small: Small, raw: Any) -> None:
    import_reasons(small, f"“{SAID} 2.0” and “{SECRET}”")
    raw.execute(
        "UPDATE content SET text = NULL, salt = NULL WHERE id IN (SELECT transcript_content FROM conversation)"
    )
    with small.store.reading() as connection:
        (label,) = every_label(connection, small.study, 3)
        audited, _ = audits(connection, small, rationales.read_reasons)[3]
    assert label.erased and (label.quotes, label.lost) == (0, ())
    assert (audited.erased, audited.quotes, audited.lost) == (1, 0, ())


def test_notes_are_left_out(small: Small, tmp_path: Path) -> None:
    erase_c2(small)
    report = import_ratings(
        small, tmp_path, f"c3,Ann,warm,NO,a note\nc2,Ann,safe,NO,\nc2,Ann,warm,YES,{SECRET}\n"
    )
    assert report.added["ratings"] == 3
    assert report.lines()[-1].endswith(
        "line 4: the conversation was erased, so the note is not kept; the label is kept"
    )
    written = texts(small.store)
    assert "a note" in written and SECRET not in written


def test_the_first_line_is_named_in_a_long_file(make_study: Callable[..., Small], tmp_path: Path) -> None:
    small = make_study(conversation_count=BATCH + 10, with_judges=False)
    last = f"c{BATCH + 10}"
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        erase.erase_conversation(connection, entry, small.study, last, "asked for")
    rows = "".join(f"c{number},Ann,warm,YES,a note\n" for number in range(1, BATCH + 11))
    report = import_ratings(small, tmp_path, rows)
    assert f"line {BATCH + 11}: the conversation was erased" in report.lines()[-1]


def test_a_conversation_that_came_without_its_words_may_be_erased_too(
    small: Small, raw: Any, tmp_path: Path
) -> None:
    (guard,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'conversation_no_update'").fetchone()
    raw.execute("DROP TRIGGER conversation_no_update")
    raw.execute("UPDATE conversation SET transcript_content = NULL, transcript_mac = NULL")
    raw.execute(guard)
    import_ratings(small, tmp_path, "c3,Ann,warm,YES,a note on facts alone\n")
    erase_c2(small)
    report = import_ratings(small, tmp_path, f"c2,Ann,warm,YES,{SECRET}\n")
    assert "the conversation was erased" in report.lines()[-1]
    with small.store.reading() as connection:
        written = set(connection.execute(select(schema.content.c.text)).scalars())
    assert "a note on facts alone" in written and SECRET not in written


def test_a_file_that_is_refused_says_nothing_of_it(small: Small, tmp_path: Path) -> None:
    erase_c2(small)
    rows = "".join(f"c2,Ann {number},warm,YES,{SECRET}\n" for number in range(BATCH + 1))
    with pytest.raises(ImportRefused) as refused:
        import_ratings(small, tmp_path, f"{rows}c3,Ann 1,warm,PERHAPS,a note\n")
    (line,) = refused.value.report.lines()
    assert "PERHAPS" in line


@pytest.mark.parametrize(
    ("kind", "field", "secret", "other"),
    [
        ("gold_steps", "gold_steps", [SECRET], ["She asks."]),
        ("critical_entities", "critical_entities", [SECRET], ["insulin"]),
        ("target_plan", "plan", SECRET, "Ask first."),
    ],
)
def test_what_a_conversation_is_measured_against_is_left_out(
    small: Small, tmp_path: Path, kind: Kind, field: str, secret: Any, other: Any
) -> None:
    erase_c2(small)
    file = tmp_path / "references.jsonl"
    rows = [{"conversation_id": "c2", field: secret}, {"conversation_id": "c1", field: other}]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    report = importing.import_references(small.store, "small", kind, file, "tests")
    assert report.added[KINDS[kind]] == 1
    assert report.lines()[-1].endswith(
        f"line 1: the conversation was erased, so its {KINDS[kind]} are not kept"
    )
    file.write_text(json.dumps(rows[0]), "utf-8")
    report = importing.import_references(small.store, "small", kind, file, "tests")
    assert (report.added.total(), report.errors, report.notices) == (0, 0, 1)
    assert not any(SECRET in text for text in texts(small.store) if text)


def test_paired_answers_are_left_out(small: Small, tmp_path: Path) -> None:
    erase_c2(small)
    file = tmp_path / "runs.jsonl"
    rows = [
        {"id": key, "mode": "cot", "model_name": "m", "output_text": text, "gold_answer": "a"}
        for key, text in (("c1", "asthma"), (" c2", SECRET), ("a case of its own", "asthma"))
    ]
    file.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    report = importing.import_paired_runs(small.store, "small", file, "tests")
    assert report.added["paired answers"] == 2
    assert "line 2: the conversation of this case was erased" in report.lines()[-1]
    assert not any(SECRET in text for text in texts(small.store) if text)


def test_a_plan_that_is_typed_is_refused(small: Small) -> None:
    erase_c2(small)
    with (
        pytest.raises(Refused, match="plan_of_erased_words"),
        small.store.writing("tests", "a plan", small.study.id) as (connection, entry),
    ):
        target_plans.save(connection, entry, small.study, conversation_scope("c2"), SECRET, 0)
    with small.store.writing("tests", "a plan", small.study.id) as (connection, entry):
        assert (
            target_plans.save(connection, entry, small.study, conversation_scope("c1"), "Ask first.", 0) == 1
        )


def test_the_conversation_itself_is_not_taken_again(small: Small, tmp_path: Path) -> None:
    erase_c2(small)
    file = tmp_path / "again.jsonl"
    file.write_text(conversation_lines(5), "utf-8")  # as they came, and a new one
    report = importing.import_conversations(small.store, "small", file, "tests")
    assert (report.added["conversations"], report.already["conversations"]) == (1, 3)
    assert "line 2: the conversation 'c2' was erased, so it is not imported again" in report.lines()[-1]
    assert not any(f"{SAID} 2.0" in text for text in texts(small.store) if text)


def test_a_file_of_nothing_but_an_erased_conversation_is_not_called_empty(
    small: Small, tmp_path: Path
) -> None:
    erase_c2(small)
    file = tmp_path / "again.jsonl"
    file.write_text(conversation_lines(2).splitlines()[1], "utf-8")
    report = importing.import_conversations(small.store, "small", file, "tests")
    assert report.added.total() == 0
    assert report.lines() == [
        "again.jsonl, line 1: the conversation 'c2' was erased, so it is not imported again"
    ]


def test_paired_answers_are_left_out_of_every_version_of_the_study(
    small: Small, make_study: Callable[..., Small], tmp_path: Path
) -> None:
    """The other one need not hold the conversation: what was there goes, and nothing comes."""
    other = make_study(key="other", conversation_count=1)
    with small.store.writing("lead", "go on", other.study.id) as (connection, entry):
        lineage.record_successor(connection, entry, other.study.id, small.study.id, None, None)
    file = tmp_path / "runs.jsonl"
    row = {"id": "c2", "mode": "cot", "model_name": "m", "output_text": SECRET, "gold_answer": "a"}
    file.write_text(json.dumps(row), "utf-8")
    assert importing.import_paired_runs(small.store, "other", file, "tests").added["paired answers"] == 1
    assert any(SECRET in text for text in texts(small.store) if text)
    erase_c2(small)
    assert not any(SECRET in text for text in texts(small.store) if text)
    file.write_text(json.dumps({**row, "model_name": "another"}), "utf-8")
    assert importing.import_paired_runs(small.store, "other", file, "tests").added["paired answers"] == 0
    assert not any(SECRET in text for text in texts(small.store) if text)


@pytest.mark.parametrize("what", ["draft", "change", "reason", "note to the lead", "comment"])
def test_what_a_tab_sends_that_was_open_meanwhile_is_refused(small: Small, what: str) -> None:
    """A label without words about it is saved as before."""
    import_reasons(small, f"“{SAID} 2.0”")
    desk = small.desk()
    if what != "draft":
        desk.rate(2)
        desk.reveal(2)
    erase_c2(small)
    unit, says_no = desk.unit(2), CriterionAnswer(label="NO")
    with (
        pytest.raises(Refused, match="erased_while_saving"),
        small.store.writing("Ann", what, small.study.id) as (connection, entry),
    ):
        judge_id = (
            connection.execute(
                select(schema.judgement.c.judge_id).where(
                    schema.judgement.c.unit_id == unit.id, schema.judgement.c.reasoning_content.is_not(None)
                )
            )
            .scalars()
            .first()
        )
        assert judge_id is not None
        if what == "draft":
            worklist = open_worklist(connection, small.study, desk.rater)
            ratings.save_draft(entry, worklist, unit, "e1", "warm", CriterionAnswer(label="NO", note=SECRET))
        elif what in ("change", "reason"):
            answer = CriterionAnswer(label="NO", note=SECRET) if what == "change" else says_no
            reason = "read again" if what == "change" else SECRET
            ratings.change(connection, entry, small.study, unit, desk.rater, "e1", "warm", answer, reason)
        elif what == "note to the lead":
            escalations.raise_(connection, entry, small.study, unit, desk.rater, "e1", "risk", SECRET)
        else:
            reasoning_comments.write(connection, entry, unit, desk.rater, "e1", judge_id, "warm", SECRET)
    if what == "draft":
        desk.draft(2, "warm", "NO")
    assert not any(SECRET in text for text in texts(small.store) if text)


def test_another_conversation_under_this_id_keeps_its_paired_answers(
    small: Small, make_study: Callable[..., Small], tmp_path: Path
) -> None:
    """The other version got a conversation of its own, which happens to have the id of the erased one."""
    other = make_study(key="other")
    with small.store.writing("lead", "go on", other.study.id) as (connection, entry):
        lineage.record_successor(connection, entry, other.study.id, small.study.id, None, None)
    file = tmp_path / "runs.jsonl"
    row = {"id": "c2", "mode": "cot", "model_name": "m", "output_text": "asthma", "gold_answer": "a"}
    file.write_text(json.dumps(row), "utf-8")
    importing.import_paired_runs(small.store, "other", file, "tests")
    erase_c2(small)
    assert any("asthma" in text for text in texts(small.store) if text)
    file.write_text(json.dumps({**row, "model_name": "another"}), "utf-8")
    assert importing.import_paired_runs(small.store, "other", file, "tests").added["paired answers"] == 1


def test_the_reason_of_an_experts_label_is_refused(small: Small) -> None:
    plan_for(small)
    erase_c2(small)
    unit = small.desk().unit(2)
    for reason in (SECRET, ""):
        with (
            pytest.raises(Refused, match="erased_while_saving") if reason else nullcontext(),
            small.store.writing("lead", "gold", small.study.id) as (connection, entry),
        ):
            put_gold(connection, entry, small.study, unit, {"warm": "YES"}, "Dr Gold", reason)
    assert not any(SECRET in text for text in texts(small.store) if text)
