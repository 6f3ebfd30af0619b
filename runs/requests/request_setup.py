"""The model that is asked, and whether the study's words may be sent to it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from configs.settings import Settings
from data.record.studies import Study
from data.store.store import Store
from scoring.judges.catalogue import Catalogue, DataClass, JudgeEntry, JudgeUnusable, load_catalogue
from scoring.judges.judge_client import sha
from scoring.judges.provider_registry import PROVIDERS


@dataclass(frozen=True)
class RequestSetup:
    """`asked_as`: the entry whose model answers, if `entry` replays its recordings. `identity`: model, prompt
    and parameters, all that changes an answer.
    """

    store: Store
    study: Study
    name: str
    catalogue: Catalogue
    entry: JudgeEntry
    asked_as: JudgeEntry
    prompt: str
    parser: str

    @property
    def data_class(self) -> DataClass:
        data_class: DataClass = self.study.data_class  # type: ignore[assignment]  # the store allows no other value
        return data_class

    @property
    def identity(self) -> Mapping[str, Any]:
        """Return what determines an answer: provider, model, parameters, prompt and parser."""
        host = urlsplit(self.asked_as.base_url).hostname if self.asked_as.base_url else None
        return {
            "provider": self.entry.provider,
            "asked_of": self.asked_as.provider,
            "asked_at": "enterprise" if self.asked_as.enterprise else host,
            "model": self.asked_as.model,
            "parameters": self.asked_as.parameters(),
            "prompt": self.prompt,
            "parser": self.parser,
        }

    @property
    def sha256(self) -> str:
        return sha(json.dumps(self.identity, sort_keys=True))

    @property
    def label(self) -> str:
        """Return the name of the model in versions of metrics."""
        return f"{self.name}, {self.asked_as.model}, {self.prompt}, {self.sha256[:12]}"

    def may_answer_as(self, served: str | None) -> bool:
        """Tell whether an answer under this model name counts; always for recordings."""
        return self.entry.is_replay or served in {self.asked_as.model, *self.entry.served_as}

    def check(self, budget_nano: int | None) -> None:
        """Raise JudgeUnusable if nothing may be sent, or a budget has no prices."""
        if self.study.data_class not in self.entry.data_classes:
            raise JudgeUnusable(
                f"{self.study.title} holds {self.study.data_class} data, and {self.name} is not marked for "
                "it. Nothing was sent. A study lead may mark a judge in models.yaml (data_classes)."
            )
        if budget_nano is not None and self.entry.price is None:
            raise JudgeUnusable(f"A budget needs prices, and models.yaml has none for {self.name}.")


def set_up_requests(
    store: Store, study: Study, settings: Settings, name: str, prompt: str, parser: str
) -> RequestSetup:
    """Return the setup for `name` in models.yaml. Raises JudgeUnusable, ConfigFileError."""
    catalogue = load_catalogue(settings.models)
    refuse_without_prompts(catalogue, name)
    return RequestSetup(
        store, study, name, catalogue, catalogue.entry(name), catalogue.asked_as(name), prompt, parser
    )


def refuse_without_prompts(catalogue: Catalogue, name: str) -> None:
    """Raise JudgeUnusable for a judge that reads no prompt or doesn't exist."""
    provider = PROVIDERS.entry(catalogue.asked_as(name).provider)
    if provider is not None and not provider.spec.reads_prompt:
        raise JudgeUnusable(
            f"{name} only labels criteria; it reads no prompt, so it can't be asked anything else."
        )
