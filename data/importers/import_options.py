"""The questions that an importer asks about a file, in the terminal and on the Import page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

EXPOSURE_WORDS = {
    "blind": "blind: they had not seen the judge",
    "judge_visible": "they saw the judge's label",
    "unknown": "unknown",
}


@dataclass(frozen=True, kw_only=True)
class ImportOption:
    """A question whose answer the importer receives as `name`: a text, or a tuple of texts if `several`.

    In the terminal: `flag` (empty: not asked there), `help`, `metavar`, `required`, `default`. On the page:
    `label` (empty: not asked there), `placeholder`, `longest` in characters, the widget's `key`, its `place`
    among the others, and its `column` (1 or 2 of two; 0 for full width). `choices`: the allowed answers with
    their words on the page. `is_file`: the answer names a file. `exposes`: the answer tells who has seen
    what. `rare`: the page asks it under "More about this file".
    """

    name: str
    flag: str = ""
    help: str | None = None
    metavar: str | None = None
    required: bool = False
    default: str | None = None
    several: bool = False
    choices: Mapping[str, str] = field(default_factory=dict)
    is_file: bool = False
    label: str = ""
    placeholder: str = ""
    longest: int = 120
    key: str = ""
    place: int = 0
    column: int = 0
    exposes: bool = False
    rare: bool = False


def exposure_options(
    who: str = "these people", required: bool = False, place: int = 0
) -> tuple[ImportOption, ImportOption]:
    """Return the questions what `who` had seen of the judge, and how that is known. `place`: of the first
    question on the page.
    """
    return (
        ImportOption(
            name="exposure",
            flag="--exposure",
            required=required,
            choices=EXPOSURE_WORDS,
            help=f"What {who} had seen of the judge when they rated.",
            exposes=True,
            label=f"What had {who} seen of the judge?",
            key="import-exposure",
            place=place,
            column=1,
        ),
        ImportOption(
            name="source",
            flag="--source",
            required=required,
            default=None if required else "",
            help="How you know: a protocol, a person, a publication.",
            exposes=True,
            label="How do you know?",
            placeholder="a protocol, a person, a publication",
            longest=300,
            key="import-source",
            place=place + 1 if place else 0,
            column=2,
        ),
    )


# Asked of labels without conversations: a study that is made of them can't be given the text later.
WITHOUT_TEXT = ImportOption(
    name="text",
    flag="--text",
    choices={"elsewhere": "it stays elsewhere, and nobody can rate them"},
    help="If the study has no conversations: their text stays elsewhere, so nobody can rate them.",
    label="The text of the conversations",
    key="import-text-elsewhere",
    rare=True,
)


@dataclass(frozen=True, kw_only=True)
class NewStudyOption:
    """Offers to create the study with the file. `parts`: the settings that the terminal asks for.

    `flag` and `help`: the terminal option that creates it. `instrument`: its fixed instrument; if empty, the
    terminal asks for one and gives `example` as an example.
    """

    name: Literal["new_study"] = "new_study"
    flag: str = "--new"
    help: str = "Create the study first."
    instrument: str = ""
    example: str = "coaching_rubric"
    parts: tuple[str, ...] = ("instrument", "taxonomy", "title", "data_class", "review", "reveal", "raters")


@dataclass(frozen=True, kw_only=True)
class SamePersonOption:
    """Asks which `column` or fact names the person behind several conversations."""

    column: str
    help: str
    metavar: str
    name: Literal["same_person"] = "same_person"
    place: int = 0


SAME_PERSON = SamePersonOption(
    column="fact",
    metavar="FACT",
    help="The fact that names the person behind a conversation, such as client_id; none if every "
    "conversation is with another person.",
)


@dataclass(frozen=True, kw_only=True)
class TurnsOption:
    """Asks what the turn numbers of the file count."""

    name: Literal["turns"] = "turns"
    place: int = 0


@dataclass(frozen=True, kw_only=True)
class SameRatersOption:
    """Asks which names in the file are raters of the study."""

    name: Literal["same_raters"] = "same_raters"
    place: int = 0


AnyImportOption = ImportOption | NewStudyOption | SamePersonOption | TurnsOption | SameRatersOption
