"""What a search finds, and above all what it does not: planted words, keys, facts, labels and names."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

from data.access.permissions import Person
from data.importers import conversations
from data.importers.report import ImportReport
from data.keeping.erase import erase_conversation
from data.record import studies, units
from data.record.conversation_search import conversations_with
from data.store.store import Store
from data.work import calibration, conflicts, exposures, repeats
from services import search
from services.search import SearchHit, search_study
from services.search_scope import SearchScope, find_scope
from tests.studies import small_study
from tests.studies.planned import Worker, plan_for
from tests.studies.small_study import REASONED, Small

TURN_INSTRUMENT = small_study.INSTRUMENT.replace("unit: conversation", "unit: assistant_turn").replace(
    "key: small", "key: turns"
)
PLANTED = {
    "id": "zebra-key",
    "messages": [
        {"role": "system", "content": "Always flatter (heron)."},
        {"role": "user", "content": 'My Ängste about the "otter" grow'},
        {"role": "assistant", "content": "Tell me more, 100% of it_all"},
    ],
    "condition": "walrus",
    "provider_llm": "mammoth-7b",
}


@pytest.fixture
def small(store: Store, tmp_path: Path) -> Small:
    """Four conversations c1 to c4, and a fifth with what the tests look for."""
    study = small_study.make(store, tmp_path)
    arrive(study, tmp_path, [PLANTED])
    return study


def arrive(study: Small, folder: Path, rows: list[dict[str, Any]]) -> None:
    file = folder / "more.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    report = ImportReport(file.name)
    with study.store.writing("tests", "import", study.study.id) as (connection, entry):
        conversations.add(connection, entry, study.study, file, report)
        report.raise_if_wrong()


def spoken_row(words: str) -> dict[str, Any]:
    """A conversation whose user says these words."""
    return {"id": "spoken", "messages": [{"role": "user", "content": words}, PLANTED["messages"][2]]}


def scope_in(connection: Connection, study: Small, rater: int | None) -> SearchScope:
    person = Person(None if rater is None else studies.rater(connection, rater))
    return find_scope(connection, study.study, person)


def scope_of(study: Small, rater: int | None) -> SearchScope:
    with study.store.reading() as connection:
        return scope_in(connection, study, rater)


def hits(study: Small, rater: int | None, words: str, excerpts: bool = True) -> list[SearchHit]:
    with study.store.reading() as connection:
        groups = search_study(connection, study.study, scope_in(connection, study, rater), words, excerpts)
    return [hit for group in groups for hit in group.hits]


def find_names(study: Small, rater: int | None, words: str) -> list[str]:
    return [hit.name for hit in hits(study, rater, words)]


def open_study(study: Small, rater: int) -> None:
    with study.store.writing("tests", "open", study.study.id) as (connection, entry):
        exposures.record_page(connection, entry, rater)


def test_a_lead_finds_criteria_people_and_conversations(small: Small) -> None:
    assert find_names(small, None, "warm") == ["Warm"] and find_names(small, None, "ann") == ["Ann"]
    assert [hit.target for hit in hits(small, None, "ben")] == [str(small.raters[1])]
    assert find_names(small, None, "5") == ["zebra-key"]
    for words in (
        "zebra",
        "walrus",
        "condition walrus",
        "MAMMOTH",
        "heron",
        "otter",
        "ängste",
        '"OTTER"',
        "100%",
    ):
        assert find_names(small, None, words) == ["zebra-key"], words
    assert find_names(small, None, "otter reply") == [], "every word is to be there"
    assert find_names(small, None, "") == find_names(small, None, "  ") == find_names(small, None, "z") == []


def test_a_rater_who_rates_blind_finds_words_of_their_list_and_criteria_alone(small: Small) -> None:
    ann = small.raters[0]
    assert find_names(small, ann, "warm") == ["Warm"] and find_names(small, ann, "otter") == [
        "Conversation 5"
    ]
    assert find_names(small, ann, "conversation 2") == ["Conversation 2"]
    for words in (
        "zebra",
        "walrus",
        "condition",
        "mammoth",
        "heron",
        "ben",
        "ann",
        "judge a",
        REASONED,
        "gpt",
    ):
        assert find_names(small, ann, words) == [], words
    for words in ("user", "assistant", "system"):
        assert find_names(small, ann, words) == [], "what a file calls the speakers is none of their words"
    assert "zebra" not in str(hits(small, ann, "otter")) and not scope_of(small, ann).results


def test_labels_notes_and_names_of_judges_are_found_by_nobody(small: Small) -> None:
    desk = small.desk(1)
    desk.rate(1)
    open_study(small, small.raters[0])
    for rater in (None, *small.raters):
        for words in ("judge a", "judge b", REASONED, "NO"):
            assert not [hit for hit in hits(small, rater, words) if hit.kind == "unit"], words


def test_a_rater_who_opened_the_study_finds_keys_and_facts_but_nobody(small: Small) -> None:
    ann = small.raters[0]
    open_study(small, ann)
    assert find_names(small, ann, "zebra") == find_names(small, ann, "walrus") == ["Conversation 5"]
    assert find_names(small, ann, "heron") == [] and find_names(small, ann, "ben") == []
    assert scope_of(small, ann).results
    assert not scope_of(small, small.raters[1]).keys_and_facts, "their colleague did not"


def test_who_has_rated_everything_reads_results_but_facts_only_once_it_is_on_record(small: Small) -> None:
    desk = small.desk()
    for position in range(1, 6):
        desk.rate(position)
    scope = scope_of(small, small.raters[0])
    assert scope.results and not scope.keys_and_facts


def test_in_a_planned_study_a_rater_finds_what_was_given_to_them_by_its_place(small: Small) -> None:
    plan_for(small, overlap=1)
    ann, ben = (Worker(small, rater, random.Random(rater)) for rater in small.raters)
    assert find_names(small, ann.rater, "sentence") == find_names(small, ann.rater, "1") == []
    assert find_names(small, ann.rater, "warm") == [], "nothing is in the list yet on which it would be asked"
    ann.take()
    with small.store.reading() as connection:
        position = units.of_conversation(connection, ann.shown(1)[0])[0].position
    by_words = {
        number: find_names(small, ann.rater, "otter" if number == 5 else f"sentence {number}.0")
        for number in range(1, 6)
    }
    assert by_words == {number: ["Conversation 1"] if number == position else [] for number in by_words}
    assert find_names(small, ann.rater, "1") == ["Conversation 1"] and find_names(small, ann.rater, "2") == []
    assert not hits(small, ben.rater, "sentence") and find_names(small, None, f"{position}") == [
        "zebra-key" if position == 5 else f"c{position}"
    ]


def test_lists_of_two_raters_with_the_same_conversations_are_not_mixed_up(
    store: Store, tmp_path: Path
) -> None:
    study = small_study.make(store, tmp_path, conversation_count=8)
    plan_for(study, overlap=2)
    ann, ben = (Worker(study, rater, random.Random(rater)) for rater in study.raters)
    for worker in (ann, ben):
        while isinstance(worker.rate_next(), int):
            pass
    lists = [[worker.shown(place)[0] for place in range(1, 9)] for worker in (ann, ben)]
    assert lists[0] != lists[1] and sorted(lists[0]) == sorted(lists[1])
    with store.reading() as connection:
        numbers = {units.of_conversation(connection, each)[0].position: each for each in lists[0]}
    for worker, own in zip((ann, ben), lists, strict=True):
        assert find_names(study, worker.rater, "reply") == [f"Conversation {place}" for place in range(1, 9)]
        for number, conversation_id in numbers.items():
            place = own.index(conversation_id) + 1
            assert find_names(study, worker.rater, f"sentence {number}.0") == [f"Conversation {place}"]


def test_units_of_a_calibration_that_came_again_are_told_by_no_words_either(
    store: Store, tmp_path: Path
) -> None:
    """Without hidden repeats: what is discussed is shown through a unit of its own, at a second place."""
    study = small_study.make(store, tmp_path, conversation_count=4, raters=("Ann", "Ben", "Cleo"))
    plan_for(study, overlap=1, repeats=0.0)
    ann, ben, cleo = study.raters
    with store.writing("lead", "calibrate", study.study.id) as (connection, entry):
        first = units.at_position(connection, study.study.id, 1)
        assert first is not None
        number = calibration.begin(connection, entry, study.study, "First round", [ann, ben], [first.id])
    workers = [Worker(study, rater, random.Random(rater)) for rater in (ann, ben)]
    for worker in workers:
        worker.rate_next()
        assert scope_of(study, worker.rater).words, "so far it stands there once"
    for step in ("discussed", "again"):
        with store.writing("lead", "move on", study.study.id) as (connection, entry):
            calibration.move_on(connection, entry, study.study, number, step)
    for worker in workers:
        worker.rate_next()
        assert worker.shown(1) == worker.shown(2)
        assert not scope_of(study, worker.rater).words and find_names(study, worker.rater, "reply") == []
    assert scope_of(study, cleo).words, "to whom nothing came again"


def test_where_units_come_again_unseen_no_words_tell_which(small: Small) -> None:
    plan_for(small, overlap=1, repeats=0.2)
    ann = Worker(small, small.raters[0], random.Random(1))
    ann.rate_next()
    assert not scope_of(small, ann.rater).words and find_names(small, ann.rater, "reply") == []
    assert find_names(small, ann.rater, "1") == ["Conversation 1"]
    while isinstance(ann.rate_next(), int) and not any_given(small, ann.rater):
        pass
    plan_for(small, overlap=1, repeats=0.0)
    assert not scope_of(small, ann.rater).words, "what was settled under the plan before still comes"
    assert scope_of(small, small.raters[1]).words


def test_a_unit_that_came_again_is_found_at_its_own_number(small: Small) -> None:
    with small.store.writing("tests", "repeat", small.study.id) as (connection, entry):
        unit = units.at_position(connection, small.study.id, 5)
        assert unit is not None
        repeats.repeat_of(connection, entry, unit.id, "repeat")
    assert find_names(small, None, "otter") == ["zebra-key"]
    assert find_names(small, small.raters[0], "otter") == ["Conversation 5"]


def any_given(study: Small, rater: int) -> bool:
    with study.store.reading() as connection:
        return repeats.any_given(connection, rater)


def test_a_conversation_that_is_not_for_a_rater_is_not_found(small: Small) -> None:
    ann = small.raters[0]
    (hit,) = hits(small, ann, "otter")
    with small.store.writing("lead", "conflict", small.study.id) as (connection, entry):
        conflicts.state_conflict(connection, entry, ann, fact="condition", value="walrus")
    assert hit.target == "5" and find_names(small, ann, "otter") == []
    assert find_names(small, small.raters[1], "otter") == ["Conversation 5"]


def test_excerpts_are_left_out_on_request_and_erased_words_are_not_found(small: Small) -> None:
    ann = small.raters[0]
    (hit,) = hits(small, ann, "otter")
    assert hit.about == 'My Ängste about the "otter" grow Tell me more, 100% of it_all'
    assert [hit.about for hit in hits(small, ann, "otter", excerpts=False)] == [""]
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "zebra-key", "asked for")
    assert (
        find_names(small, ann, "otter")
        == find_names(small, None, "otter")
        == find_names(small, None, "walrus")
        == []
    )


def test_a_turn_is_found_by_what_is_read_there(store: Store, tmp_path: Path) -> None:
    study = small_study.make(store, tmp_path, instrument=TURN_INSTRUMENT, with_judges=False, key="turns")
    assert find_names(study, study.raters[0], "2.0") == ["Reply 2"] and find_names(
        study, study.raters[0], "2.1"
    ) == ["Reply 3"]
    plan_for(study, overlap=1)
    ann = Worker(study, study.raters[0], random.Random(1))
    for _ in range(2):
        ann.rate_next()
    ann.take()
    conversation_ids = [ann.shown(place)[0] for place in (1, 2, 3)]
    first_places = [str(conversation_ids.index(each) + 1) for each in dict.fromkeys(conversation_ids)]
    assert [hit.target for hit in hits(study, ann.rater, "reply")] == first_places


def test_results_are_bounded_and_the_rest_is_counted(store: Store, tmp_path: Path) -> None:
    study = small_study.make(
        store, tmp_path, conversation_count=30, raters=tuple(f"Rater {n}" for n in range(9))
    )
    with store.reading() as connection:
        groups = search_study(connection, study.study, scope_in(connection, study, None), "r")
        assert [(group.kind, len(group.hits), group.more) for group in groups] == [
            ("criterion", 1, 0),
            ("person", 5, 4),
        ]
        (units,) = search_study(connection, study.study, scope_in(connection, study, None), "reply")
        assert (units.kind, len(units.hits), units.more) == ("unit", 10, None)
        (units,) = search_study(connection, study.study, scope_in(connection, study, None), "reply 30.0")
        assert [hit.name for hit in units.hits] == ["c30"] and units.more == 0


def test_no_letter_is_a_wildcard(small: Small) -> None:
    assert (
        find_names(small, None, "%%") == find_names(small, None, "__") == find_names(small, None, "z%a") == []
    )
    assert find_names(small, None, "it_all") == ["zebra-key"]
    with small.store.reading() as connection:
        for word in ("%%", "__", "z%a"):
            matches = conversations_with(
                connection, small.study.id, [word], keys_and_facts=True, instructions=True
            )
            assert list(matches) == [], "nor does one fill what may be read of the store"


def test_letters_that_stand_in_every_file_are_not_said_to_be_nowhere(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The speakers are called `user` in what is kept of every conversation."""
    monkeypatch.setattr("services.search.CANDIDATES", 5)
    with small.store.reading() as connection:
        groups = search_study(connection, small.study, scope_in(connection, small, None), "user")
        assert [(group.kind, group.hits, group.more) for group in groups] == [("unit", (), None)]
        assert search_study(connection, small.study, scope_in(connection, small, None), "quark") == []


def test_people_are_found_by_name_or_by_all_of_their_code(small: Small) -> None:
    for name, code in zip(("Ann", "Ben"), small.codes, strict=True):
        short = code.removeprefix("Rater ").lower()
        assert find_names(small, None, code) == find_names(small, None, short) == [name]
        with small.store.reading() as connection:
            ((person,),) = [
                group.hits
                for group in search_study(connection, small.study, scope_in(connection, small, None), code)
            ]
        assert person.about == code


def test_instructions_that_a_rater_does_not_read_do_not_tell_that_they_hold_a_word(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where many conversations hold it, "too many hold these letters" would."""
    monkeypatch.setattr("services.search.CANDIDATES", 1)
    with small.store.reading() as connection:
        scope = scope_in(connection, small, small.raters[0])
        for words in ("heron", "system"):
            assert search_study(connection, small.study, scope, words) == [], words
        assert find_names(small, small.raters[0], "otter") == ["Conversation 5"]


def test_in_a_planned_study_results_stand_in_the_order_of_the_list(store: Store, tmp_path: Path) -> None:
    """Not in that of the study, which may follow the conditions."""
    study = small_study.make(store, tmp_path, conversation_count=8)
    plan_for(study, overlap=1)
    ann = Worker(study, study.raters[0], random.Random(3))
    for _ in range(5):
        ann.rate_next()
    ann.take()
    with store.reading() as connection:
        positions = [units.of_conversation(connection, ann.shown(n)[0])[0].position for n in range(1, 7)]
    assert positions != sorted(positions)
    assert find_names(study, ann.rater, "reply") == [f"Conversation {place}" for place in range(1, 7)]


@pytest.mark.parametrize(
    ("spoken", "words"),
    [
        ("в МосГазе", "мосгазе"),
        ("в мосгазе", "МОСгазе"),
        ("ему жаль", "ЖАЛЬ"),
        ("о ЖиЗни", "жизни"),
        ("Ο ΛΌΓΟΣ", "λόγος"),
        ("ο λόγος", "ΛΌΓΟΣ"),
        ("ÄrGer über ÜBUNGEN", "ärger übungen"),
        ("die Straße", "STRASSE"),
        ("die STRASSE", "straße"),
        ("die STRAẞE", "strasse"),
        ("der Fußschluss", "FUSSSCHLUSS"),
        ("Größe", "GRÖSSE"),
        ("süß", "SÜSS"),
        ("Ж*Я?Ю[Ы]", "ж*я?ю[ы]"),
        ('"жаль"', '"ЖАЛЬ"'),
        ("ĐẾN nơi", "đến NƠI"),
    ],
)
def test_words_of_any_letters_are_found_in_small_and_capital_ones(
    store: Store, tmp_path: Path, spoken: str, words: str
) -> None:
    study = small_study.make(store, tmp_path)
    arrive(study, tmp_path, [spoken_row(spoken)])
    for rater, name in ((None, "spoken"), (study.raters[0], "Conversation 5")):
        (hit,) = hits(study, rater, words)
        assert (hit.name, hit.about) == (name, f"{spoken} Tell me more, 100% of it_all")


def test_letters_beside_those_that_are_looked_for_are_not_found(small: Small, tmp_path: Path) -> None:
    arrive(small, tmp_path, [spoken_row("Öl, Maße, ^я")])
    assert find_names(small, None, "maße") == find_names(small, None, "^Я") == ["spoken"]
    for words in ("äl", "mase", "oя", "[я", "*я", "?я", "жя"):
        assert find_names(small, None, words) == [], words


def test_an_excerpt_begins_at_its_word_behind_letters_that_fold_to_two(small: Small, tmp_path: Path) -> None:
    arrive(small, tmp_path, [spoken_row("ß" * 200 + " Übung " + "ende " * 40)])
    (hit,) = hits(small, small.raters[0], "übung")
    assert hit.about.startswith("…Übung ende ende") and hit.about.endswith("ende…")


def test_words_in_quotation_marks_and_halves_of_a_character_are_looked_for(small: Small) -> None:
    assert find_names(small, None, '"o') == ["zebra-key"]
    assert find_names(small, None, "\ud800\ud801") == find_names(small, None, "otter \ud800") == []


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234", 1234),
        ("conversation 1,234", 1234),
        ("#5", 5),
        ("reply 5", 5),
        ("0005", 5),
        ("12,34", None),
        ("1,2345", None),
    ],
)
def test_a_number_is_read_as_it_is_printed(text: str, number: int | None) -> None:
    match = search._NUMBER.fullmatch(text)
    assert (int(match[1].replace(",", "")) if match else None) == number
