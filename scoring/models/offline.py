"""What every model needs before its libraries are imported."""

from __future__ import annotations

import os


def prepare() -> None:
    """No look-ups in the network, no progress bars, and threads that wait without spinning.

    Call it before the first import of torch, sentence_transformers or transformers; they read the variables
    once.
    """
    # Two threads that spin on a busy machine with two cores are several times slower than one.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()


def readable(text: str) -> str:
    """The text with "?" for half a surrogate, which is no character and no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
