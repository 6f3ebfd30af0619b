"""Gold steps, plans and entities: the nearest one counts, a changed text is a new version, an erased one is
gone.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from data import schema
from data.keeping.erase import erase_conversation
from data.keeping.verify import verify
from data.record import references
from data.record.references import STUDY, Kind, Reference, References, condition_scope, conversation_scope
from tests.studies.small_study import Small

PLAN: Kind = "target_plan"


def put(small: Small, scope: str, body: Any, kind: Kind = PLAN, about: int | None = None) -> bool:
    with small.store.writing("tests", "import a reference", small.study.id) as (connection, entry):
        return references.put(connection, entry, small.study, kind, scope, body, "file.json", about)


def nearest(small: Small, key: str, condition: str | None = None, kind: Kind = PLAN) -> Reference | None:
    with small.store.reading() as connection:
        return References(connection, small.study.id).of(kind, key, condition)


def body(small: Small, key: str, condition: str | None = None, kind: Kind = PLAN) -> Any:
    found = nearest(small, key, condition, kind)
    return found.body if found else None


def id_of(small: Small, key: str) -> int:
    with small.store.reading() as connection:
        number: int = connection.execute(
            sa.select(schema.conversation.c.id).where(schema.conversation.c.key == key)
        ).scalar_one()
    return number


def erase(small: Small, key: str) -> None:
    with small.store.writing("lead", "erase", small.study.id) as (connection, entry):
        erase_conversation(connection, entry, small.study, key, "consent withdrawn")


def test_without_a_reference_there_is_none(small: Small) -> None:
    assert nearest(small, "c1", "warm") is None
    with small.store.reading() as connection:
        assert not References(connection, small.study.id)


def test_the_nearest_scope_counts(small: Small) -> None:
    put(small, STUDY, "for all")
    assert [body(small, "c1", "warm"), body(small, "c2")] == ["for all", "for all"]
    put(small, condition_scope("warm"), "for the warm ones")
    assert [body(small, "c1", "warm"), body(small, "c1", "cold"), body(small, "c1")] == [
        "for the warm ones",
        "for all",
        "for all",
    ]
    put(small, conversation_scope("c1"), "for c1")
    assert [body(small, "c1", "warm"), body(small, "c2", "warm")] == ["for c1", "for the warm ones"]


def test_a_farther_one_given_later_does_not_overrule_a_nearer_one(small: Small) -> None:
    put(small, conversation_scope("c1"), "for c1")
    put(small, STUDY, "for all")
    put(small, STUDY, "for all, mended")
    assert body(small, "c1") == "for c1"


def test_each_kind_stands_for_itself(small: Small) -> None:
    put(small, STUDY, ["ask first"], "gold_steps")
    put(small, conversation_scope("c1"), ["insulin"], "critical_entities")
    assert (
        body(small, "c1", kind="gold_steps"),
        body(small, "c1", kind="critical_entities"),
        body(small, "c1"),
    ) == (["ask first"], ["insulin"], None)


def test_a_condition_is_not_a_conversation_of_the_same_name(small: Small) -> None:
    put(small, condition_scope("c1"), "for the condition")
    assert (body(small, "c1"), body(small, "c2", "c1")) == (None, "for the condition")


def test_a_changed_text_is_a_new_version_and_the_old_one_is_kept(small: Small) -> None:
    assert [put(small, STUDY, text) for text in ("first", "second")] == [True, True]
    found = nearest(small, "c1")
    assert found is not None
    assert (found.version, found.body, found.label) == (2, "second", "version 2, for the study")
    with small.store.reading() as connection:
        assert connection.execute(
            sa.select(schema.reference.c.version).order_by(schema.reference.c.id)
        ).scalars().all() == [1, 2]


def test_the_same_text_again_is_nothing_new(small: Small) -> None:
    assert [put(small, STUDY, ["a", "é"], "gold_steps") for _ in range(2)] == [True, False]
    with small.store.reading() as connection:
        assert len(connection.execute(sa.select(schema.reference)).all()) == 1


def test_going_back_to_an_earlier_text_is_a_third_version(small: Small) -> None:
    assert [put(small, STUDY, text) for text in ("first", "second", "first")] == [True, True, True]
    found = nearest(small, "c1")
    assert found is not None
    assert (found.version, found.body) == (3, "first")


def test_every_scope_counts_its_own_versions(small: Small) -> None:
    put(small, STUDY, "one")
    put(small, STUDY, "two")
    put(small, conversation_scope("c1"), "one")
    found = nearest(small, "c1")
    assert found is not None
    assert (found.version, found.label) == (1, "version 1, for this conversation")


def test_another_study_keeps_its_references_to_itself(small: Small, make_study: Any) -> None:
    other = make_study(key="other")
    put(small, STUDY, "for all")
    assert body(other, "c1") is None


def test_erasing_a_conversation_erases_its_references_in_every_version_and_the_trail_verifies(
    small: Small,
) -> None:
    about = id_of(small, "c2")
    put(small, conversation_scope("c2"), "Xylophone lessons", about=about)
    put(small, conversation_scope("c2"), "Xanthippe is called", about=about)
    put(small, conversation_scope("c2"), ["Xenial steps"], "gold_steps", about=about)
    put(small, conversation_scope("c1"), "Stays as it is", about=id_of(small, "c1"))
    erase(small, "c2")
    small.store.checkpoint()
    held = b"".join(path.read_bytes() for path in small.store.path.parent.glob("store.sqlite*"))
    assert [word for word in (b"Xylophone", b"Xanthippe", b"Xenial", b"Stays as it is") if word in held] == [
        b"Stays as it is"
    ]
    assert (body(small, "c2"), body(small, "c2", kind="gold_steps"), body(small, "c1")) == (
        None,
        None,
        "Stays as it is",
    )
    with small.store.reading() as connection:
        assert verify(connection).problems == []


def test_erasing_a_conversation_leaves_what_was_given_for_the_study(small: Small) -> None:
    put(small, STUDY, "for all")
    erase(small, "c2")
    assert body(small, "c1") == "for all"
