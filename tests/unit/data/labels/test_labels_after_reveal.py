"""Blind label, judge shown, label since: what counts as a reveal."""

from __future__ import annotations

from collections.abc import Callable

from data import schema
from data.importers.imported_judgements import add_judgements
from data.importers.report import ImportReport
from data.labels.labels_after_reveal import Reveals, read_reveals
from data.record import judgements
from data.record.judgements import JudgeIdentity
from scoring.agreement.people.anchoring import anchoring
from tests.studies.small_study import INSTRUMENT, Desk, Small

ORDINAL = INSTRUMENT.replace("kind: nominal", "kind: ordinal").replace(
    '{id: "YES", name: "Yes", key: y, value: 1}\n      - {id: "NO", name: "No", key: n, value: 0}',
    '{id: "low", name: "Low", key: "1", value: 1}\n      - {id: "mid", name: "Mid", key: "2", value: 5}\n   '
    '   - {id: "high", name: "High", key: "3", value: 6}',
)


def of(small: Small, judge: int = 0) -> Reveals:
    with small.store.reading() as connection:
        return read_reveals(connection, small.study, judgements.judges(connection, small.study.id)[judge].id)


def seen(small: Small, judge: int = 0) -> dict[str, tuple[str, str, str]]:
    return {one.criterion: (one.before, one.judge, one.after) for one in of(small, judge).reveals}


def judged(small: Small, name: str, label: str = "NO", position: int = 2) -> None:
    report = ImportReport("judge")
    rows = [
        (n, {"conversation_id": f"c{position}", "criterion": name_of, "label": label})
        for n, name_of in enumerate(("warm", "safe", "deep"), start=1)
    ]
    with small.store.writing("tests", "judge", small.study.id) as (connection, entry):
        add_judgements(connection, entry, small.study, rows, report, JudgeIdentity(name), "tests")
        report.raise_if_wrong()


def rated(desk: Desk, position: int = 2, label: str = "NO") -> Desk:
    desk.rate(position, label)
    desk.reveal(position)
    return desk


def test_what_was_changed_and_what_was_kept(small: Small) -> None:
    desk = rated(small.desk())
    desk.change(2, "warm", "YES")
    assert seen(small) == {
        "warm": ("NO", "YES", "YES"),
        "safe": ("NO", "YES", "NO"),
        "deep": ("NO", "YES", "NO"),
    }
    assert {(reveal.conversation, reveal.rater) for reveal in of(small).reveals} == {
        (desk.unit(2).conversation_id, desk.rater)
    }
    anchoring_index = anchoring(of(small).reveals, of(small).levels).together
    assert (
        anchoring_index.reveals,
        anchoring_index.toward,
        anchoring_index.away,
        anchoring_index.index.value,
    ) == (3, 1, 0, 1 / 3)


def test_a_label_that_was_not_revealed_is_no_reveal(small: Small) -> None:
    small.desk().rate(2, "NO")
    assert of(small) == Reveals([], {}, 0)


def test_a_failure_of_the_judge_shows_no_label(small: Small) -> None:
    """Judge B failed on "safe" of c2."""
    rated(small.desk())
    assert set(seen(small, 1)) == {"warm", "deep"}


def test_what_a_rule_filled_in_was_nobodys_label(small: Small) -> None:
    rated(small.desk(), 1)
    assert set(seen(small)) == {"warm", "safe"}


def test_a_slip_that_was_mended_before_the_reveal_is_no_move(small: Small) -> None:
    desk = small.desk()
    desk.rate(2, "NO")
    desk.change(2, "warm", "YES")
    desk.reveal(2)
    assert seen(small)["warm"] == ("YES", "YES", "YES")


def test_of_several_changes_the_last_holds(small: Small) -> None:
    desk = rated(small.desk())
    desk.change(2, "warm", "YES")
    desk.change(2, "warm", "NA")
    assert seen(small)["warm"] == ("NO", "YES", "NA")


def test_a_label_that_was_not_blind_is_in_no_reveal(small: Small) -> None:
    desk = small.desk()
    desk.open_page()
    rated(desk)
    ben = small.desk(1)
    ben.rate(2, "NO")
    ben.open_page()
    ben.change(2, "warm", "YES")  # after another page, before the reveal
    ben.reveal(2)
    assert {(reveal.rater, reveal.criterion) for reveal in of(small).reveals} == {
        (ben.rater, "safe"),
        (ben.rater, "deep"),
    }


def test_open_review_has_no_reveals(make_study: Callable[..., Small]) -> None:
    small = make_study(review="open")
    small.desk().reveal(2)
    small.desk().rate(2)
    assert of(small).reveals == []


def test_cannot_rate_moves_nowhere_and_is_counted(small: Small) -> None:
    desk = small.desk()
    desk.draft_all(2)
    desk.draft(2, "safe", None, cannot_rate="other")
    desk.commit(2)
    desk.reveal(2)
    desk.change(2, "warm", None, cannot_rate="other")
    assert (set(seen(small)), of(small).without_label) == ({"deep"}, 2)


def test_practice_is_no_reveal(small: Small) -> None:
    desk = rated(small.desk())
    with small.store.writing("tests", "gold", small.study.id) as (_, entry):
        entry.write(
            schema.gold_label,
            {"unit_id": desk.unit(2).id, "criterion": "warm", "label": "YES", "said_by": "E"},
        )
    assert of(small).reveals == []


def test_a_judge_that_came_later_gets_what_was_changed_after_it_and_the_first_does_not(small: Small) -> None:
    desk = rated(small.desk())
    desk.change(2, "warm", "YES")
    judged(small, "Judge C")
    desk.reveal(2)
    desk.change(2, "safe", "YES")
    assert (seen(small)["warm"], seen(small)["safe"]) == (("NO", "YES", "YES"), ("NO", "YES", "NO"))
    assert seen(small, 2) == {
        "safe": ("NO", "NO", "YES"),
        "deep": ("NO", "NO", "NO"),
    }  # warm was not blind any more


def test_on_an_ordered_scale_a_level_is_a_step_whatever_it_counts(make_study: Callable[..., Small]) -> None:
    small = make_study(instrument=ORDINAL, with_judges=False)
    judged(small, "Judge", "mid")
    desk = rated(small.desk(), label="low")
    desk.change(2, "warm", "high")
    desk.change(2, "safe", "mid")
    assert of(small).levels["warm"] == {"low": 1, "mid": 2, "high": 3}
    found = anchoring(of(small).reveals, of(small).levels).together
    assert (found.toward, found.away, found.aside) == (1, 0, 1)


def test_a_label_that_the_judge_gave_after_it_was_shown_was_not_on_the_screen(small: Small) -> None:
    """Judge B failed on "safe" of c2, was shown so, and was asked again."""
    desk = rated(small.desk())
    with small.store.writing("tests", "asked again", small.study.id) as (_, entry):
        entry.write(
            schema.judgement,
            {
                "study_id": small.study.id,
                "unit_id": desk.unit(2).id,
                "judge_id": small.judges[1],
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
    assert set(seen(small, 1)) == {"warm", "deep"}
