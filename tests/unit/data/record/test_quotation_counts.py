"""Counts of quotations: what is counted when a label is written gives the same audit as all words read again."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.keeping import erase
from data.labels import rationales, reasoning_comments
from data.labels.reason_counts import units_with_marks
from data.record import judgements, ledger
from data.record.answers import Span
from data.record.judgements import JudgeIdentity
from data.record.quotation_counts import QuotationCounter, count_quotations
from data.schema.vocabulary import JudgementOrigin
from data.work import answers_to_judges
from scoring.quotations import RULE, quotations, says, searchable
from scoring.rationale import NOT_CITED, NOT_MARKED
from tests.studies import importing
from tests.studies.judge_reasons import every_label, one_by_one
from tests.studies.quotation_rows import CRITERIA, LOST, audits, counted_rows, import_reasons
from tests.studies.small_study import INSTRUMENT, SAID, Desk, Small

CONVERSATIONS = 9
RUBRIC = "Is the assistant kind to the user?"
ASKS = INSTRUMENT.replace("name: Warm,", f'name: Warm, checks_for: "{RUBRIC}",')


def reasons(chance: random.Random, number: int) -> str | None:
    """Of what a judge may write: nothing, words without a quotation, and quotations of all kinds."""
    parts = [
        f"“{SAID} {number}.0”",
        f'"{SAID} {number}.1"',  # of the second turn
        f"“{LOST}”",
        f"«{LOST}, {number}»",
        f"“{RUBRIC[:-1]}”",
        "It says 'so' and no more.",
    ]
    return " and ".join(chance.sample(parts, chance.randint(0, 4))) or None


def judge(small: Small, name: str, chance: random.Random) -> None:
    """Labels with reasons, failures, replicates and questions without an answer."""
    turns = [{}] if small.study.instrument.unit == "conversation" else [{"turn": 1}, {"turn": 2}]
    rows: list[dict[str, Any]] = [
        {
            "conversation_id": f"c{number}",
            "criterion": criterion,
            "replicate": replicate,
            "cited_turns": chance.choice([[], [1]]),
            "reasoning": reasons(chance, number),
            **({"status": "truncated"} if chance.random() < 0.1 else {"label": chance.choice(["YES", "NO"])}),
            **turn,
        }
        for number in range(2, CONVERSATIONS + 1)
        for turn in turns
        for criterion in CRITERIA
        for replicate in range(chance.choice([1, 1, 2]))
        if chance.random() < 0.9
    ]
    report = ImportReport("rows")
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(
            connection, entry, small.study, enumerate(rows, 1), report, JudgeIdentity(name), "rows"
        )
        report.raise_if_wrong()
    count_all(small)


def count_all(small: Small) -> None:
    counter = QuotationCounter(small.store)
    while counter.count_some():
        pass


def rate(small: Small, desk: Desk, chance: random.Random) -> None:
    """Some units, with marks; of some of them what the rater says of the reasons of both judges."""
    with small.store.reading() as connection:
        count = connection.execute(select(func.count()).select_from(schema.unit)).scalar() or 0
    for position in range(1, count + 1):
        if chance.random() < 0.4:
            continue
        desk.draft_all(position, chance.choice(["YES", "NO"]))
        if chance.random() < 0.4:
            marked = [Span(message=chance.choice([0, 1]), start=0, end=4)]
            desk.draft(position, "warm", "YES", evidence=marked)
        desk.commit(position)
        if position > 1 and chance.random() < 0.4:  # of the first the judges say nothing
            desk.reveal(position)
            answer(small, desk, position, chance)


def answer(small: Small, desk: Desk, position: int, chance: random.Random) -> None:
    unit = desk.unit(position)
    with small.store.writing("tests", "answer", small.study.id) as (connection, entry):
        for judge_now in judgements.judges(connection, small.study.id):
            shown = {
                each.criterion
                for each in answers_to_judges.read_shown(connection, unit, desk.rater)
                if each.judge_id == judge_now.id and each.label is not None and each.reasoning
            }
            for criterion in sorted(shown):
                event = f"{desk.rater}-{position}-{judge_now.id}-{criterion}".ljust(10, "-")
                value = chance.choice(["supported", "unsupported", "contradicted", "", ""])
                if value:
                    answers_to_judges.respond(
                        connection,
                        entry,
                        unit,
                        desk.rater,
                        event,
                        judge_now.id,
                        criterion,
                        "reasoning",
                        value,
                    )
                if not value or chance.random() < 0.3:
                    reasoning_comments.write(
                        connection, entry, unit, desk.rater, f"{event}-c", judge_now.id, criterion, "so so"
                    )


@pytest.mark.parametrize("unit", ["conversation", "assistant_turn"])
@pytest.mark.parametrize("seed", range(6))
def test_an_audit_by_counts_is_the_audit_by_words(
    make_study: Callable[..., Small], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unit: str, seed: int
) -> None:
    chance = random.Random(seed)
    if seed % 2:  # in many parts
        monkeypatch.setattr(rationales, "CONVERSATIONS_PER_BATCH", 4)
        monkeypatch.setattr(rationales, "IDS_AT_ONCE", 5)
    small = make_study(
        instrument=ASKS.replace("unit: conversation", f"unit: {unit}"),
        conversation_count=CONVERSATIONS,
        with_judges=False,
    )
    for name in ("Judge A", "Judge B"):
        judge(small, name, chance)
    for number in range(2):
        rate(small, small.desk(number), chance)
    if unit == "conversation":
        file = tmp_path / "paper.csv"
        file.write_text("conversation_id,rater,criterion,label\nc3,Ann,warm,YES\nc4,Eve,warm,NO\n", "utf-8")
        importing.import_ratings(
            small.store, "small", file, "Dr Lee", "blind", "her forms", same_raters=("Ann",)
        )
    forget_reasons(small, chance)
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        for key in chance.sample([f"c{number}" for number in range(2, CONVERSATIONS + 1)], 2):
            erase.erase_conversation(connection, entry, small.study, key, "asked for")
    with small.store.writing("tests", "read") as (connection, _):
        counted = audits(connection, small, rationales.read_reasons)
        each = audits(connection, small, lambda *asked: in_order(small, one_by_one(every_label(*asked))))
        connection.execute(update(schema.quotation_count).values(rule=RULE - 1, quotations=99, missing="[0]"))
        read = audits(connection, small, rationales.read_reasons)
        connection.execute(delete(schema.quotation_count))
        assert counted == each == read == audits(connection, small, rationales.read_reasons)
        whole = [audited for audited, _ in counted.values()]
        assert sum(len(audited.lost) for audited in whole) > 3
        assert all(audited.right.confirmed and audited.erased and audited.quotes for audited in whole)
        count_quotations(connection)
        assert counted == audits(connection, small, rationales.read_reasons)


def forget_reasons(small: Small, chance: random.Random) -> None:
    """Of some labels alone, as no command does it."""
    table, words = schema.judgement, schema.content
    with small.store.writing("tests", "forget") as (connection, _):
        ids = connection.execute(
            select(table.c.reasoning_content).where(table.c.reasoning_content.is_not(None))
        ).scalars()
        some = chance.sample(sorted(ids), 5)
        connection.execute(update(words).where(words.c.id.in_(some)).values(text=None, salt=None))


def in_order(small: Small, reasons_: Any) -> Any:
    return replace(reasons_, criteria=[criterion.id for criterion in small.study.instrument.criteria])


def test_a_label_of_a_file_is_counted_after_it_was_imported(
    make_study: Callable[..., Small], tmp_path: Path
) -> None:
    small = make_study(with_judges=False)
    texts = (f"“{SAID} 2.0”, “{LOST}” and “{LOST} either”", "no quotation", None)
    rows = (
        {"conversation_id": "c2", "criterion": name, "label": "YES", **({"reasoning": text} if text else {})}
        for name, text in zip(CRITERIA, texts, strict=True)
    )
    file = tmp_path / "judge.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    importing.import_judgements(small.store, "small", file, "tests", JudgeIdentity("Judge"))
    count_all(small)
    with small.store.reading() as connection:
        assert counted_rows(connection) == [(1, RULE, 3, "[1, 2]"), (2, RULE, 0, "[]")]


def test_a_label_of_a_run_is_counted_when_it_is_written(small: Small) -> None:
    with small.store.writing("tests", "run", small.study.id) as (connection, entry):
        before = counted_rows(connection)
        unit = small.desk().unit(3)
        judge_id = judgements.register(connection, entry, small.study.id, JudgeIdentity("Judge C"))
        labels = [
            ledger.LedgerLabel(
                judge_id, unit.conversation_id, unit.id, "warm", 0, 0, "ok", "YES", f"“{LOST}”", ()
            ),
            ledger.LedgerLabel(
                judge_id, unit.conversation_id, unit.id, "safe", 1, 0, "ok", "YES", f"“{LOST}”", ()
            ),
            ledger.LedgerLabel(judge_id, unit.conversation_id, unit.id, "deep", 0, 0, "ok", "YES", None, ()),
        ]
        run = entry.write(
            schema.judge_run,
            {"study_id": small.study.id, "judge_name": "Judge C", "asked_from": "tests", "options": "{}"},
        )
        ledger.write(connection, entry, small.study.id, [], labels, run, JudgementOrigin.RUN)
        first = connection.execute(
            select(func.min(schema.judgement.c.id)).where(schema.judgement.c.judge_id == judge_id)
        ).scalar()
        assert counted_rows(connection) == [*before, (first, RULE, 1, "[0]")]  # the second answers an anchor


def test_only_units_with_marks_and_words_of_people_are_read_again(small: Small) -> None:
    desk = small.desk()
    desk.rate(2)
    desk.draft_all(3)
    desk.draft(3, "warm", "YES", evidence=[Span(message=0, start=0, end=4)])
    desk.commit(3)
    with small.store.reading() as connection:
        assert units_with_marks(connection, small.study.id) == {desk.unit(3).id}
        given = rationales.read_reasons(connection, small.study, small.judges[0])
        assert {label.unit for label in given.labels} == {desk.unit(3).id}
        assert int(given.counts.labels.sum()) == 9


@pytest.mark.parametrize("answered", [False, True])
def test_turns_cited_of_an_erased_conversation_are_none(
    make_study: Callable[..., Small], answered: bool
) -> None:
    small = make_study(with_judges=False)
    import_reasons(small, "no quotation")
    if answered:
        desk = small.desk()
        desk.rate(2)
        desk.reveal(2)
        answer(small, desk, 2, random.Random(1))

    def why() -> str | None:
        with small.store.reading() as connection:
            ((audited, _),) = audits(connection, small, rationales.read_reasons).values()
        return audited.overlap.share.undefined

    assert why() == NOT_MARKED
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        erase.erase_conversation(connection, entry, small.study, "c2", "asked for")
    assert why() == NOT_CITED


def test_a_unit_that_is_shown_again_is_not_counted_again(small: Small) -> None:
    unit = small.desk().unit(2)
    with small.store.writing("tests", "again", small.study.id) as (connection, entry):
        before = rationales.read_reasons(connection, small.study, small.judges[0]).counts
        row = connection.execute(select(schema.unit).where(schema.unit.c.id == unit.id)).mappings().one()
        again = entry.write(schema.unit, {**row, "id": None, "kind": "repeat", "position": -1})
        label = (
            connection.execute(
                select(schema.judgement).where(
                    schema.judgement.c.unit_id == unit.id, schema.judgement.c.judge_id == small.judges[0]
                )
            )
            .mappings()
            .first()
        )
        assert label is not None
        entry.write(schema.judgement, {**label, "id": None, "unit_id": again})
        count_quotations(connection)
        after = rationales.read_reasons(connection, small.study, small.judges[0]).counts
        assert int(before.labels.sum()) == int(after.labels.sum()) == 12


def test_the_rule_has_another_number_where_it_counts_otherwise() -> None:
    """Stores keep what was counted: whoever changes what a quotation is, or when it occurs, raises RULE, and
    then says here what it counts now.
    """
    folder = Path(__file__).parent / "quotation_texts.json"
    texts = json.loads(folder.read_text(encoding="utf-8"))
    transcript = searchable(texts["transcript"])
    counted = [
        [quote, says(transcript, quote)] for reasoning in texts["reasons"] for quote in quotations(reasoning)
    ]
    digest = hashlib.sha256(json.dumps(counted).encode()).hexdigest()
    assert (RULE, digest[:16]) == (1, "b1255ab4ff7ccf84")


def test_a_counter_counts_each_label_once_and_new_ones_later(small: Small) -> None:
    counter = QuotationCounter(small.store)
    import_reasons(small, f"“{LOST}”", judge_name="Judge C")
    first = forget_counts(small)
    assert counter.count_some() and not counter.count_some() and forget_counts(small) == first
    import_reasons(small, f"“{LOST}” and “{LOST}”", judge_name="Judge D")
    both = forget_counts(small)
    assert counter.count_some() and not counter.count_some()
    assert forget_counts(small) == [row for row in both if row not in first], "Judge C's were counted before"


def forget_counts(small: Small) -> list[tuple[Any, ...]]:
    """Delete the counts, and return what they were."""
    with small.store.writing("tests", "forget") as (connection, _):
        rows = counted_rows(connection)
        connection.execute(delete(schema.quotation_count))
    return rows
