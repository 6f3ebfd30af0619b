"""Read YAML that a study lead edits; errors name file, line, field and what was expected."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from configs.files import limited_yaml
from configs.files.limited_yaml import FieldTwice, YamlDocument, YamlProblem, read_yaml
from configs.files.plain_files import open_plain
from configs.files.yaml_words import expected, unreadable

SECRET = "secret"  # the type of an error whose value is not shown, because it may be a key


class ConfigFileError(ValueError):
    """A file of configs/ can't be used. The message names file, line, field and what was expected.
    `problems`: all known problems in the same form; the message is the first.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (message,)


class MisplacedValue(ValueError):
    """A problem of one field that only the whole file shows; `place`: its path, like pydantic's `loc`."""

    def __init__(self, place: tuple[int | str, ...], message: str) -> None:
        super().__init__(message)
        self.place = place


Model = TypeVar("Model", bound=BaseModel)


def content_hash(text: str) -> str:
    """Return the SHA-256 of a file's text in hex, with line ends normalised."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def read_model(path: Path, model: type[Model], context: dict[str, Any] | None = None) -> tuple[Model, str]:
    """Return the validated content of a YAML file, and its text. `context`: for the model's validators.
    Raises ConfigFileError.
    """
    text = _read_text(path)
    return parse_model(text, model, path.name, context), text


def parse_model(text: str, model: type[Model], name: str, context: dict[str, Any] | None = None) -> Model:
    """Return validated YAML text; `name` is the file's name in messages. Raises ConfigFileError."""
    document = _read_document(text, name)
    try:
        return model.model_validate(document.value, context=context)
    except ValidationError as error:
        problems = [_problem(details, document, name) for details in _causes(error.errors())]
        more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
        raise ConfigFileError(f"{problems[0]}{more}.", [f"{problem}." for problem in problems]) from None


def read_fields(path: Path) -> dict[Any, Any]:
    """Return the fields of another program's YAML file, whatever they are. Raises ConfigFileError."""
    fields: dict[Any, Any] = _read_document(_read_text(path), path.name).value
    return fields


def _read_text(path: Path) -> str:
    try:
        with open_plain(path) as file:
            raw = file.read(limited_yaml.BYTES + 1)
        if len(raw) > limited_yaml.BYTES:
            raise ConfigFileError(
                f"{path.name}: larger than {limited_yaml.BYTES // 1_000_000} MB, which is too large."
            )
        return io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig").read()
    except FileNotFoundError:
        raise ConfigFileError(f"{path.name}: there is no such file in {path.parent}.") from None
    except OSError as error:
        raise ConfigFileError(f"{path.name}: the file can't be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ConfigFileError(
            f"{path.name}: not UTF-8 text (byte {error.start}). Save it as UTF-8."
        ) from None


def _read_document(text: str, name: str) -> YamlDocument:
    try:
        document = read_yaml(text)
    except FieldTwice as twice:
        raise ConfigFileError(
            f"{name}, line {twice.line}, field {twice.field}: this field occurs twice; only the second would "
            "be read."
        ) from None
    except YamlProblem as error:
        raise ConfigFileError(
            f"{name}, line {error.line}: the file can't be read from here on: {unreadable(error.problem)}."
        ) from None
    if not isinstance(document.value, dict):
        raise ConfigFileError(
            f"{name}, line 1: expected fields with values, such as title: Example, found "
            f"{_what(document.value)}."
        )
    return document


def _causes(errors: Sequence[Any]) -> list[Any]:
    """Return the errors without a "too short" list whose entries are wrong themselves."""
    above = {tuple(details["loc"][:end]) for details in errors for end in range(len(details["loc"]))}
    return [
        details for details in errors if details["type"] != "too_short" or tuple(details["loc"]) not in above
    ]


def _problem(details: Any, document: YamlDocument, name: str) -> str:
    """Return one error of pydantic with its place in the file."""
    place = tuple(
        part for part in details["loc"] if part != "[key]"
    )  # pydantic's sign for a wrong field name
    raised = details.get("ctx", {}).get("error")
    place += raised.place if isinstance(raised, MisplacedValue) else ()
    field = ".".join(str(part) for part in place)
    where = f", line {document.find_line(place)}, field {field}" if field else ""
    problem = str(details["msg"]) if details["type"] == SECRET else expected(details)
    return f"{name}{where}: {problem}"


def _what(value: object) -> str:
    return (
        "nothing but blanks and comments"
        if value is None
        else "a list"
        if isinstance(value, list)
        else "only words"
    )
