"""Draws of a study: who is taken, with which chance, what is on record, what is refused."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, func, select

from data import schema
from data.exporters import csv_cells, drawn_units
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import units
from data.store import content
from data.store.errors import Refused
from data.store.store import Store
from data.work import draws
from data.work.draw_record import inclusion_of, past_draws
from data.work.draws import read_spec
from reports.refusals import word_error, word_notice
from tests.unit.data.bench import Bench

SITE = {"kind": "fact", "name": "site"}


def by_stratum(made: list[draws.Stratum], what: str) -> dict[str, Any]:
    return {one.name: getattr(one, what) for one in made}


def test_everything_is_drawn_with_chance_one(sites: Bench) -> None:
    made = sites.draw(method="all")
    found = sites.chances()
    assert sorted(found) == list(range(1, 41))
    assert {(one.chance, one.why, one.stratum, one.draw) for one in found.values()} == {
        (1.0, "all", "Every conversation", 1)
    }
    assert sorted(one.place for one in found.values()) == list(range(1, 41))
    assert sites.positions(made) != list(range(1, 41))


def test_a_random_draw_gives_each_unit_the_share_that_was_asked_for(sites: Bench) -> None:
    made = sites.draw(method="random", size=10)
    assert len(made.unit_ids) == 10
    assert {(one.chance, one.why) for one in sites.chances().values()} == {(0.25, "random")}


def test_strata_are_drawn_by_size(sites: Bench) -> None:
    made = sites.draw(method="strata", size=20, keys=[SITE])
    assert by_stratum(made.strata, "taken") == {"site: north": 12, "site: south": 6, "site: west": 2}
    assert {one.chance for one in sites.chances().values()} == {0.5}
    assert {one.stratum for position, one in sites.chances().items() if position > 36} == {"site: west"}


def test_strata_are_drawn_as_even_as_they_allow(sites: Bench) -> None:
    made = sites.draw(method="strata", size=20, keys=[SITE], allocation="equal")
    assert by_stratum(made.strata, "taken") == {"site: north": 8, "site: south": 8, "site: west": 4}
    assert {(one.stratum, one.chance) for one in sites.chances().values()} == {
        ("site: north", 8 / 24),
        ("site: south", 8 / 12),
        ("site: west", 1.0),
    }


def test_two_keys_make_the_strata_that_there_are(sites: Bench) -> None:
    preview = sites.preview(
        method="strata",
        size=20,
        keys=[SITE, {"kind": "label", "name": "safe", "judge": sites.judges["Judge A"]}],
    )
    assert by_stratum(preview.strata, "units") == {
        "site: north; Judge A on Safe: Yes": 19,
        "site: north; Judge A on Safe: No": 4,
        "site: north; Judge A on Safe: no answer": 1,
        "site: south; Judge A on Safe: Yes": 9,
        "site: south; Judge A on Safe: No": 3,
        "site: west; Judge A on Safe: Yes": 3,
        "site: west; Judge A on Safe: No": 1,
    }
    assert preview.notices == []


def test_what_no_judge_read_is_a_stratum_and_the_lead_is_told(sites: Bench) -> None:
    made = sites.preview(
        method="strata", size=10, keys=[{"kind": "label", "name": "safe", "judge": sites.judges["Judge B"]}]
    )
    assert by_stratum(made.strata, "units") == {"Judge B on Safe: Yes": 39, "Judge B on Safe: not judged": 1}
    assert word_notice(made.notices[0]).startswith(
        "1 of 40 conversations was not judged by Judge B on Safe. Let the judge finish"
    )


def test_failures_of_the_gate_and_of_the_judge_are_taken_in_addition(sites: Bench) -> None:
    made = sites.draw(method="random", size=10, certain={"judge": sites.judges["Judge A"]})
    found = sites.chances()
    unsafe = {5, 7, 10, 15, 20, 25, 30, 35, 40}
    assert {position for position, one in found.items() if one.why == "certain"} == unsafe
    assert len(made.unit_ids) == 19
    assert {(one.why, one.chance) for one in found.values()} == {("certain", 1.0), ("random", 10 / 31)}
    assert made.strata[0].name == "Judge A failed it on safety or gave no answer"


def test_any_judge_can_make_a_unit_certain(sites: Bench) -> None:
    sites.judge(
        "Judge C",
        [
            {"conversation_id": "c1", "criterion": "safe", "label": "NA"},
            {"conversation_id": "c2", "criterion": "crisis", "label": "NA"},
            {"conversation_id": "c3", "criterion": "warm", "label": "NO"},
            {"conversation_id": "c4", "criterion": "warm", "status": "truncated"},
        ],
    )
    sites.draw(method="certain", certain={})
    # "Does not apply" fails where it is invalid, not elsewhere; a NO outside the gate is no failure of
    # safety; a call that failed counts anywhere.
    assert sorted(sites.chances()) == [1, 4, 5, 7, 10, 15, 20, 25, 30, 35, 40]


def test_a_failure_that_was_asked_again_and_answered_is_not_certain(sites: Bench) -> None:
    with sites.store.writing("worker", "judge", sites.study.id) as (_, entry):
        entry.write(
            schema.judgement,
            {
                "study_id": sites.study.id,
                "unit_id": sites.unit_id(7),
                "judge_id": sites.judges["Judge A"],
                "criterion": "safe",
                "status": "ok",
                "label": "YES",
                "cited": "[]",
                "anchor_round": 0,
                "replicate": 0,
                "origin": "import",
                "file": "tests",
            },
        )
    sites.draw(method="certain", certain={"judge": sites.judges["Judge A"]})
    assert 7 not in sites.chances()


def test_units_are_chosen_by_number_without_a_chance(sites: Bench) -> None:
    made = sites.draw(method="chosen", positions="3, 7, 20-22\n30 – 31; 3")
    assert sorted(sites.positions(made)) == [3, 7, 20, 21, 22, 30, 31]
    assert {(one.chance, one.why, one.stratum) for one in sites.chances().values()} == {
        (None, "chosen", "Chosen by hand")
    }


def test_what_was_chosen_stays_chosen_and_is_out_of_later_frames(sites: Bench) -> None:
    sites.draw(method="chosen", positions="1-4")
    draw = sites.draw(method="all")
    assert (len(draw.unit_ids), draw.strata[0].units) == (36, 36)
    assert {inclusion.chance for position, inclusion in sites.chances().items() if position <= 4} == {None}
    with sites.store.reading() as connection:
        frames = [past_draw.frame.tolist() for past_draw in past_draws(connection, sites.study.id)]
        assert frames == [[-1] * 40, [-1] * 4 + [0] * 36]
        assert connection.execute(
            select(schema.draw.c.frame).where(schema.draw.c.number == 2)
        ).scalar_one() == json.dumps([None] * 4 + [0] * 36, separators=(",", ":"))


def test_a_second_draw_with_the_same_strata_takes_exactly_what_is_wanted_from_the_rest(sites: Bench) -> None:
    first = sites.draw(method="strata", size=20, keys=[SITE])
    second = sites.draw(method="strata", size=10, keys=[SITE], allocation="equal", random_share=0.05)
    assert not set(first.unit_ids) & set(second.unit_ids)
    assert by_stratum(second.strata, "left") == {"site: north": 12, "site: south": 6, "site: west": 2}
    assert (
        by_stratum(second.strata, "taken")
        == by_stratum(second.strata, "wanted")
        == {"site: north": 4, "site: south": 4, "site: west": 2}
    )
    inclusions = sites.chances()
    assert {inclusion.stratum: inclusion.chance for inclusion in inclusions.values()} == {
        "site: north": pytest.approx(1 - 0.5 * (1 - 4 / 12)),
        "site: south": pytest.approx(1 - 0.5 * (1 - 4 / 6)),
        "site: west": 1.0,
    }
    assert sorted(inclusion.place for inclusion in inclusions.values()) == list(range(1, 31))
    assert {inclusion.draw for inclusion in inclusions.values() if inclusion.place <= 20} == {1}


def test_what_was_drawn_before_gets_a_row_with_its_new_chance_at_its_old_place(sites: Bench) -> None:
    sites.draw(method="random", size=10)
    before = sites.chances()
    sites.draw(method="random", size=15)
    with sites.store.reading() as connection:
        rows = connection.execute(
            select(schema.drawn).where(schema.drawn.c.draw_id == 2).order_by(schema.drawn.c.id)
        ).all()
        places = sites.places(connection)
    again = {places[row.unit_id]: row for row in rows if not row.fresh}
    assert again.keys() == before.keys()
    assert all(
        (row.place, row.why, row.chance) == (before[position].place, "random", pytest.approx(1 - 0.75 * 0.5))
        for position, row in again.items()
    )
    assert sum(row.fresh for row in rows) == 15
    assert {inclusion.chance for inclusion in sites.chances(up_to=1).values()} == {0.25}
    assert sites.chances(up_to=1) == before


def test_nobody_whose_chance_stays_gets_another_row(sites: Bench) -> None:
    sites.draw(method="certain", certain={})
    sites.draw(method="all")
    with sites.store.reading() as connection:
        assert connection.execute(select(func.count()).where(schema.drawn.c.fresh == 0)).scalar_one() == 0
    sites.arrive([{"site": "north"}])
    sites.draw(method="all")
    assert {one.chance for one in sites.chances().values()} == {1.0}


def test_with_other_strata_the_number_taken_rests_on_what_is_really_left(sites: Bench) -> None:
    sites.draw(method="random", size=20, seed=1)
    preview = sites.preview(method="strata", size=8, keys=[SITE])
    assert by_stratum(preview.strata, "wanted") == {"site: north": 5, "site: south": 2, "site: west": 1}
    assert by_stratum(preview.strata, "fraction") == {
        "site: north": 5 / 12,
        "site: south": 2 / 6,
        "site: west": 1 / 2,
    }
    left = by_stratum(preview.strata, "left")
    assert left["site: south"] >= 3, "with fewer left, none may be taken"
    second = sites.draw(method="strata", size=8, keys=[SITE])
    for stratum in second.strata:
        exact = (stratum.fraction or 0) * left[stratum.name]
        assert stratum.taken in (math.floor(exact + 1e-9), math.ceil(exact - 1e-9))
    assert {
        inclusion.stratum: inclusion.chance for inclusion in sites.chances().values() if inclusion.draw == 2
    }["site: south"] == pytest.approx(1 - 0.5 * (1 - 2 / 6))


def test_units_that_arrived_later_had_no_chance_before(sites: Bench) -> None:
    sites.draw(method="random", size=20)
    sites.arrive([{"site": "east"}] * 10)
    assert sites.standing().came_after == 10
    made = sites.draw(method="random", size=15)
    assert len(made.unit_ids) == 15
    assert {position > 40: round(one.chance or 0, 9) for position, one in sites.chances().items()} == {
        False: 0.75,
        True: 0.5,
    }


def test_practice_and_units_shown_again_are_in_no_draw(sites: Bench) -> None:
    sites.gold(1)
    sites.calibrate(2)
    again = sites.repeat(40)
    made = sites.draw(method="all")
    assert sorted(sites.positions(made)) == list(range(3, 41))
    assert again not in made.unit_ids
    with sites.store.reading() as connection:
        assert past_draws(connection, sites.study.id)[0].frame.tolist() == [-1, -1] + [0] * 38


def test_a_draw_says_what_its_preview_said(sites: Bench) -> None:
    spec: dict[str, Any] = {
        "method": "strata",
        "size": 13,
        "keys": [SITE],
        "allocation": "equal",
        "certain": {"judge": None},
    }
    for _ in range(2):
        seen = sites.preview(**spec)
        draw = sites.draw(seen=seen.seen_number, **spec)
        assert [
            (stratum.name, stratum.units, stratum.left, stratum.wanted, stratum.fraction)
            for stratum in seen.strata
        ] == [
            (stratum.name, stratum.units, stratum.left, stratum.wanted, stratum.fraction)
            for stratum in draw.strata
        ]
        assert len(draw.unit_ids) in (math.floor(seen.expected), math.ceil(seen.expected))
        spec["size"] = 5


def test_a_preview_writes_nothing(sites: Bench, row_counts: Callable[[], dict[str, Any]]) -> None:
    before = row_counts()
    sites.preview(method="random", size=5)
    assert row_counts() == before


def test_the_seed_is_kept_and_gives_the_same_units_again(bench: Callable[..., Bench]) -> None:
    facts = [{"site": "north" if number % 3 else "south"} for number in range(60)]
    first, other = bench(facts, key="one"), bench(facts, key="other")
    spec: dict[str, Any] = {"method": "strata", "size": 12, "keys": [SITE]}
    first_draw = first.draw(**spec)
    again, third = other.draw(seed=first_draw.seed, **spec), first.draw(**spec)
    assert other.positions(again) == first.positions(first_draw)
    assert third.seed != first_draw.seed
    with first.store.reading() as connection:
        assert [draw.seed for draw in past_draws(connection, first.study.id)] == [
            str(first_draw.seed),
            str(third.seed),
        ]


def test_the_record_holds_what_was_asked_and_the_strata(sites: Bench) -> None:
    draw = sites.draw(method="strata", size=20, keys=[SITE])
    with sites.store.reading() as connection:
        record = past_draws(connection, sites.study.id)[0]
        row = connection.execute(select(schema.draw)).one()
        body = json.loads(content.get(connection, row.body_content) or "")
    assert (record.strata, record.spec, record.method) == (
        draw.strata,
        read_spec({"method": "strata", "size": 20, "keys": [SITE]}),
        "strata",
    )
    assert body["names"][2] == "site: west"
    assert json.loads(row.strata)[2] == {
        "why": "stratum",
        "units": 4,
        "left": 4,
        "wanted": 2.0,
        "fraction": 0.5,
        "taken": 2,
    }


def test_what_judges_say_later_changes_no_chance(sites: Bench) -> None:
    sites.draw(
        method="strata", size=20, keys=[{"kind": "label", "name": "safe", "judge": sites.judges["Judge B"]}]
    )
    before = sites.chances(), sites.standing().reachable, sites.standing().weighted
    sites.judge("Judge B", [{"conversation_id": "c40", "criterion": "safe", "label": "NO"}])
    assert (sites.chances(), sites.standing().reachable, sites.standing().weighted) == before


def test_the_trail_verifies_after_draws_and_tells_of_a_changed_chance(sites: Bench, raw: Any) -> None:
    sites.draw(method="random", size=10)
    sites.draw(method="strata", size=10, keys=[SITE], certain={})
    sites.draw(method="chosen", positions=str(next(n for n in range(1, 41) if n not in sites.chances())))
    with sites.store.reading() as connection:
        assert verify(connection).problems == []
    raw.execute("DROP TRIGGER drawn_no_update")
    raw.execute("UPDATE drawn SET chance = 0.9 WHERE id = 1")
    with sites.store.reading() as connection:
        assert verify(connection).problems == [
            "the guard drawn_no_update is missing",
            "drawn: the rows of entry 5 were altered, added to or taken away",
        ]


def test_another_study_is_not_touched(bench: Callable[..., Bench]) -> None:
    one, other = bench([{}] * 5, key="one"), bench([{}] * 5, key="other")
    one.draw(method="all")
    assert other.chances() == {}
    assert sorted(other.positions(other.draw(method="random", size=5))) == [1, 2, 3, 4, 5]


def test_more_units_take_no_more_questions(bench: Callable[..., Bench]) -> None:
    counts = []
    for count in (30, 90):
        study = bench(
            [{"site": number % 3} for number in range(count)],
            {"Judge A": [{"conversation_id": "c1", "criterion": "safe", "label": "NO"}]},
            key=f"of{count}",
        )
        spec: dict[str, Any] = {
            "method": "strata",
            "size": count // 3,
            "keys": [SITE, {"kind": "label", "name": "safe", "judge": study.judges["Judge A"]}],
            "certain": {},
        }
        study.draw(**spec)
        asked: list[str] = []

        def note(_connection: Any, _cursor: Any, statement: str, *_: Any, into: list[str] = asked) -> None:
            into.append(statement)

        event.listen(study.store._engine, "before_cursor_execute", note)
        study.draw(**spec)
        study.chances()
        study.standing()
        event.remove(study.store._engine, "before_cursor_execute", note)
        counts.append(len(asked))
    assert counts[0] == counts[1] > 5


# Refusals


def test_a_second_click_draws_nothing(sites: Bench, row_counts: Callable[[], dict[str, Any]]) -> None:
    seen = sites.preview(method="all").seen_number
    sites.draw(seen=seen, method="all")
    before = row_counts()
    with pytest.raises(Refused, match="draw_made_meanwhile"):
        sites.draw(seen=seen, method="all")
    assert row_counts() == before


def test_nothing_is_left(sites: Bench) -> None:
    sites.draw(method="all")
    for spec in ({"method": "all"}, {"method": "random", "size": 1}, {"method": "certain", "certain": {}}):
        with pytest.raises(Refused, match="nothing_left_to_draw"):
            sites.preview(**spec)


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        (
            {"method": "random", "size": 41},
            "41 conversations were asked for, and only 40 are left to select. Ask for 40 or fewer.",
        ),
        (
            {"method": "random", "size": 32, "certain": {}},
            "32 conversations were asked for, and only 31 are left to select beside those selected in any "
            "case. Ask for 31 or fewer.",
        ),
        (
            {"method": "strata", "size": 2, "keys": [SITE]},
            "There are 3 groups, and 2 conversations can't be selected from all of them. Select 3 or more",
        ),
        (
            {"method": "strata", "size": 9, "keys": [{"kind": "fact", "name": "ward"}]},
            "No conversation states 'ward'.",
        ),
        (
            {"method": "strata", "size": 9, "keys": [{"kind": "label", "name": "kind", "judge": 1}]},
            "Gated rubric has no criterion 'kind'.",
        ),
        (
            {"method": "strata", "size": 9, "keys": [{"kind": "declared", "name": "x"}]},
            "No conversation of the study declares 'x'.",
        ),
        (
            {"method": "chosen", "positions": "3, 41"},
            "There is no conversation 41: the study has 40 conversations.",
        ),
        ({"method": "chosen", "positions": "3-999999999"}, "There is no conversation 999999999"),
    ],
)
def test_what_does_not_fit_is_refused_with_the_numbers(sites: Bench, spec: dict[str, Any], said: str) -> None:
    with pytest.raises(Refused) as refusal:
        sites.preview(**spec)
    assert word_error(refusal.value).startswith(said)


def test_a_judge_of_another_study_is_refused(bench: Callable[..., Bench], sites: Bench) -> None:
    other = bench(
        [{}] * 5, {"Judge Z": [{"conversation_id": "c1", "criterion": "safe", "label": "NO"}]}, key="other"
    )
    for spec in (
        {"method": "certain", "certain": {"judge": other.judges["Judge Z"]}},
        {
            "method": "strata",
            "size": 9,
            "keys": [{"kind": "label", "name": "safe", "judge": other.judges["Judge Z"]}],
        },
    ):
        with pytest.raises(Exception, match="judge_said_nothing_here"):
            sites.preview(**spec)


def test_what_was_drawn_or_is_practice_cannot_be_chosen(sites: Bench) -> None:
    sites.gold(1)
    drawn = sites.positions(sites.draw(method="random", size=1))[0]
    with pytest.raises(Refused, match="drawn_before") as refused:
        sites.preview(method="chosen", positions=str(drawn))
    assert refused.value.facts == {"unit": f"Conversation {drawn}"}
    with pytest.raises(Refused, match="position_for_practice"):
        sites.preview(method="chosen", positions="1")


def test_no_failure_is_nothing_certain(sites: Bench) -> None:
    with pytest.raises(Refused, match="group_used_up"):
        sites.preview(method="certain", certain={"judge": sites.judges["Judge B"]})


def test_a_study_without_units_has_nothing_to_draw(bench: Callable[..., Bench]) -> None:
    with pytest.raises(Refused, match="study_empty"):
        bench([]).preview(method="all")


def test_once_the_words_of_a_draw_are_erased_its_numbers_stay_and_further_draws_rest_on_them(
    sites: Bench, store: Store
) -> None:
    sites.draw(method="random", size=10)
    with store.writing("lead", "erase", sites.study.id) as (connection, entry):
        content.erase(
            entry,
            connection,
            connection.execute(select(schema.draw.c.body_content)).scalar_one(),
            "asked for",
        )
    assert {(inclusion.chance, inclusion.stratum) for inclusion in sites.chances().values()} == {
        (0.25, "erased")
    }
    assert [stratum.fraction for stratum in sites.preview(method="random", size=10).strata] == [
        pytest.approx(1 / 3)
    ]
    assert [(stratum.name, stratum.units, stratum.taken) for stratum in sites.standing().draws[0].strata] == [
        ("erased", 40, 10)
    ]
    with sites.store.reading() as connection:
        assert verify(connection).problems == []


def test_every_drawn_unit_is_written_with_its_reason_and_chance(sites: Bench, tmp_path: Path) -> None:
    with sites.store.reading() as connection, pytest.raises(Refused, match="nothing_drawn_yet"):
        drawn_units.write(connection, sites.study, tmp_path / "no.csv")
    sites.draw(
        method="strata",
        size=8,
        keys=[{"kind": "fact", "name": "site"}],
        certain={"judge": sites.judges["Judge A"]},
    )
    sites.draw(method="random", size=5)
    with sites.store.reading() as connection:
        count = drawn_units.write(connection, sites.study, tmp_path / "drawn.csv")
        inclusions = draws.chances(connection, sites.study.id)
        assert {
            unit_id: inclusion_of(connection, unit_id) for unit_id in units.ids(connection, sites.study.id)
        } == {unit_id: inclusions.get(unit_id) for unit_id in units.ids(connection, sites.study.id)}
        with pytest.raises(FileExistsError):
            drawn_units.write(connection, sites.study, tmp_path / "drawn.csv")
    with (tmp_path / "drawn.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert count == len(rows) == len(inclusions)
    assert {int(row["unit"]): (float(row["chance"]), row["why"]) for row in rows} == {
        p: (inclusion.chance, inclusion.why) for p, inclusion in sites.chances().items()
    }


@pytest.mark.parametrize(
    ("text", "shown"),
    [("=1+1", "'=1+1"), ("@x", "'@x"), ("-2+3", "'-2+3"), ("-2.5", "-2.5"), ("plain", "plain"), ("", "")],
)
def test_no_cell_is_a_formula(text: str, shown: str) -> None:
    assert csv_cells.cell(text) == shown


def test_names_of_groups_are_erased_with_the_last_conversation_that_states_them(
    bench: Callable[..., Bench], store: Store
) -> None:
    patients = bench(
        [{"patient": "Mary Smith"}, {"patient": "Mary Smith"}, {"patient": "Bob"}, {"patient": "Bob"}, {}]
    )
    patients.draw(method="strata", size=3, keys=[{"kind": "fact", "name": "patient"}])
    patients.draw(method="random", size=1)
    before = patients.chances()

    def erase(key: str) -> None:
        with store.writing("lead", "erase", patients.study.id) as (connection, entry):
            erase_conversation(connection, entry, patients.study, key, "consent withdrawn")

    def kept() -> str:
        with store.reading() as connection:
            return " ".join(
                connection.execute(
                    select(schema.content.c.text).where(schema.content.c.text.is_not(None))
                ).scalars()
            )

    erase("c5")
    erase("c1")
    assert "Mary Smith" in {
        name.removeprefix("patient: ")
        for name in (stratum.name for stratum in patients.standing().draws[0].strata)
    }
    erase("c2")
    assert "Mary Smith" not in kept() and "Bob" in kept()
    assert {stratum.name for stratum in patients.standing().draws[0].strata} == {"erased"}
    assert {place: inclusion.chance for place, inclusion in patients.chances().items()} == {
        place: inclusion.chance for place, inclusion in before.items()
    }
    assert patients.standing().draws[1].strata[0].name == "Every conversation"
    patients.draw(method="all")
    with store.reading() as connection:
        assert verify(connection).problems == []
