"""Fetching a model from the hub, where the network allows it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from scoring.models.configured import ModelMissing

HUB_ID = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")


def fetch(hub_id: str, folder: Path, patterns: tuple[str, ...]) -> str:
    """Put the files of a model into a folder; returns the revision that was fetched. Raises ModelMissing."""
    os.environ.pop("HF_HUB_OFFLINE", None)
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import HfApi, snapshot_download

    try:
        revision = str(HfApi().model_info(hub_id, timeout=20).sha)
        snapshot_download(hub_id, revision=revision, local_dir=folder, allow_patterns=list(patterns))
    except Exception as error:  # noqa: BLE001  the library and its HTTP client raise errors of many kinds
        raise ModelMissing(
            f"{hub_id} could not be fetched from the hub ({type(error).__name__}). Where this machine may "
            "not reach it, fetch the model on another one and copy its folder here: second-reader models add "
            "NAME FOLDER."
        ) from None
    return revision
