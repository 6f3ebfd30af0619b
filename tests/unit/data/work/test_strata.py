"""What units can be told apart by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from data import schema
from data.keeping import erase
from data.record import studies, units
from data.record.judgements import judges
from data.store.errors import Refused
from data.store.store import Store
from data.work import draws
from data.work.draws import StratumKey, read_spec
from reports.refusals import word_error
from tests.unit.data.bench import Bench


def strata_of(made: Bench, fact: str, size: int = 4) -> dict[str, int]:
    found = made.preview(method="strata", size=size, keys=[{"kind": "fact", "name": fact}])
    return {one.name: one.units for one in found.strata}


def test_facts_are_texts_and_what_is_missing_is_said(bench: Callable[..., Bench]) -> None:
    wards = bench(
        [
            {"ward": 3},
            {"ward": "3"},
            {"ward": True},
            {"ward": " a "},
            {"ward": None},
            {"ward": "  "},
            {},
            {"ward": {"b": 1, "a": [2]}},
            {"ward": "not stated"},
        ]
    )
    preview = wards.preview(method="strata", size=6, keys=[{"kind": "fact", "name": "ward"}])
    # The words "not stated" of the file are kept apart from what the file leaves out.
    assert sorted((stratum.name, stratum.units) for stratum in preview.strata) == [
        ("ward: 3", 2),
        ("ward: a", 1),
        ("ward: not stated", 1),
        ("ward: not stated", 3),
        ("ward: yes", 1),
        ('ward: {"a": [2], "b": 1}', 1),
    ]


@pytest.mark.parametrize("name", ['"', "$.a", "a.b", "Ort (groß) '; --", "\u202e"])
def test_a_fact_may_have_any_name(bench: Callable[..., Bench], name: str) -> None:
    made = bench([{name: "x"}, {name: "y"}, {"other": "z"}])
    assert strata_of(made, name, 3) == {f"{name}: x": 1, f"{name}: y": 1, f"{name}: not stated": 1}
    with made.store.reading() as connection:
        assert (StratumKey(kind="fact", name=name), f"The conversation's {name}") in draws.keys(
            connection, made.study
        )


def test_thirty_values_make_strata_and_thirty_one_do_not(bench: Callable[..., Bench]) -> None:
    made = bench([{"case": number, "bed": number % 30} for number in range(31)] + [{}])
    assert len(strata_of(made, "bed", 32)) == 31
    with pytest.raises(Refused, match="too_many_values"):
        strata_of(made, "case", 32)
    with made.store.reading() as connection:
        assert [key.name for key, _ in draws.keys(connection, made.study)] == ["bed"]


def test_a_long_value_is_cut_in_the_name_alone(bench: Callable[..., Bench]) -> None:
    made = bench([{"a": "x" * 100 + end} for end in "12"])
    found = made.preview(method="strata", size=2, keys=[{"kind": "fact", "name": "a"}])
    assert [(one.name, one.units) for one in found.strata] == [(f"a: {'x' * 60}…", 1)] * 2


def test_an_erased_conversation_is_in_a_stratum_of_its_own_and_its_old_chance_stays(
    sites: Bench, store: Store
) -> None:
    site = {"kind": "fact", "name": "site"}
    sites.draw(method="strata", size=20, keys=[site])
    before = sites.chances()
    with store.writing("lead", "erase", sites.study.id) as (connection, entry):
        erase.erase_conversation(connection, entry, sites.study, "c38", "asked for")
    assert sites.chances() == before
    preview = sites.preview(method="strata", size=10, keys=[site])
    assert {stratum.name: stratum.units for stratum in preview.strata} == {
        "site: north": 24,
        "site: south": 12,
        "site: west": 3,
        "site: erased": 1,
    }
    sites.draw(method="strata", size=10, keys=[site])
    assert sites.standing().unreachable == 0


def test_what_a_study_offers_in_words(sites: Bench) -> None:
    with sites.store.reading() as connection:
        found = draws.keys(connection, sites.study)
    assert [words for _, words in found] == [
        f"What {judge} said on {criterion}"
        for judge in ("Judge A", "Judge B")
        for criterion in ("Warm", "Safe", "Crisis")
    ] + ["The conversation's site"]
    for key, _ in found:
        sites.preview(method="strata", size=20, keys=[key.model_dump()])


def test_two_judges_of_one_name_are_told_apart(sites: Bench) -> None:
    with sites.store.writing("tests", "judge", sites.study.id) as (connection, entry):
        judge_id = entry.write(
            schema.judge,
            {
                "study_id": sites.study.id,
                "key": "abcdef123456",
                "name": "Judge A",
                "identity": "{}",
                "sha256": "a" * 64,
            },
        )
        entry.write(
            schema.judgement,
            {
                "study_id": sites.study.id,
                "unit_id": sites.unit_id(1),
                "judge_id": judge_id,
                "criterion": "safe",
                "status": "ok",
                "label": "NO",
                "cited": "[]",
                "anchor_round": 0,
                "replicate": 0,
                "origin": "import",
                "file": "tests",
            },
        )
    with sites.store.reading() as connection:
        words = [name for _, name in draws.keys(connection, sites.study)]
    assert len(set(words)) == len(words)
    assert "What Judge A (abcdef) said on Safe" in words


def test_the_first_verdict_counts_and_replicates_do_not(sites: Bench) -> None:
    key = {"kind": "label", "name": "safe", "judge": sites.judges["Judge A"]}
    again = [
        {"conversation_id": "c5", "criterion": "safe", "label": "YES", "replicate": 1},
        {"conversation_id": "c1", "criterion": "safe", "label": "NO", "replicate": 1},
    ]
    sites.judge("Judge A", again)
    assert {
        stratum.name: stratum.units for stratum in sites.preview(method="strata", size=9, keys=[key]).strata
    } == {
        "Judge A on Safe: Yes": 31,
        "Judge A on Safe: No": 8,
        "Judge A on Safe: no answer": 1,
    }


def test_turns_are_told_apart_by_the_strategies_they_declare(sample_store: Store) -> None:
    with sample_store.reading() as connection:
        study = studies.find(connection, "plan_demo")
        assert study is not None
        offered = draws.keys(connection, study)
        turns = units.by_ids(connection, units.ids(connection, study.id))
        judge = judges(connection, study.id)[0]
        criteria = (
            connection.execute(
                select(schema.judgement.c.criterion).where(schema.judgement.c.judge_id == judge.id).distinct()
            )
            .scalars()
            .all()
        )
    strategies = {strategy for unit in turns for strategy in unit.declared}
    assert strategies
    assert (
        {key.name for key, _ in offered if key.kind == "declared"}
        == strategies
        == {key.name for key, _ in offered if key.kind == "label"}
    )
    with sample_store.reading() as connection:
        for strategy in strategies:
            preview = draws.preview(
                connection,
                study,
                read_spec({"method": "strata", "size": 2, "keys": [{"kind": "declared", "name": strategy}]}),
            )
            declares = sum(strategy in unit.declared for unit in turns)
            assert [stratum.units for stratum in preview.strata] == [
                number for number in (declares, len(turns) - declares) if number
            ]
        preview = draws.preview(
            connection,
            study,
            read_spec(
                {
                    "method": "strata",
                    "size": 9,
                    "keys": [{"kind": "label", "name": criteria[0], "judge": judge.id}],
                }
            ),
        )
        assert sum(stratum.units for stratum in preview.strata) == len(turns)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ({"method": "random"}, "Say how many are to be selected."),
        ({"method": "random", "size": 0}, "How many in all: expected 1 or more, found 0."),
        ({"method": "random", "size": "many"}, "How many in all: expected a whole number, found 'many'."),
        ({"method": "all", "size": 5}, "A size can only be set for a random selection."),
        (
            {"method": "strata", "size": 5},
            "The groups are made of one to three different things; choose them.",
        ),
        (
            {"method": "strata", "size": 5, "keys": [{"kind": "fact", "name": n} for n in "abcd"]},
            "The groups are made of one to three different things; choose them.",
        ),
        (
            {"method": "strata", "size": 5, "keys": [{"kind": "fact", "name": "a"}] * 2},
            "The groups are made of one to three different things; choose them.",
        ),
        (
            {"method": "strata", "size": 5, "keys": [{"kind": "label", "name": "a"}]},
            "A label needs the judge who gave it.",
        ),
        (
            {"method": "strata", "size": 5, "keys": [{"kind": "fact", "name": "a", "judge": 1}]},
            "Only a label has a judge.",
        ),
        (
            {"method": "strata", "size": 5, "keys": [{"kind": "fact", "name": "a"}], "random_share": 0.01},
            "The share that goes to every group by its size: expected 0.05 or more, found 0.01.",
        ),
        (
            {"method": "random", "size": 5, "keys": [{"kind": "fact", "name": "a"}]},
            "Groups are only for selecting by groups.",
        ),
        ({"method": "certain"}, "Say which judge's failing labels are to be selected."),
        ({"method": "all", "certain": {}}, "What is selected in any case goes with a selection at random."),
        (
            {"method": "random", "size": 5, "positions": "3"},
            "Numbers are named only where they are chosen by hand.",
        ),
        ({"method": "chosen"}, "Say which, by their numbers, such as 3, 7, 20-25."),
        (
            {"method": "chosen", "positions": "3, x7"},
            "“x7” cannot be read; write numbers and ranges such as 3, 7, 20-25.",
        ),
        (
            {"method": "chosen", "positions": "3 7"},
            "“3 7” cannot be read; write numbers and ranges such as 3, 7, 20-25.",
        ),
        (
            {"method": "chosen", "positions": "-3"},
            "“-3” cannot be read; write numbers and ranges such as 3, 7, 20-25.",
        ),
        ({"method": "chosen", "positions": "0"}, "Numbers begin at 1."),
        ({"method": "chosen", "positions": "25-20"}, "25-20 runs backwards; write 20-25."),
        (
            {"method": "lottery"},
            "The way of selecting: expected 'all', 'random', 'strata', 'certain' or 'chosen', found 'lottery'.",
        ),
        (
            {"method": "random", "size": 5, "sise": 6},
            "The selection: there is no such field; check its spelling.",
        ),
    ],
)
def test_what_is_asked_wrongly_is_said_in_words(spec: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused) as refusal:
        read_spec(spec)
    assert word_error(refusal.value) == said
