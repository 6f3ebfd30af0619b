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

from configs.files.yaml_files import SECRET, ConfigFileError, read_model
from scoring.instruments import Exact, Identifier, Strict
from scoring.judges.provider_registry import PROVIDERS
from scoring.judges.readers import ReaderName
from words.plurals import join_words

DataClass = Literal["synthetic", "deidentified", "phi"]


def _variable(value: object) -> object:
    if not isinstance(value, str) or not re.fullmatch(r"[A-Z][A-Z0-9_]{1,63}", value):
        raise PydanticCustomError(
            SECRET,
            "expected the name of an environment variable, such as GEMINI_API_KEY; the key itself never "
            "stands in this file",
        )
    return value


def _provider(value: object) -> object:
    """A provider that is installed. One that is installed and broken is taken as well: its judge says what
    is wrong, and the others go on.
    """
    names = PROVIDERS.names()
    if value not in names and not (isinstance(value, str) and PROVIDERS.problem(value)):
        expected = join_words([repr(name) for name in names], "or")
        raise PydanticCustomError("literal_error", "expected {expected}", {"expected": expected})
    return value


def _amount(value: Fraction) -> Fraction:
    if value < 0:
        raise ValueError("a price is not less than 0")
    return value


ProviderName = Annotated[str, BeforeValidator(_provider)]
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
        """Return the price of a call in billionths of the currency, rounded up.

        `tokens_in` includes the cached ones, `tokens_out` the thinking.
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
    provider: ProviderName
    model: str = ""
    served_as: tuple[str, ...] = ()
    base_url: str | None = None
    key: Variable | None = None
    enterprise: Enterprise | None = None
    data_classes: tuple[DataClass, ...] = ()
    batching: Literal["criterion", "trial"] = "criterion"
    reader: ReaderName | None = None
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
    options: dict[str, str | bool | int | float] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _consistent(self) -> JudgeEntry:
        if self.is_replay:
            if self.reader is not None:
                raise ValueError("reader belongs to the judge that is replayed")
            self._check_provider()
            return self
        if self.replays or self.recordings:
            raise ValueError("replays and recordings belong to the provider replay")
        if not self.model:
            raise ValueError("the field model is missing: the exact name of the model")
        if self.model.endswith("-latest"):
            raise ValueError("a name that ends in -latest is another model tomorrow; name one model")
        self._check_provider()
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
        """Tell whether the judge runs on this machine: its base_url is a loopback address."""
        return self.base_url is not None and _loopback(self.base_url)

    @property
    def is_replay(self) -> bool:
        """Tell whether the judge repeats recorded answers of another judge; False for an unknown provider."""
        provider = PROVIDERS.get(self.provider)
        return provider is not None and provider.replays

    @property
    def takes_batches(self) -> bool:
        """Tell whether the provider offers cheaper batch jobs for this judge; False for an unknown
        provider.
        """
        provider = PROVIDERS.get(self.provider)
        return provider is not None and provider.takes_batches(self)

    @property
    def address(self) -> str:
        """Return where requests go, for people to read: base_url or the provider's words; "" if unknown."""
        provider = PROVIDERS.get(self.provider)
        return self.base_url or (provider.address if provider is not None else "")

    def _check_provider(self) -> None:
        """Raises ValueError. Any other error of a stranger's class is reported for its judge alone
        (`Catalogue.missing`).
        """
        provider = PROVIDERS.entry(self.provider)
        if provider is None:
            return
        try:
            provider.spec.check(self)
        except ValueError:
            raise
        except Exception:
            if provider.is_own:
                raise

    def parameters(self) -> dict[str, Any]:
        """Return what is sent besides the prompt and may change the answer; part of the judge's identity.

        Settings that are None are left out; max_output_tokens is always in.
        """
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
            **({"options": dict(sorted(self.options.items()))} if self.options else {}),
        }

    def prompt(self, unit: Literal["conversation", "assistant_turn"]) -> str:
        """Return the name of the prompt for this unit: the entry's own, else "rubric_judge" or
        "alignment_judge".
        """
        return self.prompts.get(unit) or ("rubric_judge" if unit == "conversation" else "alignment_judge")


class Models(Strict):
    judges: dict[Identifier, JudgeEntry] = Field(min_length=1)

    @model_validator(mode="after")
    def _replays_are_there(self) -> Models:
        for name, entry in self.judges.items():
            if entry.replays is not None and (
                entry.replays not in self.judges or self.judges[entry.replays].is_replay
            ):
                raise ValueError(
                    f"{name} replays {entry.replays!r}, which is not the name of another judge of this file"
                )
        return self


class Catalogue:
    """The judges of one models.yaml."""

    def __init__(self, models: Models, folder: Path) -> None:
        self.judges, self.folder = models.judges, folder

    def entry(self, name: str) -> JudgeEntry:
        """Return the judge with this name. Raise JudgeUnusable if models.yaml does not have it."""
        if name not in self.judges:
            raise JudgeUnusable(
                f"There is no judge {name!r} in models.yaml. There are: {', '.join(self.judges)}."
            )
        return self.judges[name]

    def with_entry(self, name: str, entry: JudgeEntry) -> Catalogue:
        """Return a catalogue in which `name` has this entry; the original stays unchanged."""
        return Catalogue(Models(judges={**self.judges, name: entry}), self.folder)

    def asked_as(self, name: str) -> JudgeEntry:
        """Return the entry whose requests are made: for a replay, that of the judge it replays.

        Raise JudgeUnusable for an unknown name.
        """
        entry = self.entry(name)
        return self.judges[entry.replays] if entry.replays else entry

    def missing(self, name: str, environ: Mapping[str, str] | None = None) -> str | None:
        """Return what has to be set before this judge can be asked, in one sentence; None if nothing.

        `environ` None means the program's environment variables. Raise JudgeUnusable for an unknown name.
        """
        env, entry = os.environ if environ is None else environ, self.entry(name)
        problem, provider = PROVIDERS.problem(entry.provider), PROVIDERS.entry(entry.provider)
        if problem or provider is None:
            return problem
        if entry.key and not env.get(entry.key, "").strip():
            return (
                f"Set the environment variable {entry.key} to the key of {name}, and start the program again."
            )
        try:
            provider.spec.check(entry)
            return provider.spec.missing(entry, name, env, self.folder)
        except Exception as error:
            if provider.is_own:
                raise
            return (
                f"The judge provider {entry.provider!r} of the package {provider.package} failed "
                f"({type(error).__name__}), so {name} cannot be asked."
            )


def load_catalogue(path: Path) -> Catalogue:
    """Read a models.yaml. Raise ConfigFileError if it can't be used."""
    return Catalogue(read_model(path, Models)[0], path.parent)


def _loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


__all__ = ["Catalogue", "ConfigFileError", "JudgeEntry", "JudgeUnusable", "Models", "Price", "load_catalogue"]
