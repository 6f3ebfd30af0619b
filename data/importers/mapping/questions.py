"""What a mapping leaves open, so that a table can't be read yet."""

from __future__ import annotations

from data.importers.mapping.mapped_messages import known_role, split_transcript
from data.importers.mapping.mapped_rows import possible_givers
from data.importers.mapping.meanings import (
    LabelMeanings,
    RubricWords,
    ScaleGroup,
    unexplained_cells,
)
from data.importers.mapping.table_mapping import TableMapping
from data.importers.mapping.table_sample import TableSample, cells_by_scale
from data.store.errors import Notice

TRANSCRIPTS_READ = 20
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
    if not mapping.assistant and _has_strangers_only(mapping, sample):
        open_ones.append(Notice("mapping_without_assistant"))
    cells = [cell for _, part in unknown_cells(mapping, sample, rubric) for cell in part]
    if cells:
        open_ones.append(
            Notice(
                "mapping_without_meaning",
                cells=", ".join(
                    repr(cell) if cell else "an empty cell" for cell in dict.fromkeys(cells[:CELLS_NAMED])
                ),
            )
        )
    return open_ones


def speakers_of(mapping: TableMapping, sample: TableSample) -> list[str]:
    """Return the different speakers of the table; of transcripts, those in its first rows."""
    speakers = [each for name in mapping.names("speaker") for each in sample.different(name)]
    for name in mapping.names("transcript"):
        for text in sample.examples(name, TRANSCRIPTS_READ):
            speakers += [speaker for speaker, _ in split_transcript(text)]
    return list(dict.fromkeys(speakers))


def _has_strangers_only(mapping: TableMapping, sample: TableSample) -> bool:
    speakers = speakers_of(mapping, sample)
    return bool(speakers) and not any(known_role(each) == "assistant" for each in speakers)


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
