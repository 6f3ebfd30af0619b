"""From the name of a judge to a judge that can be asked. Each SDK is imported when first needed."""

from __future__ import annotations

from scoring.judges.catalogue import Catalogue, JudgeUnusable
from scoring.judges.checked_client import CheckedClient
from scoring.judges.judge_client import DataClassGate, JudgeClient
from scoring.judges.provider_registry import PROVIDERS


def open_judge_client(catalogue: Catalogue, name: str) -> DataClassGate:
    """Return a client that asks the judge `name`. Raise JudgeUnusable if a key, a file or a package is
    missing.
    """
    entry = catalogue.entry(name)
    missing = catalogue.missing(name)
    provider = PROVIDERS.entry(entry.provider)
    if missing or provider is None:
        raise JudgeUnusable(missing or f"There is no judge provider {entry.provider!r}.")
    if provider.is_own:
        return DataClassGate(CheckedClient(provider.spec.open(entry, catalogue.folder), is_own=True), entry)
    try:
        client: JudgeClient = CheckedClient(provider.spec.open(entry, catalogue.folder), is_own=False)
    except JudgeUnusable:
        raise
    except Exception as error:  # noqa: BLE001  a stranger's class may raise anything
        raise JudgeUnusable(
            f"The judge provider {entry.provider!r} of the package {provider.package} could not be opened "
            f"({type(error).__name__})."
        ) from None
    return DataClassGate(client, entry)
