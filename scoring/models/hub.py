"""Fetching a model from the hub, where the network allows it."""

from __future__ import annotations

import os
import re
from pathlib import Path

from scoring.models.model_settings import ModelMissing

ENDPOINT: str | None = None  # the hub's own address, or HF_ENDPOINT
HUB_ID = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")


def fetch(hub_id: str, folder: Path, patterns: tuple[str, ...]) -> str:
    """Download the files of a hub model that match `patterns` into a folder; return the fetched revision.

    Raise ModelMissing if the hub can't be reached or has no such model.
    """
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from huggingface_hub import HfApi, constants

    is_offline, constants.HF_HUB_OFFLINE = constants.HF_HUB_OFFLINE, False
    try:
        api = HfApi(endpoint=ENDPOINT)
        revision = str(api.model_info(hub_id, timeout=20).sha)
        api.snapshot_download(hub_id, revision=revision, local_dir=folder, allow_patterns=list(patterns))
    except Exception as error:  # noqa: BLE001  the library and its HTTP client raise errors of many kinds
        raise ModelMissing(
            f"{hub_id} could not be fetched from the hub ({type(error).__name__}). Where this machine may "
            "not reach it, fetch the model on another one and copy its folder here: second-reader models add "
            "NAME FOLDER."
        ) from None
    finally:
        constants.HF_HUB_OFFLINE = is_offline
    return revision
