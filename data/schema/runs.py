"""Runs of an experiment in numbers: what a table or a folder of runs says of each,
and average curves.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Float, Integer, UniqueConstraint

from data.schema.base import one_of, ref, sealed, text
from data.schema.vocabulary import RunSummarySource

# One row a run and source. A later table may tell more of a run and never otherwise: then a new version holds
# both.
run_summary = sealed(
    "run_summary",
    ref("study_id", "study"),
    text("run"),
    text("source"),
    Column("version", Integer, nullable=False),
    text("model", nullable=True),
    text("vignette", nullable=True),
    Column("temperature", Float),
    Column("slice", Integer),
    Column("n_messages", Integer),
    Column("n_trials", Integer),
    text("mode", nullable=True),
    text("tier", nullable=True),
    text("numbers"),
    text("curve", nullable=True),
    text("file"),
    text("at"),
    one_of("source", RunSummarySource),
    CheckConstraint("(source = 'curve') = (curve IS NOT NULL)", name="only_a_curve_has_one"),
    UniqueConstraint("study_id", "source", "run", "version"),
)
