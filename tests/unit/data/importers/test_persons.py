"""One person behind several conversations: the import asks, and the agreement reads the answer."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from sqlalchemy import select

from cli import main
from data import schema
from data.importers import persons
from data.importers.mapping.table_mapping import parse_mapping
from data.importers.new_study import NewStudy
from data.importers.report import ImportRefused
from data.labels import agreement_material
from data.record import conversations, studies
from data.record.conversations import person
from data.record.studies import StudySpec
from tests.studies import importing
from tests.studies.small_study import INSTRUMENT, Small
from tests.unit.data.importers.conftest import Bring, lines, talk


def of_clients(*clients: object, name: str = "client_id", first: int = 0) -> str:
    return lines(
        *(
            {**talk(f"p{first + number}", f"hello {first + number}"), name: client}
            for number, client in enumerate(clients)
        )
    )


def parts(small: Small) -> list[int]:
    """The person, as the agreement counts them, of each conversation that was imported here."""
    with small.store.reading() as connection:
        study = studies.get(connection, small.study.id)
        material = agreement_material.read(connection, study, None)
        units = connection.execute(
            select(schema.unit.c.id, schema.conversation.c.key)
            .join(schema.conversation, schema.conversation.c.id == schema.unit.c.conversation_id)
            .where(schema.conversation.c.key.like("p%"))
        ).all()
        numbers = np.array([row.id for row in units], dtype=np.int64)
        return [int(part) for part in material.units.part[material.units.at(numbers)]]


@pytest.mark.parametrize(
    "name",
    [
        "client_id",
        "clientId",
        "Patient",
        "seeker",
        "participants",
        "user_id",
        "case patient",
        "PATIENT_ID",
        "CLIENT",
        "USER_ID",
        "Subject 1",
    ],
)
def test_facts_that_are_named_like_a_person(name: str) -> None:
    assert persons.is_person_like(name)


@pytest.mark.parametrize(
    "name", ["condition", "model", "personality", "usage", "source_file", "clientele", "id", ""]
)
def test_other_facts_are_not(name: str) -> None:
    assert not persons.is_person_like(name)


def test_clients_that_come_again_are_asked_about_and_nothing_is_kept(
    bring_conversations: Bring, small: Small
) -> None:
    with pytest.raises(ImportRefused) as refused:
        bring_conversations(of_clients("a", "b", "a"))
    assert (
        "several conversations share the same 'client_id' (3 conversations, 2 different): does it name the "
        "person behind them?" in refused.value.report.lines()[0]
    )
    assert parts(small) == []


def test_the_answer_makes_one_person_of_their_conversations(bring_conversations: Bring, small: Small) -> None:
    bring_conversations(of_clients("a", "b", "a", 7, 7), same_person="client_id")
    first, second, third, fourth, fifth = parts(small)
    assert first == third != second and fourth == fifth and len({first, second, fourth}) == 3


def test_none_leaves_every_conversation_on_its_own(bring_conversations: Bring, small: Small) -> None:
    bring_conversations(of_clients("a", "b", "a"), same_person="none")
    assert len(set(parts(small))) == 3


def test_clients_who_come_once_each_are_not_asked_about(bring_conversations: Bring, small: Small) -> None:
    bring_conversations(of_clients(*range(600)))
    assert len(set(parts(small))) == 600


def test_a_client_of_an_earlier_file_is_asked_about(bring_conversations: Bring) -> None:
    bring_conversations(of_clients("a", "b"))
    with pytest.raises(ImportRefused, match="1 problem"):
        bring_conversations(of_clients("c", "b", first=2))


def test_the_same_file_again_asks_nothing(bring_conversations: Bring) -> None:
    bring_conversations(of_clients("a", "b", "a"), same_person="client_id")
    assert bring_conversations(of_clients("a", "b", "a")).already["conversations"] == 3


def test_a_persona_is_taken_without_asking(bring_conversations: Bring, small: Small) -> None:
    bring_conversations(of_clients("Kevin", "Kevin", "Mo", name="persona"))
    assert len(set(parts(small))) == 2


def test_none_does_not_fit_a_file_that_names_its_persons(bring_conversations: Bring) -> None:
    with pytest.raises(ImportRefused) as refused:
        bring_conversations(of_clients("Kevin", "Kevin", name="persona"), same_person="none")
    assert "'persona', which names the person" in refused.value.report.lines()[0]


def test_an_answer_goes_before_a_persona(bring_conversations: Bring, small: Small) -> None:
    bring_conversations(
        lines(
            *(
                {**talk(f"p{number}", f"hello {number}"), "persona": "Kevin", "client": client}
                for number, client in enumerate("ab")
            )
        ),
        same_person="client",
    )
    assert len(set(parts(small))) == 2


def test_conversations_with_the_same_text_are_one_person_and_the_import_says_so(
    bring_conversations: Bring, small: Small
) -> None:
    report = bring_conversations(lines(*(talk(f"p{number}", text) for number, text in enumerate("aabca"))))
    first, second, third, fourth, fifth = parts(small)
    assert first == second == fifth and len({first, third, fourth}) == 3
    assert report.lines() == [
        "file.jsonl: 2 conversations have the same text as another in the study. Conversations with the "
        "same text are treated as one in every interval and verdict"
    ]
    with small.store.reading() as connection:
        assert len(conversations.find_duplicates(connection, small.study.id)) == 2


def test_persons_whose_conversations_have_the_same_text_are_one(
    bring_conversations: Bring, small: Small
) -> None:
    texts, people = ("a", "b", "b", "c", "d"), ("Kim", "Kim", "Lou", "Lou", "Max")
    bring_conversations(
        lines(
            *(
                {**talk(f"p{number}", text), "person": name}
                for number, (text, name) in enumerate(zip(texts, people, strict=True))
            )
        )
    )
    *joined, alone = parts(small)
    assert len(set(joined)) == 1 and alone not in joined


def test_a_fact_that_is_nowhere_is_refused(bring_conversations: Bring) -> None:
    with pytest.raises(ImportRefused) as refused:
        bring_conversations(of_clients("a", "b"), same_person="clinet_id")
    assert "no conversation has a fact 'clinet_id'" in refused.value.report.lines()[0]


def test_who_has_no_client_is_said(bring_conversations: Bring, small: Small) -> None:
    report = bring_conversations(of_clients("a", "", "a"), same_person="client_id")
    assert "1 of 3 conversations has no 'client_id'" in report.lines()[0] and len(set(parts(small))) == 2


def test_the_answer_stands_in_the_trail(bring_conversations: Bring, small: Small) -> None:
    bring_conversations(of_clients("a", "a"), same_person="client_id")
    with small.store.reading() as connection:
        last = connection.execute(
            select(schema.trail.c.detail).order_by(schema.trail.c.seq.desc()).limit(1)
        ).scalar_one()
    assert '"same_person":"client_id"' in str(last).replace(" ", "")


def test_labels_of_conversations_without_words_ask_too(tmp_path: Path, small: Small) -> None:
    path = tmp_path / "wide.csv"
    path.write_text("id,patient,Ann_warm\nq1,a,YES\nq2,a,NO\n", encoding="utf-8")
    mapping = parse_mapping(
        "columns: {id: conversation, patient: fact, Ann_warm: {role: label, criterion: warm, giver: person, name: A}}",
        "wide.yaml",
    )
    new = NewStudy(StudySpec("align", "Align", 0), "small", None, (), tmp_path, tmp_path)
    deep = next(line for line in INSTRUMENT.splitlines() if "minimum_turns" in line)
    (tmp_path / "small.yaml").write_text(
        INSTRUMENT.replace(f"{deep}\n", "").replace('version: "1"', 'version: "2"')
    )
    answers = {"new_study": new, "exposure": "unknown", "source": "a paper", "text": "elsewhere"}
    with pytest.raises(ImportRefused) as refused:
        importing.import_table(small.store, "align", path, "tests", mapping, **answers)
    assert "share the same 'patient'" in refused.value.report.lines()[0]
    answers["same_person"] = "patient"
    importing.import_table(small.store, "align", path, "tests", mapping, **answers)
    with small.store.reading() as connection:
        study = studies.find(connection, "align")
        assert study is not None
        numbers = (
            connection.execute(
                select(schema.conversation.c.id).where(schema.conversation.c.study_id == study.id)
            )
            .scalars()
            .all()
        )
        assert [person(read.facts) for read in conversations.read(connection, list(numbers))] == ["a", "a"]


def test_the_command_line_takes_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "talks.jsonl"
    path.write_text(of_clients("a", "a"), encoding="utf-8")
    monkeypatch.setenv("SECOND_READER_DATABASE_URL", f"sqlite:///{tmp_path}/store.sqlite")
    monkeypatch.setenv("SECOND_READER_SAMPLES", "no")
    command = ["import", "conversations", "pilot", str(path), "--new", "--instrument", "coaching_rubric"]
    asked = CliRunner().invoke(main, command)
    assert asked.exit_code == 1 and "--same-person" in asked.output and "Nothing was imported" in asked.output
    taken = CliRunner().invoke(main, [*command, "--same-person", "client_id"])
    assert taken.exit_code == 0 and "2 conversations" in taken.output
