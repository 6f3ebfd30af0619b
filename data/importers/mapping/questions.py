"""What a mapping leaves open, so that a table can't be read yet."""

from __future__ import annotations

from collections.abc import Sequence

from data.importers.mapping.mapped_messages import role_of
from data.importers.mapping.mapped_rows import kind_of_giver, possible_givers
from data.importers.mapping.meanings import (
    LabelMeanings,
    RubricWords,
    ScaleGroup,
    unexplained_cells,
)
from data.importers.mapping.table_mapping import EVERY_CRITERION, FAILURE, Column, TableMapping
from data.importers.mapping.table_sample import TableSample, cells_by_scale, speakers_of
from data.store.errors import Notice

CELLS_NAMED = 6


def structure_questions(mapping: TableMapping) -> list[Notice]:
    """Return what the mapping alone shows to be missing; [] if its columns are complete."""
    if not mapping.has_words and not mapping.has_labels:
        return [Notice("mapping_without_words_or_labels")]
    labels = [column for column in mapping.columns.values() if column.role == "label"]
    open_ones = []
    if not mapping.names("conversation"):
        open_ones.append(Notice("mapping_without_conversation"))
    if mapping.names("text") and not mapping.names("speaker"):
        open_ones.append(Notice("mapping_without_speaker"))
    if any(not column.criterion for column in labels) and not mapping.names("criterion"):
        open_ones.append(Notice("mapping_without_criterion"))
    named = mapping.names("rater", "judge") or mapping.rater or mapping.judge
    nameless = any(column.giver is None if column.name else not named for column in labels)
    unclear = mapping.rater and mapping.judge and any(column.giver is None for column in labels)
    if nameless or unclear or (labels and not possible_givers(mapping)):
        open_ones.append(Notice("mapping_without_giver"))
    return open_ones


def open_questions(mapping: TableMapping, sample: TableSample, rubric: RubricWords) -> list[Notice]:
    """Return what the mapping leaves open for this table; [] if it can be checked."""
    open_ones = structure_questions(mapping)
    strangers = [each for each in speakers_of(mapping, sample) if role_of(each, mapping) is None]
    if strangers and not mapping.assistant:
        open_ones.append(Notice("mapping_without_assistant"))
    elif strangers:
        open_ones.append(Notice("mapping_without_speaker_role", speakers=_listed(strangers)))
    givers = [cell for name in mapping.names("giver") for cell in sample.different(name)]
    if unclear := [cell for cell in givers if kind_of_giver(cell, mapping) is None]:
        open_ones.append(Notice("mapping_without_kind_of_giver", cells=_listed(unclear)))
    open_ones += _wrong_meanings(mapping, rubric)
    cells = [cell for _, part in unknown_cells(mapping, sample, rubric) for cell in part]
    if cells:
        open_ones.append(
            Notice(
                "mapping_without_meaning",
                cells=_listed(cells),
            )
        )
    return open_ones


def label_like_left_out(mapping: TableMapping, sample: TableSample, rubric: RubricWords) -> list[str]:
    """Return the columns that the mapping leaves out though each of their cells could be a label."""
    return [
        name
        for name, values in sample.values.items()
        if values
        and set(values) != {""}
        and mapping.columns.get(name, Column(role="ignored")).role in ("ignored", "fact")
        and all(not value or rubric.is_label(value) for value in values)
    ]


def _listed(cells: Sequence[str]) -> str:
    return ", ".join(repr(cell) if cell else "an empty cell" for cell in dict.fromkeys(cells[:CELLS_NAMED]))


def _wrong_meanings(mapping: TableMapping, rubric: RubricWords) -> list[Notice]:
    """Return the meanings that would be ignored: of no criterion, or no label of its scale."""
    wrong = []
    for part, meanings in mapping.labels.items() if not rubric.is_empty else ():
        name = rubric.criterion(part)
        if name is None and part != EVERY_CRITERION:
            wrong.append(Notice("mapping_of_unknown_criterion", criterion=part))
            continue
        scales = list(rubric.scales.values()) if name is None else [rubric.scales[name]]
        labels = [label for label in meanings.values() if label not in (None, FAILURE)]
        unknown = [label for label in labels if not any(scale.label(label) for scale in scales)]
        if unknown:
            wrong.append(Notice("mapping_to_unknown_label", part=part, labels=_listed(unknown)))
    return wrong


def unknown_cells(
    mapping: TableMapping, sample: TableSample, rubric: RubricWords
) -> list[tuple[ScaleGroup, list[str]]]:
    """Return the cells of label columns that a person must explain, by the criteria that share a scale."""
    meanings = LabelMeanings(mapping.labels, rubric)
    unknown = [
        (group, unexplained_cells(columns, meanings.of(group.criteria[0]), group.scale))
        for group, columns in cells_by_scale(mapping, sample, rubric)
    ]
    return [(group, cells) for group, cells in unknown if cells]
