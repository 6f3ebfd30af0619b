"""What is loaded for the audit of a judge's reasons, from the demonstration and from a study in which people
answered.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from sqlalchemy import Connection, select

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.importers.turns import OWN_COUNT
from data.keeping import erase
from data.labels import rationales
from data.record import judgements, studies
from data.record.answers import Span
from data.record.judgements import JudgeIdentity
from data.record.studies import Study
from data.store.store import Store
from data.work import answers_to_judges, ratings
from scoring.judge_reasons import ReasonedLabel
from scoring.rationale import ReasoningAudit, audit
from tests.studies import importing, planned
from tests.studies.judge_reasons import every_label
from tests.studies.small_study import INSTRUMENT, REASONED, SAID, Desk, Small

PLANTED = [
    ("demo-01", "CQ3", "it must be exhausting to feel so afraid of being seen"),
    ("demo-08", "CQ6", "You have no choice but to follow this plan"),
    ("demo-11", "CQ7", "What a joyful way to remember her"),
]


def loaded(store: Store, key: str, judge_name: str | None = None) -> list[ReasonedLabel]:
    with store.reading() as connection:
        return every_label(connection, *_judge(connection, key, judge_name))


def audited(
    store: Store, key: str, judge_name: str | None = None
) -> tuple[ReasoningAudit, Mapping[str, ReasoningAudit]]:
    with store.reading() as connection:
        return audit(rationales.read_reasons(connection, *_judge(connection, key, judge_name)))


def _judge(connection: Connection, key: str, name: str | None) -> tuple[Study, int]:
    study = studies.find(connection, key)
    assert study is not None
    return study, next(one.id for one in judgements.judges(connection, study.id) if name in (None, one.name))


def test_the_quotations_that_were_planted_in_the_demonstration_are_found_and_no_other(
    sample_store: Store,
) -> None:
    together, by_criterion = audited(sample_store, "coaching_demo")
    with sample_store.reading() as connection:
        key = dict(
            connection.execute(
                select(schema.unit.c.id, schema.conversation.c.key).join(schema.conversation)
            ).all()
        )
    assert [
        (key[lost_quote.unit], lost_quote.criterion, lost_quote.quote) for lost_quote in together.lost
    ] == PLANTED
    assert [lost_quote.position for lost_quote in together.lost] == [1, 8, 11]
    assert (together.labels, together.erased, together.silent, together.quoting, together.quotes) == (
        152,
        0,
        0,
        45,
        54,
    )
    assert [len(by_criterion[name].lost) for name in ("CQ3", "CQ6", "CQ7", "CQ1")] == [1, 1, 1, 0]


def test_a_reply_is_held_against_what_was_said_up_to_it(sample_store: Store) -> None:
    assert [one.quote for one in audited(sample_store, "plan_demo")[0].lost] == [
        "you must feel so guilty for not having called him more often"
    ]


def test_a_reply_is_not_held_against_what_came_after_it(make_study: Callable[..., Small]) -> None:
    small = make_study(
        instrument=INSTRUMENT.replace("unit: conversation", "unit: assistant_turn"), with_judges=False
    )
    for turn in (1, 2):
        said_by(small, f"“{SAID} 2.0” and “{SAID} 2.1”", turn=turn)
    found = loaded(small.store, "small", "Judge C")
    assert [one.lost for one in found] == [(f"{SAID} 2.1",), ()]


@pytest.fixture
def any_place_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """As long ago, when a place was not checked before it was kept."""
    monkeypatch.setattr(ratings, "check_evidence", lambda *_: None)


@pytest.mark.usefixtures("any_place_is_taken")
def test_a_mark_in_the_instructions_is_in_no_turn(small: Small, tmp_path: Path) -> None:
    talk = {
        "id": "c9",
        "system_prompt": "Be kind.",
        "turns": [{"user": "u", "assistant": "v"}, {"user": "u", "assistant": "v"}],
    }
    (tmp_path / "talk.jsonl").write_text(json.dumps(talk))
    importing.import_conversations(small.store, "small", tmp_path / "talk.jsonl", "tests")
    said_by(small, REASONED, position=9, cited_turns=[1])
    desk = small.desk()
    desk.draft_all(5)
    desk.draft(5, "warm", "YES", evidence=[Span(message=message, start=0, end=1) for message in (0, 1, 4)])
    desk.commit(5)
    overlap = of_judge_c(small).overlap
    assert (overlap.cited, overlap.marked, overlap.both) == (1, 2, 1)


def said_by(small: Small, reasons: str, criterion: str = "warm", position: int = 2, **more: object) -> None:
    """Judge C gives one label with these reasons."""
    row = {
        "conversation_id": f"c{position}",
        "criterion": criterion,
        "label": "YES",
        "reasoning": reasons,
        **more,
    }
    report = ImportReport("c")
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(
            connection, entry, small.study, [(1, row)], report, JudgeIdentity("Judge C"), "tests", OWN_COUNT
        )
        report.raise_if_wrong()


def of_judge_c(small: Small) -> ReasoningAudit:
    return audited(small.store, small.study.key, "Judge C")[0]


def called(desk: Desk, position: int, value: str, event: str = "00000000-1", criterion: str = "warm") -> None:
    unit = desk.unit(position)
    with desk.store.writing("tests", "answer", desk.study.id) as (connection, entry):
        judge = judgements.judges(connection, desk.study.id)[-1].id
        answers_to_judges.respond(
            connection, entry, unit, desk.rater, event, judge, criterion, "reasoning", value
        )


def test_a_quotation_of_the_rubric_is_none_of_the_conversation(make_study: Callable[..., Small]) -> None:
    asks = INSTRUMENT.replace("name: Warm,", 'name: Warm, checks_for: "Is the assistant kind to the user?",')
    small = make_study(instrument=asks, with_judges=False)
    said_by(small, f'“is the assistant kind” is asked, and "{SAID} 2.0" was said, “nobody ever said this”.')
    found = of_judge_c(small)
    assert (found.quotes, [one.quote for one in found.lost]) == (2, ["nobody ever said this"])


def test_failures_and_replicates_are_in_no_count(small: Small) -> None:
    said_by(small, "“nobody said this first”", status="ok")
    said_by(small, "“nobody said this later”", replicate=1)
    said_by(small, "“nobody said this failure”", criterion="safe", status="truncated", label=None)
    assert [one.quote for one in of_judge_c(small).lost] == ["nobody said this first"]


@pytest.mark.usefixtures("any_place_is_taken")
def test_cited_turns_meet_marked_messages(small: Small) -> None:
    """Messages of c2: user 0, assistant 1 (turn 1), user 2, assistant 3 (turn 2). The judge cites turns from
    1.
    """
    said_by(small, REASONED, cited_turns=[2, 1])
    for number, message in ((0, 3), (1, 2)):
        small.desk(number).draft_all(2)
        small.desk(number).draft(
            2,
            "warm",
            "YES",
            evidence=[Span(message=message, start=0, end=4), Span(message=99, start=0, end=4)],
        )
        small.desk(number).commit(2)
    overlap = of_judge_c(small).overlap
    assert (
        overlap.labels,
        overlap.cited,
        overlap.marked,
        overlap.both,
        overlap.share.value,
        overlap.jaccard.value,
    ) == (1, 2, 1, 1, 0.5, 0.5)


def test_the_last_answer_on_the_reasons_counts_and_only_beside_a_blind_label_that_is_the_judges(
    small: Small,
) -> None:
    said_by(small, REASONED)
    said_by(small, REASONED, position=3)
    ann, ben = small.desk(0), small.desk(1)
    ann.rate(2)
    ann.reveal(2)
    called(ann, 2, "supported")
    called(ann, 2, "unsupported", "00000000-2")
    ben.rate(2, "NO")
    ben.reveal(2)
    called(ben, 2, "contradicted", "00000000-3")
    ben.change(2, "warm", "YES")  # the judge's label, but not blind
    ben.rate(3)
    right = of_judge_c(small).right
    assert (right.confirmed, right.answered, right.unsupported, right.contradicted, right.share.value) == (
        2,
        1,
        1,
        0,
        1.0,
    )


def test_a_blind_label_from_a_file_stands_beside_what_its_rater_says_of_the_reasons_here(
    small: Small, tmp_path: Path
) -> None:
    said_by(small, REASONED)
    ann = small.desk()
    ann.open_page()
    ann.rate(2)
    ann.reveal(2)
    called(ann, 2, "unsupported")
    file = tmp_path / "paper.csv"
    file.write_text("conversation_id,rater,criterion,label\nc2,Ann,warm,YES\n", encoding="utf-8")
    importing.import_ratings(small.store, "small", file, "Dr Lee", "blind", "her forms", same_raters=("Ann",))
    right = of_judge_c(small).right
    assert (right.confirmed, right.answered, right.unsupported) == (1, 1, 1)


def test_ratings_that_were_not_blind_or_not_for_real_confirm_nothing(
    make_study: Callable[..., Small],
) -> None:
    small = make_study()
    said_by(small, REASONED)
    planned.plan_for(small)
    ann = small.desk()
    ann.open_page()
    ann.rate(2)
    small.desk(1).rate(2)
    assert of_judge_c(small).right.confirmed == 1
    with small.store.writing("tests", "gold", small.study.id) as (_, entry):
        entry.write(
            schema.gold_label,
            {"unit_id": ann.unit(2).id, "criterion": "warm", "label": "YES", "said_by": "E"},
        )
    assert of_judge_c(small).right.confirmed == 0


def test_erased_words_are_counted_apart_and_labels_stay(small: Small) -> None:
    said_by(small, "“nobody ever said this”", cited_turns=[1])
    said_by(small, f"“{SAID} 3.0”", position=3)
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "warm", "YES", evidence=[Span(message=1, start=0, end=4)])
    desk.commit(2)
    desk.reveal(2)
    called(desk, 2, "unsupported")
    with small.store.writing("tests", "erase", small.study.id) as (connection, entry):
        erase.erase_conversation(connection, entry, small.study, "c2", "asked for")
    audit = of_judge_c(small)
    assert (audit.labels, audit.erased, audit.quotes, audit.lost, audit.overlap.labels) == (2, 1, 1, (), 0)
    assert (audit.right.confirmed, audit.right.unsupported) == (1, 1)


def test_a_judge_without_reasons_is_silent_and_not_erased(sample_store: Store) -> None:
    found = audited(sample_store, "lend_an_ear")[0]
    assert (found.labels, found.silent, found.erased, found.not_found.value) == (300, 300, 0, None)


def test_the_demonstrations_own_files_hold_what_is_called_planted() -> None:
    """So that a changed sample does not silently change what the test above shows."""
    folder = Path(__file__).parents[4] / "data" / "samples" / "coaching_demo"
    said = {
        row["id"]: json.dumps(row, ensure_ascii=False)
        for row in map(json.loads, (folder / "conversations.jsonl").read_text("utf-8").splitlines())
    }
    for key, _, quote in PLANTED:
        assert quote not in said[key]
