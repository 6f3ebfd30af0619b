"""Words that an import brings and the store knows: of another study, or erased."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import func, select

from data import schema
from data.importers.report import ImportReport
from data.keeping.verify import verify
from data.labels import agreement_labels
from data.labels.unit_labels import of_people
from data.record import studies, units
from data.record.known_words import WordDigests
from data.record.studies import Study, StudySpec
from data.store.store import Store, open_store, url_of
from data.store.trail import TrailEntry
from reports.agreement.agreement_data import gather_findings
from reports.agreement.findings import ReportRequest
from reports.agreement.verdict_cautions import name_left_out
from services.study_changes import forget_conversation
from tests.studies import importing, small_study
from tests.studies.small_study import INSTRUMENT, SAID, Desk, Small

WORDS_OF_C2 = [
    message
    for turn in range(2)
    for message in (
        {"role": "user", "content": f"{SAID} 2.{turn}"},
        {"role": "assistant", "content": f"Reply 2.{turn}"},
    )
]


def make_other(small: Small, key: str = "main") -> Study:
    with small.store.writing("lead", "make") as (connection, entry):
        number = studies.create(connection, entry, StudySpec(key, key, 1, reveal="after_unit"))
        for name in ("Ann", "Ben"):
            studies.add_rater(connection, entry, number, name)
        return studies.get(connection, number)


def bring(small: Small, study: Study, folder: Path, talks: Iterable[object]) -> ImportReport:
    file = folder / "talks.jsonl"
    file.write_text("".join(json.dumps(talk) + "\n" for talk in talks), encoding="utf-8")
    return importing.import_conversations(small.store, study.key, file, "lead", same_person="none")


def c2_again(key: str = "x1") -> dict[str, object]:
    messages = [{"role": "system", "content": "Be kind."}, *WORDS_OF_C2]
    return {"id": key, "messages": [{**m, "content": f" {m['content'].upper()}"} for m in messages]}


OTHER = {
    "id": "y1",
    "messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Yes?"}],
}


def test_an_import_names_the_studies_that_hold_the_same_words(small: Small, tmp_path: Path) -> None:
    report = bring(small, make_other(small), tmp_path, [c2_again(), OTHER])
    assert report.added["conversations"] == 2
    assert "talks.jsonl: 1 conversation is also in the study small, word for word" in report.lines()


def test_only_what_is_imported_is_counted(small: Small, tmp_path: Path) -> None:
    bring(small, make_other(small), tmp_path, [c2_again("x1"), c2_again("x2")])
    report = bring(small, make_other(small, "third"), tmp_path, [c2_again()])
    assert [line for line in report.lines() if "word for word" in line] == [
        f"talks.jsonl: 1 conversation is also in the study {key}, word for word" for key in ("small", "main")
    ]


def same_as(number: int, key: str = "") -> dict[str, object]:
    """A conversation with the words of the `number`th of the small study."""
    turns = [[f"{SAID} {number}.{turn}", f"Reply {number}.{turn}"] for turn in range(min(number, 2))]
    return {"id": key or f"x{number}", "turns": turns}


def see_judge(small: Small, rater: int, positions: Iterable[int]) -> None:
    for position in positions:
        small.desk(rater).rate(position)
        small.desk(rater).reveal(position)


@pytest.mark.parametrize(
    ("talks", "seen", "says"),
    [
        (
            (2,),
            {0: (2,)},
            "1 conversation is also in the study small, word for word. Ann has seen its judge there, so what Ann labels "
            "of it here does not count as blind",
        ),
        (
            (2,),
            {0: (2,), 1: (2,)},
            "1 conversation is also in the study small, word for word. Ann and Ben have seen its judge there, so what "
            "they label of it here does not count as blind",
        ),
        (
            (1, 2, 3),
            {0: (1, 2), 1: (3,)},
            "3 conversations are also in the study small, word for word. Ann has seen the judge of 2 of them there, so "
            "what Ann labels of these 2 here does not count as blind. Ben has seen the judge of 1 of them there, so "
            "what Ben labels of this one here does not count as blind",
        ),
        (
            (1, 2),
            {0: (1, 2, 3)},
            "2 conversations are also in the study small, word for word. Ann has seen the judge of all 2 there, so what "
            "Ann labels of them here does not count as blind",
        ),
        ((1, 2), {0: (3,)}, "2 conversations are also in the study small, word for word"),
    ],
)
def test_and_who_has_seen_the_judge_of_how_many_there(
    small: Small, tmp_path: Path, talks: tuple[int, ...], seen: dict[int, tuple[int, ...]], says: str
) -> None:
    for rater, positions in seen.items():
        see_judge(small, rater, positions)
    report = bring(small, make_other(small), tmp_path, [*map(same_as, talks), OTHER])
    assert f"talks.jsonl: {says}" in report.lines()


def test_words_that_come_twice_are_counted_twice_of_those_whose_judge_was_seen(
    small: Small, tmp_path: Path
) -> None:
    see_judge(small, 0, [2])
    report = bring(small, make_other(small), tmp_path, [same_as(1), same_as(2), same_as(2, "again")])
    assert any(
        "3 conversations are also in the study" in line and "of these 2 here" in line
        for line in report.lines()
    )


def test_a_label_of_words_whose_judge_was_seen_elsewhere_is_not_blind(small: Small, tmp_path: Path) -> None:
    main = make_other(small)
    bring(small, main, tmp_path, [c2_again(), OTHER])
    small.desk().rate(2)
    small.desk().reveal(2)
    with small.store.reading() as connection:
        raters = {rater.name: rater.id for rater in studies.raters(connection, main.id)}
    for name, positions in {"Ann": (1, 2), "Ben": (1,)}.items():
        for position in positions:
            Desk(small.store, main, raters[name]).rate(position)
    rating, rater, unit = schema.rating, schema.rater, schema.unit
    with small.store.reading() as connection:
        given = connection.execute(
            select(rater.c.name, unit.c.position, rating.c.exposure)
            .join(rater, rater.c.id == rating.c.rater_id)
            .join(unit, unit.c.id == rating.c.unit_id)
            .where(rating.c.study_id == main.id)
            .distinct()
        ).all()
    assert {tuple(row) for row in given} == {("Ann", 1, "page"), ("Ann", 2, "blind"), ("Ben", 1, "blind")}


@pytest.mark.parametrize("key", ["c2", "x1"])
def test_erased_words_do_not_come_back_under_any_id_in_any_study(
    small: Small, tmp_path: Path, key: str
) -> None:
    main = make_other(small)
    forget_conversation(small.store, "lead", small.study, "c2", "asked for")
    report = bring(small, main, tmp_path, [c2_again(key), OTHER])
    assert report.added["conversations"] == 1
    assert report.lines()[0] == (
        f"talks.jsonl, line 1: {key!r} is not imported: a conversation with the same text was erased"
    )
    assert bring(small, main, tmp_path, [c2_again(key)]).added.total() == 0
    with small.store.reading() as connection:
        texts = connection.execute(select(schema.content.c.text)).scalars()
        assert not any(text and f"{SAID} 2.".upper() in text.upper() for text in texts)
        assert verify(connection).problems == []


def test_erasing_names_where_the_same_words_still_are(small: Small, tmp_path: Path) -> None:
    main, again = make_other(small), make_other(small, "again")
    for study in (main, again):
        bring(small, study, tmp_path, [c2_again(), OTHER])
    first = forget_conversation(small.store, "lead", small.study, "c2", "asked for")
    assert first.elsewhere == [("main", "x1"), ("again", "x1")]
    assert forget_conversation(small.store, "lead", main, "x1", "too").elsewhere == [("again", "x1")]
    assert forget_conversation(small.store, "lead", again, "x1", "too").elsewhere == []


def test_the_same_words_in_the_study_are_told_once_each(small: Small, tmp_path: Path) -> None:
    report = bring(
        small, small.study, tmp_path, [c2_again(), OTHER, {**OTHER, "id": "y2"}, {**OTHER, "id": "y3"}]
    )
    assert any(
        line.startswith("talks.jsonl: 3 conversations have the same text as another")
        for line in report.lines()
    )


def test_a_store_has_one_key_however_many_studies_came_first(small: Small, tmp_path: Path) -> None:
    bring(small, make_other(small), tmp_path, [OTHER])
    with small.store.reading() as connection:
        assert connection.execute(select(func.count()).select_from(schema.store_key)).scalar() == 1
        count = connection.execute(select(func.count()).select_from(schema.known_words)).scalar()
        assert count == connection.execute(select(func.count()).select_from(schema.conversation)).scalar()


class NoWords:
    """What an import of 0.3.0 knew of words."""

    erased = 0

    def __init__(self, *_: object) -> None:
        pass

    def digest(self, _: object) -> None:
        return None

    def is_erased(self, _: object) -> bool:
        return False

    def tell(self, *_: object) -> None:
        pass


@pytest.fixture
def make_as_of_0_3_0(store: Store, tmp_path: Path) -> Callable[..., Small]:
    """Make a study; not a copy of one that other tests share, which would lack its words there too."""
    return lambda **settings: small_study.make(store, tmp_path, **settings)


@pytest.fixture
def as_of_0_3_0(monkeypatch: pytest.MonkeyPatch) -> Callable[[Small], None]:
    """Close a store and give it the form that it had."""
    monkeypatch.setattr("data.importers.conversations.ImportedWords", NoWords)

    def take_back(small: Small) -> None:
        small.store.close()
        with closing(sqlite3.connect(small.store.path)) as raw:
            raw.execute("DROP TRIGGER content_not_of_erased")
            for table in (schema.study_change, schema.seen_elsewhere, schema.known_words, schema.store_key):
                raw.execute(f"DROP TABLE {table.name}")
            raw.execute("UPDATE alembic_version SET version_num = '0100'")
            raw.commit()

    return take_back


def test_a_store_of_0_3_0_learns_its_words_and_what_was_seen(
    as_of_0_3_0: Callable[[Small], None], make_as_of_0_3_0: Callable[..., Small]
) -> None:
    """Ann saw the judge of c2 in `pilot` before she rated the same words in `main`, and that of c3 afterwards."""
    pilot, main = make_as_of_0_3_0(key="pilot"), make_as_of_0_3_0(key="main", with_judges=False)
    pilot.desk().rate(2)
    pilot.desk().reveal(2)
    for position in (2, 3):
        main.desk().rate(position)
    main.desk(1).rate(2)
    pilot.desk().rate(3)
    pilot.desk().reveal(3)
    as_of_0_3_0(main)
    again = open_store(url_of(main.store.path))
    rating, seen = schema.rating, schema.seen_elsewhere
    with again.reading() as connection:
        assert verify(connection).problems == []
        words = WordDigests(connection, None)  # type: ignore[arg-type]  # the key is there
        digests = dict(
            connection.execute(
                select(schema.known_words.c.conversation_id, schema.known_words.c.digest)
            ).all()
        )
        seen_rows = connection.execute(
            select(rating.c.rater_id, schema.unit.c.position, seen.c.of_study_id)
            .join(rating, rating.c.id == seen.c.rating_id)
            .join(schema.unit, schema.unit.c.id == rating.c.unit_id)
            .distinct()
        ).all()
    assert len(digests) == 8 and len(set(digests.values())) == 4
    assert words.digest([(m["role"], m["content"]) for m in WORDS_OF_C2]) in digests.values()
    assert {tuple(row) for row in seen_rows} == {(main.raters[0], 2, pilot.study.id)}
    with again.reading() as connection:
        findings = gather_findings(connection, ReportRequest(main.study, None))
        labels = agreement_labels.human_labels(connection, main.study.id, "blind")
        position_2 = {label.who for label in labels if label.position == 2}
        unit = units.at_position(connection, main.study.id, 2)
        assert unit is not None
        people = {(label.who, label.label_of_blind) for label in of_people(connection, unit)}
    assert people == {("Ann", None), ("Ben", "YES")}  # nor does the page of the conversation call it blind
    assert findings.seen_elsewhere == 3  # of three criteria
    assert name_left_out(findings)[-1].startswith(
        "3 labels are left out, because the rater had seen a judge's labels for the same"
    )
    assert position_2 == {main.raters[1]} and len(labels) == 6
    assert sum(question == 0 for question in findings.everyone.given.question.tolist()) == 2
    again.close()


def test_a_store_of_0_3_0_knows_a_reply_whose_message_has_another_number(
    as_of_0_3_0: Callable[[Small], None], make_as_of_0_3_0: Callable[..., Small], tmp_path: Path
) -> None:
    """The same conversation with instructions before it: each reply has another number, and is the same turn."""
    of_replies = {"instrument": INSTRUMENT.replace("unit: conversation", "unit: assistant_turn")}
    pilot = make_as_of_0_3_0(key="pilot", with_judges=False, conversation_count=2, **of_replies)
    main = make_as_of_0_3_0(key="main", with_judges=False, conversation_count=1, **of_replies)
    bring(main, main.study, tmp_path, [c2_again()])
    with pilot.store.writing("Ann", "reveal", pilot.study.id) as (_, entry):
        row = {"rater_id": pilot.raters[0], "unit_id": pilot.desk().unit(2).id, "kind": "reveal"}
        entry.write(schema.exposure, row)
    with main.store.writing("tests", "rate", main.study.id) as (_, entry):
        for position in (2, 3):
            rate_blind(entry, main, position)
    as_of_0_3_0(main)
    again = open_store(url_of(main.store.path))
    rating, seen = schema.rating, schema.seen_elsewhere
    with again.reading() as connection:
        positions = connection.execute(
            select(schema.unit.c.position)
            .join(rating, rating.c.unit_id == schema.unit.c.id)
            .join(seen, seen.c.rating_id == rating.c.id)
        ).scalars()
        assert list(positions) == [2]
    again.close()


def rate_blind(entry: TrailEntry, small: Small, position: int) -> None:
    entry.write(
        schema.rating,
        {
            "event": f"blind {position}",
            "study_id": small.study.id,
            "rater_id": small.raters[0],
            "unit_id": small.desk().unit(position).id,
            "criterion": "warm",
            "label": "YES",
            "source": "given",
            "exposure": "blind",
            "reveals_before": 0,
            "also": "[]",
            "evidence": "[]",
        },
    )
