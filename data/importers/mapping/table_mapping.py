"""The mapping of a table: how it is read, what each column is, and what each label in it means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator

from configs.files.limited_yaml import write_yaml
from configs.files.yaml_files import parse_model

Role = Literal[
    "conversation",
    "turn",
    "speaker",
    "text",
    "user",
    "assistant",
    "transcript",
    "rater",
    "judge",
    "giver",
    "criterion",
    "label",
    "reason",
    "note",
    "date",
    "fact",
    "ignored",
]
Giver = Literal["person", "judge"]
EVERY_CRITERION = "*"  # meanings that hold for every criterion without its own
EVERYBODY = "*"  # as the user: every speaker who is not listed
FAILURE = "failure"  # a cell that is no label but a failed reply of a judge


def _number_as_text(value: Any) -> Any:
    """Return a number as text. A Boolean is refused: yes and true can no longer be told apart."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Text = Annotated[str, BeforeValidator(_number_as_text)]


class Mapped(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Reading(Mapped):
    """How the cells of a table are found. `header`: the line or row of the column names, from 1.

    `encoding`, `separator`: of a text file. `sheet`: of a workbook. Empty where the file has none.
    """

    encoding: str = ""
    separator: str = ""
    sheet: Text = ""
    header: int = Field(default=1, ge=1)

    @field_validator("encoding")
    @classmethod
    def _is_of_text(cls, value: str) -> str:
        try:
            "".encode(value or "utf-8")  # also refuses codecs that are not of texts, such as rot13
        except LookupError:
            raise ValueError(
                f"{value!r} is no encoding of texts; utf-8, utf-16 and cp1252 are usual"
            ) from None
        return value

    @field_validator("separator")
    @classmethod
    def _is_one_character(cls, value: str) -> str:
        if len(value) > 1 or value in ("\n", "\r", '"'):
            raise ValueError("a separator is one character, such as ; or a tab")
        return value


class Column(Mapped):
    """What a column is.

    `criterion`: of a label, reason or note; empty if a column of the table names it. `giver` and `name`: who
    gave a label, reason or note; empty if a column of the table names them.
    """

    role: Role
    criterion: Text = ""
    giver: Giver | None = None
    name: Text = ""


def _column(value: Any) -> Any:
    """Return a column that is written as its role alone as an object."""
    return {"role": value} if isinstance(value, str) else value


class TableMapping(Mapped):
    """`columns`: by the name in the file. `assistant`, `user`: the speakers; EVERYBODY as the user means all
    others. `not_speakers`: words before a colon in a transcript that nobody speaks. `judges`: cells of the
    columns `giver` or `rater` that mean a judge, `people`: cells of `giver` that mean a person. `rater`,
    `judge`: who gave the labels if no column does. `labels`: criterion or EVERY_CRITERION -> cell -> label,
    None for no label, or FAILURE; a cell that is not listed must be a label of the criterion. `repeats_ids`:
    an empty id means the one above.
    """

    reading: Reading = Reading()
    columns: dict[Text, Annotated[Column, BeforeValidator(_column)]]
    assistant: tuple[Text, ...] = ()
    user: tuple[Text, ...] = ()
    not_speakers: tuple[Text, ...] = ()
    judges: tuple[Text, ...] = ()
    people: tuple[Text, ...] = ()
    rater: Text = ""
    judge: Text = ""
    labels: dict[Text, dict[Text, Text | None]] = Field(default_factory=dict)
    repeats_ids: bool = False

    def names(self, *roles: Role) -> list[str]:
        """Return the columns with one of these roles, in their order in the file."""
        return [name for name, column in self.columns.items() if column.role in roles]

    @property
    def listed_speakers(self) -> Mapping[str, str]:
        """Return plain name -> "user" or "assistant" of the speakers that the mapping lists."""
        return _listed_speakers(self.assistant, self.user)

    @property
    def names_givers(self) -> bool:
        """Tell whether a column says who gave the labels of a row."""
        return bool(self.names("rater", "judge", "giver"))

    @property
    def has_words(self) -> bool:
        return bool(self.names("text", "user", "assistant", "transcript"))

    @property
    def has_labels(self) -> bool:
        return bool(self.names("label"))


@lru_cache(maxsize=8)
def _listed_speakers(assistant: tuple[str, ...], user: tuple[str, ...]) -> Mapping[str, str]:
    users = dict.fromkeys(map(plain_cell, user), "user")
    return users | dict.fromkeys(map(plain_cell, assistant), "assistant")


def is_among(cell: str, cells: Iterable[str]) -> bool:
    """Tell whether a cell is one of these, whatever its capitals and blanks."""
    return plain_cell(cell) in map(plain_cell, cells)


def plain_cell(cell: Any) -> str:
    """Return a cell as meanings are looked up: without outer blanks and capitals, 1.0 as "1"."""
    text = " ".join(str(cell if cell is not None else "").split()).casefold()
    return text[:-2] if text.endswith(".0") and text[:-2].lstrip("-").isdigit() else text


def parse_mapping(text: str, name: str) -> TableMapping:
    """Return the mapping of a YAML text; `name` is the file's name in messages. Raises ConfigFileError."""
    return parse_model(text, TableMapping, name)


def mapping_yaml(mapping: TableMapping) -> str:
    """Return the mapping as YAML that `parse_mapping` reads, without settings that have their default."""
    plain = mapping.model_dump(mode="json", exclude_defaults=True)
    plain["columns"] = {
        name: column["role"] if set(column) == {"role"} else column
        for name, column in plain["columns"].items()
    }
    return write_yaml(plain)
