"""Names of a file: nobody who rates here gets a first label from it, and who is who is said by a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from data import schema
from data.importers.report import ImportRefused, ImportReport
from data.keeping.verify import verify
from data.labels import agreement_labels, agreement_material, disagreements, unit_labels
from data.record import studies
from data.record.rater_codes import read_rater_codes
from data.record.rater_identities import confirm_identity, rater_identities
from data.record.set_aside import set_rater_aside
from data.store.errors import Refused
from data.work import rated_units
from tests.studies import importing
from tests.studies.small_study import Small
from tests.unit.data.importers.conftest import lines


@pytest.fixture
def bring(small: Small, tmp_path: Path) -> Callable[..., ImportReport]:
    """Import labels of "warm" for c2 and c3 by name."""

    def bring(
        *rows: tuple[str, str, str],
        same: tuple[str, ...] = (),
        source: str = "a protocol",
        dry_run: bool = False,
        exposure: str = "blind",
    ) -> ImportReport:
        file = tmp_path / "paper.jsonl"
        file.write_text(
            lines(
                *(
                    {"conversation_id": talk, "rater": name, "criterion": "warm", "label": label}
                    for name, talk, label in rows
                )
            )
        )
        return importing.import_ratings(
            small.store, "small", file, "Dr Lee", exposure, source, dry_run, same_raters=same
        )

    return bring


def people(small: Small) -> dict[str, str]:
    with small.store.reading() as connection:
        return {rater.name: rater.kind for rater in studies.raters(connection, small.study.id)}


def labels_of_people(small: Small) -> set[tuple[str, int, str]]:
    """(rater, position, label) of "warm", read as agreement reads it, in both ways."""
    with small.store.reading() as connection:
        names = {rater.id: rater.name for rater in studies.raters(connection, small.study.id)}
        rows = {
            (names[label.who], label.position, str(label.label))
            for label in agreement_labels.human_labels(connection, small.study.id, "blind", criterion="warm")
        }
        material = agreement_material.read(connection, small.study, None)
        warm = [question.id for question in material.questions].index("warm")
        places = dict(zip(material.units.id.tolist(), material.units.position.tolist(), strict=True))
        arrays = {
            (names[rater], places[unit], material.questions[warm].domain[code])
            for question, unit, rater, code, arm in zip(
                material.given.question.tolist(),
                material.given.unit.tolist(),
                material.given.rater.tolist(),
                material.given.code.tolist(),
                material.given.arm.tolist(),
                strict=True,
            )
            if question == warm and arm == 0
        }
    assert rows == arrays, "both readers say the same"
    return rows


def test_a_file_adds_no_label_to_somebody_who_rates_here(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    small.desk(0).rate(2, "YES")
    report = bring(("Ann", "c2", "NO"), ("Ann", "c3", "NO"))
    assert people(small) == {"Ann": "person", "Ben": "person", "Ann (from a file)": "imported"}
    assert labels_of_people(small) == {
        ("Ann", 2, "YES"),
        ("Ann (from a file)", 2, "NO"),
        ("Ann (from a file)", 3, "NO"),
    }
    assert any("Ann rates in this study" in line and "another person" in line for line in report.lines())
    with small.store.reading() as connection:
        table = schema.rating
        twice = connection.execute(
            sa.select(table.c.rater_id)
            .where(table.c.criterion == "warm", table.c.replaces.is_(None))
            .group_by(table.c.rater_id, table.c.unit_id)
            .having(sa.func.count() > 1)
        ).all()
        assert twice == [] and verify(connection).problems == []


def test_before_and_after_the_person_rates(small: Small, bring: Callable[..., ImportReport]) -> None:
    bring(("Ann", "c2", "NO"))
    small.desk(0).rate(2, "YES")
    assert labels_of_people(small) == {("Ann", 2, "YES"), ("Ann (from a file)", 2, "NO")}


def test_the_same_file_twice_adds_nothing(small: Small, bring: Callable[..., ImportReport]) -> None:
    bring(("Ann", "c2", "NO"), ("Cleo", "c2", "NO"), same=("Ann",))
    report = bring(("Ann", "c2", "NO"), ("Cleo", "c2", "NO"), same=("Ann",))
    assert (report.added["ratings"], report.already["ratings"]) == (0, 2)
    assert set(people(small)) == {"Ann", "Ben", "Ann (imported)", "Cleo"}


def test_who_is_confirmed_counts_once_and_what_was_given_here_goes_before(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    small.desk(0).rate(2, "YES")
    small.desk(1).rate(2, "YES")
    report = bring(("Ann", "c2", "NO"), ("Ann", "c3", "NO"), same=("Ann",), source="her own paper forms")
    assert labels_of_people(small) == {("Ann", 2, "YES"), ("Ben", 2, "YES"), ("Ann", 3, "NO")}
    assert any("count as the same person" in line for line in report.lines())
    with small.store.reading() as connection:
        assert disagreements.between_people(connection, small.study).total == 0, (
            "nobody differs from themselves"
        )
        row = connection.execute(sa.select(schema.rater_identity)).one()
        assert row.confirmed_by == "Dr Lee"
        detail = connection.execute(
            sa.select(schema.trail.c.detail).order_by(schema.trail.c.seq.desc()).limit(1)
        ).scalar_one()
        assert '"same_raters":["Ann"]' in detail and "her own paper forms" in detail
        codes = read_rater_codes(connection, small.study)
        imported = next(
            rater.id for rater in studies.raters(connection, small.study.id) if rater.kind == "imported"
        )
        assert codes[imported] == codes[small.raters[0]] != codes[small.raters[1]]


def test_of_one_unit_both_labels_are_of_the_person(small: Small, bring: Callable[..., ImportReport]) -> None:
    ann, ben = small.raters
    small.desk(0).rate(2, "YES")
    small.desk(1).rate(3, "YES")
    bring(("Ann", "c2", "NO"), ("Ann", "c3", "NO"), same=("Ann",))
    with small.store.reading() as connection:
        labels = [
            [
                (label.who, label.rater, label.label, label.from_file, label.outranked)
                for label in unit_labels.of_people(connection, small.desk().unit(position))
                if label.criterion == "warm"
            ]
            for position in (2, 3)
        ]
        queues = {
            rater: disagreements.between_people(connection, small.study, rater_id=rater).total
            for rater in (None, ann, ben)
        }
    assert labels == [
        [("Ann", ann, "YES", False, False), ("Ann", ann, "NO", True, True)],
        [("Ben", ben, "YES", False, False), ("Ann", ann, "NO", True, False)],
    ]
    assert queues == {None: 1, ann: 0, ben: 0}, "who labelled it in a file is not asked to settle it"


def test_after_a_reveal_the_label_of_a_file_still_counts(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    small.desk(0).open_page()
    small.desk(0).rate(2, "YES")
    bring(("Ann", "c2", "NO"), same=("Ann",))
    with small.store.reading() as connection:
        labels = unit_labels.of_people(connection, small.desk().unit(2))
    assert [(label.shown, label.outranked) for label in labels if label.criterion == "warm"] == [
        ("page", False),
        ("blind", False),
    ]


def test_the_blind_answer_beside_a_later_one_is_the_one_that_was_given_here(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    desk = small.desk(0)
    desk.rate(2, "YES")
    bring(("Ann", "c2", "NA"), same=("Ann",))
    desk.reveal(2)
    desk.change(2, "warm", "NO")
    with small.store.reading() as connection:
        (warm, _) = [
            label for label in unit_labels.of_people(connection, desk.unit(2)) if label.criterion == "warm"
        ]
    assert (warm.label, warm.blind_answer) == ("NO", ("YES", "given"))


def test_in_another_arm_both_stand(small: Small, bring: Callable[..., ImportReport]) -> None:
    """A label given after the reveal does not hide what the same person said blind elsewhere."""
    small.desk(0).open_page()
    small.desk(0).rate(2, "YES")
    bring(("Ann", "c2", "NO"), same=("Ann",))
    assert labels_of_people(small) == {("Ann", 2, "NO")}


def test_a_name_that_is_in_the_file_only_or_nowhere_is_an_error(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    for name in ("Cleo", "Zed", "Ben"):
        with pytest.raises(ImportRefused) as refused:
            bring(("Ann", "c2", "NO"), ("Cleo", "c2", "NO"), same=(name,))
        assert any(repr(name) in line for line in refused.value.report.lines())
    assert "Ann (imported)" not in people(small), "nothing of it was kept"


def test_a_dry_run_keeps_no_name(small: Small, bring: Callable[..., ImportReport]) -> None:
    bring(("Ann", "c2", "NO"), same=("Ann",), dry_run=True)
    with small.store.reading() as connection:
        assert rater_identities(connection, small.study.id) == {}
    assert set(people(small)) == {"Ann", "Ben"}


@pytest.mark.parametrize("name", ["Ann (imported)", "Ann (from a file)", "Ann (Imported)"])
def test_a_name_that_looks_kept_apart_is_refused_in_a_file(
    small: Small, bring: Callable[..., ImportReport], name: str
) -> None:
    with pytest.raises(ImportRefused):
        bring(("Ann", "c2", "NO"), (name, "c3", "NO"))


@pytest.mark.parametrize("name", ["Ann (imported)", "Ann (from a file)"])
def test_a_person_with_such_a_name_gets_no_label(
    small: Small, bring: Callable[..., ImportReport], name: str
) -> None:
    with small.store.writing("tests", "add rater", small.study.id) as (connection, entry):
        studies.add_rater(connection, entry, small.study.id, name)
    with pytest.raises(ImportRefused) as refused:
        bring(("Ann", "c2", "NO"), same=("Ann",) if "imported" in name else ())
    assert any("is the name of a rater of this study" in line for line in refused.value.report.lines())


def test_two_long_names_never_become_one(small: Small, bring: Callable[..., ImportReport]) -> None:
    names = ["N" * 70 + end for end in ("one", "two")]
    with small.store.writing("tests", "add raters", small.study.id) as (connection, entry):
        for name in names:
            studies.add_rater(connection, entry, small.study.id, name)
    with pytest.raises(ImportRefused):
        bring((names[0], "c2", "NO"), (names[1], "c2", "YES"))


@pytest.mark.parametrize("name", ["ann", "ANN"])
def test_another_spelling_of_a_name_is_kept_apart_too_and_can_be_confirmed(
    small: Small, bring: Callable[..., ImportReport], name: str
) -> None:
    assert any("rates in this study" in line for line in bring((name, "c2", "NO")).lines())
    bring((name, "c3", "NO"), same=("Ann",))
    assert labels_of_people(small) == {(f"{name} (from a file)", 2, "NO"), ("Ann", 3, "NO")}


def test_who_was_confirmed_for_one_file_is_not_for_another(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    bring(("Ann", "c2", "NO"))
    bring(("Ann", "c3", "NO"), same=("Ann",))
    assert labels_of_people(small) == {("Ann (from a file)", 2, "NO"), ("Ann", 3, "NO")}


def test_a_file_that_once_wrote_under_the_persons_name_is_there_already(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    with small.store.writing("tests", "import as before", small.study.id) as (_, entry):
        entry.write(
            schema.rating,
            {
                "event": "old",
                "study_id": small.study.id,
                "rater_id": small.raters[0],
                "unit_id": small.desk().unit(2).id,
                "criterion": "warm",
                "label": "NO",
                "source": "imported",
                "exposure": "blind",
                "reveals_before": 0,
                "also": "[]",
                "evidence": "[]",
            },
        )
    report = bring(("Ann", "c2", "NO"))
    assert (report.added["ratings"], report.already["ratings"]) == (0, 1)
    assert labels_of_people(small) == {("Ann", 2, "NO")}


def test_labels_of_a_confirmed_person_are_set_aside_with_the_person(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    bring(("Ann", "c2", "NO"), same=("Ann",))
    with small.store.reading() as connection:
        imported = next(iter(rater_identities(connection, small.study.id)))
    with (
        pytest.raises(Refused, match="counts_as_person"),
        small.store.writing("Dr Lee", "set aside", small.study.id) as (connection, entry),
    ):
        set_rater_aside(connection, entry, small.study, imported, "Dr Lee", "in training")


@pytest.mark.parametrize(
    ("rater", "person", "source", "says"),
    [
        (0, 1, "x", "not_same_kind_of_rater"),
        (2, 2, "x", "not_same_kind_of_rater"),
        (2, 0, " ", "identity_needs_source"),
        (2, 1, "x", "identity_taken"),
    ],
)
def test_what_cannot_be_confirmed(
    small: Small, bring: Callable[..., Any], rater: int, person: int, source: str, says: str
) -> None:
    bring(("Ann", "c2", "NO"), same=("Ann",))
    with small.store.reading() as connection:
        ids = [rater.id for rater in studies.raters(connection, small.study.id)]
    with (
        pytest.raises(Refused, match=says),
        small.store.writing("Dr Lee", "confirm", small.study.id) as (connection, entry),
    ):
        confirm_identity(connection, entry, small.study, ids[rater], ids[person], "Dr Lee", source)


@pytest.mark.parametrize("exposure", ["judge_visible", "unknown"])
def test_who_saw_the_judge_elsewhere_does_not_rate_the_unit_blind_here(
    small: Small, bring: Callable[..., ImportReport], exposure: str
) -> None:
    bring(("Ann", "c2", "NO"), ("Ben", "c2", "NO"), same=("Ann",), exposure=exposure)
    for desk in (small.desk(0), small.desk(1)):
        desk.rate(2)
        desk.rate(3)
    assert {
        name: [desk.ratings(position)["warm"].exposure for position in (2, 3)]
        for name, desk in (("Ann", small.desk(0)), ("Ben", small.desk(1)))
    } == {"Ann": ["page", "blind"], "Ben": ["blind", "blind"]}, "of Ben nobody said that both are the same"


def test_who_rated_blind_elsewhere_still_rates_blind_here(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    bring(("Ann", "c2", "NO"), same=("Ann",))
    small.desk(0).rate(2)
    assert small.desk(0).ratings(2)["warm"].exposure == "blind"


def test_labels_that_stand_as_blind_are_told_where_the_file_says_otherwise(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    small.desk(0).rate(2)
    small.desk(0).rate(3)
    said = "\n".join(
        bring(("Ann", "c2", "NO"), ("Ann", "c4", "NO"), same=("Ann",), exposure="judge_visible").lines()
    )
    assert "Ann gave 1 of these labels here too, and they count as blind" in said


def test_who_rated_it_in_a_file_does_not_settle_it(small: Small, bring: Callable[..., ImportReport]) -> None:
    bring(("Ann", "c2", "NO"), ("Ben", "c2", "NO"), same=("Ann",))
    with small.store.reading() as connection:
        assert [rated_units.has_rated(connection, small.desk().unit(2), rater) for rater in small.raters] == [
            True,
            False,
        ]
        assert not rated_units.has_rated(connection, small.desk().unit(3), small.raters[0])


@pytest.mark.parametrize("name", ["Cleo", "CLEO", " cleo "])
def test_a_name_of_a_file_is_not_taken_by_somebody_who_rates_here(
    small: Small, bring: Callable[..., ImportReport], name: str
) -> None:
    """Before, this said that Cleo could be chosen, and nobody could choose her."""
    bring(("Cleo", "c2", "NO"))
    with (
        small.store.writing("tests", "add rater", small.study.id) as (connection, entry),
        pytest.raises(Refused, match="name_of_imported_rater"),
    ):
        studies.add_rater(connection, entry, small.study.id, name)
    assert people(small)["Cleo"] == "imported"


def test_the_same_labels_are_not_counted_twice_once_somebody_says_who_it_was(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    """The first import says that nobody said so; to import the file again with a confirmation would make two
    people of one.
    """
    bring(("Ann", "c2", "NO"))
    with pytest.raises(ImportRefused) as refused:
        bring(("Ann", "c2", "NO"), ("Ann", "c3", "NO"), same=("Ann",))
    assert any(
        "line 1" in line and "one person would count as two" in line for line in refused.value.report.lines()
    )
    rater = next(number for name, number in ids(small).items() if name == "Ann (from a file)")
    with small.store.writing("tests", "set aside", small.study.id) as (connection, entry):
        set_rater_aside(connection, entry, small.study, rater, "Dr Lee", "it is Ann")
    assert bring(("Ann", "c2", "NO"), ("Ann", "c3", "NO"), same=("Ann",)).added["ratings"] == 2
    with (
        small.store.writing("tests", "take back", small.study.id) as (connection, entry),
        pytest.raises(Refused, match="person_counted_twice"),
    ):
        set_rater_aside(connection, entry, small.study, rater, "Dr Lee", "after all", back=True)


def test_who_only_shares_a_name_is_taken_back_where_other_labels_are_confirmed(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    bring(("Ann", "c2", "NO"))
    rater = ids(small)["Ann (from a file)"]
    bring(("Ann", "c3", "NO"), same=("Ann",))
    for back in (False, True):
        with small.store.writing("tests", "set aside", small.study.id) as (connection, entry):
            set_rater_aside(connection, entry, small.study, rater, "Dr Lee", "to try", back=back)


def ids(small: Small) -> dict[str, int]:
    with small.store.reading() as connection:
        return {rater.name: rater.id for rater in studies.raters(connection, small.study.id)}


@pytest.mark.parametrize("name", ["ann", "ANN", " aNN "])
def test_two_raters_are_not_told_apart_by_capitals_alone(small: Small, name: str) -> None:
    """A file of Ann's labels was confirmed as ann's."""
    with (
        small.store.writing("tests", "add rater", small.study.id) as (connection, entry),
        pytest.raises(Refused, match="rater_exists"),
    ):
        studies.add_rater(connection, entry, small.study.id, name)


def test_where_an_older_store_has_two_such_raters_the_one_who_is_written_so_is_meant(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    with small.store.writing("tests", "as it was", small.study.id) as (_, entry):
        entry.write(schema.rater, {"study_id": small.study.id, "name": "ann", "kind": "person"})
    with small.store.writing("tests", "choose a name", small.study.id) as (connection, entry):
        assert studies.add_rater(connection, entry, small.study.id, "ann") == ids(small)["ann"], (
            "whoever is there already is chosen as written"
        )
    bring(("Ann", "c2", "NO"), same=("Ann",), exposure="judge_visible")
    with small.store.reading() as connection:
        assert list(rater_identities(connection, small.study.id).values()) == [small.raters[0]]
    with pytest.raises(ImportRefused) as refused:
        bring(("ANN", "c3", "NO"), same=("ANN",))
    assert any("several raters of this study are called ANN" in line for line in refused.value.report.lines())


def test_spellings_of_one_name_are_one_rater(small: Small, bring: Callable[..., ImportReport]) -> None:
    bring(
        ("Ann", "c2", "NO"), ("ANN", "c3", "YES"), ("Cleo", "c2", "NO"), ("cleo", "c3", "YES"), same=("Ann",)
    )
    assert set(people(small)) == {"Ann", "Ben", "Ann (imported)", "Cleo"}
    with pytest.raises(ImportRefused) as refused:
        bring(("Ann", "c4", "NO"), ("ANN", "c4", "YES"), same=("Ann",))
    assert any("has a different answer by" in line for line in refused.value.report.lines())
    with small.store.reading() as connection:
        assert disagreements.between_people(connection, small.study).total == 0


def test_what_was_seen_cannot_be_changed_by_importing_again(
    small: Small, bring: Callable[..., ImportReport], nobody_blind: Callable[[], None]
) -> None:
    bring(("Cleo", "c2", "NO"))
    nobody_blind()
    with pytest.raises(ImportRefused) as refused:
        bring(("Cleo", "c2", "NO"), exposure="unknown")
    assert any(
        "importing it again as 'unknown' can't change what" in line for line in refused.value.report.lines()
    )


def test_labels_that_would_count_twice_are_told_once_a_name_with_their_number(
    small: Small, bring: Callable[..., ImportReport]
) -> None:
    bring(("Ann", "c2", "NO"), ("Ann", "c3", "NO"))
    with pytest.raises(ImportRefused) as refused:
        bring(("Cleo", "c2", "NO"), ("Ann", "c2", "NO"), ("Ann", "c3", "NO"), same=("Ann",))
    assert [line for line in refused.value.report.lines() if "Set " in line] == [
        "paper.jsonl, line 2: this and 1 more label are already in the study as another person's, under "
        '"Ann (from a file)", so one person would count as two. Set Ann (from a file) aside first: on the Work '
        'and raters page under "Whose labels count", or in a terminal with second-reader raters set-aside'
    ]
