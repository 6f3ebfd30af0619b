"""Names of judges: a blank or a capital letter makes no second judge of the same."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from data import schema
from data.importers.report import ImportReport
from data.record import judgements
from data.record.judgements import JudgeIdentity
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import Bring, lines

Refuse = Callable[..., list[str]]
ROW = {"conversation_id": "c2", "criterion": "warm", "label": "YES"}


@pytest.fixture
def bring_identity(small: Small, write: Callable[..., Path]) -> Callable[..., ImportReport]:
    """Import one label of a judge with all that is told of it."""

    def bring(identity: JudgeIdentity, **more: str) -> ImportReport:
        return importing.import_judgements(
            small.store, "small", write(lines({**ROW, **more})), "tests", identity
        )

    return bring


def names_of_judges(small: Small) -> list[str]:
    with small.store.reading() as connection:
        return [judge.name for judge in judgements.judges(connection, small.study.id)]


@pytest.mark.parametrize(
    "again",
    [
        JudgeIdentity("J1 ", "lab", "m1"),
        JudgeIdentity(" J1", "lab", "m1 "),
        JudgeIdentity("J1", " lab  ", "m1"),
        JudgeIdentity("J1", "lab", "m1", " unknown"),
    ],
)
def test_blanks_make_no_second_judge(
    small: Small, bring_identity: Callable[..., ImportReport], again: JudgeIdentity
) -> None:
    bring_identity(JudgeIdentity("J1", "lab", "m1"))
    report = bring_identity(again)
    assert (report.added["judgements"], report.already["judgements"]) == (0, 1)
    assert names_of_judges(small).count("J1") == 1


def test_doubled_blanks_in_a_name_and_in_a_column_of_the_file_are_one(
    small: Small, bring_identity: Callable[..., ImportReport]
) -> None:
    bring_identity(JudgeIdentity("The  big   judge"))
    bring_identity(JudgeIdentity("another"), judge=" The big  judge ", criterion="safe")
    bring_identity(JudgeIdentity("The big judge"), judge="The big judge ", criterion="deep")
    assert set(names_of_judges(small)) == {"Judge A", "Judge B", "The big judge"}


@pytest.mark.parametrize("name", ["j1", "J 1", " j  1"])
def test_another_spelling_of_a_judge_of_the_study_is_refused(
    small: Small, bring_judgements: Bring, refused: Refuse, name: str
) -> None:
    bring_judgements(lines(ROW), judge="J1")
    table = lines({**ROW, "criterion": "safe"}, {**ROW, "criterion": "deep"})
    sentence = "the study spells this judge J1; spell it the same way"
    assert refused(bring_judgements, table, judge=name) == [f"file.jsonl: {sentence}"]
    assert refused(bring_judgements, lines({**ROW, "judge": name}), judge="x") == [
        f"file.jsonl, line 1: {sentence}"
    ]
    assert "J1" in names_of_judges(small)


def test_two_spellings_in_one_file_are_refused(bring_judgements: Bring, refused: Refuse) -> None:
    table = lines({**ROW, "judge": "gpt-4o"}, {**ROW, "criterion": "safe", "judge": "GPT-4o"})
    assert refused(bring_judgements, table) == [
        "file.jsonl, line 2: the study spells this judge gpt-4o; spell it the same way"
    ]


def test_another_model_or_prompt_under_the_very_name_is_another_judge(
    small: Small, bring_identity: Callable[..., ImportReport]
) -> None:
    bring_identity(JudgeIdentity("J1", model="m1"))
    bring_identity(JudgeIdentity("J1", model="m2"))
    bring_identity(JudgeIdentity("J1 ", model="m2", prompt="p2"))
    assert names_of_judges(small).count("J1") == 3


def test_of_two_judges_whose_names_differ_in_capitals_each_gets_its_own_labels(
    small: Small, bring_identity: Callable[..., ImportReport]
) -> None:
    """As models.yaml may name them; a run asks nobody about that."""
    bring_identity(JudgeIdentity("GPT-4o"))
    with small.store.writing("tests", "as a run does", small.study.id) as (connection, entry):
        number = judgements.register(connection, entry, small.study.id, JudgeIdentity("gpt-4o", parser="1"))
        row = connection.execute(schema.judgement.select().limit(1)).mappings().one()
        entry.write(schema.judgement, {**row, "judge_id": number})
    bring_identity(JudgeIdentity("gpt-4o"), criterion="deep")
    assert names_of_judges(small)[2:] == ["GPT-4o", "gpt-4o", "gpt-4o"]
