"""What several metrics make of a conversation's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from data.record.metrics import inputs_hash
from data.record.references import Reference

Replies = Sequence[str | None]


def reference_parts(reference: Reference) -> tuple[str, int, Any]:
    """Return what identifies a reference in a hash of inputs: level, version and text.

    A text that comes back after another one has a new version, so that it is computed again.
    """
    return reference.level, reference.version, reference.body


def inputs_of_failures(inputs: str, failed: int) -> str:
    """Return another hash if a model failed on any part, so that the next scoring tries again; "" if none
    failed.
    """
    return inputs_hash(inputs, "failed", failed) if failed else ""
