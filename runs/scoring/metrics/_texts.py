"""What several metrics make of a conversation's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from data.record.metrics import inputs_hash
from data.record.references import Reference

Replies = Sequence[str | None]


def reference_parts(reference: Reference) -> tuple[str, int, Any]:
    """Which text it is. One that comes back after another is computed anew, or the other's numbers would stay
    the newest.
    """
    return reference.level, reference.version, reference.body


def inputs_of_failures(inputs: str, failed: int) -> str:
    """Another hash where a model failed on a part: the next scoring looks whether it answers now."""
    return inputs_hash(inputs, "failed", failed) if failed else ""
