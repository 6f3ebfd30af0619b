"""Reading YAML that a study lead edits: what is wrong is named by file, line, field and what was expected."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

SECRET = "secret"  # the type of an error whose value is not repeated, because it may be a key


class ConfigFileError(ValueError):
    """A file of configs/ cannot be used. The message names file, line, field and what was expected."""


Model = TypeVar("Model", bound=BaseModel)


def content_hash(text: str) -> str:
    """SHA-256 of the file's text with line ends made equal, in hex."""
    return hashlib.sha256(text.replace("\r\n", "\n").encode()).hexdigest()


def read_model(path: Path, model: type[Model]) -> tuple[Model, str]:
    """The validated content of a YAML file and its text. Raises ConfigFileError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ConfigFileError(f"{path.name}: there is no such file in {path.parent}.") from None
    except UnicodeDecodeError as error:
        raise ConfigFileError(f"{path.name}: not UTF-8 text (byte {error.start}). Save it as UTF-8.") from None
    return parse_model(text, model, path.name), text


def parse_model(text: str, model: type[Model], name: str) -> Model:
    """Validate YAML text; `name` stands for the file in messages. Raises ConfigFileError."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"line {mark.line + 1}" if mark else "the file"
        raise ConfigFileError(f"{name}, {where}: not valid YAML: {getattr(error, 'problem', error)}.") from None
    twice = _twice(node)
    if twice is not None:
        raise ConfigFileError(f"{name}, line {twice.start_mark.line + 1}, field {twice.value}: this field stands twice; the second would silently win.")
    if not isinstance(value, dict):
        raise ConfigFileError(f"{name}, line 1: expected fields with values, found {type(value).__name__}.")
    try:
        return model.model_validate(value)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the file as a whole"
        more = f" ({error.error_count() - 1} more)" if error.error_count() > 1 else ""
        raise ConfigFileError(
            f"{name}, line {_line(node, first['loc'])}, field {field}: {_expected(first)}{more}."
        ) from None


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
        found = None
        if isinstance(node, yaml.MappingNode):
            for key, child in node.value:
                if key.value == str(part):
                    found, line = child, key.start_mark.line + 1
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            found = node.value[part]
            line = found.start_mark.line + 1
        if found is None:
            break
        node = found
    return line


def _expected(error: Any) -> str:
    if error["type"] == "missing":
        return "this field is missing and must be given"
    if error["type"] == "extra_forbidden":
        return "there is no such field; check its spelling"
    if error["type"] == SECRET:
        return str(error["msg"])
    message = str(error["msg"]).removeprefix("Value error, ")
    found = error.get("input")
    return message if isinstance(found, dict | list) or found is None else f"{message}, found {found!r}"
