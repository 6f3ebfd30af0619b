"""What has to be said beside a file: how the terminal asks for it, and how the Import page does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

EXPOSURE_WORDS = {
    "blind": "blind: they had not seen the judge",
    "judge_visible": "they saw the judge's label",
    "unknown": "not known",
}


@dataclass(frozen=True, kw_only=True)
class ImportOption:
    """`name`: under which the importer gets the answer, a text, or a tuple of texts where there are
    `several`.

    Terminal: `flag` (empty: not asked there), `help`, `metavar`, `required` and `default`. Page: `label`
    (empty: not asked there), `placeholder`, `longest` in characters, `key` of the widget, and where it
    stands: `place` among the others, `column` 1 or 2 of two, 0 for the whole width. `choices`: what may be
    chosen, with its words on the page. `of_columns`: a column of the file, chosen on the page among them,
    with what the importer guesses. `exposes`: it tells who has seen what.
    """

    name: str
    flag: str = ""
    help: str | None = None
    metavar: str | None = None
    required: bool = False
    default: str | None = None
    several: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    label: str = ""
    placeholder: str = ""
    longest: int = 120
    key: str = ""
    place: int = 0
    column: int = 0
    of_columns: bool = False
    exposes: bool = False


@dataclass(frozen=True, kw_only=True)
class NewStudyOption:
    """The study may be made with the file. `parts`: of its settings, those that the terminal asks for.

    `flag` and `help`: what makes it so in the terminal; `instrument`: the one that it always has, else it
    is asked for, with `example` as an example.
    """

    name: Literal["new_study"] = "new_study"
    flag: str = "--new"
    help: str = "Make the study first."
    instrument: str = ""
    example: str = "coaching_rubric"
    parts: tuple[str, ...] = ("instrument", "taxonomy", "title", "data_class", "review", "reveal", "raters")


@dataclass(frozen=True, kw_only=True)
class SamePersonOption:
    """Whether one person stands behind several conversations, told by a `column` or fact."""

    column: str
    help: str
    metavar: str
    name: Literal["same_person"] = "same_person"
    place: int = 0


@dataclass(frozen=True, kw_only=True)
class TurnsOption:
    """What the turn numbers of the file count."""

    name: Literal["turns"] = "turns"
    place: int = 0


@dataclass(frozen=True, kw_only=True)
class SameRatersOption:
    """Names of the file that are raters of the study."""

    name: Literal["same_raters"] = "same_raters"
    place: int = 0


AnyImportOption = ImportOption | NewStudyOption | SamePersonOption | TurnsOption | SameRatersOption
