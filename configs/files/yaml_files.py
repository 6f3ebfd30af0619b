"""Reading YAML that a study lead edits: what is wrong is named by file, line, field and what was expected."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from configs.files import limited_yaml
from configs.files.plain_files import open_plain
from configs.files.yaml_words import QUOTES, expected, unreadable

SECRET = "secret"  # the type of an error whose value is not repeated, because it may be a key


class ConfigFileError(ValueError):
    """A file of configs/ cannot be used. The message names file, line, field and what was expected.
    `problems`: each that is known, in the same form; the message says the first.
    """

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems) or (message,)


class MisplacedValue(ValueError):
    """What the whole file shows to be wrong with one field; `place`: its path, as of pydantic's `loc`."""

    def __init__(self, place: tuple[int | str, ...], message: str) -> None:
        super().__init__(message)
        self.place = place


Model = TypeVar("Model", bound=BaseModel)


def content_hash(text: str) -> str:
    """SHA-256 of the file's text with line ends made equal, in hex."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def read_model(path: Path, model: type[Model], context: dict[str, Any] | None = None) -> tuple[Model, str]:
    """The validated content of a YAML file and its text. `context`: what the validators of the model may ask
    for. Raises ConfigFileError.
    """
    try:
        with open_plain(path) as file:
            raw = file.read(limited_yaml.BYTES + 1)
        if len(raw) > limited_yaml.BYTES:
            raise ConfigFileError(
                f"{path.name}: larger than {limited_yaml.BYTES // 1_000_000} MB, which no such file is."
            )
        text = io.TextIOWrapper(io.BytesIO(raw), encoding="utf-8-sig").read()
    except FileNotFoundError:
        raise ConfigFileError(f"{path.name}: there is no such file in {path.parent}.") from None
    except OSError as error:
        raise ConfigFileError(f"{path.name}: the file cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        raise ConfigFileError(
            f"{path.name}: not UTF-8 text (byte {error.start}). Save it as UTF-8."
        ) from None
    return parse_model(text, model, path.name, context), text


def parse_model(text: str, model: type[Model], name: str, context: dict[str, Any] | None = None) -> Model:
    """Validate YAML text; `name` stands for the file in messages. Raises ConfigFileError."""
    try:
        node, value = limited_yaml.read(text)
    except yaml.YAMLError as error:
        raise ConfigFileError(
            f"{name}, line {_broken_line(error, text)}: it cannot be read from here on: "
            f"{unreadable(getattr(error, 'problem', None) or str(error))}."
        ) from None
    except ValueError:  # 2026-13-45 has the form of a date, and a number may have too many digits for Python
        raise ConfigFileError(
            f"{name}: one of its numbers or dates does not exist; correct it, or {QUOTES}."
        ) from None
    twice = _twice(node)
    if twice is not None:
        raise ConfigFileError(
            f"{name}, line {twice.start_mark.line + 1}, field {twice.value}: this field stands twice; the "
            "second would silently win."
        )
    if not isinstance(value, dict):
        raise ConfigFileError(
            f"{name}, line 1: expected fields with values, such as title: Example, found {_what(value)}."
        )
    try:
        return model.model_validate(value, context=context)
    except ValidationError as error:
        problems = [_problem(details, node, name) for details in _causes(error.errors())]
        more = f" ({len(problems) - 1} more)" if len(problems) > 1 else ""
        raise ConfigFileError(f"{problems[0]}{more}.", [f"{problem}." for problem in problems]) from None


def _causes(errors: Sequence[Any]) -> list[Any]:
    """Without a list that is too short only because entries of it are wrong themselves."""
    places = [tuple(details["loc"]) for details in errors]

    def follows(details: Any) -> bool:
        place = tuple(details["loc"])
        return details["type"] == "too_short" and any(
            other[: len(place)] == place and len(other) > len(place) for other in places
        )

    return [details for details in errors if not follows(details)]


def _problem(details: Any, node: Any, name: str) -> str:
    """One error of pydantic, with its place in the file."""
    place = tuple(
        part for part in details["loc"] if part != "[key]"
    )  # so pydantic says that it is the name of a field that is wrong
    raised = details.get("ctx", {}).get("error")
    place += raised.place if isinstance(raised, MisplacedValue) else ()
    field = ".".join(str(part) for part in place)
    where = f", line {_line(node, place)}, field {field}" if field else ""
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


def _broken_line(error: Any, text: str) -> int:
    mark = getattr(error, "problem_mark", None)
    at: int = mark.line if mark else text.count("\n", 0, getattr(error, "position", 0))
    return at + 1


def _twice(top: Any) -> Any | None:
    """A key that its mapping has already. Nodes that an alias repeats are looked at once."""
    waiting, seen = [top], set()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, yaml.SequenceNode):
            waiting += node.value
        elif isinstance(node, yaml.MappingNode):
            keys = set()
            for key, child in node.value:
                if isinstance(key, yaml.ScalarNode) and key.value in keys:
                    return key
                keys.add(key.value if isinstance(key, yaml.ScalarNode) else id(key))
                waiting.append(child)
    return None


def _line(node: Any, loc: tuple[int | str, ...]) -> int:
    line = node.start_mark.line + 1 if node else 1
    for part in loc:
        child_node = None
        if isinstance(node, yaml.MappingNode):
            for key, child in node.value:
                if key.value == str(part):
                    child_node, line = child, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            child_node = node.value[part]
            line = child_node.start_mark.line + 1
        if child_node is None:
            break
        node = child_node
    return line
