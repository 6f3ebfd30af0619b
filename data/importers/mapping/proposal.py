"""Propose what the columns and cells of a table mean, from its names and values. A person confirms it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from itertools import chain

from configs.import_words import import_words
from data.importers.label_givers import is_machine, is_person
from data.importers.mapping.mapped_messages import known_role, split_transcript
from data.importers.mapping.meanings import RubricWords, propose_meanings
from data.importers.mapping.table_mapping import (
    Column,
    Giver,
    Role,
    TableMapping,
    is_among,
    plain_cell,
)
from data.importers.mapping.table_sample import ROWS_KEPT, TableSample, cells_by_scale, speakers_of
from data.importers.persons import is_person_like

MIN_READABLE = 0.8  # share of a label column's different values that are labels
AROUND_NAMES = " _:/()[]|-–.,"
WORD_ORDER: tuple[Role, ...] = (
    "conversation",
    "speaker",
    "criterion",
    "rater",
    "judge",
    "giver",
    "transcript",
    "user",
    "assistant",
    "text",
    "label",
    "reason",
    "note",
    "date",
    "turn",
)
IN_ONE_COLUMN: frozenset[Role] = frozenset(
    {"speaker", "text", "criterion", "rater", "judge", "giver", "turn", "date"}
)


def propose_mapping(
    sample: TableSample, rubric: RubricWords, raters: Sequence[str] = (), judges: Sequence[str] = ()
) -> TableMapping:
    """Return what the table probably means. `raters`, `judges`: names that the study knows.

    What neither names nor values tell is left open: see `open_questions`.
    """
    columns = _columns(sample, rubric, raters, judges)
    roles: dict[Role, list[str]] = {}
    for name, column in columns.items():
        roles.setdefault(column.role, []).append(name)
    has_words = bool(roles.keys() & {"text", "user", "assistant", "transcript"})
    for name, column in columns.items():
        if column.role == "fact" and not (
            (has_words or is_person_like(name)) and _is_constant(sample, name, roles.get("conversation", []))
        ):
            columns[name] = Column(role="ignored")
    mapping = propose_answers(TableMapping(columns=columns), sample, rubric, judges)
    strangers = [each for each in speakers_of(mapping, sample) if known_role(each) is None]
    return mapping.model_copy(update={"user": tuple(strangers) if mapping.assistant else ()})


def propose_answers(
    mapping: TableMapping, sample: TableSample, rubric: RubricWords, judges: Sequence[str] = ()
) -> TableMapping:
    """Return the mapping with what the cells of this table propose, where it says nothing about them itself.

    A speaker or giver that neither the mapping nor a usual name tells is left open.
    """
    givers = mapping.names("giver")
    cells = [value for name in givers or mapping.names("rater") for value in sample.different(name)]
    among_judges = [
        cell
        for cell in cells
        if is_machine(cell) or cell in judges or (givers and plain_cell(cell) in import_words().judges)
    ]
    assistants = [each for each in speakers_of(mapping, sample) if known_role(each) == "assistant"]
    usual = _propose_labels(mapping, sample, rubric)
    labels = {
        part: {**usual.get(part, {}), **mapping.labels.get(part, {})} for part in {**usual, **mapping.labels}
    }
    return mapping.model_copy(
        update={
            "reading": sample.reading,
            "assistant": _more(mapping.assistant, assistants, mapping.user),
            "judges": _more(mapping.judges, among_judges, mapping.people),
            "labels": labels,
            "repeats_ids": _repeats_ids(sample, mapping.names("conversation")),
        }
    )


def _more(listed: Sequence[str], proposed: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    new = [each for each in proposed if not is_among(each, (*listed, *others))]
    return (*listed, *dict.fromkeys(new))


def _propose_labels(
    mapping: TableMapping, sample: TableSample, rubric: RubricWords
) -> dict[str, dict[str, str]]:
    labels: dict[str, dict[str, str]] = {}
    for group, columns in cells_by_scale(mapping, sample, rubric):
        criteria = [each for each in rubric.criteria if each.id in group.criteria]
        meanings = propose_meanings(chain.from_iterable(columns), criteria, group.scale)
        labels |= {part: meanings for part in group.parts if meanings}
    return labels


def _repeats_ids(sample: TableSample, ids: Sequence[str]) -> bool:
    """Tell whether ids probably stand only in a conversation's first row: each occurs once, and at least as
    many rows have none. A single empty id is more likely a mistake.
    """
    keys = [tuple(row.get(name, "").strip() for name in ids) for _, row in sample.rows]
    filled = [key for key in keys if any(key)]
    return bool(ids) and len(set(filled)) == len(filled) <= len(keys) - len(filled)


def _columns(
    sample: TableSample, rubric: RubricWords, raters: Sequence[str], judges: Sequence[str]
) -> dict[str, Column]:
    columns: dict[str, Column] = {}
    taken: set[Role] = set()
    for name in sample.columns:
        if not sample.examples(name, 1) and not sample.different(name):
            columns[name] = Column(role="ignored")
            continue
        column = _column_of_criterion(name, sample, rubric, raters, judges)
        if column is not None:
            columns[name] = column
    by_rank = sorted(
        (rank, place, name, role)
        for place, name in enumerate(sample.columns)
        if name not in columns
        for role in WORD_ORDER
        for rank in [_rank(name, role)]
        if rank is not None
    )
    for _, _, name, role in by_rank:
        if name in columns or not _fits(role, name, sample, rubric, columns):
            continue
        if role == "turn" and not (rubric.rates_replies or _speaks(sample)):
            continue
        if role in taken and (role in IN_ONE_COLUMN or role == "conversation"):
            continue
        columns[name] = Column(role=role)
        taken.add(role)
    _add_by_values(columns, sample, rubric)
    if "conversation" not in taken and (like_id := _first_like_an_id(sample, columns)) is not None:
        columns[like_id] = Column(role="conversation")
    return {name: columns.get(name, Column(role="fact")) for name in sample.columns}


def _add_by_values(columns: dict[str, Column], sample: TableSample, rubric: RubricWords) -> None:
    """Add a column of criteria, and next to one a column of labels, that only their values give away."""
    roles = {column.role for column in columns.values()}
    for role in ("criterion", "label"):
        free = [name for name in sample.columns if name not in columns and sample.different(name)]
        likely = [name for name in free if _fits(role, name, sample, rubric, columns)]
        if role not in roles and likely and (role == "criterion" or "criterion" in roles):
            columns[likely[-1]] = Column(role=role)
            roles.add(role)


def _plain(name: str) -> str:
    return " ".join(
        re.sub(r"([a-z])([A-Z])", r"\1 \2", name).replace("_", " ").replace("-", " ").split()
    ).casefold()


def _rank(name: str, role: Role) -> int | None:
    """Return how likely a column's name is of a role, 0 for the likeliest; None if it is not."""
    words = import_words().columns[role]
    plain = _plain(name).rstrip(".:#")
    return words.index(plain) if plain in words else None


def _fits(
    role: Role, name: str, sample: TableSample, rubric: RubricWords, columns: Mapping[str, Column]
) -> bool:
    """Tell whether a column's values allow the role."""
    values = sample.different(name)
    if role == "speaker":
        return 0 < len(values) <= 20
    if role == "criterion":
        return (
            bool(values) and _share(values, lambda each: rubric.criterion(each) is not None) >= MIN_READABLE
        )
    if role == "label":
        return bool(values) and _share(values, rubric.is_like_label) >= MIN_READABLE and not rubric.is_empty
    if role == "giver":
        words = import_words()
        return bool(values) and all(plain_cell(each) in (*words.judges, *words.people) for each in values)
    if role == "turn":
        return all(re.fullmatch(r"\d+([.,]0)?", each) for each in sample.examples(name, ROWS_KEPT))
    if role == "date":
        return all(map(_is_date, sample.examples(name)))
    if role == "transcript":
        return all(split_transcript(each) for each in sample.examples(name))
    if role == "rater":
        return values == [] or not all(map(rubric.is_like_label, values))
    if role in ("user", "assistant"):  # a prompt without a response is something else
        other: Role = "assistant" if role == "user" else "user"
        return any(_rank(each, other) is not None for each in sample.columns if each != name)
    return True


def _speaks(sample: TableSample) -> bool:
    return any(_rank(name, "speaker") is not None for name in sample.columns)


def _share(values: Sequence[str], holds: Callable[[str], bool]) -> float:
    return sum(map(holds, values)) / len(values)


def _is_date(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return bool(re.fullmatch(r"\d{1,2}[./]\d{1,2}[./]\d{2,4}.*", text))
    return len(text) >= len("20260101")


def _is_constant(sample: TableSample, name: str, ids: Sequence[str]) -> bool:
    """Tell whether a column has one value per conversation in the sample."""
    values: dict[tuple[str, ...], set[str]] = {}
    key: tuple[str, ...] = ()
    for _, row in sample.rows:
        key = tuple(row.get(each, "") for each in ids) if any(row.get(each) for each in ids) else key
        if cell := row.get(name, "").strip():
            values.setdefault(key, set()).add(cell)
    return all(len(each) == 1 for each in values.values())


def _first_like_an_id(sample: TableSample, columns: Mapping[str, Column]) -> str | None:
    free = [name for name in sample.columns if name not in columns]
    return next((name for name in free if re.search(r"(^|[ _])id$|Id$|ID$", name)), None)


def _column_of_criterion(
    name: str, sample: TableSample, rubric: RubricWords, raters: Sequence[str], judges: Sequence[str]
) -> Column | None:
    """Return the column if its name holds a criterion: a label, or a reason or note about one."""
    parts = rubric.split(name)
    if parts is None:
        return None
    criterion, rest = parts
    who, about = _split_who(rest)
    values = sample.different(name)
    if about == "label" and values and _share(values, rubric.is_like_label) < MIN_READABLE:
        return None
    return Column(role=about, criterion=criterion, name=who, giver=_giver_named(who, raters, judges))


def _split_who(rest: str) -> tuple[str, Role]:
    """Return (who, what the column holds) from a column's name without its criterion: " (Ann) comment" gives
    "Ann" and a note.
    """
    words, about = import_words().columns, "label"
    text, before = rest, ""
    while text != before:
        before = text = text.strip(AROUND_NAMES)
        for role in ("reason", "note", "label"):
            for word in (*words[role], *(("by", "of", "from") if role == "label" else ())):
                pattern = rf"(^{re.escape(word)}(?![^\W_]))|((?<![^\W_]){re.escape(word)}$)"
                cut = re.sub(pattern, "", text, count=1, flags=re.IGNORECASE)
                if cut != text:
                    text, about = cut, about if role == "label" else role
    return text, "reason" if about == "reason" else "note" if about == "note" else "label"


def _giver_named(who: str, raters: Sequence[str], judges: Sequence[str]) -> Giver | None:
    plain = plain_cell(who)
    if plain in map(plain_cell, judges) or is_machine(who):
        return "judge"
    return "person" if plain in map(plain_cell, raters) or is_person(who) else None
