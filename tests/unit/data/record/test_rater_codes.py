"""The code of a rater tells nothing, stays, and is one for one person."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from data.record import studies
from data.record.rater_codes import assign_codes, read_rater_codes
from tests.studies import importing
from tests.studies.rater_codes import CODE, LETTER
from tests.studies.small_study import Small


def unnamed(raters: Iterable[int]) -> dict[int, str]:
    return {rater: f"somebody {rater}" for rater in raters}


def test_no_code_reads_like_the_name_of_somebody_else(small: Small) -> None:
    names = unnamed(range(1, 20))
    codes = assign_codes(small.study, names)
    letter_and_number = codes[3].removeprefix("Rater ")
    letter, number = letter_and_number[0], letter_and_number[1:]
    for name in (
        letter_and_number,
        letter_and_number.lower(),
        codes[3],
        f"rater  {letter_and_number}",
        f"Rater-{letter_and_number}",
        f"{letter}-{number}",
        f"{letter} {number}.",
    ):
        renamed = assign_codes(small.study, {**names, 20: name})
        assert codes[3] not in renamed.values()
        assert {rater: renamed[rater] for rater in names if rater != 3} == {
            rater: code for rater, code in codes.items() if rater != 3
        }


def test_a_code_stays_when_raters_are_added(small: Small) -> None:
    before = assign_codes(small.study, unnamed(range(1, 151)))
    after = assign_codes(small.study, unnamed(range(400, 0, -1)))
    assert {rater: after[rater] for rater in before} == before
    assert len(set(after.values())) == 400
    assert all(CODE.fullmatch(code) and not LETTER.fullmatch(code) for code in after.values())


def test_codes_tell_nothing_of_who_came_first(small: Small) -> None:
    codes = assign_codes(small.study, unnamed(range(1, 151)))
    assert list(codes.values()) == sorted(codes.values())
    assert list(codes) != sorted(codes) and list(codes) != sorted(codes, reverse=True)


def test_everybody_of_the_study_has_one_whatever_they_did(small: Small) -> None:
    with small.store.reading() as connection:
        before = read_rater_codes(connection, small.study)
    assert set(before) == set(small.raters) and len(set(before.values())) == 2
    small.desk(1).rate(2)
    with small.store.writing("tests", "add", small.study.id) as (connection, entry):
        added = studies.add_rater(connection, entry, small.study.id, "Cat")
    with small.store.reading() as connection:
        after = read_rater_codes(connection, small.study)
    assert {rater: after[rater] for rater in before} == before and set(after) == {*before, added}


def test_an_imported_rater_who_is_confirmed_has_the_code_of_the_person(small: Small, tmp_path: Path) -> None:
    labels = tmp_path / "paper.csv"
    labels.write_text(
        "conversation_id,rater,criterion,label\nc2,Ann,warm,NO\nc3,Cleo,warm,NO\n", encoding="utf-8"
    )
    ann, ben = small.codes
    importing.import_ratings(
        small.store, "small", labels, "Dr Lee", "blind", "her forms", same_raters=("Ann",)
    )
    with small.store.reading() as connection:
        codes = read_rater_codes(connection, small.study)
        names = {rater.id: rater.name for rater in studies.raters(connection, small.study.id)}
    by_name = {names[rater]: code for rater, code in codes.items()}
    assert by_name.pop("Ann (imported)") == by_name["Ann"] == ann and by_name["Ben"] == ben
    assert len(set(by_name.values())) == len(by_name) == 3


def test_a_rater_of_a_file_keeps_the_code_of_another_store(small: Small) -> None:
    names = {**unnamed(range(1, 20)), 20: "Rater K7", 21: "Rater 7", 22: "rater k8"}
    before, codes = assign_codes(small.study, names), assign_codes(small.study, names, {20, 21, 22})
    assert codes[20] == "Rater K7" != before[20]
    assert {rater: codes[rater] for rater in names if rater != 20} == {
        rater: before[rater] for rater in names if rater != 20
    }
    assert list(codes.values()) == sorted(codes.values())
    assert assign_codes(small.study, {**names, 23: "K7"}, {20})[20] not in ("Rater K7", "K7")
    assert assign_codes(small.study, names, {21})[20] != "Rater K7", "a person of the study"
