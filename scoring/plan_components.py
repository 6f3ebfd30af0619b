"""A plan of care from what a counsellor said: which parts of a plan follow from it.

Source: the target plans behind the seed "Session Goal Alignment" (linked cases). A part is on when the model
finds that any of its hypotheses follows from all of the counsellor's text. The parts are data:
configs/plan_components.yaml.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import Field, model_validator

from configs.files.yaml_files import read_model
from configs.settings import ROOT
from scoring.bad_input import texts
from scoring.entailment import EntailmentModel
from scoring.instruments import Identifier, Strict

NO_TEXT = "The counsellor says nothing."
NONE_FOLLOWS = "No part of a plan follows from what the counsellor says."
FAILED = "The model failed on {failed} of {asked} questions, so that parts of the plan may be missing."

Sentence = Annotated[str, Field(min_length=1, pattern=r"\S")]


class Component(Strict):
    id: Identifier
    sentence: Sentence
    hypotheses: tuple[Sentence, ...] = Field(min_length=1)


class Components(Strict):
    """Parts of a plan, in the order of the plan."""

    key: Identifier
    version: str = Field(min_length=1)
    title: str
    components: tuple[Component, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _each_once(self) -> Components:
        ids = [component.id for component in self.components]
        twice = next((name for name in ids if ids.count(name) > 1), None)
        if twice:
            raise ValueError(f"the component {twice} is listed twice")
        return self

    @property
    def label(self) -> str:
        return f"{self.key} ({self.version})"


@dataclass(frozen=True)
class ComponentPlan:
    """`evidence`: the parts that are on, in the order of the plan, each with its first entailed hypothesis.

    `plan`: their sentences joined by a blank; None where none is on, or where the model failed on a question
    that decides, and `undefined` says why. `failed`: such questions.
    """

    evidence: dict[str, str]
    plan: str | None
    undefined: str | None
    model: str
    components: str
    failed: int = 0


def load_components(path: Path) -> Components:
    """Read a file of plan components. Raise ConfigFileError if it can't be used."""
    return read_model(path, Components)[0]


@lru_cache(maxsize=1)
def shipped_components() -> Components:
    """Return the components of configs/plan_components.yaml."""
    return load_components(ROOT / "plan_components.yaml")


def plan_components(
    counsellor_texts: Sequence[str | None], model: EntailmentModel, components: Components | None = None
) -> ComponentPlan:
    """Return the plan that follows from a counsellor's texts, joined and read as one.

    `plan` is None, with a reason, if there is no text, if nothing follows, or if the model failed on a
    question that decides. `components` None means the shipped ones. Raise BadInput for anything but texts,
    and what the model raises.
    """
    component_set = components or shipped_components()
    premise = " ".join(
        counsellor_text.strip()
        for counsellor_text in texts("counsellor_texts", counsellor_texts)
        if counsellor_text.strip()
    )
    if not premise:
        return ComponentPlan({}, None, NO_TEXT, model.label, component_set.label)
    asked = [
        (component.id, hypothesis)
        for component in component_set.components
        for hypothesis in component.hypotheses
    ]
    verdicts = model.verdicts([(premise, hypothesis) for _, hypothesis in asked])
    evidence: dict[str, str] = {}
    for (name, hypothesis), verdict in zip(asked, verdicts, strict=True):
        if verdict == "entailment":
            evidence.setdefault(name, hypothesis)
    failed = sum(
        verdict is None and name not in evidence for (name, _), verdict in zip(asked, verdicts, strict=True)
    )
    if failed:
        sentence = FAILED.format(failed=failed, asked=len(asked))
        return ComponentPlan(evidence, None, sentence, model.label, component_set.label, failed)
    plan = " ".join(component.sentence for component in component_set.components if component.id in evidence)
    return ComponentPlan(
        evidence, plan or None, None if plan else NONE_FOLLOWS, model.label, component_set.label
    )
