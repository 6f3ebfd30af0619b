"""Reading a reply strictly: the JSON that was asked for, or no label at all. Nothing has a default value.

Nothing is searched for inside a reply that is not the JSON asked for, and no label is guessed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from scoring.plan_alignment.judge_lines import parse_judge_lines

PARSER = "strict-1"
LINES_PARSER = "lines-lenient-1"
LONGEST_REASONING = 4_000
Cites = Literal["turns", "none"]


class Unreadable(ValueError):
    """The reply is not what was asked for. The message holds no words of it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    label: str
    reasoning: str
    cited: tuple[int, ...] = ()


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


@lru_cache(maxsize=512)
def reply_model(labels: tuple[str, ...], cites: Cites) -> type[BaseModel]:
    """The form of one answer: reasoning before label."""
    fields: dict[str, Any] = {"reasoning": (str, Field(min_length=1, max_length=LONGEST_REASONING))}
    if cites == "turns":
        fields["cited_turns"] = (list[int], ...)
    fields["label"] = (Literal[labels], ...)
    return create_model("Answer", __base__=_Reply, **fields)


@lru_cache(maxsize=512)
def trial_model(questions: tuple[tuple[str, tuple[str, ...]], ...], cites: Cites) -> type[BaseModel]:
    """One answer to each question, all of them required of the model."""
    fields: dict[str, Any] = {f"q{number}": (reply_model(labels, cites), Field(alias=name)) for number, (name, labels) in enumerate(questions)}
    return create_model("Answers", __base__=_Reply, **fields)


@lru_cache(maxsize=512)
def schema_of(model: type[BaseModel]) -> Mapping[str, Any]:
    """JSON schema without references and titles, which some servers do not take."""
    raw = model.model_json_schema(by_alias=True)
    definitions = raw.pop("$defs", {})

    def plain(node: Any, names: bool = False) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return plain(definitions[node["$ref"].rsplit("/", 1)[1]])
            # Inside "properties" the keys are names of fields, and a field may be called title.
            return {key: plain(value, key == "properties") for key, value in node.items() if names or key not in ("title", "maxLength", "minLength")}
        return [plain(item) for item in node] if isinstance(node, list) else node

    made: Mapping[str, Any] = plain(raw)
    return made


def read_one(reply: str, labels: tuple[str, ...], cites: Cites, turns: int) -> Verdict:
    """Raises Unreadable. Turns that the conversation does not have make the reply unreadable as well."""
    found = _validated(reply, reply_model(labels, cites))
    return _verdict(found, _each_once(reply), turns)


def read_trial(reply: str, questions: tuple[tuple[str, tuple[str, ...]], ...], cites: Cites, turns: int) -> dict[str, Verdict | None]:
    """By question; None for one that is not answered, or not in its form. Raises Unreadable where the whole is not an object."""
    try:
        _Loose.model_validate_json(reply)
    except ValidationError:
        raise Unreadable("the reply is not the JSON that was asked for") from None
    answers = _each_once(reply)
    made: dict[str, Verdict | None] = {}
    for name, labels in questions:
        try:
            made[name] = _verdict(reply_model(labels, cites).model_validate(answers.get(name)), answers[name], turns)
        except (ValidationError, Unreadable):
            made[name] = None
    return made


def read_lines(reply: str, questions: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, Verdict | None]:
    """The published line format, read leniently; None for a strategy without a line, without reasoning, or with a score that its scale does not have."""
    found = parse_judge_lines(reply, [name for name, _ in questions], "lenient")
    return {name: Verdict(str(found.scores[name]), found.reasoning[name]) if found.reasoning.get(name) and str(found.scores[name]) in labels else None
            for name, labels in questions}


class _Loose(BaseModel):
    model_config = ConfigDict(extra="allow")


def _validated(reply: str, model: type[BaseModel]) -> BaseModel:
    try:
        return model.model_validate_json(reply)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"] if part in model.model_fields) or "the whole"
        raise Unreadable(f"not the JSON that was asked for ({where}: {first['type']})") from None


def _each_once(reply: str) -> dict[str, Any]:
    """The fields in the order in which they were written. A field that stands twice says two things, so nothing."""
    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) < len(pairs):
            raise Unreadable("a field stands twice")
        return made

    try:
        return dict(json.loads(reply, object_pairs_hook=once))
    except Unreadable:
        raise
    except (ValueError, RecursionError):  # Python's reader has limits of its own, such as the length of a number
        raise Unreadable("the reply is not the JSON that was asked for") from None


def _verdict(found: BaseModel, written: Mapping[str, Any], turns: int) -> Verdict:
    values = found.model_dump()
    order = list(written)
    if order.index("label") < order.index("reasoning"):
        raise Unreadable("the label stands before its reasoning")
    if not values["reasoning"].strip():
        raise Unreadable("the reasoning is empty")
    cited = tuple(dict.fromkeys(values.get("cited_turns", ())))
    if any(not 1 <= turn <= turns for turn in cited):
        raise Unreadable(f"it names a turn that the conversation does not have; there are {turns}")
    return Verdict(values["label"], values["reasoning"].strip(), cited)
