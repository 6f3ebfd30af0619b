"""configs/models.yaml: the judges that a study lead may choose. What is not set there is not sent."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BeforeValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from scoring.instruments import Exact, Identifier, Strict
from scoring.yaml_files import SECRET, ConfigFileError, read_model

DataClass = Literal["synthetic", "deidentified", "phi"]


def _variable(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Z][A-Z0-9_]{1,63}", value):
        raise PydanticCustomError(
            SECRET,
            "expected the name of an environment variable, such as GEMINI_API_KEY; the key itself never "
            "stands in this file",
        )
    return value


def _amount(value: Fraction) -> Fraction:
    if value < 0:
        raise ValueError("a price is not less than 0")
    return value


Variable = Annotated[str, BeforeValidator(_variable)]
Amount = Annotated[Exact, AfterValidator(_amount)]
HarmCategory = Literal[
    "HARM_CATEGORY_HARASSMENT",
    "HARM_CATEGORY_HATE_SPEECH",
    "HARM_CATEGORY_SEXUALLY_EXPLICIT",
    "HARM_CATEGORY_DANGEROUS_CONTENT",
]
Threshold = Literal["OFF", "BLOCK_NONE", "BLOCK_ONLY_HIGH", "BLOCK_MEDIUM_AND_ABOVE", "BLOCK_LOW_AND_ABOVE"]
NANO = 1_000  # a price for a million tokens, times this, is billionths of the currency for one token


class JudgeUnusable(Exception):
    """A judge cannot be asked; the message says why and what to do."""


class Price(Strict):
    """For a million tokens. `batch`: what a batched call costs of the usual price."""

    date: str = Field(pattern=r"^\d{4}-\d{2}-\d{2}$")
    currency: str = Field(pattern=r"^[A-Z]{3}$")
    input: Amount
    output: Amount
    cached_input: Amount | None = None
    batch: Amount = Fraction(1)

    def nano(self, tokens_in: int, tokens_out: int, cached: int = 0, batched: bool = False) -> int:
        """Billionths of the currency, rounded up. `tokens_in` holds the cached ones, `tokens_out` the
        thinking.
        """
        cheap = self.input if self.cached_input is None else self.cached_input
        cost = (
            ((tokens_in - cached) * self.input + cached * cheap + tokens_out * self.output)
            * NANO
            * (self.batch if batched else 1)
        )
        return -int(-cost // 1)


class Enterprise(Strict):
    """`project` names the environment variable that holds the project."""

    project: Variable
    location: str = Field(min_length=1)


class JudgeEntry(Strict):
    provider: Literal["gemini", "openai_compatible", "replay"]
    model: str = ""
    served_as: tuple[str, ...] = ()
    base_url: str | None = None
    key: Variable | None = None
    enterprise: Enterprise | None = None
    data_classes: tuple[DataClass, ...] = ()
    batching: Literal["criterion", "trial"] = "criterion"
    prompts: dict[Literal["conversation", "assistant_turn"], Identifier] = Field(default_factory=dict)
    temperature: float | None = Field(default=None, ge=0, le=2)
    seed: int | None = None
    thinking_budget: int | None = Field(default=None, ge=-1)
    thinking_level: Literal["MINIMAL", "LOW", "MEDIUM", "HIGH", "XHIGH"] | None = None
    max_output_tokens: int = Field(default=2048, ge=16, le=65_536)
    safety: dict[HarmCategory, Threshold] = Field(default_factory=dict)
    price: Price | None = None
    rpm: int | None = Field(default=None, ge=1)
    tpm: int | None = Field(default=None, ge=1)
    in_flight: int = Field(default=32, ge=1, le=256)
    timeout_seconds: float = Field(default=120, gt=0, le=3600)
    batch_hours: float = Field(default=24, gt=0, le=96)
    batch_look_seconds: float = Field(default=30, gt=0, le=3600)
    replays: str | None = None
    recordings: str | None = None

    @model_validator(mode="after")
    def _consistent(self) -> JudgeEntry:
        if self.provider == "replay":
            if not self.replays or not self.recordings:
                raise ValueError(
                    "a replay needs replays (the judge whose requests were recorded) and recordings (the "
                    "file)"
                )
            return self
        if self.replays or self.recordings:
            raise ValueError("replays and recordings belong to the provider replay")
        if not self.model:
            raise ValueError("the field model is missing: the exact name of the model")
        if self.model.endswith("-latest"):
            raise ValueError("a name that ends in -latest is another model tomorrow; name one model")
        if self.provider == "gemini":
            if self.key is None and self.enterprise is None:
                raise ValueError(
                    "name the environment variable with the key (key: GEMINI_API_KEY), or enterprise"
                )
        elif self.safety or self.enterprise or self.thinking_budget is not None or self.thinking_level:
            raise ValueError("safety, enterprise and thinking belong to the provider gemini")
        elif not self.base_url:
            raise ValueError(
                "an openai_compatible judge needs its base_url, such as http://127.0.0.1:8080/v1"
            )
        if self.base_url is not None and urlsplit(self.base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must begin with http:// or https://")
        if self.base_url is not None and (urlsplit(self.base_url).username or urlsplit(self.base_url).query):
            raise PydanticCustomError(
                SECRET, "base_url holds a name, a password or a query; keys never stand in this file"
            )
        if (
            self.base_url
            and urlsplit(self.base_url).scheme == "http"
            and not self.here
            and set(self.data_classes) - {"synthetic"}
        ):
            raise ValueError(
                "over http:// to another machine anyone on the way can read along: only synthetic data may "
                "go there; use https://"
            )
        return self

    @property
    def here(self) -> bool:
        """Whether the judge runs on this machine."""
        return self.base_url is not None and _loopback(self.base_url)

    @property
    def takes_batches(self) -> bool:
        """Only Gemini's own service has the cheaper jobs."""
        return self.provider == "gemini" and self.enterprise is None

    def parameters(self) -> dict[str, Any]:
        """What is sent beside the prompt and may change the answer. Part of the judge's identity."""
        named = {
            "temperature": self.temperature,
            "seed": self.seed,
            "thinking_budget": self.thinking_budget,
            "thinking_level": self.thinking_level,
        }
        sent: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
        return {
            **sent,
            "max_output_tokens": self.max_output_tokens,
            **({"safety": dict(self.safety)} if self.safety else {}),
        }

    def prompt(self, unit: Literal["conversation", "assistant_turn"]) -> str:
        return self.prompts.get(unit) or ("rubric_judge" if unit == "conversation" else "alignment_judge")


class Models(Strict):
    judges: dict[Identifier, JudgeEntry] = Field(min_length=1)

    @model_validator(mode="after")
    def _replays_are_there(self) -> Models:
        for name, entry in self.judges.items():
            if entry.replays is not None and (
                entry.replays not in self.judges or self.judges[entry.replays].provider == "replay"
            ):
                raise ValueError(
                    f"{name} replays {entry.replays!r}, which is not the name of another judge of this file"
                )
        return self


class Catalogue:
    """The judges of one models.yaml."""

    def __init__(self, models: Models, folder: Path) -> None:
        self.judges, self._folder = models.judges, folder

    def entry(self, name: str) -> JudgeEntry:
        """Raises JudgeUnusable for a name that is not in the file."""
        if name not in self.judges:
            raise JudgeUnusable(
                f"There is no judge {name!r} in models.yaml. There are: {', '.join(self.judges)}."
            )
        return self.judges[name]

    def asked_as(self, name: str) -> JudgeEntry:
        """The entry whose requests are made: for a replay, that of the judge it replays."""
        entry = self.entry(name)
        return self.judges[entry.replays] if entry.replays else entry

    def recordings(self, entry: JudgeEntry) -> Path:
        return self._folder / str(entry.recordings)

    def missing(self, name: str, environ: Mapping[str, str] | None = None) -> str | None:
        """What has to be set before this judge can be asked, in one sentence; None if nothing."""
        env, entry = os.environ if environ is None else environ, self.entry(name)
        for variable, what in (
            (entry.key, "the key"),
            (entry.enterprise.project if entry.enterprise else None, "the project"),
        ):
            if variable and not env.get(variable, "").strip():
                return (
                    f"Set the environment variable {variable} to {what} of {name}, and start the program "
                    "again."
                )
        if entry.enterprise and not entry.base_url and env.get("GOOGLE_VERTEX_BASE_URL"):
            return (
                f"The environment variable GOOGLE_VERTEX_BASE_URL would send the calls of {name} "
                "elsewhere. Unset it, or put the address into base_url."
            )
        if entry.provider == "replay" and not self.recordings(entry).is_file():
            return f"There is no file {self.recordings(entry)} with the recordings of {name}."
        return None


def load_catalogue(path: Path) -> Catalogue:
    """Raises ConfigFileError for a file that cannot be used."""
    return Catalogue(read_model(path, Models)[0], path.parent)


def _loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


__all__ = ["Catalogue", "ConfigFileError", "JudgeEntry", "JudgeUnusable", "Models", "Price", "load_catalogue"]
