"""What a mapping leaves open, so that a table can't be read yet."""

from __future__ import annotations

from data.importers.mapping.mapped_messages import known_role, split_transcript
from data.importers.mapping.mapped_rows import possible_givers
from data.importers.mapping.meanings import RubricWords
from data.importers.mapping.proposal import TableSample
from data.importers.mapping.table_mapping import EVERY_CRITERION, TableMapping, plain_cell
from data.store.errors import Notice

TRANSCRIPTS_READ = 20


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
    if nameless or (labels and not possible_givers(mapping)):
        open_ones.append(Notice("mapping_without_giver"))
    return open_ones


def open_questions(mapping: TableMapping, sample: TableSample, rubric: RubricWords) -> list[Notice]:
    """Return what the mapping leaves open for this table; [] if it can be checked."""
    open_ones = structure_questions(mapping)
    if not mapping.assistant and _has_strangers_only(mapping, sample):
        open_ones.append(Notice("mapping_without_assistant"))
    cells = unknown_cells(mapping, sample, rubric)
    if cells:
        open_ones.append(
            Notice(
                "mapping_without_meaning",
                cells=", ".join(repr(cell) if cell else "an empty cell" for cell in cells[:6]),
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


def unknown_cells(mapping: TableMapping, sample: TableSample, rubric: RubricWords) -> list[str]:
    """Return the different cells of label columns that are no label and have no meaning yet.

    An empty cell is among them where only one label is written, as in a list that is ticked: it may mean the
    other one.
    """
    cells: dict[str, None] = {}
    labels = [(name, column) for name, column in mapping.columns.items() if column.role == "label"]
    for name, column in () if rubric.is_empty else labels:
        meanings = {
            plain_cell(text): label
            for part in (EVERY_CRITERION, column.criterion)
            for text, label in mapping.labels.get(part, {}).items()
        }
        values = sample.different(name)
        cells |= {
            value: None
            for value in values
            if plain_cell(value) not in meanings and not rubric.is_label(value, column.criterion)
        }
        written = {meanings.get(plain_cell(value), value) for value in values}
        if "" in (sample.values.get(name) or ()) and "" not in meanings and rubric.is_ticked(written):
            cells[""] = None
    return list(cells)
