"""Reading a reply: the JSON or the lines that were asked for, or no label at all. Nothing has a default
value, and no label is guessed. Which part of a reply is read depends on the reader
(scoring/judges/readers.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, create_model

from scoring.blocks import without_blocks
from scoring.judges.server_words import words

LINES_PARSER = "lines-by-id-1"
LONGEST_REASONING = 4_000
Cites = Literal["turns", "none"]
UNCLEAR_THOUGHTS = "it is unclear where its thoughts end"
_THOUGHT = re.compile(r"</?think>", re.IGNORECASE)
_BOLD = re.compile(r"\*\*([\w.-]+)\*\*")
_SCORE = re.compile(r"\|\s*score:", re.IGNORECASE)


class UnreadableReply(ValueError):
    """The reply is not what was asked for. The message holds no words of it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    label: str
    reasoning: str
    cited: tuple[int, ...] = ()


class _Reply(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


@lru_cache(maxsize=512)
def reply_model(labels: tuple[str, ...], cites: Cites, any_case: bool = False) -> type[BaseModel]:
    """Return the pydantic model of one answer: reasoning, cited turns if `cites` is "turns", then label.

    `any_case`: the label may differ in letter case.
    """
    fields: dict[str, Any] = {"reasoning": (str, Field(min_length=1, max_length=LONGEST_REASONING))}
    if cites == "turns":
        fields["cited_turns"] = (list[int], ...)
    label: Any = Literal[labels]
    fields["label"] = (
        Annotated[label, BeforeValidator(partial(_as_listed, labels))] if any_case else label,
        ...,
    )
    return create_model("Answer", __base__=_Reply, **fields)


def _as_listed(labels: tuple[str, ...], label: object) -> object:
    """The label in the capitals of the list, where only one label of the list is the same word."""
    if label in labels or not isinstance(label, str):
        return label
    same = [listed for listed in labels if listed.casefold() == label.casefold()]
    return same[0] if len(same) == 1 else label


@lru_cache(maxsize=512)
def trial_model(questions: tuple[tuple[str, tuple[str, ...]], ...], cites: Cites) -> type[BaseModel]:
    """Return the pydantic model with one required answer per (name, labels) in `questions`."""
    fields: dict[str, Any] = {
        f"q{number}": (reply_model(labels, cites), Field(alias=name))
        for number, (name, labels) in enumerate(questions)
    }
    return create_model("Answers", __base__=_Reply, **fields)


@lru_cache(maxsize=512)
def schema_of(model: type[BaseModel]) -> Mapping[str, Any]:
    """Return the model's JSON schema without references, titles and lengths, which some servers do not
    take.
    """
    raw = model.model_json_schema(by_alias=True)
    definitions = raw.pop("$defs", {})

    def plain(node: Any, names: bool = False) -> Any:
        if isinstance(node, dict):
            if "$ref" in node:
                return plain(definitions[node["$ref"].rsplit("/", 1)[1]])
            # Inside "properties" the keys are names of fields, and a field may be called title.
            return {
                key: plain(value, key == "properties")
                for key, value in node.items()
                if names or key not in ("title", "maxLength", "minLength")
            }
        return [plain(item) for item in node] if isinstance(node, list) else node

    schema: Mapping[str, Any] = plain(raw)
    return schema


def read_one(
    reply: str, labels: tuple[str, ...], cites: Cites, turns: int, any_case: bool = False
) -> Verdict:
    """Return the answer in a JSON reply.

    Raise UnreadableReply if it is not of the form, or cites a turn beyond `turns`.
    """
    found = _validated(reply, reply_model(labels, cites, any_case))
    return _verdict(found, _each_once(reply), turns)


def read_trial(
    reply: str,
    questions: tuple[tuple[str, tuple[str, ...]], ...],
    cites: Cites,
    turns: int,
    any_case: bool = False,
) -> dict[str, Verdict | None]:
    """Return the answer to each question by its name; None where it is missing or not of the form.

    Raise UnreadableReply where the whole reply is not an object.
    """
    try:
        _LenientReply.model_validate_json(reply)
    except ValidationError:
        raise UnreadableReply("the reply is not the JSON that was asked for") from None
    answers = _each_once(reply)
    verdicts: dict[str, Verdict | None] = {}
    for name, labels in questions:
        try:
            verdicts[name] = _verdict(
                reply_model(labels, cites, any_case).model_validate(answers.get(name)), answers[name], turns
            )
        except (ValidationError, UnreadableReply):
            verdicts[name] = None
    return verdicts


def read_lines(reply: str, questions: Sequence[tuple[str, tuple[str, ...]]]) -> dict[str, Verdict | None]:
    """Read one line `strategy: reasoning | score: label` per strategy, by its id, ignoring letter case.

    Lines about anything else are ignored: here, unlike in scoring/plan_alignment/judge_lines.py, a label is
    never taken from a line that may be about something else.

    Returns:
        A verdict per strategy; None without such a line, without reasoning, or with a score that its scale
        does not have.

    Raises:
        UnreadableReply: a strategy has two lines.
    """
    folded = [name.casefold() for name, _ in questions]
    line_by_strategy: dict[str, tuple[str, str]] = {}
    for name, reasoning, score in _lines(reply):
        if name not in folded:
            continue
        if name in line_by_strategy:
            raise UnreadableReply("a strategy stands twice")
        line_by_strategy[name] = reasoning, score
    verdicts: dict[str, Verdict | None] = {}
    for own, (name, labels) in zip(folded, questions, strict=True):
        reasoning, score = line_by_strategy.get(own, ("", ""))
        verdicts[name] = (
            Verdict(score, reasoning) if reasoning and score in labels and folded.count(own) == 1 else None
        )
    return verdicts


def _lines(reply: str) -> Iterator[tuple[str, str, str]]:
    """(id, reasoning, score) of each line of the form. Thoughts are cut out; a bullet or a blank in front and
    bold type do no harm.
    """
    reply_text = without_blocks(reply, "think")
    if _THOUGHT.search(reply_text):
        raise UnreadableReply(UNCLEAR_THOUGHTS)
    for line in _BOLD.sub(r"\1", reply_text).splitlines():
        before, *scores = _SCORE.split(line, maxsplit=1)
        name, colon, reasoning = before.lstrip(" \t*-").partition(":")
        if (
            scores and colon
        ):  # a second score in the same line stays in the first one's text, which is then no label
            yield name.strip().casefold(), reasoning.strip(), scores[0].strip()


class _LenientReply(BaseModel):
    model_config = ConfigDict(extra="allow")


def _validated(reply: str, model: type[BaseModel]) -> BaseModel:
    try:
        return model.model_validate_json(reply)
    except ValidationError as error:
        first = error.errors(include_input=False, include_context=False, include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"] if part in model.model_fields) or "the whole"
        raise UnreadableReply(f"not the JSON that was asked for ({where}: {first['type']})") from None


def _each_once(reply: str) -> dict[str, Any]:
    """The fields in the order in which they were written. A field that stands twice says two things, so
    nothing.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members = dict(pairs)
        if len(members) < len(pairs):
            raise UnreadableReply("a field stands twice")
        return members

    try:
        return dict(json.loads(reply, object_pairs_hook=once))
    except UnreadableReply:
        raise
    except (
        ValueError,
        RecursionError,
    ):  # Python's reader has limits of its own, such as the length of a number
        raise UnreadableReply("the reply is not the JSON that was asked for") from None


def _verdict(reply: BaseModel, written: Mapping[str, Any], turns: int) -> Verdict:
    values = reply.model_dump()
    order = list(written)
    if order.index("label") < order.index("reasoning"):
        raise UnreadableReply("the label stands before its reasoning")
    if not values["reasoning"].strip():
        raise UnreadableReply("the reasoning is empty")
    cited = tuple(dict.fromkeys(values.get("cited_turns", ())))
    if any(not 1 <= turn <= turns for turn in cited):
        raise UnreadableReply(f"it names a turn that the conversation does not have; there are {turns}")
    return Verdict(values["label"], words(values["reasoning"].strip()) or "", cited)
