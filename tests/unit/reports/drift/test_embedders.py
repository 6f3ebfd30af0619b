"""Embedders beside each other: of the same conversations, and each with its own numbers alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from data.record.curves import CurveEmbedder, CurveTable
from reports.document import Block, Panels, Paragraph, Table
from reports.drift.curve_kinds import CurveKind
from reports.drift.embedders import embedder_blocks
from scoring.agreement.labels.label_data import LabelData
from tests.studies.simulated_families import FamilyPlan, simulate

OWN, OTHER = ("goal_alignment", "actions/windowed"), ("goal_alignment", "actions/windowed/tiny")
EMBEDDERS = {OWN: CurveEmbedder("big", ""), OTHER: CurveEmbedder("tiny", "actions/windowed")}
CONVERSATIONS = 20


@pytest.fixture
def labels() -> LabelData:
    return simulate(np.random.default_rng(1), FamilyPlan(CONVERSATIONS, 0))[0]


def curves(name: str, conversations: range, seed: int = 3) -> CurveTable:
    """Of conversations 1, 2, ..., as the simulated labels number them."""
    number = np.array(conversations)
    values = np.random.default_rng(seed).random((CONVERSATIONS + 1, 4))[number]
    return CurveTable(
        number,
        tuple(f"c{each}" for each in conversations),
        number,
        np.full(len(number), 4),
        number,
        values,
        np.zeros((len(number), 0)),
        values[:, -1],
        np.full(len(number), name),
    )


def shown(labels: LabelData, big: CurveTable, tiny: CurveTable) -> list[Block]:
    tables: dict[CurveKind, CurveTable] = {OWN: big, OTHER: tiny}
    return list(embedder_blocks(EMBEDDERS, tables.__getitem__, labels))


def by_key(blocks: list[Block]) -> dict[str, Table]:
    return {block.key: block for block in blocks if isinstance(block, Table)}


def test_what_only_one_embedder_has_measured_is_left_out_of_both(labels: LabelData) -> None:
    every, some = range(1, CONVERSATIONS + 1), range(1, 13)
    blocks = shown(labels, curves("big", every), curves("tiny", some, seed=4))
    note = blocks[0]
    assert isinstance(note, Paragraph) and note.text.startswith("8 conversations are left out here")
    tables = by_key(blocks)
    assert [row[1] for row in tables["embedder_slopes"].rows] == ["12", "12"]
    assert {row[4] for row in tables["embedders_beside_labels"].rows} == {"12"}
    figure = next(block for block in blocks if isinstance(block, Panels))
    assert {point.n for panel in figure.panels for point in panel.points} == {12}
    of_some = shown(labels, curves("big", some), curves("tiny", some, seed=4))
    assert blocks[1:] == of_some and not isinstance(of_some[0], Paragraph)


def test_numbers_of_another_embedder_in_a_curve_are_left_out(labels: LabelData) -> None:
    """Where the default was another one for a while, its newest numbers stay in place."""
    every = range(1, CONVERSATIONS + 1)
    mixed = curves("big", every)
    mixed = replace(mixed, embedder=np.array(["tiny"] * 5 + ["big"] * (CONVERSATIONS - 5)))
    tables = by_key(shown(labels, mixed, curves("tiny", every, seed=4)))
    assert [row[1] for row in tables["embedder_slopes"].rows] == ["15", "15"]


def test_the_same_numbers_have_the_same_correlation_whatever_else_one_has(labels: LabelData) -> None:
    every, some = range(1, CONVERSATIONS + 1), range(1, 11)
    tables = by_key(shown(labels, curves("big", every), curves("tiny", some)))
    rows = tables["embedders_beside_labels"].rows
    for big, tiny in zip(rows[::2], rows[1::2], strict=True):
        assert (big[0], big[1], tiny[1]) == (tiny[0], "big", "tiny") and big[2:] == tiny[2:]


def test_without_a_conversation_in_common_nothing_is_drawn(labels: LabelData) -> None:
    (note,) = shown(labels, curves("big", range(1, 5)), curves("tiny", range(5, 9)))
    assert isinstance(note, Paragraph) and note.text.startswith("8 conversations are left out here")
