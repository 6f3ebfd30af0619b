"""What clinicians say of pairs of steps, blind to their score, and who was shown the scores."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, Integer, UniqueConstraint

from data.schema.base import one_of, ref, sealed, text
from data.schema.vocabulary import StepVerdict

# Steps are named by their places, from 0, among those that `inputs` is the digest of. `shared` and `words`:
# how many different words both have in common, and have in all, so that the score is told without the texts.
# A change is a new row that names the one it replaces.
step_pair_rating = sealed(
    "step_pair_rating",
    text("event", unique=True),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    text("inputs"),
    Column("model_step", Integer, nullable=False),
    Column("gold_step", Integer, nullable=False),
    Column("shared", Integer, nullable=False),
    Column("words", Integer, nullable=False),
    text("verdict"),
    ref("replaces", "step_pair_rating", nullable=True),
    text("at"),
    one_of("verdict", StepVerdict),
    CheckConstraint("shared >= 0 AND 2 * shared <= words", name="shared_words_are_words_of_both"),
)
Index("step_pair_rating_by_rater", step_pair_rating.c.rater_id, step_pair_rating.c.unit_id)
Index("step_pair_rating_by_unit", step_pair_rating.c.unit_id)

# From here on a rater has seen which steps of a unit meet, and says nothing blind of them any more.
step_exposure = sealed(
    "step_exposure",
    text("event", unique=True),
    ref("rater_id", "rater"),
    ref("unit_id", "unit"),
    text("inputs"),
    text("at"),
    UniqueConstraint("rater_id", "unit_id", "inputs"),
)
