"""Which conversations say the same, over all studies, and what follows from it."""

from __future__ import annotations

from sqlalchemy import Index, UniqueConstraint

from data.schema.base import ref, sealed, text

# The key of the digests below: one row.
store_key = sealed("store_key", text("key"))

# HMAC-SHA-256 of what a conversation says, under the key of the store (data/record/known_words.py). It
# stays when
# the words are erased, so that they are recognised when they come back.
known_words = sealed(
    "known_words", ref("conversation_id", "conversation"), text("digest"), UniqueConstraint("conversation_id")
)
Index("known_words_by_digest", known_words.c.digest)

# A rating that was recorded as blind before the store knew that its rater had seen the judge of the same
# words in
# another study.
seen_elsewhere = sealed(
    "seen_elsewhere",
    ref("rating_id", "rating"),
    ref("of_study_id", "study"),
    text("at"),
    UniqueConstraint("rating_id"),
)
