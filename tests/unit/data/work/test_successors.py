"""A study that goes on under new wording: what comes along, what does not, and what is forgotten in both."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from data import schema
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.labels import agreement_labels
from data.record import references, studies, units
from data.record.studies import Study
from data.store import content
from data.store.errors import Refused
from data.work import conflicts, successors
from tests.studies.settling import Colleague, repeat, rows
from tests.studies.small_study import INSTRUMENT, Desk, Small

REWORDED = INSTRUMENT.replace('version: "1"', 'version: "2"').replace(
    "{id: warm, name: Warm,", "{id: warm, name: Warm, checks_for: kind words,"
)


def begin(
    small: Small,
    body: str = REWORDED,
    key: str = "next",
    title: str = "Small study, second wording",
    reason: str = "warm was read in two ways",
) -> Study:
    with small.store.writing("lead", "begin", small.study.id) as (connection, entry):
        return studies.get(
            connection, successors.begin(connection, entry, small.study, body, key, title, reason)
        )


def propose(small: Small, body: str = REWORDED) -> successors.VersionProposal:
    with small.store.reading() as connection:
        return successors.propose(connection, small.study, body)


def test_the_units_rated_on_a_criterion_that_changed_are_rated_again(small: Small) -> None:
    small.desk().rate(2)
    small.desk(1).rate(4)
    proposal = propose(small)
    assert (proposal.positions, proposal.changes.read_anew, proposal.changes.notes) == (
        (2, 4),
        ("warm",),
        ["Warm (warm): what it asks changed."],
    )
    successor = begin(small)
    assert (successor.instrument.version, successor.reveal, successor.data_class, successor.role_names) == (
        "2",
        small.study.reveal,
        small.study.data_class,
        small.study.role_names,
    )
    with small.store.reading() as connection:
        assert [
            unit.position for unit in (units.at_position(connection, successor.id, n) for n in (1, 2)) if unit
        ] == [1, 2]
        assert units.at_position(connection, successor.id, 3) is None
        keys = connection.execute(
            select(schema.conversation.c.key, schema.conversation.c.position).where(
                schema.conversation.c.study_id == successor.id
            )
        ).all()
        assert [tuple(row) for row in keys] == [("c2", 1), ("c4", 2)]
        assert [rater.name for rater in studies.raters(connection, successor.id)] == ["Ann", "Ben"]
        unit = units.at_position(connection, successor.id, 2)
        assert unit is not None and units.transcript(connection, unit) == units.transcript(
            connection, small.desk().unit(4)
        )
        assert verify(connection).problems == []


def test_a_double_click_begins_one_study(small: Small) -> None:
    small.desk().rate(2)
    first = begin(small)
    assert begin(small).id == first.id
    with pytest.raises(Refused, match="study_exists"):
        begin(small, title="Another one under the same key")
    with small.store.reading() as connection:
        assert len(successors.continued_by(connection, small.study.id)) == 1


def test_only_the_same_key_title_and_text_are_a_double_click(small: Small) -> None:
    small.desk().rate(2)
    first = begin(small)
    assert begin(small, title="  Small study, second wording ").id == first.id
    assert begin(small, key="other").id != first.id
    with pytest.raises(Refused, match="study_exists"):
        begin(small, REWORDED.replace('version: "2"', 'version: "3"'))
    with small.store.reading() as connection:
        assert [study.key for study in successors.continued_by(connection, small.study.id)] == [
            "next",
            "other",
        ]


def test_no_label_and_no_judgement_comes_along(small: Small) -> None:
    small.desk().rate(2)
    successor = begin(small)
    with small.store.reading() as connection:
        assert agreement_labels.rating_count(connection, successor.id) == 0
        for table in (schema.rating, schema.judgement, schema.judge):
            assert (
                connection.execute(
                    select(func.count()).select_from(table).where(table.c.study_id == successor.id)
                ).scalar()
                == 0
            )


def test_both_studies_say_how_they_belong_together(small: Small) -> None:
    small.desk().rate(2)
    successor = begin(small)
    with small.store.reading() as connection:
        before, after = (
            successors.continues(connection, successor.id),
            successors.continued_by(connection, small.study.id),
        )
        assert before is not None and (before.title, before.version) == ("Small study", "1")
        assert [(study.key, study.title, study.version) for study in after] == [
            ("next", "Small study, second wording", "2")
        ]
        assert (
            successors.continues(connection, small.study.id) is None
            and successors.continued_by(connection, successor.id) == []
        )


def test_only_imported_people_and_rules_are_nobody_who_rates_again(small: Small) -> None:
    with small.store.writing("tests", "import", small.study.id) as (connection, entry):
        studies.add_rater(connection, entry, small.study.id, "Expert", "imported")
    small.desk().rate(1)
    successor = begin(
        small, INSTRUMENT.replace('version: "1"', 'version: "2"').replace("name: Warm,", "name: Warmth,")
    )
    with small.store.reading() as connection:
        assert [rater.name for rater in studies.raters(connection, successor.id)] == ["Ann", "Ben"]
    with pytest.raises(Refused, match="nothing_to_rate_again"):  # "deep" was only ever filled in by rule
        begin(
            small,
            INSTRUMENT.replace('version: "1"', 'version: "3"').replace("name: Deep,", "name: Depth,"),
            "third",
        )


def test_a_new_criterion_concerns_every_unit_that_was_rated(small: Small) -> None:
    small.desk().rate(2)
    small.desk().rate(3)
    found = propose(
        small,
        INSTRUMENT.replace('version: "1"', 'version: "2"') + "  - {id: brief, name: Brief, scale: yes_no}\n",
    )
    assert (found.positions, found.changes.added) == ((2, 3), ("brief",))


def test_a_hidden_repeat_does_not_come_along(small: Small) -> None:

    small.desk().rate(2)
    small.desk().rate(repeat(small, 2).position)
    assert propose(small).positions == (2,)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (INSTRUMENT, "The version is still 1"),
        (REWORDED.replace("key: small", "key: other"), "keeps the key small"),
        (REWORDED.replace("unit: conversation", "unit: assistant_turn"), "cannot change in a new version"),
        (REWORDED.replace("scale: yes_no", "scale: none", 1), "names the scale"),
        ("key: [", "be read from here on"),
        ("", "blanks and comments"),
    ],
)
def test_what_is_no_new_version_is_refused_in_words(small: Small, body: str, said: str) -> None:
    small.desk().rate(2)
    with pytest.raises(Refused, match=said):
        begin(small, body)
    with small.store.reading() as connection:
        assert len(studies.listing(connection)) == 1


def test_the_same_version_with_another_text_is_refused_before_anything_is_made(small: Small) -> None:
    small.desk().rate(2)
    begin(small)
    with pytest.raises(Refused, match="version_exists"):
        propose(small, REWORDED.replace("kind words", "kind and warm words"))
    begin(small, key="again")  # the same text may serve another study


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"reason": " "}, "rubric_change_needs_reason"),
        ({"title": " "}, "study_needs_title"),
        ({"key": "small"}, "study_exists"),
        ({"key": "no good"}, "key_unusable"),
    ],
)
def test_a_study_without_key_title_or_reason_is_refused(
    small: Small, more: dict[str, str], said: str
) -> None:
    small.desk().rate(2)
    with pytest.raises(Refused, match=said):
        begin(small, **more)
    assert rows(small, schema.successor) == []


def test_references_come_along_in_their_present_version(small: Small) -> None:
    small.desk().rate(2)
    ids = {key: small.desk().unit(number).conversation_id for number, key in ((2, "c2"), (3, "c3"))}
    with small.store.writing("tests", "references", small.study.id) as (connection, entry):
        for body in (["old"], ["step"]):
            references.put(
                connection,
                entry,
                small.study,
                "gold_steps",
                references.conversation_scope("c2"),
                body,
                "f",
                ids["c2"],
            )
        references.put(
            connection,
            entry,
            small.study,
            "gold_steps",
            references.conversation_scope("c3"),
            ["elsewhere"],
            "f",
            ids["c3"],
        )
        references.put(connection, entry, small.study, "target_plan", references.STUDY, "A plan.", "f")
    successor = begin(small)
    with small.store.reading() as connection:
        texts = references.References(connection, successor.id)
        steps, plan = texts.of("gold_steps", "c2", None), texts.of("target_plan", "c2", None)
        assert steps is not None and (steps.body, steps.version) == (["step"], 2)
        assert plan is not None and plan.body == "A plan."
        assert texts.of("gold_steps", "c3", None) is None


def _bytes(path: Path) -> bytes:
    return b"".join(p.read_bytes() for p in path.parent.glob(path.name + "*"))


@pytest.mark.parametrize("where", ["old", "new"])
def test_a_conversation_erased_in_one_study_is_gone_from_both_with_all_that_was_written_about_it(
    small: Small, where: str
) -> None:
    small.desk().draft_all(2)
    small.desk().draft(2, "warm", "NO", note="Xanthippe in the old study")
    small.desk().commit(2)
    small.desk().rate(3)
    Colleague.of(small, 0).tell(note="Xylophone to the lead")
    successor = begin(small)
    with small.store.reading() as connection:
        ann = next(rater.id for rater in studies.raters(connection, successor.id) if rater.name == "Ann")
    desk = Desk(small.store, successor, ann)
    desk.draft_all(1)
    desk.draft(1, "warm", "YES", note="Xenial in the new study")
    desk.commit(1)
    Colleague(small.store, successor, ann).tell(1, note="Xerxes to the lead")
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(
            connection, entry, successor if where == "new" else small.study, "c2", "consent withdrawn"
        )
    small.store.checkpoint()
    held = _bytes(small.store.path)
    assert not [
        word
        for word in (b"Xanthippe", b"Xylophone", b"Xenial", b"Xerxes", b"private sentence of conversation 2.")
        if word in held
    ]
    assert b"private sentence of conversation 3." in held
    with small.store.reading() as connection:
        assert (
            units.transcript(connection, desk.unit(1)) is None
            and units.transcript(connection, small.desk().unit(2)) is None
        )
        assert units.transcript(connection, desk.unit(2)) is not None
        assert verify(connection).problems == []
    assert desk.ratings(1)["warm"].answer.label == "YES"


def test_units_whose_words_were_erased_are_counted_and_stay_behind(small: Small) -> None:
    small.desk().rate(2)
    small.desk().rate(3)
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, "c2", "asked for")
    found = propose(small)
    assert (found.positions, found.forgotten) == ((3,), 1)
    made = begin(small)
    with small.store.reading() as connection:
        assert studies.unit_count(connection, made.id) == 1


def test_words_settled_and_opened_are_erased_with_the_conversation(full: Small) -> None:
    with full.store.reading() as connection:
        content_ids = {
            table.name: [row[0] for row in connection.execute(select(column).where(column.is_not(None)))]
            for table, column in (
                (schema.adjudication, schema.adjudication.c.reason_content),
                (schema.adjudication, schema.adjudication.c.rubric_note_content),
                (schema.escalation, schema.escalation.c.note_content),
            )
        }
        assert all(content_ids.values())
    with full.store.writing("lead", "erase", full.study.id) as (connection, entry):
        erase_conversation(connection, entry, full.study, "c2", "asked for")
    with full.store.reading() as connection:
        assert [
            content.get(connection, content_id) for ids in content_ids.values() for content_id in ids
        ] == [None] * sum(map(len, content_ids.values()))
        assert verify(connection).problems == []


def test_conflicts_of_interest_come_along_and_what_was_only_opened_does_not(small: Small) -> None:
    for position in (1, 2, 3):
        small.desk().rate(position)
    old = {position: small.desk().unit(position) for position in (1, 2, 3, 4)}
    ann, ben = small.raters[:2]
    with small.store.writing("lead", "conflicts", small.study.id) as (connection, entry):
        conflicts.state_conflict(connection, entry, ben, conversation_id=old[1].conversation_id)
        conflicts.state_conflict(connection, entry, ben, conversation_id=old[2].conversation_id)
        conflicts.state_conflict(connection, entry, ben, conversation_id=old[2].conversation_id, lifted=True)
        conflicts.state_conflict(
            connection, entry, ben, conversation_id=old[4].conversation_id
        )  # does not come along
        conflicts.bar_opened(entry, ben, old[3].conversation_id)
        conflicts.state_conflict(connection, entry, ann, fact="clinician", value="Ann")
    successor = begin(small)
    with small.store.reading() as connection:
        new = {
            rater.name: conflicts.rules(connection, rater.id)
            for rater in studies.raters(connection, successor.id)
        }
        first = units.at_position(connection, successor.id, 1)
        assert first is not None
        assert new["Ben"] == conflicts.ConflictRules(frozenset({first.conversation_id}), frozenset())
        assert new["Ann"] == conflicts.ConflictRules(frozenset(), frozenset({("clinician", "Ann")}))
        assert verify(connection).problems == []


def test_what_was_opened_is_never_given_again(small: Small) -> None:
    opened, other = (small.desk().unit(position).conversation_id for position in (1, 2))
    ben = small.raters[1]
    with small.store.writing("lead", "conflicts", small.study.id) as (connection, entry):
        conflicts.bar_opened(entry, ben, opened)
        conflicts.state_conflict(connection, entry, ben, conversation_id=other)
        conflicts.state_conflict(connection, entry, ben, conversation_id=other, lifted=True)
    with (
        pytest.raises(Refused, match="opened_to_settle"),
        small.store.writing("lead", "lift", small.study.id) as (connection, entry),
    ):
        conflicts.state_conflict(connection, entry, ben, conversation_id=opened, lifted=True)
    with small.store.reading() as connection:
        assert conflicts.rules(connection, ben).conversations == {opened}
