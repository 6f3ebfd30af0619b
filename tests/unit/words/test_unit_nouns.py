"""What is rated is called by what it is."""

from __future__ import annotations

from words.unit_nouns import CONVERSATION, REPLY, noun_of


def test_of_what_is_rated_the_study_says_what_it_is() -> None:
    assert noun_of("conversation") is CONVERSATION and noun_of("assistant_turn") is REPLY
    assert (CONVERSATION.name(3), REPLY.name(1_200)) == ("Conversation 3", "Reply 1,200")
    assert (REPLY.count(1), REPLY.count(2), CONVERSATION.inflect(0)) == (
        "1 reply",
        "2 replies",
        "conversations",
    )
