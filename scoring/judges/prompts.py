"""Prompts of judges: YAML files with placeholders, filled in one pass, so that nothing a transcript holds is
ever one.

The order is rubric, transcript, criterion: the calls about one unit share their beginning, which servers keep
in a cache. A message cannot look like the frame around it: every line of it begins with a bar, and no line of
the frame does.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from configs.files.yaml_files import content_hash, parse_model, read_model
from scoring.instruments import Criterion, Identifier, Instrument, Scale, Strict, Taxonomy
from scoring.transcripts import Message, turn_numbers

SPEAKERS = {"user": "User", "assistant": "Assistant", "system": "System"}
_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
ABOUT_UNIT = {"title", "introduction", "anchors", "transcript", "response", "taxonomy"}
ABOUT_CRITERION = {"id", "name", "category", "checks_for", "failures", "labels"}


class PromptFile(Strict):
    """`preamble` speaks of the unit, `criterion` of one question, `trial` of all questions of a unit at once.

    `reply`: the form in which one question is answered; there is only JSON. All strategies of a plan at once
    (`batching: trial`) are answered in lines, which `trial` asks for.
    """

    key: Identifier
    version: Identifier
    reply: Literal["json"]
    cites: Literal["turns", "none"]
    system: str = Field(min_length=1)
    preamble: str = Field(min_length=1)
    criterion: str = Field(min_length=1)
    trial: str = Field(min_length=1)

    @model_validator(mode="after")
    def _known_placeholders(self) -> PromptFile:
        for name, placeholders in (
            ("system", set()),
            ("preamble", ABOUT_UNIT),
            ("criterion", ABOUT_CRITERION),
            ("trial", {"criteria"}),
        ):
            for placeholder in _PLACEHOLDER.findall(getattr(self, name)):
                if placeholder not in placeholders:
                    raise ValueError(
                        f"{name} has the placeholder {{{{{placeholder}}}}}; there are "
                        f"{', '.join(sorted(placeholders)) or 'none here'}"
                    )
            if "{{" in _PLACEHOLDER.sub("", getattr(self, name)):
                raise ValueError(
                    f"{name} has two braces that begin no placeholder; write one without blanks, such as "
                    f"{{{{title}}}}"
                )
        if not {"transcript", "response"} & set(_PLACEHOLDER.findall(self.preamble)):
            raise ValueError(
                "the preamble holds neither {{transcript}} nor {{response}}, so the judge would see nothing"
            )
        return self


@dataclass(frozen=True)
class Prompt:
    """A prompt file with the hash of its text, which is part of the judge's identity."""

    file: PromptFile
    body: str
    sha256: str

    @property
    def name(self) -> str:
        return f"{self.file.key} {self.file.version} {self.sha256[:12]}"

    def about_unit(
        self, instrument: Instrument, taxonomy: Taxonomy | None, messages: Sequence[Message], response: str
    ) -> str:
        """Return the text that comes before the question.

        Args:
            instrument: its title, introduction and scales are described.
            taxonomy: its strategies are listed; None for none.
            messages: the messages of the unit.
            response: the rated reply without its plan.
        """
        values = {
            "title": instrument.title,
            "introduction": instrument.introduction.strip(),
            "anchors": "\n".join(_levels(scale) for scale in instrument.scales.values()),
            "taxonomy": "\n".join(f"- {s.id}: {s.description}" for s in taxonomy.strategies)
            if taxonomy
            else "",
            "transcript": transcript(messages),
            "response": barred(response),
        }
        return fill(self.file.preamble, values)

    def about_criterion(self, instrument: Instrument, criterion: Criterion) -> str:
        """Return the text of one question."""
        return fill(self.file.criterion, _described(instrument, criterion))

    def about_all(self, instrument: Instrument, criteria: Sequence[Criterion]) -> str:
        """Return the text that asks all of `criteria` at once."""
        listed = []
        for criterion in criteria:
            told = _described(instrument, criterion)
            extra = "\n".join(told[part] for part in ("category", "failures") if told[part])
            listed.append(
                f"{told['id']}: {told['name']}\nWhat it checks: "
                f"{told['checks_for']}\n{extra}\nLabels:\n{told['labels']}\n"
            )
        return fill(self.file.trial, {"criteria": "\n".join(listed)})


def load_prompt(path: Path) -> Prompt:
    """Read a prompt file. Raise ConfigFileError if it can't be used."""
    file, body = read_model(path, PromptFile)
    return Prompt(file, body, content_hash(body))


def parse_prompt(body: str, name: str = "prompt") -> Prompt:
    """Return the prompt in a YAML text. Raise ConfigFileError, naming `name`, if it can't be used."""
    return Prompt(parse_model(body, PromptFile, name), body, content_hash(body))


def fill(template: str, values: dict[str, str]) -> str:
    """Return the template with each placeholder replaced; placeholders inside a value stay as text.

    Raise KeyError for a placeholder that has no value.
    """
    return _PLACEHOLDER.sub(lambda found: values[found.group(1)], template)


def transcript(messages: Sequence[Message]) -> str:
    """Return the messages as text: for each, a line with turn and speaker, such as "[Turn 1] User:", then
    its `barred` text. "" without messages.
    """
    numbers = turn_numbers([message.role for message in messages])
    return "\n".join(
        f"[Turn {number}] {SPEAKERS[message.role]}:\n{barred(message.text)}"
        for number, message in zip(numbers, messages, strict=True)
    )


def barred(text: str) -> str:
    """Return the text with "| " before every line, whichever of Unicode's line ends it has; "|" for an
    empty text.

    Half of a surrogate pair, which no server takes, becomes "?".
    """
    whole = text.encode("utf-8", "replace").decode("utf-8")
    return "\n".join(f"| {line}" for line in whole.splitlines()) or "|"


def _levels(scale: Scale) -> str:
    return "\n".join(f"- {level.id} ({level.name}): {level.anchor}" for level in scale.labels())


def _described(instrument: Instrument, criterion: Criterion) -> dict[str, str]:
    category = next((c for c in instrument.categories if c.id == criterion.category), None)
    notes = {level.id: level.anchor for level in instrument.permitted(criterion)}
    scale = instrument.scale_of(criterion)
    if scale.not_applicable and scale.not_applicable.id in notes and criterion.not_applicable_note:
        notes[scale.not_applicable.id] = f"{criterion.not_applicable_note}."
    labels = "\n".join(f"- {label}: {anchor}" for label, anchor in notes.items())
    if criterion.not_applicable == "invalid" and scale.not_applicable:
        labels += (
            f"\n{scale.not_applicable.id} is not allowed here: "
            f"{criterion.not_applicable_note.lower() or 'the question always applies'}."
        )
    return {
        "id": criterion.id,
        "name": criterion.name,
        "checks_for": criterion.checks_for.strip(),
        "labels": labels,
        "category": f"Part of {category.name}: {category.question}" if category else "",
        "failures": "\n".join(f"A failure looks like this: {failure}" for failure in criterion.failures),
    }
