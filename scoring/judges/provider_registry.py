"""Every judge provider that there is, by the name under which models.yaml knows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from configs.registry import ExtensionUnusable, Registry

if TYPE_CHECKING:
    from scoring.judges.judge_provider import JudgeProvider

GROUP = "second_reader.judges"


def _check(provider: object, name: str, own: bool) -> type[JudgeProvider]:
    from scoring.judges.judge_provider import JudgeProvider

    if not (isinstance(provider, type) and issubclass(provider, JudgeProvider)):
        raise ExtensionUnusable("it is no class that inherits from JudgeProvider")
    if own:
        return provider
    if provider.ask is JudgeProvider.ask:
        raise ExtensionUnusable("it has no method ask")
    if not isinstance(provider.adapter, str) or not provider.adapter.strip():
        raise ExtensionUnusable("its adapter must be a text: name and version of what speaks to the service")
    if not isinstance(provider.address, str):
        raise ExtensionUnusable("its address must be a text")
    if provider.replays or _function(provider.takes_batches) is not _function(JudgeProvider.takes_batches):
        raise ExtensionUnusable("replays and batches are for providers of the program's own")
    if not isinstance(provider.options, frozenset) or not all(isinstance(x, str) for x in provider.options):
        raise ExtensionUnusable("its options must be a frozenset of names")
    return provider


def _function(method: object) -> object:
    """What a class method is made of: it is bound anew whenever it is looked up."""
    return getattr(method, "__func__", method)


PROVIDERS: Registry[type[JudgeProvider]] = Registry(
    GROUP, "judge provider", "scoring.judges.providers", "PROVIDER", _check
)
