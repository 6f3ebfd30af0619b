"""The profiles in configs/import_profiles: what the files of one tool look like, without code."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal

from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

import configs
from configs.files.yaml_files import ConfigFileError, read_model
from data.importers.file_sample import FileSample
from data.importers.profiles.functions import compiled, evaluate

FOLDER = Path(configs.__file__).resolve().parent / "import_profiles"


def _expression(text: str) -> str:
    try:
        compiled(text)
    except JMESPathError as error:
        at = getattr(error, "lex_position", None)
        place = "" if at is None else f" from character {at + 1} on"
        raise ValueError(f"expected a JMESPath expression; this one can't be read{place}") from None
    return text


Expression = Annotated[str, Field(min_length=1), AfterValidator(_expression)]
Role = Literal["user", "assistant", "system", "tool"]


class _ProfilePart(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ConversationPart(_ProfilePart):
    """Where the conversation of a record is. `reply`: the messages after `messages`, where a tool keeps them
    apart. `role`, `text`: in each message. `roles`: the tool's names for them. `repeated`: whether several
    records hold the same conversation.
    """

    id: Expression | None = None
    messages: Expression
    reply: Expression | None = None
    role: Expression = "role"
    text: Expression = "content"
    roles: dict[str, Role] = {}
    facts: dict[str, Expression] = {}
    repeated: bool = False


class LabelPart(_ProfilePart):
    """Where labels of a record are: `each` finds them, the other expressions look into one of them.

    `by`: who gave all of them; or `giver` with the tool's words for `people` and for `judges`.
    `who`, `judge`: the name of the person or judge. `conversation`: its id, by default that of the record.
    `seen`: whether the person had seen the judge's label. `failed`: the error of a failed call.
    """

    each: Expression
    by: Literal["people", "judges"] | None = None
    giver: Expression | None = None
    people: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    who: Expression | None = None
    judge: Expression | None = None
    conversation: Expression | None = None
    criterion: Expression | None = None
    label: Expression
    note: Expression | None = None
    at: Expression | None = None
    turn: Expression | None = None
    replicate: Expression | None = None
    seen: Expression | None = None
    failed: Expression | None = None

    @model_validator(mode="after")
    def _says_who(self) -> LabelPart:
        if (self.by is None) == (self.giver is None):
            raise ValueError("give either by (people or judges), or giver with people and judges")
        if set(self.people) & set(self.judges):
            raise ValueError("the same word can't mean people and judges")
        return self


class Profile(_ProfilePart):
    """The form of one tool's files.

    `title`: what such a file is, such as "a Label Studio export". `columns`, `when`: how it is recognised.
    `records`: the records in a value of the file. `only`: which of them count. `refuse`, `notices`: sentences
    with the expression that makes them true. `left_out`: what is counted but not imported. `spellings`: other
    words for labels. `lacks`: what such a file can't hold, for the documentation.
    """

    title: str = Field(pattern=r"\S")
    columns: tuple[str, ...] = ()
    when: Expression | None = None
    records: Expression = "@"
    only: Expression | None = None
    refuse: dict[str, Expression] = {}
    notices: dict[str, Expression] = {}
    conversation: ConversationPart | None = None
    labels: tuple[LabelPart, ...] = ()
    spellings: dict[str, str] = {}
    left_out: dict[str, Expression] = {}
    lacks: str = ""

    @model_validator(mode="after")
    def _is_used(self) -> Profile:
        if not self.columns and self.when is None:
            raise ValueError("give columns or when, or no file would be recognised")
        if self.conversation is None and not self.labels:
            raise ValueError("give conversation or labels, or nothing would be imported")
        return self

    def fits(self, sample: FileSample) -> bool:
        """Tell whether a file that begins like this is of this form."""
        if self.columns and not (sample.is_table and set(self.columns) <= set(sample.columns)):
            return False
        if self.when is None:
            return True
        if not self.columns and sample.is_table:
            return False
        try:
            return any(bool(evaluate(self.when, dict(row))) for row in sample.rows[:1])
        except JMESPathError:
            return False


@lru_cache(maxsize=1)
def _read_all(stamp: tuple[Any, ...]) -> tuple[dict[str, Profile], tuple[str, ...]]:
    profiles, problems = {}, []
    for path in sorted(FOLDER.glob("*.yaml")):
        try:
            profiles[path.stem] = read_model(path, Profile)[0]
        except ConfigFileError as error:
            problems.append(str(error))
    return profiles, tuple(problems)


def _all() -> tuple[dict[str, Profile], tuple[str, ...]]:
    return _read_all(tuple((path.name, path.stat().st_mtime_ns) for path in sorted(FOLDER.glob("*.yaml"))))


def profiles() -> dict[str, Profile]:
    """Return every usable profile by its name, which is that of its file."""
    return _all()[0]


def profile_problems() -> tuple[str, ...]:
    """Return what is wrong with the profiles that can't be used, one sentence each."""
    return _all()[1]


def fitting(sample: FileSample) -> list[str]:
    """Return the names of the profiles that fit a file that begins like this: of a table only those that
    know most of its columns.
    """
    fit = {name: len(profile.columns) for name, profile in profiles().items() if profile.fits(sample)}
    return [name for name, columns in fit.items() if columns == max(fit.values())]
