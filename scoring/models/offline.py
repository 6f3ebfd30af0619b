"""What every model needs before its libraries are imported."""

from __future__ import annotations

import os


def prepare() -> None:
    """Switch off network look-ups and progress bars, and make idle threads wait without spinning.

    Call it before the first import of torch, sentence_transformers or transformers; they read the
    environment variables once.
    """
    # Two threads that spin on a busy machine with two cores are several times slower than one.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ["HF_HUB_OFFLINE"] = os.environ["TRANSFORMERS_OFFLINE"] = "1"
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()


def readable(text: str) -> str:
    """Return the text with "?" for half of a surrogate pair, which no tokenizer takes."""
    return text.encode("utf-8", "replace").decode("utf-8")
