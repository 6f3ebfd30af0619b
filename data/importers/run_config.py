"""Read config.yaml of a run folder: model, vignette, temperature and slice of the run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from configs.files.yaml_files import ConfigFileError, read_fields
from data.importers.report import ImportReport
from data.importers.run_numbers import SLICE, TEMPERATURE, UnexpectedCell, number, whole
from data.record.run_summaries import RunSummary

TEXTS = ("model", "vignette", "mode")


def summary(
    folder: Path, messages: int, trials: int, temperatures: Sequence[Any], report: ImportReport
) -> RunSummary:
    """Return the facts of a folder's run. Without config.yaml the temperature is that of the trials, if all
    agree.
    """
    configuration = _config(folder, report)
    facts: dict[str, Any] = {
        name: str(configuration[name]).strip()
        for name in TEXTS
        if isinstance(configuration.get(name), str | int) and str(configuration[name]).strip()
    }
    same = (
        temperatures[0]
        if temperatures and all(temperature == temperatures[0] for temperature in temperatures)
        else None
    )
    for name, raw, read, kind in (
        ("temperature", configuration.get("temperature", same), number, TEMPERATURE),
        ("slice", configuration.get("slice"), whole, SLICE),
    ):
        try:
            facts.update({} if raw is None else {name: read(raw, kind)})
        except UnexpectedCell as wrong:
            report.notice(0, f"{name} of the run: {wrong}; it was left out")
    return RunSummary(
        folder.name, "folder", **facts, n_messages=messages or None
    )  # the trials are counted in the study, because a run may grow


def _config(folder: Path, report: ImportReport) -> dict[str, Any]:
    path = folder / "config.yaml"
    if not path.is_file():
        return {}
    try:
        return read_fields(path)
    except ConfigFileError:
        report.notice(
            0, "config.yaml can't be read, so the model and the temperature of the run were left out"
        )
        return {}
