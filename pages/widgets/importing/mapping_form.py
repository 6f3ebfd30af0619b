"""The questions about a table: what each column is, who gave its labels, and what its cells mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any
from zlib import crc32

import streamlit as st

from configs.settings import Settings
from data.importers.mapping import targets
from data.importers.mapping.mapped_rows import first_labels
from data.importers.mapping.meanings import LabelMeanings, RubricWords
from data.importers.mapping.questions import label_like_left_out, open_questions, unknown_cells
from data.importers.mapping.raw_tables import ENCODINGS
from data.importers.mapping.table_mapping import (
    EVERY_CRITERION,
    FAILURE,
    Column,
    Reading,
    Role,
    TableMapping,
    plain_cell,
)
from data.importers.mapping.table_sample import TableSample
from data.importers.mapping.targets import MappingTarget, read_sample_apart
from data.importers.new_study import NewStudy
from data.importers.own_process import FileTooMuch, limits_for, run_apart
from data.record.studies import Study
from pages.widgets import reader_session, untrusted_text
from pages.widgets.importing.mapping_givers import (
    EXAMPLE,
    MAX_NAME_SHOWN,
    ask_givers,
    ask_speakers,
    cut,
    grid,
)
from pages.widgets.importing.upload import Upload
from reports.mapping_words import (
    EMPTY_CELL,
    FAILED_REPLY,
    NO_LABEL,
    ROLE_WORDS,
    describe_columns,
)
from reports.refusals import word_notice
from scoring.instruments import Scale
from words.plurals import count, join_words

SAMPLES = "import-table-samples"
UNANSWERED = "(unanswered)"  # no label is called so
COLUMNS_SHOWN = 8
PREVIEWED = 5  # labels
WITH_CRITERION: tuple[Role, ...] = ("label", "reason", "note")


def ask_mapping(
    upload: Upload, study: Study | None, new: NewStudy | None
) -> tuple[TableMapping | None, bool]:
    """Ask what the table means. Return the mapping, None if the table can't be read, and whether something is
    left open, which the form says itself.
    """
    sample = _ask_reading(upload)
    if sample.problem:
        st.info(untrusted_text.plain(sample.problem))
        return None, True
    target = _target(study, new, sample)
    proposal = target.propose(sample)
    of = study.key if study is not None else new.instrument if new is not None else ""
    key = str(crc32(repr((sample.reading, sample.columns, of)).encode()))
    summary = st.container(gap="small")
    may_be_words = bool(proposal.names("transcript") and proposal.user)  # a "Plan:" in a message
    is_clear = not (proposal.has_labels or may_be_words or open_questions(proposal, sample, target.rubric))
    with (
        st.expander("Change what the columns are", key=f"import-columns-{key}", type="compact")
        if is_clear
        else st.container(gap="small")
    ):
        questions_first = st.container(gap="small")
        columns = _ask_columns(sample, proposal, target.rubric, key)
    mapping = proposal.model_copy(update={"columns": columns})
    with questions_first:
        mapping = ask_givers(mapping, sample, key)
        mapping = ask_speakers(mapping, sample, key)
        mapping = _ask_empty_ids(mapping, sample, key)
        mapping = _ask_meanings(mapping, sample, target.rubric, key)
    questions = open_questions(mapping, sample, target.rubric)
    with summary if is_clear else questions_first:
        if is_clear:
            untrusted_text.paragraph(describe_columns(mapping), small=True)
        if doubtful := label_like_left_out(mapping, sample, target.rubric):
            names = join_words([f"“{cut(name, MAX_NAME_SHOWN)}”" for name in doubtful])
            st.warning(untrusted_text.plain(f"Left out, though the cells could be labels: {names}."))
        if questions:
            st.info(untrusted_text.plain(" ".join(map(word_notice, questions))))
        elif mapping.has_labels:
            _show_labels(upload.path, mapping, target.rubric)
    return mapping, bool(questions)


def propose_words(upload: Upload) -> TableMapping | None:
    """Return how the conversations of a table are probably read; None if it has none or something is open."""
    sample = read_sample(upload, None)
    if sample.problem:
        return None
    mapping = MappingTarget(RubricWords()).propose(sample)
    return None if not mapping.has_words or open_questions(mapping, sample, RubricWords()) else mapping


def _target(study: Study | None, new: NewStudy | None, sample: TableSample) -> MappingTarget:
    if study is not None:
        with reader_session.store().reading() as connection:
            return targets.target_of_study(connection, study, sample.columns)
    if new is None:
        return MappingTarget(RubricWords())
    return targets.target_of_instrument(Settings.read().instruments / f"{new.instrument}.yaml")


def _ask_reading(upload: Upload) -> TableSample:
    """Ask for the sheet, the row of the column names and the encoding, and return the table read so."""
    first = read_sample(upload, None)
    key = crc32(repr((first.sheets, first.columns)).encode())
    sheet, reading = "", first.reading
    if len(first.sheets) > 1:
        sheet = st.selectbox("Sheet", list(first.sheets), key=f"import-sheet-{key}")
        reading = read_sample(upload, None, sheet).reading
    is_usual = reading.encoding in ("", "utf-8")
    with st.expander("How the file is read", key="import-reading", type="compact", expanded=not is_usual):
        left, right = st.columns(2, gap="small")
        header = left.number_input(
            "Row with the column names", 1, 10_000, reading.header, key=f"import-header-{key}-{sheet}"
        )
        if not is_usual:
            encoding = right.selectbox(
                "Encoding",
                list(ENCODINGS),
                index=ENCODINGS.index(reading.encoding),
                key=f"import-encoding-{key}",
                help="How the program that wrote the file stored letters such as é. Look whether they are "
                "right in the examples.",
            )
            reading = reading.model_copy(update={"encoding": encoding})
    return read_sample(upload, reading.model_copy(update={"header": int(header)}), sheet)


def read_sample(upload: Upload, reading: Reading | None, sheet: str = "") -> TableSample:
    """Return the beginning of an uploaded table, read once for each way to read it."""
    samples: dict[Any, TableSample] = st.session_state.setdefault(SAMPLES, {})
    of = (upload.number, reading, sheet)
    if of not in samples:
        if samples and next(iter(samples))[0] != upload.number:
            samples.clear()
        samples[of] = read_sample_apart(upload.path, sheet, reading)
    return samples[of]


def _ask_columns(
    sample: TableSample, proposal: TableMapping, rubric: RubricWords, key: str
) -> dict[str, Column]:
    """Ask what each column is, with examples; the criterion too where a column is about one."""
    untrusted_text.heading("What the columns are", 3)
    chosen: dict[str, Column] = {}
    place = st.container(gap="xsmall")
    for number, name in enumerate(sample.columns):
        if number == COLUMNS_SHOWN:
            more = len(sample.columns) - number
            place = st.expander(
                count(more, "more column", "more columns"), key=f"import-more-columns-{key}", type="compact"
            )
        with place:
            proposed = proposal.columns.get(name, Column(role="ignored"))
            chosen[name] = _ask_column(name, sample, proposed, rubric, f"{key}-{number}")
    return chosen


def _ask_column(name: str, sample: TableSample, proposed: Column, rubric: RubricWords, key: str) -> Column:
    about, examples, role_place, criterion_place = st.columns(
        [1.5, 1.5, 1.7, 1.1], gap="small", vertical_alignment="center"
    )
    shown = cut(name, MAX_NAME_SHOWN)
    with about:
        untrusted_text.paragraph(shown)
    with examples:
        cells = " · ".join(cut(" ".join(each.split()), EXAMPLE) for each in sample.examples(name, 2))
        untrusted_text.paragraph(cells or "empty", small=True)
    role = role_place.selectbox(
        untrusted_text.label(f"What {shown} is"),
        list(ROLE_WORDS),
        index=list(ROLE_WORDS).index(proposed.role),
        format_func=ROLE_WORDS.__getitem__,
        label_visibility="collapsed",
        key=f"import-role-{key}",
    )
    criterion, criteria = "", ["", *(each.id for each in rubric.criteria)]
    if role in WITH_CRITERION and rubric.criteria:
        criterion = criterion_place.selectbox(
            untrusted_text.label(f"Criterion of {shown}"),
            criteria,
            index=criteria.index(proposed.criterion) if proposed.criterion in criteria else 0,
            format_func=lambda each: each or ("named in the row" if role == "label" else "first label"),
            label_visibility="collapsed",
            key=f"import-criterion-{key}",
        )
    is_same = role == proposed.role
    return Column(
        role=role,
        criterion=criterion,
        giver=proposed.giver if is_same else None,
        name=proposed.name if is_same else "",
    )


def _ask_empty_ids(mapping: TableMapping, sample: TableSample, key: str) -> TableMapping:
    """Ask what an empty id means, if one of the first rows has none."""
    ids = mapping.names("conversation")
    if not any(not row.get(name, "").strip() for name in ids for _, row in sample.rows):
        return mapping
    repeats = st.checkbox(
        "An empty id means the conversation above",
        mapping.repeats_ids,
        key=f"import-repeats-{key}",
        help="Otherwise a row without an id is an error.",
    )
    return mapping.model_copy(update={"repeats_ids": repeats})


def _ask_meanings(mapping: TableMapping, sample: TableSample, rubric: RubricWords, key: str) -> TableMapping:
    """Ask what each cell means that must be explained, by the criteria that share a scale. An answer may
    raise the question of the empty cell.
    """
    proposed = LabelMeanings(mapping.labels, rubric)
    labels: dict[str, dict[str, str | None]] = {}
    shown: set[tuple[tuple[str, ...], str]] = set()
    while True:
        answered = mapping.model_copy(update={"labels": labels})
        more = [
            (group, cell)
            for group, cells in unknown_cells(answered, sample, rubric)
            for cell in cells
            if (group.parts, cell) not in shown
        ]
        if not more:
            return answered
        for group, of_group in groupby(more, itemgetter(0)):
            cells = [cell for _, cell in of_group]
            if all(group.parts != other for other, _ in shown):
                about = "" if EVERY_CRITERION in group.parts else f" for {join_words(group.criteria)}"
                untrusted_text.heading(f"What the cells mean{about}", 3)
            usual = proposed.of(group.criteria[0])
            for place, cell in zip(grid(len(cells)), cells, strict=True):
                shown.add((group.parts, cell))
                widget = f"import-meaning-{key}-{group.parts[0]}-{cell}"
                meaning = _ask_meaning(
                    place, cell, group.scale, usual.get(plain_cell(cell), UNANSWERED), widget
                )
                if meaning != UNANSWERED:
                    for part in group.parts:
                        labels.setdefault(part, {})[cell] = meaning


def _ask_meaning(place: Any, cell: str, scale: Scale, proposed: str | None, key: str) -> str | None:
    """Return a label, FAILURE, None for no label, or UNANSWERED."""
    words = {level.id: level.name for level in scale.labels()} | {FAILURE: FAILED_REPLY, NO_LABEL: NO_LABEL}
    choices = list(words)
    usual = NO_LABEL if proposed is None else proposed
    chosen: str | None = place.selectbox(
        untrusted_text.label(cut(cell, EXAMPLE) or EMPTY_CELL),
        choices,
        index=choices.index(usual) if usual in choices else None,
        format_func=words.__getitem__,
        placeholder="choose a label",
        key=key,
    )
    return UNANSWERED if chosen is None else None if chosen == NO_LABEL else chosen


def _show_labels(path: Path, mapping: TableMapping, rubric: RubricWords) -> None:
    """Show the first labels as they will be imported."""
    try:
        rows: Sequence[Mapping[str, str]] = run_apart(
            first_labels, path, mapping, rubric, PREVIEWED, limits=limits_for(path)
        )
    except FileTooMuch:
        return
    if rows:
        untrusted_text.table(
            "The first labels",
            ["Conversation", "By", "Criterion", "Label"],
            [
                [
                    row["conversation_id"],
                    row["rater"] if "rater" in row else f"{row['judge']} (judge)",
                    row["criterion"],
                    row["label"],
                ]
                for row in rows
            ],
        )
