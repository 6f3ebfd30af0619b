"""Studies, their instruments, taxonomies and raters."""

from __future__ import annotations

import itertools
import json
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, ScalarSelect, Select, func, select

from configs.files.yaml_files import content_hash
from data import schema
from data.store.errors import NotFound, Refused
from data.store.letter_case import fold
from data.store.trail import TrailEntry
from scoring.instruments import Instrument, Taxonomy, parse_instrument, parse_taxonomy
from words.unit_nouns import UnitNoun, noun_of

KEY = re.compile(r"[\w-]{1,60}")  # it stands in addresses
LONGEST_MADE = 50  # characters of a key that is made of a title


@dataclass(frozen=True)
class StudySpec:
    """What a lead decides when a study is made. An unstated data class is `phi`, an unstated review is
    blind.
    """

    key: str
    title: str
    instrument_id: int
    taxonomy_id: int | None = None
    description: str = ""
    data_class: str = "phi"
    review: str = "blind"
    reveal: str = "after_batch"
    batch_size: int = 10
    content_note: str = ""
    provenance: str = ""
    role_names: tuple[str, str] = ("User", "Assistant")


@dataclass(frozen=True)
class Study:
    id: int
    key: str
    title: str
    description: str
    data_class: str
    review: str
    reveal: str
    batch_size: int
    content_note: str
    provenance: str
    role_names: tuple[str, str]
    instrument: Instrument
    taxonomy: Taxonomy | None
    archived: bool = False

    def criterion_names(self) -> dict[str, str]:
        """Return id -> name of all criteria, or of all strategies that a plan may declare."""
        if self.instrument.criteria_from and self.taxonomy is not None:
            return {strategy.id: strategy.name for strategy in self.taxonomy.strategies}
        return {criterion.id: criterion.name for criterion in self.instrument.criteria}

    @property
    def shows_judge(self) -> bool:
        """Whether raters and settlers see the judge's labels at some time."""
        return self.reveal != "never" or self.review == "open"

    @property
    def noun(self) -> UnitNoun:
        """Return what a unit of this study is called."""
        return noun_of(self.instrument.unit)

    def unit_name(self, place: int) -> str:
        """Return the name of the unit at a place, such as "Conversation 3"."""
        return self.noun.name(place)


@dataclass(frozen=True)
class Rater:
    id: int
    study_id: int
    name: str
    kind: str


def register_instrument(connection: Connection, entry: TrailEntry, body: str) -> int:
    """Write an instrument unless the same text is stored; return its id.

    Raise Refused if the text can't be read, or differs from the stored one of the same key and version:
    labels given under the old text would be read under the new one.
    """
    instrument = _instrument(body)
    return _register(
        connection, entry, schema.instrument, instrument.key, instrument.version, body, "instrument"
    )


def register_taxonomy(connection: Connection, entry: TrailEntry, body: str) -> int:
    """Write a taxonomy unless the same text is stored; return its id. Raise Refused as
    `register_instrument` does.
    """
    taxonomy = _taxonomy(body)
    return _register(connection, entry, schema.taxonomy, taxonomy.key, taxonomy.version, body, "taxonomy")


def _register(
    connection: Connection, entry: TrailEntry, table: Any, key: str, version: str, body: str, what: str
) -> int:
    row = connection.execute(
        select(table.c.id, table.c.sha256).where(table.c.key == key, table.c.version == version)
    ).first()
    if row is None:
        return entry.write(
            table, {"key": key, "version": version, "body": body, "sha256": content_hash(body)}
        )
    if row.sha256 != content_hash(body):
        raise Refused("version_unchanged", what=what, key=key, version=version)
    return int(row.id)


def check_key(key: str) -> None:
    """Raise Refused (key_unusable) unless the key has 1 to 60 letters, digits, "_" or "-", also of other
    alphabets.
    """
    if not KEY.fullmatch(key):
        raise Refused("key_unusable", key=key)


def make_key(title: str, taken: Collection[str] = ()) -> str:
    """Return a key made of a title: lower-case letters, digits, hyphens and underscores, at most
    LONGEST_MADE (50).

    "_2", "_3" and so on is appended if it is in `taken`; "study" if nothing of the title is left.
    """
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    key = re.sub(r"[^A-Za-z0-9-]+", "_", plain).strip("_").lower()[:LONGEST_MADE] or "study"
    number = next(n for n in itertools.count(1) if (key if n == 1 else f"{key}_{n}") not in taken)
    return key if number == 1 else f"{key}_{number}"


def create(connection: Connection, entry: TrailEntry, spec: StudySpec) -> int:
    """Create a study; return its id. Raise Refused if its key is taken or a setting is not one of those
    offered.
    """
    check_key(spec.key)
    if find(connection, spec.key):
        raise Refused("study_exists", key=spec.key)
    choices = {
        "data_class": ("synthetic", "deidentified", "phi"),
        "review": ("blind", "open"),
        "reveal": ("after_batch", "after_unit", "never"),
    }
    for name, offered in choices.items():
        if getattr(spec, name) not in offered:
            raise Refused(
                "setting_not_offered", name=name, value=getattr(spec, name), offered=", ".join(offered)
            )
    if spec.batch_size < 1:
        raise Refused("batch_size_too_small")
    row = {name: getattr(spec, name) for name in spec.__dataclass_fields__}
    study_id = entry.write(schema.study, {**row, "role_names": json.dumps(spec.role_names)})
    entry.study = study_id
    return study_id


def instrument_sha256(connection: Connection, study: Study) -> str:
    """Return the SHA-256 of the text of the study's instrument, in hexadecimal."""
    table = schema.instrument
    found: str = connection.execute(
        select(table.c.sha256)
        .join(schema.study, schema.study.c.instrument_id == table.c.id)
        .where(schema.study.c.id == study.id)
    ).scalar_one()
    return found


def find(connection: Connection, key: str) -> Study | None:
    """Return the study with this key, or None."""
    row = connection.execute(_select_studies().where(schema.study.c.key == key)).first()
    return _study(connection, row) if row else None


def get_by_key(connection: Connection, key: str) -> Study:
    """Return the study with this key. Raise NotFound, which lists the keys there are."""
    study = find(connection, key)
    if study is None:
        raise NotFound(
            "no_study_of_key",
            key=key,
            keys=", ".join(other.key for other in listing(connection)) or "none yet",
        )
    return study


def get(connection: Connection, study_id: int) -> Study:
    """Return the study with this id. Raise NotFound if there is none."""
    row = connection.execute(_select_studies().where(schema.study.c.id == study_id)).first()
    if row is None:
        raise NotFound("no_such_study")
    return _study(connection, row)


def listing(connection: Connection) -> list[Study]:
    """Return all studies, archived ones too, in the order of their ids."""
    rows = connection.execute(_select_studies().order_by(schema.study.c.id))
    return [_study(connection, row) for row in rows]


def titles(connection: Connection) -> list[tuple[str, str]]:
    """Return (key, title) of each study that is not archived, in the order of their ids."""
    rows = connection.execute(_select_studies().order_by(schema.study.c.id))
    return [(row.key, row.title) for row in rows if not row.archived]


def current_title() -> ColumnElement[str]:
    """Return an SQL expression: the title of a study now."""
    return func.coalesce(_last_change(schema.study_change.c.title), schema.study.c.title)


def _last_change(column: ColumnElement[Any]) -> ScalarSelect[Any]:
    change = schema.study_change
    return (
        select(column)
        .where(change.c.study_id == schema.study.c.id, column.is_not(None))
        .order_by(change.c.id.desc())
        .limit(1)
        .scalar_subquery()
    )


def _select_studies() -> Select[Any]:
    return select(
        *(column for column in schema.study.c if column.name != "title"),
        current_title().label("title"),
        func.coalesce(_last_change(schema.study_change.c.archived), 0).label("archived"),
    )


def unit_count(connection: Connection, study_id: int) -> int:
    """Return the number of listed units of a study, which is the highest position; 0 without any."""
    return (
        connection.execute(
            select(func.max(schema.unit.c.position)).where(schema.unit.c.study_id == study_id)
        ).scalar()
        or 0
    )


def _study(connection: Connection, row: Row[Any]) -> Study:
    body = connection.execute(
        select(schema.instrument.c.body).where(schema.instrument.c.id == row.instrument_id)
    ).scalar_one()
    taxonomy = None
    if row.taxonomy_id is not None:
        taxonomy = _taxonomy(
            connection.execute(
                select(schema.taxonomy.c.body).where(schema.taxonomy.c.id == row.taxonomy_id)
            ).scalar_one()
        )
    first, second = json.loads(row.role_names)
    return Study(
        row.id,
        row.key,
        row.title,
        row.description,
        row.data_class,
        row.review,
        row.reveal,
        row.batch_size,
        row.content_note,
        row.provenance,
        (first, second),
        _instrument(body),
        taxonomy,
        bool(row.archived),
    )


# Bodies never change once kept, so parsing each once is enough.
_instrument = lru_cache(maxsize=64)(parse_instrument)
_taxonomy = lru_cache(maxsize=64)(parse_taxonomy)


class RaterNames:
    """The raters of a study, read once to add several."""

    def __init__(self, connection: Connection, study_id: int) -> None:
        self._study_id = study_id
        self._raters: dict[str, list[Rater]] = {}
        for rater in raters(connection, study_id):
            self._raters.setdefault(name_key(rater.name), []).append(rater)

    def add(self, entry: TrailEntry, name: str, kind: str = "person") -> int:
        """Add a rater, or return the one of that name. Raises Refused for an unusable name."""
        cleaned = " ".join(name.split())
        same_names = self._raters.setdefault(name_key(cleaned), [])
        same = next((rater for rater in same_names if rater.name == cleaned and rater.kind == kind), None)
        if same is not None:
            return same.id
        if kind == "person" and same_names:
            same_name = same_names[0]
            if same_name.kind == "person":
                raise Refused("rater_exists", name=same_name.name)
            raise Refused("name_of_imported_rater", name=same_name.name)
        rater_id = insert_rater(entry, self._study_id, cleaned, kind)
        same_names.append(Rater(rater_id, self._study_id, cleaned, kind))
        return rater_id


def add_rater(
    connection: Connection, entry: TrailEntry, study_id: int, name: str, kind: str = "person"
) -> int:
    """Add a rater, or return the one of that name. Raises Refused for an unusable name."""
    return RaterNames(connection, study_id).add(entry, name, kind)


def insert_rater(entry: TrailEntry, study_id: int, name: str, kind: str) -> int:
    """Add a rater under a name that nobody of the study has; return the id.

    Raise Refused unless the name has 1 to 80 printable characters.
    """
    if not name or len(name) > 80 or not name.isprintable():
        raise Refused("name_unusable")
    return entry.write(schema.rater, {"study_id": study_id, "name": name, "kind": kind})


def name_key(name: str) -> str:
    """Return a form of a name that is equal for spellings that differ in letter case or how accents are
    written.
    """
    return fold(name)


def raters(connection: Connection, study_id: int) -> list[Rater]:
    """Return the study's raters of every kind, in the order of their ids."""
    rows = connection.execute(
        select(schema.rater).where(schema.rater.c.study_id == study_id).order_by(schema.rater.c.id)
    )
    return [Rater(row.id, row.study_id, row.name, row.kind) for row in rows]


def select_rater_ids(study_id: int) -> Select[tuple[int]]:
    """Return a statement that selects the ids of a study's raters."""
    return select(schema.rater.c.id).where(schema.rater.c.study_id == study_id)


def rater(connection: Connection, rater_id: int) -> Rater:
    """Return the rater with this id. Raise NotFound if there is none."""
    row = connection.execute(select(schema.rater).where(schema.rater.c.id == rater_id)).first()
    if row is None:
        raise NotFound("no_such_rater")
    return Rater(row.id, row.study_id, row.name, row.kind)
