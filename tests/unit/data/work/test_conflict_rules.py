"""What a conflict of interest can be stated of, and what it bars."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from data.keeping.erase import erase_conversation
from data.record import conversations, studies
from data.store.errors import Refused
from data.work import conflict_rules, conflicts
from data.work.conflicts import ConflictRules
from reports.refusals import word_error
from tests.studies.small_study import Small
from tests.unit.data.bench import Bench
from words.unit_nouns import REPLY


@pytest.fixture
def small_many(make_small: Callable[..., Small]) -> Small:
    return make_small(4, 2)


def test_a_conversation_is_named_by_a_units_number_or_its_id(small_many: Small) -> None:
    with small_many.store.reading() as connection:
        third = conversations.ids(connection, small_many.study.id)[2]
        for said in ("3", " 3 ", "unit 3", "Unit  3", "Conversation 3", "c3", "id c3"):
            assert conflict_rules.conversation_named(connection, small_many.study.id, said) == third
        for said in ("9", "unit c3", "conversation 9", "id 3", "unit", "reply 3", "0", "9" * 30, "\u0663"):
            with pytest.raises(Refused, match="conflict_conversation_unknown"):
                conflict_rules.conversation_named(connection, small_many.study.id, said)


def test_where_replies_are_numbered_no_conversation_is_named_by_a_number_of_its_own(
    small_many: Small,
) -> None:
    """Conversation 3 is not the conversation of reply 3."""
    with small_many.store.reading() as connection:
        third = conversations.ids(connection, small_many.study.id)[2]
        assert conflict_rules.conversation_named(connection, small_many.study.id, "Reply 3", REPLY) == third
        with pytest.raises(Refused, match="conflict_conversation_unknown"):
            conflict_rules.conversation_named(connection, small_many.study.id, "conversation 3", REPLY)


def test_a_number_that_is_a_unit_and_another_conversations_id_is_asked_back(small_many: Small) -> None:
    with small_many.store.writing("tests", "another study") as (connection, _):
        study = studies.get(connection, small_many.study.id)
        # Told by a stand-in for the ids, which an import would have to give.
        conversation_ids = conversations.ids(connection, study.id)
    with small_many.store.reading() as connection, pytest.MonkeyPatch.context() as patch:
        keys = {key: conversation_ids[0] for key in ("1", "3", "conversation 2")}
        patch.setattr(conversations, "id_of", lambda _, __, key: keys.get(key))
        with pytest.raises(Refused, match="conflict_ambiguous") as refused:
            conflict_rules.conversation_named(connection, study.id, "3", REPLY)
        assert word_error(refused.value) == (
            '3 is the number of a reply and also the id of another conversation. Write "reply 3" or "id 3".'
        )
        with pytest.raises(Refused, match="conflict_ambiguous") as refused:
            conflict_rules.conversation_named(connection, study.id, "conversation 2")
        assert (refused.value.facts["written"], refused.value.facts["name"]) == ("2", "conversation 2")
        for name in ("unit 3", "conversation 3"):
            assert conflict_rules.conversation_named(connection, study.id, name) == conversation_ids[2]
        assert conflict_rules.conversation_named(connection, study.id, "id 3") == conversation_ids[0]
        assert conflict_rules.conversation_named(connection, study.id, "1") == conversation_ids[0]


def test_facts_of_a_study_without_any(small_many: Small) -> None:
    with small_many.store.reading() as connection:
        assert conflict_rules.facts(connection, small_many.study.id) == {}
        assert conflict_rules.barred_now(connection, small_many.study.id, ("clinician", "Nobody <b>")) == 0


def test_a_conversation_whose_facts_were_erased_is_barred_by_every_rule_about_facts(
    bench: Callable[..., Bench],
) -> None:
    """Nobody can tell any more what they said."""
    sites = bench([{"clinic": "north"}, {"clinic": "south"}, {}])
    rule = ConflictRules(frozenset(), frozenset({("clinic", "north")}))

    def barred() -> list[int]:
        with sites.store.reading() as connection:
            ids = conversations.ids(connection, sites.study.id)
            barred_ids = conflicts.barred_conversations(connection, rule, set(ids))
            return [number for number, talk in enumerate(ids, start=1) if talk in barred_ids]

    assert barred() == [1]
    with sites.store.writing("tests", "erase", sites.study.id) as (connection, entry):
        erase_conversation(connection, entry, sites.study, "c2", "asked to")
    assert barred() == [1, 2]
